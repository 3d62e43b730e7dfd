/**
 * Questions to the search index: the documents that a typed text finds, and pages of all documents under filters. Ids of
 * entries come out, the newest first within a rank; nothing is read from the ledger.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { State } from '../model/state.ts';
import { amountTermsIn, type TermTag, tagged, termsIn, wholeTerm } from './search-terms.ts';

/** Why a document was found. */
export const SEARCH_MATCHES = [
  'id',
  'number',
  'trackingId',
  'requestId',
  'amount',
  'numberPart',
  'counterparty',
  'file',
  'words',
] as const;
type SearchMatch = (typeof SEARCH_MATCHES)[number];

export type SearchHit = { readonly id: string; readonly match: SearchMatch };

export const CLOSED_CHOICES = ['only', 'no'] as const;

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
  /** Id of a file, or a part of its name; with a star the whole name, in which a star is any text. */
  readonly file?: string;
  readonly mapping?: string;
  readonly service?: string;
  /** As people type it; see `amountTermsIn`. */
  readonly amount?: string;
  /** The run that took it in, or tried to send it or consulted about it. */
  readonly run?: string;
  /** Ids of files: documents whose latest revision was read from one of them. */
  readonly files?: readonly string[];
  /** Only those that a person has set aside or acknowledged, or none of them. */
  readonly closed?: (typeof CLOSED_CHOICES)[number];
  /** Only documents that passed the checks with warnings. */
  readonly warnings?: true;
};

/** `next`: the document after which the next page begins; absent on the last page. */
export type IdPage = { readonly ids: readonly string[]; readonly next?: string };

/** At most `limit` documents, from after this one (`next` of the page before). */
export type PageRange = { readonly limit: number; readonly after?: string };

/** Shorter beginnings of a tracking id or request-id find too many. */
const SHORTEST_ID = 6;
/** From three signs on, also the middle of a number or of a file name is searched, if nothing else is found. */
const SHORTEST_MIDDLE = 3;
/** A beginning of more words than these is one of the whole index, which SQLite gathers first: seldom one that is typed. */
const MOST_WORDS = 256;
/** After all terms that begin with the same letters: terms have only a-z and 0-9. */
const AFTER_LETTERS = '{';

/** Values that words of a text may be spread over. */
const NAMES: readonly TermTag[] = ['party', 'file', 'part'];

const BY_TERMS = `SELECT d.id FROM term t CROSS JOIN document d ON d.n = t.rowid WHERE t.term MATCH ?
  ORDER BY t.rowid DESC LIMIT ?`;
const BY_NUMBER = `SELECT d.id FROM number o CROSS JOIN document d ON d.n = o.n WHERE o.term = ? AND o.whole = 1
  ORDER BY o.n DESC LIMIT ?`;
const BY_BEGINNING = `SELECT d.id FROM number o CROSS JOIN document d ON d.n = o.n WHERE o.term >= ? AND o.term < ?
  ORDER BY o.term DESC, o.n DESC LIMIT ?`;
const BY_MIDDLE = `SELECT d.id FROM (SELECT DISTINCT n FROM number WHERE instr(term, ?) > 0 ORDER BY n DESC LIMIT ?) o
  CROSS JOIN document d ON d.n = o.n ORDER BY o.n DESC`;

/**
 * The documents that the text finds, at most `limit`, the best first: those it names exactly (then no others), those of
 * this amount, numbers that begin with it or end with it, names, files, and those with all of its words. Whole words come
 * before words that begin with the last one; beginnings of all words, and middles, only if nothing else is found.
 */
export function searchDocuments(index: DatabaseSync, text: string, limit: number): readonly SearchHit[] {
  const whole = wholeTerm(text);
  if (whole === '') return [];
  const hits = startHits(index, limit);
  hits.add('id', 'SELECT id FROM document WHERE id = ?', text.trim().toLowerCase());
  hits.add('number', BY_NUMBER, whole, limit);
  hits.addTerms('trackingId', is('tracking', whole));
  hits.addTerms('requestId', is('request', whole));
  if (hits.isEmpty()) {
    addNumbersLike(hits, text, whole);
    addNamesLike(index, hits, text, whole);
  }
  if (hits.isEmpty()) {
    hits.addTerms('words', allOf(termsIn(text).map((word) => beginningIn(index, NAMES, word))));
  }
  if (hits.isEmpty() && whole.length >= SHORTEST_MIDDLE) hits.add('numberPart', BY_MIDDLE, whole, limit);
  return hits.all();
}

