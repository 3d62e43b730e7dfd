/**
 * Copies every row of a ledger into another one with the same tables, on any engine, and proves that both have the same.
 * Within one snapshot of the source and one transaction of the target, whose own rows go first. Errors of the engines are
 * thrown as they give them.
 */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { readMetaValues } from '../../database/meta-values.ts';
import { SCHEMA_VERSION } from '../../database/migrations.ts';
import { LEDGER_MOVE, SEND_GUARD } from '../../i18n/messages/send-guard-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import { beginSha256 } from '../../text/sha256.ts';

/** Rows that are read, and on their way to the target, at a time. */
const PAGE = 500;

/** A table with its columns; `key`: those of the primary key. */
export type LedgerTable = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Columns that refer to rows of the table itself, which may come later. */
  readonly own: readonly string[];
};

/** All tables of a ledger on SQLite, each after those that its rows refer to. */
export async function listTables(sqlite: Statements): Promise<readonly LedgerTable[]> {
  const found = await sqlite.all(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'backup_file'`,
  );
  const left: { readonly table: LedgerTable; readonly refersTo: readonly string[] }[] = [];
  for (const { name } of found) {
    const columns = await sqlite.all('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid', name ?? null);
    const references = await sqlite.all(
      'SELECT "table" AS other, "from" AS of FROM pragma_foreign_key_list(?)',
      name ?? null,
    );
    const key = columns.filter(({ pk }) => pk !== 0).toSorted((a, b) => Number(a.pk) - Number(b.pk));
    const table = {
      name: String(name),
      columns: columns.map((column) => String(column.name)),
      key: key.map((column) => String(column.name)),
      own: references.filter(({ other }) => other === name).map(({ of }) => String(of)),
    };
    left.push({ table, refersTo: references.filter(({ other }) => other !== name).map(({ other }) => String(other)) });
  }
  const ordered: LedgerTable[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ refersTo }) => refersTo.every((name) => ordered.some((one) => one.name === name)));
    const [one] = left.splice(next, 1);
    if (next < 0 || !one) throw new Error('tables of the ledger refer to each other in a circle');
    ordered.push(one.table);
  }
  return ordered;
}

/**
 * Throws `ledger/move-differs` if a table of the copy is not that of the source, and `ledger/newer-schema` for a source with tables
 * or columns that only a newer version knows: the copy would leave them out.
 */
export async function copyExactly(from: Statements, to: Statements, tables: readonly LedgerTable[]): Promise<void> {
  const found = Number((await readMetaValues(from)).get('schema'));
  if (found > SCHEMA_VERSION) {
    throw new OperatorError('ledger/newer-schema', SEND_GUARD.newerSchema({ found, known: SCHEMA_VERSION }));
  }
  for (const { name } of tables.toReversed()) await to.run(`DELETE FROM ${name}`);
  const hashes = new Map<string, string>();
  for (const table of tables) {
    const hash = beginSha256();
    const later: DatabaseRow[] = [];
    for await (const rows of pagesOf(from, table)) {
      await insertRows(to, table, rows);
      for (const row of rows) {
        hash.update(rowText(table, row));
        if (table.own.some((column) => row[column] !== null)) later.push(pick(row, [...table.own, ...table.key]));
      }
    }
    await setReferences(to, table, later);
    hashes.set(table.name, hash.digest('hex'));
  }
  // Only now: a server ends a transaction that reads nothing for some seconds.
  for (const table of tables) {
    if ((await hashOf(to, table)) === hashes.get(table.name)) continue;
    throw new OperatorError('ledger/move-differs', LEDGER_MOVE.differs({ table: table.name }), {
      hint: LEDGER_MOVE.differsHint(),
    });
  }
}

function pick(row: DatabaseRow, columns: readonly string[]): DatabaseRow {
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));
}

/** SHA-256 over all rows of a table, in the order of its key. */
async function hashOf(sql: Statements, table: LedgerTable): Promise<string> {
  const hash = beginSha256();
  for await (const rows of pagesOf(sql, table)) for (const row of rows) hash.update(rowText(table, row));
  return hash.digest('hex');
}

function rowText({ columns }: LedgerTable, row: DatabaseRow): string {
  return `${JSON.stringify(columns.map((column) => row[column] ?? null))}\n`;
}

/** In the order of the key, which is that of bytes on every engine. */
async function* pagesOf(sql: Statements, { name, columns, key }: LedgerTable): AsyncIterable<readonly DatabaseRow[]> {
  const [list, order] = [columns.join(', '), key.join(', ')];
  const places = key.map(() => '?').join(', ');
  let last: DatabaseRow | undefined;
  for (;;) {
    const after = last ? `WHERE (${order}) > (${places})` : '';
    const values: DatabaseValue[] = last ? key.map((column) => last?.[column] ?? null) : [];
    const rows = await sql.all(`SELECT ${list} FROM ${name} ${after} ORDER BY ${order} LIMIT ${PAGE}`, ...values);
    yield rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

async function insertRows(sql: Statements, table: LedgerTable, rows: readonly DatabaseRow[]): Promise<void> {
  const { name, columns, own } = table;
  const insert = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const valueIn = (row: DatabaseRow, column: string) => (own.includes(column) ? null : (row[column] ?? null));
  // Sent at once: a server is not waited for after each row.
  await Promise.all(rows.map((row) => sql.run(insert, ...columns.map((column) => valueIn(row, column)))));
}

async function setReferences(sql: Statements, table: LedgerTable, rows: readonly DatabaseRow[]): Promise<void> {
  const { name, own, key } = table;
  const set = own.map((column) => `${column} = ?`).join(', ');
  const where = key.map((column) => `${column} = ?`).join(' AND ');
  const values = (row: DatabaseRow) => [...own, ...key].map((column) => row[column] ?? null);
  for (let from = 0; from < rows.length; from += PAGE) {
    const page = rows.slice(from, from + PAGE);
    await Promise.all(page.map((row) => sql.run(`UPDATE ${name} SET ${set} WHERE ${where}`, ...values(row))));
  }
}
