/** A person who opens the console in a browser: `serve` as a program, its link, and what its pages and its API answer. */
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CONSOLE_PORT } from './house-files.ts';
import type { Running } from './world/running.ts';

/** Seconds until the console has printed its address. */
const PATIENCE = 60;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

type Page = { readonly status: number; readonly cookie: string; readonly body: string };

function ask(path: string, headers: { readonly [name: string]: string }, form?: string): Promise<Page> {
  const to = { host: '127.0.0.1', port: CONSOLE_PORT, agent: false as const };
  return new Promise((resolve, reject) => {
    const sent = request({ ...to, path, method: form === undefined ? 'GET' : 'POST', headers });
    sent.on('error', reject);
    sent.on('response', async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
      resolve({ status: answer.statusCode ?? 0, cookie, body: Buffer.concat(chunks).toString('utf8') });
    });
    sent.end(form);
  });
}

/** Signs in with the link that `serve` printed; resolves to a reader of its pages. Rejects where it does not open. */
export async function signIn(serve: Running): Promise<(path: string) => Promise<string>> {
  for (let waited = 0; !serve.out.includes('}\n'); waited++) {
    if (waited > PATIENCE) throw new Error(`the console does not open: ${serve.out}${serve.err}`);
    await pause(1000);
  }
  const { address, link } = JSON.parse(serve.out) as { readonly address: string; readonly link: string };
  const base = new URL(address).pathname;
  const form = new URLSearchParams({ token: link.split('#t=')[1] ?? '', next: '/' }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const { cookie } = await ask(`${base}login`, { ...SAME_ORIGIN, ...type }, form);
  return async (path) => {
    const { status, body } = await ask(`${base}${path}`, { ...SAME_ORIGIN, cookie });
    if (status !== 200) throw new Error(`the console answers ${status} for ${path}: ${body}`);
    return body;
  };
}
