/** Acts by the API: looked at, done once, refused where something changed. Real server, real ledger, no session. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { endWithTest } from '../end-with-test.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { type Api, type Called, openApi } from './api-client.ts';
import { ask, openConsoleOf, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let api: Api;
const WHY = ['--reason', 'test', '--by', 'anna'];

beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  scene.drop('ventes-2.csv', sales(['W1', 'W2', 'W3', 'W4', 'W5'], '2O'));
  scene.drop('ventes-3.csv', sales(['F3-XDROP']));
  scene.drop('ventes-4.csv', sales(['F4-X6']));
  await commandIn(scene, 'run');
  open = await openConsoleOf(scene);
  api = await openApi(scene, open);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function post(
  path: '/look' | '/acts',
  body: object,
  key?: string,
  role: 'operator' | 'admin' | 'viewer' = 'operator',
) {
  const answer = await api.call(path, {
    role,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
  expect(api.misfit('post', path, answer), answer.text).toBeNull();
  return answer;
}

/** Without the lock, which an act may still have when its answer is there. */
async function entryOf(number: string) {
  await using ledger = await lookIntoLedgerOf(scene.instance());
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.queries.find({})) entries.push(entry);
  return entries.find(({ facts, name }) => facts.identifier === number || name.includes(number))!;
}

async function seen(number: string) {
  const { id, revision, state, since } = await entryOf(number);
  return { id, revision, state, since };
}

const replace = (...ids: string[]) => ({
  act: 'replace-cells',
  selector: { ids },
  column: 'Qte',
  from: '2O',
  to: '2',
});

test('what a look shows is done once for its key, no matter who repeats it', async () => {
  const looked = await post('/look', replace('W1', 'W2'));
  expect(looked.json).toMatchObject({
    count: 2,
    documents: [
      { number: 'W1', was: 'invalid', becomes: 'ready' },
      { number: 'W2', was: 'invalid', becomes: 'ready' },
    ],
    leftOut: [],
  });
  expect(await seen('W1')).toMatchObject({ state: 'invalid', revision: 1 });
  const body = { look: looked.json.look, reason: 'typed with the letter O' };
  const answers = await Promise.all([1, 2, 3].map(() => post('/acts', body, 'one')));
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  const { json } = await post('/acts', body, 'one');
  expect(json).toMatchObject({ state: 'done', act: 'fix', documents: [{ becomes: 'ready' }, { becomes: 'ready' }] });
  const known = await api.call(`/acts/${json.id}`);
  expect(api.misfit('get', '/acts/:id', known), known.text).toBeNull();
  expect(known.json).toMatchObject({ state: 'done', act: 'fix' });
  expect(await seen('W1')).toMatchObject({ state: 'ready', revision: 2 });
  const { json: of } = await api.call('/documents/W1/history');
  expect(of.history.filter(({ person }: { person?: string }) => person === 'erp-operator')).toHaveLength(1);

  const other = await post('/acts', { ...body, reason: 'another one' }, 'one');
  expect([other.status, other.json.code]).toEqual([422, 'api/key-of-another-act']);
  const ofOther = await post('/acts', body, 'one', 'admin');
  expect([ofOther.status, ofOther.json.code]).toEqual([422, 'fix/too-late']);
});

test('a selection that changed since the look is left as it is', async () => {
  const looked = await post('/look', { act: 'reprocess', selector: { ids: ['W3', 'W4'] } });
  await commandIn(scene, 'fix', 'W3', 'Qte=1O', ...WHY);
  const refused = await post('/acts', { look: looked.json.look, reason: 'why' }, 'late');
  expect([refused.status, refused.json.code]).toEqual([409, 'api/changed-meanwhile']);
  expect([(await entryOf('W3')).revision, (await entryOf('W4')).revision]).toEqual([2, 1]);
  const { count, sha256 } = (await post('/look', replace('W4'))).json;
  const done = await post('/acts', { act: replace('W4'), expect: { count, sha256 }, reason: 'why' }, 'again');
  expect(done.json).toMatchObject({ state: 'done', documents: [{ number: 'W4', becomes: 'ready' }] });
});

