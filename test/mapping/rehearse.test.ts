import { expect, test } from 'vitest';
import type { Mapping } from '../../src/mapping/mapping.ts';
import { type MappingTestResult, runMappingTests } from '../../src/mapping/mapping-tests.ts';
import type { Fault } from '../../src/model/fault.ts';
import { EXAMPLE, HEADER, LIVRET, POULIE, row, THREE_ROWS } from './example.ts';
import { convert, FILES, loaded } from './world.ts';

const samples: { readonly [path: string]: string } = {
  'samples/two-rates.csv': THREE_ROWS,
  'samples/bad-vat.csv': [HEADER, row(), row({ ...POULIE, CodeTVA: 'T19' }), row(LIVRET)].join('\n'),
};

async function differences(mapping: Mapping, files = samples): Promise<readonly (readonly string[])[]> {
  const rehearse = async (given: string): Promise<MappingTestResult | undefined> => {
    const text = files[given];
    if (text === undefined) return undefined;
    const results = convert(mapping, text);
    const documents = results.map((result) => result.json).filter((json) => json !== undefined);
    return { documents, faults: results.flatMap((result) => result.faults) };
  };
  const results = await runMappingTests(mapping, { convert: rehearse, language: 'en' });
  expect(results.map(({ name }) => name)).toEqual(mapping.tests.map(({ name }) => name));
  return results.map((result) => result.differences);
}

test('the tests of the example pass', async () => {
  expect(await differences(loaded(EXAMPLE, FILES))).toEqual([[], []]);
});

test('a changed expectation, a sample that changed, a sample that is gone', async () => {
  const mapping = loaded(EXAMPLE.replace('222.59 }', '222.60 }'), FILES);
  expect(await differences(mapping)).toEqual([['/totals/final-amount: expected 222.6, found 222.59'], []]);
  const good = loaded(EXAMPLE, FILES);
  expect(await differences(good, { ...samples, 'samples/bad-vat.csv': THREE_ROWS })).toEqual([
    [],
    ['expected error map/not-in-table on row 3 in CodeTVA did not occur'],
  ]);
  expect(await differences(good, {})).toEqual([
    ['the sample file samples/two-rates.csv does not exist'],
    ['the sample file samples/bad-vat.csv does not exist'],
  ]);
});

test('an error that no test speaks of is a difference', async () => {
  const [first] = await differences(loaded(EXAMPLE, FILES), {
    ...samples,
    'samples/two-rates.csv': samples['samples/bad-vat.csv']!,
  });
  expect(first).toEqual([
    'document 1 is missing',
    'unexpected error map/not-in-table on row 3 in CodeTVA: "T19" is not in table vat (known: T20, T20S, T55)',
  ]);
});

const rehearsed = async (
  tests: Mapping['tests'][number],
  documents: readonly unknown[],
  faults: readonly Fault[] = [],
) => {
  const options = { convert: async () => ({ documents, faults }), language: 'en' } as const;
  return (await runMappingTests({ id: 'm', tests: [tests] }, options))[0]?.differences;
};

test('counts, lists of documents, lists in documents', async () => {
  const base = { name: 'n', given: 'g' };
  expect(await rehearsed({ ...base, 'expect-documents': 2 }, [{}])).toEqual(['expected 2 documents, found 1']);
  expect(await rehearsed({ ...base, expect: [{ a: 1 }, { a: 2 }] }, [{ a: 1, b: 5 }, { a: 2 }])).toEqual([]);
  expect(await rehearsed({ ...base, expect: [{ a: 1 }] }, [{ a: 1 }, { a: 2 }])).toEqual([
    'expected 1 document, found 2',
  ]);
  expect(await rehearsed({ ...base, expect: { a: [1, 2] } }, [{ a: [1] }])).toEqual(['/a: expected 2 items, found 1']);
  expect(await rehearsed({ ...base, expect: { a: { b: 'x' } } }, [{ a: { b: 'y' } }])).toEqual([
    '/a/b: expected "x", found "y"',
  ]);
  expect(await rehearsed({ ...base, expect: { a: { b: 'x' } } }, [{}])).toEqual([
    '/a: expected a block, found nothing',
  ]);
  const fewer = { ...base, 'expect-documents': 1, expect: [{ a: 1 }, { a: 2 }] };
  expect(await rehearsed(fewer, [{ a: 1 }])).toHaveLength(1);
  expect(await rehearsed({ ...base, 'expect-documents': 0, expect: { a: 1 } }, [])).toHaveLength(1);
  expect(await rehearsed(base, [{}])).toEqual([
    'the test expects nothing: add expect, expect-errors or expect-documents',
  ]);
});

test('a warning may be expected, and is no difference where it is not', async () => {
  const warning: Fault = { code: 'map/check-failed', level: 'warning', message: 'w', origin: { file: 'f', row: 2 } };
  const base = { name: 'n', given: 'g', 'expect-documents': 1 };
  expect(await rehearsed(base, [{}], [warning])).toEqual([]);
  expect(
    await rehearsed({ ...base, 'expect-errors': [{ code: 'map/check-failed', row: 2 }] }, [{}], [warning]),
  ).toEqual([]);
});
