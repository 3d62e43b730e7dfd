/** The console of a scene on a real port, and what browsers and other programs send to it. */
import { request } from 'node:http';
import { type ConsoleOptions, type OpenConsole, openConsole } from '../../src/console/open-console.ts';
import { openPeople } from '../../src/console/people/people.ts';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { readInstanceForViewing } from '../../src/instance/instance.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import type { Scene } from '../night.ts';

export type TestConsole = OpenConsole & {
  readonly base: string;
  readonly defects: readonly unknown[];
};

/** Port 0 unless the flags name one. */
export async function openConsoleOf(
  scene: Scene,
  flags: { readonly [setting: string]: unknown } = {},
  options: Partial<ConsoleOptions> = {},
): Promise<TestConsole> {
  const { environment } = describeSandbox(scene.sandbox);
  const overrides = { variables: environment, flags: { 'serve.port': 0, ...flags } };
  const read = () => readInstanceForViewing(scene.root, overrides);
  const defects: unknown[] = [];
  const open = await openConsole({ instance: read(), read, report: (error) => defects.push(error), ...options });
  const { pathname } = new URL(open.address);
  return { ...open, base: pathname.replace(/\/$/, ''), defects };
}

export type Answer = {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body: string;
  readonly cookie?: string;
};

export type Asked = {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly form?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  /** The own address of the connection. */
  readonly from?: string;
};

/** One request with exactly these headers; fetch would not let a test set Host or Origin. */
export async function ask(at: { readonly port: number }, path: string, asked: Asked = {}): Promise<Answer> {
  const { method = asked.form || asked.body !== undefined ? 'POST' : 'GET', headers = {}, form, from } = asked;
  const body = form ? new URLSearchParams(form).toString() : asked.body;
  const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  return await new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: at.port,
      path,
      method,
      agent: false,
      ...(from !== undefined && { localAddress: from }),
      headers: { ...type, ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
        const { statusCode = 0, headers } = answer;
        resolve({ status: statusCode, headers, body: Buffer.concat(parts).toString(), ...(cookie && { cookie }) });
      });
    });
    sent.end(body);
  });
}

/** What a browser adds to a form of a page of ours. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Adds a person, and signs in with a link; resolves to the headers of the session. */
export async function signInAs(scene: Scene, console: TestConsole, role: ConsoleRole, name: string = role) {
  using people = openPeople(scene.root);
  const by = { name: 'test', address: 'local' };
  if (!people.named(name)) people.add(name, role, by, 'en');
  const { cookie = '' } = await ask(console, `${console.base}/login`, {
    headers: SAME_ORIGIN,
    form: { token: people.makeLink(name, by), next: '/' },
  });
  return { cookie };
}

/** The hidden field of the first form of a page. */
export function csrfIn(body: string): string {
  return /name="csrf" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
}
