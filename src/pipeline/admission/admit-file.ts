/**
 * One claimed file, or the two of a pair, read under its mapping and admitted whole, or refused whole with its faults.
 * The files of a pair stay two files in the ledger, so that each accounts for its own rows. The header file is closed
 * first: a crash between the two leaves the lines `loading`, with nothing of them sent. They are read again and find
 * their headers closed; the result is the same, because reading is repeatable.
 */

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readerOf } from '../../catalogue.ts';
import { type Placeholder, placeholdersIn } from '../../documents/content/draft-placeholders.ts';
import { INTAKE } from '../../i18n/messages/pipeline-messages.ts';
import type { ConversionInstance } from '../../instance/instance.ts';
import { BusyIdentityError } from '../../ledger/contract/busy-identity.ts';
import type { ReappearedKeys } from '../../mapping/compose/group-rows.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import { type DocumentOutcome, detailsOf } from '../../model/document.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import type { MappingStamp, SourceFile } from '../../model/ledger-entry.ts';
import { isMistake } from '../../model/ledger-unavailable.ts';
import { must } from '../../model/must.ts';
import type { SkippedRow } from '../../model/row.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { archiveMapping } from '../../receipts/archive-mapping.ts';
import { appendAll } from '../../text/long-lists.ts';
import type { RunContext } from '../context/run-context.ts';
import { type ConversionStep, convert, ReappearedKeysError } from '../conversion/convert-file.ts';
import { attachmentsOfExport, waitForAttachments } from '../sources/attachments-of.ts';
import { findPartner, partnerMissing } from '../sources/file-pairs.ts';
import { keepAttachments } from '../sources/move-attachments.ts';
import { AttachmentGrowingError, type OpenAttachments, openAttachments } from '../sources/open-attachments.ts';
import { bytesOf, type MovedTo } from '../sources/open-file-stream.ts';
import { holdRules } from './hold-rules.ts';
import { stageInTurn, untilSettled } from './stage-in-turn.ts';

/** The account of a file so far. */
type Found = {
  rows: number;
  documents: number;
  encoding: string | undefined;
  readonly leftOut: SkippedRow[];
  readonly warnings: Fault[];
};

/** One file, or the lines and the headers of a pair, with the mapping that reads them. */
type Admissible = {
  readonly file: SourceFile;
  /** The header file, if the file has the lines of a pair. */
  readonly headers: SourceFile | undefined;
  /** The files that are not closed yet. */
  readonly files: readonly SourceFile[];
  readonly mapping: Mapping;
  readonly stamp: MappingStamp;
  readonly repeats: DocumentOutcome['repeats'];
};

/** Facts that earlier attempts to read the same file have found. */
type Attempt = {
  /** Keys whose documents are refused from the start. */
  readonly reappeared?: ReappearedKeys;
  /** How often an attachment was given time to come to rest. */
  readonly waited: number;
  /** The file that is read first, because it has the same document. */
  readonly after?: string;
};

/**
 * Stages the documents step by step and closes the file in one commit: none of them counts before. Returns early, with
 * the file still `loading`, if the program is asked to end. Errors of the ledger and of the system pass to the caller.
 */
export async function admit(
  context: RunContext,
  file: SourceFile,
  mapping: Mapping,
  { headers, repeats }: { readonly headers?: SourceFile; readonly repeats?: DocumentOutcome['repeats'] } = {},
): Promise<void> {
  const { instance } = context;
  const stamp = instance.stampOf(mapping);
  await archiveMapping(instance.folder, mapping);
  // Headers that a run before a crash has closed stay as they are.
  const files = headers?.state === 'loading' ? [headers, file] : [file];
  const unfilled = draftFault(file, mapping);
  if (unfilled) {
    for (const one of files) await refuse(context, one, { faults: [unfilled], mapping: stamp, rows: 0, leftOut: [] });
    return;
  }
  const source: Admissible = { file, headers, files, mapping, stamp, repeats };
  for (let attempt: Attempt | undefined = { waited: 0 }; attempt; ) attempt = await readOnce(context, source, attempt);
}

/**
 * The next attempt if the file has to be read once more; undefined once it is closed or the program is asked to end.
 */
