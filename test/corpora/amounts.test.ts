/** Random invoices against a second reckoning in whole numbers: not one cent of difference. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SALES_MAPPING } from '../night.ts';
import { convertText } from '../pipeline/conversion/convert-text.ts';
import { runs } from '../seed.ts';

type Line = { readonly quantity: bigint; readonly price: bigint; readonly rate: bigint };

/** Quantities with three decimals, prices with four, rates with two: negative ones and halves among them. */
const line = fc.record({
  quantity: fc.oneof(
    fc.bigInt(-99_999n, 99_999_999n),
    fc.bigInt(1n, 9n).map((n) => n * 500n),
  ),
  price: fc.oneof(
    fc.bigInt(0n, 99_999_999n),
    fc.bigInt(0n, 9_999n).map((n) => n * 50n),
  ),
  rate: fc.constantFrom(0n, 210n, 550n, 1000n, 2000n),
});

/** Half away from zero. */
function rounded(value: bigint, decimals: bigint): bigint {
  const unit = 10n ** decimals;
  const half = value < 0n ? -(unit / 2n) : unit / 2n;
  return (value + half) / unit;
}

function text(value: bigint, decimals: number, mark: string): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -decimals)}${mark}${digits.slice(-decimals)}`;
}

/** As the request has it: no zeros at the end. */
function plain(cents: bigint): string {
  return text(cents, 2, '.').replace(/\.?0+$/, '');
}

it(`${runs(4_000)} random invoices, 0.00 of drift`, async () => {
  const invoices = fc.sample(fc.array(line, { minLength: 1, maxLength: 5 }), {
    numRuns: runs(4_000),
    seed: fc.readConfigureGlobal().seed!,
  });
  for (let from = 0; from < invoices.length; from += 2_000) {
    const some = invoices.slice(from, from + 2_000);
    const rows = some.flatMap((lines, n) =>
      lines.map(
        ({ quantity, price, rate }, at) =>
          `F${n};05/09/2026;C;${at};${text(quantity, 3, ',')};${text(price, 4, ',')};${text(rate, 2, ',')}\n`,
      ),
    );
    const { outcomes, faults } = await convertText(SALES_MAPPING, `Num;Date;Client;Lig;Qte;PU;Taux\n${rows.join('')}`);
    expect(faults).toEqual([]);
    for (const [n, outcome] of outcomes.entries()) {
      const content = 'document' in outcome ? outcome.document.content.toString() : '';
      expect(numbersOf(content)).toEqual(reckoned(some[n]!));
    }
    expect(outcomes).toHaveLength(some.length);
  }
});

/** Nets of the lines, taxes by rate, final amount: as they are written on the wire. */
function numbersOf(content: string): readonly string[] {
  const exact = JSON.parse(content, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? source : value) as (key: string, value: unknown) => unknown);
  const { lines, totals } = exact.payload;
  const tax = totals.subtotals.find((one: { type: string }) => one.type === 'tax');
  return [
    ...lines.map((one: Record<string, string>) => one['net-amount']),
    ...tax.subtotals.flatMap((one: Record<string, string>) => [one.percent, one['taxable-amount'], one.amount]),
    totals['final-amount'],
  ];
}

function reckoned(lines: readonly Line[]): readonly string[] {
  const nets = lines.map(({ quantity, price }) => rounded(quantity * price, 5n));
  const rates = [...new Set(lines.map(({ rate }) => rate))].map((rate) => {
    const net = nets.reduce((sum, one, at) => sum + (lines[at]!.rate === rate ? one : 0n), 0n);
    return { rate, net, tax: rounded(net * rate, 4n) };
  });
  const final = nets.reduce((sum, one) => sum + one, 0n) + rates.reduce((sum, { tax }) => sum + tax, 0n);
  return [
    ...nets.map(plain),
    ...rates.flatMap(({ rate, net, tax }) => [plain(rate), plain(net), plain(tax)]),
    plain(final),
  ];
}
