/**
 * Joins four histories of an instance at rest: the bytes that were ever dropped, the ledger, the files in the folders
 * and the acceptance log of the sandbox. What does not fit together comes out as lists; all but two must be empty.
 *
 * It shares no code with the program: it reads the tables and the files by itself. The exports it understands are those
 * of the rigs: lines end in \n, no cell holds one, the first line is the header, the first cell is the document's number.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Acceptance } from '../../src/sandbox/acceptance-log.ts';

export type Dropped = {
  readonly name: string;
  readonly content: string;
  /** XML, or the headers of a pair: its rows are for `verify` alone. */
  readonly isTable?: false;
};

export type Histories = {
  /** The instance folder; no one works in it. */
  readonly root: string;
  /** The ledger as a file of SQLite; that of the instance by default. */
  readonly ledger?: string;
  readonly dropped: readonly Dropped[];
  /** Lines of the acceptance log. */
  readonly accepted: readonly Acceptance[];
  /** Requests per identity, those without acceptance too. */
  readonly requests?: readonly { readonly identity: string; readonly requests: number }[];
};

export type Report = {
  /** Dropped, or accepted by a service, and not in the books. */
  readonly lost: readonly string[];
  /** In the books or at the service, and no one dropped or sent it. */
  readonly unexpected: readonly string[];
  /** Accepted, requested or filed more than once. */
  readonly doubled: readonly string[];
  readonly inTwoFolders: readonly string[];
  readonly stray: readonly string[];
  /** A receipt that says other than the ledger. */
  readonly differing: readonly string[];
  /** In doubt, and the service has it: these a consultation would bring home. */
  readonly recovered: readonly string[];
  /** In doubt, and no service ever took it. */
  readonly unreached: readonly string[];
  readonly documents: number;
  readonly accepted: number;
};

const FAULTS = ['lost', 'unexpected', 'doubled', 'inTwoFolders', 'stray', 'differing'] as const;
const FOLDERS = ['outbox', 'pending', 'error'] as const;
/** Where the receipt of a state lies; a state without a place is not at rest. */
const FOLDER_OF: { readonly [state: string]: (typeof FOLDERS)[number] } = {
  ...{ authorized: 'outbox', ready: 'pending', held: 'pending', contingency: 'pending' },
  ...{ invalid: 'error', duplicate: 'error', conflict: 'error', invalidated: 'error', rejected: 'error' },
  ...{ failed: 'error', returned: 'error', refused: 'error', 'in-doubt': 'error' },
};
/** States that a document the service has taken may be in. */
const MAY_BE_TAKEN = new Set(['authorized', 'contingency', 'invalidated', 'in-doubt', 'returned']);
const PROJECTIONS = /\.(receipt|payload|summary)\.json$|\.answers\.xml$|\.to-fix\.(csv|xlsx|xml)$|^README\.txt$/;

type Row = { readonly [column: string]: string | number | null };
type Receipt = {
  readonly path: string;
  readonly folder: string;
  readonly text: {
    readonly id: string;
    readonly revision: number;
    readonly state: string;
    readonly document: { readonly identifier: string };
    readonly answer: { readonly code: number } | null;
    readonly source: { readonly file: string; readonly sha256: string; readonly rows: readonly number[] };
    readonly payload: { readonly file: string; readonly sha256: string } | null;
    readonly attempts: readonly { readonly act: string; readonly requestId: string; readonly outcome: string | null }[];
  };
};

export function check(histories: Histories): Report {
  const found = { lost: [], unexpected: [], doubled: [], inTwoFolders: [], stray: [], differing: [] } as {
    [name in (typeof FAULTS)[number]]: string[];
  };
  const books = readBooks(histories.ledger ?? join(histories.root, 'state/ledger.sqlite'));
  const files = filesBelow(histories.root);
  const receipts = receiptsIn(histories.root, files);
  checkServices(histories, books, found);
  checkReceipts(histories.root, books, receipts, found);
  checkSources(histories, books, receipts, found);
  checkFolders(histories.root, books, files, receipts, found);
  const accepted = new Set(histories.accepted.map(({ requestId }) => requestId));
  const inDoubt = books.entries.filter(({ state }) => state === 'in-doubt');
  const isTaken = (entry: Row) =>
    books.attempts.some((one) => one.entry === entry.id && accepted.has(str(one.request_id)));
  const taken = Map.groupBy(inDoubt, isTaken);
  return {
    ...found,
    recovered: (taken.get(true) ?? []).map(({ identifier }) => str(identifier)),
    unreached: (taken.get(false) ?? []).map(({ identifier }) => str(identifier)),
    documents: books.entries.length,
    accepted: accepted.size,
  };
}

