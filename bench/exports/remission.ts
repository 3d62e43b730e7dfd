/** CSV of samples/sv-remission-notes: Salvadoran notes of two establishments, whose official numbers come from the ledger. */
import { rounded, units } from './amounts.ts';
import { FACTORS, type Format, NUMBER, sampleText, type Template } from './format.ts';

const ANY_DAY = /2026-09-\d\d/;
const TODAY = '2026-09-11';
const SPOTLESS = ['1001', '1002', '1003', '1005'];
const [header = '', ...rows] = sampleText('sv-remission-notes/input/NR_20260911.csv').trimEnd().split(/\r?\n/);
/** The last columns have neither quotes nor commas in them, but for a total with a thousands separator. */
const LINE = /^(\d+)(,.*,)([\d.]+),(\w+),([\d.]+),([\d.]*),([SN]),(?:"[\d,.]+"|[\d.]+)$/;

export const REMISSION: Format = {
  mapping: 'sv-remission-notes',
  service: 'sv',
  today: TODAY,
  nameOf: (id) => `NR_${id}.csv`,
  encoding: 'utf-8',
  head: `${header}\n`,
  tail: () => '',
  templatesOf: () => ({ good: FACTORS.flatMap((factor) => SPOTLESS.map((note) => timesOf(note, factor))) }),
};

/** Taxed and exempt amounts are rounded to cents apart, as the contract wants its totals. */
function timesOf(note: string, factor: number): Template {
  const sums = { S: 0, N: 0 };
  const lines = rows.flatMap((row) => {
    const [, number, before = '', quantityText = '', unit, price = '', discount = '', kind] = LINE.exec(row) ?? [];
    if (number !== note) return [];
    const quantity = units(quantityText, 2) * factor;
    sums[kind as 'S' | 'N'] += quantity * units(price, 4) - units(discount || '0', 6);
    // A note of another day than that of conversion is a warning.
    return `${NUMBER}${before.replace(ANY_DAY, TODAY)}${quantity / 100},${unit},${price},${discount},${kind}`;
  });
  const total = (rounded(sums.S, 10_000) + rounded(sums.N, 10_000)) / 100;
  return { text: lines.map((line) => `${line},${total.toFixed(2)}\n`).join('') };
}
