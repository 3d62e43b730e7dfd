import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { describe, expect, it, vi } from 'vitest';
import { fr } from '../../src/delivery/fr-service.ts';
import { tokenSource, withToken } from '../../src/delivery/token-cache.ts';
import { format } from '../../src/i18n/message.ts';
import type { OperatorError } from '../../src/model/fault.ts';
import { serviceContract } from '../contracts/service.ts';
import { httpAnswer, IMPATIENT, listening, quickHttp, rawServer } from './loopback.ts';

const SECRET = 's3cret +&=%ä "\'/?#\\';
const settings = {
  'base-url': 'https://service.example/api/',
  'identity-url': 'https://identity.example/auth',
  realm: 'demo',
  'client-id': 'night post&co',
  'client-secret': { env: 'FR_SECRET' },
  'sender-id': 'S-1',
  integration: { id: 'I-1', name: 'Nightpost', version: '1' },
};
const consultation = {
  method: 'GET',
  path: '/documents/{class}/{identifier}',
  answer: { code: '/result/status/code' },
};
const content = '{"payload":{"document":{"identifier":"F-2026/7"},"totals":{"final-amount":1481.400000000000000001}}}';

serviceContract({
  service: fr,
  settings,
  consultation,
  class: 'credit-note',
  content,
  answer: (code, of) =>
    JSON.stringify({
      context: { 'request-id': of.requestId },
      result: { status: { code, name: 'Name' }, content: { document: { identifier: of.identifier } } },
    }),
});

