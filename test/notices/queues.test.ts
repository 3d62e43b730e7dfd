/** Each channel has a queue of its own: a receiver that refuses, or a notice that cannot be sent, silences no other one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NewNotice, NoticeKind } from '../../src/ledger/contract/notice-store.ts';
import { deliverDue, type NoticeTry } from '../../src/notices/deliver-notices.ts';
import { openScene, type Scene } from '../night.ts';
import { webReceiver } from './receivers.ts';

const AT = new Date(Date.now() - 3_600_000);
const CRM = { webhook: { url: { file: 'crm-url' }, secret: { file: 'hook-secret' } }, name: 'crm' };
const PEOPLE = { webhook: { url: { file: 'people-url' }, secret: { file: 'hook-secret' } }, name: 'people' };

async function sceneOf(notify: readonly object[], urls: { readonly [file: string]: string }): Promise<Scene> {
  const scene = await openScene({ settings: { notify } });
  const secrets = { ...urls, 'hook-secret': `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
  for (const [file, text] of Object.entries(secrets)) writeFileSync(join(scene.root, file), text, { mode: 0o600 });
  return scene;
}

function noticesOf(channel: string, count: number, kind: NoticeKind, content: object): readonly NewNotice[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `${channel}.${kind}.${n}`;
    return { id, channel, kind, at: AT.toISOString(), dueAt: AT.getTime() + n, content: JSON.stringify(content) };
  });
}

const BODY = { webhook: '{}', type: 'document.changed' };

async function deliver(scene: Scene, notices: readonly NewNotice[]): Promise<readonly NoticeTry[]> {
  const tries: NoticeTry[] = [];
  const instance = scene.instance();
  await scene.desk(async ({ ledger }) => {
    for (const [channel, of] of Map.groupBy(notices, (one) => one.channel)) {
      await ledger.notices.addNotices([{ channel, notices: of }]);
    }
    await deliverDue({ instance, ledger, now: () => new Date(), tried: (one) => tries.push(one) });
  });
  return tries;
}

test('a channel that refuses and has 1,000 waiting keeps no notice of another one from leaving in the same pass', async () => {
  await using crm = await webReceiver((response) => response.writeHead(500).end());
  await using people = await webReceiver();
  await using scene = await sceneOf([CRM, PEOPLE], { 'crm-url': crm.url, 'people-url': people.url });
  const late = noticesOf('people', 1, 'attention', BODY).map((one) => ({ ...one, dueAt: AT.getTime() + 5000 }));
  const tries = await deliver(scene, [...noticesOf('crm', 1000, 'change', BODY), ...late]);
  expect(people.received).toHaveLength(1);
  expect(tries.filter(({ result }) => result === 'sent')).toEqual([expect.objectContaining({ channel: 'people' })]);
  // One try shows that its receiver refuses.
  expect(crm.received).toHaveLength(1);
});

test('notices that cannot be sent at all fail at once, and those after them leave in the same pass', async () => {
  await using people = await webReceiver();
  await using scene = await sceneOf([PEOPLE], { 'people-url': people.url });
  const mail = { mail: { subject: 'a', text: 'a', html: 'a' } };
  const tries = await deliver(scene, [
    ...noticesOf('removed', 250, 'attention', BODY),
    ...noticesOf('people', 250, 'attention', mail),
    ...noticesOf('people', 250, 'change', BODY),
  ]);
  const counts = Object.entries(Object.groupBy(tries, ({ channel, result }) => `${channel} ${result}`));
  expect(Object.fromEntries(counts.map(([key, of]) => [key, of?.length]))).toEqual({
    'removed failed': 250,
    'people failed': 250,
    'people sent': 250,
  });
  expect(people.received).toHaveLength(250);
});

test('of two programs that read the same notices one sends each, and none that was purged since', async () => {
  await using scene = await sceneOf([PEOPLE], { 'people-url': '' });
  const instance = scene.instance();
  const private_ = JSON.stringify({ webhook: '{"name":"Zoroastre Quetzal"}', type: 'document.changed' });
  await scene.desk(async ({ ledger }) => {
    const isMeant = (content: string) => content.includes('Quetzal');
    await using people = await webReceiver(async (response) => {
      await ledger.notices.purgeNotices(new Date().toISOString(), { isMeant });
      response.writeHead(204).end();
    });
    writeFileSync(join(scene.root, 'people-url'), people.url, { mode: 0o600 });
    const notices = noticesOf('people', 20, 'change', BODY);
    const last = { ...notices[0]!, id: 'last', dueAt: AT.getTime() + 5000, content: private_ };
    await ledger.notices.addNotices([{ channel: 'people', notices: [...notices, last] }]);
    const work = { instance, ledger, now: () => new Date() };
    await Promise.all([deliverDue(work), deliverDue(work)]);
    const ids = people.received.map(({ headers }) => headers['webhook-id']);
    expect(ids.toSorted()).toEqual(notices.map(({ id }) => id).toSorted());
  });
});
