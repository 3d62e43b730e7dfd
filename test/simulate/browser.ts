/** A browser: signs in to `serve` with its link, reads pages and the API, and sends the forms of the pages. */
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CONSOLE_PORT } from './house-files.ts';
import type { Running } from './world/running.ts';

/** Seconds until the console has printed its address. */
const PATIENCE = 60;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const BOUNDARY = 'nightpost-simulate';
/** Fields of a form, and its files by the name of the field. */
const FORM = /<form\b([^>]*)>(.*?)<\/form>/gs;
const FIELD = /<input\b([^>]*)>/g;

/** `to`: the address that it leads to. */
type Answer = { readonly status: number; readonly to: string; readonly body: string };
export type Form = { readonly id: string; readonly action: string; readonly fields: ReadonlyMap<string, Field> };
type Field = { readonly value: string; readonly label: string };
type Typed = { readonly [name: string]: string };

export type Browser = {
  /** Paths are those of the console, without its base. */
  readonly read: (path: string) => Promise<Answer>;
  readonly send: (form: Form, typed: Typed, proof?: string) => Promise<Answer>;
  /** What a page of the console asks of its API. */
  readonly post: (path: string, key: string, body: object) => Promise<Answer>;
};

type Page = Answer & { readonly cookie: string };
type Headers = { readonly [name: string]: string };

function ask(path: string, headers: Headers, body?: string): Promise<Page> {
  const to = { host: '127.0.0.1', port: CONSOLE_PORT, agent: false as const };
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, path, method: body === undefined ? 'GET' : 'POST', headers });
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      const chunks: Buffer[] = [];
      // The console may end in the middle of its answer.
      answer.on('error', reject);
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: answer.statusCode ?? 0, to: answer.headers.location ?? '', cookie, body: text });
    });
    sent.end(body);
  });
}

/** Rejects where the console does not open. */
export async function signIn(serve: Running): Promise<Browser> {
  for (let waited = 0; !serve.out.includes('}\n'); waited++) {
    if (waited > PATIENCE || serve.isGone) throw new Error(`the console does not open: ${serve.out}${serve.err}`);
    await pause(1000);
  }
  const { address, link } = JSON.parse(serve.out) as { readonly address: string; readonly link: string };
  const base = new URL(address).pathname.replace(/\/$/, '');
  const type = (name: string) => ({ 'content-type': name });
  const token = new URLSearchParams({ token: link.split('#t=')[1] ?? '', next: '/' }).toString();
  const { cookie } = await ask(
    `${base}/login`,
    { ...SAME_ORIGIN, ...type('application/x-www-form-urlencoded') },
    token,
  );
  const own = { ...SAME_ORIGIN, cookie };
  return {
    read: (path) => ask(`${base}/${path}`, own),
    send: ({ action, fields }, typed, proof) => {
      const all = Object.entries({
        ...Object.fromEntries([...fields].map(([name, { value }]) => [name, value])),
        ...typed,
      });
      if (proof === undefined) {
        const text = new URLSearchParams(all).toString();
        return ask(action, { ...own, ...type('application/x-www-form-urlencoded') }, text);
      }
      const parts = all.map(([name, value]) => [`name="${name}"`, value] as const);
      const file = [`name="evidence"; filename="proof.txt"\r\nContent-Type: text/plain`, proof] as const;
      const text = [...parts, file].map(
        ([about, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${about}\r\n\r\n${value}\r\n`,
      );
      return ask(
        action,
        { ...own, ...type(`multipart/form-data; boundary=${BOUNDARY}`) },
        `${text.join('')}--${BOUNDARY}--\r\n`,
      );
    },
    post: (path, key, body) =>
      ask(`${base}/${path}`, { ...own, ...type('application/json'), 'idempotency-key': key }, JSON.stringify(body)),
  };
}

/** The forms of a page, with the fields that stand elsewhere and belong to them. */
export function formsOf(html: string): readonly Form[] {
  return [...html.matchAll(FORM)].map(([, head = '', inside = '']) => {
    const id = attribute(head, 'id');
    const others = [...html.matchAll(FIELD)].filter(([, text = '']) => id !== '' && attribute(text, 'form') === id);
    const own = [...inside.matchAll(FIELD), ...others].flatMap(([, text = '']) => {
      const [name, kind] = [attribute(text, 'name'), attribute(text, 'type')];
      if (name === '' || kind === 'file' || kind === 'checkbox') return [];
      return [[name, { value: attribute(text, 'value'), label: attribute(text, 'aria-label') }] as const];
    });
    return { id, action: attribute(head, 'action'), fields: new Map(own) };
  });
}

function attribute(text: string, name: string): string {
  const signs: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  return found.replaceAll(/&(#?\w+);/g, (all, sign: string) => signs[sign] ?? all);
}
