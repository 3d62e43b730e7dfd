/** The manual held against the code: every code, state, setting, command and option is in it, and its examples are true. */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PAGES, regenerate, settingRows } from '../docs/generate.ts';
import { DOCUMENT_KINDS, READERS } from '../src/catalogue.ts';
import { createProgram } from '../src/cli/command-line.ts';
import { EXIT_CODES } from '../src/cli/session/exit-codes.ts';
import { MIGRATIONS } from '../src/database/migrations.ts';
import { makeFolders, mappingWorld, readInstance } from '../src/instance/instance.ts';
import { loadMapping } from '../src/mapping/mapping.ts';
import type { Schema } from '../src/model/document.ts';
import { STATE_NAMES } from '../src/model/state.ts';
import { createLedgerOf } from '../src/runs/open-run.ts';
import { DIGITS, NUMBER_TRIGGERS } from '../src/sandbox/number-triggers.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/sandbox-server.ts';
import { readScript } from '../src/sandbox/scenario-schema.ts';
import { readYaml } from '../src/yaml/yaml-document.ts';

const root = resolve(import.meta.dirname, '..');
const docs = join(root, 'docs');
const read = (name: string) => readFileSync(join(docs, name), 'utf8');
const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md'))
  .sort();
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(root, 'src', name), 'utf8') }));
const manual = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...pages.map((name) => `docs/${name}`),
].map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

// ---- fault codes ----

