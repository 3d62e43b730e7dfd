/** Companies of a group in one instance, each with its own credentials: a real server that knows who may send for whom. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceChecks } from '../../../src/doctor/doctor-services.ts';
import { openScene, SALES_MAPPING, type Scene } from '../../night.ts';

const SIREN = { GROUP: '732829320', NORTH: '552100554', SOUTH: '404833048' };
type Who = keyof typeof SIREN;
const SECRETS: { readonly [who in Who]: string } = {
  GROUP: 'geheim-of-the-group',
  NORTH: 'geheim-of-the-north',
  SOUTH: 'geheim-of-the-south',
};

type Call = { readonly who: string; readonly sender: string; readonly number: string; readonly status: number };

/** Gives each client tokens of its own, and takes documents and questions only from the client of their sender. */
async function startAuthority() {
  const calls: Call[] = [];
  const tokens: { [who: string]: number } = {};
  const asked: string[] = [];
  const wrong = new Set<Who>();
  /** Tokens that are no longer good, though they were given. */
  const revoked = new Set<string>();
  const forbidden = new Set<Who>();
  const clientOf = (request: IncomingMessage) => (request.headers.authorization ?? '').replace('Bearer ', '');
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const end = (status: number, answer: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    };
    if (request.url?.endsWith('/token')) {
      const form = new URLSearchParams(body);
      const who = form.get('client_id') as Who;
      if (wrong.has(who) || form.get('client_secret') !== SECRETS[who]) return end(401, { error: 'invalid_client' });
      tokens[who] = (tokens[who] ?? 0) + 1;
      return end(200, { access_token: `token-${who}-${tokens[who]}`, token_type: 'Bearer', expires_in: 300 });
    }
    const token = clientOf(request);
    const who = token.split('-')[1]!;
    if (request.method === 'GET') {
      asked.push(`${who} ${request.url}`);
      return end(200, { result: { status: { code: 2 } } });
    }
    const { context, action } = JSON.parse(body);
    const number = action.content.payload.document.identifier;
    const sender = context['sender-id'];
    const status = revoked.has(token) ? 401 : forbidden.has(who as Who) || sender !== `S-${who}` ? 403 : 200;
    calls.push({ who, sender, number, status });
    if (status !== 200) return end(status, {});
    const document = { identifier: number, 'tracking-id': `T-${number}` };
    const code = number.startsWith('C') ? 8 : 2;
    const result = { status: { code, name: 'x' }, content: { document } };
    return end(200, { context: { 'request-id': context['request-id'] }, result });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = () =>
    calls
      .filter(({ status }) => status === 200)
      .map(({ who, number }) => `${who} ${number}`)
      .sort();
  return {
    ...{ url, calls, tokens, asked, wrong, revoked, forbidden, sent },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let authority: Awaited<ReturnType<typeof startAuthority>>;
let scene: Scene;

beforeEach(async () => {
  authority = await startAuthority();
  const secret = (who: Who) => ({ command: ['/bin/echo', SECRETS[who]] });
  const own = (who: Who) => ({ 'client-id': who, 'client-secret': secret(who), 'sender-id': `S-${who}` });
  scene = await openScene({
    mappings: {
      'sales.yaml': SALES_MAPPING.replace("value: '732829320'", 'value: $Soc')
        .replace('one-per: [Num]', 'one-per: [Soc, Num]')
        .replace('issuer: { name: Exemple SARL', 'issuer: { name: $Soc'),
    },
    settings: { run: { 'give-up-after': '5s', hold: { 'new-issuer': false } } },
    services: {
      fr: {
        'base-url': authority.url,
        'identity-url': authority.url,
        ...own('GROUP'),
        consultation: { method: 'GET', path: '/{identifier}', answer: { code: '/result/status/code' } },
        senders: (['NORTH', 'SOUTH'] as const).map((who) => ({ issuers: [SIREN[who]], ...own(who) })),
      },
    },
  });
});
afterEach(async () => {
  await scene[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
});

/** Documents in the order given, each "NORTH F1". */
function dropped(name: string, documents: readonly string[]): void {
  const rows = documents.map((document) => {
    const [who, number] = document.split(' ');
    return `${SIREN[who as Who]};${number};05/09/2026;Client;1;2;10,50;20`;
  });
  scene.drop(name, ['Soc;Num;Date;Client;Lig;Qte;PU;Taux', ...rows, ''].join('\n'));
}

const ALL = ['NORTH F1', 'SOUTH F2', 'GROUP F3', 'NORTH F4', 'SOUTH F5', 'GROUP F6'];

async function states(): Promise<readonly string[]> {
  return (await scene.entries()).map(({ name, state }) => `${name} ${state}`).sort();
}

test('each document is sent with the token of its sender, and each sender requests one token', async () => {
  dropped('ventes.csv', ALL);
  const { stops } = await scene.night();
  expect(stops).toEqual([]);
  expect(authority.sent()).toEqual([...ALL].sort());
  expect(authority.calls).toHaveLength(ALL.length);
  expect(authority.tokens).toEqual({ GROUP: 1, NORTH: 1, SOUTH: 1 });
});

test('a token of one sender that is revoked is renewed once, and those of the others are kept', async () => {
  authority.revoked.add('token-NORTH-1');
  dropped('ventes.csv', ALL);
  const { stops } = await scene.night();
  expect(stops).toEqual([]);
  expect(authority.sent()).toEqual([...ALL].sort());
  expect(authority.tokens).toEqual({ GROUP: 1, NORTH: 2, SOUTH: 1 });
  expect(authority.calls.filter(({ status }) => status === 401).every(({ who }) => who === 'NORTH')).toBe(true);
});

test('refused credentials of one sender keep its many documents queued, and the others are sent', async () => {
  authority.wrong.add('NORTH');
  const many = Array.from({ length: 150 }, (_, n) => `NORTH A${n}`);
  dropped('ventes.csv', [...many, 'SOUTH F2', 'GROUP F3']);
  const { stops } = await scene.night();
  expect(stops.map(({ service, cause }) => `${service} ${cause}`)).toEqual(['fr credentials']);
  expect(stops[0]!.says).toContain('NORTH');
  expect(authority.sent()).toEqual(['GROUP F3', 'SOUTH F2']);
  expect((await states()).filter((one) => one.endsWith(' ready'))).toHaveLength(150);

  authority.wrong.clear();
  expect((await scene.night()).stops).toEqual([]);
  expect(authority.sent()).toHaveLength(152);
  expect((await states()).every((one) => one.endsWith(' authorized'))).toBe(true);
});

test('a sender that the service forbids stops at its first document, and the others are sent', async () => {
  authority.forbidden.add('NORTH');
  dropped('ventes.csv', ['NORTH F1', 'NORTH F4', 'SOUTH F2', 'GROUP F3', 'NORTH F7']);
  const { stops } = await scene.night();
  expect(stops.map(({ cause }) => cause)).toEqual(['credentials']);
  expect(authority.sent()).toEqual(['GROUP F3', 'SOUTH F2']);
  expect(authority.calls.filter(({ status }) => status === 403)).toHaveLength(1);
});

test('refused credentials of the service itself stop all of it', async () => {
  authority.wrong.add('GROUP');
  dropped('ventes.csv', ['GROUP F3', 'GROUP F4', 'GROUP F5']);
  const { stops } = await scene.night();
  expect(stops.map(({ cause }) => cause)).toEqual(['credentials']);
  expect(authority.calls).toEqual([]);
});

test('a document is asked for with the credentials of its sender, past those that are refused', async () => {
  dropped('ventes.csv', ['NORTH C1', 'SOUTH C2']);
  await scene.night();
  authority.wrong.add('NORTH');
  const later = Date.now() + 60 * 60_000;
  const { work } = await scene.night({
    clock: { now: () => new Date(later), monotonic: () => performance.now(), sleep: async () => undefined },
  });
  expect(work.run).not.toBe('');
  expect(authority.asked).toEqual(['SOUTH /C2']);
});

test('the doctor asks for a token of each sender', async () => {
  authority.wrong.add('SOUTH');
  const checks = await serviceChecks(scene.instance(), () => new Date());
  const found = checks.filter(({ what }) => what.includes('service fr, credentials'));
  expect(found.map(({ what, result }) => `${what}: ${result}`)).toEqual([
    'service fr, credentials: ok',
    'service fr, credentials of NORTH: ok',
    'service fr, credentials of SOUTH: error',
  ]);
});

test('no secret and no token of a sender is shown, in whatever the service repeats', async () => {
  dropped('ventes.csv', ALL);
  const { work } = await scene.night();
  const { scrub } = work.instance.secrets;
  for (const shown of [...Object.values(SECRETS), 'token-NORTH-1', 'token-SOUTH-1'])
    expect(scrub(shown)).toBe('[secret]');
});