async function readOnce(context: RunContext, source: Admissible, attempt: Attempt): Promise<Attempt | undefined> {
  const { file, headers, files, mapping, stamp, repeats } = source;
  const { ledger } = context;
  const { reappeared, waited } = attempt;
  const attachments = await attachmentsOfExport(context, file, { mapping, waited });
  const hold = holdRules(context, stamp);
  const own = nothingYet();
  const others = nothingYet();
  /** Of the documents of a pair: its header file has rows of some of them, which are refused in it. */
  const taken = new Set<string>();
  const take = async (to: SourceFile, found: Found, step: ConversionStep) => {
    if (headers && to === file) for (const one of step.outcomes) for (const key of detailsOf(one).keys) taken.add(key);
    if (step.outcomes.length > 0 && files.includes(to))
      await stageInTurn(context, to.id, await hold(step.outcomes, file));
    appendAll(found.leftOut, step.leftOut);
    found.rows += step.rows;
    found.documents += step.outcomes.length;
    found.encoding ??= step.encoding;
    appendAll(found.warnings, step.warnings ?? []);
  };
  try {
    const input = definedOnly({
      ...inputFor(context, file, mapping, definedOnly({ attachments, partner: headers })),
      reappeared,
      repeats,
    });
    for await (const step of convert(input)) {
      await take(file, own, step);
      if (step.headers && headers) await take(headers, others, withoutKeys(step.headers, taken));
      // The private copy stays in processing/: the next run takes back what is staged and starts the file over.
      if (context.stop.aborted) return undefined;
    }
    await keepAttachments(context, file, attachments.taken());
  } catch (error) {
    const next = nextAttempt(attempt, error);
    if (next) {
      for (const { id } of files) await ledger.intake.restartFile(id, context.stop);
      if (next.after !== undefined) await untilSettled(context, next.after);
      if (next.waited > waited) await waitForAttachments(context);
      return context.stop.aborted ? undefined : next;
    }
    const faults = error instanceof UnreadableFileError ? error.faults : [mistakeFault(error, file)];
    for (const one of files) {
      const { rows, leftOut } = one === file ? own : others;
      await refuse(context, one, { faults, mapping: stamp, rows, leftOut });
    }
    return undefined;
  }
  for (const one of files) {
    const { rows, documents, leftOut, encoding, warnings } = one === file ? own : others;
    const none = one === file && documents === 0 ? [withoutDocuments(file, rows, leftOut.length)] : [];
    const faults = [...warnings, ...none];
    const [partner, carried] = one === file ? [headers?.id, attachments.taken()] : [file.id, []];
    const closing = definedOnly({ mapping: stamp, encoding, rows, leftOut, faults, attachments: carried, partner });
    await ledger.intake.admit(one.id, closing, context.stop);
    context.emit({ what: 'file-admitted', id: one.id, file: one.name, documents, rows, faults });
  }
  return undefined;
}

/** Both files of a pair are read at once, so that neither can wait for an identity that the other has. */
function withoutKeys(step: ConversionStep, taken: ReadonlySet<string>): ConversionStep {
  const outcomes = step.outcomes.map((one) =>
    'document' in one ? one : { ...one, keys: one.keys.filter((key) => !taken.has(key)) },
  );
  return { ...step, outcomes };
}

/** Undefined if another attempt would find the same. */
function nextAttempt(attempt: Attempt, error: unknown): Attempt | undefined {
  if (error instanceof ReappearedKeysError) return { ...attempt, reappeared: error.reappeared };
  if (error instanceof AttachmentGrowingError) return { ...attempt, waited: attempt.waited + 1 };
  if (error instanceof BusyIdentityError) return { ...attempt, after: error.file };
  return undefined;
}

/** intake/mapping-not-filled-in, once for the file and not by each document: `check` refuses such a mapping too. */
export function draftFault({ name }: SourceFile, mapping: Mapping): DataFault | undefined {
  const { id, file } = mapping;
  const [first, ...more] = placeholdersOf(mapping);
  if (!first) return undefined;
  const { line } = first.mark;
  return {
    code: 'intake/mapping-not-filled-in',
    level: 'error',
    ...withMessage(
      INTAKE.draft({ mapping: id, line, count: more.length + 1 }),
      INTAKE.fillDraftIn({ mapping: file, file: name }),
    ),
    origin: { file: name, row: 0 },
    mark: first.mark,
  };
}

const placeholders = new WeakMap<Mapping, readonly Placeholder[]>();

/** Looked for once: each of thousands of small files asks, and the text is parsed for it. */
function placeholdersOf(mapping: Mapping): readonly Placeholder[] {
  const found = placeholders.get(mapping) ?? placeholdersIn(mapping.parts[0]?.text ?? '', mapping.file);
  placeholders.set(mapping, found);
  return found;
}

function nothingYet(): Found {
  return { rows: 0, documents: 0, encoding: undefined, leftOut: [], warnings: [] };
}

/**
 * intake/no-documents, a warning: an export that is empty by accident looks like a quiet day, so a person has to see
 * it.
 */
export function withoutDocuments({ name }: SourceFile, rows: number, leftOut: number): DataFault {
  return {
    code: 'intake/no-documents',
    level: 'warning',
    ...whyNone(rows, leftOut),
    origin: { file: name, row: 0 },
  };
}

