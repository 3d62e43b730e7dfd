/** What only the report of a night shows is in its notices too; and doctor reads what signs a webhook. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { nightTopics } from '../../src/notices/alarm-topics.ts';
import { planDigest } from '../../src/notices/digest.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { hourJustPassed, inUseFor, openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { mailServer, webReceiver } from './receivers.ts';

test('an export that differs from its control file is in a mail, once, and no later night settles it', async () => {
  await using server = await mailServer();
  const smtp = { host: '127.0.0.1', port: server.port, tls: 'none' };
  const expectation = { name: 'Till', files: 'ventes*.csv', by: hourJustPassed(), rows: { max: 2 } };
  const controls = { file: '*.ctl', documents: 'NB', amount: 'TOTAL' };
  await using scene = await openScene({
    settings: {
      'time-zone': 'UTC',
      expect: [{ ...expectation, controls }],
      notify: [{ mail: { to: ['a@example.org'], from: 'b@example.org', smtp } }],
    },
  });
  await inUseFor(scene, 2);
  scene.drop('ventes-1.csv', sales(['A1', 'A2']));
  scene.drop('1.ctl', 'NB;3\nTOTAL;151,20\n');
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const [first] = server.mails;
  const { text = '' } = await PostalMime.parse(first!);
  expect(text).toContain('- The export "Till" differs from its control file.\n  3 documents stated, 2 read\n');
  expect(text).toContain('- The export "Till" has more rows than usual: 4.');
  // Amounts only with details: full.
  expect(text).not.toContain('151');
  await commandIn(scene, 'run');
  // The missing export comes late: the night is whole now, which explains no difference of before.
  scene.drop('ventes-2.csv', sales(['A3']));
  await commandIn(scene, 'run');
  expect(server.mails).toHaveLength(1);
});

test('rows without a place and a folder that is late are reported again when they are others than those of the night before', () => {
  const report = {
    expected: [],
    balance: { documents: { difference: 0 }, currencies: [] },
    proof: { unaccounted: 1, twice: 0 },
    inbox: [],
    answers: { delays: [{ since: '2026-11-20T01:00:00.000Z' }, { since: '2026-11-22T01:00:00.000Z' }], fields: [] },
    endedAt: '2026-11-22T02:00:00.000Z',
  } as unknown as NightReport;
  const reported = ['night:unaccounted', 'night:answers-delayed'].map((topic) => ({
    ...{ topic, reportedAt: '2026-11-21T02:00:00.000Z', firstAt: '2026-11-20T02:00:00.000Z' },
  })) as unknown as Parameters<typeof planDigest>[3];
  const moment = { scope: 'run', now: new Date('2026-11-22T02:00:01.000Z') } as const;
  const { notice } = planDigest(moment, { on: new Set(['attention']), zone: 'UTC' }, nightTopics(report), reported);
  expect(notice?.lines.map(({ topic, why }) => [topic.key, why])).toEqual([
    ['night:unaccounted', 'more'],
    ['night:answers-delayed', 'more'],
  ]);
});

test('a missing export is a topic of now alone, and what its control file states one of the night', () => {
  const report = {
    expected: [
      {
        ...{ name: 'Till', due: '2026-11-22T01:00:00.000Z', state: 'missing' },
        controls: { files: ['1.ctl'], documents: { stated: 3, read: 0, difference: -3 } },
      },
    ],
    balance: { documents: { difference: 0 }, currencies: [] },
    proof: { unaccounted: 0, twice: 0 },
    inbox: [],
    endedAt: '2026-11-22T02:00:00.000Z',
  } as unknown as NightReport;
  expect(nightTopics(report).map(({ key }) => key)).toEqual(['night:control:Till']);
});

test('doctor warns of a webhook whose secret is missing or cannot sign', async () => {
  await using receiver = await webReceiver();
  await using scene = await openScene({
    settings: { notify: [{ webhook: { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } } }] },
  });
  writeFileSync(join(scene.root, 'hook-url'), receiver.url, { mode: 0o600 });
  const webhook = async () => {
    const { out } = await commandIn(scene, 'doctor', '--json');
    const checks = JSON.parse(out) as readonly { what: string; result: string; says: string }[];
    return checks.find(({ what }) => what === 'notices: webhook');
  };
  expect(await webhook()).toMatchObject({ result: 'warning', says: expect.stringContaining('hook-secret') });
  writeFileSync(join(scene.root, 'hook-secret'), 'whsec_short', { mode: 0o600 });
  expect(await webhook()).toMatchObject({ result: 'warning', says: expect.stringContaining('not valid') });
  writeFileSync(join(scene.root, 'hook-secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  expect(await webhook()).toMatchObject({ result: 'ok' });
  await scene.desk(({ ledger }) => ledger.notices.switchOff('webhook', '2026-11-21T10:00:00.000Z'));
  expect(await webhook()).toMatchObject({ result: 'warning', says: expect.stringContaining('switched off since') });
  expect(receiver.received).toEqual([]);
});
