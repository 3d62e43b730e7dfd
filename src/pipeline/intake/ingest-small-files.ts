/**
 * Small files that stand alone, ingested in parallel: in a night with one file per document, the cost per file is
 * shared. Reading and converting in parallel changes nothing; the files are closed in the ledger in their order, in one
 * commit. Any unusual file is ingested alone (ingest-file.ts), in its turn.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import pLimit from 'p-limit';
import { inOnePiece } from '../../files/in-one-piece.ts';
import type { TakeTurn } from '../../files/turns.ts';
import type { Admission, FileClosing, FileRefusal } from '../../ledger/contract/close-file.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import type { DocumentOutcome } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import type { MappingStamp, SourceFile } from '../../model/ledger-entry.ts';
import { isMistake } from '../../model/ledger-unavailable.ts';
import { must } from '../../model/must.ts';
import type { SkippedRow } from '../../model/row.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { archiveMapping } from '../../receipts/archive-mapping.ts';
import { appendAll } from '../../text/long-lists.ts';
import { draftFault, inputFor, withoutDocuments } from '../admission/admit-file.ts';
import { holdRules } from '../admission/hold-rules.ts';
import type { RunContext } from '../context/run-context.ts';
import { inShortCommits } from '../context/short-commits.ts';
import { convert } from '../conversion/convert-file.ts';
import { classify, type OrdinaryFile } from './classify-file.ts';
import { ingestClaimed } from './ingest-file.ts';
import { compareExports, repeatedBy } from './same-export.ts';

/** Files closed in one commit: documents sent meanwhile wait no longer for it than for other commits. */
const TOGETHER = 32;
/** The largest small file in bytes, and the most documents of one: each is in memory as a whole. */
const SMALL_BYTES = 64 * 1024;
const FEW_DOCUMENTS = 50;
/** The most content of one group, in bytes. */
const MUCH_CONTENT = 4 * 1024 * 1024;
/** Converted at the same time: each takes a slice of a turn of the event loop. */
const AT_ONCE = 4;

type Read = { readonly file: SourceFile; readonly bytes: Buffer; readonly found: OrdinaryFile };

/** The decision about a file; `alone`: it has to be ingested by itself. */
type Plan =
  | 'alone'
  | { readonly file: SourceFile; readonly duplicateOf: SourceFile }
  | {
      readonly file: SourceFile;
      readonly mapping: Mapping;
      readonly outcomes: readonly DocumentOutcome[];
      readonly facts: Admission & { readonly mapping: MappingStamp };
    }
  | { readonly file: SourceFile; readonly refusal: FileRefusal };

type Decided = Exclude<Plan, 'alone'>;

type GroupOptions = {
  /** Runs after each group. */
  readonly between?: ((context: RunContext) => Promise<void>) | undefined;
  /** Each group is one turn at the documents. */
  readonly turn?: TakeTurn | undefined;
};

/**
 * `files` are `loading`, in their order. Ends early if the program is asked to end:
 * the other files stay `loading`.
 */
export async function ingestSmallFiles(
  context: RunContext,
  files: readonly SourceFile[],
  { between = async () => {}, turn = (act) => act() }: GroupOptions = {},
): Promise<void> {
  let group: SourceFile[] = [];
  const shas = new Set<string>();
  const flush = async () => {
    const some = group;
    group = [];
    shas.clear();
    if (some.length === 0 || context.stop.aborted) return;
    await turn(() => takeGroup(context, some));
    await between(context);
  };
  for (const file of files) {
    // Of two files with the same bytes, the first has to be closed before the second is judged.
    if (group.length === TOGETHER || shas.has(file.sha256)) await flush();
    group.push(file);
    shas.add(file.sha256);
  }
  await flush();
}

async function takeGroup(context: RunContext, files: readonly SourceFile[]): Promise<void> {
  const plans = await plansFor(context, files);
  let decided: Decided[] = [];
  for (const [n, plan] of plans.entries()) {
    if (plan !== 'alone') {
      decided.push(plan);
      continue;
    }
    await closeAll(context, decided);
    decided = [];
    if (context.stop.aborted) return;
    await ingestClaimed(context, must(files[n], 'the file of a plan'));
  }
  await closeAll(context, decided);
}

async function closeAll(context: RunContext, plans: readonly Decided[]): Promise<void> {
  await inShortCommits(context, plans, (some) => close(context, some));
}

/** If the program dies here, the file at fault is unknown: each is suspected, and read alone the next time. */
async function plansFor(context: RunContext, files: readonly SourceFile[]): Promise<readonly Plan[]> {
  const ids = files.map(({ id }) => id);
  context.readingMarks.begin(ids);
  const limit = pLimit(AT_ONCE);
  const reads = await Promise.all(files.map((file) => limit(() => readSmall(context, file))));
  const before = new Map<string, SourceFile>();
  const hashes = definedItems(reads).map(({ file }) => file.sha256);
  if (hashes.length > 0)
    for (const one of await context.ledger.intake.filesBySha256(hashes)) before.set(one.sha256, one);
  const room = { left: MUCH_CONTENT };
  const plans = await Promise.all(
    reads.map((one) =>
      one ? limit(() => planFor(context, one, before.get(one.file.sha256), room)) : ('alone' as const),
    ),
  );
  context.readingMarks.end(ids);
  return plans;
}

