/** Every line of the main screens fits a terminal of 80 columns, in three languages, over a night in which much goes wrong. */
import { expect, test } from 'vitest';
import { widthOf } from '../../src/cli/layout/layout.ts';
import { inUseFor, openScene, SALES_MAPPING, sales } from '../night.ts';
import { COLUMNS, onTerminal } from './on-terminal.ts';

const WARNS = `${SALES_MAPPING}checks:\n  - { that: = $Qte <> 2, else: warning, say: A sentence that is much longer than a screen because authors write what they like }\n`;

test.each(['en', 'fr', 'es'] as const)('the screens of a night fit 80 columns in %s', async (language) => {
  const rules = { fr: 'wire', sv: 'wire', language };
  const expected = { name: 'encaissements', files: 'ENC_B2C_of_a_long_name_*.csv', by: '00:00' };
  await using scene = await openScene({ settings: { rules, expect: [expected] }, mappings: { 'sales.yaml': WARNS } });
  await inUseFor(scene, 2);
  const long = 'an export with a name that is longer than anyone would like to read.csv';
  scene.drop(`ventes ${long}`, sales(['F1', 'F2-X6', 'F3-X15', 'F4-X4', 'F5-XLOST', 'F6-X11', 'F7-X8']));
  scene.drop('ventes-2.csv', sales(['F8', 'F9']).replaceAll('10,50', '1O,5O'));
  scene.drop('unknown.csv', 'a;b\n1;2\n');
  const wide: string[] = [];
  const see = async (...args: string[]) => {
    const lines = await onTerminal(scene, ...args);
    expect(lines.filter(Boolean), args.join(' ')).not.toEqual([]);
    for (const line of lines) if (widthOf(line) > COLUMNS) wide.push(`${args.join(' ')}: ${line}`);
  };
  await see('run');
  for (const screen of ['status', 'errors', 'warnings', 'runs', 'list', 'doctor']) await see(screen);
  for (const by of ['cause', 'column', 'customer', 'file']) await see('errors', '--group', by);
  for (const number of ['F1', 'F2-X6', 'F5-XLOST', 'F8']) await see('show', number);
  await see('find', 'F');
  await see('find', 'F5-XLOST');
  await see('explain', 'map/not-a-number');
  expect(wide).toEqual([]);
});
