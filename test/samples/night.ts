/** One night over given files: taken in, sent to the sandbox, and what the ledger knows of each file and document. */

import type { LedgerEntry, SourceFile } from '../../src/model/ledger-entry.ts';
import { createLedgerOf, lookIntoLedgerOf, openLedgerOf, openRun, systemClock } from '../../src/runs/open-run.ts';
import { run } from '../../src/runs/run.ts';
import { type AuditProof as AskedProof, type Break, type Proven, verify } from '../../src/verify/verify-instance.ts';
import type { Shipped } from './instance.ts';

type Told = { readonly entry: LedgerEntry; readonly content: string | undefined };
export type Night = { readonly file: SourceFile; readonly entries: readonly Told[] }[];

/** Files in the order they were given; `today` is the date of admission at noon UTC. */
export async function spendNight({ instance }: Shipped, paths: readonly string[], today: string): Promise<Night> {
  await createLedgerOf(instance);
  await using ledger = await openLedgerOf(instance);
  const now = new Date(`${today}T12:00:00Z`);
  await using work = await openRun(instance, ledger, {
    stop: new AbortController().signal,
    onEvent: () => {},
    clock: { ...systemClock, now: () => now },
  });
  await run(work, { files: paths });
  const night: Night = [];
  for (const file of await ledger.queries.files({})) {
    const entries: Told[] = [];
    for await (const entry of ledger.queries.entriesOf(file.id)) {
      entries.push({ entry, content: await ledger.queries.contentOf(entry.id) });
    }
    night.push({ file, entries });
  }
  const place = (name: string) => paths.findIndex((path) => path.endsWith(`/${name}`));
  return night.sort((a, b) => place(a.file.name) - place(b.file.name));
}

/** Whether all of it can be proven afterwards. */
export async function proofOf(
  instance: Shipped['instance'],
  asked: Omit<AskedProof, 'onBreak'> = {},
): Promise<Proven & { readonly found: readonly Break[] }> {
  await using ledger = await lookIntoLedgerOf(instance);
  const found: Break[] = [];
  return {
    ...(await verify({ instance, ledger, clock: systemClock }, { ...asked, onBreak: (one) => found.push(one) })),
    found,
  };
}

/** JSON laid out for people, every number with the digits it has on the wire. */
export function laidOut(content: string): string {
  const raw = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
  const parsed: unknown = JSON.parse(content, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? raw.rawJSON(source) : value) as (key: string, value: unknown) => unknown);
  return `${JSON.stringify(parsed, null, 2)}\n`;
}
