/** Tables, bars and the live line: widths as a terminal counts them, nothing live on a pipe. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followProgress } from '../../src/cli/output/progress.ts';
import { bar, openTerminal } from '../../src/cli/session/terminal.ts';
import { durationText } from '../../src/text/duration-text.ts';
import { groupDigits } from '../../src/views/wording/amount-texts.ts';

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

test('bars are full at the end and whole without documents', () => {
  expect(bar(0, 4, 4)).toBe('░░░░');
  expect(bar(1, 4, 4)).toBe('█░░░');
  expect(bar(4, 4, 4)).toBe('████');
  expect(bar(0, 0, 4)).toBe('████');
});

test.each([
  ['a pipe', undefined, undefined],
  ['a terminal without a width, as that of a container', true, 0],
])('on %s: a plain line every 10 s, the first after 10 s, no control characters', (_, isTTY, columns) => {
  setTty(isTTY, columns);
  vi.stubEnv('TERM', 'xterm');
  let now = 0;
  const terminal = openTerminal({ now: () => now });
  for (; now < 25_000; now += 100) terminal.live(`\u001b[1mat ${now}\u001b[22m`);
  expect(written).toBe('at 10000\nat 20000\n');
  vi.unstubAllEnvs();
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
  const progress = followProgress(openTerminal({ now: () => (now += 1000) }), { language: 'en', zone: 'UTC' });
  const onEvent = progress.listenerWith(() => {});
  onEvent({ what: 'file-admitted', id: 'f', file: 'a.csv', documents: 3, rows: 6, faults: [] }, 'r');
  for (const state of ['authorized', 'rejected', 'ready'] as const) {
    onEvent({ what: 'document', id: state, identifier: 'F1', state, reason: '' }, 'r');
  }
  expect(written).toContain('1 file imported, 3 documents');
  expect(written).toContain('2/3 66%  authorized 1  to correct 1');
  vi.unstubAllEnvs();
});

test('a watch counts the work at hand, not that of days; in a journal it prints no count at all', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.stubEnv('TERM', 'xterm');
  let now = 0;
  const told = (isTTY: boolean, afterMs: number) => {
    setTty(isTTY, 120);
    const terminal = openTerminal({ now: () => (now += 20_000) });
    const onEvent = followProgress(terminal, { language: 'en', zone: 'UTC' }, { endless: true }).listenerWith(() => {});
    for (const id of ['f', 'g']) {
      vi.advanceTimersByTime(afterMs);
      written = '';
      onEvent({ what: 'file-admitted', id, file: 'a.csv', documents: 4, rows: 6, faults: [] }, 'r');
      for (let n = 0; n < 4; n++) {
        vi.advanceTimersByTime(500);
        onEvent({ what: 'document', id: `${id}${n}`, identifier: 'F1', state: 'authorized', reason: '' }, 'r');
      }
    }
    return written;
  };
  expect(told(true, 3_600_000)).toContain('4/4 100%  authorized 4  2.0/s');
  expect(told(true, 1000)).toContain('8/8 100%  authorized 8  ');
  expect(told(false, 1000)).toBe('');
  vi.useRealTimers();
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
  const onEvent = followProgress(openTerminal({ now: () => (now += 1000) }), { language, zone: 'UTC' }).listenerWith(
    () => {},
  );
  onEvent({ what: 'file-admitted', id: 'f', file: 'a.csv', documents: 3, rows: 6, faults: [] }, 'r');
  for (const state of ['authorized', 'rejected'] as const) {
    onEvent({ what: 'document', id: state, identifier: 'F1', state, reason: '' }, 'r');
  }
  expect(written).toMatch(rate);
  vi.unstubAllEnvs();
});

test('spans and amounts in words', () => {
  const texts = [0.2, 12.4, 59.6, 75, 119.7, 3599.6, 3700, 86_220].map(durationText);
  expect(texts.map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
    ...['1 s', '12 s', '1 min 00 s', '1 min 15 s', '2 min 00 s', '1 h 00 min', '1 h 02 min', '23 h 57 min'],
  ]);
  expect(groupDigits('1482310.22', 'en')).toBe('1\u202f482\u202f310.22');
  expect(groupDigits('1482310.22', 'fr')).toBe('1\u202f482\u202f310,22');
});
