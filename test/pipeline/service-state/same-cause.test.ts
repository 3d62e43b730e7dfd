/** Canaries, and the stop on a common cause: how many documents a broken export or mapping costs. */
import { expect, test } from 'vitest';
import { HOLD } from '../../../src/i18n/messages/pipeline-messages.ts';
import type { DueDocument } from '../../../src/ledger/contract/submission-store.ts';
import type { Verdict } from '../../../src/model/answer.ts';
import type { State } from '../../../src/model/state.ts';
import { createCommonCauseDetector } from '../../../src/pipeline/service-state/common-cause-stop.ts';
import { openScene, SALES_MAPPING, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { runs } from '../../seed.ts';

const OTHER = SALES_MAPPING.replace('mapping: sales', 'mapping: other').replace('ventes*', 'autres*');
const BOTH = { 'sales.yaml': SALES_MAPPING, 'other.yaml': OTHER };
const numbers = (count: number, prefix = 'F') => Array.from({ length: count }, (_, n) => `${prefix}${1000 + n}`);
const wrongIssuer = (number = 'F*') =>
  ({
    match: { service: 'fr', number },
    answer: { code: 6, http: 400, message: 'Issuer 732829320 is unknown' },
  }) as const;
const settings = (run: object) => ({ run: { 'give-up-after': '5s', ...run } });

test('thousands of documents with a wrong issuer cost ten rejections; others go on, and the run ends with 5', async () => {
  const many = Math.min(5000, runs(400));
  await using scene = await openScene({ mappings: BOTH });
  scene.sandbox.script([wrongIssuer()]);
  scene.drop('ventes.csv', sales(numbers(many)));
  scene.drop('autres.csv', sales(numbers(20, 'G')));
  const ended = await commandIn(scene, 'run');
  expect(ended.code).toBe(5);
  expect(tally(await scene.entries())).toEqual({ rejected: 10, held: many - 10, authorized: 20 });
  const says =
    '10 consecutive documents of the mapping sales were rejected for the same cause: code 6, Rejected, Issuer 732829320 is unknown';
  expect(ended.err.split(says)).toHaveLength(2);
  expect(ended.err).toContain(`its ${many - 10} queued documents are on hold`);
  expect(ended.out).toContain('mapping sales stopped (the same cause for many documents)');
  const held = (await scene.entries()).find(({ state }) => state === 'held');
  expect(held?.hold).toEqual({ rule: 'same-cause', says });
  const receipts = scene.files('pending').filter((path) => path.endsWith('.receipt.json'));
  expect(receipts).toHaveLength(many - 10);
}, 120_000);

test('without canaries it costs at most what is on the wire besides', async () => {
  const concurrency = 8;
  await using scene = await openScene({
    services: { fr: { concurrency } },
    sandbox: { latencyMs: 10 },
    settings: settings({ canary: 0, 'same-cause': 5 }),
  });
  scene.sandbox.script([wrongIssuer()]);
  scene.drop('ventes.csv', sales(numbers(120)));
  await scene.night();
  const { rejected = 0, held = 0 } = tally(await scene.entries());
  expect(rejected).toBeGreaterThan(4);
  expect(rejected).toBeLessThan(5 + concurrency);
  expect(rejected + held).toBe(120);
  expect(scene.sandbox.requests().fr.submit).toBe(rejected);
});

test('the held documents are sent after the mapping is fixed and they are released', async () => {
  await using scene = await openScene({ settings: settings({ 'same-cause': 2 }) });
  scene.sandbox.script([wrongIssuer()]);
  scene.drop('ventes.csv', sales(numbers(6)));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ rejected: 2, held: 4 });
  scene.sandbox.script([]);
  await scene.look(async (ledger) => {
    for await (const { id } of ledger.queries.find({ states: ['held'] })) {
      await ledger.submissions.resolve(id, {
        as: 'ready',
        by: 'anna',
        at: new Date().toISOString(),
        reason: 'issuer registered',
      });
    }
  });
  const { stops } = await scene.night();
  expect(stops).toEqual([]);
  expect(tally(await scene.entries())).toEqual({ rejected: 2, authorized: 4 });
});

