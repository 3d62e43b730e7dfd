/** A folder for one test, and what the ledgers in it are bound to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export { BINDING } from './binding.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
