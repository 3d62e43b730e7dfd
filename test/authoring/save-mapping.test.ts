import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveMapping, textHash } from '../../src/authoring/save-mapping.ts';
import { findSample } from '../../src/authoring/studio-samples.ts';
import { OperatorError } from '../../src/model/fault.ts';
import { openScene, SALES_MAPPING } from '../night.ts';

/** Saves another output under the version as it is written here: the version in the file then, or why it is not saved. */
async function versionAfter(written: string): Promise<string | undefined> {
  const text = SALES_MAPPING.replace('version: 1', written);
  await using scene = await openScene({ mappings: { 'sales.yaml': text } });
  const file = 'mappings/sales.yaml';
  writeFileSync(join(scene.root, file), text);
  const changed = text.replace('name: $Client', 'name: = UPPER($Client)');
  try {
    const saved = await saveMapping(scene.instance(), { file, text: changed, base: textHash(text), used: ['1'] });
    const [mapping] = scene.instance().mappings;
    expect(saved.version).toBe(mapping?.version);
    return mapping?.version;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    expect(scene.read(file)).toBe(text);
    return error.code;
  }
}

test.each([
  ['version: 1', '2'],
  ['"version": 1', '2'],
  ["version : '1'", '2'],
  ['? version\n: 1', 'mapping/invalid'],
  ['version:\n  1', 'mapping/invalid'],
])('another text under %j is a new version, or is not saved', async (written, version) => {
  expect(await versionAfter(written)).toBe(version);
});

test.each(['0123456789abcdef-a\0b', '0123456789abcdef-../a', '0123456789abcdef-a\\b', '', 'x'])(
  'no sample is looked for under %j',
  (key) => {
    expect(findSample('/nowhere', key)).toBeUndefined();
  },
);
