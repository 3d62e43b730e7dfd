/** The chain of receipts, summaries and events in the ledger: links are only added, each after the last one. */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { type Head, headOf, type Link } from '../../model/chain-link.ts';
import { appendAll, pagesAfter } from '../../text/long-lists.ts';
import { COUNT_COMMIT, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { ReceiptStore } from '../contract/receipt-store.ts';
import { TOUCH_SUMMARY } from './touch-summary.ts';

const PAGE = 1000;
const NEXT_LINKS = `SELECT * FROM receipt_link WHERE n > ? ORDER BY n LIMIT ${PAGE}`;

const STRAY = `SELECT k.* FROM receipt_link k LEFT JOIN entry e ON k.what = 'receipt' AND e.id = k.id
  LEFT JOIN summary s ON k.what = 'summary' AND s.file = k.id
  LEFT JOIN event_seal v ON k.what = 'event' AND v.link = k.n
  LEFT JOIN report r ON k.what = 'report' AND r.id = k.id
  LEFT JOIN answer_file a ON k.what = 'answers' AND a.link = k.n
  WHERE COALESCE(e.receipt_link, s.link, v.link, r.link, a.link, 0) < k.n ORDER BY k.n LIMIT ${PAGE}`;

export function createReceiptChain({ read, write }: LedgerContext) {
  const links = async function* () {
    const next = (last?: DatabaseRow) => read(async (sql) => sql.all(NEXT_LINKS, (last?.n ?? 0) as number));
    for await (const rows of pagesAfter(PAGE, next)) for (const row of rows) yield toLink(row);
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
    latestLinks: (withinMs) => read(async (sql) => await selectLatestLinks(sql, withinMs)),
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
  const [last] = await Promise.all([readChainEnd(sql), worker?.expectRole(sql, 'receipts')]);
  // Each change of a document ends here, also one that sends nothing: a ledger that lost it is behind the witness of this role.
  if (worker) sql.atEnd(COUNT_COMMIT, 'receipts', worker.id, worker.fenceOf('receipts') ?? 0);
  let head = last;
  const added: unknown[] = [];
  for (const link of links) {
    if (link.n !== (head?.n ?? 0) + 1 || link.previous !== head?.hash) {
      throw new Error(`link ${link.n} of the receipts does not follow link ${head?.n ?? 0}`);
    }
    const { n, what, id, revision, state, attempts, sha256, payloadSha256 = null, run, at, previous = null } = link;
    added.push(
      sql.run(
        `INSERT INTO receipt_link (n, what, id, revision, state, attempts, sha256, payload_sha256, run, at, previous)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[n, what, id, revision, state, attempts, sha256, payloadSha256, run, at, previous],
      ),
    );
    head = headOf(link);
  }
  await Promise.all(added);
}

/**
 * Receipts that were written, and summaries, become due once more, unless they are due. For a worker whose lease has ended: what
 * it wrote last may have replaced what another one had written since.
 */
export async function makeDueAgain(sql: Statements, { entries, files }: Rewritable): Promise<void> {
  const due = `UPDATE entry SET receipt_due = 1 WHERE id = ? AND receipt_due = 0 AND receipt_folder IS NOT NULL AND purged IS NULL
    AND state NOT IN ('staged', 'sending')`;
  for (const id of entries) await sql.run(due, id);
  for (const id of files) await sql.run(TOUCH_SUMMARY, id);
}

type Rewritable = Parameters<ReceiptStore['requestRewrite']>[0];

const WRITERS = 2;

async function selectLatestLinks(sql: Statements, withinMs: number): Promise<readonly Link[]> {
  const found: Link[] = [];
  const runs: string[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; runs.length < WRITERS; ) {
    const others = runs.map(() => ' AND run <> ?').join('');
    const last = `SELECT n, run, at FROM receipt_link WHERE n < ?${others} ORDER BY n DESC LIMIT 1`;
    const [end] = await sql.all(last, before, ...runs);
    if (!end) break;
    const run = text(end, 'run');
    const since = new Date(Date.parse(text(end, 'at')) - withinMs).toISOString();
    runs.push(run);
    before = (end.n as number) + 1;
    for (let isOwn = true; isOwn; ) {
      const page = `SELECT * FROM receipt_link WHERE n < ? ORDER BY n DESC LIMIT ${PAGE}`;
      const links = (await sql.all(page, before)).map(toLink);
      const own = links.findIndex((link) => link.run !== run || link.at < since);
      appendAll(found, own < 0 ? links : links.slice(0, own));
      before = found.at(-1)?.n ?? before;
      isOwn = own < 0 && links.length === PAGE;
    }
  }
  return found.reverse();
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