/** Everything that may not be, one line each; empty is the promise. */
export function faultsOf(report: Report): readonly string[] {
  return FAULTS.flatMap((name) => report[name].map((what) => `${name}: ${what}`));
}

export function readAcceptances(path: string): readonly Acceptance[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Acceptance);
}

type Books = ReturnType<typeof readBooks>;
type Found = { readonly [name in (typeof FAULTS)[number]]: string[] };

function readBooks(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const all = (sql: string) => db.prepare(sql).all() as unknown as readonly Row[];
    return {
      files: all('SELECT * FROM source_file'),
      entries: all('SELECT * FROM entry'),
      revisions: all('SELECT * FROM revision'),
      attempts: all(`SELECT * FROM attempt WHERE act = 'submit'`),
      staged: all('SELECT * FROM staged'),
      summaries: all('SELECT * FROM summary'),
    };
  } finally {
    db.close();
  }
}

/** What the services have against what was sent. */
function checkServices({ accepted, requests = [] }: Histories, { entries, attempts }: Books, found: Found): void {
  const byRequest = Map.groupBy(attempts, ({ request_id }) => str(request_id));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const [identity, all] of Map.groupBy(accepted, ({ identity }) => identity)) {
    if (all.length > 1) found.doubled.push(`${identity} reached the service ${all.length} times`);
  }
  for (const { identity, requests: times } of requests) {
    if (times > 1) found.doubled.push(`${identity} was requested ${times} times`);
  }
  const has = new Set<unknown>();
  for (const { identity, requestId } of accepted) {
    const entry = byId.get(byRequest.get(requestId)?.[0]?.entry ?? '');
    if (!entry)
      found.unexpected.push(`${identity} was accepted as request ${requestId}, which the ledger does not know`);
    else if (!MAY_BE_TAKEN.has(str(entry.state))) {
      found.lost.push(`${identity} was accepted, and the ledger says ${entry.state}`);
    }
    has.add(entry?.id);
  }
  for (const { id, identifier, state } of entries) {
    if (state === 'authorized' && !has.has(id))
      found.unexpected.push(`${identifier} is authorized, and no service took it`);
  }
}

/** Each entry has one receipt, in its folder, that says what the ledger says. */
function checkReceipts(
  root: string,
  { entries, revisions, files, attempts }: Books,
  receipts: readonly Receipt[],
  found: Found,
): void {
  const byId = Map.groupBy(receipts, ({ text }) => text.id);
  const revisionOf = new Map(revisions.map((one) => [`${one.entry} ${one.revision}`, one]));
  const fileOf = new Map(files.map((one) => [one.id, one]));
  const attemptsOf = Map.groupBy(attempts, ({ entry }) => entry);
  const known = new Set(entries.map(({ id }) => str(id)));
  for (const { path, text } of receipts) if (!known.has(text.id)) found.unexpected.push(`${path} is of no entry`);
  for (const entry of entries) {
    const own = byId.get(str(entry.id)) ?? [];
    const folder = FOLDER_OF[str(entry.state)];
    if (!folder) found.lost.push(`${entry.identifier} is still ${entry.state}`);
    // It has no revision yet.
    if (entry.state === 'staged') continue;
    if (own.length === 0) found.lost.push(`${entry.identifier} has no receipt`);
    if (own.length > 1) found.inTwoFolders.push(`${entry.identifier}: ${own.map(({ path }) => path).join(', ')}`);
    const revision = revisionOf.get(`${entry.id} ${entry.revision}`)!;
    const file = fileOf.get(revision.file!)!;
    const sent = (attemptsOf.get(entry.id!) ?? []).map(({ request_id, outcome }) => ({
      requestId: request_id,
      outcome,
    }));
    for (const { path, text, folder: place } of own) {
      const differs = differences([
        ['folder', place, folder],
        ['state', text.state, entry.state],
        ['revision', text.revision, entry.revision],
        ['number', text.document.identifier, entry.identifier],
        ['code', text.answer?.code ?? null, entry.code],
        ['rows', text.source.rows, JSON.parse(str(revision.source_rows))],
        ['file', [text.source.file, text.source.sha256], [file.name, file.sha256]],
        ['requests', requestsOf(text), sent],
        ['payload', text.payload?.sha256 ?? null, revision.content_sha256],
        ['payload file', text.payload && hashOf(join(root, path, '..', text.payload.file)), revision.content_sha256],
      ]);
      for (const difference of differs) found.differing.push(`${path}: ${difference}`);
    }
  }
}

