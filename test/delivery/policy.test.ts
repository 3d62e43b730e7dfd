/**
 * The policy as a full table: kinds of documents x HTTP outcomes x codes. The expectations are written here by hand,
 * cell by cell where codes and outcomes meet; nothing of the policy's own code computes them.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { boundedAnswer, boundedText } from '../../src/delivery/answer-bounds.ts';
import { frenchContingency, fromFiveNextDay } from '../../src/delivery/consultation-schedule.ts';
import { fr } from '../../src/delivery/fr-service.ts';
import { judgeResponse, type Policy } from '../../src/delivery/response-policy.ts';
import type { Ours } from '../../src/delivery/service.ts';
import { resending, resendingOf } from '../../src/delivery/service-settings.ts';
import type { Message } from '../../src/i18n/message.ts';
import type { Exchange, Verdict } from '../../src/model/answer.ts';
import { MESSAGE } from '../../src/model/fault.ts';

const NOW = new Date('2026-11-21T05:30:00Z');
const MIN = 60_000;
const FR_SETTINGS = {
  ...{ 'base-url': 'https://fr.example', 'identity-url': 'https://id.example', realm: 'r', 'client-id': 'c' },
  ...{ 'client-secret': { env: 'SECRET' }, 'sender-id': 's', integration: { id: 'i', name: 'n', version: '1' } },
};

/** What the table says of an outcome; one letter per thing keeps 486 cells readable. */
const WORDS: { readonly [word: string]: Partial<Verdict> } = {
  authorized: { state: 'authorized' },
  failed: { state: 'failed' },
  rejected: { state: 'rejected' },
  contingency: { state: 'contingency' },
  invalidated: { state: 'invalidated' },
  returned: { state: 'returned' },
  'returned+credentials': { state: 'returned', pause: { cause: 'credentials', says: expect.any(Object) } },
  'returned+forbidden': { state: 'returned', pause: { cause: 'forbidden', says: expect.any(Object) } },
  doubt: { state: 'in-doubt', strike: 'server-error' },
  'doubt+redirect': {
    state: 'in-doubt',
    strike: 'server-error',
    pause: { cause: 'redirect', says: expect.any(Object) },
  },
  again: { state: 'ready', resend: { kind: 'not-sent', afterMs: 1000 } },
  'again+tls': {
    state: 'ready',
    resend: { kind: 'not-sent', afterMs: 1000 },
    pause: { cause: 'tls', says: expect.any(Object) },
  },
  renew: { state: 'ready', resend: { kind: 'token-renewed', afterMs: 0 } },
  slow: { state: 'ready', resend: { kind: 'rate-limited', afterMs: 7000 } },
  refused: { state: 'refused', strike: 'client-error' },
  'refused+credentials': { state: 'refused', pause: { cause: 'credentials', says: expect.any(Object) } },
  'refused+forbidden': { state: 'refused', pause: { cause: 'forbidden', says: expect.any(Object) } },
};

/** Per outcome: without a valid code; 2, 8 and 11; 15. Codes 4 and 6 and unknown numbers are the same everywhere. */
type Line = { outcome: Outcome; none: string; taken: 'taken' | 'doubt'; returned: string };
type Outcome = { status: number; renewed?: boolean; tries?: number } | { sent: boolean; code: string; tls?: boolean };

function status(code: number, none: string, rest: Partial<Line> & { renewed?: boolean; tries?: number } = {}): Line {
  const { renewed = false, tries = 0, ...more } = rest;
  return { outcome: { status: code, renewed, tries }, none, taken: 'doubt', returned: 'returned', ...more };
}

function broken(sent: boolean, code: string, none: string, tls = false): Line {
  return { outcome: { sent, code, tls }, none, taken: 'doubt', returned: none };
}

const LINES: readonly Line[] = [
  broken(false, 'ECONNREFUSED', 'again'),
  broken(false, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'again+tls', true),
  broken(true, 'ECONNRESET', 'doubt'),
  broken(true, 'UND_ERR_HEADERS_TIMEOUT', 'doubt'),
  status(200, 'doubt', { taken: 'taken' }),
  status(201, 'doubt', { taken: 'taken' }),
  status(202, 'doubt', { taken: 'taken' }),
  status(204, 'doubt', { taken: 'taken' }),
  status(301, 'doubt+redirect'),
  status(302, 'doubt+redirect'),
  status(307, 'doubt+redirect'),
  status(400, 'refused'),
  status(401, 'renew', { returned: 'returned+credentials' }),
  status(401, 'refused+credentials', { renewed: true, returned: 'returned+credentials' }),
  status(403, 'refused+forbidden', { returned: 'returned+forbidden' }),
  status(404, 'refused'),
  status(405, 'refused'),
  status(408, 'doubt'),
  status(409, 'doubt'),
  status(413, 'refused'),
  status(422, 'refused'),
  status(425, 'doubt'),
  status(429, 'slow'),
  status(429, 'refused', { tries: 5 }),
  status(500, 'doubt'),
  status(503, 'doubt'),
  status(599, 'doubt'),
];

