/** `schema` in a real editor: every column with its example, what is misspelt at its place, nothing where all is well. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeSchemas } from '../../src/authoring/write-schemas.ts';
import { command } from '../program.ts';
import { type Editor, openEditor } from './language-server.ts';

let root: string;
let editor: Editor;
beforeAll(async () => {
  root = join(mkdtempSync(join(tmpdir(), 'nightpost-schema-')), 'instance');
  const { code } = await command(['init', root, '--mappings']);
  expect(code).toBe(0);
  editor = await openEditor();
});
afterAll(async () => {
  await editor[Symbol.asyncDispose]();
  rmSync(resolve(root, '..'), { recursive: true, force: true });
});

const SAGE = 'mappings/sage-invoices.yaml';
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const show = (file: string, text = read(file)) => editor.show(join(root, file), text);

/** What the editor finds, as `line:column text`; the text is the one that is underlined. */
async function found(from: string, to: string): Promise<readonly string[]> {
  expect(read(SAGE)).toContain(from);
  const text = read(SAGE).replace(from, to);
  const diagnostics = await show(SAGE, text);
  return diagnostics.map(({ range, message }) => {
    const line = text.split('\n')[range.start.line]!;
    return `${line.slice(range.start.character, range.end.character)}: ${message}`;
  });
}

/** What the editor offers at the place of `|`. */
async function offered(from: string, to: string) {
  const text = read(SAGE).replace(from, to);
  const at = text.indexOf('|');
  await show(SAGE, text.replace('|', ''));
  const before = text.slice(0, at).split('\n');
  return await editor.completions(join(root, SAGE), { line: before.length - 1, character: before.at(-1)!.length });
}

test('init names the schemas in both ways editors know, in settings and mappings', () => {
  expect(read('nightpost.yaml').split('\n').slice(0, 2)).toEqual([
    '# yaml-language-server: $schema=./.nightpost/settings.schema.json',
    '# $schema: ./.nightpost/settings.schema.json',
  ]);
  expect(read(SAGE).split('\n').slice(0, 2)).toEqual([
    '# yaml-language-server: $schema=../.nightpost/mappings/sage-invoices.schema.json',
    '# $schema: ../.nightpost/mappings/sage-invoices.schema.json',
  ]);
});

test('nothing is found in the settings of a new instance and in the shipped mappings', async () => {
  const files = readdirSync(join(root, 'mappings')).filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of ['nightpost.yaml', ...files.map((name) => `mappings/${name}`)]) {
    expect(await show(file), file).toEqual([]);
  }
});

describe('a misspelled key is underlined', () => {
  test.each([
    ['a field', 'quantity: $Qte', 'quantitty: $Qte', 'quantitty: Property quantitty is not allowed.'],
    ['a key', 'rows: adjacent ', 'row: adjacent ', 'row: Property row is not allowed.'],
    ['an option of the format', 'header-row: 1', 'header-rows: 1', 'header-rows: Property header-rows is not allowed.'],
    ['a column', 'identifier: $NumFac', 'identifier: $NUM_PEICE', '$NUM_PEICE: Value must be "$Societe"'],
    [
      'a key of a ready-made block',
      '{ standard: { no-early-payment-discount:',
      '{ standard: { no-early-payment-discounts:',
      'no-early-payment-discounts: Property no-early-payment-discounts is not allowed.',
    ],
    ['a target', 'target: fr-invoice', 'target: fr-invoyce', 'fr-invoyce: Value is not accepted'],
  ])('%s', async (_, from, to, says) => {
    const all = await found(from, to);
    expect(all[0]).toContain(says);
  });

  test('a setting', async () => {
    const text = read('nightpost.yaml').replace('settle:', 'setle:');
    expect((await show('nightpost.yaml', text)).map(({ message }) => message)).toEqual([
      'Property setle is not allowed.',
    ]);
  });
});

