/** Decisions that wait for another person, in the pages and the API of the console. Real server, real queue, no browser. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import { findAskedAct } from '../../src/decisions/requests/submitted-acts.ts';
import { lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { type Api, openApi } from './api-client.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let api: Api;

beforeAll(async () => {
  const run = { hold: { over: { EUR: '60' } }, 'give-up-after': '1s' };
  const decisions = { 'two-people': { above: { EUR: 60 } } };
  scene = await openScene({ settings: { run, decisions } });
  scene.drop('ventes-1.csv', sales(['H1', 'H2', 'H3', 'H4', 'H5'], '3'));
  await scene.night();
  open = await openConsoleOf(scene);
  api = await openApi(scene, open);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** Without the lock, which an act may still have when its answer is there. */
async function entryOf(number: string) {
  await using ledger = await lookIntoLedgerOf(scene.instance());
  for await (const entry of ledger.queries.find({})) if (entry.facts.identifier === number) return entry;
  throw new Error(`no ${number}`);
}

async function asks(number: string, key: string, role: 'operator' | 'admin' = 'operator') {
  const { id, revision, state, since } = await entryOf(number);
  const body = { act: { act: 'release', documents: [{ id, revision, state, since }] }, reason: 'checked' };
  const answer = await api.call('/acts', { role, body, headers: { 'idempotency-key': key } });
  expect(api.misfit('post', '/acts', answer), answer.text).toBeNull();
  return answer;
}

async function says(id: string, as: 'approved' | 'refused', role: 'operator' | 'admin' | 'viewer') {
  const answer = await api.call(`/acts/${id}/approval`, { role, body: { as, reason: 'agreed' } });
  expect(api.misfit('post', '/acts/:id/approval', answer), answer.text).toBeNull();
  return answer;
}

test('by the API an act waits, is listed, and is approved by another account alone', async () => {
  const asked = await asks('H1', 'one');
  const { id } = asked.json;
  expect([asked.status, asked.json]).toMatchObject([202, { state: 'approval', waitsFor: [{ number: 'H1' }] }]);
  expect((await asks('H1', 'one')).json).toEqual(asked.json);
  expect((await api.call(`/acts/${id}`)).json).toEqual(asked.json);
  const list = await api.call('/approvals');
  expect(api.misfit('get', '/approvals', list)).toBeNull();
  expect(list.json.acts).toMatchObject([{ id, by: 'erp-operator', documents: 1 }]);
  expect((await says(id, 'approved', 'viewer')).status).toBe(403);
  expect((await says(id, 'approved', 'operator')).json.code).toBe('approval/same-person');
  expect((await entryOf('H1')).state).toBe('held');
  expect((await says(id, 'approved', 'admin')).json).toMatchObject({ state: 'done', documents: [{ done: true }] });
  expect((await entryOf('H1')).evidence).toMatchObject({ by: 'erp-operator', approvedBy: 'erp-admin' });
  expect((await says(id, 'refused', 'admin')).json.code).toBe('approval/not-waiting');
});

test('on the pages another person sees before and after, approves or refuses, and the own act is withdrawn', async () => {
  const first = (await asks('H2', 'two')).json.id as string;
  const second = (await asks('H3', 'three')).json.id as string;
  const pages = async (name: string, role: 'operator' | 'viewer' = 'operator') => {
    const session = await signInAs(scene, open, role, name);
    const get = async (path: string) => (await ask(open, `${open.base}${path}`, { headers: session })).body;
    const csrf = csrfIn(await get('/account'));
    const post = (path: string, form: { readonly [field: string]: string }) =>
      ask(open, `${open.base}${path}`, { headers: { ...session, ...SAME_ORIGIN }, form: { csrf, ...form } });
    return { get, post };
  };
  const anna = await pages('anna');
  expect(await anna.get('/')).toContain('2 decisions wait for approval');
  expect(await anna.get('/acts')).toContain('erp-operator');
  const page = await anna.get(`/acts/${first}`);
  expect(page).toContain('name="as" value="refused"');
  expect(page).toMatch(/75[.,]60 EUR/);
  const viewer = await pages('vera', 'viewer');
  expect(await viewer.get(`/acts/${first}`)).not.toContain('id="approval"');
  expect(await viewer.get('/')).not.toContain('wait for approval');
  expect((await anna.post(`/acts/${first}/approval`, { reason: ' ' })).status).toBe(400);
  expect((await anna.post(`/acts/${first}/approval`, { reason: 'x', as: 'other' })).status).toBe(400);
  expect((await anna.post(`/acts/${first}/approval`, { reason: 'agreed' })).status).toBe(303);
  expect((await entryOf('H2')).evidence).toMatchObject({ approvedBy: 'anna' });
  expect((await anna.post(`/acts/${first}/approval`, { reason: 'agreed' })).status).toBe(409);
  expect((await anna.post(`/acts/${second}/approval`, { reason: 'no', as: 'refused' })).status).toBe(303);
  expect((await findAskedAct(scene.instance(), second))?.answer).toMatchObject({ error: { code: 'approval/refused' } });
  expect((await entryOf('H3')).state).toBe('held');
  const third = (await asks('H3', 'four')).json.id as string;
  const own = await pages('erp-operator');
  const shown = await own.get(`/acts/${third}`);
  expect(shown).toContain('you can withdraw it');
  expect(shown).not.toContain('nightpost approve');
  expect((await own.post(`/acts/${third}/approval`, { reason: 'mine' })).status).toBe(409);
  expect((await own.post(`/acts/${third}/approval`, { reason: 'mine', as: 'refused' })).status).toBe(303);
  expect((await findAskedAct(scene.instance(), third))?.answer).toMatchObject({
    error: { code: 'approval/withdrawn' },
  });
  expect(open.defects).toEqual([]);
});

