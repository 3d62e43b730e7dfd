/**
 * One look at an inbox: which files are there and no longer growing. The folder goes in, candidates come out.
 *
 * Only the scan decides, events only cause one: the next look finds what a lost event hid. A file that appears by
 * rename with an old time is taken at once by a one-shot run, and after one settle time by a watching one.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isOfDevice } from '../files/errno-name.ts';
import { INBOX_ADVICE, INBOX_PROBLEM } from '../i18n/messages/inbox-messages.ts';
import type { Fault } from '../model/fault.ts';
import { matchesName } from '../text/glob.ts';
import { escapeControls } from '../text/printable.ts';
import { nameText } from '../text/safe-file-name.ts';
import {
  emptyMemory,
  forgetGone,
  type InboxMemory,
  judgeKind,
  judgeRest,
  type RestLook,
  recall,
  remember,
} from './at-rest.ts';
import { inboxAway } from './inbox-away.ts';
import { type InboxRules, isIgnored, LONG_MS, type SetAside } from './inbox-rules.ts';
import { inboxFault } from './plain-file.ts';

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
  readonly why: 'young' | 'growing' | 'empty' | 'no-marker' | 'held' | 'ignored' | 'not-asked';
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

type FileSight =
  | { readonly ready: InboxCandidate }
  | { readonly waiting: WaitingFile }
  | { readonly refused: Fault | undefined }
  | undefined;

type Tally = { ready: InboxCandidate[]; waiting: WaitingFile[]; waitingCount: number; refused: Fault[] };
type ScanContext = RestLook & { readonly folder: string; readonly rules: InboxRules };

const PAGE = 256;
const LISTED_WAITING = 1_000;

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
  memory.looks = rules.looks;
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
    throw inboxAway(folder, cause);
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
  const { rules, memory } = scan;
  const text = nameText(name);
  const isMeant = rules.only === undefined || rules.only.some((pattern) => matchesName(pattern, text));
  if (!isMeant || isIgnored(text, rules.ignore)) {
    // Others judge whether it is at rest: what a document carries, a control file.
    recall(memory, name);
    return undefined;
  }
  const aside = rules.setAside?.(text);
  if (aside) return await inspectSetAside(name, aside, scan);
  if (rules.marker !== undefined && text.endsWith(rules.marker)) return inspectMarker(name, rules.marker, scan);
  return await inspectCandidate(name, scan);
}

/** No file stays in the inbox without a word. */
async function inspectSetAside(name: Buffer, { why }: SetAside, scan: ScanContext): Promise<FileSight> {
  recall(scan.memory, name);
  const stats = why === undefined ? undefined : await statFile(scan.folder, name);
  const isOld = typeof stats === 'object' && stats.isFile() && scan.nowMs - stats.mtimeMs >= LONG_MS;
  return why !== undefined && isOld ? { waiting: { name: nameText(name), why } } : undefined;
}

async function inspectCandidate(name: Buffer, scan: ScanContext): Promise<FileSight> {
  const { folder, rules } = scan;
  const text = nameText(name);
  const stats = await statFile(folder, name);
  if (stats === undefined) return undefined;
  if (stats === 'unreadable') return reportOnce(name, cannotLook(text), scan);
  const rest = rules.marker === undefined ? judgeRest(name, stats, scan) : (judgeKind(name, stats, scan) ?? 'at-rest');
  if (rest !== 'at-rest' && 'refused' in rest) return reportOnce(name, rest.refused, scan);
  if ((recall(scan.memory, name)?.notBeforeMs ?? 0) > scan.nowMs) return { waiting: { name: text, why: 'held' } };
  if (rest !== 'at-rest') return { waiting: { name: text, ...rest.waiting } };
  const candidate = { folder, name, size: stats.size, mtimeMs: stats.mtimeMs };
  if (rules.marker === undefined) return { ready: candidate };
  const marker = Buffer.concat([name, Buffer.from(rules.marker)]);
  if ((await statFile(folder, marker)) === undefined) return { waiting: { name: text, why: 'no-marker' } };
  return { ready: { ...candidate, marker } };
}

/**
 * One file that a person names, as a look finds it, whatever its age and its name: ready with its marker, refused with its fault,
 * or undefined if it is not there.
 */
export async function inspectNamedFile(
  folder: string,
  name: Buffer,
  rules: InboxRules,
  nowMs: number,
): Promise<{ readonly ready: InboxCandidate } | { readonly refused: Fault } | undefined> {
  const atOnce: InboxRules = { ...rules, settleMs: 0, emptyMs: 0, looks: 1 };
  const sight = await inspectCandidate(name, { folder, rules: atOnce, nowMs, memory: emptyMemory() });
  if (!sight || 'ready' in sight) return sight;
  // It waits for nothing else: half of it would be taken, and a marker that comes later would open the next file of the name.
  return { refused: ('refused' in sight && sight.refused) || withoutMarker(nameText(name), rules.marker ?? '') };
}

function withoutMarker(name: string, suffix: string): Fault {
  const [shown, marker] = [escapeControls(name), escapeControls(name + suffix)];
  return inboxFault('no-marker', name, INBOX_PROBLEM.noMarker({ name: shown, marker }), INBOX_ADVICE.mark());
}

/**
 * Sees files of these names before anyone asks for them, so that all of them are at rest after one settle time. One that
 * cannot be looked at is left out: it is a fault of the document that asks for it.
 */
export function rememberNames(folder: string, patterns: readonly string[], look: RestLook): void {
  if (patterns.length === 0) return;
  for (const name of readdirSync(folder)) {
    if (!patterns.some((pattern) => matchesName(pattern, name))) continue;
    try {
      judgeRest(Buffer.from(name), lstatSync(join(folder, name)), look);
    } catch {}
  }
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