/** The code's JSON as it stands in the body, and what class of cell it is. */
const CODES: readonly (readonly [json: string, cell: string])[] = [
  ['2', 'authorized'],
  ['8', 'contingency'],
  ['11', 'invalidated'],
  ['15', 'returned'],
  ['4', 'failed'],
  ['6', 'rejected'],
  ['18', 'doubt'],
  ['0', 'doubt'],
  ['3', 'doubt'],
  ['-2', 'doubt'],
  ['"2"', 'none'],
  ['2.0', 'none'],
  ['null', 'none'],
  ['[2]', 'none'],
  ['true', 'none'],
  ['4,"code":2', 'none'],
  ['ABSENT', 'none'],
  ['HTML', 'none'],
];

const french: Policy = {
  places: {
    code: '/result/status/code',
    identifier: '/result/content/document/identifier',
    requestId: '/context/request-id',
  },
  strictEcho: false,
  resendOn401: true,
  resendOn429: true,
  contingency: frenchContingency,
};

type Kind = { name: string; class: string; policy: Policy; body: (code: string) => string; eightAt: string };

const envelope = (code: string) =>
  `{"context":{"request-id":"r-1"},"result":{"status":{"code":${code}},"content":{"document":{"identifier":"F-7"}}}}`;

const KINDS: readonly Kind[] = [
  { name: 'fr-invoice', class: 'invoice', policy: french, body: envelope, eightAt: '2026-11-21T05:45:00.000Z' },
  { name: 'fr-report', class: 'report', policy: french, body: envelope, eightAt: '2026-11-21T05:45:00.000Z' },
  {
    name: 'sv-remission-note',
    class: 'remission-note',
    policy: { ...french, places: { code: '/estado' }, contingency: fromFiveNextDay('America/El_Salvador') },
    body: (code) => `{"estado":${code.replace('"code"', '"estado"')}}`,
    eightAt: '2026-11-21T11:00:00.000Z',
  },
];

function ours(kind: { class: string }, rest: Partial<Ours> = {}): Ours {
  return {
    class: kind.class,
    identifier: 'F-7',
    requestId: 'r-1',
    now: NOW,
    tokenRenewed: false,
    tries: 0,
    random: () => 0,
    ...rest,
  };
}

function bodyOf(kind: Kind, code: string): string {
  if (code === 'HTML') return '<html>2</html>';
  return code === 'ABSENT' ? '{"result":{"status":{}}}' : kind.body(code);
}

function exchangeOf(kind: Kind, line: Line, code: string): Exchange {
  if ('sent' in line.outcome) {
    const error = { code: line.outcome.code, message: 'as seen' };
    if (line.outcome.sent) return { sent: true, error };
    return { sent: false, error, ...(line.outcome.tls ? { tls: true } : {}) };
  }
  return {
    sent: true,
    status: line.outcome.status,
    headers: line.outcome.status === 429 ? { 'retry-after': '7' } : {},
    body: bodyOf(kind, code),
  };
}

function expectedWord(line: Line, cell: string): string {
  if ('sent' in line.outcome || cell === 'none') return line.none;
  if (cell === 'authorized' || cell === 'contingency' || cell === 'invalidated') {
    return line.taken === 'taken' ? cell : 'doubt';
  }
  return cell === 'returned' ? line.returned : cell;
}

function consultAtOf(word: string, kind: Kind): number | undefined {
  if (word === 'contingency') return Date.parse(kind.eightAt);
  const doubtful = word.startsWith('doubt') || word.startsWith('returned');
  return doubtful ? NOW.getTime() + 5 * MIN : undefined;
}

