/** An option that a command or an act does not read is refused with exit code 2, before anything is read or changed. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { type CommandEntry, isOption, nameOfItem } from '../../src/cli/session/command-entry.ts';
import type { TypedValue } from '../../src/cli/session/command-module.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']).replace(';1;2;', ';1;2O;'));
  await scene.night();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

/** Digest of all bytes below the instance. */
function bytes(): string {
  const hash = createHash('sha256');
  const files = readdirSync(scene.root, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const path of files.map((one) => join(one.parentPath, one.name)).sort()) {
    hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** What the readers of values take. */
const VALUES: { readonly [name: string]: string } = {
  state: 'invalid',
  since: '2026-11-20',
  until: '2026-11-20',
  day: '2026-11-20',
  amount: '1.00',
  'max-age': '26h',
  cell: '2:Qte',
  head: `1:${'a'.repeat(64)}`,
  country: 'fr',
  expect: 'sales=*.csv@02:00',
  keep: '3',
};

const values = new Map(
  await Promise.all(COMMANDS.map(async ({ name, load }) => [name, (await load()).values ?? {}] as const)),
);

/** Words that give an item of `takes`, or its one `value`. */
function wordsOf(command: string, item: string, value?: string): readonly string[] {
  const name = nameOfItem(item);
  const typed: TypedValue = values.get(command)?.[name] ?? {};
  const taken = value ?? typed.choices?.[0] ?? VALUES[name] ?? '3';
  if (!isOption(item)) return [taken];
  return [`--${name}`, ...(/[<[]/.test(item) ? [taken] : [])];
}

/** The required arguments and options, other than those that are given anyway. */
function needed({ name, takes }: Pick<CommandEntry, 'name' | 'takes'>, given: readonly string[]): readonly string[] {
  const isNeeded = (item: string) => item.startsWith('<') || values.get(name)?.[nameOfItem(item)]?.isRequired;
  return takes.filter((item) => isNeeded(item) && !given.includes(item)).flatMap((item) => wordsOf(name, item));
}

async function refused(words: readonly string[], ...named: readonly string[]): Promise<void> {
  const { code, err } = await commandIn(scene, ...words);
  expect([words, code, err]).toEqual([words, 2, expect.stringMatching(/^error: /)]);
  for (const name of named) expect([words, err]).toEqual([words, expect.stringContaining(name)]);
}

const ALL = [...new Set(COMMANDS.flatMap(({ takes }) => takes.filter(isOption)))].map((item) => ({
  item,
  name: nameOfItem(item),
}));

/** Each command, or each of its acts, with the command that has the values. */
const EVERY = COMMANDS.flatMap(({ name, takes, acts }) =>
  acts
    ? acts.map((act) => ({ title: `${name} ${act.name}`, command: name, words: [name, act.name], takes: act.takes }))
    : [{ title: name, command: name, words: [name], takes }],
);

test.each(EVERY)('$title takes no option of another command or act', async ({ command, words, takes }) => {
  const before = bytes();
  const own = new Set(takes.filter(isOption).map(nameOfItem));
  const foreign = ALL.filter(({ name }) => !own.has(name));
  expect(foreign.length).toBeGreaterThan(40);
  for (const { item, name } of foreign) {
    const given = [...words, ...needed({ name: command, takes }, []), ...wordsOf(command, item)];
    await refused(given, `--${name}`);
  }
  expect(bytes()).toBe(before);
});

/** `--format=diff` of a rule to the item of the table and the value. */
function itemOf({ takes }: CommandEntry, part: string): { readonly item: string; readonly value?: string } {
  const [name = '', value] = part.split('=');
  const item = takes.find((one) => nameOfItem(one) === nameOfItem(name));
  return { item: item ?? name, ...(value !== undefined && { value }) };
}

const APART = COMMANDS.flatMap((entry) =>
  (entry.apart ?? []).flatMap((group) =>
    group.flatMap((one, n) =>
      group.slice(n + 1).map((other) => ({ title: `${entry.name} ${one} ${other}`, entry, one, other })),
    ),
  ),
);

test.each(APART)('$title exclude each other', async ({ entry, one, other }) => {
  const before = bytes();
  const parts = [itemOf(entry, one), itemOf(entry, other)];
  const given = parts.flatMap(({ item, value }) => wordsOf(entry.name, item, value));
  const rest = needed(
    entry,
    parts.map(({ item }) => item),
  );
  await refused([entry.name, ...rest, ...given], one.replace('=', ' ').replace(/^<\w+> /, ''));
  expect(bytes()).toBe(before);
});

const NEEDS = COMMANDS.flatMap((entry) =>
  Object.entries(entry.needs ?? {}).map(([one, other]) => ({
    title: `${entry.name} ${one} ${other}`,
    entry,
    one,
    other,
  })),
);

test.each(NEEDS)('$title: the first counts only with the second', async ({ entry, one, other }) => {
  const before = bytes();
  await refused([entry.name, ...needed(entry, []), ...wordsOf(entry.name, itemOf(entry, one).item)], one, other);
  expect(bytes()).toBe(before);
});

test.each([
  [
    ['ledger', 'restore', 'a.sqlite', '--dry-run'],
    '"ledger restore" does not take --dry-run, which belongs to ledger receipts\n',
  ],
  [['ledger', '--dry-run', 'end-quarantine', 'x'], '"ledger end-quarantine" does not take --dry-run'],
  [
    ['people', 'role', 'ann', '--role', 'operator', '--lang', 'es'],
    '"people role" does not take --lang, which belongs to people add\n',
  ],
  [['doctor', '--hold'], '--hold counts only with --accept-ledger'],
  [['report', 'nosuchrun', '--day', '2026-11-24'], '[run] and --day exclude each other'],
  [['report', '--html', '--json'], '--html and --json exclude each other'],
  [['status', '--max-age', '26h'], '--max-age counts only with --check'],
])('%j', async (words, says) => {
  await refused(words, says);
});
