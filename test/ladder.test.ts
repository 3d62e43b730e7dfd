/** The ladder of imports, the size of files and the shape of the tree: architecture kept by reading the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../src');
const STAGES = ['inbox', 'reading', 'mapping', 'documents', 'ledger', 'delivery', 'receipts', 'infer'];
const TOP = ['pipeline.ts', 'catalogue.ts', 'config.ts', 'instance.ts', 'mappings-in-sight.ts', 'secrets.ts'];

/** Folder (or top-level file) -> what it may import beside itself. Types count. */
const MAY_IMPORT: { readonly [from: string]: readonly string[] } = {
  model: [],
  ...Object.fromEntries(STAGES.map((stage) => [stage, ['model']])),
  line: ['model', ...STAGES, 'catalogue.ts', 'instance.ts'],
  'catalogue.ts': ['model', ...STAGES],
  'config.ts': ['model', ...STAGES, 'catalogue.ts'],
  'secrets.ts': ['model'],
  'instance.ts': ['model', ...STAGES, 'catalogue.ts', 'config.ts', 'secrets.ts'],
  'mappings-in-sight.ts': ['model', ...STAGES, 'instance.ts'],
  'pipeline.ts': ['model', ...STAGES, 'line', 'catalogue.ts', 'instance.ts'],
  tools: ['model', ...STAGES, 'line', 'catalogue.ts', 'config.ts', 'instance.ts'],
  cli: ['model', 'sandbox', 'tools', ...TOP],
  sandbox: ['model', 'documents'],
};

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

function placeOf(name: string): string {
  return name.includes(sep) ? name.split(sep)[0]! : name;
}

function importsOf(name: string): readonly string[] {
  const text = readFileSync(join(root, name), 'utf8');
  const found = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'|^import '(\.[^']+)'/gm);
  return [...found].map((match) => relative(root, resolve(dirname(join(root, name)), match[1] ?? match[2]!)));
}

function forbidden(from: string, imports: readonly string[]): readonly string[] {
  const own = placeOf(from);
  const allowed = MAY_IMPORT[own];
  return imports
    .filter((target) => placeOf(target) !== own && !allowed?.includes(placeOf(target)))
    .map((target) => `${from} may not import ${target}`);
}

test('a stage imports the model and itself only', () => {
  expect(files.flatMap((name) => forbidden(name, importsOf(name)))).toEqual([]);
});

test('the rule sees a stage that knows another stage, and a program that goes past the pipeline', () => {
  expect(forbidden(join('mapping', 'compose.ts'), [join('reading', 'csv.ts')])).toHaveLength(1);
  expect(forbidden(join('sandbox', 'fr.ts'), [join('delivery', 'fr.ts')])).toHaveLength(1);
  expect(forbidden(join('cli', 'run.ts'), [join('ledger', 'sqlite.ts')])).toHaveLength(1);
  expect(forbidden(join('model', 'fault.ts'), ['config.ts'])).toHaveLength(1);
});

test('every folder of the tree has its rule', () => {
  expect([...new Set(files.map(placeOf))].filter((place) => MAY_IMPORT[place] === undefined)).toEqual([]);
});

test('no file is longer than 400 lines', () => {
  const long = files
    .map((name) => ({ name, lines: readFileSync(join(root, name), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

test('every file starts by saying what it is', () => {
  const silent = files.filter((name) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(root, name), 'utf8')));
  expect(silent).toEqual([]);
});

test('no drawers without a label', () => {
  const drawers = /(^|[/\\])(utils?|common|helpers?|types|interfaces|index)(\.ts)?([/\\]|$)/;
  expect(files.filter((name) => drawers.test(name))).toEqual([]);
});

test('stages are silent: no log, no clock, no environment', () => {
  const pure = [...STAGES, 'model'];
  const loud = /\bconsole\.|\bprocess\.(env|stdout|stderr)\b|\bDate\.now\(|new Date\(\)|Math\.random\(/;
  const found = files.filter((name) => pure.includes(placeOf(name)) && loud.test(code(name)));
  expect(found).toEqual([]);
});

function code(name: string): string {
  return readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
