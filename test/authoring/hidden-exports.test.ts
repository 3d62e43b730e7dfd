/** `check` compares the patterns of exports with all others that could hide them. */
import { expect, test } from 'vitest';
import { hiddenExports } from '../../src/authoring/hidden-exports.ts';
import type { Settings } from '../../src/instance/settings-shape.ts';
import { openScene, SALES_MAPPING } from '../night.ts';
import { PAIR_MAPPING } from '../pipeline/sources/pair-mapping.ts';

const accepting = (id: string, accepts: string) =>
  SALES_MAPPING.replace('mapping: sales', `mapping: ${id}`).replace('files: "ventes*.csv"', accepts);
const PDFS = accepting('pdfs', 'files: "EFAC_*.pdf"');
const OWN = accepting('own', 'files: "FAC_*", companions: "FAC_*.pdf"');
const carrying = (companions: string) => accepting('carrying', `files: "ventes*.csv", companions: "${companions}"`);
const controls = (file: string) => ({
  expect: [{ name: 'day', files: 'ventes*.csv', by: '00:00', on: 'daily', controls: { file, documents: 'NB' } }],
});

test.each<[string, readonly string[], object, readonly string[]]>([
  ['attachments of another mapping', [PDFS, carrying('*.pdf')], {}, ['error mapping/names-overlap']],
  ['attachments of other names', [PDFS, carrying('FAC_*.pdf')], {}, []],
  ['own attachments', [OWN], {}, []],
  ['lines of a pair', [PAIR_MAPPING, carrying('LIG_1*')], {}, ['error mapping/names-overlap']],
  ['control files', [SALES_MAPPING], controls('*_ctl*.csv'), ['error mapping/names-overlap']],
  ['control files of wider names', [SALES_MAPPING], controls('*.csv'), []],
  ['control files of narrower names', [accepting('all', 'files: "*.csv"')], controls('*_ctl.csv'), []],
  ['a part is ignored', [SALES_MAPPING], { inbox: { ignore: ['*test*'] } }, []],
  ['all are ignored', [SALES_MAPPING], { inbox: { ignore: ['VENTES*'] } }, ['error mapping/never-taken']],
  ['all have the ending of unfinished files', [accepting('all', 'files: "*.tmp"')], {}, ['error mapping/never-taken']],
  ['own attachments of wider names', [accepting('own', 'files: "FAC_*.csv", companions: "*"')], {}, []],
  ['all are markers', [SALES_MAPPING], { inbox: { marker: '.csv' } }, ['error mapping/never-taken']],
  ['markers of other names', [SALES_MAPPING], { inbox: { marker: '.done' } }, []],
])('%s', async (_, mappings, settings, found) => {
  await using scene = await openScene({
    mappings: Object.fromEntries(mappings.map((text, n) => [`m${n}.yaml`, text])),
    settings,
  });
  const instance = scene.instance();
  const findings = hiddenExports(instance.settings as Settings, instance.mappings);
  expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual(found);
});
