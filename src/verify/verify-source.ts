/**
 * From the archived source to the contents in the ledger: bytes by their hash, then read, mapped and checked again with
 * the mapping of that time, and compared with every revision of the file. The file streams through; one bit per row is
 * kept. Reads only; differences are breaks.
 */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import type { Message } from '../i18n/message.ts';
import { CONTENT, FOUND } from '../i18n/messages/pipeline-messages.ts';
import { withRecordedFields } from '../instance/document-kinds.ts';
import type { Instance } from '../instance/instance.ts';
import type { QueryStore, RecordedRevision } from '../ledger/contract/query-store.ts';
import { withNumber } from '../ledger/records/number-sequences.ts';
import type { ReappearedKeys } from '../mapping/compose/group-rows.ts';
import { missingAttachment } from '../mapping/expressions/attachment-expression.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { definedItems, definedOnly } from '../model/defined-only.ts';
import { type Document, type DocumentFacts, type DocumentOutcome, detailsOf } from '../model/document.ts';
import { MESSAGE } from '../model/fault.ts';
import { type Attachment, type Correction, isNeverRead, isPurged, type SourceFile } from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { rowsForgotten } from '../model/set-aside-rows.ts';
import { inputFor } from '../pipeline/admission/admit-file.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { convert, ReappearedKeysError } from '../pipeline/conversion/convert-file.ts';
import { reconvert, sideOf } from '../pipeline/reprocessing/reconvert-source.ts';
import { archivedAttachment } from '../pipeline/sources/archived-attachment.ts';
import { pairRoleOf } from '../pipeline/sources/file-pairs.ts';
import { firstReading } from '../pipeline/sources/first-reading.ts';
import { isOfAttachment, type OpenAttachments } from '../pipeline/sources/open-attachments.ts';
import { partnerOf } from '../pipeline/sources/pair-partners.ts';
import { UnreadableFileError } from '../readers/reader.ts';
import { RowSet } from '../receipts/row-set.ts';
import type { KeptMappings } from './archived-mapping.ts';

import { aboutOf, type Break, broken, isOfOtherProgram, madeBy, short } from './verify-findings.ts';

/** The part of a run that a proof needs; `stop` ends it early. */
export type VerifyContext = Pick<RunContext, 'instance' | 'ledger' | 'clock'> & { readonly stop?: AbortSignal };

/** The result for one file. */
export type SourceFound = {
  /** Documents and refusals, of every revision, that the rows give exactly as recorded. */
  readonly proven: number;
  /** Those, or whole files, that another version or build admitted and the checks of this one refuse: not made again. */
  readonly otherChecks: number;
  readonly breaks: readonly Break[];
};

const NOTHING: SourceFound = { proven: 0, otherChecks: 0, breaks: [] };

/** `only`: receipt names of the requested documents. `isAside`: a person has set the file aside. */
export async function verifySource(
  context: VerifyContext,
  keptMapping: KeptMappings,
  file: SourceFile,
  { only, isAside = false }: { readonly only?: ReadonlySet<string> | undefined; readonly isAside?: boolean } = {},
): Promise<SourceFound | 'not-settled' | 'purged' | 'given-up'> {
  if (isPurged(file, 'archive')) return 'purged';
  if (file.state === 'loading' || file.archivedAt === undefined) return 'not-settled';
  const changed = await verifyBytes(context.instance, file);
  if (changed?.code === 'verify/source-missing' && isAside && isNeverRead(file)) return 'given-up';
  if (changed) return { ...NOTHING, breaks: [changed] };
  if (file.state !== 'admitted' || !file.mapping) return NOTHING;
  const first = await firstFacts(context.ledger.queries, file);
  const shapedThen = withFieldsOf(context, first);
  const mapping = keptMapping(file.mapping, shapedThen.instance.kinds);
  if ('code' in mapping) return { ...NOTHING, breaks: [mapping] };
  const asThen = (await isUnderOtherRules(context, file, { mapping, first })) ? withoutRules(shapedThen) : shapedThen;
  const source = await sourceWith(asThen, file, mapping);
  // The documents of headers without lines are proven with the lines of their pair.
  if (source === 'with-its-lines') return NOTHING;
  if ('code' in source) return { ...NOTHING, breaks: [source] };
  return await replay(asThen, source, only);
}

/** All documents of a file were checked, and shaped, under the same settings: the first one shows which. */
async function firstFacts(ledger: QueryStore, file: SourceFile): Promise<DocumentFacts | undefined> {
  for await (const { facts } of ledger.revisionsOf(file.id)) return facts;
  return undefined;
}

