/** The place of the correction file of a source file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { correctionFileName, FORMATS } from '../../receipts/write-correction-file.ts';

/** Path below the instance folder, if the correction file exists. */
export function toFixPath(root: string, file: SourceFile): string | undefined {
  return FORMATS.map((format) => `error/${file.day}/${correctionFileName(file, format)}`).find((path) =>
    existsSync(join(root, path)),
  );
}
