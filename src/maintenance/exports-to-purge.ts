/**
 * Which exports and summaries a purge may remove. An export may have several copies and several records: it was dropped
 * again, read once more, refused at first, or came in two files. They go together, or none of them. Reads only.
 */
import { existsSync } from 'node:fs';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { definedItems } from '../model/defined-only.ts';
import { doneSince, isDone, isPurged, type LedgerEntry, type SourceFile } from '../model/ledger-entry.ts';
import { yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { partnersAmong } from '../pipeline/sources/pair-partners.ts';
import { appendAll } from '../text/long-lists.ts';
import { keptMappings } from '../verify/archived-mapping.ts';
import { needsAction, refusedFiles } from '../views/queries/refused-files.ts';
import { mayHaveName } from './unattributed-exports.ts';

type Context = { readonly instance: Instance; readonly ledger: Ledger; readonly stop?: AbortSignal | undefined };

/** A file in the archive, with every record of it in the ledger. */
export type ArchivedCopy = { readonly path: string; readonly files: readonly SourceFile[] };

/**
 * An export of a counterparty that stays: it has documents of others, or one of its documents needs action. `unattributed`: it has
 * the name, and no document shows whose they are.
 */
export type KeptExport = { readonly path: string; readonly why: 'others' | 'waiting' | 'unattributed' };

/** The documents of a counterparty: those that go, and ids of those that wait. `name`: as a person gave it. */
export type SubjectDocuments = {
  readonly name: string;
  readonly going: readonly LedgerEntry[];
  readonly waiting: ReadonlySet<string>;
};

/** Milliseconds since 1970: older than this goes, except what documents (ids) need for an answer to the ERP. */
type Limits = { readonly archive: number; readonly receipts: number; readonly unanswered: ReadonlySet<string> };

export type ExportsToPurge = {
  readonly copies: readonly ArchivedCopy[];
  /** Files whose summaries go. */
  readonly summarized: readonly SourceFile[];
  readonly kept: readonly KeptExport[];
};

/** By age; with `subject`, whatever the age. */
export async function exportsToPurge(
  context: Context,
  before: Limits,
  subject: SubjectDocuments | undefined,
): Promise<ExportsToPurge> {
  const all: SourceFile[] = [];
  for await (const file of yieldingBetween(context.ledger.queries.allFiles(), context.stop, 64)) all.push(file);
  const isOpen = await openFiles(context);
  const judge = subject ? await judgeOfSubject(context, subject) : await judgeOfAge(context, before);
  const isNamed = namedExports(context);
  const found = { copies: [] as ArchivedCopy[], summarized: [] as SourceFile[], kept: [] as KeptExport[] };
  for await (const files of yieldingBetween(unitsOf(context, all, subject !== undefined), context.stop)) {
    if (files.some(({ archivedAt }) => archivedAt === undefined)) continue;
    const copies = [...Map.groupBy(files, ({ path }) => path)].map(([path, of]) => ({ path, files: of }));
    const there = copies.filter(({ path, files: of }) => !of.every(isRemoved) || existsSync(path));
    const summarized = files.filter(({ summary }) => summary !== undefined);
    if (there.length + summarized.length === 0) continue;
    const judged = withWaiting(await judge(files), files.some(isOpen), subject !== undefined);
    if (judged.archive) appendAll(found.copies, there);
    if (judged.receipts) appendAll(found.summarized, summarized);
    appendAll(found.kept, await keptOf(there, judged));
  }
  return found;

  async function keptOf(there: readonly ArchivedCopy[], { archive, kept }: Verdict): Promise<readonly KeptExport[]> {
    const isToSearch = subject && !archive && kept === undefined;
    const why = isToSearch && (await isNamed(there, subject.name)) ? 'unattributed' : kept;
    return why === undefined ? [] : there.map(({ path }) => ({ path, why }));
  }
}

/** Whether copies of one export have the name, where no document shows any more whose they are. */
function namedExports({ instance, ledger }: Context) {
  const kept = keptMappings(instance);
  const isUnattributed = async (files: readonly SourceFile[]) => {
    let documents = 0;
    for (const { id } of files) {
      for await (const { purged } of ledger.queries.entriesOf(id)) {
        documents++;
        if (isPurged({ purged }, 'content')) return true;
      }
    }
    return documents === 0;
  };
  return async (copies: readonly ArchivedCopy[], name: string): Promise<boolean> => {
    const [copy] = copies.filter(({ path }) => existsSync(path));
    const [file] = copy?.files ?? [];
    if (!copy || !file || !(await isUnattributed(copies.flatMap(({ files }) => files)))) return false;
    const mapping = file.mapping && kept(file.mapping);
    return await mayHaveName(file, mapping && 'code' in mapping ? undefined : mapping, name);
  };
}

/** A refused copy that waits for a person keeps the export; of a counterparty, it is listed as kept. */
function withWaiting(judged: Verdict, isWaiting: boolean, ofSubject: boolean): Verdict {
  if (!isWaiting) return judged;
  const isMeant = ofSubject && (judged.archive || judged.kept !== undefined);
  return { archive: false, receipts: false, ...(isMeant && { kept: 'waiting' as const }) };
}

/** Whether a file waits for a person, in any of its copies: the list of open work has the same bytes once. */
async function openFiles({ ledger }: Context): Promise<(file: SourceFile) => boolean> {
  const open = new Set((await refusedFiles(ledger.queries)).map(({ sha256 }) => sha256));
  return (file) => needsAction(file) && open.has(file.sha256);
}

function isRemoved({ purged }: SourceFile): boolean {
  return isPurged({ purged }, 'archive');
}

/**
 * Records that go together: of one path, of one export that was read several times, of both files of a pair. The name of a
 * counterparty is in every copy of the same bytes.
 */
function unitsOf(
  { instance }: Context,
  files: readonly SourceFile[],
  withSameBytes: boolean,
): Iterable<readonly SourceFile[]> {
  const kept = keptMappings(instance);
  const partner = partnersAmong(files, ({ mapping: stamp }) => {
    const now = stamp && instance.mappings.find(({ id }) => id === stamp.id);
    if (!stamp || (now && instance.stampOf(now).sha256 === stamp.sha256)) return now;
    const then = kept(stamp);
    return 'code' in then ? now : then;
  });
  const over = new Map<string, string>();
  const top = (key: string): string => {
    let found = key;
    for (let next = over.get(found); next !== undefined; next = over.get(found)) found = next;
    return found;
  };
  for (const file of files) {
    const { id, path, rereads, sha256 } = file;
    const ties = [`path ${path}`, rereads, partner(file)?.id, withSameBytes ? `bytes ${sha256}` : undefined];
    for (const tie of definedItems(ties)) {
      const [own, other] = [top(id), top(tie)];
      if (own !== other) over.set(own, other);
    }
  }
  return Map.groupBy(files, ({ id }) => top(id)).values();
}

type Verdict = { readonly archive: boolean; readonly receipts: boolean; readonly kept?: KeptExport['why'] };
type Judge = (files: readonly SourceFile[]) => Promise<Verdict>;

/** Each document of any of the files has to be old enough, and done. */
async function judgeOfAge({ ledger, stop }: Context, before: Limits): Promise<Judge> {
  const setAside = await ledger.queries.filesSetAside();
  return async (files) => {
    const ages = files.flatMap(({ id, archivedAt = '' }) => [archivedAt, setAside.get(id) ?? archivedAt]);
    const isOld = (limit: number) => ages.every((at) => Date.parse(at) < limit);
    let [archive, receipts] = [isOld(before.archive), isOld(before.receipts)];
    const waiting = waitingFor(files, before);
    for (const { id } of files) {
      if (!archive && !receipts) break;
      for await (const entry of yieldingBetween(ledger.queries.entriesOf(id), stop, 64)) {
        const isOver = isDone(entry) && !waiting.has(entry.id);
        const goes = (limit: number) => isOver && Date.parse(doneSince(entry)) < limit;
        archive &&= goes(before.archive);
        receipts &&= goes(before.receipts);
        if (!archive && !receipts) break;
      }
    }
    return { archive, receipts };
  };
}

/** Documents that the ERP waits for. Of an export that a purge before a restore has removed no answer can be made any more. */
function waitingFor(files: readonly SourceFile[], { unanswered }: Limits): ReadonlySet<string> {
  return files.some(({ path }) => existsSync(path)) ? unanswered : new Set();
}

/**
 * Each document that was ever read from one of the files, or corrected by one, has to go, or went when its own counterparty
 * was removed: also where a purge was stopped before it came to the files.
 */
async function judgeOfSubject({ ledger, stop }: Context, { going, waiting }: SubjectDocuments): Promise<Judge> {
  const ids = new Set(going.map(({ id }) => id));
  const touched = new Set(going.map(({ file }) => file.id));
  for (const { id, revision } of going) {
    if (revision > 1) for (const { file } of await ledger.queries.revisionsOfEntry(id)) touched.add(file);
  }
  const goes = ({ id, purged }: Pick<LedgerEntry, 'id' | 'purged'>) => ids.has(id) || purged?.ofSubject === true;
  const documentsOfAll = async function* (files: readonly SourceFile[]) {
    for (const { id } of files) yield* ledger.queries.entriesOf(id);
    const others = new Set(files.flatMap(({ leftOut }) => leftOut.flatMap(({ of }) => of?.id ?? [])));
    for (const { id } of files) for await (const { entry } of ledger.queries.revisionsOf(id)) others.add(entry);
    yield* await ledger.queries.entriesById([...others].filter((id) => !ids.has(id)));
    for (const id of others) if (ids.has(id)) yield { id };
  };
  return async (files) => {
    let documents = 0;
    for await (const one of yieldingBetween(documentsOfAll(files), stop, 64)) {
      documents++;
      if (goes(one)) continue;
      const why = waiting.has(one.id) ? 'waiting' : 'others';
      const isMeant = files.some(({ id }) => touched.has(id));
      return isMeant ? { archive: false, receipts: false, kept: why } : { archive: false, receipts: false };
    }
    return { archive: documents > 0, receipts: documents > 0 };
  };
}
