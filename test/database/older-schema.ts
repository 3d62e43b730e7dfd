/** The statements that make a ledger one of an older version, on both engines: from before long keys had a stored form. */
import { MIGRATIONS } from '../../src/database/migrations.ts';

/** Its schema. */
export const OLDER_SCHEMA = MIGRATIONS.findIndex((statements) => statements.some((one) => one.includes('whole')));

export const TO_OLDER_SCHEMA: readonly string[] = [
  ...MIGRATIONS.slice(OLDER_SCHEMA).flat().toReversed().flatMap(undone),
  `UPDATE meta SET value = '${OLDER_SCHEMA}' WHERE key = 'schema'`,
];

function undone(statement: string): readonly string[] {
  const [, what, made] = /^CREATE (TABLE|INDEX) (\w+)/.exec(statement) ?? [];
  if (made !== undefined) return [`DROP ${what} ${made}`];
  const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(statement) ?? [];
  // Values that a migration empties are made again by the upgrade.
  return table === undefined ? [] : [`ALTER TABLE ${table} DROP COLUMN ${column}`];
}
