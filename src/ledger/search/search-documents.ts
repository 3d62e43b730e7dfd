/**
 * Questions to the search index: the documents that a typed text finds, and pages of all documents under filters. Ids of
 * entries come out, the newest first within a rank; nothing is read from the ledger.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { State } from '../../model/state.ts';
import { amountTermsIn, termsIn, wholeTerm } from './search-terms.ts';

/** Why a document was found. */
export type SearchMatch =
  | 'id'
  | 'number'
  | 'trackingId'
  | 'requestId'
  | 'amount'
  | 'numberPart'
  | 'counterparty'
  | 'file'
  | 'words';

export type SearchHit = { readonly id: string; readonly match: SearchMatch };

/** Filters of a page; together they narrow it. */
export type DocumentFilter = {
  readonly states?: readonly State[];
  /** Local day of the run that took the file in, YYYY-MM-DD. */
  readonly day?: string;
  /** In its state since then or later, and before; ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  /** Words of the name or the identifier of the counterparty. */
  readonly customer?: string;
  /** Id of a file, or a part of its name. */
  readonly file?: string;
  readonly mapping?: string;
  readonly service?: string;
  /** As people type it; see `amountTermsIn`. */
  readonly amount?: string;
  /** The run that took it in, or tried to send it or consulted about it. */
  readonly run?: string;
  /** Only documents that passed the checks with warnings. */
  readonly warnings?: true;
};

/** `next`: the document after which the next page begins; absent on the last page. */
export type IdPage = { readonly ids: readonly string[]; readonly next?: string };

/** Shorter beginnings of a tracking id or request-id find too many. */
const SHORTEST_ID = 6;
/** From three signs on, also the middle of a number is searched. */
const SHORTEST_MIDDLE = 3;

type Step = { readonly match: SearchMatch; readonly terms: string };

/**
 * The documents that the text finds, at most `limit`, the best first: those it names exactly (then no others), those of
 * this amount, numbers that begin with it or have it as a part, names, files, and those with all of its words.
 */
export function searchDocuments(index: DatabaseSync, text: string, limit: number): readonly SearchHit[] {
  const whole = wholeTerm(text);
  if (whole === '') return [];
  const hits = new Map<string, SearchMatch>();
  const add = (ids: readonly string[], match: SearchMatch) => {
    for (const id of ids) if (hits.size < limit && !hits.has(id)) hits.set(id, match);
  };
  const byTerms = index.prepare(`SELECT d.id FROM term t CROSS JOIN document d ON d.n = t.rowid WHERE t.term MATCH ?
    ORDER BY t.rowid DESC LIMIT ?`);
  const follow = (steps: readonly Step[]) => {
    for (const { match, terms } of steps) {
      if (hits.size < limit) add(idsIn(byTerms.all(terms, limit)), match);
    }
  };
  add(idsIn(index.prepare('SELECT id FROM document WHERE id = ?').all(text.trim().toLowerCase())), 'id');
  follow(exactSteps(whole));
  if (hits.size === 0) {
    follow(partSteps(text, whole));
    const isNumber = [...hits.values()].includes('numberPart');
    if (!isNumber && whole.length >= SHORTEST_MIDDLE) {
      const middle = 'SELECT id FROM document WHERE numbers LIKE ? ORDER BY n DESC LIMIT ?';
      add(idsIn(index.prepare(middle).all(`%${whole}%`, limit)), 'numberPart');
    }
  }
  return [...hits].map(([id, match]) => ({ id, match }));
}

function exactSteps(whole: string): readonly Step[] {
  return [
    { match: 'number', terms: `whole : "${whole}"` },
    { match: 'trackingId', terms: `tracking : "${whole}"` },
    { match: 'requestId', terms: `request : "${whole}"` },
  ];
}

function partSteps(text: string, whole: string): readonly Step[] {
  const amounts = amountTermsIn(text);
  const words = termsIn(text);
  const begin = words.map((word) => `"${word}"*`).join(' AND ');
  const steps: Step[] = [];
  if (amounts.length > 0) steps.push({ match: 'amount', terms: amountIs(amounts) });
  steps.push(
    { match: 'numberPart', terms: `whole : "${whole}"*` },
    { match: 'numberPart', terms: `part : "${whole}"*` },
  );
  if (whole.length >= SHORTEST_ID) {
    steps.push({ match: 'trackingId', terms: `tracking : "${whole}"*` });
    steps.push({ match: 'requestId', terms: `request : "${whole}"*` });
  }
  steps.push({ match: 'counterparty', terms: `party : (${begin}) OR party : "${whole}"*` });
  steps.push({ match: 'file', terms: `file : (${begin}) OR file : "${whole}"*` });
  if (words.length > 1 && amounts.length === 0) {
    steps.push({ match: 'words', terms: `{whole part party file} : (${begin})` });
  }
  return steps;
}

function amountIs(terms: readonly string[]): string {
  return `amount : (${terms.map((term) => `"${term}"`).join(' OR ')})`;
}

function idsIn(rows: readonly object[]): readonly string[] {
  return rows.map((row) => (row as { readonly id: string }).id);
}

type Condition = { readonly where: string; readonly values: readonly SQLInputValue[] };