function requestsOf({ attempts }: Receipt['text']) {
  return attempts.filter(({ act }) => act === 'submit').map(({ requestId, outcome }) => ({ requestId, outcome }));
}

function differences(
  pairs: readonly (readonly [name: string, receipt: unknown, ledger: unknown])[],
): readonly string[] {
  return pairs
    .filter(([, receipt, ledger]) => JSON.stringify(receipt) !== JSON.stringify(ledger))
    .map(([name, receipt, ledger]) => `${name} is ${JSON.stringify(receipt)}, in the ledger ${JSON.stringify(ledger)}`);
}

/** Each dropped byte is in the archive, each of its rows in exactly one receipt. */
function checkSources({ root, dropped }: Histories, books: Books, receipts: readonly Receipt[], found: Found): void {
  const keyOf = (name: unknown, sha256: unknown) => `${name} ${sha256}`;
  const taken = Map.groupBy(books.files, ({ name, sha256 }) => keyOf(name, sha256));
  const expected = Map.groupBy(dropped, ({ name, content }) => keyOf(name, sha256Of(content)));
  const revisions = Map.groupBy(books.revisions, ({ file }) => file);
  const filed = Map.groupBy(receipts, ({ text }) => keyOf(text.source.file, text.source.sha256));
  const now = new Map(books.entries.map((entry) => [entry.id, entry.revision]));
  for (const [key, files] of taken) {
    if ((expected.get(key)?.length ?? 0) < files.length)
      found.unexpected.push(`file ${key} was taken ${files.length} times`);
  }
  for (const [key, all] of expected) {
    const files = taken.get(key) ?? [];
    for (let n = files.length; n < all.length; n++) found.lost.push(`file ${key} was never taken`);
    for (const file of files) {
      const own = { now, revisions: revisions.get(file.id!) ?? [], receipts: filed.get(key) ?? [] };
      checkRows(root, file, all[0]!, own, found);
    }
  }
}

/** What the ledger and the folders have of one file. */
type OfFile = {
  /** The revision of each entry that counts. */
  readonly now: ReadonlyMap<Row[string] | undefined, Row[string] | undefined>;
  readonly revisions: readonly Row[];
  readonly receipts: readonly Receipt[];
};