test('a decision that the state does not allow is not recorded, also for documents by id', async () => {
  const doubtful = await entryOf('F3-XDROP');
  const done = ({ json }: Called) => json.documents.map(({ done, why }: { done: boolean; why: string }) => [done, why]);
  const act = async (body: object, key: string) => await post('/acts', { act: body, reason: 'why' }, key);
  expect(doubtful.state).toBe('in-doubt');
  const documents = [await seen('F3-XDROP')];
  expect(done(await act({ act: 'retry', documents }, 'r1'))).toEqual([[false, 'not-allowed']]);
  expect(done(await act({ act: 'resolve', as: 'authorized', documents }, 'r2'))).toEqual([[false, 'not-allowed']]);
  expect(done(await act({ act: 'retry', documents: [await seen('F1')] }, 'r3'))).toEqual([[false, 'not-allowed']]);
  expect(done(await act({ act: 'set-aside', documents: [{ ...(await seen('W5')), revision: 7 }] }, 'r4'))).toEqual([
    [false, 'changed-meanwhile'],
  ]);
  // Another submission can have ended in the same state.
  const earlier = { ...(await seen('W5')), since: '2026-11-20T22:30:00.000Z' };
  const edits = [{ row: (await entryOf('W5')).rows[0], column: 'Qte', from: '2O', to: '2' }];
  for (const body of [
    { act: 'set-aside', documents: [earlier] },
    { act: 'fix', documents: [{ ...earlier, edits }] },
    { act: 'reprocess', documents: [earlier] },
  ]) {
    const { json } = await act(body, `earlier-${body.act}`);
    expect(JSON.stringify(json.documents)).toContain('changed-meanwhile');
  }
  const undone = await act({ act: 'undo', document: { ...(await seen('W1')), since: earlier.since } }, 'earlier-undo');
  expect(undone.json).toMatchObject({ outcome: 'moved-on' });
  const unseen = { id: earlier.id, revision: earlier.revision, state: earlier.state };
  for (const body of [
    { act: 'set-aside', documents: [unseen] },
    { act: 'undo', document: unseen },
  ]) {
    const { status, json } = await act(body, `unseen-${body.act}`);
    expect([status, json.code, JSON.stringify(json.errors)]).toEqual([
      400,
      'api/not-fitting',
      expect.stringContaining('since'),
    ]);
  }
  expect((await entryOf('F3-XDROP')).state).toBe('in-doubt');
  const byState = await post('/look', { act: 'retry', selector: { state: ['in-doubt'] } });
  expect([byState.status, byState.json.code]).toEqual([422, 'retry/in-doubt']);
  const { json } = await post('/look', { act: 'resolve', as: 'authorized', selector: { ids: ['F3-XDROP'] } });
  expect(json).toMatchObject({ count: 0, documents: [], leftOut: [{ number: 'F3-XDROP', state: 'in-doubt' }] });
});

test('a person looks once at a time, because a look reads whole exports', async () => {
  const looks = await Promise.all(Array.from({ length: 6 }, () => post('/look', replace('W5'))));
  const codes = new Set(looks.map(({ status, json }) => `${status} ${json.code ?? ''}`));
  expect(codes).toEqual(new Set(['200 ', '429 api/busy']));
  expect((await post('/look', replace('W5'))).status).toBe(200);
});

test('a fix of a selection by its cause replaces the value of the cause, as the command does', async () => {
  const cause = 'map/not-a-number:sales@Qte=2O';
  const look = async (cells: readonly string[]) =>
    (await post('/look', { act: 'fix', selector: { cause }, cells })).json as {
      readonly code?: string;
      readonly documents: readonly { readonly number: string }[];
    };
  const { documents } = await look(['Qte=20']);
  expect(documents.map(({ number }) => number)).toContain('W5');
  expect((await look(['Client=Other'])).code).toBe('fix/no-former');
});

