/**
 * Looks into a large ledger: a document by each of its values, pages of the list, the counts of `status`; and next to
 * each other the same answer of a bare prepared SELECT. The ledger is written by SQL, as after a year of nights: taking
 * in and sending so many documents would take hours and is measured elsewhere.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { initLedger, openLedger } from '../src/ledger/open-ledger.ts';
import { removeSearchIndex } from '../src/ledger/search/search-database.ts';
import { openSearchIndex } from '../src/ledger/search/search-index.ts';
import { findDocuments, listDocuments } from '../src/pipeline/queries/find-documents.ts';
import { openWorkGroups, openWorkPage } from '../src/pipeline/queries/open-work.ts';
import { newFolder } from './folders.ts';
import { median } from './median.ts';
import { type Measurement, timed } from './result.ts';

const CUSTOMERS = 1200;
const PER_FILE = 1000;
const PAGE = 50;
const TIMES = 41;
/** Bytes of a document as it is sent: three lines. */
const CONTENT = 'x'.repeat(2500);

export const look: Measurement = async ({ size, out }) => {
  const folder = newFolder(out);
  mkdirSync(folder, { recursive: true });
  const place = {
    folder,
    binding: { services: { fr: 'https://fr.example.invalid' }, environment: 'test' },
    now: () => new Date(),
  };
  initLedger(place);
  writeDocuments(join(folder, 'state', 'ledger.sqlite'), size);
  const more: { [figure: string]: number } = {};
  const seconds = async (name: string, act: () => Promise<unknown>) => {
    const start = performance.now();
    await act();
    more[name] = (performance.now() - start) / 1000;
  };
  removeSearchIndex(folder);
  await seconds('fill', async () => (await openSearchIndex(folder))[Symbol.dispose]());
  more['index MiB'] = statSync(join(folder, 'state', 'index.sqlite')).size / 2 ** 20;
  await seconds('open index', async () => (await openSearchIndex(folder))[Symbol.dispose]());
  await seconds(
    'open ledger',
    async () => await (await openLedger({ ...place, readOnly: true }))[Symbol.asyncDispose](),
  );
  await using ledger = await openLedger({ ...place, readOnly: true });
  using index = await openSearchIndex(folder);
  using bare = new DatabaseSync(join(folder, 'state', 'ledger.sqlite'), { readOnly: true });
  const searchPlace = { index, ledger };
  const n = Math.floor(size / 2);
  const id = idOf(n);
  const find =
    (text: string, isThere = true) =>
    async () => {
      const { documents } = await findDocuments(searchPlace, text, 20);
      if (documents.length > 0 !== isThere) throw new Error(`${documents.length} documents found for ${text}`);
    };
  const list =
    (after: string | undefined, filter = {}) =>
    async () => {
      const { documents } = await listDocuments(searchPlace, filter, { limit: PAGE, after });
      if (documents.length === 0) throw new Error('an empty page');
    };
  const select = (sql: string, ...values: (string | number)[]) => {
    const statement = bare.prepare(sql);
    return async () => void statement.all(...values);
  };
  const cases: { readonly [name: string]: () => Promise<void> } = {
    'bare number': select('SELECT id, state, answer FROM entry WHERE identifier = ?', numberOf(n)),
    'bare page': select(`SELECT id, state, answer FROM entry WHERE id < ? ORDER BY id DESC LIMIT ${PAGE}`, id),
    'bare open': select(`SELECT id, state FROM entry WHERE state IN ('invalid', 'rejected')`),
    'bare warnings':
      select(`SELECT e.state, COUNT(*) FROM revision r JOIN entry e ON e.id = r.entry AND e.revision = r.revision
      WHERE r.faults LIKE '%"level":"warning"%' GROUP BY e.state`),
    'bare counts': select('SELECT state, COUNT(*) FROM entry GROUP BY state'),
    number: find(numberOf(n)),
    part: find(numberOf(n).slice(-6)),
    customer: find(`societe ${customerOf(n)}`),
    'begun customer': find('societe mun'),
    tracking: find(trackingOf(n)),
    'begun tracking': find(trackingOf(n).slice(0, 10)),
    file: find(fileName(Math.floor(n / PER_FILE))),
    amount: find(amountOf(n).replace('.', ',')),
    nothing: find('nothing has this', false),
    'page 1': list(undefined),
    'page 2000': list(idOf(Math.max(size - 2000 * PAGE, PAGE + 1))),
    'page of a state': list(undefined, { states: ['invalid', 'rejected'] }),
    'page of a customer': list(undefined, { customer: `Société ${customerOf(n)}` }),
    'open page': async () => void (await openWorkPage(searchPlace, {}, { limit: PAGE })),
    'open groups': async () => void (await openWorkGroups(searchPlace, 'cause')),
    counts: async () => void (await ledger.counts()),
    warnings: async () => void (await ledger.counts({ warnings: true })),
  };
  return await timed(
    async () => {
      for (const [name, act] of Object.entries(cases)) {
        const times: number[] = [];
        for (let time = 0; time < TIMES; time++) {
          const start = performance.now();
          await act();
          times.push(performance.now() - start);
        }
        more[name] = median(times);
      }
      return size;
    },
    () => more,
  );
};

