/** What `status` remembers of mappings: used only while nothing changed, and never of mappings with errors. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMappings } from '../src/instance/instance.ts';
import { type MappingsCache, readMappingFiles } from '../src/instance/mapping-files.ts';
import { isError } from '../src/model/fault.ts';

const SHIPPED = join(import.meta.dirname, '../mappings');
const CHOSEN = ['sage-invoices.yaml', 'header-and-lines.yaml', 'ubl-invoice.yaml'];

let root: string;
let memory: MappingsCache;
let known: readonly string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nightpost-in-sight-'));
  for (const name of [...CHOSEN, 'blocks', 'tables', 'samples']) {
    cpSync(join(SHIPPED, name), join(root, 'mappings', name), { recursive: true });
  }
  memory = { folder: join(root, 'memory'), build: 'one' };
  mkdirSync(memory.folder);
  known = idsOf(readMappingFiles(root, memory));
  expect(known).toHaveLength(CHOSEN.length);
  markMemory();
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function idsOf({ mappings }: { readonly mappings: readonly { readonly id: string }[] }): readonly string[] {
  return mappings.map(({ id }) => id);
}

function memoryFile(): string {
  const [name] = readdirSync(memory.folder);
  return join(memory.folder, name!);
}

/** From now on an answer out of the memory has another name than one from the mappings. */
function markMemory(): void {
  const kept = JSON.parse(readFileSync(memoryFile(), 'utf8')) as { mappings: { id: string }[] };
  for (const one of kept.mappings) one.id = 'remembered';
  writeFileSync(memoryFile(), JSON.stringify(kept));
}

const isRemembered = (seen: ReturnType<typeof readMappingFiles>) => idsOf(seen).includes('remembered');
const place = (name: string) => join(root, 'mappings', name);
const edit = (name: string, change: (text: string) => string) =>
  writeFileSync(place(name), change(readFileSync(place(name), 'utf8')));

test('while nothing changed it is remembered, in a file of this user alone, with the same names', () => {
  const seen = readMappingFiles(root, memory);
  expect(isRemembered(seen)).toBe(true);
  expect(seen.faults).toEqual([]);
  expect(statSync(memoryFile()).mode & 0o777).toBe(0o600);
  const { mappings } = loadMappings(root);
  for (const [n, { accepts, join: pair, acceptsName }] of mappings.entries()) {
    expect(seen.mappings[n]).toMatchObject({ accepts: { files: accepts.files } });
    expect(seen.mappings[n]!.join?.with).toBe(pair?.with);
    for (const name of [...accepts.files.map((pattern) => pattern.replaceAll('*', 'É1')), 'other.txt']) {
      expect(seen.mappings[n]!.acceptsName(name)).toBe(acceptsName(name));
    }
  }
});

test.each([
  ['a mapping', () => edit('sage-invoices.yaml', (text) => text.replace('target: fr-invoice', 'target: nothing'))],
  ['a table', () => rmSync(place('tables'), { recursive: true })],
  ['a block', () => edit('blocks/en16931-document.yaml', (text) => `${text}\n  - : [`)],
  ['the id of a mapping', () => cpSync(place('sage-invoices.yaml'), place('twice.yaml'))],
  ['another mapping', () => writeFileSync(place('more.yaml'), 'mapping: more\n')],
])('%s that is wrong now is seen at once, and each time', (_, spoil) => {
  spoil();
  for (const _time of [1, 2]) {
    const seen = readMappingFiles(root, memory);
    expect(seen.faults.some(isError)).toBe(true);
    expect(seen.faults).toEqual(loadMappings(root).faults);
    expect(isRemembered(seen)).toBe(false);
  }
});

test('what is corrected, added or gone is seen, and then remembered', () => {
  edit('sage-invoices.yaml', (text) => text.replace(/^mapping: .*/m, 'mapping: renamed'));
  expect(idsOf(readMappingFiles(root, memory))).toContain('renamed');
  cpSync(join(SHIPPED, 'cii.yaml'), place('cii.yaml'));
  expect(readMappingFiles(root, memory).mappings).toHaveLength(CHOSEN.length + 1);
  rmSync(place('cii.yaml'));
  expect(readMappingFiles(root, memory).mappings).toHaveLength(CHOSEN.length);
  markMemory();
  expect(isRemembered(readMappingFiles(root, memory))).toBe(true);
});

test('another build, another instance, a damaged memory or none: the mappings are compiled', () => {
  expect(isRemembered(readMappingFiles(root, { ...memory, build: 'two' }))).toBe(false);
  markMemory();
  expect(isRemembered(readMappingFiles(root, memory))).toBe(false);
  markMemory();
  const other = mkdtempSync(join(tmpdir(), 'nightpost-in-sight-'));
  cpSync(join(root, 'mappings'), join(other, 'mappings'), { recursive: true });
  expect(idsOf(readMappingFiles(other, memory))).toEqual(known);
  rmSync(other, { recursive: true });
  for (const name of readdirSync(memory.folder)) writeFileSync(join(memory.folder, name), '{');
  expect(idsOf(readMappingFiles(root, memory))).toEqual(known);
  expect(idsOf(readMappingFiles(root))).toEqual(known);
  expect(idsOf(readMappingFiles(root, { ...memory, folder: join(root, 'nowhere') }))).toEqual(known);
});
