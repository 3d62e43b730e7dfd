/** Live updates: what open pages get, what they cost the ledger, and that nothing stays open when they leave. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followers } from '../../src/console/api/live-changes.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { listenTo } from './api-client.ts';
import { ask, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let session: { readonly cookie: string };

beforeAll(async () => {
  scene = await openScene();
  open = await openConsoleOf(scene);
  session = await signInAs(scene, open, 'viewer');
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const listen = (from?: string) => listenTo(open, session, from);

const wait = { interval: 50 };

test('a page hears of a run once for each step, with ids, and after a gap of what it missed', async () => {
  const page = listen();
  await expect.poll(() => page.heard.length, wait).toBe(1);
  expect(page.heard[0]!.data).toMatchObject({ count: 0, ids: [] });
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  await commandIn(scene, 'run');
  const ids = (await scene.entries()).map(({ id }) => id).toSorted();
  const heard = () => [...new Set(page.heard.flatMap(({ data }) => data.ids))].toSorted();
  await expect.poll(heard, wait).toEqual(ids);
  const last = page.heard.at(-1)!.id;
  page.leave();
  await expect.poll(followers, wait).toBe(0);

  scene.drop('ventes-2.csv', sales(['F3']));
  await commandIn(scene, 'run');
  const again = listen(last);
  await expect.poll(() => again.heard.length, wait).toBeGreaterThan(0);
  const missed = (await scene.entries()).filter(({ facts }) => facts.identifier === 'F3').map(({ id }) => id);
  expect(again.heard[0]!.data).toMatchObject({ count: 1, ids: missed });
  again.leave();
  const asked = { ...session, ...SAME_ORIGIN, accept: 'application/json', 'last-event-id': last };
  const { body } = await ask(open, `${open.base}/api/v1/events`, { headers: asked });
  expect(JSON.parse(body)).toEqual(again.heard[0]!.data);
  await expect.poll(followers, wait).toBe(0);
});

/** Pages that could not be copied from the log, because a read of someone still needs it; 0 if the log is empty now. */
function heldOpen(): number {
  using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'));
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { readonly busy: number };
  return busy;
}

test('open pages and answered questions leave no read of the ledger open, so its log can begin again', async () => {
  const pages = Array.from({ length: 5 }, () => listen());
  await expect.poll(followers, wait).toBe(5);
  const headers = { ...session, ...SAME_ORIGIN };
  const paths = ['documents?limit=100', 'causes', 'status', 'find?q=Client', 'documents/F1', 'documents/F1/lineage'];
  const askAll = () => Promise.all(paths.map((path) => ask(open, `${open.base}/api/v1/${path}`, { headers })));
  await askAll();
  scene.drop('ventes-3.csv', sales(['F4', 'F5', 'F6']));
  await commandIn(scene, 'run');
  await expect.poll(() => pages.every(({ heard }) => heard.length > 1), wait).toBe(true);
  expect((await askAll()).map(({ status }) => status)).toEqual(paths.map(() => 200));
  // A page may be reading just now.
  await expect.poll(heldOpen, wait).toBe(0);
  for (const page of pages) page.leave();
  await expect.poll(followers, wait).toBe(0);
  expect(open.defects).toEqual([]);
});

test('a question for the headers alone opens no page that listens', async () => {
  const headers = { ...session, ...SAME_ORIGIN };
  for (let n = 0; n < 3; n++)
    expect((await ask(open, `${open.base}/api/v1/events`, { method: 'HEAD', headers })).status).toBe(200);
  await expect.poll(followers, wait).toBe(0);
});