describe('what is offered', () => {
  test('every column of the sample, each with its example, and calculated columns', async () => {
    const all = await offered('identifier: $NumFac', 'identifier: |');
    const header = readFileSync(join(root, 'mappings/samples/sage-invoices.csv'), 'latin1').split(/\r?\n/)[0]!;
    const labels = all.map(({ label }) => label);
    expect(header.split(';').filter((name) => !labels.includes(`$${name}`))).toEqual([]);
    expect(labels).toContain('$net');
    expect(all.find(({ label }) => label === '$NumFac')?.documentation).toBe('such as F2026-00412');
  });

  test('names of columns where the language wants names, fields with their meaning, tables', async () => {
    const types = await offered('    DateFac: date\n', '    |\n');
    expect(types.find(({ label }) => label === 'DateFac')?.documentation).toMatch(/^such as \d\d\/\d\d\/\d{4}$/);
    const fields = await offered('      quantity: $Qte\n', '      |\n');
    expect(fields.map(({ label }) => label)).toEqual(expect.arrayContaining(['quantity', 'discounts', 'when']));
    const tables = await offered(
      '  issuer: { from: Societe, table: companies }',
      '  issuer:\n    from: Societe\n    table: |',
    );
    expect(tables.map(({ label }) => label)).toEqual(['class', 'vat', 'units', 'companies']);
  });

  test('the keys of a ready-made block', async () => {
    const notes = / {2}notes: .*/.exec(read(SAGE))![0];
    const keys = await offered(notes, '  notes:\n    standard:\n      |');
    expect(keys.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['fixed-recovery-fee', 'late-payment-penalty']),
    );
  });
});

const KEYWORDS = [
  ...['$schema', '$ref', 'title', 'description', 'definitions', 'default', 'type', 'enum', 'const', 'format'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties', 'items'],
  ...['minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'anyOf', 'allOf', 'oneOf', 'not'],
];

/** Keywords of a schema that are not of draft-07. */
function* foreign(schema: unknown): Iterable<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEYWORDS.includes(keyword)) yield keyword;
    if (keyword === 'properties' || keyword === 'definitions') {
      for (const inner of Object.values(value as object)) yield* foreign(inner);
    } else if (['anyOf', 'allOf', 'oneOf'].includes(keyword)) for (const inner of value as []) yield* foreign(inner);
    else if (['items', 'additionalProperties', 'propertyNames', 'not'].includes(keyword)) yield* foreign(value);
  }
}

test('only keywords that every editor knows, and no schema is large', async () => {
  for (const { path } of await writeSchemas(root)) {
    const text = readFileSync(path, 'utf8');
    expect([...foreign(JSON.parse(text))], path).toEqual([]);
    expect(text.length, path).toBeLessThan(200_000);
  }
});

test('the command works with a half-written mapping, and lists the comments that no file has yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-schema-'));
  mkdirSync(join(folder, 'mappings'));
  cpSync(join(root, 'mappings/samples'), join(folder, 'samples'), { recursive: true });
  const begun = 'mapping: begun\ntarget: fr-invoice\naccepts: { files: "sage-inv*.csv" }\n';
  writeFileSync(
    join(folder, 'mappings/begun.yaml'),
    `${begun}source: { format: csv, encoding: windows-1252 }\noutput: [`,
  );
  writeFileSync(join(folder, 'mappings/joined.yaml'), 'source: { format: csv, join: {} }\noutput: { document: $X }\n');
  const { code, out, err } = await command(['-C', folder, 'schema', '--out', join(folder, 'out')]);
  expect(code).toBe(0);
  expect(out).toContain('for mappings/begun.yaml, 21 columns of its sample');
  expect(err).toContain('# yaml-language-server: $schema=../out/mappings/begun.schema.json');
  const json = JSON.parse((await command(['-C', folder, '--json', 'schema'])).out) as { file?: string }[];
  expect(json.map(({ file }) => file ?? '')).toContain('mappings/begun.yaml');
  rmSync(folder, { recursive: true, force: true });
});
