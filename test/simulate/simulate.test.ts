/** Lives that failed once do not fail again; a life repeats; and the judge sees what it is there for. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judgeExpected } from './expected.ts';
import { judgeReport, judgeViews } from './figures.ts';
import type { Decided, History, Ran } from './history.ts';
import { type Complaint, judgeArrivals, judgeRefusals } from './model.ts';
import { judgeNotices } from './notices.ts';
import type { Notice } from './receivers.ts';
import type { Arrival } from './service.ts';

const HOUR_MS = 3_600_000;
const MAIN = join(import.meta.dirname, 'main.ts');

function simulate(...args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], (_, out, err) => {
      resolve({ code: child.exitCode ?? 1, out, err });
    });
  });
}

test('every life that was kept ends well', { timeout: 300_000 }, async () => {
  // Figures that contradict each other are listed, and end nothing.
  const { code, out, err } = await simulate('--kept');
  expect({ code, err, out }).toMatchObject({ code: 0 });
});

test('a life repeats exactly', { timeout: 120_000 }, async () => {
  const { code, out } = await simulate('--seed', '1', '--lives', '3', '--twice');
  expect(out).not.toContain('does not repeat');
  expect(code).toBe(0);
});

const SENT: Arrival = { number: 'F1', amount: '42.00', content: '', at: 10, said: 2, fate: 2, becomes: 2, hidden: 0 };
const BYTES = 'Num;Date;Client;Lig;Qte;PU;Taux\nF1;05/09/2026;Client;1;2;10,50;20\nF1;05/09/2026;Client;2;2;10,50;20\n';
const NIGHT: Ran = {
  ...{ from: 0, to: 100, taken: [{ name: 'ventes-1.csv', text: BYTES }] },
  ended: { code: 0, out: '', err: '' },
  report: reportOf({ read: 1, sent: 1 }),
  hours: { from: 0, to: 1000 },
  up: [],
};

function reportOf(documents: { readonly read: number; readonly sent: number }, sentence = 'everything is sent') {
  const none = { waiting: 0, setAside: 0, skipped: 0, difference: documents.read - documents.sent };
  const euros = (count: number) => (count * 50.4).toFixed(2);
  const currencies = [{ read: euros(documents.read), sent: euros(documents.sent) }];
  return { balance: { documents: { ...documents, ...none }, currencies }, verdict: { sentence: { en: sentence } } };
}

/** A question each hour. */
function answered(at: number, code: number) {
  const ms = at * HOUR_MS;
  return { number: 'F1', asked: at, askedMs: ms, answer: { code, at }, recorded: { at, ms } };
}

const MISSING = [answered(11, 18), answered(12, 18)];

function historyOf(arrivals: readonly Arrival[], decisions: readonly Decided[] = [], questions = MISSING): History {
  const service = { arrivals: [...arrivals], questions, weather: 'fine' as const, truthOf: () => 18 };
  return {
    ...{
      root: '',
      service,
      decisions: [...decisions],
      runs: [NIGHT],
      stops: [],
      jumps: [],
      halves: [],
      lastWrites: 0,
      broken: [],
    },
    ...{ refusals: [], purged: 0, recovered: 0, attached: [], dropped: NIGHT.taken.map((one) => ({ ...one, at: 0 })) },
    ...{ notices: [], always: new Set(['mail']) },
  };
}

const TRUE = reportOf({ read: 1, sent: 1 });
const says = (complaints: readonly Complaint[]) => complaints.map(({ about }) => about);

test.each([
  ['once', [SENT], []],
  [
    'again after it was rejected',
    [
      { ...SENT, said: 6, fate: 6 },
      { ...SENT, at: 20 },
    ],
    [],
  ],
  ['again after a decision', [SENT, { ...SENT, at: 20 }], [{ act: 'resolve', number: 'F1', at: 15 }]],
  [
    'again because it was not found twice',
    [
      { ...SENT, said: 'cut', fate: undefined },
      { ...SENT, at: 20 },
    ],
    [{ act: 'retry', number: 'F1', at: 15 }],
  ],
] as const)('the judge has nothing against a document that is sent %s', (_, arrivals, decisions) => {
  expect(says(judgeArrivals(historyOf(arrivals, decisions)))).toEqual([]);
});