describe('the French envelope', () => {
  const submission = {
    class: 'invoice',
    content,
    identifier: 'F-2026/7',
    requestId: 'r-1',
    now: new Date('2026-11-20T12:00:00Z'),
  };

  it('is as in the contract', () => {
    const request = fr.open(settings).submit(submission);
    expect(request).toEqual({
      method: 'POST',
      url: 'https://service.example/api/invoice',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body:
        '{"context":{"request-id":"r-1","timestamp":"2026-11-20T12:00:00.000Z","request-version":"1.0","country":"fr",' +
        '"sender-id":"S-1","integration":{"id":"I-1","name":"Nightpost","version":"1"}},' +
        `"action":{"type":"issue-document","class":"invoice","content-type":"json","content":${content}}}`,
    });
  });

  it('says the class of each document, whatever went before', () => {
    const destination = fr.open({ ...settings, 'report-path': '/reports' });
    for (const documentClass of ['invoice', 'report', 'credit-note', 'invoice']) {
      const { url, body } = destination.submit({ ...submission, class: documentClass });
      expect(url).toBe(`https://service.example/api/${documentClass === 'report' ? 'reports' : 'invoice'}`);
      expect(JSON.parse(body!).action.class).toBe(documentClass);
    }
  });

  it('sends e-reports only if the settings have their address', () => {
    expect(format(fr.open(settings).lacks('report')!, 'en')).toMatch(/report-path/);
    const destination = fr.open({ ...settings, 'report-path': '/reports' });
    expect(destination.lacks('report')).toBeUndefined();
    expect(destination.submit({ ...submission, class: 'report' }).url).toBe('https://service.example/api/reports');
    expect(() => fr.open(settings).submit({ ...submission, class: 'report' })).toThrow(/report-path/);
  });

  const contextOf = (destination: ReturnType<typeof fr.open>, given: object) =>
    JSON.parse(destination.submit({ ...submission, ...given }).body!).context;
  const group = [
    { issuers: ['732 829 320'], 'sender-id': 'S-2' },
    {
      ...{ issuers: ['552100554', 'AGENT-7'], mappings: ['pass-through'], 'sender-id': 'S-3' },
      integration: { id: 'I-3', name: 'Other', version: '3' },
    },
  ];
  const issuedBy = (issuer: object) => ({ content: JSON.stringify({ payload: { issuer } }) });

  it.each([
    ['its SIREN', issuedBy({ identifiers: [{ type: 'siren', value: '732829320' }] }), 'S-2', 'I-1'],
    ['the SIREN in a SIRET', issuedBy({ identifiers: [{ type: 'siret', value: '732 829 320 00074' }] }), 'S-2', 'I-1'],
    [
      'the SIREN in a VAT number',
      issuedBy({ identifiers: [{ value: 'x' }, { value: 'FR44732829320' }] }),
      'S-2',
      'I-1',
    ],
    ['another identifier', issuedBy({ identifiers: [{ type: 'gln', value: 'AGENT-7' }] }), 'S-3', 'I-3'],
    ['the issuer of a report', issuedBy({ identifier: '552100554', 'identifier-type': 'siren' }), 'S-3', 'I-3'],
    ['the mapping of a file', { content: '{"file":{"data":"eA=="}}', mapping: 'pass-through' }, 'S-3', 'I-3'],
    [
      'its issuer before its mapping',
      { ...issuedBy({ identifier: '732829320' }), mapping: 'pass-through' },
      'S-2',
      'I-1',
    ],
    ['no sender of its own', issuedBy({ identifiers: [{ type: 'siren', value: '404833048' }] }), 'S-1', 'I-1'],
    ['no issuer', { content, mapping: 'sales' }, 'S-1', 'I-1'],
  ])('a document goes out under the sender of %s', (_, given, sender, integration) => {
    const destination = fr.open({ ...settings, senders: group });
    // Whatever went before.
    contextOf(destination, issuedBy({ identifier: 'AGENT-7' }));
    const context = contextOf(destination, given);
    expect([context['sender-id'], context.integration.id]).toEqual([sender, integration]);
  });

  it('takes no two senders for one issuer or mapping, and none for nothing', () => {
    const twice = [...group, { issuers: ['732829320'], mappings: ['pass-through'], 'sender-id': 'S-4' }];
    const at = (senders: object) => {
      try {
        fr.open({ ...settings, senders });
      } catch (error) {
        return (error as OperatorError).faults.map((fault) => fault.at);
      }
      return [];
    };
    expect(at(twice)).toEqual(['/services/fr/senders/2/issuers', '/services/fr/senders/2/mappings']);
    expect(at([{ 'sender-id': 'S-4' }])).toEqual(['/services/fr/senders/0']);
    expect(at(group)).toEqual([]);
    const own = { 'client-id': 'C', 'client-secret': { env: 'C' } };
    const sender = { issuers: ['1'], 'sender-id': 'S' };
    expect(at([{ ...sender, ...own }])).toEqual([]);
    expect(at([{ ...sender, 'client-id': 'C' }])).toEqual(['/services/fr/senders/0/client-secret']);
    expect(at([{ ...sender, 'client-secret': { env: 'C' } }])).toEqual(['/services/fr/senders/0/client-secret']);
    expect(at([{ ...sender, ...own, 'client-secret': 'in plain text' }])).toEqual([
      '/services/fr/senders/0/client-secret',
    ]);
    const another = { ...sender, issuers: ['2'], 'client-id': 'C', 'client-secret': { env: 'D' } };
    expect(at([{ ...sender, ...own }, another])).toEqual(['/services/fr/senders/1/client-secret']);
    expect(
      at([
        { ...sender, ...own },
        { ...another, ...own },
      ]),
    ).toEqual([]);
  });

  it('says the kind of content: one for all, or one each for payloads and files', () => {
    const kinds = (given: object) => {
      const { submit } = fr.open({ ...settings, ...given });
      const kindOf = (one: string) => JSON.parse(submit({ ...submission, content: one }).body!).action['content-type'];
      return [kindOf(content), kindOf('{"file":{}}'), kindOf('{"payload":{},"file":{}}'), kindOf(content)];
    };
    expect(kinds({})).toEqual(['json', 'json', 'json', 'json']);
    expect(kinds({ 'content-type': 'x' })).toEqual(['x', 'x', 'x', 'x']);
    expect(kinds({ 'content-type': { payload: 'json', file: 'file' } })).toEqual(['json', 'file', 'json', 'json']);
  });

  it('asks with a tracking-id only where there is one', () => {
    const destination = fr.open({ ...settings, consultation: { ...consultation, path: '/t/{tracking-id}' } });
    expect(destination.consult!(submission)).toBeUndefined();
    expect(destination.consult!({ ...submission, trackingId: 'a/b' })?.url).toBe('https://service.example/api/t/a%2Fb');
  });

  it('fills a body without breaking its JSON', () => {
    const body = { id: '{identifier}', nested: [{ request: 'x-{request-id}' }], limit: 1 };
    const destination = fr.open({
      ...settings,
      consultation: { ...consultation, method: 'POST', path: '/find', body },
    });
    const request = destination.consult!({ ...submission, identifier: 'a"b\\{class}' });
    expect(JSON.parse(request!.body!)).toEqual({ id: 'a"b\\{class}', nested: [{ request: 'x-r-1' }], limit: 1 });
  });
});

