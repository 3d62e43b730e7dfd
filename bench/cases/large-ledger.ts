/**
 * A ledger of many nights, written by SQL: taking in and sending so many documents would take hours. The ledger comes in
 * empty; a night has 1,000 documents and the last one a fifteenth of all, and an eighth of all documents wait for a person.
 */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

const CUSTOMERS = 1200;
const PER_FILE = 1000;
/** The last night has this part of the files. */
const LAST_NIGHT = 15;
const TOTALS = { files: 1, filesRefused: 0, exportsMissing: 0, authorized: {}, queued: 0, waiting: 0 };
/** Bytes of a document as it is sent: three lines. */
const CONTENT = 'x'.repeat(2500);

const padded = (n: number) => String(n).padStart(7, '0');
export const numberOf = (n: number) => `F2026-${padded(n)}`;
export const idOf = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
export const trackingOf = (n: number) => createHash('sha1').update(String(n)).digest('hex').slice(0, 32);
export const fileName = (file: number) => `FAC_${20260000 + file}.csv`;
export const amountOf = (n: number) => `${(n * 7919) % 100_000}.${String(n % 100).padStart(2, '0')}`;
const WARNING = '[{"code":"map/total-differs","level":"warning","message":"","file":"a.csv"}]';

/** An invalid document has one of five wrong codes in its cell; one of fifty others has a warning. */
function faultsOf(n: number, state: string): string {
  if (state === 'invalid') {
    const origin = { file: 'a.csv', row: n, column: 'CodeTVA' };
    return JSON.stringify([{ code: 'map/not-in-table', level: 'error', message: '', given: `T${n % 5}O`, origin }]);
  }
  return n % 50 === 0 ? WARNING : '[]';
}

/** Names that begin alike for ten of them. */
export const customerOf = (n: number) => `${['Élan', 'Muñoz', 'Cœur', 'Ñandú'][n % 4]} ${n % CUSTOMERS}`;

function stateOf(n: number): string {
  if (n % 8 === 0) return 'invalid';
  return n % 193 === 0 ? 'rejected' : 'authorized';
}

/** Nights one day after the other; the last one is that of the 21st of November 2026. */
function nightOf(night: number, nights: number) {
  const at = new Date(Date.UTC(2026, 10, 21, 1, 30) - (nights - 1 - night) * 86_400_000).toISOString();
  const day = at.slice(0, 10);
  return { at, day, run: `${day.replaceAll('-', '')}-0130-${night.toString(16)}` };
}

export function lastRunOf(size: number): string {
  const files = Math.ceil(size / PER_FILE);
  const nights = files - Math.floor(files / LAST_NIGHT);
  return nightOf(nights - 1, nights).run;
}

export function writeDocuments(path: string, size: number): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF; BEGIN');
  const file =
    db.prepare(`INSERT INTO source_file (id, name, sha256, size, modified_at, claimed_at, day, run, path, state,
    mapping_id, row_count, left_out, faults, archived_at) VALUES (?, ?, '', 0, ?, ?, ?, ?, '', 'admitted', 'sales', ?, '[]', '[]', ?)`);
  const summary = db.prepare('INSERT INTO summary (file, changes, written) VALUES (?, 1, 1)');
  const entry =
    db.prepare(`INSERT INTO entry (id, name, name_key, revision, service, class, identifier, state, since, tries,
    submits, consults, resolves, not_found, receipt_due, code, answer, request_id) VALUES (?, ?, ?, 1, 'fr', 'invoice', ?, ?, ?, 0,
    1, 0, 0, 0, 0, 2, ?, ?)`);
  const revision =
    db.prepare(`INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, digest,
    facts, faults, content, keys) VALUES (?, 1, ?, ?, '[1,2,3]', 'fr-invoice', 'invoice', 'ready', '', ?, ?, ?, ?)`);
  const attempt =
    db.prepare(`INSERT INTO attempt (entry, act, n, revision, run, request_id, at, ordinal, code, outcome, answer)
    VALUES (?, 'submit', 1, 1, ?, ?, ?, 0, 2, ?, ?)`);
  const event = db.prepare('INSERT INTO event (id, at, what, entry) VALUES (?, ?, ?, ?)');
  const record =
    db.prepare(`INSERT INTO run (id, kind, started_at, version, host, pid, outcome, ended_at, exit_code, totals)
    VALUES (?, 'run', ?, '0', 'bench', 1, 'completed', ?, 2, ?)`);
  const files = Math.ceil(size / PER_FILE);
  const nights = files - Math.floor(files / LAST_NIGHT);
  for (let n = 0; n < size; n++) {
    const number = Math.floor(n / PER_FILE);
    const { run, at, day } = nightOf(Math.min(number, nights - 1), nights);
    const fileId = `file-${String(number).padStart(6, '0')}`;
    if (n % PER_FILE === 0) {
      file.run(fileId, fileName(number), at, at, day, run, PER_FILE, at);
      summary.run(fileId);
      if (number < nights) record.run(run, at, at, JSON.stringify({ ...TOTALS, documents: { authorized: PER_FILE } }));
    }
    const [id, identifier, state] = [idOf(n), numberOf(n), stateOf(n)];
    const answer = JSON.stringify({ code: 2, name: 'Authorized', trackingId: trackingOf(n) });
    const request = trackingOf(-n);
    const customer = `Société ${customerOf(n)} SARL`;
    const facts = {
      identifier,
      date: '2026-11-21',
      currency: 'EUR',
      amount: amountOf(n),
      counterparty: customer,
    };
    entry.run(id, identifier, identifier.toLowerCase(), identifier, state, Date.parse(at) + n, answer, request);
    const keys = JSON.stringify([`fr|999200410|invoice||${identifier}|2026`]);
    revision.run(id, fileId, (n % PER_FILE) * 3, JSON.stringify(facts), faultsOf(n, state), CONTENT, keys);
    attempt.run(id, run, request, at, state, answer);
    event.run(`e${padded(n)}`, at, 'ready', id);
  }
  db.exec('COMMIT');
  db.close();
}
