/**
 * A file in short: what became of it, its documents, and whether a person has to act. A refused file has no document, so
 * nothing else knows it. Reads only.
 */
import type { LedgerCounts, QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError } from '../../model/fault.ts';
import { isSourceMissing, type SourceFile } from '../../model/ledger-entry.ts';
import { refusedFiles } from './refused-files.ts';

/** The shape of a file in `find --json`; times are ISO 8601 in UTC. */
export type FileSummary = Pick<SourceFile, 'id' | 'name' | 'state' | 'day' | 'run' | 'claimedAt' | 'size' | 'rows'> & {
  readonly mapping?: string;
  /** How many documents have their latest revision in it, by state. */
  readonly documents: LedgerCounts;
  /** What a person has to do with it, if anything. */
  readonly need: FileNeed;
  /** duplicate: the earlier file with the same content. */
  readonly first?: { readonly id: string; readonly name: string };
  /** Its first error. */
  readonly fault?: Pick<Fault, 'code' | 'message' | 'hint'>;
};

/**
 * `action`: a person has to act. `set-aside`: a person decided that it needs none. `replaced`: it would, but a later file with
 * its name or its content did it.
 */
type FileNeed = 'action' | 'set-aside' | 'replaced' | 'nothing';

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
