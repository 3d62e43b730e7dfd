/** The subject of a notice: its days are those of the people who read it. */
import { expect, test } from 'vitest';
import { format, type Language } from '../../src/i18n/message.ts';
import { headlineOf, type NoticeContent } from '../../src/notices/notice-mail.ts';

test.each<[Language, string, string]>([
  ['fr', 'Europe/Paris', '25/11/2026'],
  ['es', 'America/El_Salvador', '24/11/2026'],
  ['en', 'Europe/Paris', '2026-11-25'],
])('a run that did not begin (%s, %s) is missing since its local day', (language, zone, day) => {
  const topic = { counts: 'absent', documents: 0, newestAt: '2026-11-24T23:30:00.000Z' };
  const content = { lines: [{ topic }], others: [], over: [] } as unknown as NoticeContent;
  expect(headlineOf(content, (message) => format(message, language), { zone, language })).toMatch(
    new RegExp(`${day}$`),
  );
});
