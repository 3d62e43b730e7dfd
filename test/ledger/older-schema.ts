/** The statements that make a ledger one of the version before the latest change of the tables, on both engines. */
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/ledger/database/migrations.ts';

export const TO_OLDER_SCHEMA: readonly string[] = [
  ...(MIGRATIONS.at(-1) ?? []).toReversed().map(undone),
  `UPDATE meta SET value = '${SCHEMA_VERSION - 1}' WHERE key = 'schema'`,
];

function undone(statement: string): string {
  const [, what, name] = /^CREATE (TABLE|INDEX) (\w+)/.exec(statement) ?? [];
  if (name !== undefined) return `DROP ${what} ${name}`;
  const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(statement) ?? [];
  return `ALTER TABLE ${table} DROP COLUMN ${column}`;
}
