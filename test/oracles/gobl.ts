/**
 * The examples of gobl.fr.ctc: French documents whose totals another program has reckoned. Their lines go through
 * `totals: standard` as rows of an export, and must come to the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertText } from '../pipeline/conversion/convert-text.ts';
import { type Comparison, tally } from './suite.ts';

type Line = {
  readonly quantity: string;
  readonly total: string;
  readonly taxes?: readonly { readonly percent?: string }[];
};
type Invoice = {
  readonly type?: string;
  readonly code?: string;
  readonly lines?: readonly Line[];
  readonly discounts?: readonly { readonly amount: string }[];
  readonly charges?: readonly { readonly amount: string }[];
  readonly totals?: { readonly sum: string; readonly tax?: string; readonly total_with_tax: string };
};

const MAPPING = `mapping: gobl
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv, columns: { net: number, rate: number, discount: number, charge: number } }
documents: { one-per: no, class: invoice, never-twice: no }
output:
  document: { identifier: $no, currency: EUR }
  lines: { each: row, make: { number: $line, net-amount: $net, taxes: [{ type: vat, percent: $rate }] } }
  totals:
    standard:
      net: $net
      rate: $rate
      discount: { amount: $discount, type: discount }
      charge: { amount: $charge, type: charge }
`;

export async function compareGobl(folder: string): Promise<Comparison> {
  const count = tally('GOBL, French examples');
  const out = join(folder, 'examples/out');
  for (const name of readdirSync(out).sort()) {
    const { doc } = JSON.parse(readFileSync(join(out, name), 'utf8')) as { doc: Invoice };
    if (!doc.lines || !doc.totals) {
      count.leave('no invoice');
      continue;
    }
    const { outcomes, refused } = await convertText(MAPPING, rowsOf(doc));
    const [outcome] = outcomes;
    if (!outcome || !('document' in outcome)) {
      const faults = outcome ? outcome.faults : refused;
      count.differ({ about: name, case: name, found: faults.map(({ code }) => code).join(', ') });
      continue;
    }
    const { totals } = (JSON.parse(outcome.document.content.toString()) as Content).payload;
    const found = [totals.subtotals[0]?.amount, totals.subtotals.at(-1)?.amount, totals['final-amount']].map(Number);
    const wanted = [doc.totals.sum, doc.totals.tax ?? '0', doc.totals.total_with_tax].map(Number);
    if (found.join() === wanted.join()) count.agree();
    else
      count.differ({
        about: name,
        case: name,
        found: `net, tax and total are ${wanted.join(', ')}; we reckon ${found.join(', ')}`,
      });
  }
  return count.done();
}

type Content = {
  readonly payload: {
    readonly totals: { readonly 'final-amount': number; readonly subtotals: readonly { readonly amount: number }[] };
  };
};

function rowsOf({ lines = [], discounts = [], charges = [] }: Invoice): string {
  const sum = (all: readonly { readonly amount: string }[]) =>
    all.length === 1 ? all[0]!.amount : all.length === 0 ? '' : 'several';
  const rows = lines.map(({ total, taxes }, n) => {
    const rate = taxes?.[0]?.percent?.replace('%', '') ?? '0';
    return `1;${n + 1};${total};${rate};${sum(discounts)};${sum(charges)}`;
  });
  return `no;line;net;rate;discount;charge\n${rows.join('\n')}\n`;
}
