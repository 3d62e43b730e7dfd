/**
 * One look at an inbox: which files are there and no longer growing. The folder goes in, candidates come out.
 *
 * Only the scan decides, events only cause one: the next look finds what a lost event hid. A file that appears by
 * rename with an old time is taken at once by a one-shot run, and after one settle time by a watching one.
 */
import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { sep } from 'node:path';
import { isOfDevice } from '../files/errno-name.ts';
import { INBOX_ADVICE, INBOX_PROBLEM } from '../i18n/messages/inbox-messages.ts';
import { type Fault, OperatorError } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';
import { nameText } from '../text/safe-file-name.ts';
import { type InboxRules, isIgnored } from './inbox-rules.ts';
import { checkPlainFile, inboxFault } from './plain-file.ts';

export type InboxCandidate = {
  readonly folder: string;
  /** Bytes, because a name need not be UTF-8. */
  readonly name: Buffer;
  readonly size: number;
  readonly mtimeMs: number;
  readonly marker?: Buffer;
};

export type WaitingFile = {
  readonly name: string;
  readonly why: 'young' | 'growing' | 'empty' | 'no-marker' | 'held';
  /** When the next look can find it ready, if it stays unchanged. */
  readonly readyAtMs?: number;
};

export type InboxScan = {
  /** Oldest first. */
  readonly ready: readonly InboxCandidate[];
  /** The first thousand of them; `waitingCount` counts all. */
  readonly waiting: readonly WaitingFile[];
  readonly waitingCount: number;
  /** Stay where they are; each file is in here once, not once per look. */
  readonly refused: readonly Fault[];
  /** The look ended at `rules.most`: claim these and look again. */
  readonly more: boolean;
};

type SeenFile = {
  size: number;
  mtimeMs: number;
  sinceMs: number;
  look: number;
  reported?: string;
  notBeforeMs?: number;
};

/** What earlier looks saw; kept by the caller from look to look, forgotten with the files. */
export type InboxMemory = { look: number; readonly seen: Map<string, SeenFile> };

type FileSight =
  | { readonly ready: InboxCandidate }
  | { readonly waiting: WaitingFile }
  | { readonly refused: Fault | undefined }
  | undefined;

type Tally = { ready: InboxCandidate[]; waiting: WaitingFile[]; waitingCount: number; refused: Fault[] };
type ScanContext = { folder: string; rules: InboxRules; nowMs: number; memory: InboxMemory };

const PAGE = 256;
const LISTED_WAITING = 1_000;
/** Files beyond it are not remembered before earlier ones are gone: memory stays bounded, the wait gets longer. */
const REMEMBERED = 250_000;

/** One look at the folder. Throws OperatorError `inbox/folder-not-readable`; an error of the disk or the share as it is. */
export async function scanInbox(
  folder: string,
  rules: InboxRules,
  nowMs: number,
  memory: InboxMemory,
): Promise<InboxScan> {
  const scan = { folder, rules, nowMs, memory };
  const tally: Tally = { ready: [], waiting: [], waitingCount: 0, refused: [] };
  memory.look++;
  let more = false;
  for await (const page of listPages(folder)) {
    for (const sight of await Promise.all(page.map((name) => inspectFile(name, scan)))) addToTally(sight, tally);
    more = tally.ready.length >= rules.most;
    if (more) break;
  }
  if (!more) forgetGone(memory);
  tally.ready.sort((a, b) => a.mtimeMs - b.mtimeMs || Buffer.compare(a.name, b.name));
  return { ...tally, more };
}

/** More would wait for a clock that was set back. */
const SLEEPS = 3;

/** The look of a one-shot run: files that are still young get one settle time to come to rest. */
export async function scanAfterSettling(
  folder: string,
  rules: InboxRules,
  clock: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
  memory: InboxMemory,
): Promise<InboxScan> {
  const first = await scanInbox(folder, { ...rules, looks: 1 }, clock.now(), memory);
  const young = first.waiting.some(({ why }) => why === 'young' || why === 'growing');
  if (!young || first.more) return first;
  const untilMs = clock.now() + rules.settleMs;
  // A timer may end a moment before its time by the clock: there is no other look before the next night.
  for (let n = 0, leftMs = rules.settleMs; n < SLEEPS && leftMs > 0; n++) {
    await clock.sleep(Math.min(leftMs, rules.settleMs));
    leftMs = untilMs - clock.now();
  }
  const second = await scanInbox(folder, { ...rules, looks: 1 }, clock.now(), memory);
  return { ...second, refused: [...first.refused, ...second.refused] };
}

