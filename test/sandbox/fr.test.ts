import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox-server.ts';
import { envelope, frConsult, frIssue, frPost, frToken, frTokenCall, invoice, recordOf } from './client.ts';

let now = Date.UTC(2026, 10, 20, 22);
let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => now, tokenSeconds: 60 });
});
beforeEach(async () => {
  sandbox.reset();
  token = await frToken(sandbox);
});
afterAll(() => sandbox.close());

describe('tokens', () => {
  test('the answer has the fields of section 2.5', async () => {
    const { status, body } = await frTokenCall(sandbox);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{40,}$/),
      expires_in: 60,
      refresh_expires_in: 0,
      token_type: 'Bearer',
      'not-before-policy': 0,
      scope: expect.any(String),
    });
  });

  test.each([
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'wrong' }, 401, 'invalid_client'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('%j is refused', async (changes, status, error) => {
    const answer = await frTokenCall(sandbox, changes);
    expect(answer).toMatchObject({ status, body: { error } });
  });

  test('a token expires to the second', async () => {
    now += 59_999;
    expect((await frIssue(sandbox, token, 'F-1')).status).toBe(200);
    now += 1;
    const late = await frIssue(sandbox, token, 'F-2');
    expect(late).toMatchObject({ status: 401, body: { result: { status: { code: 15 } } } });
    expect(recordOf(sandbox, 'F-2')).toBeUndefined();
  });

  test('an unknown and a revoked token are refused with a body of section 2.4', async () => {
    expect(await frIssue(sandbox, 'guess', 'F-1')).toMatchObject({ status: 401, body: { result: { status: {} } } });
    sandbox.revokeTokens();
    expect((await frIssue(sandbox, token, 'F-1')).status).toBe(401);
    expect(sandbox.acceptances()).toEqual([]);
  });
});

test('an authorized invoice is answered as section 2.4 says, its context echoed', async () => {
  const request = envelope({ payload: invoice('F-1') }) as { context: object };
  const { status, body } = await frPost(sandbox, token, request);
  expect(status).toBe(200);
  expect(body).toEqual({
    context: request.context,
    result: {
      status: { code: 2, name: 'Authorized', message: 'Authorized', 'content-into': 'document' },
      content: {
        document: {
          'tracking-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
          'document-type': 'invoice',
          identifier: 'F-1',
          file: { format: 'pdf', filename: 'F-1.pdf', transport: 'base64' },
          status: [],
        },
      },
    },
  });
});

describe('bad requests (400, body of section 2.4)', () => {
  const good = () => envelope({ payload: invoice('F-1') }) as { action: object };
  test.each([
    ['not JSON', () => '{"context":'],
    ['empty', () => ''],
    ['an unknown field of the envelope', () => ({ ...good(), extra: 1 })],
    ['a missing request-id', () => envelope({ payload: invoice('F-1') }, 'invoice', { 'request-id': undefined })],
    ['a missing integration', () => envelope({ payload: invoice('F-1') }, 'invoice', { integration: undefined })],
    ['a timestamp that is none', () => envelope({ payload: invoice('F-1') }, 'invoice', { timestamp: 'yesterday' })],
    ['an upper-case country', () => envelope({ payload: invoice('F-1') }, 'invoice', { country: 'FR' })],
    ['another action', () => ({ ...good(), action: { ...good().action, type: 'delete-document' } })],
    ['no content', () => envelope({})],
  ])('%s', async (_, body) => {
    const answer = await frPost(sandbox, token, body());
    expect(answer).toMatchObject({
      status: 400,
      body: { result: { status: { code: 6, message: expect.any(String) } } },
    });
    expect(sandbox.acceptances()).toEqual([]);
  });

  test('bytes that are not UTF-8', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify(envelope({ payload: invoice('caf\u00e9') })), 'latin1');
    expect((await fetch(`${sandbox.fr.url}/invoice`, { method: 'POST', headers, body })).status).toBe(400);
  });
});

describe('content that breaks the shape is rejected (code 6) and named', () => {
  test.each([
    ['an unknown field', { colour: 'red' }, /colour/],
    ['a number as text', { totals: { 'final-amount': '2.32' } }, /totals\.final-amount/],
    ['a nested unknown field', { lines: [{ number: '1', price: 2 }] }, /lines\.0.*price/],
    ['a wrong date', { document: { identifier: 'F-1', date: '20/11/2026' } }, /document\.date/],
    ['no number', { document: { date: '2026-11-20' } }, /document\.identifier/],
  ])('%s', async (_, changes, message) => {
    const { status, body } = await frIssue(sandbox, token, 'F-1', changes);
    expect(status).toBe(200);
    expect(body.result.status).toMatchObject({ code: 6, message: expect.stringMatching(message) });
    expect(sandbox.acceptances()[0]!.accepted).toBe(0);
  });

  test('an exponent and 30 digits are numbers too', async () => {
    const body = JSON.stringify(envelope({ payload: invoice('F-1') }));
    for (const [index, digits] of ['1.1e2', '110E-2', `1${'0'.repeat(29)}.5`].entries()) {
      const text = body.replace('F-1', `F-${index}`).replace('"unit-price":1.1', `"unit-price":${digits}`);
      expect((await frPost(sandbox, token, text)).body.result.status.code).toBe(2);
    }
  });

  test('a class the operation does not issue comes back as unrecognized (code 15)', async () => {
    const { body } = await frPost(sandbox, token, envelope({ payload: invoice('F-1') }, 'delivery-note'));
    expect(body.result.status).toMatchObject({ code: 15, message: expect.stringContaining('delivery-note') });
    const misplaced = await frPost(sandbox, token, envelope({ payload: invoice('F-1') }, 'report'));
    expect(misplaced.body.result.status.code).toBe(15);
  });
});