test('who made the account, a link or a token of a person is not another person, and who made both does no harm', async () => {
  using people = openPeople(scene.root);
  const by = (name: string) => ({ name, address: 'local' });
  const boss = people.named('erp-admin')!;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const approves = async (id: string, token: string) =>
    await api.call(`/acts/${id}/approval`, { headers: bearer(token), body: { as: 'approved', reason: 'agreed' } });
  const { id } = (await asks('H4', 'four', 'admin')).json;
  people.add('ghost', 'operator', by(boss.name), 'en');
  expect((await approves(id, people.makeToken('ghost', by('ghost')))).json.code).toBe('approval/same-person');
  people.add('vera-two', 'operator', by('hr'), 'en');
  expect((await approves(id, people.makeToken('vera-two', by(boss.name.toUpperCase())))).json.code).toBe(
    'approval/same-person',
  );
  people.add('aide', 'admin', by(boss.name), 'en');
  people.add('ghost-of-aide', 'operator', by('aide'), 'en');
  const token = people.makeToken('ghost-of-aide', by('aide'));
  expect((await approves(id, token)).json.code).toBe('approval/same-person');
  expect((await entryOf('H4')).state).toBe('held');
  // The other way round: what the account asks for, its maker does not approve.
  const { id: asked, revision, state, since } = await entryOf('H5');
  const body = { act: { act: 'release', documents: [{ id: asked, revision, state, since }] }, reason: 'checked' };
  const second = await api.call('/acts', { body, headers: { ...bearer(token), 'idempotency-key': 'five' } });
  expect((await says(second.json.id, 'approved', 'admin')).json.code).toBe('approval/same-person');
  people.add('anna-of-hr', 'operator', by('hr'), 'en');
  expect((await approves(second.json.id, people.makeToken('anna-of-hr', by('hr')))).json.state).toBe('done');
  expect((await approves(id, people.makeToken('anna-of-hr', by('hr')))).json.state).toBe('done');
});

test('a person who was revoked and comes back has the makers of before', () => {
  using people = openPeople(scene.root);
  const by = (name: string) => ({ name, address: 'local' });
  people.add('first-aide', 'admin', by('erp-admin'), 'en');
  people.add('second-aide', 'admin', by('first-aide'), 'en');
  people.revoke('first-aide', by('second-aide'));
  people.add('first-aide', 'admin', by('second-aide'), 'en');
  expect(people.keysOf(people.named('first-aide')!).makers).toContain('erp-admin');
});

test('a file of people of before knows the makers from its history', async () => {
  {
    using people = openPeople(scene.root);
    people.add('old', 'operator', { name: 'maker-one', address: 'local' }, 'en');
    people.makeLink('old', { name: 'maker-two', address: 'local' });
  }
  {
    using db = new DatabaseSync(join(scene.root, 'state/people.sqlite'));
    db.exec('DROP TABLE maker');
  }
  using people = openPeople(scene.root);
  expect(people.keysOf(people.named('old')!).makers?.toSorted()).toEqual(['maker-one', 'maker-two']);
});
