/** What exports state, read from their bytes by nothing of the program. */
import type { Export } from './history.ts';

/** One document of an export, as its bytes state it. `cents`: undefined where a quantity is no number. */
type Stated = { readonly number: string; readonly rows: number; readonly cents: number | undefined };

const QUANTITY = /^\d+$/;

/** Corrections are exports of no ERP; attachments are none. */
export function isExport({ name }: Export): boolean {
  return name.endsWith('.csv') && !name.includes('.to-fix.');
}

/** Undefined for an export that ends in the middle of a row. */
export function readExport({ text }: Export): readonly Stated[] | undefined {
  if (!text.endsWith('\n')) return undefined;
  const found = new Map<string, Stated>();
  for (const line of text.split('\n').slice(1, -1)) {
    const [number = '', , , , quantity = '', price = ''] = line.split(';');
    const before = found.get(number) ?? { number, rows: 0, cents: 0 };
    const cents = QUANTITY.test(quantity) ? centsOf(quantity, price) : undefined;
    const sum = before.cents === undefined || cents === undefined ? undefined : before.cents + cents;
    found.set(number, { number, rows: before.rows + 1, cents: sum });
  }
  return [...found.values()];
}

export function states(one: Export, number: string): boolean {
  return readExport(one)?.some((document) => document.number === number) === true;
}

/** The net amount of a line. */
export function centsOf(quantity: string, price: string): number {
  const [whole = '0', part = ''] = price.split(',');
  return Number(quantity) * (Number(whole) * 100 + Number(part.padEnd(2, '0')));
}

/** With 20 percent of tax. */
export function withTax(cents: number): number {
  return cents + Math.round(cents / 5);
}

/** Of the first line of a document. */
export function priceIn(text: string, number: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.startsWith(`${number};`))
    ?.split(';')[5];
}
