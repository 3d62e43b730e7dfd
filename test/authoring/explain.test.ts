/** `explain`: everything with a name is explained, from the manual and from the code; a misspelt name is suggested. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingRows } from '../../docs/generate.ts';
import { DOCUMENT_KINDS, SERVICES } from '../../src/catalogue.ts';
import { FUNCTIONS } from '../../src/mapping/functions/functions.ts';
import { STATE_BY_CODE } from '../../src/model/answer.ts';
import { STATE_NAMES } from '../../src/model/state.ts';
import { explain } from '../../src/reference/explain-fault.ts';
import { faultCatalogue, findExample, parseFaultPages } from '../../src/reference/fault-catalogue.ts';
import { describedNames } from '../../src/reference/manual-tables.ts';
import { command } from '../program.ts';

const DOCS = join(import.meta.dirname, '../../docs');

test('every fault code of the manual has its stage, level, meaning and remedy, without links and table marks', () => {
  const codes = faultCatalogue();
  expect(codes.length).toBeGreaterThan(200);
  for (const { code, section, level, meaning, remedy } of codes) {
    expect(code).toMatch(/^[a-z][a-z-]*\/[a-z0-9-]+$/);
    expect(section, code).not.toBe('');
    expect(level, code).toMatch(/^(error|warning|no-send|break)/);
    expect(meaning.length, code).toBeGreaterThan(10);
    expect(remedy.length, code).toBeGreaterThan(3);
    expect(meaning + remedy, code).not.toMatch(/\]\(|\\\|/);
  }
});

test('a row of several codes, an escaped mark and links are read', () => {
  const row = '## Part\n| `a/b`, `a/c` | error | x \\| y | see [the page](page.md) and [here](#there) |\n';
  expect(parseFaultPages(row)).toEqual([
    { code: 'a/b', section: 'Part', level: 'error', meaning: 'x | y', remedy: 'see docs/reference/page.md and here' },
    { code: 'a/c', section: 'Part', level: 'error', meaning: 'x | y', remedy: 'see docs/reference/page.md and here' },
  ]);
});

test.each([
  ['map/not-in-table', 'fault', 'map/not-in-table'],
  ['not-in-table', 'fault', 'map/not-in-table'],
  ['FR-TOT-6', 'rule', 'FR-TOT-6'],
  ['sv-emi-2', 'rule', 'SV-EMI-2'],
  ['IN-DOUBT', 'state', 'in-doubt'],
  ['round', 'function', 'ROUND'],
  ['ARRONDI', 'function', 'ROUND'],
  ['inbox.settle', 'setting', 'inbox.settle'],
  ['settle', 'setting', 'inbox.settle'],
  ['totals.final-amount', 'field', 'totals.final-amount'],
  ['services.fr.base-url', 'setting', 'services.fr.base-url'],
])('%s is a %s', (name, kind, found) => {
  expect(explain(name)[0]).toMatchObject({ kind, name: found });
});

test('an example is a line of the manual', () => {
  expect(explain('map/not-in-table')[0]!.examples[0]).toContain('FAC_0905.csv:3:CodeTVA  map/not-in-table');
  expect(findExample('map/no-such-code')).toBeUndefined();
  expect(explain('ROUND')[0]!.examples).toContain('ROUND(2.345, 2) = 2.35');
});

test('all states, functions and fields have a meaning', () => {
  const names = [...STATE_NAMES, ...FUNCTIONS.keys()];
  for (const name of names)
    expect(
      explain(name).every(({ meaning }) => meaning !== ''),
      name,
    ).toBe(true);
  for (const { schema } of DOCUMENT_KINDS) {
    for (const name of Object.keys(schema.properties ?? {})) expect(explain(name).length, name).toBeGreaterThan(0);
  }
});

test('a rule is printed with an example, and without the names of its values', () => {
  const rules = DOCUMENT_KINDS.flatMap(({ rules: pack }) => pack.rules);
  for (const { id } of rules) {
    const [topic] = explain(id);
    expect(`${topic?.meaning} ${topic?.remedy} ${topic?.examples.slice(0, 3)}`, id).not.toMatch(/\{[a-z]+\}/);
    expect(topic?.examples[0], id).toMatch(/^for example: ./);
  }
  expect(explain('FR-TOT-6')[0]?.examples).toContain('not reported next to: FR-TOT-1, FR-TOT-3, FR-TOT-4');
  for (const { code, meaning, remedy } of faultCatalogue())
    expect(meaning + remedy, code).not.toMatch(/\{(?:field|expected|has)\}/);
});

test('a stage lists its codes, an unknown name has a suggestion', () => {
  expect(explain('yaml/').map(({ name }) => name)).toContain('yaml/tab');
  expect(() => explain('map/not-in-tabel')).toThrow('nothing is named');
  expect.soft(suggestionFor('map/not-in-tabel')).toBe('did you mean "map/not-in-table"?');
  expect.soft(suggestionFor('autorized')).toBe('did you mean "authorized"?');
  expect.soft(suggestionFor('ARONDI.INFF')).toContain('nightpost explain');
});

function suggestionFor(name: string): unknown {
  try {
    return explain(name);
  } catch (error) {
    return (error as { hint?: string }).hint;
  }
}

test('the command: a topic, the list by stage, JSON, and an unknown name', async () => {
  const topic = await command(['explain', 'map/not-in-table']);
  expect(topic.code).toBe(0);
  expect(topic.out).toContain('What to do: Correct the cell');
  const list = await command(['explain']);
  expect(list.out).toMatch(/Start: settings, mappings, secrets\n {4}config\/no-instance +There is no/);
  expect(JSON.parse((await command(['--json', 'explain'])).out)).toHaveLength(faultCatalogue().length);
  expect(JSON.parse((await command(['--json', 'explain', 'ROUND'])).out)).toMatchObject([{ name: 'ROUND' }]);
  const unknown = await command(['explain', 'nothing-like-it']);
  expect(unknown).toMatchObject({ code: 2, out: '', err: expect.stringContaining('explain/unknown-name') });
});

test.each(['fr', 'es'] as const)('explain in %s words states, rules and fault codes in this language', (language) => {
  const names = [
    ...STATE_NAMES,
    'FR-TOT-6',
    'SV-EMI-2',
    'fr-invoice/number-too-long',
    'csv/quote-not-closed',
    'yaml/tab',
  ];
  for (const name of names) {
    const [english] = explain(name);
    const [topic] = explain(name, language);
    expect(topic, name).toMatchObject({ kind: english?.kind, name: english?.name });
    expect(topic?.meaning, name).not.toBe(english?.meaning);
    expect(topic?.remedy, name).not.toBe(english?.remedy);
  }
});

test.each(['fr', 'es'] as const)('pages in %s describe every function and setting, and nothing else', (language) => {
  const functions = describedNames('functions', language);
  expect([...functions.keys()]).toEqual([...FUNCTIONS.keys()]);
  for (const [name, { sentence }] of FUNCTIONS) expect(functions.get(name), name).not.toBe(sentence);
  const settings = describedNames('settings', language);
  const shared = (name: string) => name.replace(/^services\.\w+/, 'services.*');
  const described = settingRows().flatMap(([code = '', , , text]) => (text ? [[code.replaceAll('`', ''), text]] : []));
  const used = described.map(([name = '', text]) => {
    const key = settings.has(name) ? name : shared(name);
    expect(settings.get(key), name).toMatch(/\S/);
    expect(settings.get(key), name).not.toBe(text);
    return key;
  });
  expect(new Set(used)).toEqual(new Set(settings.keys()));
});

test.each([
  ['ARRONDI', 'fr', 'Arrondit en s’éloignant de zéro'],
  ['REDONDEAR', 'es', 'Redondea alejándose de cero'],
  ['inbox.settle', 'fr', 'Un fichier est pris'],
  ['services.sv.connection.proxy', 'es', 'Dirección de un proxy'],
] as const)('explain %s in %s begins with %s', (name, language, words) => {
  expect(explain(name, language)[0]?.meaning.slice(0, words.length)).toBe(words);
});

/** Rule codes have their words from the rules in every language. */
const RULE_CODES = /<!-- generated: rule-codes -->[\s\S]*<!-- end of rule-codes -->/;

