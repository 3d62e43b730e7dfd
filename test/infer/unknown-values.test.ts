/** What nothing in a sample shows is never guessed: the draft has a placeholder, with which no document is made. */
import { expect, it } from 'vitest';
import { placeholdersIn } from '../../src/documents/content/draft-placeholders.ts';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { isError } from '../../src/model/fault.ts';
import { inferMapping } from '../../src/views/preview/infer-mapping.ts';
import { convertText } from '../pipeline/conversion/convert-text.ts';

async function draftOf(target: string, csv: string, file = 'export.csv') {
  return await inferMapping({
    bytes: Buffer.from(csv),
    file,
    target,
    folder: '/nowhere',
    out: `mappings/${file}.yaml`,
  });
}

const SAMPLES = [
  ['fr-invoice', 'Piece;Designation;Qte;PU\nF1;Vis;2;3.50\nF1;Clou;1;1.00\n', ['date', 'VAT rate in percent']],
  ['fr-invoice', 'Piece;Date;Designation\nF1;2026-10-01;Vis\n', ['VAT rate in percent', 'net amount of the line']],
  ['fr-invoice', 'Designation;Qte;PU HT;Taux\nVis;2;3.50;20\nClou;2;3.50;20\n', ['number of the document', 'date']],
  ['fr-report', 'Ticket;Montant\n1;12.50\n2;7.00\n', ['VAT rate in percent', 'date']],
  ['fr-report', 'Ticket;Jour\n1;2026-10-01\n2;2026-10-02\n', ['VAT rate in percent', 'amount received']],
  ['sv-remission-note', 'Guia;Articulo\n1;Cable\n2;Tubo\n', ['quantity', 'date', 'year of the date']],
] as const;

it.each(SAMPLES)('%s of %j: each unknown value is a placeholder that check refuses', async (target, csv, unknown) => {
  const { mapping: draft, trial } = await draftOf(target, csv);
  const { mapping, faults } = loadMapping(draft, 'mappings/draft.yaml', mappingWorld('/nowhere'));
  expect(mapping, JSON.stringify(faults.filter(isError))).toBeDefined();
  const found = placeholdersIn(draft, 'mappings/draft.yaml').map(({ value }) => value);
  for (const what of unknown) expect(found).toContain(`FILL IN - ${what}`);
  // The day of the run stands in a report as the day on which it was made, and nowhere else.
  expect(draft.replace(`date: '= TODAY() & "T00:00:00"'`, '')).not.toContain('TODAY()');
  expect(trial).toMatchObject({ good: 0, toFillIn: true });
  expect(trial.documents).toBeGreaterThan(0);
  // Each unknown value is listed once; that a text is no number follows.
  expect(trial.faults.map(({ code }) => code)).toEqual([]);
  expect(trial.lacks.filter(({ given }) => given?.startsWith('FILL IN'))).toEqual([]);
  expect([...trial.unknown].sort()).toEqual(unknown.map((what) => `FILL IN - ${what}`).sort());
});

it('lines of a note without a number count up', async () => {
  const { mapping } = await draftOf('sv-remission-note', 'Guia;Articulo;Cantidad\n1;Cable;2\n1;Tubo;3\n2;Tubo;1\n');
  expect(mapping).toContain('numItem: = ROW-NUMBER()');
});

const MAPPING = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source: { format: csv, columns: { Net: number } }
calculated-columns: { rate: RATE }
documents: { one-per: [No], class: invoice }
output:
  document: { identifier: $No, date: "2026-10-01" }
  lines: { each: row, make: { quantity: QUANTITY, net-amount: $Net, taxes: [{ type: vat, percent: $rate }] } }
`;

it.each([
  ['FILL IN', '1'],
  ['20', 'FILL IN - quantity'],
])('rate %s, quantity %s: the mapping loads, and no document is made', async (rate, quantity) => {
  const yaml = MAPPING.replace('RATE', rate).replace('QUANTITY', quantity);
  const { numbers, faults } = await convertText(yaml, 'No;Net\nF1;10\nF2;20\n');
  expect(numbers).toEqual([]);
  expect(faults.filter(isError).map(({ code }) => code)).toEqual(Array(2).fill('map/text-in-number-field'));
});

it.each(['2', '007', '1e3', 'true', 'ventes'])('a draft named %s has that name', async (name) => {
  const request = { bytes: Buffer.from(SAMPLES[0][1]), file: 'export.csv', target: 'fr-invoice', folder: '/nowhere' };
  const { mapping: draft } = await inferMapping({ ...request, out: `mappings/${name}.yaml` });
  const { mapping, faults } = loadMapping(draft, `mappings/${name}.yaml`, mappingWorld('/nowhere'));
  expect(mapping?.id, JSON.stringify(faults.filter(isError))).toBe(name);
});