test.each([
  ['twice', [SENT, { ...SENT, at: 20 }], []],
  [
    'again after a connection that was cut',
    [
      { ...SENT, said: 'cut', fate: undefined },
      { ...SENT, at: 20 },
    ],
    [],
  ],
  ['again after a decision before the doubt', [SENT, { ...SENT, at: 20 }], [{ act: 'retry', number: 'F1', at: 5 }]],
  [
    'again because it was not found before its last submission',
    [
      { ...SENT, said: 'cut', fate: undefined },
      { ...SENT, at: 20 },
      { ...SENT, at: 40 },
    ],
    [
      { act: 'retry', number: 'F1', at: 15 },
      { act: 'retry', number: 'F1', at: 30 },
    ],
  ],
  [
    'after a decision that was undone',
    [
      { ...SENT, said: 'cut' },
      { ...SENT, at: 20 },
    ],
    [
      { act: 'resolve', number: 'F1', at: 12 },
      { act: 'undo', number: 'F1', at: 15, isSure: true },
    ],
  ],
  [
    'again after it failed',
    [
      { ...SENT, said: 4, fate: 4 },
      { ...SENT, at: 20 },
    ],
    [],
  ],
  [
    'above the limit, after a release that was undone',
    [{ ...SENT, amount: '4200.00', at: 20 }],
    [
      { act: 'release', number: 'F1', at: 12 },
      { act: 'undo', number: 'F1', at: 15, isSure: true },
    ],
  ],
  ['with half of its amount', [{ ...SENT, amount: '21.00' }], []],
  ['above the limit, without a release', [{ ...SENT, amount: '4200.00' }], []],
] as const)('the judge complains about a document that is sent %s', (_, arrivals, decisions) => {
  expect(says(judgeArrivals(historyOf(arrivals, decisions)))).toContain('arrivals');
});

const CUT: Arrival = { ...SENT, said: 'cut' };
const RETRY = { act: 'retry', number: 'F1', at: 15 };

test.each([
  ['was not found', CUT, MISSING, [RETRY], 0],
  ['was not found twice within an hour', CUT, [answered(11, 18), answered(11.5, 18)], [RETRY], 1],
  ['was not found, then found', CUT, [...MISSING, answered(13, 2)], [RETRY], 1],
  ['was found after the decision', CUT, [...MISSING, answered(17, 2)], [RETRY], 1],
  [
    'was found after the decision, and one since',
    CUT,
    [...MISSING, answered(17, 2)],
    [RETRY, { ...RETRY, act: 'release', at: 18 }],
    0,
  ],
  ['was found in contingency, then rejected', { ...SENT, said: 8 }, [answered(11, 8), answered(12, 6)], [], 0],
  ['was rejected by an answer', CUT, [answered(11, 6)], [], 0],
  ['failed', { ...SENT, said: 4 }, [], [RETRY], 0],
  ['was found to have failed', CUT, [answered(11, 4)], [RETRY], 0],
] as const)('the judge on a document that is sent again, and %s', (_, first, questions, decisions, count) => {
  const found = judgeArrivals(historyOf([first, { ...SENT, at: 20 }], decisions, [...questions]));
  expect(says(found)).toEqual(Array.from({ length: count }, () => 'arrivals'));
});

test.each([
  [[answered(11, 18), answered(13, 18)], 1],
  [[answered(11, 18), answered(32, 18)], 0],
])('the judge on a remission note that was not found twice', (questions, count) => {
  const note = { ...CUT, number: '501', amount: '10.50' };
  const asked = questions.map((one) => ({ ...one, number: '501' }));
  const sent = [note, { ...note, at: 40 }];
  expect(judgeArrivals(historyOf(sent, [{ ...RETRY, number: '501', at: 35 }], asked))).toHaveLength(count);
});

test.each([
  ['reads what no export states', reportOf({ read: 2, sent: 2 }), 1],
  ['counts what the service did not authorize', reportOf({ read: 1, sent: 0 }), 1],
  ['says that it read nothing', reportOf({ read: 1, sent: 1 }, 'no document was read'), 1],
  [
    'reads another amount',
    { ...TRUE, balance: { ...TRUE.balance, currencies: [{ read: '42.00', sent: '50.40' }] } },
    1,
  ],
  [
    'sends another amount',
    { ...TRUE, balance: { ...TRUE.balance, currencies: [{ read: '50.40', sent: '42.00' }] } },
    1,
  ],
  ['is true', TRUE, 0],
] as const)('the judge on a report that %s', (_, report, least) => {
  const found = judgeReport({ ...NIGHT, report }, [], historyOf([SENT]));
  expect(Math.min(1, found.length)).toBe(least);
});

const MAIL: Notice = { channel: 'mail', id: 'R1.a', at: 50, run: 'R1', verdict: 'everything is sent', lines: [] };
const WAITING = ['- 1 document (rejected)', '  Numbers: F1', '  Amounts: 50.40 EUR'];

test.each([
  ['true', [{ ...MAIL, lines: WAITING }], []],
  ['sent again after a stop', [MAIL, { ...MAIL, at: 90 }], []],
  [
    'sent again after the clock was set',
    [
      { ...MAIL, at: 190 },
      { ...MAIL, at: 210 },
    ],
    [],
  ],
  ['sent again', [MAIL, { ...MAIL, at: 60 }], ['program']],
  ['not sent', [], ['program']],
  ['with another sum', [{ ...MAIL, lines: WAITING.with(2, '  Amounts: 42.00 EUR') }], ['figures']],
  ['with another number', [{ ...MAIL, lines: WAITING.with(0, '- 2 documents (rejected)') }], ['figures']],
  ['with another count of what waits', [{ ...MAIL, verdict: '3 documents need you' }], ['figures']],
  ['with another report', [{ ...MAIL, report: { run: 'R1' } }], ['figures']],
] as const)('the judge on a notice that is %s', (_, notices, expected) => {
  const report = { ...reportOf({ read: 1, sent: 1 }), run: 'R1', waiting: 1 };
  const runs = [{ ...NIGHT, report, up: ['mail'] }];
  expect(says(judgeNotices({ ...historyOf([SENT]), runs, notices, stops: [70], jumps: [200] }))).toEqual(expected);
});

