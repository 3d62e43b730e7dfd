/** `check` finds what a night would meet: answer files of one name from two mappings, and a folder that the settings lack. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInstance } from '../../src/authoring/check-instance.ts';
import { openScene, SALES_MAPPING, type Scene } from '../night.ts';

let scene: Scene;
beforeAll(async () => {
  const settings = { answers: { folders: { erp: 'erp', other: './erp', far: 'far' } } };
  scene = await openScene({ settings, mappings: { 'a.yaml': SALES_MAPPING } });
});
afterAll(() => scene[Symbol.asyncDispose]());

const mapping = (id: string, files: string, name: string, to: string) =>
  `${SALES_MAPPING.replace('mapping: sales', `mapping: ${id}`).replace('ventes*.csv', files)}
answers:
  - file: "${name}"
    to: ${to}
    format: { csv: {} }
    row: { NUM: $Num }
`;
type Given = readonly [files: string, name: string, to: string];

test.each<[string, Given, Given, readonly string[]]>([
  ['one name', ['a*', 'R_{n}.csv', 'erp'], ['b*', 'R_{n:6}.CSV', 'erp'], ['mapping/same-answers']],
  ['two names of one folder', ['a*', 'R_{n}.csv', 'erp'], ['b*', 'R_{n}.csv', 'other'], ['mapping/same-answers']],
  ['two folders', ['a*', 'R_{n}.csv', 'erp'], ['b*', 'R_{n}.csv', 'far'], []],
  ['the mapping in the name', ['a*', 'R_{mapping}_{n}.csv', 'erp'], ['b*', 'R_{mapping}_{n}.csv', 'erp'], []],
  [
    'the mapping written out',
    ['a*', 'R_b_{n}.csv', 'erp'],
    ['b*', 'R_{mapping}_{n}.csv', 'erp'],
    ['mapping/same-answers'],
  ],
  ['exports of other names', ['a*', '{file.stem}_{n}.csv', 'erp'], ['b*', '{file.stem}_{n}.csv', 'erp'], []],
  ['no such folder', ['a*', 'R_{n}.csv', 'eprom'], ['b*', 'S_{n}.csv', 'erp'], ['answers/no-folder']],
])('%s', (_what, first, second, expected) => {
  for (const [id, given] of [['a', first] as const, ['b', second] as const])
    writeFileSync(join(scene.root, 'mappings', `${id}.yaml`), mapping(id, ...given));
  const { findings } = checkInstance(scene.root, {});
  expect(findings.filter(({ level, code }) => level === 'error' && code.startsWith('map'))).toEqual([]);
  expect(findings.map(({ code }) => code).filter((code) => /answers/.test(code))).toEqual(expected);
});
