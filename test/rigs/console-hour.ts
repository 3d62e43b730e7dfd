/**
 * Nights one after the other next to five open pages that listen and ask all the time: the log of the ledger has to stay
 * short, every question has to be answered, and the console may not grow.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { followers } from '../../src/console/api/live-changes.ts';
import { listenTo } from '../console/api-client.ts';
import { ask, openConsoleOf, SAME_ORIGIN, signInAs } from '../console/console.ts';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import type { TimeLimit } from './limit.ts';

const PAGES = 5;
const PER_NIGHT = 500;
/** A log begins again at 32 MiB, unless a read needs it. */
const LONGEST_MIB = 64;
const MOST_GROWTH_MIB = 256;
const PATHS = ['', 'documents', 'api/v1/documents?limit=100', 'api/v1/causes', 'api/v1/status', 'api/v1/find?q=N1-7'];

export async function keepPagesOpen({
  limit,
  report,
}: {
  readonly limit: TimeLimit;
  readonly report: (figures: Hour) => void;
}): Promise<Hour> {
  await using scene = await openScene();
  await using open = await openConsoleOf(scene);
  const session = await signInAs(scene, open, 'viewer');
  const headers = { ...session, ...SAME_ORIGIN };
  const faults: string[] = [];
  const stop = new AbortController();
  let asked = 0;
  const pages = Array.from({ length: PAGES }, () => listenTo(open, session));
  const asking = pages.map(async (_, page) => {
    for (let n = page; !stop.signal.aborted; n++) {
      const path = PATHS[n % PATHS.length]!;
      const { status } = await ask(open, `${open.base}/${path}`, { headers });
      if (status !== 200) faults.push(`${path}: ${status}`);
      asked++;
    }
  });
  const log = join(scene.root, 'state', 'ledger.sqlite-wal');
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, (statSync(log, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20);
  }, 50);
  let nights = 0;
  let first = 0;
  const figures = (): Hour => ({
    nights,
    asked,
    heard: pages.reduce((sum, { heard }) => sum + heard.length, 0),
    logMib: Math.round(longest),
    growthMib: Math.round(process.memoryUsage().rss / 2 ** 20 - first),
    faults,
  });
  while (nights < 2 || !limit.isOver(nights)) {
    nights++;
    scene.drop(`ventes-${nights}.csv`, sales(Array.from({ length: PER_NIGHT }, (_, n) => `N${nights}-${n}`)));
    const { code } = await commandIn(scene, 'run');
    if (code !== 0) faults.push(`run: ${code}`);
    if (nights === 1) first = process.memoryUsage().rss / 2 ** 20;
    report(figures());
  }
  clearInterval(timer);
  stop.abort();
  await Promise.all(asking);
  if (followers() !== PAGES) faults.push(`${followers()} pages listen`);
  for (const page of pages) page.leave();
  const end = figures();
  if (end.logMib > LONGEST_MIB) faults.push(`the log of the ledger had ${end.logMib} MiB`);
  if (end.growthMib > MOST_GROWTH_MIB) faults.push(`the program grew by ${end.growthMib} MiB`);
  faults.push(...open.defects.map(String));
  return end;
}

type Hour = {
  readonly nights: number;
  readonly asked: number;
  readonly heard: number;
  readonly logMib: number;
  readonly growthMib: number;
  readonly faults: readonly string[];
};
