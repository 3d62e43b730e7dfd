/** What a person may decide in each state, that nothing stays open after it, and that the last decision can be undone. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { undoLastDecision } from '../../src/decisions/undo.ts';
import { isClosed, type LedgerEntry } from '../../src/model/ledger-entry.ts';
import type { State } from '../../src/model/state.ts';
import { ingestAll } from '../../src/pipeline/intake/ingest-all.ts';
import { beforeEachStatement, inUseFor, openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'checked at the service', '--by', 'anna'];

/** A document of each state that a night can end in. */
const NUMBERS = {
  authorized: 'F1',
  invalid: 'F2',
  held: 'F3',
  failed: 'F4-X4',
  rejected: 'F6-X6',
  contingency: 'F8-X8',
  invalidated: 'F11-X11',
  returned: 'F15-X15',
  refused: 'F43-X403',
  'in-doubt': 'F5-XLOST',
} as const satisfies { readonly [state in State]?: string };

type Known = keyof typeof NUMBERS;
const KNOWN = Object.keys(NUMBERS) as Known[];

async function nightOfAllStates(): Promise<Scene> {
  const settings = { run: { 'give-up-after': '5s', hold: { over: { EUR: '1000' } } } };
  const scene = await openScene({ settings });
  const small = Object.values(NUMBERS).filter((number) => number !== 'F3');
  const faulty = sales(small).replaceAll('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;2O;');
  scene.drop('ventes.csv', `${faulty}${sales(['F3'], '90').split('\n').slice(1).join('\n')}`);
  await scene.night();
  scene.drop('ventes-conflict.csv', sales(['F1'], '3'));
  await scene.night();
  return scene;
}

async function entryOf(scene: Scene, number: string, state?: State): Promise<LedgerEntry> {
  const found = (await scene.entries()).find(
    (one) => one.facts.identifier === number && (state === undefined || one.state === state),
  );
  if (!found) throw new Error(`no document ${number}`);
  return found;
}

/** What a decision changes and undo restores: everything but the history and the receipt. */
function restorable({ attempts, receipt, receiptDue, ...entry }: LedgerEntry): unknown {
  const { file, ...others } = entry;
  return { ...others, file: file.id, submits: attempts.filter(({ act }) => act === 'submit').length };
}

let scene: Scene;
beforeAll(async () => {
  scene = await nightOfAllStates();
});
afterAll(() => scene[Symbol.asyncDispose]());

test('the night has a document in each of these states', async () => {
  for (const state of KNOWN)
    expect([state, (await entryOf(scene, NUMBERS[state], state)).state]).toEqual([state, state]);
});

/** Exit code of each decision in each state; undefined: 3, nothing is recorded. */
const ALLOWED: { readonly [act: string]: readonly Known[] } = {
  'set-aside': ['invalid', 'held', 'failed', 'rejected', 'returned', 'refused'],
  acknowledge: ['invalidated'],
  release: ['held'],
  retry: ['failed', 'refused'],
};

test.each(Object.keys(ALLOWED).flatMap((act) => KNOWN.map((state) => [act, state] as const)))(
  '%s of a document that is %s, and undo',
  async (act, state) => {
    const number = NUMBERS[state];
    const before = await entryOf(scene, number, state);
    const { code } = await commandIn(scene, act, before.id, ...WHY);
    const isAllowed = ALLOWED[act]!.includes(state);
    expect(code).toBe(isAllowed ? 0 : 3);
    if (!isAllowed) return expect(await entryOf(scene, number, state)).toEqual(before);
    const undone = await commandIn(scene, 'undo', before.id, ...WHY);
    expect([undone.code, undone.out]).toEqual([0, expect.stringContaining(number)]);
    expect(restorable(await entryOf(scene, number, state))).toEqual(restorable(before));
    expect((await commandIn(scene, 'undo', before.id, ...WHY)).code).toBe(3);
  },
);

