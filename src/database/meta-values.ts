/** The table `meta`: facts about a ledger as a whole, by name. */
import type { Statements } from './database-driver.ts';

export async function readMetaValues(sql: Statements): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.all('SELECT key, value FROM meta');
  return new Map(rows.map(({ key, value }) => [key as string, value as string]));
}

/** Replaces the values that are there already. */
export async function writeMetaValues(sql: Statements, values: { readonly [key: string]: string }): Promise<void> {
  const set = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
  for (const [key, value] of Object.entries(values)) await sql.run(set, key, value);
}
