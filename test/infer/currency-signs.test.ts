/** Amounts with the sign of their currency: read as amounts, and the draft says which sign they may carry. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { proveNumbers } from '../../src/infer/analysis/number-evidence.ts';
import { inferMapping } from '../../src/views/preview/infer-mapping.ts';

const folder = fileURLToPath(new URL('../../', import.meta.url));

const draftOf = async (text: string) => {
  const inferred = await inferMapping({ bytes: Buffer.from(text), file: 'VTE_01.csv', target: 'fr-invoice', folder });
  return { ...inferred, source: (parse(inferred.mapping) as { source: { [key: string]: unknown } }).source };
};

const HEAD = 'Facture;Date;Client;SIREN;Désignation;Qté;PU HT;Taux TVA;Total HT;Total TTC\n';
const row = (number: string, line: string, net: string, gross: string) =>
  `${number};28/09/2026;Élan;999200116;${line};20;${net};${gross}\n`;

it('are columns of amounts, in all places where the sign can be', async () => {
  const rows = [
    row('F1', 'Câble;2;1 010,00 €', '2 035,00 €', '2 442,00 €'),
    row('F1', 'Poulie;3;5,00 €', '2 035,00 €', '2 442,00 €'),
    row('F2', 'Vis;40;1,25 €', '50,00 €', '60,00 €'),
    row('F3', 'Vis;-40;1,25 €', '50,00- €', '-60,00 €'),
  ].join('');
  const { source, mapping, trial } = await draftOf(HEAD + rows);
  expect(source.numbers).toEqual({ decimal: ',', thousands: [' '], 'currency-sign': '€' });
  expect(source.columns).toMatchObject({ 'PU HT': 'number', 'Total HT': 'number', 'Total TTC': 'number' });
  expect(mapping).toContain('agrees with "Total HT" on 3 of 3');
  expect(trial.faults.filter(({ code }) => code === 'map/not-a-number')).toEqual([]);
  expect(trial.good).toBeGreaterThanOrEqual(2);
});

it('have a type of their own where a column carries another sign', async () => {
  const rows = [row('F1', 'Câble;2;10,00 €', '20,00 €', '$ 24,00'), row('F2', 'Vis;1;5,00 €', '5,00 €', '$ 6,00')].join(
    '',
  );
  const { source } = await draftOf(HEAD + rows);
  expect(source.numbers).toMatchObject({ 'currency-sign': '€' });
  expect(source.columns).toMatchObject({ 'Total TTC': { number: { decimal: ',', 'currency-sign': '$' } } });
});

it('are no amounts where a column mixes them', async () => {
  const rows = [row('F1', 'Câble;2;10,00', '20,00 €', '24,00'), row('F2', 'Vis;1;5,00', '5,00 $', '6,00')].join('');
  const { source } = await draftOf(HEAD + rows);
  expect(source.numbers).toEqual({ decimal: ',' });
  expect((source.columns as { [name: string]: string })['Total HT']).toBeUndefined();
});

it.each(['1', '1,', ' 1', '€1', '1€'])('are found in time that is linear to a cell of many %j', (unit) => {
  const cell = unit.repeat(300_000);
  for (const end of ['x', ' x€', '€€', '-x)']) expect(proveNumbers([`${cell}${end}`])).toBeUndefined();
});