describe('the policy as a table of 1,458 cases', () => {
  it('has that many', () => {
    expect(KINDS.length * LINES.length * CODES.length).toBe(1458);
  });

  for (const kind of KINDS) {
    it(`holds for ${kind.name}`, () => {
      for (const line of LINES) {
        for (const [code, cell] of CODES) {
          const renewed = 'status' in line.outcome && line.outcome.renewed === true;
          const tries = ('status' in line.outcome && line.outcome.tries) || 0;
          const verdict = judgeResponse(
            exchangeOf(kind, line, code),
            ours(kind, { tokenRenewed: renewed, tries, rateLimited: tries }),
            kind.policy,
          );
          const word = expectedWord(line, cell);
          const { state, resend, pause, strike, consultAt } = verdict;
          const where = `${JSON.stringify(line.outcome)} with code ${code}`;
          expect({ where, state, resend, pause, strike, consultAt }).toEqual({
            where,
            consultAt: consultAtOf(word, kind),
            ...WORDS[word],
          });
        }
      }
    });
  }

  it('sends nothing again after 401 where the settings say never, as for El Salvador', () => {
    const exchange = { sent: true, status: 401, headers: {}, body: '' } as const;
    const verdict = judgeResponse(exchange, ours({ class: 'invoice' }), { ...french, resendOn401: false });
    expect(verdict).toMatchObject(WORDS['refused+credentials']!);
    expect(verdict.resend).toBeUndefined();
    const settings = { 'resend-on-401': 'without-code', 'resend-on-429': true } as const;
    expect(resendingOf(settings)).toEqual({ resendOn401: true, resendOn429: true });
    expect(z.strictObject(resending('never')).parse({})).toEqual({ ...settings, 'resend-on-401': 'never' });
  });

  it('sends again by itself only after "not sent", 401 and 429', () => {
    const resending = new Set<string>();
    for (const kind of KINDS) {
      for (const line of LINES) {
        for (const [code] of CODES) {
          const verdict = judgeResponse(exchangeOf(kind, line, code), ours(kind), kind.policy);
          expect(verdict.resend !== undefined).toBe(verdict.state === 'ready');
          if (verdict.resend) resending.add('sent' in line.outcome ? 'not-sent' : String(line.outcome.status));
          // Contract 3, both services: "Resend NO".
          if (code === '15' && 'status' in line.outcome) expect(verdict.resend).toBeUndefined();
        }
      }
    }
    expect([...resending].sort()).toEqual(['401', '429', 'not-sent']);
  });
});

