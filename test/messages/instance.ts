/**
 * The instance whose files the mistakes are made in: a Sage export and its mapping, an XML export and its mapping, a
 * file of headers and lines, tables, settings. Without a mistake no one has anything to say about it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXAMPLE, HEADER, LIVRET, POULIE, row } from '../mapping/example.ts';
import { FILES as TABLES } from '../mapping/world.ts';

const SETTINGS = `version: 1
company: Exemple SARL
services:
  fr:
    base-url: https://fr.example.com
    identity-url: https://identity.example.com
    realm: example
    client-id: nightpost
    client-secret: { env: FR_SECRET }
    sender-id: "1"
    integration: { id: nightpost, name: Nightpost, version: "1" }
    concurrency: 4
inbox:
  settle: 5s
run:
  give-up-after: 2m
rules:
  fr: wire
`;

const SALES = [
  HEADER,
  row(),
  row(POULIE),
  row(LIVRET),
  row({
    NumFac: 'F2026-00413',
    DateFac: '12/09/2026',
    Echeance: '12/10/2026',
    NomClient: 'Moulin SARL',
    SIREN: '732829320',
    TVAIntra: '',
    CP: '75011',
    Ville: 'Paris',
    Designation: 'Treuil',
    Qte: '2',
    Unite: 'PCE',
    PUHT: '100,00',
    TotalHT: '200,00',
    TotalTTC: '240,00',
  }),
  row({
    Type: 'AV',
    NumFac: 'A2026-00031',
    DateFac: '14/09/2026',
    Echeance: '14/10/2026',
    Designation: 'Retour',
    Qte: '1',
    Unite: 'PCE',
    PUHT: '50,00',
    CodeTVA: 'T55',
    TotalHT: '50,00',
    TotalTTC: '52,75',
    FacOrigine: 'F2026-00412',
  }),
  '',
].join('\n');

const XML_MAPPING = `mapping: orders
version: 1
target: fr-invoice
accepts: { files: "CMD_*.xml" }
source:
  format: xml
  namespaces: { c: "urn:commandes" }
  document: /c:Export/c:Facture
  row: c:Ligne
  columns:
    Numero: ../@numero
    Date: ../c:Date
    Client: ../c:Client/c:Nom
    Article: c:Article
    Qte: c:Quantite
    Prix: c:Prix
  types: { Date: date, Qte: number, Prix: number }
  dates: yyyy-MM-dd
documents: { one-per: Numero, class: invoice }
calculated-columns:
  net: = ROUND($Qte * $Prix, 2)
  rate: "= 20"
output:
  document: { identifier: $Numero, date: $Date, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: "732829320" }] }
  receiver: { name: $Client }
  lines:
    each: row
    make: { description: $Article, quantity: $Qte, unit-price: $Prix, net-amount: $net }
  totals: { standard: { net: $net, rate: $rate, currency: EUR } }
`;

const ORDERS = `<?xml version="1.0" encoding="UTF-8"?>
<Export xmlns="urn:commandes">
  <Facture numero="C-1">
    <Date>2026-09-05</Date>
    <Client><Nom>Moulin &amp; Fils</Nom></Client>
    <Ligne><Article>Treuil</Article><Quantite>2</Quantite><Prix>100.00</Prix></Ligne>
    <Ligne><Article>Poulie</Article><Quantite>1</Quantite><Prix>19.99</Prix></Ligne>
  </Facture>
  <Facture numero="C-2">
    <Date>2026-09-06</Date>
    <Client><Nom>Exemple Bois</Nom></Client>
    <Ligne><Article>Livret</Article><Quantite>7</Quantite><Prix>3.30</Prix></Ligne>
  </Facture>
</Export>
`;

const RECORDS_MAPPING = `mapping: records
version: 1
target: fr-invoice
accepts: { files: "REC_*.txt" }
source:
  format: csv
  delimiter: "|"
  numbers: { decimal: "." }
  dates: yyyyMMdd
  record-types:
    column: 1
    levels:
      - { value: E, columns: [Type, Num, Date, Client] }
      - { value: L, columns: [Type, Article, Qte, Prix] }
  columns: { Date: date, Qte: number, Prix: number }
documents: { one-per: Num, class: invoice }
calculated-columns:
  net: = ROUND($Qte * $Prix, 2)
  rate: "= 20"
output:
  document: { identifier: $Num, date: $Date, currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: "732829320" }] }
  receiver: { name: $Client }
  lines:
    each: row
    make: { description: $Article, quantity: $Qte, unit-price: $Prix, net-amount: $net }
  totals: { standard: { net: $net, rate: $rate, currency: EUR } }
`;

const RECORDS = `E|R1|20260905|Moulin SARL
L|Treuil|2|100.00
E|R2|20260906|Exemple Bois
L|Poulie|1|19.99
E|R3|20260907|Atelier Nord
L|Livret|7|3.30
`;

export const FILES: { readonly [path: string]: string } = {
  'nightpost.yaml': SETTINGS,
  'mappings/sales.yaml': EXAMPLE,
  'mappings/orders.yaml': XML_MAPPING,
  'mappings/records.yaml': RECORDS_MAPPING,
  ...TABLES,
  'FAC_0905.csv': SALES,
  'CMD_0905.xml': ORDERS,
  'REC_0905.txt': RECORDS,
};

/** How the files are written where no mistake says otherwise. */
export const ENCODINGS: { readonly [path: string]: string } = { 'FAC_0905.csv': 'windows-1252' };

export function writeFiles(root: string, files: { readonly [path: string]: Uint8Array }): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), bytes);
  }
}