const HELD = { id: '1', number: 'F1', state: 'held', amount: '50.40' };
const PAGES = {
  status: { documents: { held: 1 }, closed: {} },
  list: { documents: [HELD] },
  causes: { groups: [{ count: 1, amounts: { EUR: '50.40' } }] },
  home: '<span class="badge" title="1 document needs you">1</span>',
  work: '<p class="about">1 document waits for a person.</p>',
};

test.each([
  ['the same', {}, 0],
  ['another state', { status: { ...PAGES.status, documents: { held: 2 } } }, 1],
  ['another amount', { list: { documents: [{ ...HELD, amount: '42.00' }] } }, 1],
  ['another sum', { causes: { groups: [{ count: 1, amounts: { EUR: '42.00' } }] } }, 1],
  ['another count', { home: PAGES.home.replace('1', '2'), work: PAGES.work.replace('1', '2') }, 2],
] as const)('the judge on a console that shows %s', (_, changed, count) => {
  const { status, list, causes, home, work } = { ...PAGES, ...changed };
  const console = {
    ...{ home, work, nights: [] },
    status: JSON.stringify(status),
    list: JSON.stringify(list),
    causes: JSON.stringify(causes),
  };
  const typed = {
    status: JSON.stringify(PAGES.status),
    list: JSON.stringify(PAGES.list),
    errors: JSON.stringify(PAGES.list),
  };
  const found = judgeViews({ ...historyOf([]), purged: 1 }, { ...typed, metrics: '', console });
  expect(says(found)).toEqual(Array.from({ length: count }, () => 'figures'));
});

const PDF = { name: 'F1.pdf', text: 'PDF', at: 5 };

test.each([
  ['the bytes of its file', [PDF], 'PDF', 0],
  ['other bytes', [PDF], 'other', 1],
  ['nothing', [PDF], undefined, 1],
  ['the bytes of another name', [PDF, { ...PDF, name: 'F2.pdf', text: 'other' }], 'other', 1],
  ['what came after it was read', [PDF, { ...PDF, text: 'later', at: 105 }], 'later', 1],
  ['what came after it was read, and was missing', [{ ...PDF, at: 105 }], 'PDF', 0],
  ['what another export was sent with before', [PDF, { ...PDF, text: 'spent', at: 3 }], 'spent', 1],
] as const)('the judge on a document that is sent with %s', (_, attached, bytes, count) => {
  const text = BYTES.replaceAll('\n', ';F1.pdf\n').replace('F1.pdf', 'Pdf');
  const spent = { ...SENT, number: 'F2', attached: 'spent', at: 4 };
  const history = {
    ...historyOf([spent, { ...SENT, at: 110, ...(bytes && { attached: bytes }) }]),
    ...{ attached: [...attached], dropped: [{ ...PDF, name: 'ventes-1.csv', text, at: 6 }] },
    runs: [{ ...NIGHT, taken: [{ name: 'ventes-1.csv', text }] }],
  };
  expect(says(judgeArrivals(history))).toEqual(Array.from({ length: count }, () => 'arrivals'));
});

test('the judge on an act that the console refuses', () => {
  const says = 'the console refuses fix of F1';
  expect(judgeRefusals({ refusals: [{ says, before: 'invalid', after: 'invalid' }] })).toEqual([]);
  expect(judgeRefusals({ refusals: [{ says, before: 'invalid', after: 'ready' }] })).toHaveLength(1);
});

const DUE = '1970-01-02T03:00:00.000Z';

test.each([
  ['missing, after it came', { ...NIGHT.taken[0], name: 'ventes-1.csv' }, 'missing', ['figures']],
  ['missing, after it came as a correction', { ...NIGHT.taken[0], name: 'ventes-1.to-fix.csv' }, 'missing', []],
  ['there, after it came as a correction', { ...NIGHT.taken[0], name: 'ventes-1.to-fix.csv' }, 'arrived', ['rows']],
  ['there, after it came', { ...NIGHT.taken[0], name: 'ventes-1.csv' }, 'arrived', []],
] as const)('the judge on an export that is %s', (_, came, state, expected) => {
  const earlier = { ...NIGHT, hours: { from: HOUR_MS, to: HOUR_MS }, taken: [], report: undefined };
  const report = { expected: [{ due: DUE, state }] };
  const hours = { from: 28 * HOUR_MS, to: 28 * HOUR_MS };
  const night = { ...NIGHT, hours, report, ended: { ...NIGHT.ended, code: 7 }, taken: [{ text: BYTES, ...came }] };
  expect(says(judgeExpected({ ...historyOf([]), runs: [earlier, night] }, '{}'))).toEqual(expected);
});
