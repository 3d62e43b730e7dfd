/**
 * Exports that several mappings share, of which a replaced ledger knows the reading of one mapping alone: the others have read them
 * too, and their documents may have been sent. The next run reads the export again under these.
 */
import { existsSync } from 'node:fs';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import type { Instance } from '../instance/instance.ts';
import { ago } from '../instance/retention-age.ts';
import { text } from '../ledger/contract/ledger-context.ts';
import { importFile } from '../ledger/records/import-outputs.ts';
import { OF_RECEIPTS } from '../model/ledger-entry.ts';
import { classify } from '../pipeline/intake/classify-file.ts';
import { partsFile } from '../receipts/archive-mapping.ts';
import { sha256Hex } from '../text/sha256.ts';

const FILES = `SELECT id, name, sha256, size, modified_at, claimed_at, day, run, path, state, mapping_id, archived_at FROM source_file
  WHERE rereads IS NULL ORDER BY claimed_at, id`;

type Shared = { readonly instance: Instance; readonly sql: Statements; readonly firstUse: ReadonlyMap<string, string> };

export function sharingMappings({ mappings }: Pick<Instance, 'mappings'>): ReadonlySet<string> {
  return new Set(mappings.filter(({ accepts }) => accepts.shares).map(({ id }) => id));
}

/** Within a transaction of the caller, after everything that names a file is in the ledger. */
export async function recoverSharedExports(instance: Instance, sql: Statements, now: Date): Promise<void> {
  const sharing = sharingMappings(instance);
  if (sharing.size < 2) return;
  const files = await sql.all(FILES);
  const { receipts } = instance.settings.keep;
  const since = receipts === undefined ? '' : new Date(ago(receipts, now)).toISOString();
  const firstUse = new Map<string, string>();
  for (const file of files.toReversed()) firstUse.set(String(file.mapping_id), text(file, 'claimed_at'));
  for (const records of Map.groupBy(files, ({ path }) => path).values()) {
    const shared = records.find((one) => one.state === 'admitted' && sharing.has(String(one.mapping_id)));
    // A purge has removed the receipts of what is older.
    if (shared && text(shared, 'claimed_at') >= since)
      await readUnderOthers({ instance, sql, firstUse }, shared, records);
  }
}

async function readUnderOthers(
  { instance, sql, firstUse }: Shared,
  shared: DatabaseRow,
  records: readonly DatabaseRow[],
): Promise<void> {
  const [name, claimedAt, path] = [text(shared, 'name'), text(shared, 'claimed_at'), text(shared, 'path')];
  const isOfAny = (one: DatabaseRow) => one.mapping_id === null && one.state !== 'duplicate';
  if (records.some(isOfAny) || !existsSync(path)) return;
  const known = new Set(records.map(({ mapping_id: mapping }) => mapping));
  const others = instance.mappings.filter((mapping) => {
    if (!mapping.accepts.shares || known.has(mapping.id) || !mapping.acceptsName(name)) return false;
    const first = firstUse.get(mapping.id);
    const isOfThen = existsSync(partsFile(instance.folder, instance.stampOf(mapping).sha256));
    // One that came into use later has not read it; a copy that is not in the archive waits for each of them.
    return shared.archived_at === null || (first === undefined ? isOfThen : first <= claimedAt);
  });
  const found = others.length > 0 ? await classify({ instance }, { name, path, claimedAt }) : undefined;
  const fitting = found?.kind === 'shared' ? others.filter((one) => found.mappings.includes(one)) : [];
  for (const { id } of fitting) {
    const [sha256, day] = [text(shared, 'sha256'), text(shared, 'day')];
    await importFile(sql, {
      ...{ id: `${OF_RECEIPTS}${sha256Hex([name, sha256, day, id].join('\n')).slice(0, 12)}`, name, sha256, day, path },
      ...{ size: Number(shared.size), modifiedAt: text(shared, 'modified_at'), claimedAt, run: text(shared, 'run') },
      ...{ state: 'loading', mapping: null, encoding: null, rows: 0, leftOut: [], faults: [] },
    });
  }
}
