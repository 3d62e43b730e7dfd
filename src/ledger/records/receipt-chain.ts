/** The chain of receipts, summaries and events in the ledger: links are only added, each after the last one. */
import { type Head, headOf, type Link } from '../../model/chain-link.ts';
import { must } from '../../model/must.ts';
import { type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { ReceiptStore } from '../contract/receipt-store.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { TOUCH_SUMMARY } from './touch-summary.ts';

const PAGE = 1000;

const STRAY = `SELECT k.* FROM receipt_link k LEFT JOIN entry e ON k.what = 'receipt' AND e.id = k.id
  LEFT JOIN summary s ON k.what = 'summary' AND s.file = k.id
  LEFT JOIN event_seal v ON k.what = 'event' AND v.link = k.n
  LEFT JOIN report r ON k.what = 'report' AND r.id = k.id
  LEFT JOIN answer_file a ON k.what = 'answers' AND a.link = k.n
  WHERE COALESCE(e.receipt_link, s.link, v.link, r.link, a.link, 0) < k.n ORDER BY k.n LIMIT ${PAGE}`;

export function createReceiptChain({ read, write }: LedgerContext) {
  const links = async function* () {
    for (let after = 0; ; ) {
      const rows = await read(async (sql) =>
        sql.all(`SELECT * FROM receipt_link WHERE n > ? ORDER BY n LIMIT ${PAGE}`, after),
      );
      for (const row of rows) yield toLink(row);
      if (rows.length < PAGE) return;
      after = must(rows.at(-1), 'the last link of a page').n as number;
    }
  };
  const several = (rest: string, ...values: (string | number)[]) =>
    read(async (sql) => (await sql.all(`SELECT * FROM receipt_link ${rest}`, ...values)).map(toLink));
  return {
    chainHead: () => read(readChainEnd),
    links,
    requestRewrite: ({ entries, files }) =>
      write(async (sql) => {
        for (const id of entries) await sql.run('UPDATE entry SET receipt_due = 1 WHERE id = ?', id);
        for (const id of files) await sql.run(TOUCH_SUMMARY, id);
      }),
    linkAt: async (n) => (await several('WHERE n = ?', n))[0],
    linksOf: (id) => several('WHERE id = ? ORDER BY n', id),
    orphanedLinks: () => read(async (sql) => (await sql.all(STRAY)).map(toLink)),
  } satisfies Partial<ReceiptStore>;
}

/**
 * One writer of receipts works at a time; a second one would give two links the same predecessor. Throws `ledger/lease-lost` for
 * a worker that no longer has this role.
 */
export async function extendChain(
  sql: Statements,
  { worker }: Pick<LedgerContext, 'worker'>,
  links: readonly Link[],
): Promise<void> {
  await worker?.expectRole(sql, 'receipts');
  let head = await readChainEnd(sql);
  for (const link of links) {
    if (link.n !== (head?.n ?? 0) + 1 || link.previous !== head?.hash) {
      throw new Error(`link ${link.n} of the receipts does not follow link ${head?.n ?? 0}`);
    }
    const { n, what, id, revision, state, attempts, sha256, payloadSha256 = null, run, at, previous = null } = link;
    await sql.run(
      `INSERT INTO receipt_link (n, what, id, revision, state, attempts, sha256, payload_sha256, run, at, previous)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[n, what, id, revision, state, attempts, sha256, payloadSha256, run, at, previous],
    );
    head = headOf(link);
  }
}

/** The last link, as the next one names it. */
export async function readChainEnd(sql: Statements): Promise<Head | undefined> {
  const [row] = await sql.all('SELECT * FROM receipt_link ORDER BY n DESC LIMIT 1');
  return row && headOf(toLink(row));
}

function toLink(row: DatabaseRow): Link {
  return {
    n: row.n as number,
    what: text(row, 'what') as Link['what'],
    id: text(row, 'id'),
    revision: row.revision as number,
    state: text(row, 'state'),
    attempts: row.attempts as number,
    sha256: text(row, 'sha256'),
    ...optional('payloadSha256', row.payload_sha256, String),
    run: text(row, 'run'),
    at: text(row, 'at'),
    ...optional('previous', row.previous, String),
  };
}