test.each(['fr', 'es'] as const)('fault pages in %s have the codes and levels of the English ones', (language) => {
  const english = new Map(faultCatalogue().map((entry) => [entry.code, entry]));
  const explained = new Map(faultCatalogue(language).map((entry) => [entry.code, entry]));
  const pages = globSync(`reference/faults-*.${language}.md`, { cwd: DOCS });
  expect(pages).toHaveLength(globSync('reference/faults-*.md', { cwd: DOCS }).length / 3);
  for (const page of pages) {
    const text = readFileSync(join(DOCS, page.replace(`.${language}`, '')), 'utf8');
    for (const { code, meaning } of parseFaultPages(text)) expect(explained.get(code)?.meaning, code).not.toBe(meaning);
    const original = parseFaultPages(text.replace(RULE_CODES, ''));
    const translated = parseFaultPages(readFileSync(join(DOCS, page), 'utf8'));
    expect(
      translated.map(({ code }) => code),
      page,
    ).toEqual(original.map(({ code }) => code));
    for (const { code, level, meaning } of translated) {
      expect(level, code).toBe(english.get(code)?.level);
      expect(meaning, code).not.toBe(english.get(code)?.meaning);
    }
  }
});

test.each(['en', 'fr', 'es'] as const)(
  'every code that decides a state is explained for each service, in %s',
  (language) => {
    for (const { name } of SERVICES) {
      for (const code of [...STATE_BY_CODE.keys(), 18]) {
        const [topic, ...others] = explain(`${name}:${code}`, language);
        expect(others).toEqual([]);
        expect(topic).toMatchObject({ kind: 'answer', name: `${name}:${code}` });
        for (const text of [topic!.meaning, topic!.remedy, topic!.of]) expect(text).toMatch(/\w{3}/);
      }
    }
  },
);