test('the first document of a night goes alone; only what the service takes opens the way', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 60 }, services: { fr: { concurrency: 8 } } });
  scene.sandbox.script([{ ...wrongIssuer('F1000'), times: 1 }]);
  scene.drop('ventes.csv', sales(numbers(12)));
  const most: number[] = [];
  await scene.night({
    onEvent: ({ what }) => {
      if (what === 'document') most.push(scene.sandbox.requests().fr.submit);
    },
  });
  // The first was rejected, the second accepted; each was the only one the service had seen when it was answered.
  expect(most.slice(0, 2)).toEqual([1, 2]);
  expect(most[2]).toBeGreaterThan(3);
  expect(tally(await scene.entries())).toEqual({ rejected: 1, authorized: 11 });
});

test('a new mapping version sends one document first, also in the middle of a night', async () => {
  await using scene = await openScene({
    mappings: BOTH,
    sandbox: { latencyMs: 40 },
    services: { fr: { concurrency: 8 } },
  });
  scene.drop('ventes.csv', sales(numbers(3)));
  await scene.night();
  scene.drop('ventes-2.csv', sales(numbers(6, 'H')));
  scene.drop('autres.csv', sales(numbers(6, 'G')));
  const order: string[] = [];
  let seen = 0;
  const inHand = new Map<string, number>();
  await scene.night({
    onEvent: (happening) => {
      if (happening.what !== 'document') return;
      seen++;
      order.push(happening.identifier);
      inHand.set(happening.identifier, scene.sandbox.requests().fr.submit - 3 - seen);
    },
  });
  const first = order.find((number) => number.startsWith('G'))!;
  expect(inHand.get(first)).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 15 });
});

const due = (identifier: string, id = 'sales'): Pick<DueDocument, 'identifier' | 'mapping'> => ({
  identifier,
  mapping: { id, sha256: id },
});
const verdict = (state: State, message: string): Verdict => ({ state, reason: '', answer: { code: 6, message } });

test.each([
  ['the number of the document', 'F1: no such issuer', 'F2: no such issuer', true],
  ['amounts and dates', 'total 10.50 differs from 11.00', 'total 7 differs from 8.25', true],
  ['what is quoted', 'unit "PCE" is unknown', 'unit "KGM" is unknown', true],
  ['the words', 'issuer is unknown', 'receiver is unknown', false],
])('%s: same cause or not', (_, one, two, same) => {
  const causes = createCommonCauseDetector(2);
  expect(causes.judge(due('F1'), verdict('rejected', one))).toBeUndefined();
  expect(causes.judge(due('F2'), verdict('rejected', two)) !== undefined).toBe(same);
});

test('a success between, another mapping, an unknown fate: no common cause', () => {
  const causes = createCommonCauseDetector(2);
  const no = verdict('rejected', 'no');
  causes.judge(due('F1'), no);
  causes.judge(due('F2'), { state: 'authorized', reason: '', answer: { code: 2 } });
  expect(causes.judge(due('F3'), no)).toBeUndefined();
  expect(causes.judge(due('G1', 'other'), no)).toBeUndefined();
  expect(causes.judge(due('F4'), { state: 'in-doubt', reason: '' })).toBeUndefined();
  const cause = HOLD.sameCause({ count: 2, mapping: 'sales', state: 'rejected', answer: 'code 6, no' });
  expect(causes.judge(due('F5'), no)).toEqual(cause);
  expect(causes.isFound(due('F6'))).toBe(true);
  expect(causes.judge(due('F6'), no)).toBeUndefined();
  causes.held(due('F6'));
  expect(causes.isFound(due('F7'))).toBe(false);
  expect(causes.judge(due('F7'), no)).toEqual(cause);
});
