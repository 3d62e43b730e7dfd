/**
 * `npm run messages`: locales/<language>/*.yaml in, what the program loads out: one catalogue per language as JSON, and a
 * module of typed message makers per file. Ends with 1 where a language lacks a message, or has other placeholders.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isArgumentElement, isPluralElement, isSelectElement, parse } from '@formatjs/icu-messageformat-parser';
import { parse as parseYaml } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const LANGUAGES = ['en', 'fr', 'es'] as const;
type Language = (typeof LANGUAGES)[number];
/** Rules are worded by their id, which no module needs to know. */
const RULES = /^rules-/;
/** Files whose texts receipts, folders and the report of a night hold in all three languages (src/i18n/message.ts). */
const RECEIPT_TEXTS = /^(?:states|receipts-texts|report-night)$/;

/** Texts of --help, which a start reads without the catalogue (src/cli/session/command-texts.ts). */
const COMMAND_TEXTS = 'cli-commands';

type Tree = { readonly [key: string]: string | Tree };
/** As YAML may have it. */
type Unchecked = { readonly [key: string]: unknown };
type Element = ReturnType<typeof parse>[number];

export type CompiledMessages = {
  /** Path below the checkout -> text. */
  readonly files: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
};

/** The names of the values of a text, sorted. Throws where it is no ICU message. */
export function placeholdersOf(text: string): readonly string[] {
  const found = new Set<string>();
  const walk = (elements: readonly Element[]) => {
    for (const element of elements) {
      if (isArgumentElement(element) || isPluralElement(element) || isSelectElement(element)) found.add(element.value);
      if (isPluralElement(element) || isSelectElement(element)) {
        for (const { value } of Object.values(element.options)) walk(value);
      }
    }
  };
  walk(parse(text, { ignoreTag: true }));
  return [...found].sort();
}

export function compileMessages(root = ROOT): CompiledMessages {
  const faults: string[] = [];
  const files = new Map<string, string>();
  const names = readdirSync(join(root, 'locales/en'))
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  const trees = (language: Language) =>
    names.map((name) => [basename(name, '.yaml'), readTree(join(root, 'locales', language, name))] as const);
  const english = trees('en');
  const texts = new Map(LANGUAGES.map((language) => [language, flattened(trees(language), faults, language)]));
  for (const [id, text] of texts.get('en')!) {
    for (const language of ['fr', 'es'] as const) compare(id, text, texts.get(language)!.get(id), language, faults);
  }
  for (const language of LANGUAGES) {
    for (const id of texts.get(language)!.keys()) {
      if (!texts.get('en')!.has(id)) faults.push(`${language}: ${id} is not in en`);
    }
    const commands = flattened(
      trees(language).filter(([name]) => name === COMMAND_TEXTS),
      [],
      language,
    );
    const catalogue = [...texts.get(language)!].filter(([id]) => !commands.has(id));
    files.set(`locales/compiled/${language}.json`, jsonOf(catalogue));
    files.set(`locales/compiled/command-texts-${language}.json`, jsonOf([...commands]));
  }
  const receiptTexts = LANGUAGES.map((language) => {
    const own = trees(language).filter(([name]) => RECEIPT_TEXTS.test(name));
    return [language, Object.fromEntries(flattened(own, [], language))];
  });
  files.set(
    'locales/compiled/receipt-texts.json',
    `${JSON.stringify(Object.fromEntries(receiptTexts), undefined, 1)}\n`,
  );
  for (const [name, tree] of english) {
    if (!RULES.test(name) && name !== COMMAND_TEXTS) files.set(modulePath(name), moduleOf(name, tree));
  }
  return { files, faults };
}

/** Sorted by id. */
function jsonOf(texts: readonly (readonly [string, string])[]): string {
  const sorted = Object.fromEntries(texts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(sorted, undefined, 1)}\n`;
}

function readTree(path: string): Tree {
  return (parseYaml(readFileSync(path, 'utf8')) ?? {}) as Tree;
}

function flattened(trees: readonly (readonly [string, Tree])[], faults: string[], language: Language) {
  const texts = new Map<string, string>();
  let isSpaced = false;
  const walk = (tree: Unchecked, path: string) => {
    for (const [key, value] of Object.entries(tree)) {
      const id = path === '' ? key : `${path}.${key}`;
      if (typeof value === 'object' && value !== null) walk(value as Unchecked, id);
      else if (typeof value !== 'string') faults.push(`${language}: ${id} is not a text`);
      else if (texts.has(id)) faults.push(`${language}: ${id} is in two files`);
      else texts.set(id, isSpaced ? withFrenchSpaces(value) : value);
    }
  };
  for (const [name, tree] of trees) {
    // Receipts stay as they are, byte for byte.
    isSpaced = language === 'fr' && !RECEIPT_TEXTS.test(name);
    walk(tree, RULES.test(name) ? 'rule' : '');
  }
  return texts;
}

/** No-break spaces before double punctuation and within guillemets, where the source has plain ones. U+00A0 alone: code pages lack U+202F. */
export function withFrenchSpaces(text: string): string {
  return text.replace(/ (?=[;:!?»](?![\p{L}\p{N}:/]))|(?<=«) /gu, '\u00a0');
}

function compare(id: string, english: string, text: string | undefined, language: Language, faults: string[]): void {
  if (text === undefined) {
    faults.push(`${language}: ${id} is missing`);
    return;
  }
  try {
    const [ours, theirs] = [placeholdersOf(english).join(', '), placeholdersOf(text).join(', ')];
    if (ours !== theirs) faults.push(`${language}: ${id} has the placeholders ${theirs}, English has ${ours}`);
  } catch (error) {
    faults.push(`${language}: ${id} is not an ICU message: ${(error as Error).message}`);
  }
}

/** The words of the console and of the morning report have a room of their own each. */
const ROOM = /^(console|report)-/;

function modulePath(name: string): string {
  const [, room] = ROOM.exec(name) ?? [];
  return `src/i18n/messages/${room === undefined ? '' : `${room}/`}${name}-messages.ts`;
}

function moduleOf(name: string, tree: Tree): string {
  const groups = Object.entries(tree).map(
    ([key, group]) => `export const ${constantName(key)} = ${memberOf(group, key, '')};\n`,
  );
  const head = `/** Generated from locales/<language>/${name}.yaml by \`npm run messages\`: edit those. */\n`;
  const catalog = ROOM.test(name) ? '../../message.ts' : '../message.ts';
  return `${head}import { message } from '${catalog}';\n\n${groups.join('\n')}`;
}

function memberOf(value: string | Tree, id: string, indent: string): string {
  if (typeof value === 'string') {
    const names = placeholdersOf(value).map((one) => `'${one}'`);
    return `message${names.length === 0 ? '' : `<${names.join(' | ')}>`}('${id}')`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([key, one]) => {
    const name = /^[a-z]\w*$/i.test(key) ? key : `'${key}'`;
    return `${inner}${name}: ${memberOf(one, `${id}.${key}`, inner)},\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function constantName(key: string): string {
  return key.replaceAll('-', '_').toUpperCase();
}

if (import.meta.main) {
  const { files, faults } = compileMessages();
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exit(1);
  }
  mkdirSync(join(ROOT, 'locales/compiled'), { recursive: true });
  for (const room of ['console', 'report']) mkdirSync(join(ROOT, 'src/i18n/messages', room), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(ROOT, path), text);
  console.info(`${files.size} files written`);
}