const padded = (n: number) => String(n).padStart(7, '0');
const numberOf = (n: number) => `F2026-${padded(n)}`;
const idOf = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const trackingOf = (n: number) => createHash('sha1').update(String(n)).digest('hex').slice(0, 32);
const fileName = (file: number) => `FAC_${20260000 + file}.csv`;
const amountOf = (n: number) => `${(n * 7919) % 100_000}.${String(n % 100).padStart(2, '0')}`;
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
const customerOf = (n: number) => `${['Élan', 'Muñoz', 'Cœur', 'Ñandú'][n % 4]} ${n % CUSTOMERS}`;

function stateOf(n: number): string {
  if (n % 97 === 0) return 'invalid';
  return n % 193 === 0 ? 'rejected' : 'authorized';
}

function writeDocuments(path: string, size: number): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF; BEGIN');
  const file =
    db.prepare(`INSERT INTO source_file (id, name, sha256, size, modified_at, claimed_at, day, run, path, state,
    mapping_id, row_count, left_out, faults) VALUES (?, ?, '', 0, '', '', '2026-11-21', ?, '', 'admitted', 'sales', 0, '[]', '[]')`);
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
    VALUES (?, 'submit', 1, 1, ?, ?, '2026-11-21T01:30:00.000Z', 0, 2, ?, ?)`);
  const event = db.prepare('INSERT INTO event (id, at, what, entry) VALUES (?, ?, ?, ?)');
  for (let n = 0; n < size; n++) {
    const night = Math.floor(n / PER_FILE);
    const [fileId, run] = [`file-${night}`, `20261121-0130-${night.toString(16)}`];
    if (n % PER_FILE === 0) {
      file.run(fileId, fileName(night), run);
      summary.run(fileId);
    }
    const [id, number, state] = [idOf(n), numberOf(n), stateOf(n)];
    const answer = JSON.stringify({ code: 2, name: 'Authorized', trackingId: trackingOf(n) });
    const request = trackingOf(-n);
    const customer = `Société ${customerOf(n)} SARL`;
    const facts = {
      identifier: number,
      date: '2026-11-21',
      currency: 'EUR',
      amount: amountOf(n),
      counterparty: customer,
    };
    entry.run(id, number, number.toLowerCase(), number, state, Date.UTC(2026, 0, 1) + n, answer, request);
    const keys = JSON.stringify([`fr|999200410|invoice||${number}|2026`]);
    revision.run(id, fileId, (n % PER_FILE) * 3, JSON.stringify(facts), faultsOf(n, state), CONTENT, keys);
    attempt.run(id, run, request, state, answer);
    event.run(`e${padded(n)}`, '2026-11-21T01:30:00.000Z', 'ready', id);
  }
  db.exec('COMMIT');
  db.close();
}