/** The documents found so far, each with its first reason. */
function startHits(index: DatabaseSync, limit: number) {
  const hits = new Map<string, SearchMatch>();
  const add = (match: SearchMatch, sql: string, ...values: readonly SQLInputValue[]) => {
    if (hits.size >= limit) return;
    const rows = index.prepare(sql).all(...values) as unknown as readonly { readonly id: string }[];
    for (const { id } of rows) if (hits.size < limit && !hits.has(id)) hits.set(id, match);
  };
  return {
    limit,
    add,
    addTerms: (match: SearchMatch, terms: Terms) => {
      if (terms !== undefined) add(match, BY_TERMS, terms, limit);
    },
    isFull: () => hits.size >= limit,
    isEmpty: () => hits.size === 0,
    all: (): readonly SearchHit[] => [...hits].map(([id, match]) => ({ id, match })),
  };
}

type Hits = ReturnType<typeof startHits>;

/** Documents of this amount, and numbers that begin or end so. */
function addNumbersLike(hits: Hits, text: string, whole: string): void {
  const amounts = amountTermsIn(text);
  if (amounts.length > 0) hits.addTerms('amount', amountIs(amounts));
  hits.add('numberPart', BY_BEGINNING, whole, whole + AFTER_LETTERS, hits.limit);
  hits.addTerms('numberPart', is('part', whole));
  if (!hits.isEmpty() || whole.length < SHORTEST_ID) return;
  hits.addTerms('trackingId', `${is('tracking', whole)}*`);
  hits.addTerms('requestId', `${is('request', whole)}*`);
}

/** Counterparties, files, and both together with numbers: all words but the last one are whole. */
function addNamesLike(index: DatabaseSync, hits: Hits, text: string, whole: string): void {
  const words = termsIn(text);
  const last = words.at(-1) ?? '';
  const joinedWith = (tags: readonly TermTag[], end: Terms) =>
    allOf([...words.slice(0, -1).map((word) => anyOf(tags.map((tag) => is(tag, word)))), end]);
  const exactly = (tags: readonly TermTag[]) => joinedWith(tags, anyOf(tags.map((tag) => is(tag, last))));
  const begun = (tags: readonly TermTag[]) => joinedWith(tags, beginningIn(index, tags, last));
  hits.addTerms('counterparty', anyOf([exactly(['party']), is('party', whole)]));
  hits.addTerms('counterparty', begun(['party']));
  if (hits.isFull()) return;
  const files = filesNamed(index, whole, hits.limit).map(({ n }) => n);
  if (files.length > 0) hits.add('file', BY_FILES, JSON.stringify(files), hits.limit);
  hits.addTerms('file', exactly(['file']));
  if (words.length < 2 || amountTermsIn(text).length > 0) return;
  hits.addTerms('words', exactly(NAMES));
  hits.addTerms('words', begun(NAMES));
}

/** A question to the table `term`; undefined if no document can have its terms. */
type Terms = string | undefined;

function is(tag: TermTag, term: string): string {
  return `"${tagged(tag, term)}"`;
}

function anyOf(terms: readonly Terms[]): Terms {
  const some = terms.filter((one) => one !== undefined);
  return some.length > 0 ? `(${some.join(' OR ')})` : undefined;
}

function allOf(terms: readonly Terms[]): Terms {
  return terms.length > 0 && terms.every((one) => one !== undefined) ? `(${terms.join(' AND ')})` : undefined;
}

/** The words of these values that begin so. */
function beginningIn(index: DatabaseSync, tags: readonly TermTag[], word: string): Terms {
  return anyOf(tags.map((tag) => (tag === 'part' ? is(tag, word) : beginning(index, tagged(tag, word)))));
}

function beginning(index: DatabaseSync, term: string): Terms {
  const select = 'SELECT term FROM word WHERE term >= ? AND term < ? LIMIT ?';
  const rows = index.prepare(select).all(term, term + AFTER_LETTERS, MOST_WORDS + 1);
  return rows.length > MOST_WORDS ? `"${term}"*` : anyOf(rows.map((row) => `"${String(row.term)}"`));
}

const BY_FILES = `SELECT id FROM document WHERE file IN (SELECT value FROM json_each(?)) ORDER BY n DESC LIMIT ?`;

type FoundFile = { readonly n: number; readonly id: string };

/** Files with this name, or with names that begin with it; names with it inside only if there are none. The latest first. */
function filesNamed(index: DatabaseSync, whole: string, limit: number): readonly FoundFile[] {
  const select = (where: string, ...values: readonly SQLInputValue[]) =>
    index
      .prepare(`SELECT n, id FROM file WHERE ${where} AND rereads = 0 ORDER BY id DESC LIMIT ?`)
      .all(...values, limit) as unknown as readonly FoundFile[];
  const exact = select('folded = ?', whole);
  if (exact.length > 0) return exact;
  const begun = select('folded >= ? AND folded < ?', whole, whole + AFTER_LETTERS);
  if (begun.length > 0 || whole.length < SHORTEST_MIDDLE) return begun;
  return select('instr(folded, ?) > 0', whole);
}