test('random decisions and their ends leave the document as it was, and nothing is sent', async () => {
  const acts = fc.array(fc.tuple(fc.constantFrom(...KNOWN), fc.constantFrom(...Object.keys(ALLOWED))), {
    minLength: 1,
    maxLength: 4,
  });
  const accepted = scene.sandbox.acceptances().length;
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      for (const [state, act] of all) {
        const before = await entryOf(scene, NUMBERS[state], state);
        if ((await commandIn(scene, act, before.id, ...WHY)).code !== 0) continue;
        expect((await commandIn(scene, 'undo', before.id, ...WHY)).code).toBe(0);
        expect(restorable(await entryOf(scene, NUMBERS[state], state))).toEqual(restorable(before));
      }
    }),
    { numRuns: 12, seed: 20261122 },
  );
  expect(scene.sandbox.acceptances()).toHaveLength(accepted);
});

test('"authorized" needs a proof, and a wrong outcome can be undone until a consultation answers', async () => {
  const { id } = await entryOf(scene, NUMBERS['in-doubt'], 'in-doubt');
  const before = await entryOf(scene, NUMBERS['in-doubt'], 'in-doubt');
  const asked = ['resolve', id, '--as', 'authorized', ...WHY];
  expect((await commandIn(scene, ...asked)).code).toBe(3);
  expect(await entryOf(scene, NUMBERS['in-doubt'])).toEqual(before);
  const proof = join(scene.root, 'nightpost.yaml');
  expect((await commandIn(scene, ...asked, '--evidence', proof)).code).toBe(0);
  expect((await entryOf(scene, NUMBERS['in-doubt'])).state).toBe('authorized');
  expect((await commandIn(scene, 'undo', id, ...WHY)).code).toBe(0);
  expect(restorable(await entryOf(scene, NUMBERS['in-doubt']))).toEqual(restorable(before));
  expect((await commandIn(scene, 'resolve', id, '--as', 'returned', ...WHY)).code).toBe(0);
  expect((await commandIn(scene, 'undo', id, ...WHY)).code).toBe(0);
});

test('a contingency that a person records is asked about by the schedule of its service, until it is undone', async () => {
  const before = await entryOf(scene, NUMBERS['in-doubt'], 'in-doubt');
  const asked = ['resolve', before.id, '--as', 'contingency', ...WHY];
  expect((await commandIn(scene, ...asked)).code).toBe(0);
  const { dueAt, since, state } = await entryOf(scene, NUMBERS['in-doubt']);
  expect([state, Date.parse(dueAt!) - Date.parse(since)]).toEqual(['contingency', 15 * 60_000]);
  expect((await commandIn(scene, 'undo', before.id, ...WHY)).code).toBe(0);
  expect(restorable(await entryOf(scene, NUMBERS['in-doubt']))).toEqual(restorable(before));
});

test('undo comes too late once the document was sent', async () => {
  await using own = await nightOfAllStates();
  const { id } = await entryOf(own, 'F3', 'held');
  expect((await commandIn(own, 'release', id, ...WHY)).code).toBe(0);
  await own.night();
  const sent = await entryOf(own, 'F3');
  expect(sent.state).toBe('authorized');
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(3);
  expect(await entryOf(own, 'F3')).toEqual(sent);
});

test('an undone correction gives the cells their values of before, also of a queued document', async () => {
  await using own = await nightOfAllStates();
  const { id } = await entryOf(own, 'F2', 'invalid');
  expect((await commandIn(own, 'fix', 'F2', 'Qte@4=20', ...WHY)).code).toBe(0);
  expect((await entryOf(own, 'F2')).state).toBe('ready');
  expect((await commandIn(own, 'undo', 'F2', ...WHY)).code).toBe(0);
  const after = await entryOf(own, 'F2');
  expect(after).toMatchObject({ id, state: 'invalid', faults: [{ code: 'map/not-a-number' }] });
  const accepted = own.sandbox.acceptances().length;
  await own.night();
  expect(own.sandbox.acceptances()).toHaveLength(accepted);
  expect((await commandIn(own, 'fix', 'F2', 'Qte@4=20', ...WHY)).code).toBe(0);
  await own.night();
  expect(own.sandbox.acceptances()).toHaveLength(accepted + 1);
  expect((await commandIn(own, 'undo', 'F2', ...WHY)).code).toBe(3);
});

