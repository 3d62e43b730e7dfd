/**
 * Canaries through every route by which a secret gets into a message. The search undresses what it looks at, so that
 * it does not depend on the list of forms that the scrubber knows.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openLog } from '../../src/cli/session/log-file.ts';
import { shownSafely } from '../../src/cli/session/terminal.ts';
import type { PipelineEvent } from '../../src/pipeline/context/run-context.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn, start } from '../program.ts';

/** Letters that change in Base64, in addresses, in forms, in JSON and in XML. */
const SECRET = 'cAnary+"s/é&%~ 9\\kQ';
const TOKEN = 'tOk3n.cAnary-eyJhbGciOi_Jub25l';
const PASSWORD = 'pAssw0rd/cAnary+7Z';

/** The text and everything that can be undressed in it, twice over. */
function undressed(text: string, depth = 2): string[] {
  if (depth === 0) return [text];
  const percent = text.replaceAll('+', ' ').replace(/(%[0-9a-f]{2})+/gi, tryDecode);
  const json = text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const unescaped = json.replace(/\\(["\\/])/g, '$1');
  const xml = text.replace(
    /&(amp|lt|gt|quot);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp'],
  );
  const packed = [...text.matchAll(/[\w+/-]{8,}={0,2}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('utf8')),
  );
  const hex = [...text.matchAll(/(?:[0-9a-f]{2}){8,}/gi)].map(([run]) => Buffer.from(run, 'hex').toString('utf8'));
  const next = new Set([percent, json, unescaped, xml, ...packed, ...hex]);
  next.delete(text);
  return [text, ...[...next].flatMap((one) => undressed(one, depth - 1))];
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function betrays(text: string, canaries: readonly string[]): string | undefined {
  const pieces = canaries.flatMap((canary) => [canary, canary.slice(2, -2)]);
  const piece = undressed(text).find((one) => pieces.some((canary) => one.includes(canary)));
  return piece === undefined ? undefined : text.slice(0, 300);
}

const basic = Buffer.from(`user:${SECRET}`).toString('base64');
const form = new URLSearchParams({ client_id: 'c', client_secret: SECRET }).toString();
const cause = new Error('outer', { cause: new Error(`inner ${SECRET}`) });

/** Route -> what somebody might one day put into a log line. */
const ROUTES: { readonly [route: string]: unknown } = {
  'text of a message': `token call with ${SECRET} failed`,
  'a field': { clientSecret: SECRET },
  'a field of another case, deep inside': { a: { b: { c: { CLIENT_SECRET: SECRET, list: [SECRET] } } } },
  'error text with the form that was sent': `400: body was ${form}`,
  'query of an address': `https://idp.example/token?secret=${encodeURIComponent(SECRET)}`,
  'user part of an address': `https://client:${encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())}@idp.example/`,
  'raw headers': ['Host', 'idp.example', 'Authorization', `Bearer ${TOKEN}`],
  'causes of an error': { error: { message: cause.message, cause: { message: (cause.cause as Error).message } } },
  'Base64 of user:password': { authorization: `Basic ${basic}` },
  'Base64 alone, for addresses': Buffer.from(SECRET).toString('base64url'),
  'percent encoding': encodeURIComponent(SECRET),
  'JSON in JSON': JSON.stringify({ body: JSON.stringify({ client_secret: SECRET }) }),
  'JSON in ASCII': JSON.stringify({ s: SECRET }).replace(
    /[\u0080-\uffff]/g,
    (c) => `\\u00${c.charCodeAt(0).toString(16)}`,
  ),
  'an XML error page': `<p>client_secret=${SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</p>`,
  'a hex dump': Buffer.from(SECRET).toString('hex'),
  'a token beside its dots': `jwt ${TOKEN} and ${Buffer.from(`x${TOKEN}`).toString('base64')}`,
};

describe('the log and the screen', async () => {
  const scene = await openScene();
  const { secrets } = scene.instance();
  writeFileSync(join(scene.root, 'canary'), SECRET, { mode: 0o600 });
  await secrets.reveal({ file: 'canary' });
  secrets.hide(TOKEN);
  const log = openLog(scene.instance());

  test.each(Object.entries(ROUTES))('%s', (_, given) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    expect(betrays(text, [SECRET, TOKEN]), 'the search would see it').toBeDefined();
    expect(betrays(shownSafely(text), [SECRET, TOKEN])).toBeUndefined();
    log({ what: 'service-waits', says: text, given } as unknown as PipelineEvent, 'run');
    const lines = scene.files('logs').map((path) => scene.read(path));
    expect(lines.join('')).toContain('service-waits');
    expect(lines.flatMap((line) => betrays(line, [SECRET, TOKEN]) ?? [])).toEqual([]);
  });

  test('the folder goes', async () => await scene[Symbol.asyncDispose]());
});

/** A service that answers with everything it was sent, as error pages of proxies and frameworks do. */
async function echoing(answer: (request: IncomingMessage, body: string) => readonly [number, string]) {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      tokens.push(String(request.headers.authorization ?? '').replace(/^Bearer /, ''));
      const [status, text] = answer(request, body);
      response.writeHead(status, { 'x-debug': String(request.headers.authorization), 'content-type': 'text/html' });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url, tokens, [Symbol.asyncDispose]: async () => void (await close()) };
}

function everything(scene: Scene): readonly (readonly [string, string])[] {
  return readdirSync(scene.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path).toString('utf8')]);
}

