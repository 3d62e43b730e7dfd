/** The finance night as it is before anyone acts: what each planned cause has become, counted by state. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { widthOf } from '../../src/cli/layout/layout.ts';
import { command } from '../program.ts';
import { HAS_TERMINAL, onTerminal } from '../terminal.ts';
import { readAcceptances } from './checker.ts';
import { CAUSES, type Cause } from './finance-causes.ts';
import { type Finance, openFinanceNight, playTonight, SEED } from './finance-night.ts';
import { FILES, makeFinanceNight } from './finance-plan.ts';

/** The state of the documents of a cause, and the code of its first fault or of the answer. */
const EXPECTED: { readonly [cause in Cause]: readonly [state: string, code: string | number | undefined] } = {
  'short-siren': ['invalid', 'map/damaged-text'],
  'vat-t85': ['invalid', 'map/not-in-table'],
  'short-postal-code': ['invalid', 'map/damaged-text'],
  exponent: ['invalid', 'map/damaged-text'],
  'letter-o': ['invalid', 'map/not-a-number'],
  'plus-sign': ['invalid', 'map/check-failed'],
  'xml-total': ['invalid', 'map/check-failed'],
  'unit-pal': ['invalid', 'map/not-in-table'],
  'unit-bulto': ['invalid', 'map/not-in-table'],
  'dui-without-hyphen': ['invalid', 'sv-remission-note/dui-form'],
  'code-6': ['rejected', 6],
  'code-6-replaced': ['rejected', 6],
  'code-15': ['returned', 15],
  'code-4': ['failed', 4],
  'code-11': ['invalidated', 11],
  'lost-answer': ['in-doubt', undefined],
  'lost-for-good': ['in-doubt', undefined],
};

type Listed = {
  readonly state: string;
  readonly name: string;
  readonly facts: { readonly identifier?: string };
  readonly faults: readonly { readonly code: string; readonly level: string }[];
  readonly attempts: readonly { readonly code?: number }[];
};

const folder = mkdtempSync(join(tmpdir(), 'nightpost-finance-'));
let finance: Finance;

/** A command that only looks, within this process. */
const look = async (...args: string[]) => JSON.parse((await command(['-C', finance.root, ...args, '--json'])).out);

beforeAll(async () => {
  finance = await openFinanceNight(folder);
  // No export of the night is in these formats, and each command would load their mappings, the longest ones.
  for (const name of ['cii.yaml', 'ubl-credit-note.yaml', 'ubl-invoice.yaml']) {
    rmSync(join(finance.root, 'mappings', name));
  }
  await playTonight(finance);
}, 300_000);

afterAll(async () => {
  await finance?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('the finance night has the same bytes for the same seed, and others for another', () => {
  const bytes = (seed: number) => JSON.stringify(makeFinanceNight(seed));
  expect(bytes(SEED)).toBe(bytes(SEED));
  expect(bytes(SEED)).not.toBe(bytes(SEED + 1));
});

test('each document of the finance night that needs a person is in the state of its cause', async () => {
  const { documents, files } = (await look('errors')) as {
    readonly documents: readonly Listed[];
    readonly files: readonly { readonly name: string; readonly state: string }[];
  };
  const found = new Map(documents.map((one) => [one.facts.identifier || one.name, outcomeOf(one)]));
  const expected = Object.entries(finance.plan.numbers).flatMap(([cause, numbers]) =>
    numbers.map((number) => [number, EXPECTED[cause as Cause]] as const),
  );
  expect(found).toEqual(new Map(expected));
  expect(expected).toHaveLength(85);
  for (const [cause, count] of Object.entries(CAUSES)) {
    expect([cause, finance.plan.numbers[cause as Cause].length]).toEqual([cause, count]);
  }
  expect(files.map(({ name, state }) => [name, state])).toEqual([[FILES.refused, 'refused']]);
});

test('the other documents of the finance night are authorized, and none is accepted twice', async () => {
  const { documents, expected, filesRefused } = await look('status');
  expect(documents).toEqual({
    ...{ authorized: 575 + 34, invalid: 71, rejected: 5, returned: 3, failed: 2, 'in-doubt': 3, invalidated: 1 },
  });
  expect(expected.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['factures', 'arrived'],
    ['encaissements', 'missing'],
  ]);
  expect(filesRefused).toBe(1);
  const accepted = readAcceptances(finance.acceptances);
  expect(accepted.filter(({ event }) => event !== 'accepted')).toEqual([]);
  // Those authorized, the lost answers, and the one that the tax entity has invalidated.
  expect(new Set(accepted.map(({ identity }) => identity)).size).toBe(609 + 3 + 1);
  expect(accepted).toHaveLength(609 + 3 + 1);
});

const COLUMNS = 80;
const ROWS = 24;

/** French has the longest words; TORTURE=1 looks at each language, and at each command. */
const LANGUAGES = process.env.TORTURE ? ['en', 'es', 'fr'] : ['fr'];

describe.skipIf(!HAS_TERMINAL).each(LANGUAGES)('on a terminal of 80 columns in %s', (language) => {
  const see = async (...args: string[]) => {
    const path = join(finance.root, 'nightpost.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/language: \w+/, `language: ${language}`));
    return await onTerminal(['-C', finance.root, ...args], [], {}, { columns: COLUMNS, rows: ROWS });
  };

  test('the causes of the night fit the screen and are in words', async () => {
    const { groups } = (await look('errors', '--group', 'cause')) as {
      readonly groups: readonly { readonly key: string; readonly count: number }[];
    };
    const { lines } = await see('errors', '--group', 'cause');
    expect(lines.length).toBeLessThan(ROWS);
    const [heading, ...rest] = lines;
    expect(heading).toMatch(/^ *\p{Lu}+ {2}\p{Lu}.*\p{Lu}$/u);
    const shown = rest.slice(0, groups.length);
    expect(shown.map((line) => Number(/^ *(\d+) {2}\S/.exec(line)?.[1]))).toEqual(groups.map(({ count }) => count));
    // Words, not keys: those are in the command of the first group, with --full and with --json.
    expect(shown.filter((line) => groups.some(({ key }) => line.includes(key)))).toEqual([]);
    expect(shown[0]).toMatch(/SIREN ["«]\s?99920041\s?["»] .+ 8 .*9 .* EUR$/);
    expect(rest.join(' ').replace(/\s+/g, ' ')).toContain(`nightpost fix --cause ${groups[0]!.key} SIREN=`);
    const whole = (await see('errors', '--group', 'cause', '--full')).lines.join('\n');
    for (const { key } of groups) expect(whole).toContain(key);
  });

  const COMMANDS = [
    ...['status', 'show F2026-30176'],
    ...(process.env.TORTURE ? ['errors', 'runs', 'list', 'find Lagon', 'errors --group customer'] : []),
    ...(process.env.TORTURE ? ['reprocess --cause map/not-in-table --dry-run'] : []),
  ];

  test.each(COMMANDS)('nightpost %s has no wider line', async (words) => {
    const { lines } = await see(...words.split(' '));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => widthOf(line) > COLUMNS)).toEqual([]);
  });
});

function outcomeOf({ state, faults, attempts }: Listed): readonly [string, string | number | undefined] {
  return [state, faults.find(({ level }) => level === 'error')?.code ?? attempts.at(-1)?.code];
}
