/** Where the correction file of a source file is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { correctionFileName, FORMATS } from '../../receipts/write-correction-file.ts';

/** Where the correction file of an export lies below the instance folder, if there is one. */
export function toFixPath(root: string, file: SourceFile): string | undefined {
  return FORMATS.map((format) => `error/${file.day}/${correctionFileName(file, format)}`).find((path) =>
    existsSync(join(root, path)),
  );
}