describe('echoes', () => {
  const answer = (requestId: string, identifier: string, code: number): Exchange => ({
    sent: true,
    status: 200,
    headers: {},
    body: `{"context":{"request-id":${requestId}},"result":{"status":{"code":${code}},"content":{"document":{"identifier":${identifier}}}}}`,
  });
  const stateOf = (exchange: Exchange, policy: Policy = french) =>
    judgeResponse(exchange, ours({ class: 'invoice' }), policy).state;
  const cases = [
    [2, 'authorized'],
    [4, 'failed'],
    [6, 'rejected'],
    [8, 'contingency'],
    [11, 'invalidated'],
    [15, 'returned'],
  ] as const;

  it.each(cases)('code %i counts with our echo or none, never with another one', (code, state) => {
    expect(stateOf(answer('"r-1"', '"F-7"', code))).toBe(state);
    expect(stateOf(answer('null', 'null', code))).toBe(state);
    expect(stateOf(answer('"r-2"', '"F-7"', code))).toBe('in-doubt');
    expect(stateOf(answer('"r-1"', '"F-8"', code))).toBe('in-doubt');
    expect(stateOf(answer('"r-1"', '"f-7"', code))).toBe('in-doubt');
    expect(stateOf(answer('"r-1","request-id":"r-1"', '"F-7"', code))).toBe('in-doubt');
    expect(stateOf(answer('["r-1"]', '"F-7"', code))).toBe('in-doubt');
  });

  it.each(cases)('strict: a missing echo is no proof that code %i is ours', (code, state) => {
    const strict = { ...french, strictEcho: true };
    expect(stateOf(answer('"r-1"', '"F-7"', code), strict)).toBe(state);
    const tolerated = code === 4 || code === 6 || code === 15;
    expect(stateOf(answer('null', '"F-7"', code), strict)).toBe(tolerated ? state : 'in-doubt');
    expect(stateOf(answer('"r-1"', 'null', code), strict)).toBe(tolerated ? state : 'in-doubt');
  });

  it('a foreign echo names what came, what was sent and the place, and is a strike of its own', () => {
    const named = { ...french, setting: 'services.fr.answer' };
    const judged = (exchange: Exchange, policy: Policy) => {
      const { strike, state, [MESSAGE]: said } = judgeResponse(exchange, ours({ class: 'invoice' }), policy);
      const why = said?.message.values?.why as Message;
      return { strike, state, ...(why.values as object) };
    };
    const identifier = '/result/content/document/identifier';
    expect(judged(answer('"r-1"', '"A-1003100"', 2), french)).toEqual({
      ...{ strike: 'foreign-echo', state: 'in-doubt', name: 'identifier', given: 'A-1003100', expected: 'F-7' },
      at: identifier,
    });
    expect(judged(answer('"r-1"', '"A-1003100"', 2), named)).toMatchObject({
      at: `services.fr.answer.identifier: ${identifier}`,
    });
    expect(judged(answer('"\\u0007r"', '"F-7"', 2), named)).toMatchObject({
      ...{ strike: 'foreign-echo', name: 'request-id', given: '\\u{7}r', expected: 'r-1' },
      at: 'services.fr.answer.request-id: /context/request-id',
    });
    expect(judged(answer(`"${'x'.repeat(5000)}"`, '"F-7"', 2), named)).toMatchObject({ given: 'x'.repeat(100) });
    expect(judged(answer('"r-1","request-id":"r-1"', '"F-7"', 2), named)).not.toHaveProperty('given');
    const refused = { ...answer('"r-1"', '"F-8"', 6), status: 400 } as Exchange;
    expect(judgeResponse(refused, ours({ class: 'invoice' }), french)).toMatchObject({
      ...{ state: 'refused', strike: 'client-error' },
    });
  });

  describe('of the context of the French contract', () => {
    const senders = [{ issuers: ['552100554'], 'sender-id': 'north' }];
    const contextual = fr.open({ ...FR_SETTINGS, 'sender-id': 'group', senders, 'strict-echo': true });
    const judged = (context: object, siren: string, code = 2) => {
      const content = `{"payload":{"issuer":{"identifiers":[{"value":"${siren}"}]}}}`;
      const document = { identifier: 'F-7' };
      const body = JSON.stringify({
        context: { 'request-id': 'r-1', ...context },
        result: { status: { code }, content: { document } },
      });
      const mine = ours({ class: 'invoice' }, { sent: { content } });
      return contextual.judge({ sent: true, status: 200, headers: {}, body }, mine);
    };

    it.each(cases)('code %i counts for our sender and country or none, never for another one', (code, state) => {
      for (const [siren, own, other] of [
        ['552100554', 'north', 'group'],
        ['732829320', 'group', 'north'],
      ] as const) {
        expect(judged({ 'sender-id': own, country: 'fr' }, siren, code).state).toBe(state);
        expect(judged({ 'sender-id': own, country: 'FR' }, siren, code).state).toBe(state);
        expect(judged({ 'sender-id': null }, siren, code).state).toBe(state);
        expect(judged({ 'sender-id': other }, siren, code)).toMatchObject({
          state: 'in-doubt',
          strike: 'foreign-echo',
        });
        expect(judged({ 'sender-id': own, country: 'sv' }, siren, code)).toMatchObject({
          ...{ state: 'in-doubt', strike: 'foreign-echo' },
        });
      }
    });

    it('is not compared where what was sent is no longer kept', () => {
      const body = '{"context":{"request-id":"r-1","sender-id":"x"},"result":{"status":{"code":2}}}';
      const exchange: Exchange = { sent: true, status: 200, headers: {}, body };
      expect(fr.open(FR_SETTINGS).judge(exchange, ours({ class: 'invoice' })).state).toBe('authorized');
    });
  });

  it('compares a number on the wire by its digits', () => {
    const body = (number: string) => `{"result":{"status":{"code":2},"content":{"document":{"identifier":${number}}}}}`;
    const seven = { ...ours({ class: 'remission-note' }), identifier: '7' };
    const judged = (number: string) =>
      judgeResponse({ sent: true, status: 200, headers: {}, body: body(number) }, seven, french);
    expect(judged('7').state).toBe('authorized');
    expect(judged('7.0').state).toBe('in-doubt');
    expect(judged('77').state).toBe('in-doubt');
  });
});