test('an undone correction of a rejected document leaves it rejected, and it can be corrected anew', async () => {
  await using own = await nightOfAllStates();
  const { id } = await entryOf(own, NUMBERS.rejected, 'rejected');
  const accepted = own.sandbox.acceptances().length;
  expect((await commandIn(own, 'fix', id, 'Client=Dupont', ...WHY)).code).toBe(0);
  expect((await entryOf(own, NUMBERS.rejected)).state).toBe('ready');
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(0);
  const after = await entryOf(own, NUMBERS.rejected);
  expect([after.state, after.closed, after.evidence]).toEqual(['rejected', undefined, undefined]);
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(3);
  const listed = JSON.parse((await commandIn(own, '--json', 'errors')).out) as { documents: { id: string }[] };
  expect(listed.documents.map((one) => one.id)).toContain(id);
  await own.night();
  expect(own.sandbox.acceptances()).toHaveLength(accepted);
  expect((await commandIn(own, 'verify')).code).toBe(0);
  expect((await commandIn(own, 'fix', id, 'Client=Durand', ...WHY)).code).toBe(0);
  expect((await entryOf(own, NUMBERS.rejected)).state).toBe('ready');
});

test('an export that has an undone correction of a rejected document is sent, for it never was', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', sales([NUMBERS.rejected]));
  await own.night();
  const { id } = await entryOf(own, NUMBERS.rejected, 'rejected');
  expect((await commandIn(own, 'fix', id, 'Qte=7', ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(0);
  own.drop('ventes-2.csv', sales([NUMBERS.rejected], '7'));
  await own.night();
  expect((await own.entries()).map((one) => [one.id, one.revision])).toEqual([[id, 3]]);
  expect(own.sandbox.requests().fr.submit).toBe(2);
  own.drop('ventes-3.csv', sales([NUMBERS.rejected]));
  own.drop('ventes-4.csv', sales([NUMBERS.rejected], '7'));
  await own.night();
  expect((await commandIn(own, 'verify')).code).toBe(0);
});

test.each([
  ['ready', 'Qte=20'],
  ['held', 'Qte=90'],
] as const)(
  'an undone correction, %s by then, of a document that a person recorded as rejected leaves it so',
  async (state, cells) => {
    await using own = await nightOfAllStates();
    const { id } = await entryOf(own, NUMBERS['in-doubt']);
    expect((await commandIn(own, 'resolve', id, '--as', 'rejected', ...WHY)).code).toBe(0);
    const { evidence } = await entryOf(own, NUMBERS['in-doubt']);
    await commandIn(own, 'fix', id, cells, ...WHY);
    expect((await entryOf(own, NUMBERS['in-doubt'])).state).toBe(state);
    expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(0);
    const after = await entryOf(own, NUMBERS['in-doubt']);
    expect([after.state, after.evidence]).toEqual(['rejected', evidence]);
    const listed = JSON.parse((await commandIn(own, '--json', 'errors')).out) as { documents: { id: string }[] };
    expect(listed.documents.map((one) => one.id)).toContain(id);
    expect((await commandIn(own, 'verify')).code).toBe(0);
  },
);

test('an undone correction of a correction leaves the one before, whatever was rejected before that', async () => {
  await using own = await nightOfAllStates();
  const { id } = await entryOf(own, NUMBERS.rejected, 'rejected');
  await commandIn(own, 'fix', id, 'Qte=90', ...WHY);
  const before = await entryOf(own, NUMBERS.rejected);
  expect(before.state).toBe('held');
  expect((await commandIn(own, 'fix', id, 'Qte=20', ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(0);
  expect(await entryOf(own, NUMBERS.rejected)).toMatchObject({ state: 'held', contentSha256: before.contentSha256 });
});

test.each([
  ['held', [], 'Qte=3'],
  ['held', [], 'Qte=x'],
  ['invalid', ['set-aside'], 'Qte=3'],
  ['invalid', ['set-aside'], 'Qte=x'],
] as const)('an undone correction of a document that was %s (%j) sends nothing: %s', async (state, acts, cells) => {
  await using own = await openScene();
  own.drop('ventes.csv', sales(['F1'], 'x'));
  await own.night();
  expect((await commandIn(own, 'fix', 'F1', 'Qte=2', ...WHY)).code).toBe(0);
  await own.desk(async ({ ledger, clock }) => {
    const hold = { rule: 'same-cause', says: 'one cause' } as const;
    await ledger.submissions.holdReady({ service: 'fr', mapping: 'sales' }, hold, clock.now().toISOString());
  });
  for (const act of acts) expect((await commandIn(own, act, 'F1', ...WHY)).code).toBe(0);
  await commandIn(own, 'fix', 'F1', cells, ...WHY);
  expect((await commandIn(own, 'undo', 'F1', ...WHY)).code).toBe(0);
  await own.night();
  const after = await entryOf(own, 'F1');
  expect([after.state, after.hold?.rule, isClosed(after)]).toEqual([
    state,
    state === 'held' ? 'same-cause' : undefined,
    state === 'invalid',
  ]);
  expect(own.sandbox.requests().fr.submit).toBe(0);
  expect((await commandIn(own, 'verify')).code).toBe(0);
});

test.each([
  ['held', 'Qte=90'],
  ['ready', 'Qte=20'],
] as const)('a correction stays, and the document %s, if its export cannot be read again', async (state, cells) => {
  await using own = await nightOfAllStates();
  const { id } = await entryOf(own, 'F3', 'held');
  await commandIn(own, 'fix', id, cells.replace('90', '91'), ...WHY);
  const before = await entryOf(own, 'F3');
  expect(before.state).toBe(state);
  for (const path of own.files('archive').filter((one) => one.endsWith('.csv'))) rmSync(join(own.root, path));
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(3);
  expect(restorable(await entryOf(own, 'F3'))).toEqual(restorable(before));
});

test.each([
  ['held', 'Qte=90', 'gone'],
  ['ready', 'Qte=20', 'gone'],
  ['ready', 'Qte=20', 'stopped'],
] as const)('the same where that shows only after it has left the queue: %s, %s, %s', async (state, cells, how) => {
  await using own = await nightOfAllStates();
  const { id } = await entryOf(own, 'F3', 'held');
  await commandIn(own, 'fix', id, cells.replace('90', '91'), ...WHY);
  const before = await entryOf(own, 'F3');
  expect(before.state).toBe(state);
  let hasLeft = false;
  const cut = beforeEachStatement((sql) => {
    if (sql.startsWith('UPDATE entry SET evidence = ?, hold = ?')) hasLeft = true;
    if (!hasLeft) return;
    if (how === 'gone') rmSync(join(own.root, 'archive'), { recursive: true, force: true });
    else if (sql.includes('INTO source_file')) throw new Error('disk full');
  });
  const decision = { by: 'anna', reason: 'wrong', at: new Date().toISOString() };
  const undo = own.desk(async (work) => await undoLastDecision({ ...work, steps: new Set() }, id, decision), cut);
  if (how === 'gone') expect(await undo).toMatchObject({ outcome: 'correction-stays' });
  else await expect(undo).rejects.toThrow('disk full');
  expect(hasLeft).toBe(true);
  expect(restorable(await entryOf(own, 'F3'))).toEqual(restorable(before));
  if (how === 'gone') return;
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(0);
  expect((await entryOf(own, 'F3')).state).toBe('held');
  expect((await commandIn(own, 'verify')).code).toBe(0);
});

test.each(['Qte=91', 'Qte=20'])(
  'a correction stays, and the document too, if its mapping cannot read the export: %s',
  async (cells) => {
    await using own = await nightOfAllStates();
    const { id } = await entryOf(own, 'F3', 'held');
    await commandIn(own, 'fix', id, cells, ...WHY);
    const before = await entryOf(own, 'F3');
    const path = own
      .files('mappings')
      .find((one) => readFileSync(join(own.root, one), 'utf8').includes('mapping: sales'));
    const mapping = readFileSync(join(own.root, path!), 'utf8');
    writeFileSync(join(own.root, path!), mapping.replace('delimiter: ";"', 'delimiter: ","'));
    expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(3);
    expect(restorable(await entryOf(own, 'F3'))).toEqual(restorable(before));
  },
);

test('a correction stays if the rows of another document became part of a rejected one', async () => {
  await using own = await openScene();
  const broken = sales(['F2']).replace('F2;1;2;', 'F2;1;2O;').split('\n').slice(1).join('\n');
  own.drop('ventes.csv', `${sales([NUMBERS.rejected])}${broken}`);
  await own.night();
  const cells = [`Num=${NUMBERS.rejected}`, 'Qte@4=2', `Client=Client ${NUMBERS.rejected}`];
  expect((await commandIn(own, 'fix', 'F2', ...cells, ...WHY)).code).toBe(0);
  const before = await entryOf(own, NUMBERS.rejected);
  expect([before.state, before.rows]).toEqual(['ready', [2, 3, 4, 5]]);
  expect((await commandIn(own, 'undo', before.id, ...WHY)).code).toBe(3);
  expect(restorable(await entryOf(own, NUMBERS.rejected))).toEqual(restorable(before));
});

test('a correction is not taken back from the rows of an export that takes its place meanwhile', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', sales(['F1'], 'x'));
  await own.night();
  await commandIn(own, 'fix', 'F1', 'Qte=2', ...WHY);
  await own.desk(async ({ ledger, clock }) => {
    const hold = { rule: 'same-cause', says: 'one cause' } as const;
    await ledger.submissions.holdReady({ service: 'fr', mapping: 'sales' }, hold, clock.now().toISOString());
  });
  await commandIn(own, 'fix', 'F1', 'Qte=y', ...WHY);
  const { id } = await entryOf(own, 'F1', 'invalid');
  own.drop('ventes-2.csv', sales(['F1'], 'z'));
  const { outcome } = await own.desk(async (work) => {
    const withdraw: typeof work.ledger.submissions.withdraw = async (...asked) => {
      await ingestAll(work, 'run');
      return await work.ledger.submissions.withdraw(...asked);
    };
    const decision = { by: 'anna', reason: 'wrong', at: work.clock.now().toISOString() };
    const ledger = { ...work.ledger, submissions: { ...work.ledger.submissions, withdraw } };
    return await undoLastDecision({ ...work, ledger, steps: new Set() }, id, decision);
  });
  const after = await entryOf(own, 'F1');
  expect([outcome, after.file.name, after.evidence]).toEqual(['moved-on', 'ventes-2.csv', undefined]);
  expect(await own.look((ledger) => ledger.queries.correctionsOf(after.file.id))).toEqual([]);
});

const SPLIT = ['Num@2=F1A', 'Num@3=F1B', 'Qte@3=2'];
const JOINED = ['Num=F1', 'Client=Client F1'];

test.each([
  [
    'invalid',
    'split',
    ['F1', ...SPLIT],
    [
      ['F1A', [2]],
      ['F1B', [3]],
    ],
    ['F1A', 'F1B', 'F2'],
  ],
  [
    'held',
    'joined',
    ['F2', ...JOINED],
    [
      ['F1', [2, 3, 4, 5]],
      ['F2', []],
    ],
    ['F1', 'F2'],
  ],
] as const)(
  'a correction of %s documents that were %s by it stays, and nothing is lost or sent in part',
  async (state, _, cells, asked, numbers) => {
    await using own = await openScene({
      settings: { run: { hold: { over: { EUR: state === 'held' ? '10' : '1000' } } } },
    });
    const export_ = sales(['F1', 'F2']);
    own.drop('ventes.csv', state === 'invalid' ? export_.replace('F1;2;2;', 'F1;2;2O;') : export_);
    await own.night();
    await commandIn(own, 'fix', ...cells, ...WHY);
    for (const [number, rows] of asked) {
      const before = await entryOf(own, number);
      expect(before.rows).toEqual(rows);
      const undone = await commandIn(own, '--json', 'undo', before.id, ...WHY);
      expect([undone.code, JSON.parse(undone.out).outcome]).toEqual([3, 'correction-moved-rows']);
      expect(restorable(await entryOf(own, number))).toEqual(restorable(before));
    }
    expect((await own.entries()).map(({ facts }) => facts.identifier).sort()).toEqual(numbers);
  },
);

test('rows that leave a document again are a document in the list, not a duplicate of what it took', async () => {
  await using own = await openScene({ settings: { run: { hold: { over: { EUR: '10' } } } } });
  own.drop('ventes.csv', sales(['F1', 'F2']));
  await own.night();
  await commandIn(own, 'fix', 'F2', ...JOINED, ...WHY);
  const { id } = await entryOf(own, 'F1');
  await commandIn(own, 'fix', id, 'Num@4=F2', 'Num@5=F2', 'Client@4=Client F2', 'Client@5=Client F2', ...WHY);
  const made = (await own.entries()).filter(({ rows }) => rows.length > 0);
  expect(made.map(({ state, rows }) => [state, rows])).toEqual([
    ['held', [2, 3]],
    ['conflict', [4, 5]],
  ]);
  const listed = JSON.parse((await commandIn(own, '--json', 'errors')).out) as { documents: unknown[] };
  expect(listed.documents).toHaveLength(2);
});

test('everything that is with a person can leave the list, and its receipt has the decision', async () => {
  await using own = await nightOfAllStates();
  own.drop('unknown.csv', 'a;b\n1;2\n');
  await own.night();
  const open = async () => JSON.parse((await commandIn(own, '--json', 'errors')).out);
  const { documents } = await open();
  const ids = (documents as { id: string; state: State }[])
    .filter(({ state }) => state !== 'in-doubt' && state !== 'invalidated')
    .map(({ id }) => id);
  expect((await commandIn(own, 'set-aside', ...ids, ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'acknowledge', '--state', 'invalidated', '--yes', ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'set-aside', 'unknown.csv', ...WHY)).code).toBe(0);
  const proof = ['--evidence', join(own.root, 'nightpost.yaml')];
  expect((await commandIn(own, 'resolve', NUMBERS['in-doubt'], '--as', 'authorized', ...proof, ...WHY)).code).toBe(0);
  await own.night();
  expect(await open()).toMatchObject({ documents: [], files: [] });
  const { measures } = JSON.parse((await commandIn(own, '--json', 'status', '--check')).out);
  expect(measures).toMatchObject({ waiting: 0, files_refused: 0 });
  const states = tally(await own.entries());
  expect(states).toMatchObject({ rejected: 1, failed: 1, refused: 1, returned: 1, invalidated: 1 });
  const receipt = JSON.parse((await commandIn(own, '--json', 'show', NUMBERS.rejected)).out);
  expect(receipt).toMatchObject({ state: 'rejected', closed: { as: 'set-aside', by: 'anna' } });
  const verified = await commandIn(own, 'verify');
  expect(verified.code).toBe(0);
  expect((await commandIn(own, 'undo', 'unknown.csv', ...WHY)).code).toBe(0);
  expect((await open()).files).toHaveLength(1);
  expect(existsSync(join(own.root, 'state'))).toBe(true);
});

test('by folder: a rejected document is set aside, an invalidated one acknowledged', async () => {
  await using own = await nightOfAllStates();
  const receipts = own.files('error').filter((path) => path.endsWith('.receipt.json'));
  for (const number of [NUMBERS.rejected, NUMBERS.invalidated, NUMBERS['in-doubt']]) {
    const path = receipts.find((one) => one.endsWith(`/${number}.receipt.json`));
    copyFileSync(join(own.root, path!), join(own.root, 'pending/reject', `${number}.receipt.json`));
  }
  await own.night();
  expect((await entryOf(own, NUMBERS.rejected)).closed).toMatchObject({ as: 'set-aside' });
  expect((await entryOf(own, NUMBERS.invalidated)).closed).toMatchObject({ as: 'acknowledged' });
  expect((await entryOf(own, NUMBERS['in-doubt'])).closed).toBeUndefined();
  expect((await commandIn(own, 'undo', NUMBERS.rejected, ...WHY)).code).toBe(0);
});

test('an export that will not come is waived for its day, and expected again', async () => {
  const expect_ = [
    { name: 'cash', files: 'cash*.csv', by: '00:00', on: 'daily' },
    { name: 'monthly', files: 'month*.csv', by: '00:00', on: { monthly: 1 } },
  ];
  await using own = await openScene({ settings: { expect: expect_ } });
  await inUseFor(own, 60);
  expect((await commandIn(own, 'run')).code).toBe(7);
  expect((await commandIn(own, 'waive', 'cash', '--day', '2026-02-30', ...WHY)).code).toBe(2);
  expect((await commandIn(own, 'waive', 'monthly', '--day', '2026-11-02', ...WHY)).err).toContain('waive/not-due');
  const old = await commandIn(own, 'waive', 'cash', '--day', '2026-01-02', ...WHY, '--json');
  expect([old.code, JSON.parse(old.out)]).toMatchObject([3, { export: 'cash', waived: false }]);
  expect((await commandIn(own, 'waive', 'monthly', ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'waive', 'cash', ...WHY, '--dry-run')).code).toBe(0);
  expect((await commandIn(own, 'run')).code).toBe(7);
  expect((await commandIn(own, 'waive', 'cash', ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'run')).code).toBe(0);
  const { expected } = JSON.parse((await commandIn(own, '--json', 'status')).out);
  expect(expected[0]).toMatchObject({ name: 'cash', state: 'waived', by: 'anna', reason: 'checked at the service' });
  expect((await commandIn(own, 'waive', 'cash', ...WHY)).code).toBe(3);
  expect((await commandIn(own, 'undo', 'cash', ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'run')).code).toBe(7);
  own.drop('cash1.csv', 'a;b\n');
  expect((await commandIn(own, 'undo', 'cash', ...WHY)).code).toBe(3);
});

test('of a purged document whose last decision was undone, nothing is undone once more', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', sales(['F6-XLOST']));
  await own.night();
  const { id } = (await own.entries())[0]!;
  writeFileSync(join(own.root, 'portal.png'), 'a picture');
  const found = ['--as', 'authorized', '--evidence', join(own.root, 'portal.png'), ...WHY];
  expect((await commandIn(own, 'resolve', id, ...found)).code).toBe(0);
  expect((await commandIn(own, 'undo', id, ...WHY)).code).toBe(0);
  expect((await commandIn(own, 'consult', id)).code).toBe(0);
  expect((await commandIn(own, 'purge', '--subject', 'Client F6-XLOST', ...WHY)).code).toBe(0);
  expect((await own.entries())[0]!.purged).toBeDefined();
  const again = await commandIn(own, 'undo', id, ...WHY);
  expect([again.code, again.err]).toEqual([3, '']);
});