/** A file that could not be claimed is left alone until then; true where this fault of it was not reported before. */
export function postpone(
  memory: InboxMemory,
  candidate: InboxCandidate,
  { code, nowMs, untilMs }: { readonly code: string; readonly nowMs: number; readonly untilMs: number },
): boolean {
  const seen = remember(memory, candidate.name, candidate, nowMs);
  const isNew = seen.reported !== code;
  seen.reported = code;
  seen.notBeforeMs = untilMs;
  return isNew;
}

async function* listPages(folder: string): AsyncGenerator<Buffer[]> {
  // The types know names as text only; `encoding: 'buffer'` gives them as bytes.
  const options = { bufferSize: PAGE, encoding: 'buffer' as BufferEncoding };
  const entries = await opendir(folder, options).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    // It is not the folder that fails, and the next look may succeed.
    if (code === 'EMFILE' || code === 'ENFILE' || isOfDevice(cause)) throw cause;
    const message = INBOX_PROBLEM.folderNotReadable({ folder: escapeControls(folder) });
    throw new OperatorError('inbox/folder-not-readable', message, { hint: INBOX_ADVICE.checkFolder(), cause });
  });
  let page: Buffer[] = [];
  for await (const { name } of entries) {
    page.push(name as unknown as Buffer);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

async function inspectFile(name: Buffer, scan: ScanContext): Promise<FileSight> {
  const { folder, rules } = scan;
  const text = nameText(name);
  if (isIgnored(text, rules.ignore)) return undefined;
  if (rules.marker !== undefined && text.endsWith(rules.marker)) return inspectMarker(name, rules.marker, scan);
  const stats = await statFile(folder, name);
  if (stats === undefined) return undefined;
  if (stats === 'unreadable') return reportOnce(name, cannotLook(text), scan);
  const linked = inspectNewLink(stats, text, scan);
  if (linked) return linked;
  const fault = checkPlainFile(stats, text, rules.maxBytes);
  if (fault) return reportOnce(name, fault, scan);
  return rules.marker === undefined
    ? inspectSettledFile(name, stats, scan)
    : inspectMarkedFile(name, stats, rules.marker, scan);
}

/** A writer that must replace no file gives it its name by a link, and then removes the first name. */
function inspectNewLink(stats: Stats, name: string, { rules, nowMs }: ScanContext): FileSight {
  const isNew = stats.isFile() && stats.nlink > 1 && Math.abs(nowMs - stats.ctimeMs) < rules.settleMs;
  return isNew ? { waiting: { name, why: 'young', readyAtMs: stats.ctimeMs + rules.settleMs } } : undefined;
}

/** A marker without its file is reported: the next file of that name would be taken before it is complete. */
async function inspectMarker(marker: Buffer, suffix: string, scan: ScanContext): Promise<FileSight> {
  const name = marker.subarray(0, marker.length - Buffer.byteLength(suffix));
  const stats = await statFile(scan.folder, marker);
  if (stats === undefined || stats === 'unreadable' || scan.nowMs - stats.mtimeMs < scan.rules.emptyMs)
    return undefined;
  if ((await statFile(scan.folder, name)) !== undefined) return undefined;
  const shown = nameText(marker);
  const message = INBOX_PROBLEM.markerAlone({ name: escapeControls(shown) });
  const fault = inboxFault('marker-without-file', shown, message, INBOX_ADVICE.deliver());
  return reportOnce(marker, { ...fault, level: 'warning' }, scan);
}

async function inspectMarkedFile(name: Buffer, stats: Stats, suffix: string, scan: ScanContext): Promise<FileSight> {
  const marker = Buffer.concat([name, Buffer.from(suffix)]);
  if (isPostponed(name, scan)) return { waiting: { name: nameText(name), why: 'held' } };
  if ((await statFile(scan.folder, marker)) === undefined)
    return { waiting: { name: nameText(name), why: 'no-marker' } };
  return { ready: { ...toCandidate(name, stats, scan.folder), marker } };
}

function inspectSettledFile(name: Buffer, stats: Stats, scan: ScanContext): FileSight {
  const { rules, nowMs, memory } = scan;
  const before = memory.seen.get(memoryKey(name));
  const changed = before !== undefined && !isAsBefore(before, stats);
  const settleMs = stats.size === 0 ? rules.emptyMs : rules.settleMs;
  const age = nowMs - stats.mtimeMs;
  if (rules.looks === 1 && age >= settleMs && !changed && before === undefined) {
    return { ready: toCandidate(name, stats, scan.folder) };
  }
  const seen = remember(memory, name, stats, nowMs);
  if (isPostponed(name, scan)) return { waiting: { name: nameText(name), why: 'held' } };
  const stable = nowMs - seen.sinceMs >= settleMs;
  // A time in the future (the share's clock is ahead) proves nothing: then it is enough that the file stays unchanged.
  const old = age >= settleMs || (age < 0 && stable);
  if (old && (stable || (rules.looks === 1 && !changed))) return { ready: toCandidate(name, stats, scan.folder) };
  const [stillAtMs, oldAtMs] = [seen.sinceMs + settleMs, stats.mtimeMs + settleMs];
  const latestMs = rules.looks === 1 ? oldAtMs : Math.max(stillAtMs, oldAtMs);
  const why = changed ? 'growing' : whyYoung(stats);
  return { waiting: { name: nameText(name), why, readyAtMs: age < 0 ? stillAtMs : latestMs } };
}

function isAsBefore(before: Pick<SeenFile, 'size' | 'mtimeMs'>, { size, mtimeMs }: Stats): boolean {
  return before.size === size && before.mtimeMs === mtimeMs;
}

function whyYoung({ size }: Stats): 'empty' | 'young' {
  return size === 0 ? 'empty' : 'young';
}

function addToTally(sight: FileSight, tally: Tally): void {
  if (sight === undefined) return;
  if ('ready' in sight) tally.ready.push(sight.ready);
  else if ('waiting' in sight) {
    tally.waitingCount++;
    if (tally.waiting.length < LISTED_WAITING) tally.waiting.push(sight.waiting);
  } else if (sight.refused) tally.refused.push(sight.refused);
}

/** Reports the fault the first time only. */
function reportOnce(name: Buffer, fault: Fault, { memory, nowMs }: ScanContext): FileSight {
  const seen = remember(memory, name, { size: -1, mtimeMs: -1 }, nowMs);
  if (seen.reported === fault.code) return { refused: undefined };
  seen.reported = fault.code;
  return { refused: fault };
}

function remember(
  memory: InboxMemory,
  name: Buffer,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  nowMs: number,
): SeenFile {
  const key = memoryKey(name);
  let seen = memory.seen.get(key);
  if (!seen) {
    seen = { size, mtimeMs, sinceMs: nowMs, look: memory.look };
    if (memory.seen.size < REMEMBERED) memory.seen.set(key, seen);
  }
  if (seen.size !== size || seen.mtimeMs !== mtimeMs || seen.sinceMs > nowMs) {
    Object.assign(seen, { size, mtimeMs, sinceMs: nowMs });
  }
  seen.look = memory.look;
  return seen;
}

function forgetGone({ seen, look }: InboxMemory): void {
  for (const [key, entry] of seen) if (entry.look !== look) seen.delete(key);
}

function isPostponed(name: Buffer, { memory, nowMs }: ScanContext): boolean {
  const seen = memory.seen.get(memoryKey(name));
  if (seen) seen.look = memory.look;
  return (seen?.notBeforeMs ?? 0) > nowMs;
}

function toCandidate(name: Buffer, { size, mtimeMs }: Stats, folder: string): InboxCandidate {
  return { folder, name, size, mtimeMs };
}

async function statFile(folder: string, name: Buffer): Promise<Stats | 'unreadable' | undefined> {
  try {
    return await lstat(Buffer.concat([Buffer.from(folder + sep), name]));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EBUSY') return 'unreadable';
    throw error;
  }
}

function cannotLook(name: string): Fault {
  return inboxFault(
    'cannot-read',
    name,
    INBOX_PROBLEM.cannotLook({ name: escapeControls(name) }),
    INBOX_ADVICE.permissions(),
  );
}

function memoryKey(name: Buffer): string {
  return name.toString('latin1');
}
