/** The course of a document that `verify` walks through: late answers, and verdicts of older versions. */
import { expect, test } from 'vitest';
import { frenchContingency } from '../../src/delivery/consultation-schedule.ts';
import { judgeConsultation, judgeResponse, type Policy } from '../../src/delivery/response-policy.ts';
import type { Destination } from '../../src/delivery/service.ts';
import type { RecordedAttempt } from '../../src/ledger/contract/query-store.ts';
import type { Answer, Exchange } from '../../src/model/answer.ts';
import type { HoldRule } from '../../src/model/document.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import type { State } from '../../src/model/state.ts';
import { judgedAgain, type LateAnswers, type LateVerdict } from '../../src/verify/verify-course.ts';
import type { VerifyContext } from '../../src/verify/verify-source.ts';

const policy: Policy = {
  places: { code: '/code', identifier: '/id' },
  strictEcho: false,
  resendOn401: true,
  resendOn429: true,
  contingency: frenchContingency,
};
const fr = {
  name: 'fr',
  judge: (exchange, ours) => judgeResponse(exchange, ours, policy),
  judgeConsultation: (exchange, ours, before) => judgeConsultation(exchange, ours, before, policy),
} as Partial<Destination>;
const context = { instance: { destinations: [fr] } } as unknown as VerifyContext;

const NOT_SENT: Exchange = { sent: false, error: { code: 'ECONNREFUSED', message: '' } };
const CUT: Exchange = { sent: true, error: { code: 'ECONNRESET', message: '' } };

function told(code: number): Pick<RecordedAttempt, 'exchange' | 'code' | 'answer'> {
  const body = `{"code":${code},"id":"F-7"}`;
  return { exchange: { sent: true, status: 200, headers: {}, body }, code, answer: { code } as Answer };
}

function attempt(act: RecordedAttempt['act'], n: number, rest: Partial<RecordedAttempt>): RecordedAttempt {
  return { n, act, run: 'run-1', requestId: `r-${n}`, at: '2026-11-21T05:30:00.000Z', revision: 1, ...rest };
}

/** A number is that of a consultation, whose attempt has its outcome. */
function asVerdict(late: number | LateVerdict): LateVerdict {
  return typeof late === 'number' ? { act: 'consult', n: late, state: 'in-doubt' } : late;
}

function breaksOf(
  state: State,
  tried: readonly RecordedAttempt[],
  late: readonly (number | LateVerdict)[] = [],
  {
    answer,
    rule,
    ends = [],
  }: { readonly answer?: Answer; readonly rule?: HoldRule; readonly ends?: LateAnswers['ends'] } = {},
) {
  const document = {
    service: 'fr',
    class: 'invoice',
    revision: 1,
    state,
    facts: { identifier: 'F-7' },
    ...(answer && { answer }),
    ...(rule && { hold: { rule, says: 'x' } }),
  };
  const recorded = { content: '{}', tried, first: 'ready' as State, late: { verdicts: late.map(asVerdict), ends } };
  return judgedAgain(context, document as unknown as LedgerEntry, recorded).breaks.map(({ code }) => code);
}

const lost = attempt('submit', 1, { outcome: 'in-doubt', exchange: CUT });

test('a document that a person has recorded as rejected is held by an outcome that came late, and by nothing else', () => {
  const tried = [
    lost,
    attempt('consult', 1, { ...told(2), outcome: 'authorized' }),
    attempt('resolve', 1, { outcome: 'rejected' }),
  ];
  expect(breaksOf('held', tried, [1], { rule: 'outcome-arrived' })).toEqual([]);
  expect(breaksOf('held', tried, [1], { rule: 'amount-over' })).toEqual(['verify/state-differs']);
  expect(breaksOf('ready', tried, [1])).toEqual(['verify/state-differs']);
});

test.each([
  [401, '{"code":15,"id":"F-7"}', ['ready', 'returned'], ['refused', 'authorized']],
  [401, '', ['ready', 'refused'], ['returned']],
  [429, '', ['ready', 'refused'], ['rejected']],
  [401, '{"code":6,"id":"F-7"}', ['rejected'], ['ready', 'refused']],
  [400, '', ['refused'], ['ready']],
] as const)('HTTP %i with the body %s may have sent again by other settings or versions', (http, body, may, mayNot) => {
  const exchange = { sent: true, status: http, headers: {}, body } as const;
  const code = body === '' ? undefined : (JSON.parse(body).code as number);
  const breaks = (outcome: State) => {
    const found = outcome === 'ready' || code === undefined ? {} : { code, answer: { code } as Answer };
    const [one] = [attempt('submit', 1, { outcome, exchange, http, ...found })];
    return breaksOf(outcome, [one], [], 'answer' in found ? { answer: found.answer } : {});
  };
  for (const state of may) expect([state, breaks(state)]).toEqual([state, []]);
  for (const state of mayNot) expect([state, breaks(state)]).toEqual([state, ['verify/answer-differs']]);
});

