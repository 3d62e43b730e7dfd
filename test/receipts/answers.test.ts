import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { writeAnswers, writeManyAnswers } from '../../src/receipts/erp-answers.ts';
import { makeEntry, makeFile, makeRoot } from './make.ts';

async function* each(entries: readonly LedgerEntry[]): AsyncIterable<LedgerEntry> {
  yield* entries;
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseAttributeValue: false });

test('one element per document: number, state, code, tracking-id and what the service said', async () => {
  const root = await makeRoot();
  const path = await writeAnswers(
    root,
    makeFile(),
    each([
      makeEntry(1, { answer: { code: 2, name: 'Authorized', message: 'Authorized', trackingId: 't-1' } }),
      makeEntry(2, {
        state: 'invalid',
        faults: [{ code: 'map/not-a-number', level: 'error', message: '"12,5O" is not a number' }],
      }),
    ]),
  );
  const text = await readFile(path, 'utf8');
  expect(XMLValidator.validate(text)).toBe(true);
  const { answers } = parser.parse(text) as { answers: { file: string; document: object[] } };
  expect(answers).toMatchObject({
    file: 'ventes_1119.csv',
    document: [
      { number: 'FA-2026-0001', state: 'authorized', code: '2', 'tracking-id': 't-1', message: 'Authorized' },
      { number: 'FA-2026-0002', state: 'invalid', message: '"12,5O" is not a number' },
    ],
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('markup, quotes and characters that XML cannot carry do not break the file', async () => {
  const root = await makeRoot();
  const hostile = `<a b="c">]]>&amp;'\u0001\ud800é`;
  const entry = makeEntry(1, { answer: { code: 6, message: hostile }, facts: { identifier: hostile } });
  const text = await readFile(await writeAnswers(root, makeFile({ name: '"<&>.csv' }), each([entry])), 'utf8');
  expect(XMLValidator.validate(text)).toBe(true);
  const { answers } = parser.parse(text) as { answers: { document: { number: string; message: string } } };
  expect(answers.document.number).toBe(`<a b="c">]]>&amp;'\ufffd\ufffdé`);
});

test.each([3, 60])('those of %i files at once are the same, byte for byte', async (count) => {
  const [alone, together] = [await makeRoot(), await makeRoot()];
  const batch = Array.from({ length: count }, (_, n) => ({
    file: makeFile({ id: `019aa0f0-0000-7000-8000-${String(n).padStart(12, '0')}`, name: `é ${n}.csv` }),
    entries: Array.from({ length: n % 3 }, (_, at) => makeEntry(at, { answer: { code: 2, message: `<${n}>` } })),
  }));
  const paths: string[] = [];
  for (const { file, entries } of batch) paths.push(await writeAnswers(alone, file, each(entries)));
  await writeManyAnswers(together, batch);
  expect((await readdir(join(together, 'reports'))).sort()).toEqual(paths.map((path) => basename(path)).sort());
  for (const path of paths) {
    const same = join(together, 'reports', basename(path));
    expect(await readFile(same, 'utf8')).toBe(await readFile(path, 'utf8'));
    expect((await stat(same)).mode & 0o777).toBe(0o600);
  }
});

test('a file without documents has an empty list', async () => {
  const root = await makeRoot();
  const text = await readFile(await writeAnswers(root, makeFile({ state: 'refused' }), each([])), 'utf8');
  expect(XMLValidator.validate(text)).toBe(true);
  expect(text).toContain('state="refused"');
});
