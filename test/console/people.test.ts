/** The pages about people, in a real browser: access, links and tokens that are shown once, the own account. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { openScene, type Scene } from '../night.ts';
import { closeBrowser, openPage, type View } from './browser.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;

beforeAll(async () => {
  scene = await openScene({ settings: { company: 'Exemple SARL' } });
  open = await openConsoleOf(scene);
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function visit(path: string, role: ConsoleRole, name: string, view: View = {}) {
  const address = `http://127.0.0.1:${open.port}${open.base}${path}`;
  const { cookie } = await signInAs(scene, open, role, name);
  const [key = '', value = ''] = cookie.split('=');
  return await openPage(address, { ...view, cookies: [{ name: key, value, url: address }] });
}

const post = (path: string, cookie: string, form: { readonly [name: string]: string }) =>
  ask(open, `${open.base}${path}`, { headers: { ...SAME_ORIGIN, cookie }, form });

test('without script an administrator adds a person, whose link signs in once; a role ends the session', async () => {
  await using visited = await visit('/people', 'admin', 'anne', { script: false });
  const { page } = visited;
  await page.locator('#name').fill('marie');
  await page.locator('#role').selectOption('operator');
  await page.locator('#language').selectOption('fr');
  await page.locator('form[action$="/people"] button[type=submit]').click();
  await expect.poll(() => page.locator('h1').innerText()).toBe('marie');
  const link = new URL(await page.locator('#status .secret').innerText());
  expect([link.port, link.pathname]).toEqual([String(open.port), `${open.base}/login`]);
  const token = link.hash.slice('#t='.length);
  const signIn = () => ask(open, link.pathname, { headers: SAME_ORIGIN, form: { token, next: '/' } });
  const first = await signIn();
  expect([first.status, (await signIn()).status]).toEqual([303, 401]);
  const headers = { cookie: first.cookie ?? '' };
  expect((await ask(open, `${open.base}/`, { headers })).body).toContain('<html lang="fr"');

  // What was shown once is on no page that is asked for later.
  using people = openPeople(scene.root);
  const marie = people.named('marie')!;
  await page.goto(`http://127.0.0.1:${open.port}${open.base}/people/${marie.id}`);
  expect(await page.content()).not.toContain(token);
  expect(await page.locator('#sessions ~ *, section[aria-labelledby=sessions] tbody tr').count()).toBeGreaterThan(0);
  await page.locator('#role').selectOption('viewer');
  await page.locator('form[action$="/role"] button[type=submit]').click();
  await expect.poll(() => page.url()).toContain('done=role');
  expect(people.withId(marie.id)?.role).toBe('viewer');
  expect((await ask(open, `${open.base}/`, { headers })).status).toBe(303);
  expect(people.events(2, { person: marie.id }).map(({ what }) => what)).toEqual(['role-changed', 'signed-in']);
  expect(people.events(1, { person: marie.id })[0]?.detail).toEqual({ by: 'anne', from: 'operator', to: 'viewer' });
});

test('a name that exists is refused on the page, with nothing changed', async () => {
  const { cookie } = await signInAs(scene, open, 'admin', 'anne');
  const csrf = csrfIn((await ask(open, `${open.base}/people`, { headers: { cookie } })).body);
  const answer = await post('/people', cookie, { csrf, name: 'ANNE', role: 'viewer' });
  expect(answer.status).toBe(200);
  expect(answer.body).toContain('has access already; nothing was changed');
  using people = openPeople(scene.root);
  expect(people.named('anne')?.role).toBe('admin');
});

test('administrators change neither their own role nor their own access: one always stays', async () => {
  const { cookie } = await signInAs(scene, open, 'admin', 'anne');
  using people = openPeople(scene.root);
  const anne = people.named('anne')!;
  const csrf = csrfIn((await ask(open, `${open.base}/people/${anne.id}`, { headers: { cookie } })).body);
  expect((await post(`/people/${anne.id}/revoke`, cookie, { csrf })).status).toBe(403);
  expect((await post(`/people/${anne.id}/role`, cookie, { csrf, role: 'viewer' })).status).toBe(403);
  expect(people.named('anne')?.role).toBe('admin');
});

test('a revoked person is out at once, with the token of the API; the history stays', async () => {
  const { cookie } = await signInAs(scene, open, 'admin', 'anne');
  using people = openPeople(scene.root);
  const luc = await signInAs(scene, open, 'operator', 'luc');
  const { id } = people.named('luc')!;
  const csrf = csrfIn((await ask(open, `${open.base}/people`, { headers: { cookie } })).body);
  const made = await post(`/people/${id}/token`, cookie, { csrf });
  const bearer = /class="secret">([\w-]{43})</.exec(made.body)?.[1] ?? '';
  const api = () => ask(open, `${open.base}/api/v1/status`, { headers: { authorization: `Bearer ${bearer}` } });
  expect((await api()).status).toBe(200);
  expect((await post(`/people/${id}/revoke`, cookie, { csrf })).status).toBe(303);
  expect([(await api()).status, (await ask(open, `${open.base}/`, { headers: luc })).status]).toEqual([401, 303]);
  expect((await ask(open, `${open.base}/people/${id}`, { headers: { cookie } })).body).toContain('access revoked');
});

test('the own password needs the current one, and ends all sessions; others are ended one by one', async () => {
  const first = await signInAs(scene, open, 'viewer', 'paul');
  const second = await signInAs(scene, open, 'viewer', 'paul');
  using people = openPeople(scene.root);
  const paul = people.named('paul')!;
  const csrf = csrfIn((await ask(open, `${open.base}/account`, { headers: first })).body);
  const state = async ({ cookie }: { readonly cookie: string }) =>
    (await ask(open, `${open.base}/account`, { headers: { cookie } })).status;
  await post('/account/sessions', first.cookie, { csrf });
  expect([await state(first), await state(second)]).toEqual([200, 303]);
  const set = async (form: { readonly [name: string]: string }) =>
    (await post('/account/password', first.cookie, { csrf, ...form })).status;
  const [fresh, other] = ['une phrase assez longue', 'une autre phrase longue'];
  expect(await set({ password: fresh, again: other })).toBe(200);
  expect(people.hasPassword(paul.id)).toBe(false);
  expect(await set({ password: fresh, again: fresh })).toBe(303);
  expect(await state(first)).toBe(303);

  const third = await signInAs(scene, open, 'viewer', 'paul');
  const fields = { csrf: csrfIn((await ask(open, `${open.base}/account`, { headers: third })).body), again: other };
  const refused = await post('/account/password', third.cookie, { ...fields, password: other, current: 'guessed' });
  expect(refused.status).toBe(200);
  expect(people.events(1, { person: paul.id })[0]?.what).toBe('password-refused');
  expect(await people.personOfPassword('paul', fresh)).toMatchObject({ id: paul.id });
  expect((await post('/account/password', third.cookie, { ...fields, password: other, current: fresh })).status).toBe(
    303,
  );
  expect(await people.personOfPassword('paul', other)).toMatchObject({ id: paul.id });
});

test('the history has pages by key, without an event twice', async () => {
  using people = openPeople(scene.root);
  for (let n = 0; n < 60; n++) people.record({ what: 'sign-in-failed', name: `someone ${n}`, address: '10.0.0.1' });
  const { cookie } = await signInAs(scene, open, 'admin', 'anne');
  const names: string[] = [];
  let path: string | undefined = `${open.base}/people`;
  for (let page = 0; page < 3 && path; page++) {
    const { body }: { readonly body: string } = await ask(open, path, { headers: { cookie } });
    names.push(...[...body.matchAll(/>(someone \d+)</g)].map(([, name = '']) => name));
    path = /rel="next" href="([^"#]+)/.exec(body)?.[1];
  }
  expect(names).toEqual(Array.from({ length: 60 }, (_, n) => `someone ${59 - n}`));
});