/** Undefined if the file is not small, not an ordinary one, or one at which the program fails. */
async function readSmall(context: RunContext, file: SourceFile): Promise<Read | undefined> {
  if (file.size > SMALL_BYTES) return undefined;
  const bytes = bytesNow(file);
  if (!bytes) return undefined;
  const found = await classify(context, file, bytes).catch(aloneIfMistake);
  return found?.kind === 'ordinary' ? { file, bytes, found } : undefined;
}

/** The file is ingested alone then, and is refused if it fails there too. */
function aloneIfMistake(error: unknown): undefined {
  if (!isMistake(error)) throw error;
}

/** Synchronous, because the copy is still in the cache of the system. Undefined if it is not as it was claimed. */
function bytesNow({ path, size }: SourceFile): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(size + 1);
      return readSync(file, bytes, 0, size + 1, 0) === size ? bytes.subarray(0, size) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

async function planFor(
  context: RunContext,
  read: Read,
  earlier: SourceFile | undefined,
  room: { left: number },
): Promise<Plan> {
  const {
    file,
    found: { mapping, faults },
  } = read;
  if (!mapping) return { file, refusal: { faults, rows: 0, leftOut: [] } };
  const compared = earlier ? await compareExports(context, { earlier, file, mapping }) : 'other';
  if (earlier && compared === 'same') return { file, duplicateOf: earlier };
  if (room.left <= 0 || draftFault(file, mapping)) return 'alone';
  const stamp = context.instance.stampOf(mapping);
  const found = { rows: 0, outcomes: [] as DocumentOutcome[], leftOut: [] as SkippedRow[], warnings: [] as Fault[] };
  let encoding: string | undefined;
  try {
    for await (const step of convert({ ...inputOf(context, read, mapping), ...repeatedBy(compared) })) {
      found.rows += step.rows;
      appendAll(found.outcomes, step.outcomes);
      appendAll(found.leftOut, step.leftOut);
      appendAll(found.warnings, step.warnings ?? []);
      encoding ??= step.encoding;
      for (const one of step.outcomes) if ('document' in one) room.left -= one.document.content.length;
      if (found.outcomes.length > FEW_DOCUMENTS || room.left <= 0 || context.stop.aborted) return 'alone';
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) return 'alone';
    const { rows, leftOut } = found;
    return { file, refusal: { faults: error.faults, mapping: stamp, rows, leftOut } };
  }
  const { rows, outcomes, leftOut, warnings } = found;
  const none = outcomes.length === 0 ? [withoutDocuments(file, rows, leftOut.length)] : [];
  return {
    file,
    mapping,
    outcomes,
    facts: definedOnly({ mapping: stamp, encoding, rows, leftOut, faults: [...warnings, ...none] }),
  };
}

/** The document asks for an attachment: it is ingested alone, because it is kept before the commit. */
class Carries extends Error {}

function inputOf(context: RunContext, { file, bytes }: Read, mapping: Mapping) {
  const { attachments: _, facts, ...input } = inputFor(context, file, mapping);
  const companion = () => {
    throw new Carries();
  };
  return { ...input, facts: { ...facts, companion }, bytes: inOnePiece(bytes) };
}

/** The folder of the instance that each mapping was archived in last. */
const archivedIn = new WeakMap<Mapping, string>();

/** Once per mapping, instance and process: only Nightpost writes in the archive. */
async function keepMapping({ instance: { folder } }: RunContext, mapping: Mapping): Promise<void> {
  if (archivedIn.get(mapping) !== folder) await archiveMapping(folder, mapping);
  archivedIn.set(mapping, folder);
}

/** Closes the files in one commit; events are emitted once it is durable. */
async function close(context: RunContext, plans: readonly Decided[]): Promise<void> {
  const rules = new Map<string, ReturnType<typeof holdRules>>();
  const closings: FileClosing[] = [];
  for (const plan of plans) {
    const { id } = plan.file;
    if ('duplicateOf' in plan) closings.push({ id, duplicateOf: plan.duplicateOf.id });
    else if ('refusal' in plan) closings.push({ id, refusal: plan.refusal });
    else {
      await keepMapping(context, plan.mapping);
      const stamp = plan.facts.mapping;
      const hold = rules.get(stamp.sha256) ?? holdRules(context, stamp);
      rules.set(stamp.sha256, hold);
      // Nothing is waited for within the transaction.
      await hold([]);
      closings.push({
        id,
        outcomes: plan.outcomes,
        holds: (all, hasSeen) => hold(all, plan.file, hasSeen),
        facts: plan.facts,
      });
    }
  }
  try {
    await context.ledger.intake.closeFiles(closings);
  } catch (error) {
    // The commit was undone. One by one, the file that causes the defect is refused and the others are admitted; one with a
    // document of a file that another worker reads waits for it.
    if (!isMistake(error)) throw error;
    for (const { file } of plans) if (!context.stop.aborted) await ingestClaimed(context, file);
    return;
  }
  for (const plan of plans) {
    const { id, name } = plan.file;
    if ('duplicateOf' in plan) context.emit({ what: 'file-duplicate', file: name, first: plan.duplicateOf.name });
    else if ('refusal' in plan) context.emit({ what: 'file-refused', file: name, faults: plan.refusal.faults });
    else {
      const { rows, faults } = plan.facts;
      context.emit({ what: 'file-admitted', id, file: name, documents: plan.outcomes.length, rows, faults });
    }
  }
}
