/** What a watch and a console report between runs: at once, at most one an hour for each channel, also where nothing may be sent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { consoleLook } from '../../src/notices/console-notices.ts';
import { followNotices } from '../../src/notices/run-notices.ts';
import { inUseFor, openScene, sales } from '../night.ts';
import { mailServer } from './receivers.ts';

const mailTo = (port: number) => ({
  mail: { to: ['a@example.org'], from: 'b@example.org', smtp: { host: '127.0.0.1', port, tls: 'none' } },
});
const MINUTE = 60_000;

test('a missing export, documents in doubt or invalidated, and a paused service: at once, one notice an hour', async () => {
  await using server = await mailServer();
  const expected = [{ name: 'Till', files: 'caisse*.csv', by: '02:00', on: 'daily' }];
  await using scene = await openScene({
    settings: { notify: [mailTo(server.port)], expect: expected, 'time-zone': 'Europe/Paris' },
  });
  await inUseFor(scene, 3);
  // 00:30 in Paris or 01:30: before the hour of the export.
  const first = Date.parse(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T23:30:00Z`);
  const texts = async () =>
    await Promise.all(server.mails.map(async (one) => (await PostalMime.parse(one)).text ?? ''));
  const look = async (minutes: number) => {
    const stop = new AbortController();
    await scene.desk(async ({ ledger, instance }) => {
      const now = () => new Date(first + minutes * MINUTE);
      const sleep = async () => stop.abort();
      await followNotices({ instance, ledger, now, emit: () => {}, stop: stop.signal, sleep, zone: 'Europe/Paris' });
    });
    return server.mails.length;
  };
  expect(await look(0)).toBe(1);
  expect((await texts()).at(-1)).toContain('The export "Till" is missing since');
  scene.drop('ventes-1.csv', sales(['F1-XLOST', 'F2-X11']));
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state).sort()).toEqual(['in-doubt', 'invalidated']);
  expect(await look(10)).toBe(1);
  expect(await look(59)).toBe(1);
  const pausedAt = new Date(first + 50 * MINUTE).toISOString();
  await scene.desk(async ({ ledger }) => {
    await ledger.submissions.pause('fr', { cause: 'unreachable', at: pausedAt, says: 'ECONNREFUSED' });
  });
  expect(await look(61)).toBe(2);
  const second = (await texts()).at(-1) ?? '';
  expect(second).toMatch(/1 document of fr is in doubt/);
  expect(second).toMatch(/1 document of fr was invalidated/);
  // Paused for eleven minutes only.
  expect(second).not.toMatch(/Settled|is stopped/);
  // The hour of today is over too, and yesterday's is no longer asked about: that settles nothing.
  expect(await look(122)).toBe(3);
  const third = (await texts()).at(-1) ?? '';
  expect(third).toContain('The service fr is stopped since');
  expect(third).toContain('The export "Till" is missing since');
  expect(third).not.toContain('Settled');
});

test('a notice of the day that the ledger could not take is made at the next look, once', async () => {
  await using server = await mailServer();
  await using scene = await openScene({ settings: { notify: [{ ...mailTo(server.port), at: '00:00' }] } });
  scene.drop('ventes-1.csv', sales(['F1'], 'x'));
  await scene.night();
  const sentAtEnd = server.mails.length;
  const tomorrow = Date.now() + 86_400_000;
  await scene.desk(async ({ ledger, instance }) => {
    const stop = new AbortController();
    let [looks, failures] = [0, 0];
    const busy: typeof ledger = {
      ...ledger,
      notices: {
        ...ledger.notices,
        addNotices: async (reports) => {
          if (failures++ === 0) throw new Error('busy');
          await ledger.notices.addNotices(reports);
        },
      },
    };
    const sleep = async () => void (++looks === 4 && stop.abort());
    const now = () => new Date(tomorrow + looks * MINUTE);
    await followNotices({
      instance,
      ledger: busy,
      now,
      emit: () => {},
      stop: stop.signal,
      sleep,
      zone: 'Europe/Paris',
    });
    expect(failures).toBe(2);
  });
  expect(server.mails.length).toBe(sentAtEnd + 1);
});

test('in no-send mode a console reports that nothing is sent and that no run began, once a day, and writes nothing', async () => {
  await using server = await mailServer();
  await using scene = await openScene({ settings: { notify: [mailTo(server.port)] } });
  await inUseFor(scene, 0);
  writeFileSync(join(scene.root, 'state/installation.json'), '{}');
  const look = consoleLook(() => scene.instance());
  const { signal } = new AbortController();
  // Late in the evening the next day: all looks but the last are on one day.
  const late = new Date().getHours() < 21 ? 0 : 4;
  const at = async (hours: number) => {
    await look(new Date(Date.now() + (late + hours) * 60 * MINUTE), signal);
    return server.mails.length;
  };
  expect(await at(0)).toBe(1);
  expect((await PostalMime.parse(server.mails[0]!)).text).toMatch(/Nothing is sent: the ledger may not send \(/);
  expect([await at(0.5), await at(2)]).toEqual([1, 1]);
  expect(await at(27)).toBe(2);
  expect((await PostalMime.parse(server.mails[1]!)).text).toMatch(/No run (?:began since|has begun yet)/);
  expect(await scene.look(async (ledger) => (await ledger.notices.list(9)).length)).toBe(0);
});
