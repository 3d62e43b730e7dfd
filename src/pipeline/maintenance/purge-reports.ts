/**
 * Morning reports that a purge removes: those that are old enough, or those that name a counterparty. The ledger records each
 * removal before the files go; hashes and links stay, so that the chain of receipts proves that there was a report.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { plainBytes } from '../../files/read-plain.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { Purged } from '../../model/ledger-entry.ts';
import { reportPaths } from '../../receipts/report-files.ts';

type Place = { readonly instance: Pick<Instance, 'folder'>; readonly ledger: Ledger };
/** A shorter name would be a part of other words. */
const SHORTEST_NAME = 3;

/** Ids. `beforeMs`: written before; `names`: texts of a counterparty, in any letters. One of both. */
export async function reportsToPurge(
  { instance, ledger }: Place,
  wanted: { readonly beforeMs: number } | { readonly names: readonly string[] },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id, at, purged } of await ledger.reports({ limit: Number.MAX_SAFE_INTEGER })) {
    const isThere = Object.values(reportPaths(id)).some((path) => existsSync(join(instance.folder, path)));
    if (purged && !isThere) continue;
    const goes = 'names' in wanted ? names(instance, id, wanted.names) : Date.parse(at) < wanted.beforeMs;
    if (goes) ids.push(id);
  }
  return ids;
}

/** As the JSON file has the texts: the page has no other ones. */
function names({ folder }: Place['instance'], id: string, texts: readonly string[]): boolean {
  const { json } = reportPaths(id);
  const content = plainBytes(join(folder, json))?.toString('utf8').toLowerCase();
  if (content === undefined) return false;
  return texts
    .map((text) => text.trim())
    .filter((text) => text.length >= SHORTEST_NAME)
    .some((text) => content.includes(JSON.stringify(text).slice(1, -1).toLowerCase()));
}

export async function purgeReports(
  { instance, ledger }: Place,
  ids: readonly string[],
  { at, by, reason }: Omit<Purged, 'what'>,
): Promise<void> {
  for (const id of ids) {
    await ledger.purgeReport(id, { at, by, reason });
    for (const path of Object.values(reportPaths(id))) rmSync(join(instance.folder, path), { force: true });
  }
}
