/** `test --update`: what a sample gives now is written into the tests in place; what hides a mistake is refused. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { updateTests, writeUpdates } from '../../src/authoring/update-tests.ts';
import { readInstance } from '../../src/instance/instance.ts';
import { runAllMappingTests } from '../../src/views/preview/run-mapping-tests.ts';
import { SALES_MAPPING, sales } from '../night.ts';
import { command } from '../program.ts';

let root: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'nightpost-update-'));
  expect((await command(['init', root])).code).toBe(0);
  const settings = join(root, 'nightpost.yaml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replace('fr: fr-2026', 'fr: wire'));
  writeFileSync(join(root, 'sample.csv'), sales(['F1']));
  writeFileSync(join(root, 'two.csv'), sales(['F1', 'F2']));
  writeFileSync(join(root, 'bad.csv'), sales(['F1', 'F2']).replace('Client F2;1;2;', 'Client F2;1;x;'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FILE = 'mappings/sales.yaml';
const read = () => readFileSync(join(root, FILE), 'utf8');

function write(tests: string): void {
  writeFileSync(join(root, FILE), `${SALES_MAPPING}${tests}`);
}

/** The tests of the file after the update, and why some stay as they are. */
async function updated(tests: string, options = { errors: false }) {
  write(tests);
  const instance = readInstance(root, {});
  const updates = await updateTests(instance, [], options);
  writeUpdates(instance, updates);
  expect(read().startsWith(SALES_MAPPING)).toBe(true);
  const results = await runAllMappingTests(readInstance(root, {}), []);
  return {
    text: read().slice(SALES_MAPPING.length),
    refused: updates.flatMap((one) => one.refused.map(({ why }) => why)),
    failing: results.filter(({ differences }) => differences.length > 0).length,
  };
}

describe('in place', () => {
  test.each([
    [
      'values, with their quotes, comments and blanks',
      `tests:   # the first
  - name: one   # stays
    given: sample.csv
    expect:
      document: { identifier: 'F0',   date: "2026-01-01" }   # both
      lines: [{ net-amount: 20 }, { quantity: 2 }]  # the second is right
      receiver: { name: Client F0 }
`,
      `tests:   # the first
  - name: one   # stays
    given: sample.csv
    expect:
      document: { identifier: 'F1',   date: "2026-09-05" }   # both
      lines: [{ net-amount: 21 }, { quantity: 2 }]  # the second is right
      receiver: { name: Client F1 }
`,
    ],
    [
      'a list of another length, in the fields that were looked at',
      `tests:
  - name: one
    given: sample.csv
    expect:
      lines:
        - number: "1"
          net-amount: 21
      # behind it
      document: { identifier: F1 }
`,
      `tests:
  - name: one
    given: sample.csv
    expect:
      lines:
        - { number: "1", net-amount: 21 }
        - { number: "2", net-amount: 21 }
      # behind it
      document: { identifier: F1 }
`,
    ],
    [
      'a field that is not made any more',
      'tests: [{ name: one, given: sample.csv, expect: { document: { identifier: F1, language: fr }, notes: [] } }]\n',
      'tests: [{ name: one, given: sample.csv, expect: { document: { identifier: F1 } } }]\n',
    ],
    [
      'more documents, and their number',
      `tests:
  - { name: list, given: two.csv, expect: [{ document: { identifier: F9 } }] }
  - { name: count, given: two.csv, expect-documents: 3 }
`,
      `tests:
  - { name: list, given: two.csv, expect: [{ document: { identifier: F1 } }, { document: { identifier: F2 } }] }
  - { name: count, given: two.csv, expect-documents: 2 }
`,
    ],
  ])('%s', async (_, before, after) => {
    expect(await updated(before)).toEqual({ text: after, refused: [], failing: 0 });
  });

  test('CRLF stays, and a test that passes is not touched', async () => {
    const tests =
      'tests:\r\n  - name: one\r\n    given: two.csv\r\n    expect:\r\n      - document: { identifier: F9 }\r\n';
    const { text, failing } = await updated(tests);
    expect(failing).toBe(0);
    expect(text).toBe(
      'tests:\r\n  - name: one\r\n    given: two.csv\r\n    expect:\r\n      - { document: { identifier: F1 } }\r\n      - { document: { identifier: F2 } }\r\n',
    );
    expect(await updateTests(readInstance(root, {}), [], { errors: false })).toEqual([]);
  });
});