test.each<readonly [string, (request: IncomingMessage, body: string) => readonly [number, string]]>([
  [
    'error page',
    (request) => [500, `<pre>${JSON.stringify(request.rawHeaders)} ${JSON.stringify(request.headers)}</pre>`],
  ],
  ['refusal', (request) => [400, Buffer.from(JSON.stringify(request.rawHeaders)).toString('base64')]],
  [
    'rejection',
    (request, body) => {
      const { context } = JSON.parse(body) as { context: object };
      const message = `bad ${request.headers.authorization}`;
      return [200, JSON.stringify({ context, result: { status: { code: 6, name: 'Rejected', message } } })];
    },
  ],
  [
    'rejection, with escapes',
    (request, body) => {
      const { context } = JSON.parse(body) as { context: object };
      const said = [...`bad ${request.headers.authorization}`].map((unit) => {
        return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
      });
      const status = `{"code":6,"name":"Rejected","message":"${said.join('')}"}`;
      return [200, `{"context":${JSON.stringify(context)},"result":{"status":${status}}}`];
    },
  ],
])('a service that repeats the request in its %s: receipts, ledger, log, streams hold no token', async (_, answer) => {
  await using server = await echoing(answer);
  await using scene = await openScene({ services: { fr: { 'base-url': server.url } } });
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  const seen: [string, string][] = [];
  for (const args of [['run'], ['--json', 'errors'], ['--json', 'show', 'F1'], ['errors', '--group', 'cause']]) {
    const { out, err } = await commandIn(scene, ...args);
    seen.push([args.join(' '), out + err]);
  }
  const [token = ''] = server.tokens;
  expect(token.length).toBeGreaterThan(20);
  const clues = [token, token.slice(4, -4)];
  const found = [...everything(scene), ...seen].filter(([, text]) =>
    clues.some((clue) => text.includes(clue) || text.includes(Buffer.from(clue).toString('base64').slice(2, -4))),
  );
  expect(found.map(([where]) => where)).toEqual([]);
  const shown = seen.find(([what]) => what.startsWith('--json errors'))![1];
  expect(JSON.parse(shown)).toMatchObject({ documents: [{ service: 'fr' }, { service: 'fr' }] });
});

test('a short secret is scrubbed from the log, but no piece of an answer or of data is taken for it', async () => {
  await using scene = await openScene();
  const { secrets } = scene.instance();
  writeFileSync(join(scene.root, 'short'), '2026', { mode: 0o600 });
  await secrets.reveal({ file: 'short' });
  expect(secrets.scrub('pin 2026')).toBe('pin [secret]');
  expect(secrets.scrubAnswer('{"date":"2026-11-20"}')).toBe('{"date":"2026-11-20"}');
  scene.drop('ventes.csv', sales(['F1']));
  const { out } = await commandIn(scene, '--json', 'run', '--take-in-only');
  expect(JSON.parse(out)).toMatchObject({ run: expect.stringMatching(/^\d{8}-/) });
});

