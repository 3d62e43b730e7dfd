/**
 * Who holds the lock of an instance, in a note next to it: `state/lock.json`. The lock decides, the note only explains: one
 * that a crash left, or that cannot be written or read, counts as none.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** `act`: a decision of a person, which ends soon; `upkeep`: a purge, a restore or a rebuild. */
const HOLDER_WORK = ['run', 'watch', 'act', 'upkeep'] as const;

/** What the holder of a lock does. */
export type HolderWork = (typeof HOLDER_WORK)[number];

const NOTE = z.strictObject({
  work: z.enum(HOLDER_WORK),
  pid: z.int().positive(),
  host: z.string(),
  /** ISO 8601, UTC. */
  since: z.iso.datetime(),
});

/** The process that holds a lock, since when (ISO 8601, UTC), and for what. */
export type LockHolder = z.infer<typeof NOTE>;

/** The note next to this lock. */
function noteOf(lock: string): string {
  return join(dirname(lock), 'lock.json');
}

/** Replaces the note of an earlier holder at once; an instance without a note works all the same. */
export function writeLockHolder(lock: string, work: HolderWork, now: Date): void {
  const note: LockHolder = { work, pid: process.pid, host: hostname(), since: now.toISOString() };
  const temporary = `${noteOf(lock)}.new`;
  try {
    writeFileSync(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    renameSync(temporary, noteOf(lock));
  } catch {
    removeLockHolder(lock);
  }
}

/** Before the lock is released, so that the note is never of a holder that let go. */
export function removeLockHolder(lock: string): void {
  try {
    rmSync(noteOf(lock), { force: true });
  } catch {
    // The next holder replaces it.
  }
}

/** For a lock that was found taken; undefined if its holder is not known, or its process is gone. */
export function readLockHolder(lock: string): LockHolder | undefined {
  try {
    const note = NOTE.safeParse(JSON.parse(readFileSync(noteOf(lock), 'utf8'))).data;
    return note && isGone(note) ? undefined : note;
  } catch {
    return undefined;
  }
}

/** Processes of other hosts, or of containers with their own numbers, cannot be asked. */
function isGone({ pid, host }: LockHolder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