/** True if the settings have other rules now; a profile that goes by the day may agree with earlier ones for some documents only. */
async function isUnderOtherRules(
  { instance, ledger }: VerifyContext,
  file: SourceFile,
  { mapping, first }: { readonly mapping: Mapping; readonly first: DocumentFacts | undefined },
): Promise<boolean> {
  const rules = instance.kinds.find(({ name }) => name === mapping.target)?.rules;
  const differs = ({ rules: then, date }: DocumentFacts) => then !== rules?.profileOn(date);
  if (!first || differs(first) || !rules?.goesByDay) return first !== undefined && differs(first);
  for await (const { facts } of ledger.queries.revisionsOf(file.id)) if (differs(facts)) return true;
  return false;
}

/** With the further fields of the documents of a file, which the settings may have lost since. */
function withFieldsOf(context: VerifyContext, first: DocumentFacts | undefined): VerifyContext {
  if (!first) return context;
  const { instance } = context;
  const kinds = instance.kinds.map((kind) => withRecordedFields(kind, first.rules ?? ''));
  const isSame = kinds.every((kind, n) => kind === instance.kinds[n]);
  return isSame ? context : { ...context, instance: { ...instance, kinds } };
}

/** Rules do not change a content, they only refuse it: a sent content is proven without them as well. */
function withoutRules(context: VerifyContext): VerifyContext {
  const kinds = context.instance.kinds.map((kind) => {
    const off = kind.rules.rules.map(({ id }) => [id, { level: 'off', reason: 'replay' }] as const);
    return { ...kind, rules: kind.rules.under({ profile: 'wire', severity: Object.fromEntries(off) }) };
  });
  return { ...context, instance: { ...context.instance, kinds } };
}

async function verifyBytes(instance: Instance, file: SourceFile): Promise<Break | undefined> {
  const path = archivedPath(instance, file);
  const about = { path: shown(instance, path) };
  if (!existsSync(path)) return broken('verify/source-missing', FOUND.notArchived({ file: file.name }), about);
  const found = await sha256OfFile(path);
  if (found === file.sha256) return undefined;
  return broken('verify/source-changed', FOUND.hashDiffers({ found: short(found), before: short(file.sha256) }), about);
}

/** The ledger has whole paths, and the instance may have been moved since. */
export function archivedPath({ paths }: Instance, { path }: SourceFile): string {
  return join(paths.archive, basename(dirname(path)), basename(path));
}

function shown({ folder }: Instance, path: string): string {
  return path.slice(folder.length + 1).replaceAll('\\', '/');
}

type Source = {
  readonly mapping: Mapping;
  readonly file: SourceFile;
  /** Files whose documents this reading gives: of a pair both. */
  readonly accounts: readonly SourceFile[];
  /** A purge has removed what its rows were corrected to, so that they give another document now. */
  readonly isForgotten: (recorded: RecordedRevision) => boolean;
  readonly read: (reappeared: ReappearedKeys | undefined) => AsyncIterable<Given>;
};

type Given = { readonly of: SourceFile; readonly outcomes: readonly DocumentOutcome[] };

async function sourceWith(
  context: VerifyContext,
  file: SourceFile,
  mapping: Mapping,
): Promise<Source | Break | 'with-its-lines'> {
  const { instance, ledger } = context;
  const here = (one: SourceFile) => ({ ...one, path: archivedPath(instance, one) });
  const first = await firstReading(ledger.queries, file);
  const half = pairRoleOf([mapping], file.name);
  const partner = await partnerOf(ledger.queries, mapping, first);
  if (half && file.rereads === undefined && half.role === 'headers') return 'with-its-lines';
  const altered = partner && (await verifyBytes(instance, partner));
  if (altered) return altered;
  const readings = first.id === file.id ? [file] : [first, file];
  const attachments = (await Promise.all(readings.map(({ id }) => ledger.queries.attachmentsOf(id)))).flat();
  const wrong = await wrongAttachment(instance, file, attachments);
  if (wrong) return wrong;
  const opened = archivedAttachments(instance, attachments);
  const corrections = file.rereads === undefined ? [] : await ledger.queries.correctionsOf(file.id);
  const isForgotten = withForgottenCells(corrections);
  if (file.rereads !== undefined) {
    return { mapping, file, accounts: [file], isForgotten, read: readAgain };
  }
  const input = () =>
    inputFor(context, here(file), mapping, { attachments: opened, partner: partner && here(partner) });
  return {
    mapping,
    file,
    accounts: definedItems([file, partner]),
    isForgotten,
    read: async function* (reappeared) {
      for await (const step of convert(definedOnly({ ...input(), reappeared }))) {
        yield { of: file, outcomes: step.outcomes };
        if (step.headers && partner) yield { of: partner, outcomes: step.headers.outcomes };
      }
    },
  };

  async function* readAgain(reappeared: ReappearedKeys | undefined): AsyncIterable<Given> {
    const rows = new Set<number>();
    for await (const one of ledger.queries.revisionsOf(file.id)) {
      if (!isForgotten(one)) for (const row of one.rows) rows.add(row);
    }
    const source = definedOnly({ file: here(first), mapping, of: sideOf(half), partner: partner && here(partner) });
    const about = definedOnly({ source, claimedAt: file.claimedAt, corrections, rows, reappeared });
    for await (const { outcomes } of reconvert(context, about, opened)) yield { of: file, outcomes };
  }
}

