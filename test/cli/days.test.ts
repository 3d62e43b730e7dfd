/**
 * Days and times that people type: every option takes only days that the calendar has, and a day begins at midnight of the
 * zone of the settings, whatever the zone of the machine.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { typedMoment } from '../../src/text/typed-moment.ts';
import { openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

test.each([
  ['2026-11-25', 'Europe/Paris', '2026-11-24T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Paris', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Paris', '2026-03-29T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Paris', '2026-10-25T23:00:00.000Z'],
  ['2026-11-25', 'America/El_Salvador', '2026-11-25T06:00:00.000Z'],
  // Midnight does not exist on this day.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-11-25T14:30', 'Europe/Paris', '2026-11-25T13:30:00.000Z'],
  ['2026-11-25 14:30:10', 'Europe/Paris', '2026-11-25T13:30:10.000Z'],
  ['2026-11-25T14:30+02:00', 'Europe/Paris', '2026-11-25T12:30:00.000Z'],
  ['2026-11-25T14:30:00.123Z', 'Europe/Paris', '2026-11-25T14:30:00.123Z'],
])('%s in %s is %s', (text, zone, at) => {
  expect(typedMoment(text, zone)).toBe(at);
});

const NO_DAYS = [
  '2026-02-30',
  '2026-13-01',
  '2026-11-31',
  '2025-02-29',
  '11/12/2026',
  '1',
  '2026',
  '20261125',
  'now',
  '',
];

test.each([...NO_DAYS, '2026-11-25T24:30', '2026-11-25T14', '2026-11-25T14:30+1', '2026-11-25x', '-000001-01-01'])(
  '"%s" is no day and no time',
  (text) => {
    expect(typedMoment(text, 'Europe/Paris')).toBeUndefined();
  },
);

test('every option of every command that takes a day refuses what the calendar does not have', async () => {
  await using scene = await openScene();
  const commands = [
    ...['list', 'errors', 'warnings', 'verify', 'consult', 'retry', 'release', 'set-aside', 'acknowledge', 'fix'],
    ...['reprocess', 'report'],
  ].map((name) => [name, '--since']);
  commands.push(['list', '--until'], ['list', '--day'], ['report', '--day'], ['waive', 'x', '--day']);
  for (const words of commands) {
    for (const text of NO_DAYS) {
      const ended = await commandIn(scene, ...words, text, ...(words[0] === 'waive' ? ['--reason', 'r'] : []));
      expect([words, text, ended.code, ended.err]).toEqual([
        words,
        text,
        2,
        expect.stringMatching(/2026-(11-2|12-11)/),
      ]);
    }
  }
});

test.each(['Europe/Paris', 'America/El_Salvador', 'Pacific/Auckland', 'UTC'])(
  'in %s a document of half past midnight is in --day and --since of its day, and not before it',
  async (zone) => {
    await using scene = await openScene({ settings: { 'time-zone': zone } });
    scene.drop('ventes.csv', sales(['F1'], 'x'));
    const now = () => new Date(typedMoment('2026-11-25T00:30', zone) ?? '');
    await scene.night({ clock: { ...systemClock, now }, files: [join(scene.root, 'inbox/ventes.csv')] });
    {
      // The ledger takes its time from the machine.
      using ledger = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
      ledger.prepare('UPDATE entry SET since = ?').run(now().getTime());
    }
    const listed = async (...words: string[]) =>
      JSON.parse((await commandIn(scene, '--json', 'list', ...words)).out).documents.length;
    expect(await listed('--day', '2026-11-25')).toBe(1);
    expect(await listed('--since', '2026-11-25')).toBe(1);
    expect(await listed('--since', '2026-11-26')).toBe(0);
    expect(await listed('--until', '2026-11-25')).toBe(0);
    expect(await listed('--until', '2026-11-26')).toBe(1);
    expect((await commandIn(scene, 'errors', '--since', '2026-11-25')).out).toContain('F1');
    expect(scene.files('error').filter((path) => path.startsWith('error/2026-11-25/'))).not.toEqual([]);
  },
);
