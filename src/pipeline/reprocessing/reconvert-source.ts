/**
 * The archived source of admitted documents, found, verified and read once more with the current mapping and the
 * corrections of people. Rows identify the entry: a document made of its rows belongs to it, whatever its number is
 * now. Rows that would be shared with other documents are left as they are. Faults are reprocess/...
 */
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import { isGone } from '../../files/write-durable.ts';
import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { NOTHING_AGAIN, type ReappearedKeys } from '../../mapping/compose/group-rows.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DocumentOutcome, detailsOf } from '../../model/document.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import { type Correction, isClosed, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { RowGroup, SkippedRow } from '../../model/row.ts';
import { isAsideRow, waitsForRow } from '../../model/set-aside-rows.ts';
import { isReplaceable } from '../../model/state.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { inputFor } from '../admission/admit-file.ts';
import type { RunContext } from '../context/run-context.ts';
import {
  type ConversionInput,
  type ConversionStep,
  convert,
  type Previewed,
  previewDrafts,
  ReappearedKeysError,
} from '../conversion/convert-file.ts';
import { attachmentsOfReading } from '../sources/attachments-of.ts';
import { pairRoleOf, partnerMissing } from '../sources/file-pairs.ts';
import type { OpenAttachments } from '../sources/open-attachments.ts';
import { partnerOf } from '../sources/pair-partners.ts';
import { readableSource, sourceNow } from '../sources/source-now.ts';
import { correctBatches } from './apply-corrections.ts';
import { areWhole, mainOf, ownersAmong } from './document-owners.ts';
import { rowsDiffer, rowsOfAside, withoutDocument } from './reread-faults.ts';

/** The part of a run that reading archived files needs; a preview has it too. */
export type ReprocessContext = Pick<RunContext, 'instance' | 'ledger' | 'clock'> &
  Partial<Pick<RunContext, 'inboxMemory'>>;

/** An archived file with the mapping that reads it now. */
export type ReconvertSource = {
  /** The file that was read first. */
  readonly file: SourceFile;
  readonly mapping: Mapping;
  /** The other file of a pair. */
  readonly partner?: SourceFile;
  readonly of: 'file' | 'headers';
};

/** One reading of some rows of a source. */
export type Reconversion = {
  readonly source: ReconvertSource;
  /** ISO 8601: the time that TODAY() is calculated from. */
  readonly claimedAt: string;
  readonly corrections: readonly Correction[];
  readonly rows: ReadonlySet<number>;
  /** From an earlier reading of the same. */
  readonly reappeared?: ReappearedKeys;
};

/** The outcomes of the requested rows only. */
export type ReconversionStep = {
  readonly outcomes: readonly DocumentOutcome[];
  readonly leftOut: readonly SkippedRow[];
  readonly encoding?: string;
};

/** The source, or the fault why it cannot be read: its mapping is gone, or the archived bytes have changed. */
export async function reconvertSourceOf(
  { instance, ledger }: ReprocessContext,
  recorded: SourceFile,
): Promise<ReconvertSource | { readonly fault: Fault }> {
  const mapping = instance.mappings.find(({ id }) => id === recorded.mapping?.id);
  if (!mapping) return { fault: withoutMapping(recorded) };
  const half = pairRoleOf([mapping], recorded.name);
  const other = await partnerOf(ledger.queries, mapping, recorded);
  // Never by its name: the folder may have the half of another pair.
  if (half && !other) return { fault: partnerMissing(mapping, recorded.name) };
  const file = await unchanged(instance.folder, recorded);
  if ('fault' in file) return file;
  const partner = other && (await unchanged(instance.folder, other));
  if (partner && 'fault' in partner) return partner;
  return definedOnly({ file, mapping, of: sideOf(half), partner });
}

/** With the path that it has now: it may move to the archive between two looks. */
async function unchanged(folder: string, recorded: SourceFile): Promise<SourceFile | { readonly fault: Fault }> {
  const file = await sourceNow(folder, recorded);
  const fault = await changed(file);
  if (!fault) return file;
  const moved = await sourceNow(folder, recorded);
  const stillFault = moved.path === file.path ? fault : await changed(moved);
  return stillFault ? { fault: stillFault } : moved;
}

/** The side of a conversion that a file of a pair is on; `file` for one without a pair. */
export function sideOf(half: { readonly role: 'headers' | 'lines' } | undefined): ReconvertSource['of'] {
  return half?.role === 'headers' ? 'headers' : 'file';
}

/** The fault if the archived bytes are missing or are not those of the record: other bytes are other rows. */
export async function changed({ name, path, sha256 }: SourceFile): Promise<DataFault | undefined> {
  const origin = { file: name, row: 0 };
  const found = await sha256OfFile(path).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
  if (found === undefined) {
    return {
      code: 'reprocess/source-missing',
      level: 'error',
      ...withMessage(REPROCESS.sourceMissing({ path }), REPROCESS.restoreOrDrop()),
      origin,
    };
  }
  if (found === sha256) return undefined;
  return {
    code: 'reprocess/source-changed',
    level: 'error',
    ...withMessage(
      REPROCESS.sourceChanged({ path, found: found.slice(0, 16), before: sha256.slice(0, 16) }),
      REPROCESS.findOut(),
    ),
    origin,
  };
}

function withoutMapping({ name, mapping }: SourceFile): DataFault {
  const message = mapping ? REPROCESS.mappingGone({ mapping: mapping.id }) : REPROCESS.notTaken();
  return {
    code: 'reprocess/no-mapping',
    level: 'error',
    ...withMessage(message, REPROCESS.putMappingBack()),
    origin: { file: name, row: 0 },
  };
}

/** Throws UnreadableFileError if nothing can be made of the file. */
export async function* reconvert(
  context: ReprocessContext,
  about: Reconversion,
  attachments: OpenAttachments,
): AsyncIterable<ReconversionStep> {
  const { source, rows } = about;
  for await (const step of convert(await inputOf(context, about, attachments))) {
    const account: ConversionStep | undefined = source.of === 'headers' ? step.headers : step;
    if (!account) continue;
    const { outcomes, leftOut, encoding } = account;
    const own = leftOut.filter(({ row }) => rows.has(row));
    yield definedOnly({ outcomes, leftOut: own, encoding });
  }
}

async function inputOf(
  context: ReprocessContext,
  { source, claimedAt, corrections, rows, reappeared }: Reconversion,
  attachments: OpenAttachments,
): Promise<ConversionInput> {
  const { file, partner, mapping, of } = source;
  const { folder } = context.instance;
  const [lines, headers] = of === 'headers' && partner ? [partner, file] : [file, partner];
  const own = correctBatches(corrections);
  const others = correctBatches(partner ? await context.ledger.queries.correctionsOf(partner.id) : []);
  return definedOnly({
    ...inputFor(context, { ...readableSource(folder, lines), claimedAt }, mapping, {
      attachments,
      partner: headers && readableSource(folder, headers),
    }),
    reappeared,
    only: { rows, of },
    transformBatch: of === 'headers' ? { file: others, headers: own } : { file: own, headers: others },
  });
}

/** One row as the reader gives it. */
export type Cells = {
  readonly row: number;
  readonly columns: readonly string[];
  /** What a fault shows as column, where that differs: the element path of an XML source. */
  readonly places?: readonly string[];
  readonly cells: readonly string[];
  /** The row could not be read as the table requires: its cells may be in the wrong columns. */
  readonly broken?: Fault;
};

/** The documents of the requested rows as they would be, valid or not; nothing is written. */
export async function* readDocuments(context: ReprocessContext, about: Reconversion): AsyncIterable<Previewed> {
  const attachments = await attachmentsOfReading(context, about.source.file, about);
  const input = await inputOf(context, { ...about, reappeared: NOTHING_AGAIN }, attachments);
  yield* previewDrafts(input);
}

/** The requested rows, in the order of the file. */
export async function readCells(context: ReprocessContext, about: Reconversion): Promise<readonly Cells[]> {
  const found = new Map<number, Cells>();
  for await (const { group } of readDocuments(context, about)) {
    for (const cells of cellsOfGroup(group)) if (about.rows.has(cells.row)) found.set(cells.row, cells);
  }
  return [...found.values()].sort((a, b) => a.row - b.row);
}

/** The rows of one document, in the order of the file. */
export function cellsOfGroup({ table, rows }: RowGroup): readonly Cells[] {
  return rows.map(({ row, cells, broken, badCells, places = table.places }) => {
    // The cells of a row that bad ones broke are in their own columns.
    const torn = badCells ? undefined : broken;
    return definedOnly({ row, columns: table.columns, cells, places, broken: torn });
  });
}

/** The results for all entries of a reading: the next revision of each, or the reason why it stays. */
export type Survey = {
  readonly found: readonly Found[];
  readonly reappeared: ReappearedKeys | undefined;
};

type Found = {
  readonly entry: LedgerEntry;
  /** First rows of the documents that its rows make today, that of the entry itself first. */
  readonly firstRows: readonly number[];
  /** The entry whose document its rows are part of now. */
  readonly into?: string;
  readonly fault?: Fault;
};

/** OnOutcome each outcome with its entry and those that become part of it; an entry may have several. */
type OnOutcome = (entry: LedgerEntry, outcome: DocumentOutcome, absorbs: readonly string[]) => Promise<void>;

/**
 * Reads everything once and returns the result for each entry; nothing is written. If a document takes rows of other
 * entries that may be corrected too, these are read again with it.
 */
export async function survey(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
  about: Omit<Reconversion, 'rows'> & { readonly patient?: boolean },
  onOutcome: OnOutcome,
): Promise<Survey> {
  const asked = entries.map((entry) => ({ entry }));
  const { rows, of } = ownersAmong(about.source, asked);
  const made = new Map<string, { readonly first: number; readonly identifier: string }[]>();
  const faults = new Map<string, Fault>();
  const into = new Map<string, string>();
  const missing = new Set<number>();
  const joined = new Set<number>();
  const attachments = await attachmentsOfReading(context, about.source.file, about);
  try {
    for await (const { outcomes } of reconvert(context, { ...about, rows }, attachments)) {
      for (const outcome of outcomes) {
        const details = detailsOf(outcome);
        const { identifier } = details.facts;
        const parts = of(outcome);
        const own = parts.own.map(({ entry }) => entry);
        const foreign = details.rows.filter((row) => !rows.has(row));
        for (const row of foreign) missing.add(row);
        if (foreign.length > 0 || (own.length > 1 && !areWhole(own, details.rows))) {
          for (const entry of own) faults.set(entry.id, rowsDiffer(entry, details.rows));
          continue;
        }
        for (const row of outcome.headerRows?.() ?? []) joined.add(row);
        const touched = [...own, ...parts.headers.map(({ entry }) => entry)];
        const main = mainOf(touched, details);
        const absorbed = touched.filter((entry) => entry !== main).map(({ id }) => id);
        for (const id of absorbed) into.set(id, main.id);
        made.set(main.id, [
          ...(made.get(main.id) ?? []),
          { first: must(details.rows[0], 'the first row of a document'), identifier },
        ]);
        await onOutcome(main, outcome, absorbed);
      }
    }
  } catch (error) {
    if (error instanceof ReappearedKeysError)
      return await survey(context, entries, { ...about, reappeared: error.reappeared }, onOutcome);
    if (!(error instanceof UnreadableFileError)) throw error;
    const fault = must(error.faults[0], 'a fault of an unreadable file');
    return { found: entries.map((entry) => ({ entry, firstRows: [], fault })), reappeared: about.reappeared };
  }
  const withRows = missing.size > 0 ? await correctableWith(context, about.source.file, missing) : [];
  const neighbors = [
    ...withRows.filter(isOpen),
    ...(await headersAloneWith(context, about.source, { rows: joined, besides: entries })),
  ];
  if (neighbors.length > 0) return await survey(context, [...entries, ...neighbors], about, onOutcome);
  const [aside] = withRows;
  if (aside) for (const entry of entries) if (faults.has(entry.id)) faults.set(entry.id, rowsOfAside(entry, aside));
  const found = entries.map((entry): Found => {
    const own = made.get(entry.id) ?? [];
    const main = own.find(({ identifier }) => identifier === entry.facts.identifier) ?? own[0];
    const taker = into.get(entry.id);
    if (taker !== undefined) return { entry, firstRows: [], into: taker };
    const fault = faults.get(entry.id);
    if (!main || fault) return { entry, firstRows: [], fault: fault ?? withoutDocument(entry, about.source.of) };
    return { entry, firstRows: [main, ...own.filter((one) => one !== main)].map(({ first }) => first) };
  });
  return { found, reappeared: about.reappeared };
}

/** Documents of headers whose lines could not be read, if the documents of these lines have these headers now. */
async function headersAloneWith(
  context: ReprocessContext,
  { partner }: ReconvertSource,
  { rows, besides }: { readonly rows: ReadonlySet<number>; readonly besides: readonly LedgerEntry[] },
): Promise<readonly LedgerEntry[]> {
  if (!partner || rows.size === 0) return [];
  const known = new Set(besides.map(({ id }) => id));
  const isJoined = (entry: LedgerEntry) =>
    entry.state === 'invalid' &&
    isOpen(entry) &&
    !known.has(entry.id) &&
    entry.rows.length > 0 &&
    entry.rows.every((row) => rows.has(row));
  return await correctableOf(context, partner.id, isJoined);
}

/** Documents that are held only because a row of these entries could not be assigned. */
export async function heldBy(
  context: ReprocessContext,
  { id, name }: SourceFile,
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  const rows = new Set(entries.filter(({ state }) => state === 'invalid').flatMap((entry) => entry.rows));
  if (rows.size === 0) return [];
  const waits = ({ code, origin }: Fault) =>
    code === 'map/beside-broken-row' && origin?.file === name && rows.has(origin.row);
  const ids = new Set(entries.map((entry) => entry.id));
  return await correctableOf(context, id, (entry) => isOpen(entry) && !ids.has(entry.id) && entry.faults.some(waits));
}

/** Documents of this file that a person set aside, if documents that are read again depend on their rows. */
export async function asideOf(
  context: ReprocessContext,
  file: SourceFile,
  entries: readonly LedgerEntry[],
): Promise<readonly LedgerEntry[]> {
  const isAsked = entries.some((entry) => isAsideRow(entry) || waitsForRow(entry, file));
  if (!isAsked) return [];
  return await correctableOf(context, file.id, isAsideRow);
}

/** Entries of this file, also as it was read once more, that have one of these rows and may be corrected. */
async function correctableWith(
  context: ReprocessContext,
  { id }: SourceFile,
  rows: ReadonlySet<number>,
): Promise<readonly LedgerEntry[]> {
  return await correctableOf(context, id, (entry) => entry.rows.some((row) => rows.has(row)));
}

async function correctableOf(
  { ledger }: ReprocessContext,
  id: string,
  isMeant: (entry: LedgerEntry) => boolean,
): Promise<readonly LedgerEntry[]> {
  const files = await ledger.queries.files({ limit: Number.MAX_SAFE_INTEGER });
  const found: LedgerEntry[] = [];
  for (const file of files.filter((one) => one.id === id || one.rereads === id)) {
    for await (const entry of ledger.queries.entriesOf(file.id)) {
      if (isMeant(entry) && isCorrectable(entry)) found.push(entry);
    }
  }
  return found;
}

/** True if a new revision may replace the entry. What was purged comes from a new export alone: its corrections are gone. */
export function isCorrectable({ state, hold, purged }: Pick<LedgerEntry, 'state' | 'hold' | 'purged'>): boolean {
  return !purged && isReplaceable(state, hold?.rule);
}

/** What a person has set aside is read again where it is named, never because of its neighbors. */
function isOpen(entry: LedgerEntry): boolean {
  return !isClosed(entry);
}
