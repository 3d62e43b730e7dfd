/** `infer` as a consultant meets it: the draft on standard output, what is open beside it, nothing ever overwritten. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { command } from '../program.ts';

const SAMPLE = join(import.meta.dirname, '../infer/samples/invoices-en-us.csv');
const folder = mkdtempSync(join(tmpdir(), 'np-infer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const infer = (...args: string[]) => command(['-C', folder, 'infer', SAMPLE, '--target', 'fr-invoice', ...args]);

it('prints the draft, and what it could not decide where people look', async () => {
  const { code, out, err } = await infer();
  expect(code).toBe(0);
  expect(out).toContain('target: fr-invoice');
  expect(err).toContain('1. Issuer:');
  expect(err).toContain('5 of 5 documents are complete once every FILL IN is filled in');
  expect(readdirSync(folder)).toEqual([]);
});

it('writes the draft with its first test, once, and gives the evidence as data', async () => {
  const { code, out } = await infer('--out', 'mappings/us.yaml', '--json');
  expect(code).toBe(0);
  const data = JSON.parse(out) as { readonly evidence: readonly object[]; readonly trial: object };
  expect(data.evidence.length).toBeGreaterThan(5);
  expect(data.trial).toMatchObject({ documents: 5, good: 5 });
  const mapping = readFileSync(join(folder, 'mappings/us.yaml'), 'utf8');
  expect(mapping).toContain('given: "mappings/samples/us.csv"');
  expect(readFileSync(join(folder, 'mappings/samples/us.csv'), 'utf8').split('\n')).toHaveLength(7);

  const again = await infer('--out', 'mappings/us.yaml');
  expect([again.code, again.err]).toEqual([2, expect.stringContaining('infer/exists')]);
  expect(readFileSync(join(folder, 'mappings/us.yaml'), 'utf8')).toBe(mapping);
});

it('finds the sample in the instance folder, where --out writes, when the current folder has none', async () => {
  const instance = mkdtempSync(join(folder, 'own-'));
  mkdirSync(join(instance, 'exports'));
  writeFileSync(join(instance, 'exports/ventes.csv'), readFileSync(SAMPLE));
  const args = ['-C', instance, 'infer', 'exports/ventes.csv', '--target', 'fr-invoice', '--out', 'mappings/v.yaml'];
  const { code } = await command(args);
  expect(code).toBe(0);
  expect(readdirSync(join(instance, 'mappings'))).toContain('v.yaml');
  const none = await command(['-C', instance, 'infer', 'exports/none.csv', '--target', 'fr-invoice']);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('infer/no-such-file')]);
});

it('says what it needs', async () => {
  const { code, err } = await command(['infer', join(folder, 'none.csv'), '--target', 'fr-invoice']);
  expect([code, err]).toEqual([2, expect.stringContaining('infer/no-such-file')]);
  const aimless = await command(['-C', folder, 'infer', SAMPLE]);
  expect([aimless.code, aimless.err]).toEqual([2, expect.stringContaining('--target fr-invoice, --target fr-report')]);
  expect(aimless.err).toContain('infer/no-target');
  const outside = await infer('--out', '../elsewhere.yaml');
  expect([outside.code, outside.err]).toEqual([2, expect.stringContaining('infer/outside')]);
  const fixed = join(folder, 'host.txt');
  const lines = Array.from({ length: 12 }, (_, n) => `H${String(n).padStart(8, '0')}20261119DUPONT    00012345EUR`);
  writeFileSync(fixed, `${lines.join('\n')}\n`);
  const positions = await command(['-C', folder, 'infer', fixed, '--target', 'fr-invoice']);
  expect([positions.code, positions.err]).toEqual([2, expect.stringContaining('infer/fixed-width')]);
});

it.each([
  ['version: 1\nrules: { language: fr }\n', 'Le total TTC diffère de'],
  ['version: 1\nrules: { language: es }\n', 'El total con IVA difiere de'],
  ['version: 1\nrules: {}\n', 'The gross total differs from'],
  ['version: 1\nrules: { language: [\n', 'The gross total differs from'],
])('lets the checks speak the language of the instance: %j', async (settings, says) => {
  const instance = mkdtempSync(join(folder, 'instance-'));
  writeFileSync(join(instance, 'nightpost.yaml'), settings);
  const { code, out } = await command(['-C', instance, 'infer', SAMPLE, '--target', 'fr-invoice']);
  expect(code).toBe(0);
  expect(out).toContain(`say: ${says} Invoice Total`);
});
