/** Invoices whose headers are in one file and whose lines are in another: the smallest mapping with `join`. */
export const PAIR_MAPPING = `mapping: pairs
version: 1
target: fr-invoice
accepts: { files: "ENT_*.csv" }
source:
  format: csv
  numbers: { decimal: "," }
  columns: { Net: number }
  join: { with: "LIG_*.csv", key: Num, wait: 2h }
calculated-columns: { rate: = 20 }
documents: { one-per: Num, class: invoice, rows: anywhere }
output:
  document: { identifier: $Num, date: "2026-09-05", currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: $Client }
  lines:
    each: row
    make: { number: $Lig, quantity: 1, unit-price: $Net, net-amount: $Net }
  totals: { standard: { net: $Net, rate: $rate, currency: EUR } }
`;
