/** Two versions of a mapping over files: what comes, goes and changes, with its cells; and a file against the ledger. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ArchiveDiff, diffArchive, versionOf } from '../../../src/views/preview/diff-archive.ts';
import { diffWithLedger, type LedgerDifference } from '../../../src/views/preview/diff-ledger.ts';
import { countDifferences } from '../../../src/views/preview/diff-summary.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';

type Version = { readonly [from: string]: string };

/** SALES_MAPPING with replacements, as a file outside the mappings folder. */
function version(scene: Scene, name: string, changes: Version): string {
  let text = SALES_MAPPING;
  for (const [from, to] of Object.entries(changes)) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  const path = join(scene.root, name);
  writeFileSync(path, text);
  return path;
}

async function compare(scene: Scene, changes: Version, text: string, old: Version = {}) {
  const path = join(scene.root, 'ventes.csv');
  writeFileSync(path, text);
  const instance = scene.instance();
  const versions = {
    old: versionOf(instance, version(scene, 'old.yaml', old)),
    new: versionOf(instance, version(scene, 'new.yaml', changes)),
  };
  const told: ArchiveDiff[] = [];
  const counting = countDifferences();
  for await (const one of diffArchive(instance, versions, [path])) {
    told.push(one);
    counting.see(one);
  }
  const documents = told.flatMap((one) => ('document' in one ? [one.document] : []));
  return { told, documents, summary: counting.summary() };
}

test('nothing changes between a mapping and itself', async () => {
  await using scene = await openScene();
  const { summary } = await compare(scene, {}, sales(['F1', 'F2']));
  expect(summary).toEqual({
    files: 1,
    documents: { same: 2, changed: 0, added: 0, removed: 0, refused: 0, mended: 0 },
    fields: [],
    faults: [],
    unreadable: { old: 0, new: 0, both: 0 },
  });
});

test('a changed rule shows its field, old and new, its cells and its line, and is counted once per document', async () => {
  await using scene = await openScene();
  const rule = { 'net: = ROUND($Qte * $PU, 2)': 'net: = ROUND($Qte * $PU * 2, 1)' };
  const { documents, summary } = await compare(scene, rule, sales(['F1', 'F2']));
  expect(documents.map(({ what, identifier }) => [what, identifier])).toEqual([
    ['changed', 'F1'],
    ['changed', 'F2'],
  ]);
  const net = documents[1]!.changes.find(({ at }) => at === '/lines/1/net-amount')!;
  expect(net).toMatchObject({ before: '21', after: '42', rule: { file: 'new.yaml' } });
  expect(net.from.map(({ row, column }) => `${row}:${column}`)).toEqual(['5:Qte', '5:PU']);
  expect(summary.fields.find(({ at }) => at === '/lines/*/net-amount')).toEqual({
    at: '/lines/*/net-amount',
    documents: 2,
    example: { identifier: 'F1', before: '21', after: '42' },
  });
});

test('documents that are left out, come, take another number or another class', async () => {
  await using scene = await openScene();
  const keep = { '  class: invoice': '  class: invoice\n  keep: = $Num <> "F2"' };
  const less = await compare(scene, keep, sales(['F1', 'F2', 'F3']));
  expect(less.documents.filter(({ what }) => what !== 'same')).toMatchObject([{ what: 'removed', identifier: 'F2' }]);
  const more = await compare(scene, {}, sales(['F1', 'F2', 'F3']), keep);
  expect(more.documents.filter(({ what }) => what !== 'same')).toMatchObject([{ what: 'added', identifier: 'F2' }]);
  const renamed = await compare(scene, { 'identifier: $Num': 'identifier: = "X-" & $Num' }, sales(['F1']));
  expect(renamed.documents).toMatchObject([{ what: 'changed', identifier: 'X-F1', was: 'F1' }]);
  const other = await compare(scene, { 'class: invoice': 'class: credit-note' }, sales(['F1']));
  expect(other.documents[0]!.changes).toContainEqual({
    at: 'class',
    before: 'invoice',
    after: 'credit-note',
    from: [],
  });
});

test('faults that appear and disappear, and a file that one version cannot read', async () => {
  await using scene = await openScene();
  const text = sales(['F1', 'F2']).replaceAll('F2;1;2;', 'F2;1;x;');
  const { documents } = await compare(scene, {}, text);
  expect(documents.map(({ what }) => what)).toEqual(['same', 'same']);
  const path = join(scene.root, 'strict.yaml');
  const check = '\nchecks:\n  - { that: "= SUM($net) < 10", else: error, say: Too much }\n';
  writeFileSync(path, SALES_MAPPING + check);
  const instance = scene.instance();
  const versions = { old: versionOf(instance, 'sales'), new: versionOf(instance, path) };
  const told: ArchiveDiff[] = [];
  for await (const one of diffArchive(instance, versions, [join(scene.root, 'ventes.csv')])) told.push(one);
  expect(told).toMatchObject([
    { document: { what: 'refused', identifier: 'F1', appear: [{ code: 'map/check-failed' }], disappear: [] } },
    { document: { what: 'same', identifier: 'F2' } },
  ]);
  const gone = await compare(scene, { 'receiver: { name: $Client }': 'receiver: { name: $Kunde }' }, text);
  expect(gone.told.at(-1)).toMatchObject({ unreadable: { old: [], new: [{ code: 'map/no-such-column' }] } });
  expect(gone.summary.unreadable).toEqual({ old: 0, new: 1, both: 0 });
});

test('more documents than are kept in memory, all of them under other numbers, still find their twins', async () => {
  await using scene = await openScene();
  const numbers = Array.from({ length: 2500 }, (_, n) => `F${n}`);
  const { summary } = await compare(scene, { 'identifier: $Num': 'identifier: = "X-" & $Num' }, sales(numbers));
  expect(summary.documents).toEqual({ same: 0, changed: 2500, added: 0, removed: 0, refused: 0, mended: 0 });
});

test('the archive is read under the names of the day, other files are left alone', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  writeFileSync(join(scene.root, 'archive/other.txt'), 'nothing');
  const instance = scene.instance();
  const versions = { old: versionOf(instance, 'sales'), new: versionOf(instance, 'sales') };
  const told: ArchiveDiff[] = [];
  for await (const one of diffArchive(instance, versions, [instance.paths.archive])) told.push(one);
  expect(told).toMatchObject([{ file: 'ventes.csv', document: { what: 'same', identifier: 'F1' } }]);
  expect(() => versionOf(instance, 'nowhere.yaml')).toThrow('nowhere.yaml');
});

test('a file held against the ledger: same, changed, new, refused now', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  await scene.night();
  const path = join(scene.root, 'ventes-2.csv');
  const text = sales(['F1', 'F2', 'F3', 'F4']).replaceAll('F2;1;2;', 'F2;1;3;').replaceAll('F3;1;2;', 'F3;1;x;');
  writeFileSync(path, text);
  const found: LedgerDifference[] = [];
  await scene.look(async (ledger) => {
    for await (const one of diffWithLedger({ instance: scene.instance(), ledger }, path, new Date())) found.push(one);
  });
  expect(found.map(({ what, identifier }) => [what, identifier])).toEqual([
    ['same', 'F1'],
    ['changed', 'F2'],
    ['now-refused', 'F3'],
    ['new', 'F4'],
  ]);
  expect(found[1]!.recorded).toMatchObject({ state: 'authorized', mapping: 'sales 1' });
  expect(found[1]!.changes.find(({ at }) => at === '/lines/0/quantity')).toMatchObject({
    before: '2',
    after: '3',
    from: [{ row: 4, column: 'Qte' }],
  });
});