/** A purge empties corrections of purged documents alone; an empty one of another document is a difference. */
function withForgottenCells(corrections: readonly Correction[]): Source['isForgotten'] {
  const emptied = rowsForgotten(corrections);
  return ({ purged, rows }) => purged === true && rows.some((row) => emptied.has(row));
}

async function wrongAttachment(
  instance: Instance,
  file: SourceFile,
  attachments: readonly Attachment[],
): Promise<Break | undefined> {
  for (const one of attachments) {
    const path = attachmentPath(instance, one);
    if (path === undefined) {
      const says = FOUND.attachmentGone({ name: one.name, file: file.name });
      return broken('verify/attachment-differs', says);
    }
    const found = await sha256OfFile(path);
    if (found === one.sha256) continue;
    const says = FOUND.attachmentDiffers({ found: short(found), file: file.name, before: short(one.sha256) });
    return broken('verify/attachment-differs', says, { path: shown(instance, path) });
  }
  return undefined;
}

/** After a stop it may still be in the inbox. */
function attachmentPath(instance: Instance, one: Attachment): string | undefined {
  const path = archivedAttachment(instance, one) ?? join(instance.paths.inbox, one.name);
  return existsSync(path) ? path : undefined;
}

function archivedAttachments(instance: Instance, attachments: readonly Attachment[]): OpenAttachments {
  const known = new Map(attachments.map((one) => [one.name, one]));
  return {
    read: (name) => {
      const one = known.get(name);
      const path = one && attachmentPath(instance, one);
      if (path === undefined) return missingAttachment(name);
      return readFileSync(path).toString('base64');
    },
    decided: () => undefined,
    isHeavy: () => false,
    taken: () => [],
  };
}

async function replay(
  context: VerifyContext,
  source: Source,
  only: ReadonlySet<string> | undefined,
): Promise<SourceFound> {
  const { file } = source;
  const about = { path: shown(context.instance, archivedPath(context.instance, file)) };
  try {
    return await compare(context, source, only, undefined);
  } catch (error) {
    if (error instanceof ReappearedKeysError) return await compare(context, source, only, error.reappeared);
    if (!(error instanceof UnreadableFileError)) throw error;
    if (isOfOtherProgram(file)) return { ...NOTHING, otherChecks: 1 };
    const text = error.faults[0]?.[MESSAGE]?.message ?? error.faults[0]?.message ?? FOUND.unreadable();
    const says = madeBy(file, FOUND.said({ text }));
    return { ...NOTHING, breaks: [broken('verify/rows-unreadable', says, about)] };
  }
}

async function compare(
  { ledger, stop }: VerifyContext,
  source: Source,
  only: ReadonlySet<string> | undefined,
  reappeared: ReappearedKeys | undefined,
): Promise<SourceFound> {
  const breaks: Break[] = [];
  const met = new Map(source.accounts.map(({ id }) => [id, new RowSet()]));
  const rowsMet = ({ id }: SourceFile) => must(met.get(id), 'a file of this reading');
  let [proven, otherChecks] = [0, 0];
  const carries = source.mapping.accepts.companions.length > 0;
  const reader = { carries, isOther: isOfOtherProgram(source.file) };
  for await (const { of, outcomes } of yieldingBetween(source.read(reappeared), stop, 1)) {
    const wanted = new Map(
      outcomes.map((outcome) => [must(detailsOf(outcome).rows[0], 'the first row of a document'), outcome]),
    );
    const left = new Map(wanted);
    for await (const recorded of ledger.queries.revisionsOf(of.id, [...wanted.keys()])) {
      const { firstRow: row } = recorded;
      if (isMerged(recorded)) continue;
      rowsMet(of).add(row);
      left.delete(row);
      if (isUnknown(recorded)) continue;
      if (only && !only.has(recorded.name)) continue;
      const differs = await difference(
        ledger.queries,
        recorded,
        must(wanted.get(row), 'the document of a row'),
        reader,
      );
      if (differs === 'other-checks') otherChecks++;
      else if (differs === undefined) proven++;
      else breaks.push(broken('verify/content-differs', madeBy(of, differs), aboutOf(recorded)));
    }
    if (only || left.size === 0) continue;
    const learned = await ledger.queries.firstRowsLearned(of.id);
    for (const [row, outcome] of left) {
      if (learned.has(row)) continue;
      const says = madeBy(of, CONTENT.extra({ row, file: of.name }));
      breaks.push(broken('verify/document-extra', says, { document: detailsOf(outcome).facts.identifier }));
    }
  }
  for (const one of source.accounts) {
    for await (const recorded of yieldingBetween(ledger.queries.revisionsOf(one.id), stop)) {
      if (rowsMet(one).has(recorded.firstRow) || (only && !only.has(recorded.name))) continue;
      if (isMerged(recorded) || isUnknown(recorded) || source.isForgotten(recorded)) continue;
      const says = madeBy(one, CONTENT.missing({ rows: recorded.rows.join(', '), file: one.name }));
      breaks.push(broken('verify/document-missing', says, aboutOf(recorded)));
    }
  }
  return { proven, otherChecks, breaks };
}

