/** Every role and every route, and every link and form that a page shows to a role: all of them are read from the routing table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSOLE_ROLES, type ConsoleRole, roleHas } from '../../src/console/people/person.ts';
import { CONSOLE_ROUTES } from '../../src/console/route-table.ts';
import type { ScreenRoute } from '../../src/console/server/screen-context.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;

beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes1.csv', sales(['A1', 'A2']));
  scene.drop('ventes2.csv', sales(['B1', 'B2']).replaceAll(';2;10,50', ';zwei;10,50'));
  scene.drop('ventes3.csv', 'Num;Date\nX1;05/09/2026\n');
  expect((await commandIn(scene, 'run')).code).toBe(3);
  open = await openConsoleOf(scene);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

type Sent = { readonly cookie?: string; readonly csrf?: string };

/** Only the head of the answer is waited for: events have no end. */
async function send({ method, path, kind }: ScreenRoute, { cookie, csrf = '' }: Sent) {
  const address = `http://127.0.0.1:${open.port}${open.base}${path.replaceAll(/:\w+(?:\{[^}]*\})?/g, 'none')}`;
  const isApi = kind === 'api';
  const type = isApi ? 'application/json' : 'application/x-www-form-urlencoded';
  const answer = await fetch(address, {
    method,
    redirect: 'manual',
    headers: { ...SAME_ORIGIN, ...(cookie && { cookie }), ...(method === 'POST' && { 'content-type': type }) },
    ...(method === 'POST' && { body: isApi ? '{}' : new URLSearchParams({ csrf }).toString() }),
  });
  await answer.body?.cancel();
  return answer.status;
}

async function read(path: string, cookie: string) {
  const answer = await fetch(`http://127.0.0.1:${open.port}${path}`, { redirect: 'manual', headers: { cookie } });
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
  const body = isPage ? await answer.text() : '';
  if (!isPage) await answer.body?.cancel();
  return { status: answer.status, body };
}

const NAMED = CONSOLE_ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route }));

test('without a session no route answers: a page leads to the sign-in, the rest is 401', async () => {
  for (const { name, route } of NAMED) {
    const isPage = route.method === 'GET' && route.kind !== 'api';
    expect([name, await send(route, {})]).toEqual([name, isPage ? 303 : 401]);
  }
});

test('a person who may only look changes nothing but the own account', () => {
  const changes = CONSOLE_ROUTES.filter(({ method, right, kind }) => method === 'POST' && right === 'view' && !kind);
  expect(changes.map(({ path }) => path).sort()).toEqual(['/account/password', '/account/sessions', '/preferences']);
});

describe.each(CONSOLE_ROLES)('%s', (role) => {
  test('gets 403 from each route without the right, and from no other', async () => {
    const { cookie } = await signInAs(scene, open, role, `routes-${role}`);
    const csrf = csrfIn((await read(`${open.base}/account`, cookie)).body);
    expect(csrf).not.toBe('');
    for (const { name, route } of NAMED) {
      const status = await send(route, { cookie, csrf });
      const isRefused = status === 403;
      expect([name, isRefused], `${status}`).toEqual([name, !roleHas(role, route.right)]);
      expect(status, name).toBeLessThan(500);
      expect(status, name).not.toBe(401);
    }
    expect(open.defects).toEqual([]);
  });

  test('every link that a page shows leads to an answer, and every form to a route that the role may use', async () => {
    const { cookie } = await signInAs(scene, open, role, `links-${role}`);
    const seen = new Set<string>();
    const queue = [`${open.base}/`];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      const { status, body } = await read(path, cookie);
      expect([path, status]).toEqual([path, 200]);
      for (const href of attributes(body, /<a\b[^>]*?\shref="([^"#]+)/g)) {
        if (!href.startsWith(`${open.base}/`) || seen.has(shapeOf(href)) || isLater(href)) continue;
        seen.add(shapeOf(href));
        queue.push(href);
      }
      for (const action of attributes(body, /<form\b[^>]*?\smethod="post"[^>]*?\saction="([^"#]+)/g))
        expect([path, action, mayPost(role, action.split('?')[0]!)]).toEqual([path, action, true]);
    }
    expect(seen.size).toBeGreaterThan(5);
    expect(open.defects).toEqual([]);
  }, 120_000);
});

function attributes(body: string, pattern: RegExp): readonly string[] {
  return [...body.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
}

/** Lists name the page of a document before there is one. */
function isLater(href: string): boolean {
  const isDocument = /\/documents\/[^/?]+(?:\?|$)/.test(href);
  return isDocument && !CONSOLE_ROUTES.some(({ path }) => /^\/documents\/:/.test(path));
}

/** Pages of one list differ by a key alone: one of them is enough. */
function shapeOf(href: string): string {
  const { pathname, searchParams } = new URL(href, 'http://console.test');
  return [pathname, ...[...searchParams.keys()].sort()].join(' ');
}

function mayPost(role: ConsoleRole, action: string): boolean {
  const path = action.slice(open.base.length);
  if (path === '/sign-out') return true;
  const route = CONSOLE_ROUTES.find(
    (one) => one.method === 'POST' && new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );
  return route !== undefined && roleHas(role, route.right);
}
