/** An export that two mappings share: one makes its invoices, one a document of the whole day. */

const source = (id: string, target: string) => `mapping: ${id}
version: 1
target: ${target}
accepts: { files: "jour*.csv", shares: true }
source: { format: csv, columns: { Net: number, Taux: number } }
`;
const body = (by: string) => `  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: ${by} }
  lines:
    each: row
    make: { number: $Lig, quantity: 1, unit-price: $Net, net-amount: $Net }
  totals: { standard: { net: $Net, rate: $Taux, currency: EUR } }
`;
export const INVOICES = `${source('invoices', 'fr-invoice')}
documents: { one-per: Num, class: invoice }
output:
  document: { identifier: $Num, date: "2026-09-05", currency: EUR }
${body('$Client')}`;
/** One document of the whole day, as a report groups it. */
export const DAY = `${source('by-day', 'fr-invoice')}
documents: { one-per: Jour, rows: anywhere, class: invoice, keep: $Taux > 0 }
output:
  document: { identifier: = "JOUR-" & $Jour, date: "2026-09-05", currency: EUR }
${body('Clients divers')}`;
export const DAY_EXPORT = 'Num;Client;Jour;Lig;Net;Taux\nF1;A;05;1;10;20\nF1;A;05;2;5;0\nF2;B;05;1;20;20\n';
