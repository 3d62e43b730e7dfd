/**
 * Whether a file of the inbox is complete: an export, a file that a document carries, a control file. The name, what the file
 * is now and what earlier looks saw go in; at rest, waiting or refused comes out. Nothing here reads a disk or throws.
 */
import type { Stats } from 'node:fs';
import type { DataFault } from '../model/fault.ts';
import { nameText } from '../text/safe-file-name.ts';
import type { InboxRules } from './inbox-rules.ts';
import { checkPlainFile } from './plain-file.ts';

export type SeenFile = {
  size: number;
  mtimeMs: number;
  sinceMs: number;
  /** It was another one at an earlier look: its age proves nothing. */
  hasGrown: boolean;
  look: number;
  reported?: string;
  notBeforeMs?: number;
};

/**
 * What earlier looks saw; kept by the caller from look to look, forgotten with the files. `looks`: what the last one asked of
 * a file, as in the rules.
 */
export type InboxMemory = {
  look: number;
  looks?: InboxRules['looks'];
  readonly seen: Map<string, SeenFile>;
  /** Names that documents have asked for since the last look began. */
  readonly asked?: Set<string>;
  /** Names of two meanings that were reported, with the time of the file. */
  readonly doubtful?: Map<string, number>;
};

export function emptyMemory(): InboxMemory {
  return { look: 0, seen: new Map(), asked: new Set(), doubtful: new Map() };
}

type RestRules = Pick<InboxRules, 'settleMs' | 'emptyMs' | 'looks' | 'maxBytes'>;

/** One look at files: its rules, its instant, and the memory of earlier ones. */
export type RestLook = { readonly rules: RestRules; readonly nowMs: number; readonly memory: InboxMemory };

type Waiting = {
  readonly why: 'young' | 'growing' | 'empty';
  /** When the next look can find it ready, if it stays unchanged. */
  readonly readyAtMs: number;
};

/** `at-rest`: the file may be read now. */
export type FileRest = 'at-rest' | { readonly waiting: Waiting } | { readonly refused: DataFault };

/** Files beyond it are not remembered before earlier ones are gone: memory stays bounded, the wait gets longer. */
const REMEMBERED = 250_000;

/** Remembers the look, unless the file is at rest at the first one. */
export function judgeRest(name: Buffer, stats: Stats, look: RestLook): FileRest {
  const unfit = judgeKind(name, stats, look);
  if (unfit) return unfit;
  const { rules, nowMs, memory } = look;
  const isNew = !memory.seen.has(memoryKey(name));
  const settleMs = stats.size === 0 ? rules.emptyMs : rules.settleMs;
  const age = nowMs - stats.mtimeMs;
  if (rules.looks === 1 && age >= settleMs && isNew) return 'at-rest';
  const seen = remember(memory, name, stats, nowMs);
  const stable = nowMs - seen.sinceMs >= settleMs;
  // A time in the future (the share's clock is ahead) proves nothing: then it is enough that the file stays unchanged.
  if (stable || (rules.looks === 1 && !seen.hasGrown && age >= settleMs)) return 'at-rest';
  const [stillAtMs, oldAtMs] = [seen.sinceMs + settleMs, stats.mtimeMs + settleMs];
  const readyAtMs = rules.looks === 1 && !seen.hasGrown ? Math.min(stillAtMs, oldAtMs) : stillAtMs;
  const why = seen.hasGrown ? 'growing' : whyYoung(stats);
  return { waiting: { why, readyAtMs } };
}

/** What no age changes: undefined for a plain file of one name. */
export function judgeKind(
  name: Buffer,
  stats: Stats,
  { rules, nowMs }: Omit<RestLook, 'memory'>,
): Exclude<FileRest, 'at-rest'> | undefined {
  // A writer that must replace no file gives it its name by a link, and then removes the first name.
  const isNewLink = stats.isFile() && stats.nlink > 1 && Math.abs(nowMs - stats.ctimeMs) < rules.settleMs;
  if (isNewLink) return { waiting: { why: 'young', readyAtMs: stats.ctimeMs + rules.settleMs } };
  const fault = checkPlainFile(stats, nameText(name), rules.maxBytes);
  return fault && { refused: fault };
}

function whyYoung({ size }: Stats): 'empty' | 'young' {
  return size === 0 ? 'empty' : 'young';
}

/** The memory of this file from this look on. */
export function remember(
  memory: InboxMemory,
  name: Buffer,
  { size, mtimeMs }: { readonly size: number; readonly mtimeMs: number },
  nowMs: number,
): SeenFile {
  const key = memoryKey(name);
  let seen = memory.seen.get(key);
  if (!seen) {
    seen = { size, mtimeMs, sinceMs: nowMs, hasGrown: false, look: memory.look };
    if (memory.seen.size < REMEMBERED) memory.seen.set(key, seen);
  }
  const hasGrown = seen.size !== size || seen.mtimeMs !== mtimeMs;
  if (hasGrown || seen.sinceMs > nowMs) Object.assign(seen, { size, mtimeMs, sinceMs: nowMs });
  seen.hasGrown ||= hasGrown;
  seen.look = memory.look;
  return seen;
}

/** What this look has seen of the file before, which is thereby not forgotten. */
export function recall(memory: InboxMemory, name: Buffer): SeenFile | undefined {
  const seen = memory.seen.get(memoryKey(name));
  if (seen) seen.look = memory.look;
  return seen;
}

/** Forgets what the last look did not see. */
export function forgetGone({ seen, look }: InboxMemory): void {
  for (const [key, entry] of seen) if (entry.look !== look) seen.delete(key);
}

function memoryKey(name: Buffer): string {
  return name.toString('latin1');
}
