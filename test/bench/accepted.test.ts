/** The bench measures documents that the default rules accept, or it fails: a figure over refused documents is none. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccepted } from '../../bench/accepted.ts';
import type { FormatName } from '../../bench/exports/exports.ts';
import type { Quality } from '../../bench/exports/format.ts';

const ROOT = join(import.meta.dirname, '../..');
const start = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'np-bench-'));
let bench: typeof import('../../bench/exports/exports.ts') & typeof import('../../bench/program.ts');

beforeAll(async () => {
  process.env.NIGHTPOST_BENCH_FOLDER = folder;
  bench = { ...(await import('../../bench/exports/exports.ts')), ...(await import('../../bench/program.ts')) };
});

afterAll(() => {
  delete process.env.NIGHTPOST_BENCH_FOLDER;
  rmSync(folder, { recursive: true });
});

const SIZE = 40;
const EXPORTS: readonly (readonly [FormatName, Quality])[] = [
  ...(['csv', 'xml', 'ubl-each', 'ubl-all', 'cii-each', 'cii-all', 'fixed', 'workbook', 'remission'] as const).map(
    (format) => [format, 'spotless'] as const,
  ),
  ['csv', 'warned'],
  ['csv', 'refused'],
];

test.each(EXPORTS)('the documents of the export %s, %s, are what it is made for', async (format, quality) => {
  const exports = await bench.exportFolder({ format, documents: SIZE, quality });
  const instance = join(folder, `${format}-${quality}`);
  mkdirSync(instance);
  const { convertAll } = await bench.openConverter(instance, bench.FORMATS[format]);
  let taken = 0;
  const account = await convertAll(exports, () => taken++);
  expectAccepted(account, SIZE, quality);
  expect(taken).toBe(account.documents);
});

test('an instance of the bench has the rules that every new one has', async () => {
  const instance = join(folder, 'rules');
  mkdirSync(instance);
  const converter = await bench.openConverter(instance, bench.FORMATS.csv);
  expect(converter.instance.settings.rules).toMatchObject({
    fr: 'fr-2026',
    sv: expect.stringMatching(/^sv-/),
    severity: {},
  });
});

test.each([
  [{ documents: 39, warnings: 0, refused: 1 }, 'spotless'],
  [{ documents: 40, warnings: 1, refused: 0 }, 'spotless'],
  [{ documents: 40, warnings: 39, refused: 0 }, 'warned'],
  [{ documents: 40, warnings: 0, refused: 0 }, 'refused'],
] as const)('%j of 40 documents that are %s is an error', (account, quality) => {
  expect(() => expectAccepted(account, SIZE, quality)).toThrow(`of 40 documents (${quality})`);
});

test('a bench whose documents are refused ends with exit code 1 and says how many', async () => {
  const refused = await bench.exportFolder({ format: 'csv', documents: SIZE, quality: 'refused' });
  const own = join(folder, 'own');
  cpSync(refused, join(own, 'exports', `csv-spotless-${SIZE}-by-${SIZE}`), { recursive: true });
  const env = { ...process.env, NIGHTPOST_BENCH_FOLDER: own };
  const ended = start(process.execPath, [join(ROOT, 'bench/main.ts'), '--quick', 'faults'], { env });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('of 40 documents (spotless) 36 documents, expected 40'),
  });
});
