/** One cell that several values of a document are made of is one fault, whatever reads it. */
import { expect, test } from 'vitest';
import { convertText } from '../pipeline/conversion/convert-text.ts';

const MAPPING = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*.txt" }
source: { format: csv }
documents: { one-per: Num, class: invoice, never-twice: Num }
output:
  document: { identifier: $Num }
  issuer:
    name: $Code
    identifiers: [{ type: siren, value: "= SIREN-OF($Own)" }]
  receiver:
    name: $Client
    identifiers:
      - { type: siren, value: "= SIREN-OF($SIREN)" }
      - { type: vat, value: "= FR-VAT($SIREN)" }
    e-addresses:
      - { type: routing-address, value: "= SIREN-OF($SIREN)" }
`;

test.each([
  ['F1;Élan;12;X;999200116', [['SIREN', 2]]],
  [
    'F1;Élan;12;X;12',
    [
      ['SIREN', 2],
      ['Own', 2],
    ],
  ],
])('%s', async (row, places) => {
  const { faults } = await convertText(MAPPING, `Num;Client;SIREN;Code;Own\n${row}\n`);
  const found = faults.filter(({ code }) => code === 'map/not-an-identifier');
  expect(found.map(({ origin }) => [origin?.column, origin?.row])).toEqual(places);
});