describe('answers', () => {
  const judged = (
    rest: { status?: number; headers?: { [name: string]: string }; body?: string | undefined },
    policy = french,
  ) =>
    judgeResponse(
      { sent: true, status: 200, headers: {}, body: envelope('2'), ...rest },
      ours({ class: 'invoice' }),
      policy,
    );

  it('keeps what people need', () => {
    const policy = {
      ...french,
      places: {
        ...french.places,
        name: '/result/status/name',
        message: '/result/status/message',
        trackingId: '/t',
        statuses: '/s',
      },
    };
    const body =
      '{"result":{"status":{"code":6,"name":"Rejected","message":"no VAT"}},"t":"T-1","s":[{"source":"PPF","code":"x","date":"d"}]}';
    const { [MESSAGE]: _, ...verdict } = judged({ body }, policy);
    expect(verdict).toEqual({
      state: 'rejected',
      reason: 'code 6 Rejected',
      answer: {
        code: 6,
        name: 'Rejected',
        message: 'no VAT',
        trackingId: 'T-1',
        statuses: [{ source: 'PPF', date: 'd' }],
      },
    });
  });

  it('keeps every place of the answer that contract 2.4 shows', () => {
    const content = {
      document: {
        'tracking-id': 'T-1',
        'document-type': 'invoice',
        file: { format: 'pdf', filename: 'F-7.pdf', transport: 'base64', pages: 3 },
        pagination: { page: 1, 'page-size': 50, 'total-records': 2, 'total-pages': 1.5 },
      },
    };
    const result = { status: { code: 2, 'content-into': 'document' }, content };
    const { judge: judgeFr } = fr.open(FR_SETTINGS);
    const judgedAs = (given: object) =>
      judgeFr(
        { sent: true, status: 200, headers: {}, body: JSON.stringify({ result: given }) },
        ours({ class: 'invoice' }),
      ).answer;
    expect(judgedAs(result)).toEqual({
      ...{ code: 2, trackingId: 'T-1', documentType: 'invoice', contentInto: 'document' },
      file: { format: 'pdf', filename: 'F-7.pdf', transport: 'base64' },
      pagination: { page: 1, pageSize: 50, totalRecords: 2 },
    });
    const odd = { file: ['pdf'], pagination: { page: 'one' }, 'document-type': { a: 1 } };
    expect(judgedAs({ status: { code: 2 }, content: { document: odd } })).toEqual({ code: 2 });
  });

  it('keeps a bounded part of a long answer', () => {
    const long = 'é😀'.repeat(700_000);
    const places = { ...french.places, name: '/n', message: '/m', trackingId: '/t', statuses: '/s' };
    const statuses = Array.from({ length: 5000 }, () => ({ message: long.slice(0, 5000), source: 's' }));
    const result = { status: { code: 6 } };
    const body = JSON.stringify({ result, n: long, m: long, t: long, s: statuses });
    const { answer, reason } = judged({ body }, { ...french, places });
    expect(answer).not.toHaveProperty('trackingId');
    expect(answer!.name!.length).toBeLessThanOrEqual(250);
    expect(answer!.message!.length).toBeLessThanOrEqual(4096);
    expect(answer!.message).toMatch(/^é😀.*… \[\+\d+\]$/u);
    expect(answer!.message!.isWellFormed()).toBe(true);
    expect(answer!.statuses).toHaveLength(100);
    expect(answer!.statuses!.at(-1)).toEqual({ message: '… [+4901]' });
    expect(reason.length).toBeLessThan(300);
    expect(boundedAnswer(answer!)).toEqual(answer);
  });

  it.each([4095, 4096, 4097, 8192])('a text of %i characters is cut only where it is longer than 4,096', (length) => {
    const text = 'x'.repeat(length);
    const kept = boundedText(text);
    expect(kept === text).toBe(length <= 4096);
    const left = Number(/\[\+(\d+)\]$/.exec(kept)?.[1] ?? 0);
    expect(kept.replace(/… \[\+\d+\]$/, '').length + left).toBe(length);
  });

  it.each([
    ['[]', []],
    ['[{}]', [{}]],
    [
      '[{"x":1,"date":"d","message":"m","name":"n","code":7,"source":"s"},{"source":null,"code":1.5,"name":[]}]',
      [{ source: 's', code: 7, name: 'n', message: 'm', date: 'd' }, {}],
    ],
    ['[{"source":"s","code":9007199254740992}]', [{ source: 's' }]],
    ['[{"source":"s"},null]', undefined],
    ['[{"source":"s"},[]]', undefined],
    ['{"source":"s"}', undefined],
    ['"s"', undefined],
    ['null', undefined],
  ])('leaves out what is wrong in a list of sources: %s', (text, statuses) => {
    const places = { ...french.places, statuses: '/s' };
    const { answer } = judged({ body: `{"result":{"status":{"code":6}},"s":${text}}` }, { ...french, places });
    expect(JSON.stringify(answer)).toBe(JSON.stringify({ code: 6, statuses }));
  });

  it('says the code and the name of each answer', () => {
    const places = { ...french.places, name: '/result/status/name' };
    const said = (code: number, name?: string) =>
      judged({ body: JSON.stringify({ result: { status: { code, name } } }) }, { ...french, places });
    for (const [code, name] of [[6, 'A'], [6, 'B'], [4, 'B'], [4], [6], [6, ''], [6, 'A']] as const) {
      const { reason, [MESSAGE]: words } = said(code, name);
      expect(reason).toBe(name ? `code ${code} ${name}` : `code ${code}`);
      expect(words?.message.values).toEqual(name ? { code, name } : { code });
    }
  });

  it('does not believe a compressed or undecodable answer', () => {
    expect(judged({ headers: { 'content-encoding': 'identity' } }).state).toBe('authorized');
    expect(judged({ headers: { 'content-encoding': 'gzip' } }).state).toBe('in-doubt');
    expect(judged({ body: undefined }).state).toBe('in-doubt');
  });

  it('says why', () => {
    expect(judged({ status: 502, body: '<html>' }).reason).toBe('HTTP 502 with a response that is not JSON');
    expect(judged({ status: 500 }).reason).toContain('contradict');
  });
});

