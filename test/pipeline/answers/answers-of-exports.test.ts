/** An answer file with lines of several exports: each line is about its own export, and no export stays open. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../../night.ts';

const block = (name: string, row: string) => `
answers:
  - file: "${name}"
    format: { csv: { delimiter: ";" } }
    row: { ${row} }
`;

test('formulas and names about the export read that of the line', async () => {
  const fields =
    'NUM: $Num, F: = FILE-NAME(), S: = FILE-STEM(), E: = FILE-EXTENSION(), REAL: "@file.name", STEM: "@file.stem"';
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING + block('RET_{n:4}.csv', fields) } });
  scene.drop('ventes1.csv', sales(['F1', 'F2']));
  scene.drop('ventes2.csv', sales(['F3']));
  await scene.night();
  const lines = readFileSync(join(scene.root, 'answers/RET_0001.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
  const about = (stem: string) => `${stem}.csv;${stem};csv;${stem}.csv;${stem}`;
  expect(lines).toEqual([`F1;${about('ventes1')}`, `F2;${about('ventes1')}`, `F3;${about('ventes2')}`]);
});

/** Paths of the files that this process has open. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
}

test.runIf(process.platform === 'linux')('an export that was answered is closed', async () => {
  const mapping = SALES_MAPPING + block('RET_{file.stem}_{n:4}.csv', 'NUM: $Num, SUM: = SUM($Qte)');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const most = { archive: 0 };
  for (let n = 1; n <= 40; n++) scene.drop(`ventes${n}.csv`, sales([`F${n}`]));
  await scene.night({
    onEvent: ({ what }) => {
      if (what !== 'answers-written') return;
      const open = openFiles().filter((path) => path.startsWith(join(scene.root, 'archive')));
      most.archive = Math.max(most.archive, open.length);
    },
  });
  expect(readdirSync(join(scene.root, 'answers')).filter((name) => name.endsWith('.csv'))).toHaveLength(40);
  // Eight exports are answered at a time.
  expect(most.archive).toBeLessThanOrEqual(8);
  expect(openFiles().filter((path) => path.startsWith(scene.root))).toEqual([]);
});