test('an answer that came after a decision of a person is none of the document', () => {
  const tried = [
    lost,
    attempt('consult', 1, { ...told(11), outcome: 'invalidated' }),
    attempt('resolve', 1, { outcome: 'authorized' }),
  ];
  expect(breaksOf('authorized', tried, [1])).toEqual([]);
  expect(breaksOf('authorized', tried)).toEqual(['verify/answer-differs']);
});

test('the answer to a submission that came after a decision of a person is what the history has', () => {
  const { exchange } = told(2);
  const tried = [
    attempt('submit', 1, { outcome: 'in-doubt', exchange: exchange as Exchange, http: 200 }),
    attempt('resolve', 1, { outcome: 'rejected' }),
  ];
  const came = { act: 'submit', n: 1, state: 'authorized', answer: { code: 2 } as Answer } as const;
  expect(breaksOf('rejected', tried, [came])).toEqual([]);
  expect(breaksOf('rejected', tried)).toEqual(['verify/answer-differs']);
  expect(breaksOf('rejected', tried, [{ ...came, state: 'rejected' }])).toEqual(['verify/answer-differs']);
  expect(breaksOf('rejected', tried, [{ ...came, act: 'consult' }])).toEqual(['verify/answer-differs']);
});

test('an answer that ends the doubt of a submission comes after what was tried in doubt', () => {
  const given = told(2);
  const tried = [
    attempt('submit', 1, { ...given, outcome: 'authorized' }),
    attempt('consult', 1, { ...told(18), outcome: 'in-doubt' }),
    attempt('resolve', 1, { outcome: 'rejected' }),
    attempt('resolve', 2, { outcome: 'in-doubt' }),
  ];
  const answer = { code: 2 } as Answer;
  const ends = [{ n: 1, after: { consults: 1, resolves: 2 } }];
  expect(breaksOf('authorized', tried, [], { answer, ends })).toEqual([]);
  expect(breaksOf('in-doubt', tried, [], { answer, ends })).toEqual(['verify/state-differs']);
  expect(breaksOf('authorized', tried, [], { answer })).toEqual(['verify/answer-differs', 'verify/state-differs']);
  const again = [...tried, attempt('resolve', 3, { outcome: 'failed' })];
  expect(breaksOf('failed', again, [], { answer, ends })).toEqual([]);
});

test('an answer about the submission before leaves the later one in doubt', () => {
  const tried = [
    attempt('submit', 1, {
      outcome: 'refused',
      exchange: { sent: true, status: 422, headers: {}, body: '' },
      http: 422,
    }),
    attempt('consult', 1, { ...told(6), outcome: 'rejected' }),
    attempt('resolve', 1, { outcome: 'ready' }),
    attempt('submit', 2, { outcome: 'in-doubt', exchange: CUT }),
  ];
  expect(breaksOf('in-doubt', tried, [1])).toEqual([]);
});

test('of two consultations at the same time only the later one counts', () => {
  const tried = [
    lost,
    attempt('consult', 1, { ...told(18), outcome: 'in-doubt' }),
    attempt('consult', 2, { ...told(8), outcome: 'contingency' }),
    attempt('consult', 3, { ...told(8), outcome: 'contingency' }),
  ];
  expect(breaksOf('contingency', tried, [1], { answer: { code: 8 } as Answer })).toEqual([]);
});

test('what older versions decided is no break: code 8 kept the doubt, and every try counted as limited', () => {
  const older = [lost, attempt('consult', 1, { ...told(8), outcome: 'in-doubt' })];
  expect(breaksOf('in-doubt', older, [], { answer: { code: 8 } as Answer })).toEqual([]);
  const { exchange } = told(3);
  const unknown = [lost, attempt('consult', 1, { exchange: exchange as Exchange, outcome: 'in-doubt' })];
  expect(breaksOf('in-doubt', unknown)).toEqual([]);
  const limited: Exchange = { sent: true, status: 429, headers: {}, body: '' };
  const tries = [1, 2, 3, 4, 5].map((n) => attempt('submit', n, { outcome: 'ready', exchange: NOT_SENT }));
  const refused = attempt('submit', 6, { outcome: 'refused', exchange: limited, http: 429 });
  expect(breaksOf('refused', [...tries, refused])).toEqual([]);
  expect(
    breaksOf('ready', [...tries, attempt('submit', 6, { outcome: 'ready', exchange: limited, http: 429 })]),
  ).toEqual([]);
});
