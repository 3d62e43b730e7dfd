/** Tables, bars and the live line: widths as a terminal counts them, nothing live on a pipe. */
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { groupDigits } from '../../src/cli/output/amount-texts.ts';
import { durationText, followProgress } from '../../src/cli/output/progress.ts';
import { bar, fittingTable, openTerminal, table, widthOf } from '../../src/cli/session/terminal.ts';

let written = '';

beforeEach(() => {
  written = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  setTty(undefined, undefined);
});

function setTty(isTTY: boolean | undefined, columns: number | undefined): void {
  Object.assign(process.stderr, { isTTY, columns });
}

test.each([
  ['abc', 3],
  ['Énergie', 7],
  ['E\u0301nergie', 7],
  ['東京', 4],
  ['\u001b[31mred\u001b[39m', 3],
  ['👍', 2],
])('%s takes %i cells', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('columns stay under their titles, whatever the cells hold', () => {
  const lines = table(
    [{ title: 'client' }, { title: 'docs', align: 'right' }, { title: 'end' }],
    [
      ['Café E\u0301clair', '7', 'x'],
      ['東京商事', '1200', 'x'],
      ['a', '', 'x'],
    ],
  ).split('\n');
  const ends = lines.slice(1).map((line) => widthOf(line.slice(0, line.lastIndexOf('x'))));
  expect(new Set(ends).size).toBe(1);
  expect(stripVTControlCharacters(lines[0]!)).toMatch(/^ {2}CLIENT +DOCS {2}END$/);
});

test('foreign text in a cell moves no cursor and opens no line', () => {
  const shown = table([{ title: 'x' }], [['a\u001b[31mb\nc\u202ed\u001b]0;title\u0007']]);
  expect(shown.split('\n')).toHaveLength(2);
  expect(shown).toContain('a\\u{1b}[31mb\\u{a}c\\u{202e}d\\u{1b}]0;title\\u{7}');
});

test('bars are full at the end and whole without documents', () => {
  expect(bar(0, 4, 4)).toBe('░░░░');
  expect(bar(1, 4, 4)).toBe('█░░░');
  expect(bar(4, 4, 4)).toBe('████');
  expect(bar(0, 0, 4)).toBe('████');
});

test('on a pipe: a plain line every 10 s, the first after 10 s, no control characters', () => {
  setTty(undefined, undefined);
  let now = 0;
  const terminal = openTerminal({ now: () => now });
  for (; now < 25_000; now += 100) terminal.live(`\u001b[1mat ${now}\u001b[22m`);
  expect(written).toBe('at 10000\nat 20000\n');
});

test('on a terminal: one line that is redrawn at most every 100 ms, cut to its width, and gone at the end', () => {
  setTty(true, 20);
  vi.stubEnv('TERM', 'xterm');
  let now = 1000;
  const terminal = openTerminal({ now: () => now });
  terminal.live('a line that is longer than the terminal');
  now += 50;
  terminal.live('too soon');
  now += 50;
  terminal.live('next');
  terminal.talk('said');
  terminal.live('');
  expect(written).toBe('a line that is lon…\r\u001b[2Knext\r\u001b[2Ksaid\n');
  vi.unstubAllEnvs();
});

test('quiet prints only the data', () => {
  const terminal = openTerminal({ quiet: true, now: () => 1e9 });
  terminal.talk('said');
  terminal.live('live');
  expect(written).toBe('');
});

test('progress counts documents by the words of operators', () => {
  setTty(true, 120);
  vi.stubEnv('TERM', 'xterm');
  let now = 0;
  const progress = followProgress(openTerminal({ now: () => (now += 1000) }), 'en');
  const tell = progress.tellWith(() => {});
  tell({ what: 'file-admitted', id: 'f', file: 'a.csv', documents: 3, rows: 6, faults: [] }, 'r');
  for (const state of ['authorized', 'rejected', 'ready'] as const) {
    tell({ what: 'document', id: state, identifier: 'F1', state, reason: '' }, 'r');
  }
  expect(written).toContain('1 file imported, 3 documents');
  expect(written).toContain('2/3 66%  authorized 1  to correct 1');
  vi.unstubAllEnvs();
});

test.each([
  ['en', /\d\.\d\/s/],
  ['fr', /\d,\d\/s/],
  ['es', /\d\.\d\/s/],
] as const)('the rate has the decimal sign of the language: %s', (language, rate) => {
  setTty(true, 120);
  vi.stubEnv('TERM', 'xterm');
  let now = 0;
  const tell = followProgress(openTerminal({ now: () => (now += 1000) }), language).tellWith(() => {});
  tell({ what: 'file-admitted', id: 'f', file: 'a.csv', documents: 3, rows: 6, faults: [] }, 'r');
  for (const state of ['authorized', 'rejected'] as const) {
    tell({ what: 'document', id: state, identifier: 'F1', state, reason: '' }, 'r');
  }
  expect(written).toMatch(rate);
  vi.unstubAllEnvs();
});

test('spans and amounts in words', () => {
  expect([0.2, 12.4, 75, 3700].map(durationText)).toEqual(['1s', '12s', '1m15s', '1h01m']);
  expect(groupDigits('1482310.22', 'en')).toBe('1\u202f482\u202f310.22');
  expect(groupDigits('1482310.22', 'fr')).toBe('1\u202f482\u202f310,22');
});

test('a table that is too wide is cut in the middle of its cells, the first column last, and says how many', () => {
  const path = '/Invoice/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode';
  const columns = ['field', 'value', 'from'].map((title) => ({ title }));
  const rows = [
    ['/receiver/address/country', 'x'.repeat(70), path],
    ['/document/date', '"2026-09-05"', '2:Date'],
  ];
  for (const width of [80, 100, 120]) {
    const { text, shortened } = fittingTable(columns, rows, width);
    for (const line of stripVTControlCharacters(text).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
    expect(text).toContain('/receiver/address/country');
    expect(text).toMatch(/…\S*ationCode\n/);
    expect(shortened).toBe(2);
  }
  expect(fittingTable(columns, rows, 250)).toEqual({ text: table(columns, rows), shortened: 0 });
  const wide = fittingTable(columns, [['日本'.repeat(40), 'é'.repeat(90), path]], 60).text;
  for (const line of stripVTControlCharacters(wide).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(60);
});