/** Ids of files that the text names: by id, name, the beginning or a part of the name; at most `limit`, the latest first. */
export function searchFiles(index: DatabaseSync, text: string, limit: number): readonly string[] {
  const whole = wholeTerm(text);
  if (whole === '') return [];
  const byId = index.prepare('SELECT id FROM file WHERE id = ?').get(text.trim().toLowerCase());
  return byId ? [String(byId.id)] : filesNamed(index, whole, limit).map(({ id }) => id);
}

export function mappingsIn(index: DatabaseSync): readonly string[] {
  const rows = index.prepare('SELECT DISTINCT mapping FROM file WHERE mapping IS NOT NULL ORDER BY mapping').all();
  return rows.map(({ mapping }) => String(mapping));
}

function amountIs(terms: readonly string[]): Terms {
  return anyOf(terms.map((term) => is('amount', term)));
}

type Condition = { readonly where: string; readonly values: readonly SQLInputValue[] };

/** The newest first, after the document `after`, which the filters need not select; none if it is unknown. */
export function pageOfDocuments(index: DatabaseSync, filter: DocumentFilter, { limit, after }: PageRange): IdPage {
  const before = positionOf(index, after);
  const { states } = filter;
  const common = filterConditions(index, filter);
  const terms = filterTerms(index, filter);
  if (before === undefined || common === undefined || terms === 'none') return { ids: [] };
  // A list of states would have SQLite sort all of their documents: each state comes in its order by itself.
  const found = [...new Set(states ?? [undefined])].flatMap((state) => {
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

/** Finds the documents of a run in table `term`. */
export function runTerm(run: string): string {
  return is('run', wholeTerm(run));
}

/** The place of a document in the order; above all without one, undefined for an unknown one. */
function positionOf(index: DatabaseSync, id: string | undefined): number | undefined {
  if (id === undefined) return Number.MAX_SAFE_INTEGER;
  const row = index.prepare('SELECT n FROM document WHERE id = ?').get(id);
  return row && Number(row.n);
}

/** The filters by terms, absent without one; `none` if no document can have them. */
function filterTerms(index: DatabaseSync, { customer, amount, run }: DocumentFilter): string | 'none' | undefined {
  const parts: Terms[] = [];
  if (customer !== undefined) parts.push(allOf(termsIn(customer).map((word) => beginningIn(index, ['party'], word))));
  if (amount !== undefined) parts.push(amountIs(amountTermsIn(amount)));
  if (run !== undefined) parts.push(runTerm(run));
  return parts.length === 0 ? undefined : (allOf(parts) ?? 'none');
}

const CLOSED = `(SELECT o.id FROM open o WHERE o.work ->> '$.closed' IS NOT NULL)`;
const IS_CLOSED = { only: `d.id IN ${CLOSED}`, no: `d.id NOT IN ${CLOSED}` } as const;
const READ_FROM = 'd.file IN (SELECT f.n FROM json_each(?) e CROSS JOIN file f ON f.id = e.value)';

/** The filters by columns; undefined if no file is selected. The plus keeps SQLite from sorting a large selection. */
function filterConditions(index: DatabaseSync, filter: DocumentFilter): readonly Condition[] | undefined {
  const { day, since, until, file, mapping, service, files: readFrom, closed, warnings } = filter;
  const conditions: Condition[] = [];
  if (service !== undefined) conditions.push({ where: '+d.service = ?', values: [service] });
  if (since !== undefined) conditions.push({ where: 'd.since >= ?', values: [Date.parse(since)] });
  if (until !== undefined) conditions.push({ where: 'd.since < ?', values: [Date.parse(until)] });
  if (warnings) conditions.push({ where: 'd.warnings = 1', values: [] });
  if (closed !== undefined) conditions.push({ where: IS_CLOSED[closed], values: [] });
  if (readFrom !== undefined) conditions.push({ where: READ_FROM, values: [JSON.stringify(readFrom)] });
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
    // A pattern is of the whole name; without a star the text is anywhere in it.
    const pattern = file.split('*').map(wholeTerm).join('*');
    const where = `(id = ? OR (? <> '' AND folded GLOB ?))`;
    parts.push({ where, values: [file, pattern, pattern.includes('*') ? pattern : `*${pattern}*`] });
  }
  const where = parts.map((part) => part.where).join(' AND ');
  const rows = index.prepare(`SELECT n FROM file WHERE ${where}`).all(...parts.flatMap(({ values }) => values));
  return rows.map(({ n }) => Number(n));
}
