/** The one way by which acts leave the console: its events, and that it takes none while people compare a ledger. No browser. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PipelineEvent } from '../../src/pipeline/context/run-context.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { type Api, openApi } from './api-client.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let api: Api;
const events: PipelineEvent[] = [];

beforeAll(async () => {
  scene = await openScene({ settings: { run: { hold: { over: { EUR: '60' } }, 'give-up-after': '1s' } } });
  scene.drop('ventes-1.csv', sales(['H1', 'H2', 'H3'], '3'));
  scene.drop('ventes-2.csv', sales(['W1'], '2O'));
  await commandIn(scene, 'run');
  open = await openConsoleOf(scene, {}, { onEvent: (happening) => void events.push(happening) });
  api = await openApi(scene, open);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function seen(number: string) {
  const { id, revision, state, since } = (await scene.entries()).find(({ facts }) => facts.identifier === number)!;
  return { id, revision, state, since };
}

async function release(number: string, key: string) {
  const body = { act: { act: 'release', documents: [await seen(number)] }, reason: 'checked' };
  return await api.call('/acts', { role: 'operator', body, headers: { 'idempotency-key': key } });
}

/** The form of a page, and the answer to it with these fields. */
async function formOn(path: string, field: string) {
  const session = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, `${open.base}${path}`, { headers: session });
  const form = { csrf: csrfIn(body), [field]: new RegExp(`name="${field}" value="([^"]*)"`).exec(body)?.[1] ?? '' };
  const post = (to: string, more: { readonly [name: string]: string }) =>
    ask(open, `${open.base}${to}`, { headers: { ...session, ...SAME_ORIGIN }, form: { ...form, ...more } });
  return { body, form, post };
}

test('an act of the console has its line among the events, with who asked', async () => {
  expect((await release('H1', 'one')).json).toMatchObject({ state: 'done' });
  expect(events).toContainEqual(expect.objectContaining({ what: 'act', act: 'release', person: 'erp-operator' }));
});

test('cells that a person saw before a colleague set the document aside stay as they are', async () => {
  const document = await seen('W1');
  const { body, post } = await formOn(`/documents/${document.id}`, 'version');
  const cells = /name="cells" value="([^"]*)"/.exec(body)![1]!;
  const cell = /name="(cell\.[^"]*)"/.exec(body)![1]!;
  expect((await commandIn(scene, 'set-aside', 'W1', '--reason', 'twice', '--by', 'anna')).code).toBe(0);
  const key = '00000000-0000-4000-8000-000000000001';
  const late = await post(`/documents/${document.id}/fix`, { key, cells, [cell]: '2', reason: 'late' });
  expect(late.body).toContain('Nothing was recorded.');
  const edits = [{ row: 2, column: 'Qte', from: '2O', to: '2' }];
  const act = { act: 'fix', documents: [{ ...document, edits }] };
  const answer = await api.call('/acts', {
    role: 'operator',
    body: { act, reason: 'late' },
    headers: { 'idempotency-key': 'late' },
  });
  expect(answer.json).toMatchObject({ state: 'done', documents: [{ faults: [{ code: 'fix/changed-meanwhile' }] }] });
  expect(await seen('W1')).toEqual({ ...document, since: expect.any(String) });
});

test('in quarantine and in no-send mode every page says why, and no act is taken', async () => {
  const state = join(scene.root, 'state/ledger.sqlite');
  const before = await scene.entries();
  cpSync(state, `${state}.old`);
  await commandIn(scene, 'run');
  const untouched = await scene.entries();
  for (const name of ['', '-wal', '-shm']) rmSync(`${state}${name}`, { force: true });
  cpSync(`${state}.old`, state);
  const tried = async (code: string) => {
    const { body, post } = await formOn('/work', 'key');
    expect(body).not.toContain('action="/acts"');
    expect(body).not.toMatch(/<form class="act"/);
    expect(body).toMatch(code === 'act/quarantine' ? /end-quarantine/ : /state\/ looks restored|copied/);
    const answer = await release('H2', code);
    expect([answer.status >= 400, answer.json.code]).toEqual([true, code]);
    const waive = { key: 'abcdefgh-1', export: 'x', due: '2026-01-01', reason: 'why' };
    expect((await post('/files/waive', waive)).status).toBe(409);
  };
  const guard = (await scene.look(async (ledger) => ledger.guard)) as { readonly code: string };
  await tried(guard.code);
  await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'the backup of yesterday');
  await tried('act/quarantine');
  expect((await scene.entries()).length).toBe(before.length);
  expect(untouched.length).toBe(before.length);
  await commandIn(scene, 'ledger', 'end-quarantine', 'compared');
  expect((await release('H2', 'after')).json).toMatchObject({ state: 'done' });
  expect(open.defects).toEqual([]);
});
