/** VAT that is off by rounding: reported where a mapping calculates it per line, and not where it keeps the total of the ERP. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../../samples/instance.ts';
import { convertText } from './convert-text.ts';

const RECIPE = 'totals: { standard: { net: $ht, gross: $MontantTTC, rate: $Taux } }';

/** As who writes each amount by hand: the VAT of a rate is the sum of the VAT of its lines. */
const BY_LINE = `totals:
    final-amount: = SUM(@subtotals.amount)
    currency: EUR
    subtotals:
      - { type: lines-net-amount, class: net, before-taxes: true, sign: positive, amount: = SUM($ht) }
      - type: tax
        class: vat
        before-taxes: false
        sign: positive
        amount: = SUM(@subtotals.amount)
        subtotals:
          each: rows by $Taux
          make: { type: tax, class: vat, subtype: standard, percent: $Taux, taxable-amount: = SUM($ht), amount: "= SUM(ROUND($ht * $Taux / 100, 2))" }`;

const mapping = (totals: string, ht = '= NET-OF($MontantTTC, $Taux)') => `mapping: sales
version: 1
target: fr-invoice
accepts: { files: "a*" }
source:
  format: csv
  delimiter: ";"
  numbers: { decimal: "," }
  columns: { MontantTTC: number, Taux: number }
calculated-columns:
  ht: ${ht}
documents: { one-per: [Num], class: invoice }
output:
  document: { identifier: $Num, date: 2026-09-05, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: Client }
  lines:
    each: row
    make: { number: $Lig, quantity: 1, unit-price: $ht, net-amount: $ht, taxes: [{ type: vat, subtype: standard, percent: $Taux }] }
  ${totals}
`;

const AMOUNTS = ['10,03', '10,03', '10,03'];

async function codes(yaml: string): Promise<readonly string[]> {
  const csv = ['Num;Lig;MontantTTC;Taux', ...AMOUNTS.map((amount, n) => `F1;${n + 1};${amount};20`), ''].join('\n');
  const { outcomes, refused } = await convertText(yaml, csv, undefined, 'fr-2026');
  expect(refused).toEqual([]);
  const faults = outcomes.flatMap((one) => ('document' in one ? one.document.warnings : one.faults));
  return faults.flatMap(({ code }) => (/vat-|total|sum/.test(code) ? [code] : []));
}

test('not reported where the standard totals keep the total of the ERP, as the manual has it', async () => {
  expect(readFileSync(join(REPOSITORY, 'docs/how-to/consultant/amounts.md'), 'utf8')).toContain(RECIPE);
  expect(await codes(mapping(RECIPE))).toEqual([]);
  expect(await codes(mapping(RECIPE.replace('net: $ht, ', '')))).toEqual([]);
});

test('reported where the mapping adds up the VAT of the lines', async () => {
  expect(await codes(mapping(BY_LINE))).toEqual(['fr-invoice/vat-rounding']);
});

test('standard totals refuse all the same what rounding does not explain', async () => {
  expect(await codes(mapping(RECIPE, '= ROUND($MontantTTC / 1.25, 2)'))).toContain('fr-invoice/vat-mismatch');
});