describe('errors', () => {
  const unexpected =
    'tests:\n  - name: one   # here\n    given: bad.csv   # with an x\n    expect: { document: { identifier: F9 } }\n';

  test('a test with errors it does not expect stays as it is', async () => {
    const { text, refused, failing } = await updated(unexpected);
    expect({ text, failing }).toEqual({ text: unexpected, failing: 1 });
    expect(refused[0]).toContain('unexpected error map/not-a-number on row 4 in Qte');
    expect(refused[0]).toContain('--update-errors');
  });

  test('adds the errors to the existing files when they are to be written as well', async () => {
    expect(await updated(unexpected, { errors: true })).toEqual({
      text: unexpected
        .replace('# with an x\n', '# with an x\n    expect-errors: [{ row: 4, column: Qte, code: map/not-a-number }]\n')
        .replace('F9', 'F1'),
      refused: [],
      failing: 0,
    });
    const lists = `tests:
  - { name: flow, given: bad.csv }
  - name: block
    given: bad.csv
    expect-errors:
      - { row: 9, code: map/not-a-date }   # no longer
`;
    expect(await updated(lists.replace('bad.csv }', 'bad.csv, expect-documents: 1 }'), { errors: true })).toEqual({
      text: `tests:
  - { name: flow, given: bad.csv, expect-errors: [{ row: 4, column: Qte, code: map/not-a-number }], expect-documents: 1 }
  - name: block
    given: bad.csv
    expect-errors:
      - { row: 4, column: Qte, code: map/not-a-number }   # no longer
`,
      refused: [],
      failing: 0,
    });
  });
});

test('refused: parts that others may share, a sample that is gone, no document any more', async () => {
  writeFileSync(join(root, 'none.csv'), sales(['F1']).replace('Client F1;1;2;', 'Client F1;1;x;'));
  const tests = `tests:
  - { name: a, given: sample.csv, expect: { document: { identifier: &number F9 } } }
  - { name: b, given: nowhere.csv, expect: { document: { identifier: F1 } } }
  - name: c
    given: none.csv
    expect: { document: { identifier: F1 } }
    expect-errors: [{ code: map/not-a-number }]
`;
  const { text, refused, failing } = await updated(tests);
  expect({ text, failing }).toEqual({ text: tests, failing: 3 });
  expect(refused).toEqual([
    'it uses *aliases or &anchors, which other parts may share',
    'the sample file nowhere.csv does not exist',
    'the sample no longer makes a document',
  ]);
});

test('the command: the difference first, --dry-run writes nothing, then all pass', async () => {
  write('tests:\n  - { name: one, given: sample.csv, expect: { document: { identifier: F9 } } }\n');
  const before = read();
  expect((await command(['-C', root, 'test'])).code).toBe(2);
  const dry = await command(['-C', root, 'test', '--update', '--dry-run']);
  expect(dry.code).toBe(2);
  expect(dry.out).toContain(
    'identifier: F9 } } }\n+   - { name: one, given: sample.csv, expect: { document: { identifier: F1 } } }\n',
  );
  expect(read()).toBe(before);
  const done = await command(['-C', root, '--json', 'test', '--update']);
  expect(done.code).toBe(0);
  expect(JSON.parse(done.out)).toMatchObject({
    results: [{ mapping: 'sales', differences: [] }],
    updates: [{ file: FILE, updated: ['one'], refused: [] }],
  });
  expect(read()).toBe(before.replace('F9', 'F1'));
  expect((await command(['-C', root, 'test', '--dry-run'])).err).toContain('test/dry-run-alone');
});