/** The newest first, after the document `after`, which the filters need not select; none if it is unknown. */
export function pageOfDocuments(
  index: DatabaseSync,
  filter: DocumentFilter,
  { limit, after }: { readonly limit: number; readonly after?: string },
): IdPage {
  const before = positionOf(index, after);
  const { states } = filter;
  const common = filterConditions(index, filter);
  const terms = filterTerms(filter);
  if (before === undefined || common === undefined || terms === 'none') return { ids: [] };
  // A list of states would have SQLite sort all of their documents: each state comes in its order by itself.
  const found = (states ?? [undefined]).flatMap((state) => {
    const conditions = state === undefined ? common : [...common, { where: 'd.state = ?', values: [state] }];
    return selectPage(index, { conditions, terms, before, limit: limit + 1 });
  });
  const rows = found.sort((a, b) => b.n - a.n);
  const ids = rows.slice(0, limit).map(({ id }) => id);
  const next = ids.at(-1);
  return rows.length > limit && next !== undefined ? { ids, next } : { ids };
}

type Row = { readonly n: number; readonly id: string };

function selectPage(
  index: DatabaseSync,
  page: {
    readonly conditions: readonly Condition[];
    readonly terms: string | undefined;
    readonly before: number;
    readonly limit: number;
  },
): readonly Row[] {
  const { conditions, terms, before, limit } = page;
  const where = conditions.map((condition) => ` AND ${condition.where}`).join('');
  const values = conditions.flatMap((condition) => condition.values);
  if (terms === undefined) {
    const select = `SELECT d.n, d.id FROM document d WHERE d.n < ?${where} ORDER BY d.n DESC LIMIT ?`;
    return index.prepare(select).all(before, ...values, limit) as unknown as readonly Row[];
  }
  const select = `SELECT d.n, d.id FROM term t CROSS JOIN document d ON d.n = t.rowid
    WHERE t.term MATCH ? AND t.rowid < ?${where} ORDER BY t.rowid DESC LIMIT ?`;
  return index.prepare(select).all(terms, before, ...values, limit) as unknown as readonly Row[];
}

/** The place of a document in the order; above all without one, undefined for an unknown one. */
function positionOf(index: DatabaseSync, id: string | undefined): number | undefined {
  if (id === undefined) return Number.MAX_SAFE_INTEGER;
  const row = index.prepare('SELECT n FROM document WHERE id = ?').get(id);
  return row && Number(row.n);
}

/** The filters by terms; `none` if no document can have them. */
function filterTerms({ customer, amount, run }: DocumentFilter): string | undefined {
  const parts: string[] = [];
  if (customer !== undefined) {
    const words = termsIn(customer);
    if (words.length === 0) return 'none';
    parts.push(`party : (${words.map((word) => `"${word}"*`).join(' AND ')})`);
  }
  if (amount !== undefined) {
    const terms = amountTermsIn(amount);
    if (terms.length === 0) return 'none';
    parts.push(amountIs(terms));
  }
  if (run !== undefined) parts.push(`run : "${wholeTerm(run)}"`);
  return parts.length === 0 ? undefined : parts.join(' AND ');
}

/** The filters by columns; undefined if no file is selected. The plus keeps SQLite from sorting a large selection. */
function filterConditions(index: DatabaseSync, filter: DocumentFilter): readonly Condition[] | undefined {
  const { day, since, until, file, mapping, service, warnings } = filter;
  const conditions: Condition[] = [];
  if (service !== undefined) conditions.push({ where: '+d.service = ?', values: [service] });
  if (since !== undefined) conditions.push({ where: 'd.since >= ?', values: [Date.parse(since)] });
  if (until !== undefined) conditions.push({ where: 'd.since < ?', values: [Date.parse(until)] });
  if (warnings) conditions.push({ where: 'd.warnings = 1', values: [] });
  if (day === undefined && file === undefined && mapping === undefined) return conditions;
  const files = selectFiles(index, { day, file, mapping });
  if (files.length === 0) return undefined;
  const [only] = files;
  if (files.length === 1 && only !== undefined) conditions.push({ where: 'd.file = ?', values: [only] });
  else {
    const column = day === undefined && file === undefined ? '+d.file' : 'd.file';
    const where = `${column} IN (SELECT value FROM json_each(?))`;
    conditions.push({ where, values: [JSON.stringify(files)] });
  }
  return conditions;
}

function selectFiles(
  index: DatabaseSync,
  { day, file, mapping }: { readonly [key in 'day' | 'file' | 'mapping']: string | undefined },
): readonly number[] {
  const parts: Condition[] = [];
  if (day !== undefined) parts.push({ where: 'day = ?', values: [day] });
  if (mapping !== undefined) parts.push({ where: 'mapping = ?', values: [mapping] });
  if (file !== undefined) {
    parts.push({
      where: `(id = ? OR (? <> '' AND folded LIKE ?))`,
      values: [file, wholeTerm(file), `%${wholeTerm(file)}%`],
    });
  }
  const where = parts.map((part) => part.where).join(' AND ');
  const rows = index.prepare(`SELECT n FROM file WHERE ${where}`).all(...parts.flatMap(({ values }) => values));
  return rows.map(({ n }) => Number(n));
}
