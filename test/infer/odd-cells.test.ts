/** One cell that is not what its column is: the column keeps its part in the draft, and the cell is named. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };

async function draftOf(text: string, target: string) {
  const result = await inferDraft({
    bytes: Buffer.from(text, 'latin1'),
    file: 'sample.csv',
    id: 'draft',
    target,
    tests,
  });
  if ('problem' in result) throw new Error(result.problem.id);
  return { ...result, body: parse(result.mapping) };
}

/** Five lines of three notes; a sixth is added. */
const NOTES = readFileSync(new URL('samples/remisiones.csv', import.meta.url), 'latin1')
  .trimEnd()
  .split('\r\n');
const notes = (row: number, from: RegExp | string, to: string) =>
  [...NOTES, NOTES.at(-1)!.replace(';2;T-12', ';3;T-13')]
    .map((line, at) => (at === row - 1 ? line.replace(from, to) : line))
    .join('\r\n');

const DAY = /\d\d\/\d\d\/2026/;

it.each([
  ['a day that is in no calendar', '31/02/2026'],
  ['another order of day and month', '09/25/2026'],
  ['another form', '2026-09-14'],
  ['a word', 'pendiente'],
])('the date of a note stays its date: %s in one of 6 rows', async (_, cell) => {
  for (const row of [2, 3, 4, 7]) {
    const { body, questions, mapping } = await draftOf(notes(row, DAY, cell), 'sv-remission-note');
    expect(body.output.FechaGeneracion).toBe('$[Fecha Emisi\u00f3n]');
    expect(body.source.dates).toBe('dd/MM/yyyy HH:mm');
    expect(questions.filter(({ at }) => at === 'output.FechaGeneracion')).toEqual([]);
    const [odd] = questions.filter(({ at }) => at === 'source.columns.Fecha Emisi\u00f3n');
    expect(odd?.says).toContain(`a date in 5 of 6 rows; exceptions: row ${row} ("${cell}`);
    expect(mapping).toContain('so the day is there; a date in 5 of 6 rows');
  }
});

it('an e-mail address stays one, whatever one cell of it holds', async () => {
  const { body, questions } = await draftOf(notes(4, 'tienda@anil.example', 'no tiene'), 'sv-remission-note');
  expect(body.output.receptor.correo).toBe('$Correo');
  expect(questions.find(({ at }) => at === 'source.columns.Correo')?.says).toContain(
    'an e-mail address in 5 of 6 rows; exceptions: row 4 ("no tiene")',
  );
});

it.each(['1,5', 'dos'])('a price of decimal points stays one, and the cell %s is named', async (cell) => {
  const { body, questions } = await draftOf(notes(5, '4.30', cell), 'sv-remission-note');
  expect(body.source.columns['Precio Unitario']).toBe('number');
  expect(body.source.numbers).toEqual({ decimal: '.' });
  expect(questions.find(({ at }) => at === 'source.columns.Precio Unitario')?.says).toContain(
    `a number with the same marks in 5 of 6 rows; exceptions: row 5 ("${cell}")`,
  );
});

it('a total stays that of its document, whatever one cell of it holds', async () => {
  const { body, questions } = await draftOf(notes(3, /23\.25$/, '23,25'), 'sv-remission-note');
  expect(body.checks).toHaveLength(1);
  expect(questions.map(({ at }) => at)).toContain('source.columns.Total Nota');
});

it('a currency stays one where a single row of one currency has another text', async () => {
  const line = (n: number, currency: string) => `F${n};0${n}/09/2026;Client;Cable;2;10,00;20;${currency}\n`;
  const rows = [1, 2, 3, 4, 5].map((n) => line(n, n === 3 ? 'euro' : 'EUR')).join('');
  const { body } = await draftOf(`Facture;Date;Client;Libelle;Qte;PU;TVA;Devise\n${rows}`, 'fr-invoice');
  expect(JSON.stringify(body.output)).toContain('$Devise');
});

it('a column that is named as the date and is none is asked about', async () => {
  const { questions } = await draftOf([NOTES[0], NOTES[1]!.replace(DAY, 'ayer')].join('\r\n'), 'sv-remission-note');
  expect(
    questions.filter(({ at, says }) => at === 'output.FechaGeneracion' && says.includes('"ayer 14:05"')),
  ).toHaveLength(1);
});

const invoices = (codes: readonly string[], countries = codes.map(() => 'FR')) =>
  [
    'Numero;Date;Client;SIREN;Rue;CP;Ville;Pays;Ligne;Libelle;Qte;Prix;Taux',
    ...codes.map((code, at) => {
      const address = `Client ${at};732829320;1 rue A;${code};Ville;${countries[at]}`;
      return `A${at};${at + 13}/11/2026;${address};1;Vis;2;10,00;20`;
    }),
    '',
  ].join('\r\n');

it.each([
  ['some codes without their zero', ['1000', '75001', '06000'], undefined, '= PAD-LEFT($CP, 5)', 1],
  ['all of them', ['1000', '6000', '8000'], undefined, '= PAD-LEFT($CP, 5)', 3],
  ['whole codes', ['01000', '75001'], undefined, '$CP', 0],
  ['codes of a country with four digits', ['1000', '75001'], ['BE', 'FR'], '$CP', 0],
])('postal codes: %s', async (_, codes, countries, postalCode, short) => {
  const { body, questions } = await draftOf(invoices(codes, countries), 'fr-invoice');
  expect(body.output.receiver.address['postal-code']).toBe(postalCode);
  const asked = questions.filter(({ at }) => at === 'output.receiver.address');
  expect(asked.map(({ says }) => says)).toEqual(
    short > 0 ? [expect.stringContaining(`${short} ${short === 1 ? 'row has' : 'rows have'} four digits in "CP"`)] : [],
  );
  expect(body.source.columns.CP).toEqual(
    short > 0 ? { text: '4-5 digits' } : countries ? undefined : { text: '5 digits' },
  );
});
