/** Small files that lie in the inbox at the start: taken as a run takes them, against the bare calls it cannot do without. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { syncFolder } from '../../src/files/fsync-directory.ts';
import { claimCandidates } from '../../src/inbox/claim-candidates.ts';
import { INBOX_RULES } from '../../src/inbox/inbox-rules.ts';
import { scanAfterSettling } from '../../src/inbox/scan-inbox.ts';
import { exportChunks } from '../exports/exports.ts';
import { newFolder } from '../folders.ts';
import { type Case, timed } from '../result.ts';

/** As many as a run claims between two folder flushes (src/pipeline/intake/claim-inbox-files.ts). */
const PAGE = 256;
const AT_A_TIME = 16;
const FILE_BYTES = 1800;

/** Looked for, taken by rename, copied, hashed, flushed and removed. */
export const claimOurs: Case = ({ size }) =>
  withInbox(size, async (inbox, processing) => {
    const rules = { ...INBOX_RULES, settleMs: 0 };
    const clock = { now: Date.now, sleep: async () => {} };
    let count = 0;
    const { ready } = await scanAfterSettling(inbox, rules, clock, { look: 0, seen: new Map() });
    for (let from = 0; from < ready.length; from += PAGE) {
      const options = { processing, run: 'bench', uuid: randomUUID, maxBytes: 1 << 30 };
      const claims = await claimCandidates(ready.slice(from, from + PAGE), options);
      count += claims.filter(({ what }) => what === 'claimed').length;
    }
    return count;
  });

/** readdir, then stat, rename and fsync for each file, and a flush of the folder for each page. */
export const claimRaw: Case = ({ size }) =>
  withInbox(size, async (inbox, processing) => {
    const limit = pLimit(AT_A_TIME);
    const names = await readdir(inbox);
    for (let from = 0; from < names.length; from += PAGE) {
      const page = names.slice(from, from + PAGE);
      await Promise.all(page.map((name) => limit(() => takeBare(join(inbox, name), join(processing, name)))));
      await syncFolder(processing);
    }
    return names.length;
  });

async function takeBare(from: string, to: string): Promise<void> {
  await stat(from);
  await rename(from, to);
  const file = await open(to, 'r');
  await file.sync();
  await file.close();
}

async function withInbox(size: number, take: (inbox: string, processing: string) => Promise<number>): ReturnType<Case> {
  const folder = newFolder('case');
  const inbox = join(folder, 'inbox');
  const processing = join(folder, 'processing');
  for (const path of [inbox, processing]) mkdirSync(path, { recursive: true });
  const [text] = exportChunks('csv', 10);
  for (let n = 0; n < size; n++) writeFileSync(join(inbox, `sales-${n}.csv`), text!.subarray(0, FILE_BYTES));
  const result = await timed(() => take(inbox, processing));
  const left = readdirSync(inbox).length;
  if (result.documents !== size || left > 0) throw new Error(`${result.documents} of ${size} taken, ${left} left`);
  return result;
}
