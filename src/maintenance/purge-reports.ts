/**
 * Morning reports that a purge removes: those that are old enough, or those that name a counterparty. The ledger records each
 * removal before the files go; hashes and links stay, so that the chain of receipts proves that there was a report.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { plainBytes } from '../files/read-plain.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { Purged } from '../model/ledger-entry.ts';
import { removeOutput } from '../receipts/output-folders.ts';
import { reportPaths } from '../receipts/report-files.ts';
import { termsIn } from '../search/search-terms.ts';

type Place = { readonly instance: Pick<Instance, 'folder'>; readonly ledger: Ledger };
/** A shorter name would be a part of other words. */
const SHORTEST_NAME = 3;

/** `isKnown`: a document has this counterparty; else a file that is called so has nothing to do with it. */
type Subject = { readonly names: readonly string[]; readonly isKnown: boolean };

/** Ids. `beforeMs`: written before; else those with a name of the counterparty, as whole words in any letters. */
export async function reportsToPurge(
  { instance, ledger }: Place,
  wanted: { readonly beforeMs: number } | Subject,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id, at, purged } of await ledger.reports.list({ limit: Number.MAX_SAFE_INTEGER })) {
    const isThere = Object.values(reportPaths(id)).some((path) => existsSync(join(instance.folder, path)));
    if (purged && !isThere) continue;
    const goes = 'names' in wanted ? hasName(instance, id, wanted) : Date.parse(at) < wanted.beforeMs;
    if (goes) ids.push(id);
  }
  return ids;
}

/** As the JSON file has the texts: the page has no other ones. A damaged file counts whole. */
function hasName({ folder }: Place['instance'], id: string, { names, isKnown }: Subject): boolean {
  const content = plainBytes(join(folder, reportPaths(id).json))?.toString('utf8');
  if (content === undefined) return false;
  const wanted = names.filter((name) => name.trim().length >= SHORTEST_NAME);
  return freeTexts(content, isKnown).some((texts) =>
    wanted.some((name) => texts.every((text) => isNamedIn(text, name))),
  );
}

/** Keys of the texts that come from an export, a service or a person; all others are words of the program. */
const FREE: ReadonlySet<string> = new Set([
  ...['file', 'message', 'given', 'suggestion', 'says', 'reason', 'number', 'documents'],
]);

/** Each text in all its languages: a name is in each of them, a word of the program mostly is not. */
function freeTexts(json: string, isKnown: boolean): readonly (readonly string[])[] {
  try {
    return textsOf(JSON.parse(json), '', isKnown);
  } catch {
    return [[json]];
  }
}

function textsOf(value: unknown, key: string, isKnown: boolean): readonly (readonly string[])[] {
  if (key === 'file' && !isKnown) return [];
  if (typeof value === 'string') return FREE.has(key) ? [[value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, key, isKnown));
  if (key === 'says') return [Object.values(value).map(String)];
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, name, isKnown));
}

/** Whether a text has this name: whole words, whatever their case and accents, as the search compares them. */
export function isNamedIn(text: string, name: string): boolean {
  const wordsOf = (one: string) => ` ${termsIn(one).join(' ')} `;
  return wordsOf(text).includes(wordsOf(name));
}

export async function purgeReports(
  { instance, ledger }: Place,
  ids: readonly string[],
  { at, by, reason }: Omit<Purged, 'what'>,
): Promise<void> {
  for (const id of ids) {
    await ledger.reports.purgeReport(id, { at, by, reason });
    for (const path of Object.values(reportPaths(id))) await removeOutput(join(instance.folder, path));
  }
}
