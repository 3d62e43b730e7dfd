/** Completeness: exports late, few, many, and what control files of the ERP state about them; and how their values are read. */
import { expect, test } from 'vitest';
import { readControlValue } from '../../../src/pipeline/intake/control-values.ts';
import { expectedExports } from '../../../src/pipeline/intake/expected-exports.ts';
import { completenessOf } from '../../../src/views/reporting/completeness.ts';
import { hourJustPassed, openScene, sales } from '../../night.ts';

test.each([
  ['NB;600\nTOTAL;134080,49\n', 'NB', '600'],
  ['NB;600\nTOTAL;134 080,49\n', 'TOTAL', '134080.49'],
  ['"NB";"TOTAL"\r\n"600";"134,080.49"', 'total', '134080.49'],
  ['NB: 600\nTOTAL: 134080.49', 'TOTAL', '134080.49'],
  ['<ctl><fx:NB n="1">600</fx:NB><TOTAL>-12.5</TOTAL></ctl>', 'NB', '600'],
  ['NB,TOTAL\n600,1.50', 'TOTAL', '1.50'],
])('a control file %j has %s = %s', (content, name, value) => {
  expect(readControlValue(content, name)).toEqual({ value });
});

test.each([
  ['NB;600', 'TOTAL', undefined],
  ['NB;600\nNB;601', 'NB', undefined],
  ['NB;six', 'NB', undefined],
  ['TOTAL;1,234', 'TOTAL', undefined],
  ['TOTAL;1,2,3.4.5', 'TOTAL', '.'],
] as const)('%j gives no value for %s', (content, name, decimal) => {
  expect(readControlValue(content, name, decimal)).toHaveProperty('problem');
});

test('a sign that could be either is read as the settings say', () => {
  expect(readControlValue('TOTAL;1,234', 'TOTAL', ',')).toEqual({ value: '1.234' });
  expect(readControlValue('TOTAL;1,234', 'TOTAL', '.')).toEqual({ value: '1234' });
});

test('rows, lateness and control files of the exports that came', async () => {
  const controls = { file: '*.ctl', documents: 'NB', amount: 'TOTAL' };
  const expectation = { name: 'Ventes', files: 'ventes*.csv', by: hourJustPassed(), rows: { min: 5 }, controls };
  await using scene = await openScene({ settings: { expect: [expectation], 'time-zone': 'UTC' } });
  const found = async () => {
    const { work } = await scene.night();
    return await scene.desk(async ({ ledger, instance }) => {
      const expected = await expectedExports({ ledger, instance }, work.clock.now());
      return (await completenessOf({ ledger, instance }, expected))[0];
    });
  };
  scene.drop('ventes-1.csv', sales(['A1', 'A2']));
  expect(await found()).toMatchObject({ state: 'arrived', rows: 4, unusual: 'few', controls: { files: [] } });
  scene.drop('fac.ctl', 'NB;3\nTOTAL;151,20\n');
  expect((await found())?.controls).toEqual({
    files: ['fac.ctl'],
    documents: { stated: 3, read: 2, difference: -1 },
    amount: { stated: '151.20', read: '100.80', difference: '-50.40' },
  });
  expect(scene.files('inbox')).toEqual([]);
  scene.drop('ventes-2.csv', sales(['A3']));
  const whole = await found();
  expect(whole).toMatchObject({ rows: 6, controls: { documents: { difference: 0 }, amount: { difference: '0.00' } } });
  expect(whole).not.toHaveProperty('unusual');
  scene.drop('second.ctl', 'NB;many\n');
  expect((await found())?.controls).toMatchObject({ files: ['fac.ctl', 'second.ctl'], problem: expect.any(String) });
});