test('what is no act is refused, and nothing is done', async () => {
  const status = async (body: object, key?: string, role?: 'viewer') => {
    const { status: found, json } = await post('/acts', body, key, role);
    return [found, json.code];
  };
  const act = { act: 'set-aside', documents: [await seen('W5')] };
  expect(await status({ act, reason: 'why' }, 'k', 'viewer')).toEqual([403, undefined]);
  expect(await status({ act, reason: 'why' })).toEqual([400, 'api/no-key']);
  expect(await status({ act, reason: ' ' }, 'k')).toEqual([400, 'api/not-fitting']);
  expect(await status({ act: { ...act, by: 'another' }, reason: 'why' }, 'k')).toEqual([400, 'api/not-fitting']);
  const { json: wrong } = await post(
    '/acts',
    { act: { ...act, documents: [{ id: 'x', revision: 1 }] }, reason: 'why' },
    'k',
  );
  expect(wrong.errors).toMatchObject([{ at: '/act/documents/0/state' }]);
  expect(await status({ look: 'bm9uZQ', reason: 'why' }, 'k')).toEqual([409, 'api/changed-meanwhile']);
  expect((await post('/look', { act: 'set-aside', selector: {} })).json.code).toBe('select/nothing-named');
  expect((await post('/look', { ...replace(), selector: { state: ['invalid'] }, from: undefined })).json.code).toBe(
    'fix/no-former',
  );
  const { id: file } = (await entryOf('F1')).file;
  for (const name of ['reprocess-file', 'set-file-aside'])
    expect(await status({ act: { act: name, file }, reason: 'why' }, name)).toEqual([404, 'select/no-such-document']);
  const waive = { act: 'waive', export: 'none', due: '2026-11-22T01:00:00Z' };
  expect(await status({ act: waive, reason: 'why' }, 'w')).toEqual([422, 'waive/unknown-export']);
  const unknown = await api.call('/acts/api-none');
  expect([unknown.status, unknown.json.code]).toEqual([404, 'api/unknown-act']);
  expect((await entryOf('W5')).state).toBe('invalid');
  expect((await entryOf('W5')).closed).toBeUndefined();
});

test('next to another program an act waits, and is done when that one ends', async () => {
  const body = { act: { act: 'set-aside', documents: [await seen('W5')] }, reason: 'why' };
  const { promise, resolve } = Promise.withResolvers<void>();
  // The act of the test before may still let go of the lock.
  let isHeld = false;
  const hold = async () => {
    isHeld = true;
    await promise;
  };
  const held = vi.waitFor(() => scene.desk(hold), { timeout: 60_000 });
  endWithTest({ abort: () => resolve() }, [held]);
  await expect.poll(() => isHeld).toBe(true);
  const waiting = await post('/acts', body, 'wait');
  expect([waiting.status, waiting.json.state]).toEqual([202, 'waiting']);
  expect((await post('/acts', body, 'wait')).json).toEqual(waiting.json);
  resolve();
  await held;
  await expect.poll(async () => (await api.call(`/acts/${waiting.json.id}`)).json.state).toBe('done');
  expect((await entryOf('W5')).evidence).toMatchObject({ by: 'erp-operator', reason: 'why' });
});

test('the result of a decision has the state that the document is in, also where it is set aside in its own', async () => {
  const act = { act: 'set-aside', documents: [await seen('F4-X6')] };
  const { json } = await post('/acts', { act, reason: 'billed by hand' }, 'aside');
  const { state } = await entryOf('F4-X6');
  expect(json.documents).toMatchObject([{ was: 'rejected', is: state, done: true }]);
  const headers = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, `${open.base}/acts/${json.id}`, { headers });
  expect(body).toContain(`action="${open.base}/acts/${json.id}/undo"`);
});
