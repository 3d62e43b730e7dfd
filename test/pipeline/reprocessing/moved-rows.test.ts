/** A person corrects rows from one document into another, while a second person releases one of both: each row is sent once. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { endQuarantineOf } from '../../../src/maintenance/restore-instance.ts';
import type { Correction, LedgerEntry } from '../../../src/model/ledger-entry.ts';
import type { RunContext } from '../../../src/pipeline/context/run-context.ts';
import { takeDecisions } from '../../../src/pipeline/reprocessing/folder-decisions.ts';
import { reprocess } from '../../../src/pipeline/reprocessing/reprocess-documents.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const HELD = { settings: { run: { hold: { over: { EUR: '1' } }, 'give-up-after': '5s' } } };

/** Corrects cells, and the limit; meanwhile, a person moves the receipt of a document into `pending/release`. */
async function correctWhileReleased(
  scene: Scene,
  cells: readonly Partial<Correction>[],
  released: string,
  then?: (work: RunContext) => Promise<unknown>,
) {
  const settings = join(scene.root, 'nightpost.yaml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('EUR: "1"', 'EUR: "1000"'));
  const at = new Date().toISOString();
  let results: Awaited<ReturnType<typeof reprocess>> = [];
  const [receipt] = scene.files('pending').filter((path) => path.endsWith(`/${released}.receipt.json`));
  await scene.desk(async (work) => {
    const entries: LedgerEntry[] = [];
    for await (const found of work.ledger.queries.find({ states: ['held'] })) entries.push(found);
    const ledger: typeof work.ledger = {
      ...work.ledger,
      intake: {
        ...work.ledger.intake,
        admit: async (...admission) => {
          mkdirSync(join(scene.root, 'pending/release'), { recursive: true });
          renameSync(join(scene.root, receipt!), join(scene.root, 'pending/release', basename(receipt!)));
          // A watch does this next to the act of a person.
          await takeDecisions(work);
          return await work.ledger.intake.admit(...admission);
        },
      },
    };
    const whole = { column: 'Num', by: 'anna', at, reason: 'the wrong document' };
    const corrections = cells.map((one) => ({ ...whole, ...one }) as Correction);
    results = await reprocess({ ...work, ledger }, entries, { by: 'anna', reason: whole.reason, at, corrections });
    await then?.(work);
  });
  await scene.night();
  return results.map((one) => [one.entry.facts.identifier, 'fault' in one ? one.fault.code : one.state]);
}

/** The rows of each document that the service has. */
const rowsOut = async (scene: Scene) =>
  (await scene.entries()).filter(({ state }) => state === 'authorized').map(({ rows }) => rows);

test('a document that is released while it becomes part of another one', async () => {
  await using scene = await openScene(HELD);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  const joined = [4, 5].flatMap((row) => [
    { row, from: 'F2', to: 'F1' },
    { row, column: 'Client', from: 'Client F2', to: 'Client F1' },
    { row, column: 'Lig', from: String(row - 3), to: String(row) },
  ]);
  // What was planned did not come to be.
  expect(await correctWhileReleased(scene, joined, 'F2')).toEqual([
    ['F1', 'fix/changed-meanwhile'],
    ['F2', 'fix/changed-meanwhile'],
  ]);
  expect(await rowsOut(scene)).toEqual([[4, 5]]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a document that is released while it is split', async () => {
  await using scene = await openScene(HELD);
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const split = [{ row: 3, from: 'F1', to: 'F2' }];
  expect(await correctWhileReleased(scene, split, 'F1')).toEqual([['F1', 'fix/changed-meanwhile']]);
  expect(await rowsOut(scene)).toEqual([[2, 3]]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

/** F1 was released while it was split, and is sent; F3 has what is set apart. */
async function setApart() {
  const scene = await openScene(HELD);
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  await correctWhileReleased(scene, [{ row: 3, from: 'F1', to: 'F2' }], 'F1', async (work) => {
    const decision = { by: 'anna', at: new Date().toISOString(), reason: 'another number' };
    const corrections = [{ row: 3, column: 'Num', from: 'F2', to: 'F3', ...decision }];
    for await (const part of work.ledger.queries.find({ states: ['conflict', 'invalid'] }))
      await reprocess(work, [part], { ...decision, corrections });
  });
  expect(await rowsOut(scene)).toEqual([[2, 3]]);
  return scene;
}

test('what is set apart, and released after the other one was sent, waits once more and says so', async () => {
  await using scene = await setApart();
  const again = await commandIn(scene, 'release', 'F3', '--reason', 'looked at it', '--json');
  expect(again.code).toBe(3);
  expect(JSON.parse(again.out)).toMatchObject({ documents: [{ number: 'F3', was: 'held', why: expect.any(String) }] });
  expect(await commandIn(scene, 'release', 'F3', '--reason', 'looked at it')).toMatchObject({ code: 0 });
});

test('so it does where its receipt is moved into the folder for releases', async () => {
  await using scene = await setApart();
  const receipt = scene.files('pending').find((path) => path.endsWith('.receipt.json'))!;
  renameSync(join(scene.root, receipt), join(scene.root, 'pending/release', basename(receipt)));
  const states: unknown[] = [];
  await scene.desk(async (work) => {
    const emit: typeof work.emit = (happening) => happening.what === 'document' && states.push(happening.state);
    await takeDecisions({ ...work, emit });
  });
  expect(states).toEqual(['held']);
});

test('a late answer about a document whose rows are in another one now', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-XLOST', 'F2-XLOST']));
  await scene.night();
  const at = new Date().toISOString();
  const who = { by: 'anna', at, reason: 'the portal does not show it' };
  const entries = await scene.entries();
  await scene.desk(async (work) => {
    const [, other] = entries as [LedgerEntry, LedgerEntry];
    const { id, revision, kind, service, class: of, facts } = other;
    const named = { identifier: facts.identifier, mapping: other.file.mapping!, tries: 0 };
    const due = { id, revision, kind, service, class: of, ...named };
    const asked = await work.ledger.submissions.beginConsult(due, { requestId: 'consult', at, run: work.run });
    for (const one of entries) await work.ledger.submissions.resolve(one.id, { as: 'rejected', ...who });
    const whole = { column: 'Num', by: 'anna', at, reason: 'the wrong document' };
    const corrections = [4, 5].flatMap((row) => [
      { ...whole, row, from: 'F2-XLOST', to: 'F1-XLOST' },
      { ...whole, row, column: 'Client', from: 'Client F2-XLOST', to: 'Client F1-XLOST' },
      { ...whole, row, column: 'Lig', from: String(row - 3), to: String(row) },
    ]);
    const rejected: LedgerEntry[] = [];
    for await (const found of work.ledger.queries.find({ states: ['rejected'] })) rejected.push(found);
    await reprocess(work, rejected, { ...who, corrections });
    const exchange = { sent: true, status: 200, headers: {}, body: '{"code":2}' } as const;
    const verdict = { state: 'authorized', reason: 'it is there' } as const;
    await work.ledger.submissions.finishConsult(asked!, { exchange, ms: 1 }, verdict, at);
  });
  const { length } = scene.sandbox.acceptances();
  await scene.night();
  expect(scene.sandbox.acceptances()).toHaveLength(length);
  expect((await scene.entries()).map(({ state, hold, rows }) => [state, hold?.rule, rows])).toEqual([
    ['held', 'rows-issued', [2, 3, 4, 5]],
    ['duplicate', undefined, []],
  ]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a document of which an earlier content is not known holds what is split from it', async () => {
  await using scene = await openScene();
  for (const quantity of ['2', '3']) {
    scene.drop(`ventes-${quantity}.csv`, sales(['F1-X6'], quantity));
    await scene.night();
  }
  expect((await scene.entries()).map(({ state, revision }) => [state, revision])).toEqual([['rejected', 2]]);
  for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'installation.json'])
    rmSync(join(scene.root, 'state', name), { force: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  await endQuarantineOf(scene.instance(), { by: 'anna', reason: 'test' });
  const at = new Date().toISOString();
  const decision = { by: 'anna', reason: 'the wrong document', at };
  const [entry] = await scene.entries();
  const row = entry!.rows.at(-1)!;
  const corrections = [{ row, column: 'Num', from: 'F1-X6', to: 'F2', ...decision }];
  await scene.desk(async (work) => await reprocess(work, [entry!], { ...decision, corrections }));
  await scene.night();
  const found = (await scene.entries()).map(({ facts, state, hold }) => [facts.identifier, state, hold?.rule]);
  expect(found.toSorted()).toEqual([
    ['F1-X6', 'held', 'restored'],
    ['F2', 'held', 'restored'],
  ]);
});
