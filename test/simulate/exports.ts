/** What exports state, read from their bytes by nothing of the program. */
import type { Export } from './history.ts';

/**
 * One document of an export, as its bytes state it. `cents`: without tax, undefined where a quantity is no number, or where they do not
 * add up to the total that it states. `total`: what it states, or adds up to.
 */
type Stated = { readonly number: string; readonly cents: number | undefined; readonly total: number };

/** The first column of an export that has one for its numbers. */
const NUMBERED = /^(?:Num|Nota);/;
const QUANTITY = /^\d+$/;

/** A pair is one export in two files: the headers of its documents, and their lines. */
const PAIR = /^(?:ENT|LIG)_/;

/** What a stop left half read returns to the inbox, under another name where its own is taken. */
export function firstName(name: string): string {
  return name.replace(/\.again-\w+(?=\.)/, '');
}

export function isOfPair({ name }: Export): boolean {
  return PAIR.test(name);
}

/** Those that state documents: a pair does where both of its files came, and are whole. */
export function complete(taken: readonly Export[]): readonly Export[] {
  const whole = new Set(taken.filter(({ text }) => text.endsWith('\n')).map(({ name }) => name));
  const hasHeaders = ({ name }: Export) => whole.has(name.replace(PAIR, 'ENT_'));
  return taken.filter((one) => isExport(one) && (!isOfPair(one) || (one.name.startsWith('LIG_') && hasHeaders(one))));
}

/** Corrections are exports of no ERP; attachments are none. */
export function isExport({ name }: Export): boolean {
  return name.endsWith('.csv') && !name.includes('.to-fix.');
}

/** The file that a document of it names. */
export function attachmentIn(one: Export, number: string): string | undefined {
  return one.text.split('\n', 1)[0]?.endsWith(';Pdf')
    ? rowsOf(one)
        .find(([own]) => own === number)
        ?.at(-1)
    : undefined;
}

/** Undefined for an export that ends in the middle of a row. Headers alone state nothing. */
export function readExport(one: Export): readonly Stated[] | undefined {
  if (!one.text.endsWith('\n')) return undefined;
  if (one.name.startsWith('ENT_')) return [];
  const hasTotal = /;Total\b/.test(one.text);
  return [...Map.groupBy(rowsOf(one), ([number = '']) => number)].map(([number, rows]) => {
    const isRead = rows.every(([, , , , quantity = '']) => QUANTITY.test(quantity));
    const net = rows.reduce((sum, [, , , , quantity = '', price = '']) => sum + centsOf(quantity, price), 0);
    const total = hasTotal ? centsOf('1', rows[0]?.[7] ?? '') : isRead ? totalOf(number, net) : 0;
    return { number, cents: isRead && total === totalOf(number, net) ? net : undefined, total };
  });
}

/** An export without a column of numbers is one document, with its number in the name of its file. */
function rowsOf({ name, text }: Export): readonly (readonly string[])[] {
  const [head = '', ...lines] = text.split('\n').slice(0, -1);
  const rows = lines.map((line) => line.split(';'));
  return NUMBERED.test(head) ? rows : rows.map((row) => [numberInName(name), ...row]);
}

/** Exports in which this is equal are one export: where the name is data, the same bytes under another name are another one. */
export function identityOf({ name, text }: Export): string {
  return NUMBERED.test(text) ? text : firstName(name) + text;
}

function numberInName(name: string): string {
  return /^ventes-\d+-(\w+)/.exec(name)?.[1] ?? '';
}

export function states(one: Export, number: string): boolean {
  return readExport(one)?.some((document) => document.number === number) === true;
}

/** The net amount of a line. */
export function centsOf(quantity: string, price: string): number {
  const [whole = '0', part = ''] = price.split(/[.,]/);
  return Number(quantity) * (Number(whole) * 100 + Number(part.padEnd(2, '0')));
}

/** A Salvadoran document: the number of a French one begins with a letter. */
export function isNote(number: string): boolean {
  return /^\d/.test(number);
}

/** With 20 percent of tax; a remission note has none. */
export function totalOf(number: string, cents: number): number {
  return isNote(number) ? cents : cents + Math.round(cents / 5);
}

/** Of the first line of a document. */
export function priceIn(one: Export, number: string): string | undefined {
  return rowsOf(one).find(([own]) => own === number)?.[5];
}

/** Of an amount that the program or a service writes. */
export function centsIn(amount: string | undefined): number {
  return Math.round(Number(amount ?? 0) * 100);
}