function whyNone(rows: number, leftOut: number) {
  if (rows === 0) return withMessage(INTAKE.noRows(), INTAKE.quietDay());
  if (leftOut === rows) return withMessage(INTAKE.allLeftOut({ rows }), INTAKE.checkRules());
  return withMessage(INTAKE.someLeftOut({ rows: leftOut }), INTAKE.checkRules());
}

/**
 * intake/internal-error for this file alone: a defect in one file must not keep all others from being sent every night.
 * Any other error is thrown.
 */
export function mistakeFault(error: unknown, { name }: Pick<SourceFile, 'name'>): DataFault {
  if (!isMistake(error)) throw error;
  return {
    code: 'intake/internal-error',
    level: 'error',
    ...withMessage(INTAKE.ourMistake({ error: `${error.name}: ${error.message}` }), INTAKE.reportIt()),
    origin: { file: name, row: 0 },
  };
}

/**
 * All work on one file goes through here. A defect of the program refuses the file, under each mapping that shares it, and
 * resolves to the fault. Any other error passes to the caller, and so does one after which nothing of the file is open.
 */
export async function refusingMistakes(
  context: RunContext,
  file: SourceFile,
  act: () => Promise<void>,
): Promise<Fault | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof BusyIdentityError) throw error;
    const fault = mistakeFault(error, file);
    const records =
      file.rereads === undefined
        ? context.ledger.intake.openFilesAt(file.path)
        : [await context.ledger.queries.sourceFile(file.id)];
    const open = definedItems(await records).filter(
      ({ state, rereads }) => state === 'loading' && rereads === file.rereads,
    );
    if (open.length === 0) throw error;
    for (const one of open) await refuse(context, one, { faults: [fault], rows: 0, leftOut: [] });
    return fault;
  }
}

/**
 * The name under which a file was dropped, and the path of its copy; `moved`: where it is once that path has none, and
 * `content`: its bytes, wherever it is.
 */
export type FileRead = Pick<SourceFile, 'name' | 'path'> & {
  readonly moved?: MovedTo;
  readonly content?: () => Buffer;
};

/**
 * The input of a conversion, also for a preview: nothing here writes. The other file of a pair is searched for next to
 * this one unless `partner` is given; if it is missing, reading the bytes throws UnreadableFileError.
 */
export function inputFor(
  context: { readonly instance: ConversionInstance },
  file: FileRead & Pick<SourceFile, 'claimedAt'>,
  mapping: Mapping,
  {
    attachments = openAttachments(dirname(file.path)),
    partner,
  }: { readonly attachments?: OpenAttachments; readonly partner?: FileRead | undefined } = {},
) {
  const kind = must(
    context.instance.kinds.find(({ name }) => name === mapping.target),
    `the kind ${mapping.target}`,
  );
  const reader = readerOf(mapping.source.format);
  const { lines, headers, missing } = halvesOf(file, mapping, partner);
  return definedOnly({
    bytes: missing ? refusing(missing) : bytesOf(lines.path, lines.moved),
    file: lines.name,
    headers: headers ? { file: headers.name, bytes: () => bytesOf(headers.path, headers.moved) } : undefined,
    mapping,
    reader,
    kind,
    facts: {
      today: context.instance.dayOf(kind.service, new Date(file.claimedAt)),
      file: { name: lines.name, base64: () => (lines.content?.() ?? readFileSync(lines.path)).toString('base64') },
      companion: attachments.read,
    },
    attachments,
    limits: context.instance.limits.document,
    language: context.instance.settings.rules.language,
  });
}

type Halves = { readonly lines: FileRead; readonly headers?: FileRead; readonly missing?: DataFault };

function halvesOf(file: FileRead, mapping: Mapping, headers: FileRead | undefined): Halves {
  if (headers) return { lines: file, headers };
  if (!mapping.join) return { lines: file };
  return findPartner(mapping, file) ?? { lines: file, missing: partnerMissing(mapping, file.name) };
}

/** Half of a pair cannot be read: the caller gets the fault where it would read, as for any file that is refused. */
async function* refusing(fault: DataFault): AsyncGenerator<Uint8Array> {
  yield* [];
  throw new UnreadableFileError([fault]);
}

/** Records the refusal, and then emits it. */
export async function refuse(
  context: RunContext,
  file: SourceFile,
  refusal: Parameters<RunContext['ledger']['intake']['refuseFile']>[1],
): Promise<void> {
  await context.ledger.intake.refuseFile(file.id, refusal);
  context.emit({ what: 'file-refused', file: file.name, faults: refusal.faults });
}