describe('waiting', () => {
  const again = (tries: number, random: number) =>
    judgeResponse(
      { sent: false, error: { code: 'ENOTFOUND', message: '' } },
      ours({ class: 'invoice' }, { tries, random: () => random }),
      french,
    ).resend?.afterMs;

  it('backs off from 1 s to 5 min, jittered', () => {
    expect([0, 1, 2, 8, 9, 1000].map((tries) => again(tries, 0))).toEqual([
      1000, 2000, 4000, 256_000, 300_000, 300_000,
    ]);
    expect([0, 1, 9].map((tries) => again(tries, 1))).toEqual([1000, 1000, 150_000]);
  });

  const slow = (retryAfter: string | undefined, tries = 0, policy = french, rateLimited = tries) =>
    judgeResponse(
      { sent: true, status: 429, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body: '' },
      ours({ class: 'invoice' }, { tries, rateLimited }),
      policy,
    );

  it('takes Retry-After in seconds or as a date, within limits', () => {
    expect(slow('30').resend?.afterMs).toBe(30_000);
    expect(slow('Sat, 21 Nov 2026 05:32:00 GMT').resend?.afterMs).toBe(2 * MIN);
    expect(slow('0').resend?.afterMs).toBe(1000);
    expect(slow('Sat, 21 Nov 2020 05:32:00 GMT').resend?.afterMs).toBe(1000);
    expect(slow('7200').resend?.afterMs).toBe(120 * MIN);
    expect(slow('999999').resend?.afterMs).toBe(24 * 60 * MIN);
  });

  it('takes a date by the clock of the service, whatever that of this machine says', () => {
    const until = 'Sat, 21 Nov 2026 09:32:00 GMT';
    const at = (date: string) =>
      judgeResponse(
        { sent: true, status: 429, headers: { 'retry-after': until, date }, body: '' },
        ours({ class: 'invoice' }),
        french,
      ).resend?.afterMs;
    expect(at('Sat, 21 Nov 2026 09:30:00 GMT')).toBe(2 * MIN);
    expect(at('Sat, 21 Nov 2026 09:31:30 GMT')).toBe(MIN / 2);
    expect(at('yesterday')).toBe(4 * 60 * MIN + 2 * MIN);
  });

  it('doubles from 1 min to 15 min without one', () => {
    expect([0, 1, 2, 3, 4].map((tries) => slow(undefined, tries).resend?.afterMs)).toEqual(
      [1, 2, 4, 8, 15].map((minutes) => minutes * MIN),
    );
    expect(slow('soon').resend?.afterMs).toBe(MIN);
  });

  it('gives up after five, or at once where switched off', () => {
    expect(slow('1', 4).state).toBe('ready');
    expect(slow('1', 5)).toMatchObject({ state: 'refused', strike: 'client-error' });
    expect(slow('1', 0, { ...french, resendOn429: false }).state).toBe('refused');
  });
});