/** Words before the slash that stand in a fault or an error somewhere; `receipts` makes its codes from a table. */
const STAGES = new Set([
  'system',
  'receipts',
  'xlsx',
  ...sources.flatMap(({ text }) =>
    [...text.matchAll(/(?:\bcode: (?:[^'\n]*\? )?|OperatorError\(\s*)'([a-z-]+)\//g)].map((match) => match[1]!),
  ),
]);
const MEDIA_TYPES = /^text\/(?:plain|html|xml|csv|event-stream)$/;

function emittedCodes(): ReadonlySet<string> {
  const found = sources.flatMap(({ text }) =>
    [...text.replaceAll(/^(?:import|export) .*from '.*$/gm, '').matchAll(/'([a-z][a-z-]*\/[a-z][a-z0-9-]*)'/g)]
      .map((match) => match[1]!)
      .filter((code) => STAGES.has(code.split('/')[0]!) && !MEDIA_TYPES.test(code)),
  );
  const words = sources
    .filter(({ name }) => name.startsWith('inbox/'))
    .flatMap(({ text }) => [...text.matchAll(/(?:\binboxFault\(\s*|\bwords: )'([a-z-]+)'/g)].map((match) => match[1]!));
  const shapes = sources.flatMap(({ text }) => [...text.matchAll(/\bcheckShape\([^;]*?'(\w+)'\)/g)].map((m) => m[1]!));
  return new Set([
    ...found,
    ...words.map((word) => `inbox/${word}`),
    ...shapes.flatMap((stage) => wordsOfStage().map((word) => `${stage}/${word}`)),
    ...DOCUMENT_KINDS.flatMap(codesOfKind),
  ]);
}

function wordsOfStage(): readonly string[] {
  const yaml = sources.find(({ name }) => name === 'yaml/yaml-document.ts')!.text;
  return [...new Set([...yaml.matchAll(/\$\{stage\}\/([a-z-]+)/g)].map((match) => match[1]!))];
}

/** Codes that are put together from the name of a kind. */
function codesOfKind(kind: (typeof DOCUMENT_KINDS)[number]): readonly string[] {
  const built = sources
    .filter(({ name }) => name.startsWith('documents/'))
    .flatMap(({ text }) =>
      [...text.matchAll(/\$\{kind(?:\.name)?\}\/([a-z]+(?:-[a-z]+)*)`/g)].map((match) => match[1]!),
    )
    .filter((word) => (word === 'file-not-accepted' ? !kind.acceptsFile : word !== 'missing' || kind.acceptsFile));
  const gaps = kind.identityGaps({ payload: {} } as never).map(({ part }) => `no-${part}`);
  const file = kind.acceptsFile ? ['not-base64'] : [];
  const leaves = [...wordsIn(kind.shape.safeParse(wrong(kind.schema)).error)];
  const always = ['not-a-list', 'not-an-object', 'unusable-text'];
  const words = new Set([...built, ...gaps, ...file, ...leaves, ...always]);
  return [...[...words].map((word) => `${kind.name}/${word}`), ...kind.rules.rules.map((rule) => rule.code)];
}

/** A body in which no leaf is what its field takes. */
function wrong(schema: Schema): unknown {
  if (schema.anyOf) return null;
  if (schema.type === 'array') {
    const items = schema.items ?? {};
    const inner = items.anyOf?.find(({ type }) => type === 'object');
    return [wrong(items), ...(inner ? [wrong(inner)] : [])];
  }
  if (!schema.properties) return schema.type === 'object' ? { any: null } : null;
  return Object.fromEntries(Object.entries(schema.properties).map(([key, field]) => [key, wrong(field)]));
}

function* wordsIn(error: unknown): Iterable<string> {
  for (const issue of (error as { issues?: readonly Issue[] } | undefined)?.issues ?? []) yield* wordsOf(issue);
}

type Issue = { readonly code: string; readonly message: string; readonly errors?: readonly (readonly Issue[])[] };

function* wordsOf({ code, message, errors }: Issue): Iterable<string> {
  if (code === 'invalid_union') {
    yield 'not-text-or-object';
    for (const issue of errors?.flat() ?? []) yield* wordsOf(issue);
  } else if (/^not-[a-z-]+$/.test(message)) yield message;
}

const FAULT_PAGES = pages.filter((name) => /^reference\/faults-\w+\.md$/.test(name));

function documentedCodes(): readonly string[] {
  const rows = FAULT_PAGES.map(read)
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
}

test('docs/reference/faults-*.md have every fault code that the program can report, and no other', () => {
  const [emitted, documented] = [emittedCodes(), documentedCodes()];
  expect([...emitted].filter((code) => !documented.includes(code)).sort(), 'not documented').toEqual([]);
  expect(documented.filter((code) => !emitted.has(code)).sort(), 'documented, but never given').toEqual([]);
  expect(new Set(documented).size, 'documented twice').toBe(documented.length);
});

test('the search for codes finds those that are written in unlike ways', () => {
  const emitted = emittedCodes();
  const written = ['csv/quote-not-closed', 'inbox/disk-full', 'inbox/hard-link', 'config/unknown-key', 'map/missing'];
  const built = ['fr-report/period-order', 'fr-invoice/no-issuer', 'sv-remission-note/not-json'];
  expect([...written, ...built].filter((code) => !emitted.has(code))).toEqual([]);
  expect(emitted.has('sv-remission-note/missing')).toBe(false);
});

// ---- tables of the code ----

test('every input format has the table of its options', () => {
  expect(READERS.filter(({ format }) => PAGES[`source-${format}`] === undefined).map(({ format }) => format)).toEqual(
    [],
  );
});

test.each([...new Set(Object.values(PAGES))])('the generated parts of docs/%s are up to date', (page) => {
  expect(regenerate(page, read(page)) === read(page), 'run: node docs/generate.ts').toBe(true);
});

test('every state, exit code and mark has its row', () => {
  const [states, exits, sandbox] = ['states', 'exit-codes', 'sandbox'].map((page) => read(`reference/${page}.md`)) as [
    string,
    string,
    string,
  ];
  expect(STATE_NAMES.filter((state) => !states.includes(`| \`${state}\` |`))).toEqual([]);
  const advice = exits.slice(exits.indexOf('What should the scheduler do'));
  expect(EXIT_CODES.filter((code) => !new RegExp(`\\| (\\d+, )?${code}(, \\d+)? \\|`).test(advice))).toEqual([]);
  expect(Object.keys(NUMBER_TRIGGERS).filter((mark) => !sandbox.includes(`| \`-X${mark}\` |`))).toEqual([]);
  const digits = [...DIGITS].filter(([two, mark]) => !sandbox.includes(`| \`-X${mark}\` | ${two} |`));
  expect(digits).toEqual([]);
});

test('every setting, command and option is in the manual', async () => {
  const settings = read('reference/settings.md');
  expect(settingRows().length).toBeGreaterThan(60);
  expect(settingRows().filter(([path]) => !settings.includes(`| ${path} |`))).toEqual([]);
  const commands = read('reference/commands.md');
  const program = await createProgram();
  const missing = program.commands.flatMap((command) => [
    ...(commands.includes(`## ${command.name()}\n`) ? [] : [command.name()]),
    ...command.options.map(({ flags }) => flags).filter((flags) => !commands.includes(`\`${flags}\``)),
  ]);
  expect(missing).toEqual([]);
});

test('every environment variable the program reads is in docs/reference/settings.md', () => {
  const names = sources.flatMap(({ text }) => [
    ...[...text.matchAll(/(?:process\.env|variables\??)\.([A-Z][A-Z0-9_]+)/g)].map((match) => match[1]!),
    ...[...text.matchAll(/'(NIGHTPOST_[A-Z_]*[A-Z])'/g)].map((match) => match[1]!),
  ]);
  expect(new Set(names).size).toBeGreaterThan(3);
  expect([...new Set(names)].filter((name) => !read('reference/settings.md').includes(`\`${name}\``))).toEqual([]);
});

test('the manual names no command and no option that does not exist', async () => {
  const program = await createProgram();
  const names = program.commands.flatMap((command) =>
    [command.name(), ...command.aliases()].map((name) => ({ name, command })),
  );
  const known = new Map(names.map(({ name, command }) => [name, command.options]));
  const wrong = manual.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:`|\$ |-- )nightpost ((?:-C \S+ |--json |--quiet )*)([a-z][a-z-]*)([^`\n]*)/g)].flatMap(
      (match) => {
        const [whole, , command, rest] = match;
        if (!known.has(command!)) return [`${name}: ${whole}`];
        const flags = [...rest!.matchAll(/ (--[a-z-]+)/g)].map((flag) => flag[1]!);
        const own = [...known.get(command!)!, ...program.options].map(({ long }) => long);
        return flags.filter((flag) => !own.includes(flag)).map((flag) => `${name}: ${command} ${flag}`);
      },
    ),
  );
  expect(wrong).toEqual([]);
});

// ---- text ----

test('links lead to files and headings that are there', () => {
  const dead = manual.flatMap(({ name, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1]!)
      .filter((link) => !/^https?:/.test(link) && !leads(name, link))
      .map((link) => `${name}: ${link}`),
  );
  expect(dead).toEqual([]);
});

function leads(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? join(root, from) : resolve(root, dirname(from), path);
  if (!existsSync(target)) return false;
  if (heading === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1]!));
  return headings.includes(heading);
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const PATH = /(?<![\w/.<-])(?:src|test|docs|locales|mappings|samples|build|bench|deploy)(?:\/[\w.<>-]+)+\/?/g;

/** Paths that a text names and the checkout lacks; `<format>` stands for any name, of which one has to exist. */
function absentPaths(text: string): readonly string[] {
  const names = [...text.matchAll(PATH)].map(([path]) => path.replace(/[./]$/, ''));
  return [...new Set(names)].filter((path) => globSync(path.replaceAll(/<\w+>/g, '*'), { cwd: root }).length === 0);
}

test('every path that CONTRIBUTING names exists', () => {
  const contributing = manual.find(({ name }) => name === 'CONTRIBUTING.md')!.text;
  expect([...contributing.matchAll(PATH)].length).toBeGreaterThan(50);
  expect(absentPaths(contributing)).toEqual([]);
  expect(absentPaths('`src/reading/<format>.ts`, [a](src/readers/reader.ts), src/<stage>/reader.ts')).toEqual([
    'src/reading/<format>.ts',
  ]);
});

test('every source that a page names exists', () => {
  const sourcesOf = (text: string) => absentPaths(text).filter((path) => /^src\/|\.ts$/.test(path));
  expect(manual.flatMap(({ name, text }) => sourcesOf(text).map((path) => `${name}: ${path}`))).toEqual([]);
  expect(sourcesOf('`src/inbox/claim-nothing.ts`, `samples/yours.csv`')).toEqual(['src/inbox/claim-nothing.ts']);
});

test('the README is short, and the manual keeps to itself', () => {
  const readme = manual.find(({ name }) => name === 'README.md')!.text;
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(150);
  const foreign = manual.filter(({ text }) => /\/(?:tmp|work|root|home)\//.test(text) || text.includes('\t'));
  expect(foreign.map(({ name }) => name)).toEqual([]);
});

// ---- examples ----

const BLOCK = /^```(\S+) ?([^\n]*)\n([\s\S]*?)^```$/gm;
const blocks = (page: string) =>
  [...read(page).matchAll(BLOCK)].map(([, language = '', info = '', text = ''], n) => ({ language, info, text, n }));

test('every mapping of the manual loads without a finding', () => {
  const mappings = pages
    .flatMap(blocks)
    .filter(({ language, info }) => language === 'yaml' && info.startsWith('mapping'));
  expect(mappings.length).toBeGreaterThan(2);
  const findings = mappings.flatMap(({ text, info }) => loadMapping(text, info, mappingWorld(docs)).faults);
  expect(findings).toEqual([]);
});

test('docs/reference/ledger.md has every table and column, and its queries run', () => {
  const page = read('reference/ledger.md');
  using db = new DatabaseSync(':memory:');
  for (const statement of MIGRATIONS.flat()) db.exec(statement);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const missing = tables.flatMap(({ name }) => {
    const told = page.slice(page.indexOf(`**${name}**`)).split('\n\n')[0]!;
    const columns = db.prepare(`SELECT name FROM pragma_table_info('${name}')`).all();
    return columns.filter((column) => !told.includes(`\`${column.name}\``)).map((column) => `${name}.${column.name}`);
  });
  expect(missing).toEqual([]);
  const queries = blocks('reference/ledger.md')
    .filter(({ language }) => language === 'sql')
    .flatMap(({ text }) => text.split(';').filter((query) => query.trim() !== ''));
  expect(queries.length).toBeGreaterThan(5);
  for (const query of queries) expect(() => db.prepare(query).all(), query).not.toThrow();
});

test('the mapping and the demo of the README are those of the program', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const mapping = /^ {3}```yaml\n([\s\S]*?)^ {3}```$/m.exec(readme)![1]!.replace(/^ {3}/gm, '');
  expect(loadMapping(mapping, 'README.md', mappingWorld(docs)).faults).toEqual([]);
  const [picture] = /docs\/images\/\S+\.svg/.exec(readme)!;
  const shown = readFileSync(join(root, picture), 'utf8').match(/\b[A-Z][\w-]+\.(?:csv|xml|txt)\b/g);
  expect([...new Set(shown)].sort()).toEqual(readdirSync(join(root, 'inbox.example')).sort());
});

test('every YAML example of the manual can be read', () => {
  const examples = pages.flatMap((page) => blocks(page).filter(({ language }) => language === 'yaml'));
  expect(examples.length).toBeGreaterThan(8);
  const faults = examples.flatMap(({ text }) => {
    const found = readYaml(text, 'example');
    return 'faults' in found ? found.faults : [];
  });
  expect(faults).toEqual([]);
});

test('the script of the sandbox manual is one', () => {
  const scripts = blocks('reference/sandbox.md').filter(({ info }) => info === 'sandbox script');
  expect(scripts.map(({ text }) => readScript(text).length)).toEqual([3]);
});

// Pages with commands to run are played: their files are written, their commands run, and print what the page shows.

// Those of an installation (`run installed`) are played in test/package.test.ts, where the package is.

const PLAYED = pages.filter((page) => blocks(page).some(({ info }) => /^run(?! installed)\b/.test(info)));
const TUTORIAL = 'tutorials/first-mapping.md';
const LONGEST = ['cii.yaml', 'ubl-credit-note.yaml', 'ubl-invoice.yaml'];

let sandbox: Sandbox;
let instance: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  instance = mkdtempSync(join(tmpdir(), 'nightpost-docs-'));
});

