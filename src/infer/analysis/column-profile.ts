/**
 * What the cells of one column are, by their form alone: numbers, dates, identifiers with their check digit, codes. A few
 * odd cells do not hide what a column is; they are named.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import type { SampleColumn, SampleTable } from '../sample/sample-table.ts';
import { type DateProof, dateForms, proveDates } from './date-evidence.ts';
import { isExponent, type NumberProof, numberForms, proveNumbers } from './number-evidence.ts';

type IdentifierForm = 'siren' | 'siret' | 'vat' | 'nit' | 'dui';
/** Whether a text (without blanks) has the form, and whether its check digit is right. */
export type IdentifierTests = { readonly [form in IdentifierForm]: (text: string) => boolean };

export type Profile = {
  readonly filled: number;
  /** Cell -> rows that hold it, in the order of the file. */
  readonly values: ReadonlyMap<string, number>;
  readonly number: NumberProof | undefined;
  readonly date: DateProof | undefined;
  readonly identifier: { readonly form: IdentifierForm; readonly right: number; readonly of: number } | undefined;
  /** Digits only, always as many, and a zero in front somewhere: a number would lose it. */
  readonly zeros: { readonly digits: number; readonly rows: number } | undefined;
  /** Most of the cells are e-mail addresses. */
  readonly email: boolean;
  /** Cells that are not what the column is, with their rows. */
  readonly odd: readonly { readonly cell: string; readonly row: number }[];
  readonly damaged: readonly { readonly cell: string; readonly row: number }[];
};

const EMAIL = /^[^\s@]+@[^\s@]+$/;

const FORMS: readonly (readonly [IdentifierForm, RegExp])[] = [
  ['vat', /^[A-Z]{2}[0-9A-Z]{2}\d{7,10}$/],
  ['nit', /^(?:\d{4}-\d{6}-\d{3}-\d|\d{14})$/],
  ['siret', /^\d{14}$/],
  ['siren', /^\d{9}$/],
  ['dui', /^\d{8}-\d$/],
];

export function profileColumn(column: SampleColumn, { rows }: SampleTable, tests: IdentifierTests): Profile {
  const at = column.cells.map((cell, index) => ({ cell, row: rows[index]! })).filter(({ cell }) => cell !== '');
  const damaged = at.filter(({ cell }) => isExponent(cell));
  const cells = at.map(({ cell }) => cell).filter((cell) => !isExponent(cell));
  const values = new Map<string, number>();
  for (const cell of cells) values.set(cell, (values.get(cell) ?? 0) + 1);
  const dates = proveMost(cells, proveDates, dateForms);
  const numbers = dates ? undefined : proveMost(cells, proveNumbers, numberForms);
  const addresses = cells.filter((cell) => EMAIL.test(cell));
  const email = addresses.length > 0 && isMost(addresses, cells);
  const fits = numbers?.cells ?? dates?.cells ?? (email ? new Set(addresses) : undefined);
  return {
    filled: at.length,
    values,
    number: numbers?.proof,
    date: dates?.proof,
    email,
    identifier: findIdentifier([...values.keys()], tests),
    zeros: findLeadingZeros(cells),
    odd: fits === undefined ? [] : at.filter(({ cell }) => !isExponent(cell) && !fits.has(cell)),
    damaged,
  };
}

/** The values that are what the column is. */
export function fittingValues({ values, odd }: Pick<Profile, 'values' | 'odd'>): readonly string[] {
  const unfit = new Set(odd.map(({ cell }) => cell));
  return [...values.keys()].filter((value) => !unfit.has(value));
}

/** "a date in 5 of 6 rows". */
export function describeMost({ date, number, filled, odd }: Profile): Message {
  const rows = { fitting: filled - odd.length, filled };
  if (date) return SOURCE_EVIDENCE.mostDates(rows);
  return number ? SOURCE_EVIDENCE.mostNumbers(rows) : SOURCE_EVIDENCE.mostEmails(rows);
}

/** The proof of all cells, or of those that agree where the others are exceptions. */
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

/** All of them, or three in four of at least four. */
function isMost(some: readonly string[], all: readonly string[]): boolean {
  return some.length === all.length || (all.length >= 4 && some.length >= 0.75 * all.length);
}

function findIdentifier(values: readonly string[], tests: IdentifierTests): Profile['identifier'] {
  const texts = values.map((value) => value.replace(/[\s\u00a0\u202f.]/g, ''));
  let best: Profile['identifier'];
  for (const [form, shape] of FORMS) {
    const shaped = texts.filter((text) => shape.test(text));
    if (shaped.length === 0 || shaped.length < 0.75 * texts.length) continue;
    const right = shaped.filter((text) => tests[form](form === 'nit' ? text.replaceAll('-', '') : text)).length;
    if (right * 2 < shaped.length && !/-/.test(shaped[0]!) && form !== 'vat') continue;
    if (!best || right > best.right) best = { form, right, of: texts.length };
  }
  return best;
}

function findLeadingZeros(cells: readonly string[]): Profile['zeros'] {
  const digits = cells[0]?.length ?? 0;
  if (digits < 2 || !cells.every((cell) => /^\d+$/.test(cell) && cell.length === digits)) return undefined;
  const rows = cells.filter((cell) => cell.startsWith('0')).length;
  return rows > 0 ? { digits, rows } : undefined;
}
