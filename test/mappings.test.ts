/** The shipped mappings: each loads without a word from the linter, its own tests pass, and their names do not meet. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Mapping } from '../src/mapping/mapping.ts';
import { showFault } from '../src/model/fault.ts';
import { runAllMappingTests } from '../src/views/preview/run-mapping-tests.ts';
import { openShipped, REPOSITORY, type Shipped } from './samples/instance.ts';

let shipped: Shipped;
beforeAll(async () => {
  shipped = await openShipped();
});
afterAll(() => shipped[Symbol.asyncDispose]());

/** Namespace and name of the root element that the mapping reads. */
function rootOf({ source }: Mapping): string | undefined {
  const { document, namespaces = {} } = source.options as { document?: string; namespaces?: { default?: string } };
  return document && `${namespaces.default ?? ''} ${document}`;
}

const files = readdirSync(join(REPOSITORY, 'mappings')).filter((name) => name.endsWith('.yaml'));

describe('the shipped mappings', () => {
  it('all load, without a warning', () => {
    expect(shipped.instance.warnings.map(showFault)).toEqual([]);
    expect(shipped.instance.mappings.map(({ file }) => file)).toEqual(files.map((name) => `mappings/${name}`));
  });

  it('word their checks in three languages', () => {
    for (const name of files) {
      const { checks = [] } = parse(readFileSync(join(REPOSITORY, 'mappings', name), 'utf8')) as {
        checks?: { say: object }[];
      };
      for (const { say } of checks) expect(Object.keys(say), name).toEqual(['en', 'fr', 'es']);
    }
  });

  it('are named like their files', () => {
    expect(shipped.instance.mappings.map(({ id }) => `${id}.yaml`)).toEqual(files);
  });

  it('distinguish files by name, those of XML by their root element: no example of one is accepted by another', () => {
    for (const mapping of shipped.instance.mappings) {
      for (const pattern of mapping.accepts.files) {
        const name = pattern.replaceAll('*', '2026');
        const takers = shipped.instance.mappings
          .filter((other) => other.acceptsName(name))
          .filter((other) => other === mapping || rootOf(other) === undefined || rootOf(other) === rootOf(mapping));
        expect(
          takers.map(({ id }) => id),
          name,
        ).toEqual([mapping.id]);
      }
    }
  });

  it('make the same of one document in UBL and in CII', () => {
    const folder = (name: string) => join(REPOSITORY, 'samples', name, 'expect');
    const json = (path: string) => readFileSync(path, 'utf8');
    const names = readdirSync(folder('cii')).filter((name) => name.endsWith('.json'));
    for (const name of names) {
      const twin = name.replace('C', 'U');
      const ubl = twin.startsWith('UA') ? 'ubl-credit-note' : 'ubl-invoice';
      // The numbers differ, so that both can be sent to one service: CB-2026-0090 is UB-2026-0090.
      const text = json(join(folder('cii'), name)).replaceAll(/"C([ABR]-2026-\d{4})"/g, '"U$1"');
      expect(JSON.parse(text), name).toEqual(JSON.parse(json(join(folder(ubl), twin))));
    }
    expect(names).toHaveLength(6);
  });

  it.each(files.map((name) => name.replace('.yaml', '')))('%s passes its own tests', async (id) => {
    const results = await runAllMappingTests(shipped.instance, [id]);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
  });
});
