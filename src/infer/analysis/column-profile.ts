/**
 * The cells of one column in; its form out: numbers, dates, identifiers with their check digit, codes. Names play no
 * part. A few odd cells do not hide the form of a column; they are listed.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { must } from '../../model/must.ts';
import type { SampleColumn, SampleTable } from '../sample/sample-table.ts';
import { type DateProof, dateForms, proveDates } from './date-evidence.ts';
import { isExponent, type NumberProof, numberForms, proveNumbers } from './number-evidence.ts';

type IdentifierForm = 'siren' | 'siret' | 'vat' | 'nit' | 'dui';
/** Tests of check digits by form; the text has no blanks, and a NIT no hyphens. */
export type IdentifierTests = { readonly [form in IdentifierForm]: (text: string) => boolean };

/** The form of a column; several may be set, and the roles decide between them. */
export type Profile = {
  readonly filled: number;
  /** Cell -> number of its rows, in the order of the file. */
  readonly values: ReadonlyMap<string, number>;
  readonly number: NumberProof | undefined;
  readonly date: DateProof | undefined;
  readonly identifier: { readonly form: IdentifierForm; readonly right: number; readonly of: number } | undefined;
  /** Digits only, always the same count, with a leading zero somewhere: a number would lose it. */
  readonly zeros: { readonly digits: number; readonly rows: number } | undefined;
  /** Most of the cells are e-mail addresses. */
  readonly email: boolean;
  /** Cells that differ from the form of the column, with their rows. */
  readonly odd: readonly { readonly cell: string; readonly row: number }[];
  /** Cells that a spreadsheet has turned into an exponent, with their rows. */
  readonly damaged: readonly { readonly cell: string; readonly row: number }[];
};

const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Shapes of identifiers; a siret of digits alone may also be a NIT, and the check digit decides. */
const FORMS: readonly (readonly [IdentifierForm, RegExp])[] = [
  ['vat', /^[A-Z]{2}[0-9A-Z]{2}\d{7,10}$/],
  ['nit', /^(?:\d{4}-\d{6}-\d{3}-\d|\d{14})$/],
  ['siret', /^\d{14}$/],
  ['siren', /^\d{9}$/],
  ['dui', /^\d{8}-\d$/],
];

/** Empty cells do not count. Dates come before numbers: eight digits may be either. */
export function profileColumn(column: SampleColumn, { rows }: SampleTable, tests: IdentifierTests): Profile {
  const filled = column.cells
    .map((cell, at) => ({ cell, row: must(rows[at], 'the row of a cell') }))
    .filter(({ cell }) => cell !== '');
  const damaged = filled.filter(({ cell }) => isExponent(cell));
  const cells = filled.map(({ cell }) => cell).filter((cell) => !isExponent(cell));
  const values = new Map<string, number>();
  for (const cell of cells) values.set(cell, (values.get(cell) ?? 0) + 1);
  const dates = proveMost(cells, proveDates, dateForms);
  const numbers = dates ? undefined : proveMost(cells, proveNumbers, numberForms);
  const addresses = cells.filter((cell) => EMAIL.test(cell));
  const email = addresses.length > 0 && isMost(addresses, cells);
  const fits = numbers?.cells ?? dates?.cells ?? (email ? new Set(addresses) : undefined);
  return {
    filled: filled.length,
    values,
    number: numbers?.proof,
    date: dates?.proof,
    email,
    identifier: findIdentifier([...values.keys()], tests),
    zeros: findLeadingZeros(cells),
    odd: fits === undefined ? [] : filled.filter(({ cell }) => !isExponent(cell) && !fits.has(cell)),
    damaged,
  };
}

/** True where the values prove a decimal mark, be it the one of the file or not. */
export function hasDecimals({ number }: Pick<Profile, 'number'>): boolean {
  return number !== undefined && number.comma.length + number.point.length > 0;
}

/** The distinct values that have the form of the column. */
export function fittingValues({ values, odd }: Pick<Profile, 'values' | 'odd'>): readonly string[] {
  const unfit = new Set(odd.map(({ cell }) => cell));
  return [...values.keys()].filter((value) => !unfit.has(value));
}

/** A message such as "a date in 5 of 6 rows". */
export function describeMost({ date, number, filled, odd }: Profile): Message {
  const rows = { fitting: filled - odd.length, filled };
  if (date) return SOURCE_EVIDENCE.mostDates(rows);
  return number ? SOURCE_EVIDENCE.mostNumbers(rows) : SOURCE_EVIDENCE.mostEmails(rows);
}

/** The proof of all cells, or of most of them where the others are exceptions. */
function proveMost<T>(
  cells: readonly string[],
  prove: (cells: readonly string[]) => T | undefined,
  forms: (cells: readonly string[]) => readonly (readonly string[])[],
): { proof: T; cells: ReadonlySet<string> } | undefined {
  const right = cells.filter((cell) => prove([cell]) !== undefined);
  for (const some of forms(right)) {
    const proof = isMost(some, cells) ? prove(some) : undefined;
    if (proof !== undefined) return { proof, cells: new Set(some) };
  }
  const proof = prove(cells);
  return proof === undefined ? undefined : { proof, cells: new Set(cells) };
}

/** All cells, or three in four of at least four. */
function isMost(some: readonly string[], all: readonly string[]): boolean {
  return some.length === all.length || (all.length >= 4 && some.length >= 0.75 * all.length);
}

/** The form that most values have and whose check digits are right most often. */
function findIdentifier(values: readonly string[], tests: IdentifierTests): Profile['identifier'] {
  const texts = values.map((value) => value.replace(/[\s\u00a0\u202f.]/g, ''));
  let best: Profile['identifier'];
  for (const [form, shape] of FORMS) {
    const shaped = texts.filter((text) => shape.test(text));
    const [first] = shaped;
    if (first === undefined || shaped.length < 0.75 * texts.length) continue;
    const right = shaped.filter((text) => tests[form](form === 'nit' ? text.replaceAll('-', '') : text)).length;
    if (right * 2 < shaped.length && !first.includes('-') && form !== 'vat') continue;
    if (!best || right > best.right) best = { form, right, of: texts.length };
  }
  return best;
}

/** Undefined where a number column would lose nothing. */
function findLeadingZeros(cells: readonly string[]): Profile['zeros'] {
  const digits = cells[0]?.length ?? 0;
  if (digits < 2 || !cells.every((cell) => /^\d+$/.test(cell) && cell.length === digits)) return undefined;
  const rows = cells.filter((cell) => cell.startsWith('0')).length;
  return rows > 0 ? { digits, rows } : undefined;
}