function checkRows(
  root: string,
  file: Row,
  { content, isTable }: Dropped,
  { now, revisions, receipts }: OfFile,
  found: Found,
): void {
  const { name, state, sha256 } = file;
  if (file.archived_at === null || hashOf(inRoot(root, str(file.path))) !== sha256)
    found.lost.push(`${name} is not in the archive`);
  if (state !== 'admitted') {
    if (state === 'loading') found.lost.push(`${name} is still loading`);
    return;
  }
  if (isTable === false) return;
  const numbers = new Map(
    content
      .split('\n')
      .flatMap((line, index) => (index === 0 || line === '' ? [] : [[index + 1, line.split(';')[0]!]])),
  );
  const places = new Map<number, number>();
  const place = (row: number) => places.set(row, (places.get(row) ?? 0) + 1);
  for (const { row } of JSON.parse(str(file.left_out)) as readonly { row: number }[]) place(row);
  // Of a document that a later file corrected, only the ledger still knows these rows.
  const earlier = revisions.filter((one) => now.get(one.entry) !== one.revision);
  for (const { source_rows } of earlier) for (const row of JSON.parse(str(source_rows)) as number[]) place(row);
  const ofFile = new Set(revisions.map(({ entry }) => entry));
  for (const { path, text } of receipts) {
    if (!ofFile.has(text.id)) continue;
    for (const row of text.source.rows) {
      place(row);
      if (numbers.get(row) !== text.document.identifier)
        found.unexpected.push(`${path} holds row ${row} of ${name}, which is of ${numbers.get(row)}`);
    }
  }
  for (const [row, number] of numbers) {
    const times = places.get(row) ?? 0;
    if (times === 0) found.lost.push(`row ${row} of ${name} (${number})`);
    if (times > 1) found.doubled.push(`row ${row} of ${name} (${number}) is in ${times} places`);
  }
  for (const row of places.keys())
    if (!numbers.has(row)) found.unexpected.push(`row ${row} of ${name} was never dropped`);
}

/** Nothing lies about: no temporary file, no copy, no projection without its entry; each file has one true summary. */
function checkFolders(
  root: string,
  books: Books,
  files: readonly string[],
  receipts: readonly Receipt[],
  found: Found,
): void {
  const archived = new Set(books.files.map(({ path }) => inRoot(root, str(path))));
  const payloads = new Set(
    receipts.flatMap(({ path, text }) => (text.payload ? [join(path, '..', text.payload.file)] : [])),
  );
  const summaries = new Map<string, string[]>();
  for (const path of files) {
    const [top = '', ...rest] = path.split('/');
    const name = rest.at(-1) ?? '';
    if (['inbox', 'processing'].includes(top)) found.stray.push(path);
    const isOwn = rest[0] === 'mappings' || /^archive\/\.ledger-witness(?:-[a-z-]+)?\.json$/.test(path);
    if (top === 'archive' && !isOwn && !archived.has(join(root, path))) found.stray.push(path);
    if (!(FOLDERS as readonly string[]).includes(top)) continue;
    if (!PROJECTIONS.test(name) || (name.endsWith('.payload.json') && !payloads.has(path))) found.stray.push(path);
    if (!name.endsWith('.summary.json')) continue;
    const { file, rows } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      file: { id: string };
      rows: { unaccounted: { count: number }; twice: { count: number } };
    };
    summaries.set(file.id, [...(summaries.get(file.id) ?? []), path]);
    if (rows.unaccounted.count > 0) found.lost.push(`${path} leaves ${rows.unaccounted.count} rows unaccounted`);
    if (rows.twice.count > 0) found.doubled.push(`${path} has ${rows.twice.count} rows twice`);
  }
  for (const { id, name } of books.files) {
    const own = summaries.get(str(id)) ?? [];
    if (own.length === 0) found.lost.push(`${name} has no summary`);
    if (own.length > 1) found.inTwoFolders.push(own.join(', '));
    summaries.delete(str(id));
  }
  for (const paths of summaries.values()) found.unexpected.push(...paths.map((path) => `${path} is of no file`));
  for (const { entry } of books.staged) found.stray.push(`staged entry ${entry}`);
}

function receiptsIn(root: string, files: readonly string[]): readonly Receipt[] {
  return files
    .filter((path) => path.endsWith('.receipt.json') && (FOLDERS as readonly string[]).includes(path.split('/')[0]!))
    .map((path) => ({ path, folder: path.split('/')[0]!, text: JSON.parse(readFileSync(join(root, path), 'utf8')) }));
}

function filesBelow(root: string): readonly string[] {
  return ['inbox', 'processing', 'archive', ...FOLDERS].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      : [],
  );
}

function inRoot(root: string, path: string): string {
  return path.startsWith('/') ? path : join(root, path);
}

function hashOf(path: string): string | null {
  return existsSync(path) ? sha256Of(readFileSync(path)) : null;
}

function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function str(value: unknown): string {
  return String(value);
}
