/**
 * An act that is cut off before any of its commits, and completed by the next holder of the lock: done once, with its
 * answer. The short form takes every other commit, the others with another seed; TORTURE=1, as .ci/run has it, takes each.
 */
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { type PersonAct, seenDocument } from '../../../src/decisions/act.ts';
import { readAnswer } from '../../../src/decisions/act-result.ts';
import { openRequestQueue } from '../../../src/ledger/requests/open-request-queue.ts';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { LedgerUnavailable } from '../../../src/model/ledger-unavailable.ts';
import { openScene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { seed } from '../../seed.ts';

const SETTINGS = { inbox: { settle: '1ms' }, run: { 'give-up-after': '1s', hold: { over: { EUR: '60' } } } };
const REASON = 'the reason of this request';

/** Every commit after the first `count` fails, as if the program were killed there. */
function cutAfter(count: number): { readonly through: (driver: Driver) => Driver; readonly isCut: () => boolean } {
  let made = 0;
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: (work, ends) =>
      ++made > count
        ? Promise.reject(new LedgerUnavailable('ledger/write-failed', new Error('cut')))
        : driver.write(work, ends),
  });
  return { through, isCut: () => made > count };
}

type Case = {
  readonly number?: string;
  readonly quantity: string;
  readonly before?: readonly (readonly string[])[];
  readonly act: (entry: LedgerEntry) => PersonAct;
  readonly answer: object;
  readonly state: string;
  readonly accepted: number;
  /** Cells that the act changes. */
  readonly cells?: number;
};

const STEP = process.env.TORTURE ? 1 : 2;

const TRY = ['--reason', 'a first try'];
const edits = [2, 3].map((row) => ({ row, column: 'Qte', from: '2O', to: '2' }));
const document = (entry: LedgerEntry) => seenDocument(entry);
const UNDO = {
  act: (entry: LedgerEntry): PersonAct => ({ act: 'undo', document: document(entry) }),
  answer: { result: { outcome: 'correction-undone' } },
  cells: 2,
};
const CASES: { readonly [name: string]: Case } = {
  release: {
    quantity: '3',
    act: (entry) => ({ act: 'release', documents: [document(entry)] }),
    answer: { result: { documents: [{ done: true }] } },
    state: 'authorized',
    accepted: 1,
  },
  'set aside': {
    quantity: '3',
    act: (entry) => ({ act: 'set-aside', documents: [document(entry)] }),
    answer: { result: { documents: [{ done: true }] } },
    state: 'invalid',
    accepted: 0,
  },
  fix: {
    quantity: '2O',
    act: (entry) => ({ act: 'fix', documents: [{ ...document(entry), edits }] }),
    answer: { result: { documents: [{ entry: { facts: { identifier: 'F1' } } }] } },
    state: 'authorized',
    accepted: 1,
  },
  'undo of a correction': {
    quantity: '2O',
    before: [['fix', 'F1', 'Qte=3O', ...TRY]],
    ...UNDO,
    state: 'invalid',
    accepted: 0,
  },
  'undo of the correction of a rejected document': {
    number: 'F6-X6',
    quantity: '1',
    before: [['fix', 'F6-X6', 'Qte=3', ...TRY]],
    ...UNDO,
    state: 'rejected',
    accepted: 0,
  },
  'undo of the correction of a document that was set aside': {
    quantity: '2O',
    before: [
      ['set-aside', 'F1', ...TRY],
      ['fix', 'F1', 'Qte=3', ...TRY],
    ],
    ...UNDO,
    state: 'invalid',
    accepted: 0,
  },
  'undo of the correction of a held document': {
    quantity: '3',
    before: [['fix', 'F1', 'Qte=4', ...TRY]],
    ...UNDO,
    state: 'held',
    accepted: 0,
  },
};

test.each(Object.entries(CASES))('%s: cut off before each of its commits', async (_, wanted) => {
  for (let commits = seed % STEP, isCut = true; isCut; commits += STEP) {
    await using scene = await openScene({ settings: SETTINGS });
    scene.drop('ventes-1.csv', sales([wanted.number ?? 'F1'], wanted.quantity));
    await scene.night();
    for (const words of wanted.before ?? []) await commandIn(scene, ...words);
    const [entry] = await scene.entries();
    await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
    const act = JSON.stringify(wanted.act(entry!));
    await queue.add({ id: 'key', at: new Date().toISOString(), person: 'anna', reason: REASON, act });
    const cut = cutAfter(commits);
    await scene.night({ through: cut.through }).catch(() => undefined);
    isCut = cut.isCut();
    await scene.night();
    await scene.night();
    const name = `after ${commits} commits`;
    expect(readAnswer((await queue.answerOf('key')) ?? 'none'), name).toMatchObject(wanted.answer);
    const history = await scene.look((ledger) => ledger.queries.historyOf(entry!.id));
    const own = history.filter(({ detail }) => (detail as { reason?: string } | undefined)?.reason === REASON);
    const once = new Set(own.map(({ what }) => what));
    expect([own.length, once.size > 0], name).toEqual([once.size, true]);
    const [now] = await scene.entries();
    const accepted = scene.sandbox.acceptances().reduce((sum, one) => sum + one.accepted, 0);
    // The run sends what it has carried out: a stop between a submission and its answer leaves it in doubt.
    const isCutOff = now!.state === 'in-doubt' && now!.attempts.filter((one) => one.act === 'submit').length === 1;
    if (isCutOff) expect(accepted, name).toBeLessThanOrEqual(wanted.accepted);
    else expect([now!.state, accepted], name).toEqual([wanted.state, wanted.accepted]);
    const corrections = await scene.look((ledger) =>
      ledger.queries.correctionsOf(entry!.file.rereads ?? entry!.file.id),
    );
    const cells = corrections.filter(({ reason }) => reason === REASON).map(({ row, column }) => `${row} ${column}`);
    expect(new Set(cells).size, name).toBe(cells.length);
    expect(cells, name).toHaveLength(wanted.cells ?? cells.length);
  }
});
