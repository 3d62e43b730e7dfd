/** A sales export, and the mapping that reads it. Nothing of the program is loaded with them. */

/** Two invoice lines under one number, as small as a mapping can be. */
export const SALES_MAPPING = `
mapping: sales
version: 1
target: fr-invoice
accepts: { files: "ventes*.csv" }
source:
  format: csv
  delimiter: ";"
  numbers: { decimal: "," }
  dates: dd/MM/yyyy
  columns: { Date: date, Qte: number, PU: number, Taux: number }
calculated-columns:
  net: = ROUND($Qte * $PU, 2)
documents:
  one-per: [Num]
  class: invoice
output:
  document: { identifier: $Num, date: $Date, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: $Client }
  lines:
    each: row
    make: { number: $Lig, quantity: $Qte, unit-price: $PU, net-amount: $net }
  totals: { standard: { net: $net, rate: $Taux, currency: EUR } }
`;

/** A sales export with these numbers, two lines each. */
export function sales(numbers: readonly string[], quantity = '2'): string {
  const rows = numbers.flatMap((number) =>
    [1, 2].map((line) => `${number};05/09/2026;Client ${number};${line};${quantity};10,50;20`),
  );
  return ['Num;Date;Client;Lig;Qte;PU;Taux', ...rows, ''].join('\n');
}
