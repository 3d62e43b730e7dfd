/** The example of the manual: a Sage export with header and line columns repeated on each row. */

export const EXAMPLE = `mapping: sage-factures-fr
version: 4
target: fr-invoice
accepts: { files: "FAC_*.csv", columns: [NumFac, NumLig, CodeTVA] }

source:
  format: csv
  encoding: windows-1252
  delimiter: ";"
  header-row: 1
  numbers: { decimal: ",", thousands: [" ", nbsp] }
  dates: dd/MM/yyyy
  columns:
    { DateFac: date, Echeance: date, Qte: number, PUHT: number, TotalHT: number, TotalTTC: number,
      SIREN: { text: siren }, CP: { text: 5 digits } }

tables:
  class: { FA: invoice, AV: credit-note }
  vat: { T20: 20, T20S: 20, T55: 5.5 }
  units: { file: tables/units.csv, key: erp, value: api }
  companies: { file: tables/companies.yaml }

calculated-columns:
  net: = ROUND($Qte * $PUHT, 2)
  rate: { from: CodeTVA, table: vat }

documents:
  one-per: [Societe, Type, NumFac]
  rows: adjacent
  class: { from: Type, table: class }
  never-twice: [Societe, Type, NumFac]

output:
  document:
    identifier: $NumFac
    date: $DateFac
    date-due: $Echeance
    currency: EUR
    language: fr
  issuer: { from: Societe, table: companies }
  receiver:
    name: $NomClient
    identifiers:
      - { type: siren, value: $SIREN }
      - { type: vat, value: $TVAIntra }
    address: { street: $Adresse, city: $Ville, postal-code: $CP, country: FR }
  references:
    - when: = $Type = "AV"
      type: original-invoice
      identifier: $FacOrigine
  lines:
    each: row
    make:
      number: $NumLig
      identifier: $Article
      description: $Designation
      quantity: $Qte
      unit: { from: Unite, table: units }
      unit-price: $PUHT
      net-amount: $net
      taxes:
        - { type: vat, subtype: standard, percent: $rate, amount: "= ROUND($net * $rate / 100, 2)" }
  totals:
    final-amount: = SUM(@subtotals.amount)
    currency: EUR
    subtotals:
      - { type: lines-net-amount, class: net, before-taxes: true, sign: positive, amount: = SUM($net) }
      - type: tax
        class: vat
        before-taxes: false
        sign: positive
        amount: = SUM(@subtotals.amount)
        subtotals:
          each: rows by rate
          make:
            type: tax
            class: vat
            subtype: standard
            percent: $rate
            taxable-amount: = SUM($net)
            amount: = ROUND(SUM($net) * $rate / 100, 2)

checks:
  - { that: = ABS(SUM($net) - $TotalHT) <= 0.01 * COUNT($net), else: error, say: Net total differs from TotalHT }
  - { that: = ABS(@totals.final-amount - $TotalTTC) <= 0.02, else: error, say: Gross total differs from TotalTTC }
  - { that: = $Echeance >= $DateFac, else: warning, say: Due before the invoice date }

tests:
  - { name: two VAT rates, given: samples/two-rates.csv, expect: { totals: { final-amount: 222.59 } } }
  - name: unknown VAT code is refused
    given: samples/bad-vat.csv
    expect-errors: [ { row: 3, column: CodeTVA, code: map/not-in-table } ]
`;

export const HEADER =
  'Societe;Type;NumFac;DateFac;Echeance;NomClient;SIREN;TVAIntra;Adresse;CP;Ville;NumLig;Article;Designation;Qte;Unite;PUHT;CodeTVA;TotalHT;TotalTTC;FacOrigine';

/** A row of the example with some cells changed. */
export function row(changes: { readonly [column: string]: string } = {}): string {
  const cells: { readonly [column: string]: string } = {
    Societe: '01',
    Type: 'FA',
    NumFac: 'F2026-00412',
    DateFac: '05/09/2026',
    Echeance: '05/10/2026',
    NomClient: 'Société Élan & Fils',
    SIREN: '123456782',
    TVAIntra: 'FR11123456782',
    Adresse: '12 rue de l’Œuvre',
    CP: '01000',
    Ville: 'Bourg-en-Bresse',
    NumLig: '1',
    Article: 'C-10',
    Designation: 'Câble acier – 6 mm',
    Qte: '12,5',
    Unite: 'M',
    PUHT: '8,40',
    CodeTVA: 'T20',
    TotalHT: '188,32',
    TotalTTC: '222,59',
    FacOrigine: '',
    ...changes,
  };
  return HEADER.split(';')
    .map((column) => cells[column] ?? '')
    .join(';');
}

export const POULIE = {
  NumLig: '2',
  Article: 'P-77',
  Designation: 'Poulie',
  Qte: '3',
  Unite: 'PCE',
  PUHT: '19,99',
  CodeTVA: 'T20S',
};
export const LIVRET = {
  NumLig: '3',
  Article: 'L-02',
  Designation: 'Livret d’usage',
  Qte: '7',
  Unite: 'PCE',
  PUHT: '3,335',
  CodeTVA: 'T55',
};
export const THREE_ROWS = [HEADER, row(), row(POULIE), row(LIVRET)].join('\n');
