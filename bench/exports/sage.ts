/** CSV of samples/sage-invoices: 21 columns, `;`, CRLF, decimal commas, Windows-1252, two or three rows an invoice. */
import { decimal, rounded, totalsOf, units } from './amounts.ts';
import { FACTORS, type Format, NUMBER, sampleText, type Template } from './format.ts';

const ENCODING = 'windows-1252';
/** The invoices of the sample that have neither error nor warning. */
const SPOTLESS = ['F2026-00412', 'F2026-00413', 'F2026-00417'];
/** Tenths of a percent. */
const RATES: { readonly [code: string]: number } = { T20: 200, T20S: 200, T10: 100, T55: 55 };
/** Not in the table of the mapping. */
const UNKNOWN_CODE = 'T19';
/** More than the 60 days of French law, which is a warning. */
const LATE = '05/12/2026';

const [header = '', ...rows] = sampleText('sage-invoices/input/FAC_0905.csv', ENCODING).trimEnd().split('\r\n');
const COLUMNS = header.split(';');

export const SAGE: Format = {
  mapping: 'sage-invoices',
  service: 'fr',
  today: '2026-12-02',
  nameOf: (id) => `FAC_${id}.csv`,
  encoding: ENCODING,
  head: `${header}\r\n`,
  tail: () => '',
  templatesOf: (quality) => ({
    good: all(quality === 'warned' ? { Echeance: LATE } : {}),
    ...(quality === 'refused' && { wrong: all({ CodeTVA: UNKNOWN_CODE }) }),
  }),
};

function all(changes: { readonly [column: string]: string }): readonly Template[] {
  return FACTORS.flatMap((factor) => SPOTLESS.map((number) => invoice(number, factor, changes)));
}

function invoice(number: string, factor: number, changes: { readonly [column: string]: string }): Template {
  const lines = rows.filter((row) => row.includes(`;${number};`)).map(cellsOf);
  const amounts = lines.map((cells) => {
    const quantity = units(cells.Qte!, 1) * factor;
    return { quantity, net: rounded(quantity * units(cells.PUHT!, 3), 100), rate: RATES[cells.CodeTVA!]! };
  });
  const { net, gross } = totalsOf(amounts);
  const totals = { NumFac: NUMBER, TotalHT: comma(decimal(net, 2)), TotalTTC: comma(decimal(gross, 2)) };
  const text = lines.map((cells, at) =>
    rowOf({
      ...cells,
      ...totals,
      Qte: comma(decimal(amounts[at]!.quantity, 1)),
      ...(at === 0 || !changes.CodeTVA ? changes : {}),
    }),
  );
  return { text: text.join('') };
}

type Cells = { readonly [column: string]: string };

/** The cells of a row, with their quotes. */
function cellsOf(row: string): Cells {
  const cells = [...row.matchAll(/(?<=^|;)(?:"(?:[^"]|"")*"|[^;]*)/g)].map(([cell]) => cell);
  return Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at] ?? '']));
}

function rowOf(cells: Cells): string {
  return `${COLUMNS.map((column) => cells[column]).join(';')}\r\n`;
}

function comma(text: string): string {
  return text.replace('.', ',');
}