afterAll(async () => {
  await sandbox.close();
  for (const folder of [instance, `${instance}-mappings`]) rmSync(folder, { recursive: true, force: true });
});

/** An instance for the page: the how-to pages use copies of one with the shipped mappings, the tutorial writes its own. */
async function makeInstance(page: string): Promise<void> {
  rmSync(instance, { recursive: true, force: true });
  if (page === TUTORIAL) await initialize(instance);
  else {
    const folder = `${instance}-mappings`;
    if (!existsSync(folder)) {
      await initialize(folder, '--mappings');
      // No page uses the longest ones, which take half the time to load.
      for (const name of LONGEST) rmSync(join(folder, 'mappings', name));
    }
    cpSync(folder, instance, { recursive: true });
  }
  if (page === TUTORIAL) {
    expect(await play('-C', instance, 'init', '--ledger')).toMatchObject({ exit: 0 });
    return;
  }
  // The command writes the schemas as well, which the copy has.
  const made = readInstance(instance, {});
  makeFolders(made.paths);
  await createLedgerOf(made);
}

async function initialize(folder: string, ...options: readonly string[]): Promise<void> {
  await play('init', folder, '--sandbox', ...options);
  const settings = join(folder, 'nightpost.yaml');
  const ports = readFileSync(settings, 'utf8')
    .replaceAll(/http:\/\/127\.0\.0\.1:7501/g, new URL(sandbox.fr.url).origin)
    .replaceAll(/http:\/\/127\.0\.0\.1:7502/g, new URL(sandbox.sv.issueUrl).origin);
  writeFileSync(settings, ports);
  rmSync(join(folder, 'state'), { recursive: true });
}

