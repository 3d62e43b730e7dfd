/**
 * Numbers of documents that a replaced ledger knew from summaries alone. The summaries are written again without them, so the next
 * ledger that replaces this one learns them from this file.
 */
import { existsSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../files/fsync-directory.ts';
import { bytesUnlessAbsent } from '../files/read-plain.ts';
import { diskTrouble, ensureFolder, writeDurable } from '../files/write-durable.ts';

/** Below the instance, in the folder that is copied with the exports and is not restored with the ledger. */
export const SHOWN_NUMBERS = 'archive/.shown-numbers.json';

const KEPT = `${basename(SHOWN_NUMBERS)}.damaged-`;

/** Bytes of some million numbers. */
const MOST = 2 ** 28;
const shape = z.object({ shown: z.literal(1), numbers: z.array(z.tuple([z.string(), z.boolean()])) });

/** By the form that all spellings of a number share: whether the export is read again. Undefined if the file is damaged, or no plain file. */
export function readNumbersShown(root: string): ReadonlyMap<string, boolean> | undefined {
  const bytes = bytesUnlessAbsent(join(root, SHOWN_NUMBERS), MOST);
  if (bytes === undefined) return new Map();
  try {
    return new Map(shape.parse(JSON.parse(bytes.toString('utf8'))).numbers);
  } catch {
    return undefined;
  }
}

/** Paths of damaged ones that were kept when new numbers were written: numbers in them may have been sent. */
export function damagedNumbersShown(root: string): readonly string[] {
  const folder = dirname(join(root, SHOWN_NUMBERS));
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(KEPT));
  return names.sort().map((name) => join(folder, name));
}

/** Next to the new one, for a person to look into. */
function keepDamaged(root: string): void {
  const path = join(root, SHOWN_NUMBERS);
  const keptAs = (n: number) => join(dirname(path), `${KEPT}${n}`);
  let n = 1;
  while (lstatSync(keptAs(n), { throwIfNoEntry: false })) n++;
  renameSync(path, keptAs(n));
}

/** One that is damaged is kept next to it. Durable when the promise resolves. A refusal of the disk throws its OperatorError. */
export async function writeNumbersShown(root: string, numbers: ReadonlyMap<string, boolean>): Promise<void> {
  if (numbers.size === 0) return;
  const path = join(root, SHOWN_NUMBERS);
  await ensureFolder(dirname(path));
  if (readNumbersShown(root) === undefined) keepDamaged(root);
  await writeDurable(path, `${JSON.stringify({ shown: 1, numbers: [...numbers] })}\n`);
  await syncFolder(dirname(path)).catch((error: unknown) => {
    throw diskTrouble(error, path);
  });
}
