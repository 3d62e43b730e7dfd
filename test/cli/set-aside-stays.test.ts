/** What a person has set aside: an act on a filter or a whole file leaves it, an act on its name or on its own cause takes it back. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PersonAct, seenDocument } from '../../src/decisions/act.ts';
import { carryOut } from '../../src/decisions/carry-out.ts';
import { isClosed } from '../../src/model/ledger-entry.ts';
import { must } from '../../src/model/must.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'test', '--by', 'anna'];
let scene: Scene;

/** To correct (A), rejected (B) and failed (C): the first of each is set aside, then the mapping reads all of them. */
beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1', 'A2'], '2O'));
  scene.drop('ventes-2.csv', sales(['B1-X6', 'B2-X6']));
  scene.drop('ventes-3.csv', sales(['C1-X4', 'C2-X4']));
  await commandIn(scene, 'run');
  for (const number of ['A1', 'B1-X6', 'C1-X4']) {
    expect(await commandIn(scene, 'set-aside', number, ...WHY)).toMatchObject({ code: 0 });
  }
  const mapping = join(scene.root, 'mappings', 'sales.yaml');
  const text = readFileSync(mapping, 'utf8');
  writeFileSync(mapping, text.replaceAll('$Qte', '1').replace('Qte: number, ', ''));
});
afterAll(async () => await scene[Symbol.asyncDispose]());

test.each<[string, readonly string[], readonly string[]]>([
  ['reprocess', ['--mapping', 'sales'], ['A2', 'B2-X6', 'C2-X4']],
  ['reprocess', ['--state', 'invalid'], ['A2']],
  ['reprocess', ['ventes-1.csv'], ['A2']],
  ['reprocess', ['--cause', 'set-aside'], ['A1', 'B1-X6', 'C1-X4']],
  ['reprocess', ['A1'], ['A1']],
  ['fix', ['--mapping', 'sales', '--from', 'Client A1', 'Client=Other'], []],
  ['fix', ['--mapping', 'sales', '--from', 'Client B1-X6', 'Client=Other'], []],
  ['fix', ['--mapping', 'sales', '--from', 'Client B2-X6', 'Client=Other'], ['B2-X6']],
  ['fix', ['B1-X6', 'Client=Other'], ['B1-X6']],
  ['retry', ['--state', 'failed'], ['C2-X4']],
  ['retry', ['C1-X4'], ['C1-X4']],
])('%s %s', async (act, args, meant) => {
  const { out } = await commandIn(scene, '--json', act, ...args, ...WHY, '--yes', '--dry-run');
  const { documents = [] }: { readonly documents?: readonly { readonly number: string }[] } = JSON.parse(out);
  expect(documents.map(({ number }) => number).sort()).toEqual(meant);
});

test('nothing of it is sent', async () => {
  const before = scene.sandbox.acceptances().length;
  await commandIn(scene, 'reprocess', '--mapping', 'sales', ...WHY, '--yes');
  await commandIn(scene, 'retry', '--state', 'failed', ...WHY, '--yes');
  await commandIn(scene, 'run');
  const states = new Map((await scene.entries()).map(({ facts, state }) => [facts.identifier, state]));
  expect(['A1', 'A2', 'B1-X6', 'C1-X4'].map((number) => states.get(number))).toEqual([
    'invalid',
    'authorized',
    'rejected',
    'failed',
  ]);
  expect(scene.sandbox.acceptances().slice(before)).toMatchObject([{ number: 'A2' }]);
});

test.each<[string, object]>([
  ['B1-X6', { act: 'replace-cells', column: 'Client', from: 'Client B1-X6', to: 'Other' }],
  ['B2-X6', { act: 'fix', edits: [2, 3].map((row) => ({ row, column: 'Client', from: 'Client B2-X6', to: 'Other' })) }],
  ['B3-X6', { act: 'reprocess' }],
  ['C1-X4', { act: 'retry' }],
])('%s, set aside since the person saw it, stays so: %o', async (number, { edits, ...act }: { edits?: object[] }) => {
  await using night = await openScene();
  night.drop('ventes.csv', sales([number]));
  await commandIn(night, 'run');
  const one = async () => must((await night.entries())[0], 'the document');
  const seen = { ...seenDocument(await one()), ...(edits && { edits }) };
  await commandIn(night, 'set-aside', number, ...WHY);
  const decision = { by: 'bruno', reason: 'test', at: '2026-11-22T10:00:00.000Z' };
  const asked = { ...act, documents: [seen] } as unknown as PersonAct;
  const result = await night.desk((work) => carryOut(work, { id: 'late', act: asked, decision }));
  expect(JSON.stringify(result)).toContain('changed-meanwhile');
  expect(await one()).toMatchObject({ revision: 1, closed: { as: 'set-aside' } });
  // Who sees that it is set aside may bring it back.
  const again = { ...asked, documents: [{ ...seenDocument(await one()), ...(edits && { edits }) }] } as PersonAct;
  await night.desk((work) => carryOut(work, { id: 'again', act: again, decision }));
  if (number !== 'B3-X6') expect(await one()).toMatchObject({ state: 'ready' });
});

test('a set-aside that was cut off before its answer is done, not refused', async () => {
  await using night = await openScene();
  night.drop('ventes.csv', sales(['B1-X6']));
  await commandIn(night, 'run');
  const act = { act: 'set-aside' as const, documents: (await night.entries()).map(seenDocument) };
  const decision = { by: 'bruno', reason: 'test', at: '2026-11-22T10:00:00.000Z' };
  const results = [];
  for (let n = 0; n < 2; n++) results.push(await night.desk((work) => carryOut(work, { id: 'cut', act, decision })));
  expect(results[1]).toEqual(results[0]);
});

test('a row that is corrected next to it, or into it, does not bring it back', async () => {
  await using night = await openScene();
  const text = sales(['F1', 'F2', 'F3']).split('\n');
  night.drop(
    'ventes.csv',
    [...text.slice(0, 2), must(text[2], 'a row').replace('F1;', ';'), ...text.slice(3)].join('\n'),
  );
  await commandIn(night, 'run');
  const rows = (await night.entries()).find(({ facts }) => facts.identifier === '');
  const { name } = must(rows, 'the row without a number');
  await commandIn(night, 'set-aside', 'F1', 'F2', ...WHY);
  const { out } = await commandIn(night, '--json', 'fix', name, 'Num=F1', ...WHY);
  expect(out).toContain('reprocess/rows-differ');
  await commandIn(night, 'run');
  const sent = () => night.sandbox.acceptances().map(({ number }) => number);
  expect(sent()).toEqual(['F3']);
  const aside = (await night.entries()).filter((entry) => isClosed(entry)).map(({ facts }) => facts.identifier);
  expect(aside.sort()).toEqual(['F1', 'F2']);
  // Who takes that back can correct the row into it.
  await commandIn(night, 'undo', 'F1', ...WHY);
  await commandIn(night, 'fix', name, 'Num=F1', ...WHY);
  await commandIn(night, 'run');
  expect(sent()).toEqual(['F3', 'F1']);
});