describe('the French token', () => {
  it('comes from a real identity provider, special characters and all', async () => {
    // Visible ASCII: a provider takes nothing else as a secret (RFC 6749, appendix A.2).
    const secret = SECRET.replace('ä', '');
    await using identity = await identityProvider(secret);
    await using open = await quickHttp();
    const destination = fr.open({ ...settings, 'identity-url': identity.url });
    const token = await destination.authorize(open.http, async () => secret);
    expect(token).toEqual({ value: expect.stringMatching(/^[\w-]{20,}$/), lifeSeconds: 120 });
    expect(withToken({ method: 'GET', url: 'https://a.example', headers: {} }, token.value).headers.authorization).toBe(
      `Bearer ${token.value}`,
    );
    await expect(destination.authorize(open.http, async () => 'wrong')).rejects.toMatchObject({ why: 'credentials' });
  });

  it('is asked for with the form fields of the contract', async () => {
    await using server = await rawServer((socket) =>
      socket.end(httpAnswer(200, '{"access_token":"t","token_type":"Bearer","expires_in":60,"not-before-policy":0}')),
    );
    await using open = await quickHttp();
    await fr.open({ ...settings, 'identity-url': server.url }).authorize(open.http, async () => SECRET);
    expect(server.seen.text).toMatch(/^POST \/realms\/demo\/protocol\/openid-connect\/token HTTP/);
    const form = new URLSearchParams(server.seen.text.split('\r\n\r\n')[1]);
    expect(Object.fromEntries(form)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'night post&co',
      client_secret: SECRET,
    });
  });

  it.each([
    ['absent', '', undefined],
    ['0', ',"expires_in":0', 0],
    ['huge', ',"expires_in":1e15', 1e15],
    ['text', ',"expires_in":"90"', 90],
  ])('takes a life that is %s', async (_, more, lifeSeconds) => {
    await using server = await rawServer((socket) =>
      socket.end(httpAnswer(200, `{"access_token":"t","token_type":"bearer"${more}}`)),
    );
    await using open = await quickHttp();
    const token = await fr.open({ ...settings, 'identity-url': server.url }).authorize(open.http, async () => SECRET);
    expect(token).toEqual(lifeSeconds === undefined ? { value: 't' } : { value: 't', lifeSeconds });
  });

  it.each<[string, (socket: { end: (data: Buffer) => void }) => void]>([
    ['an HTML page', (socket) => socket.end(httpAnswer(200, '<html>', { 'content-type': 'text/html' }))],
    ['500', (socket) => socket.end(httpAnswer(500, '{}'))],
    ['no answer', () => {}],
    ['a huge body', (socket) => socket.end(httpAnswer(200, ' '.repeat(5 * 1024 * 1024)))],
    ['a token that is a number', (socket) => socket.end(httpAnswer(200, '{"access_token":5,"token_type":"bearer"}'))],
    [
      'a negative life',
      (socket) => socket.end(httpAnswer(200, '{"access_token":"t","token_type":"bearer","expires_in":-1}')),
    ],
  ])('does not come from %s; the source then waits', async (_, act) => {
    await using server = await rawServer(act);
    await using open = await quickHttp(IMPATIENT);
    const destination = fr.open({ ...settings, 'identity-url': server.url });
    const source = tokenSource(() => destination.authorize(open.http, async () => SECRET), {
      monotonicMs: () => 0,
      random: () => 0,
    });
    for (let n = 0; n < 3; n++) await expect(source.get()).rejects.toMatchObject({ why: 'unreachable' });
    await expect.poll(() => server.seen.requests).toBe(1);
  });
});

/** oidc-provider where a realm would be, as the contract has it. */
async function identityProvider(secret: string) {
  // It warns that keys and store are for development, which they are.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const prefix = '/realms/demo/protocol/openid-connect';
  const server = createServer();
  const loopback = await listening(server, { bytes: 0, requests: 0, text: '' }, 'http');
  const provider = new Provider(loopback.url, {
    clients: [
      {
        client_id: 'night post&co',
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: 120 },
    cookies: { keys: ['loopback'] },
    routes: { token: `${prefix}/token` },
  });
  server.on('request', provider.callback());
  return loopback;
}