test('the tutorial and the how-to pages have commands to run', () => {
  expect(PLAYED).toContain(TUTORIAL);
  expect(PLAYED.length).toBeGreaterThan(8);
  expect(stepsOf(read(TUTORIAL)).filter((step) => 'command' in step).length).toBeGreaterThan(6);
});

test.each(PLAYED)('the page docs/%s runs as it is written', async (page) => {
  await makeInstance(page);
  for (const step of stepsOf(read(page))) {
    if ('file' in step) {
      mkdirSync(dirname(join(instance, step.file)), { recursive: true });
      writeFileSync(join(instance, step.file), step.text);
    } else if ('change' in step) {
      const path = join(instance, step.change);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(step.from);
      writeFileSync(path, text.replace(step.from, step.to));
    } else {
      const { output, exit } = await play('-C', instance, ...step.command.map(placed));
      expect(`${exit}\n${plain(output)}`, step.command.join(' ')).toMatch(
        matching(`${step.exit}\n${plain(step.says)}`),
      );
    }
  }
});

type Step =
  | { readonly file: string; readonly text: string }
  | { readonly change: string; readonly from: string; readonly to: string }
  | { readonly command: readonly string[]; readonly says: string; readonly exit: number };

function stepsOf(page: string): readonly Step[] {
  const parts = /^<!-- change (\S+): (\S+) becomes (\S+) -->$|^```(\S+) ?([^\n]*)\n([\s\S]*?)^```$/gm;
  return [...page.matchAll(parts)].flatMap(([, change, from, to, language, info = '', text = '']): Step[] => {
    if (change !== undefined) return [{ change, from: from!, to: to! }];
    const file = /^(?:mapping )?(\S+\/\S+)$/.exec(info)?.[1];
    if (file !== undefined) return [{ file, text }];
    if (language !== 'console' || !info.startsWith('run')) return [];
    const [first = '', ...rest] = text.split('\n');
    const exit = Number(/exit=(\d+)/.exec(info)?.[1] ?? 0);
    return [{ command: first.replace(/^\$ nightpost /, '').split(' '), says: rest.join('\n'), exit }];
  });
}

/** Paths count from the instance folder, as for a person who works in it. */
function placed(word: string): string {
  return existsSync(join(instance, word)) && word.includes('/') ? join(instance, word) : word;
}

async function play(...words: readonly string[]): Promise<{ readonly output: string; readonly exit: number }> {
  let output = '';
  const write = (text: string | Uint8Array) => {
    output += String(text);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(write));
  const before = process.exitCode;
  process.exitCode = 0;
  try {
    await (await createProgram(words)).parseAsync(['node', 'nightpost', ...words]);
    return { output, exit: Number(process.exitCode) };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Without what differs from run to run: colours, names of runs, durations. */
function plain(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/\d{8}-\d{4}-[0-9a-f]{4}/g, 'RUN')
    .replaceAll(/(RUN +)\d+\u00a0s/g, '$11\u00a0s')
    .trim();
}

/** A line of three dots stands for any lines. */
function matching(text: string): RegExp {
  const pieces = text.split(/\n?^\.\.\.$\n?/m).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('[\\s\\S]*')}\\s*$`);
}