describe.skipIf(process.platform === 'win32')('when the program breaks (not on Windows)', () => {
  test('an uncaught error is printed without its properties, a diagnostic report has no environment', async () => {
    await using scene = await openScene();
    const { fr, sv } = scene.sandbox;
    const env = {
      NIGHTPOST_SANDBOX_FR_SECRET: fr.clientSecret,
      NIGHTPOST_SANDBOX_SV_CREDENTIALS: `${sv.user}:${sv.password}`,
    };
    const [bomb, go] = [join(scene.root, 'bomb.mjs'), join(scene.root, 'go')];
    writeFileSync(
      bomb,
      `import { existsSync } from 'node:fs';
       const secret = process.env.NIGHTPOST_SANDBOX_FR_SECRET;
       setInterval(() => {
         if (!existsSync('${go}')) return;
         throw Object.assign(new Error('broken with ' + secret), { config: { auth: secret }, cause: new Error(secret) });
       }, 50);`,
    );
    const options = `--import=${bomb} --report-on-signal --report-directory=${scene.root}`;
    const { child, ended } = start(['-C', scene.root, 'watch'], { env: { ...env, NODE_OPTIONS: options } });
    const report = () => readdirSync(scene.root).find((name) => /^report\..*\.json$/.test(name));
    await new Promise((resolve) => child.stderr!.once('data', resolve));
    child.kill('SIGUSR2');
    while (report() === undefined && child.exitCode === null) await wait(50);
    scene.drop('ventes.csv', sales(['F1']));
    while (scene.files('outbox').length === 0 && child.exitCode === null) await wait(50);
    writeFileSync(go, '');
    const { code, err, out } = await ended;
    expect(code).toBe(1);
    expect(err).toContain('Error: broken with [secret]');
    expect(report()).toBeDefined();
    const texts = [...everything(scene).filter(([path]) => path !== bomb), ['streams', err + out] as const];
    const canaries = [fr.clientSecret, sv.password];
    expect(texts.filter(([, text]) => canaries.some((one) => text.includes(one))).map(([path]) => path)).toEqual([]);
  });

  test('the list of processes shows no secret', async () => {
    await using scene = await openScene({ services: { fr: { 'client-secret': { command: ['cat', 'slow-secret'] } } } });
    writeFileSync(join(scene.root, 'secret.sh'), `#!/bin/sh\nsleep 1\nprintf '%s' "$(cat '${scene.root}/pw')"\n`, {
      mode: 0o700,
    });
    writeFileSync(join(scene.root, 'pw'), PASSWORD, { mode: 0o600 });
    const settings = readFileSync(join(scene.root, 'nightpost.yaml'), 'utf8');
    writeFileSync(
      join(scene.root, 'nightpost.yaml'),
      settings.replace(/- cat\n +- slow-secret/, `- ${scene.root}/secret.sh`),
    );
    const { fr, sv } = scene.sandbox;
    const env = {
      NIGHTPOST_SANDBOX_FR_SECRET: fr.clientSecret,
      NIGHTPOST_SANDBOX_SV_CREDENTIALS: `${sv.user}:${sv.password}`,
    };
    const { child, ended } = start(['-C', scene.root, 'watch'], { env });
    let listed = '';
    while (!listed.includes('secret.sh') && child.exitCode === null) {
      await wait(50);
      listed += commandLines();
    }
    for (let n = 0; n < 10; n++) {
      await wait(50);
      listed += commandLines();
    }
    child.kill('SIGTERM');
    await ended;
    expect(listed).toContain('secret.sh');
    expect([PASSWORD, fr.clientSecret, sv.password].filter((one) => listed.includes(one))).toEqual([]);
  });
});

function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}
