/** Builders for the inbox tests: an inbox and a processing folder of their own, files with a given age. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ClaimOptions } from '../../src/inbox/claim-candidates.ts';
import { joinBytes } from '../../src/inbox/claim-names.ts';
import { INBOX_RULES } from '../../src/inbox/inbox-rules.ts';
import type { InboxCandidate } from '../../src/inbox/scan-inbox.ts';

export const NOW = Date.UTC(2026, 10, 20, 22, 0, 0);

export async function makeFolders(): Promise<{ root: string; inbox: string; processing: string }> {
  const root = await mkdtemp(join(tmpdir(), 'np-inbox-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const inbox = join(root, 'inbox');
  const processing = join(root, 'processing');
  await mkdir(inbox);
  await mkdir(processing, { mode: 0o700 });
  return { root, inbox, processing };
}

/** A pipe that blocks its reader. */
export function dropFifo(inbox: string, name: string): void {
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(inbox, name)]);
}

/** A file whose last change lies `ageMs` before NOW. */
export async function drop(
  inbox: string,
  name: string | Buffer,
  content: string | Buffer = 'a;b\n1;2\n',
  ageMs = 3_600_000,
) {
  const path = joinBytes(inbox, Buffer.from(name as string));
  await writeFile(path, content);
  await utimes(path, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  return path;
}

export async function candidate(inbox: string, name: string | Buffer, marker?: string): Promise<InboxCandidate> {
  const bytes = Buffer.from(name as string);
  const { size, mtimeMs } = await lstat(joinBytes(inbox, bytes));
  return { folder: inbox, name: bytes, size, mtimeMs, ...(marker ? { marker: Buffer.from(marker) } : {}) };
}

export function claimOptions(processing: string, more: Partial<ClaimOptions> = {}): ClaimOptions {
  return { processing, run: 'run-1', uuid: () => randomUUID(), maxBytes: INBOX_RULES.maxBytes, ...more };
}

/** Every file below, as relative paths, sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** A folder on another volume than `folder`, until the end of the test; undefined where the machine has none. */
export async function folderElsewhere(folder: string): Promise<string | undefined> {
  const { dev } = await stat(folder);
  for (const volume of ['/dev/shm', '/var/tmp']) {
    const other = await mkdtemp(join(volume, 'np-inbox-')).catch(() => undefined);
    if (!other) continue;
    onTestFinished(() => rm(other, { recursive: true, force: true }));
    if ((await stat(other)).dev !== dev) return other;
  }
  return undefined;
}