test('a document may travel as an encoded file; its name is the number', async () => {
  const file = { format: 'factur-x', filename: 'F-77.pdf', transport: 'base64', data: 'JVBERi0xLjc=' };
  const { body } = await frPost(sandbox, token, envelope({ file }));
  expect(body.result).toMatchObject({ status: { code: 2 }, content: { document: { identifier: 'F-77' } } });
  const broken = await frPost(sandbox, token, envelope({ file: { ...file, filename: 'F-78.pdf', data: 'JVBE=' } }));
  expect(broken.body.result.status).toMatchObject({ code: 6, message: expect.stringContaining('Base64') });
});

test('a file of many megabytes is no harder than a small one', async () => {
  const file = { format: 'pdf', filename: 'F-79.pdf', transport: 'base64', data: 'QUJD'.repeat(5_000_000) };
  expect((await frPost(sandbox, token, envelope({ file }))).body.result.status.code).toBe(2);
});

test.each(['s', '', '/', 'toString', '/invoice/', '/constructor'])('there is nothing at {base_url}%s', async (path) => {
  expect((await frPost(sandbox, token, envelope({ payload: invoice('F-1') }), path)).status).toBe(404);
});

test('a report goes to the path the sandbox chose', async () => {
  const payload = {
    document: { identifier: 'R-2026-11', date: '2026-11-20T00:00:00Z' },
    issuer: { identifier: '123456782', 'identifier-type': 'siren' },
    operations: { consumer: { payments: [{ type: 'payment', amount: 12.5, currency: 'EUR' }] } },
  };
  const { body } = await frPost(sandbox, token, envelope({ payload }, 'report'), sandbox.fr.reportPath);
  expect(body.result).toMatchObject({ status: { code: 2 }, content: { document: { 'document-type': 'report' } } });
  expect(recordOf(sandbox, 'R-2026-11')).toMatchObject({
    identity: 'fr|123456782|report||R-2026-11|2026',
    accepted: 1,
  });
});

describe('duplicates', () => {
  test('a second acceptance of an identity is refused with code 15 and counted', async () => {
    await frIssue(sandbox, token, 'F-1');
    const again = await frIssue(sandbox, token, 'F-1');
    expect(again.body.result.status).toMatchObject({ code: 15, message: expect.stringContaining('duplicate') });
    expect(recordOf(sandbox, 'F-1')).toMatchObject({ requests: 2, accepted: 1, duplicates: 1, code: 2 });
    expect(new Set(recordOf(sandbox, 'F-1')!.requestIds).size).toBe(2);
  });

  test('class, year and series make another document; blanks in the SIREN do not', async () => {
    await frIssue(sandbox, token, 'F-1');
    await frPost(sandbox, token, envelope({ payload: invoice('F-1') }, 'credit-note'));
    await frIssue(sandbox, token, 'F-1', { document: { identifier: 'F-1', date: '2025-11-20' } });
    await frIssue(sandbox, token, 'F-1', { document: { identifier: 'F-1', date: '2026-11-20', series: 'B' } });
    expect(sandbox.acceptances().map((taken) => taken.accepted)).toEqual([1, 1, 1, 1]);
    const spaced = { issuer: { identifiers: [{ type: 'siren', value: '123 456 782' }] } };
    expect((await frIssue(sandbox, token, 'F-1', spaced)).body.result.status.code).toBe(15);
  });

  test('a rejected document may come again', async () => {
    expect((await frIssue(sandbox, token, 'F-1', { colour: 'red' })).body.result.status.code).toBe(6);
    expect((await frIssue(sandbox, token, 'F-1')).body.result.status.code).toBe(2);
    expect(recordOf(sandbox, 'F-1')).toMatchObject({ requests: 2, accepted: 1, duplicates: 0 });
  });
});

describe('consultation', () => {
  const codeOf = async (key: string, query?: string) =>
    (await frConsult(sandbox, token, key, query)).body.result.status.code as number;

  test('finds a document by number and by tracking id, and says 18 otherwise', async () => {
    const { body } = await frIssue(sandbox, token, 'F/1 é');
    expect(await codeOf('F/1 é')).toBe(2);
    expect(await codeOf(body.result.content.document['tracking-id'])).toBe(2);
    expect(await codeOf('F-9')).toBe(18);
    expect(await codeOf('F/1 é', '?class=credit-note')).toBe(18);
    expect((await frConsult(sandbox, 'guess', 'F-9')).status).toBe(401);
  });

  test('code 8 is 8 at the first question and 2 from the second', async () => {
    await frIssue(sandbox, token, 'F-1-X8');
    expect([await codeOf('F-1-X8'), await codeOf('F-1-X8'), await codeOf('F-1-X8')]).toEqual([8, 2, 2]);
  });

  test('a script delays and chooses the outcome', async () => {
    const becomes = { code: 11, afterSeconds: 30, afterConsultations: 0 };
    sandbox.script([{ match: { number: 'F-*' }, answer: { code: 8, becomes } }]);
    await frIssue(sandbox, token, 'F-1');
    now += 29_999;
    expect(await codeOf('F-1')).toBe(8);
    now += 1;
    expect(await codeOf('F-1')).toBe(11);
  });

  test('shows what a lost and what a dropped submission came to', async () => {
    await expect(frIssue(sandbox, token, 'F-1-XLOST')).rejects.toThrow();
    await expect(frIssue(sandbox, token, 'F-1-XDROP')).rejects.toThrow();
    expect([await codeOf('F-1-XLOST'), await codeOf('F-1-XDROP')]).toEqual([2, 18]);
  });
});