/** Its rows became part of another document when they were read again. */
function isMerged({ rows, outcome }: RecordedRevision): boolean {
  return rows.length === 0 && outcome === 'duplicate';
}

/** A restored ledger knows its rows from a summary, and not what they made. */
function isUnknown({ digest }: RecordedRevision): boolean {
  return digest === '';
}

/** Invalid, or a duplicate as a copy of rows that were corrected: no content was made of it. */
function isWithoutDocument({ outcome, contentSha256 }: RecordedRevision): boolean {
  return outcome === 'invalid' || (outcome === 'duplicate' && contentSha256 === undefined);
}

type Reader = {
  /** What a refused document would have carried is not kept. */
  readonly carries: boolean;
  /** Another version or build read the export: its checks may refuse other documents, and for other causes. */
  readonly isOther: boolean;
};

/** The difference from the record, or undefined; `other-checks`: its content is not made any more, so it is not compared. */
async function difference(
  ledger: QueryStore,
  recorded: RecordedRevision,
  outcome: DocumentOutcome,
  { carries, isOther }: Reader,
): Promise<Message | 'other-checks' | undefined> {
  const { revision } = recorded;
  if (!isDeepStrictEqual(recorded.rows, [...detailsOf(outcome).rows])) {
    return CONTENT.otherRows({ revision, rows: recorded.rows.join(', '), given: detailsOf(outcome).rows.join(', ') });
  }
  if (!('document' in outcome)) {
    if (!isWithoutDocument(recorded))
      return isOther ? 'other-checks' : CONTENT.noValid({ revision, outcome: recorded.outcome });
    if (isOther) return undefined;
    if (recorded.digest === outcome.digest || carries || recorded.facts.rules !== outcome.facts.rules) return undefined;
    return CONTENT.otherRefusal({ revision });
  }
  const { document } = outcome;
  if (isWithoutDocument(recorded)) {
    if (isOther || recorded.purged) return undefined;
    // A copy of corrected rows does not keep its own faults.
    const byRule =
      recorded.facts.rules !== document.facts.rules &&
      (recorded.outcome === 'duplicate' || recorded.faults.some(({ rule }) => rule !== undefined));
    return byRule || hadOutsideTrouble(recorded) ? undefined : CONTENT.validNow({ revision });
  }
  if (recorded.digest !== document.digest) {
    return CONTENT.otherDigest({ revision, before: short(recorded.digest), given: short(document.digest) });
  }
  if (recorded.purged) return undefined;
  const { content, facts } = withNumber(document, await numberOf(ledger, recorded, document));
  if (content.toString() !== recorded.content) return CONTENT.otherContent({ revision });
  // A ledger that was made again from receipts shows less of it.
  const shows = Object.entries(recorded.facts) as [keyof typeof facts, string][];
  if (shows.some(([name, value]) => name !== 'rules' && facts[name] !== value)) {
    return CONTENT.otherFacts({ revision });
  }
  return undefined;
}

/** A ledger that was rebuilt from receipts has the number only in the content. */
async function numberOf(
  ledger: QueryStore,
  recorded: RecordedRevision,
  document: Document,
): Promise<number | undefined> {
  const { entry, content = '' } = recorded;
  if (!document.numbering) return undefined;
  const known = await ledger.numberOf(entry, document);
  if (known !== undefined) return known;
  const withZero = withNumber(document, 0).content.toString();
  const at = [...withZero].findIndex((sign, index) => sign !== content[index]);
  const [digits] = /^\d+/.exec(content.slice(Math.max(at, 0))) ?? [];
  return at < 0 || digits === undefined ? undefined : Number(digits);
}

/**
 * True if the refusal depends on facts that cannot be reproduced: a file next to the export, or numbers in the ledger.
 */
function hadOutsideTrouble({ faults }: RecordedRevision): boolean {
  return faults.some((one) => isOfAttachment(one) || one.code === 'ledger/number-unknown');
}
