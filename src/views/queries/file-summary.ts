/**
 * A file in short: what became of it, its documents, and whether a person has to act. A refused file has no document, so
 * nothing else knows it. Reads only.
 */
import { z } from 'zod';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly, type Exact } from '../../model/defined-only.ts';
import { isError } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { stateShape } from './document-summary.ts';
import { refusedFiles } from './refused-files.ts';

const text = z.string();
const count = z.int().nonnegative();

/**
 * What a person has to do with it, if anything. `action`: a person has to act. `set-aside`: a person decided that it needs none. `replaced`: it would, but a later file with
 * its name or its content did it.
 */
const fileNeed = z.enum(['action', 'set-aside', 'replaced', 'nothing']);
type FileNeed = z.infer<typeof fileNeed>;

/** A file in `find --json` and the API; times are ISO 8601 in UTC. */
export const fileShape = z.strictObject({
  id: text,
  name: text,
  state: z.enum(['loading', 'admitted', 'refused', 'duplicate']),
  day: text,
  run: text,
  claimedAt: text.describe('ISO 8601, UTC'),
  size: count,
  rows: count,
  mapping: text.optional(),
  /** How many documents have their latest revision in it, by state. */
  documents: z.partialRecord(stateShape, count),
  need: fileNeed,
  /** duplicate: the earlier file with the same content. */
  first: z.strictObject({ id: text, name: text }).optional(),
  /** Its first error. */
  fault: z.strictObject({ code: text, message: text, hint: text.optional() }).optional(),
});
export type FileSummary = Exact<z.infer<typeof fileShape>>;

/** In the order of the files. The faults have the words of the files that come in. */
export async function summarizeFiles(
  ledger: QueryStore,
  files: readonly SourceFile[],
): Promise<readonly FileSummary[]> {
  const needs = await fileNeeds(ledger, files);
  const summaries: FileSummary[] = [];
  for (const file of files) {
    const { id, name, state, day, run, claimedAt, size, rows, mapping, first, faults } = file;
    const fault = faults.find(isError);
    summaries.push(
      definedOnly({
        ...{ id, name, state, day, run, claimedAt, size, rows },
        mapping: mapping?.id,
        documents: await ledger.counts({ file: id }),
        need: needs.get(id) ?? 'nothing',
        first: first && { id: first.id, name: first.name },
        fault: fault && definedOnly({ code: fault.code, message: fault.message, hint: fault.hint }),
      }),
    );
  }
  return summaries;
}

/** By id; a file that never needed a person is absent. */
async function fileNeeds(ledger: QueryStore, files: readonly SourceFile[]): Promise<ReadonlyMap<string, FileNeed>> {
  const toLookAt = files.filter((file) => file.state === 'refused' || isSourceMissing(file));
  if (toLookAt.length === 0) return new Map();
  const [open, aside] = [await refusedFiles(ledger), await ledger.filesSetAside()];
  const waiting = new Set(open.map(({ id }) => id));
  const needOf = ({ id }: SourceFile): FileNeed => {
    if (waiting.has(id)) return 'action';
    return aside.has(id) ? 'set-aside' : 'replaced';
  };
  return new Map(toLookAt.map((file) => [file.id, needOf(file)]));
}
