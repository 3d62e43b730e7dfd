/** A stop between moving an export into the archive and noting it: the next run finds it there, and so does who reads it meanwhile. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { fileArchive } from '../../../src/console/screens/files/file-screen.ts';
import type { ScreenContext } from '../../../src/console/server/screen-context.ts';
import type { SourceFile } from '../../../src/model/ledger-entry.ts';
import { inputFor } from '../../../src/pipeline/admission/admit-file.ts';
import { openRows } from '../../../src/pipeline/answers/source-rows.ts';
import { changed } from '../../../src/pipeline/reprocessing/reconvert-source.ts';
import { bytesOf } from '../../../src/pipeline/sources/open-file-stream.ts';
import { readableSource } from '../../../src/pipeline/sources/source-now.ts';
import { sha256Hex } from '../../../src/text/sha256.ts';
import { beforeEachStatement, openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

/** The note that a file is archived is never made. */
const unnoted = beforeEachStatement((sql) => {
  if (sql.includes('archived_at = ?')) throw new Error('stopped before the note');
});

test('an export that is in the archive already, with a summary and a correction file due again', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace('F2;05/09/2026', 'F2;05/13/2026'));
  await expect(scene.night({ through: unnoted })).rejects.toThrow('stopped before the note');
  expect(scene.files('processing')).toEqual([]);
  const ledger = new DatabaseSync(`${scene.root}/state/ledger.sqlite`);
  ledger.exec('UPDATE summary SET changes = changes + 1');
  ledger.close();
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  expect(scene.files('error').filter((path) => path.endsWith('.to-fix.csv'))).toHaveLength(1);
  const [file] = await scene.look((books) => books.queries.files({}));
  expect(file).toMatchObject({ archivedAt: expect.any(String), path: expect.stringContaining('/archive/') });
});

test('a document is corrected while its export is in the archive and its record says where it was', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
  await expect(scene.night({ through: unnoted })).rejects.toThrow('stopped before the note');
  const [file] = await scene.look((books) => books.queries.files({}));
  expect(file?.path).toContain('/processing/');
  const shown = await commandIn(scene, 'fix', 'F1', 'Qte=2', '--reason', 'misread', '--dry-run', '--json');
  expect(JSON.parse(shown.out).documents).toMatchObject([{ becomes: 'ready' }]);
});

test('bytes of a source are read where they moved to after the look', async () => {
  await using scene = await openScene();
  const [before, after] = ['a.csv', 'b.csv'].map((name) => join(scene.root, name)) as [string, string];
  writeFileSync(after, 'x');
  const pieces: string[] = [];
  for await (const piece of bytesOf(before, async () => after)) pieces.push(Buffer.from(piece).toString());
  expect(pieces).toEqual(['x']);
  const lost = bytesOf(before, async () => undefined);
  await expect(lost.next()).rejects.toMatchObject({ code: 'ENOENT' });
});

test('FILE-CONTENT() is that of a source which moved after the look', async () => {
  await using scene = await openScene();
  const { file, move } = exportOf(scene, 'Num;Date');
  const instance = scene.instance();
  const read = { ...readableSource(scene.root, file), claimedAt: new Date().toISOString() };
  const { facts } = inputFor({ instance }, read, instance.mappings[0]!);
  expect(Buffer.from(facts.file.base64(), 'base64').toString()).toBe('Num;Date');
  move();
  expect(Buffer.from(facts.file.base64(), 'base64').toString()).toBe('Num;Date');
});

test('a file in the place of the archive folder leaves a source missing, not an error of the system', async () => {
  await using scene = await openScene();
  const file = join(scene.root, 'a');
  writeFileSync(file, 'x');
  expect(await changed({ name: 'b.csv', path: join(file, 'b.csv'), sha256: '' } as SourceFile)).toMatchObject({
    code: 'reprocess/source-missing',
  });
});

/** An export as its record has it, in processing/; `move` puts it into the archive. */
function exportOf({ root }: Scene, text: string) {
  const path = join(root, 'processing', 'ventes.csv');
  const sha256 = sha256Hex(text);
  const archived = join(root, 'archive', '2026-11', `${sha256.slice(0, 16)}-ventes.csv`);
  writeFileSync(path, text);
  mkdirSync(dirname(archived), { recursive: true });
  const file = { id: 'a', name: 'ventes.csv', path, sha256, day: '2026-11-20' } as SourceFile;
  return { file, archived, move: () => renameSync(path, archived) };
}

test('an export that moves during its download arrives whole', async () => {
  await using scene = await openScene();
  const text = sales(['F1']);
  const { file, move } = exportOf(scene, text);
  const download = async (record: () => void) => {
    const queries = { sourceFile: async () => file };
    const context = { instance: { folder: scene.root }, ledger: { queries }, params: {}, record };
    const answer = await fileArchive(context as unknown as ScreenContext);
    return await (answer as Response).text();
  };
  expect(await download(move)).toBe(text);
  expect(await download(() => {})).toBe(text);
});

test('rows for the ERP are read where the export moved to meanwhile', async () => {
  await using scene = await openScene();
  const { file, archived, move } = exportOf(scene, sales(['F1', 'F2']));
  const [mapping] = scene.instance().mappings;
  const rows = openRows({ mapping: mapping!, file: { ...file, moved: async () => archived } });
  move();
  expect([...(await rows.take(new Set([2]))).keys()]).toEqual([2]);
});
