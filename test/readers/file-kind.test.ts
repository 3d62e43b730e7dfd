/**
 * What a file is, before any mapping reads it: a workbook that a password encrypts is named as such by `infer` and where no mapping
 * takes its name, and a pipe is not waited for.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INFER_PROBLEM } from '../../src/i18n/messages/infer-messages.ts';
import { FILE_TEXT } from '../../src/i18n/messages/readers-messages.ts';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { isCorrectionFile } from '../../src/readers/correction-file/recognize-correction-file.ts';
import { fileKindOf } from '../../src/readers/file-kind.ts';
import { temporaryFolder } from '../ledger/folder.ts';

const compound = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2040), Buffer.from(stream, 'utf16le')]);

test.each([
  ['encrypted', 'encrypted', 'EncryptedPackage', FILE_TEXT.encryptedWorkbook(), INFER_PROBLEM.encryptedWorkbook()],
  ['old', 'other', 'Workbook', FILE_TEXT.oldWorkbook(), INFER_PROBLEM.oldWorkbook()],
])('an %s workbook', async (_, sheet, stream, kind, problem) => {
  const bytes = compound(stream);
  expect(fileKindOf(bytes)).toMatchObject({ kind, sheet });
  const tests = {} as Parameters<typeof inferDraft>[0]['tests'];
  expect(await inferDraft({ bytes, file: 'ventes.xlsx', id: 'ventes', target: 'fr-invoice', tests })).toEqual({
    problem,
  });
});

test('a pipe in the place of an export is not waited for', async () => {
  const folder = temporaryFolder();
  const pipe = join(folder, 'ventes.csv');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  await expect(isCorrectionFile(pipe, 'ventes.csv')).rejects.toMatchObject({ code: 'ENOTSUP' });
});
