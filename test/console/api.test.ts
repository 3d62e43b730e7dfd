/** The API, as a program uses it: a real server on loopback, and each answer held against the schema that it publishes. */

import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_TABLE } from '../../src/console/api/api-table.ts';
import { openPeople } from '../../src/console/people/people.ts';
import { askStudio } from '../../src/console/screens/mappings/studio-service.ts';
import { problemJson } from '../../src/console/server/console-answers.ts';
import type { ScreenContext } from '../../src/console/server/screen-context.ts';
import { API_ERROR } from '../../src/i18n/messages/console/console-api-messages.ts';
import { sha256Hex } from '../../src/text/sha256.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { type Api, openApi } from './api-client.ts';
import { ask, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let api: Api;
const by = { name: 'test', address: 'local' };

beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  scene.drop('ventes-2.csv', sales(['F3']).replaceAll('10,50', '1O,50'));
  scene.drop('ventes-3.csv', 'Num;Date\nF4;05/09/2026\n');
  await commandIn(scene, 'run');
  open = await openConsoleOf(scene);
  api = await openApi(scene, open);
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

const get = (path: string) => api.call(path);

async function idOf(number: string): Promise<string> {
  return (await scene.entries()).find(({ facts }) => facts.identifier === number)!.id;
}

test('the document is valid OpenAPI 3.1 and describes every route', async () => {
  const { json } = await get('/openapi.json');
  const { valid, errors } = await new Validator().validate(json);
  expect(errors ?? [], JSON.stringify(errors)).toEqual([]);
  expect(valid).toBe(true);
  const { paths, servers } = json as { paths: { [path: string]: object }; servers: { url: string }[] };
  const described = Object.entries(paths).flatMap(([path, of]) => Object.keys(of).map((method) => `${method} ${path}`));
  const routed = API_TABLE.map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(routed.toSorted());
  const page = readFileSync(new URL('../../docs/reference/api.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(GET|POST) ([^?`]+)/gm)].map(([, method, path]) => `${method} ${path}`);
  const named = API_TABLE.map(
    ({ method, path }) => `${method} ${path.replace(/^(\/documents\/):id/, '$1DOC').replace(':id', 'ID')}`,
  );
  expect(listed.toSorted()).toEqual(named.filter((one) => !one.endsWith('openapi.json')).toSorted());
  expect(servers).toEqual([{ url: `${open.base}/api/v1` }]);
});

test('every answer of every question is as the document says', async () => {
  const asked: { readonly [route: string]: readonly string[] } = {
    '/status': [''],
    '/night': ['', '?run=none'],
    '/documents': [
      '',
      '?state=authorized,invalid&limit=1',
      '?customer=Client&warnings=true',
      '?limit=0',
      '?after=none',
    ],
    '/documents/:id': ['F1', 'F3', 'none'],
    '/documents/:id/lineage': ['F1', 'F3?mapping=now', 'F1?mapping=later'],
    '/documents/:id/cells': ['F1', 'none'],
    '/documents/:id/attempts': ['F1'],
    '/documents/:id/history': ['F3'],
    '/causes': ['', '?group=file', '?state=invalid&mapping=sales', '?group=none'],
    '/files': ['', '?limit=1&since=2020-01-01', '?since=soon'],
    '/runs': ['?last=1', '?last=none'],
    '/find': ['?q=F1', '?q=ventes', ''],
    '/acts/:id': ['none'],
    '/approvals': [''],
    '/openapi.json': ['', '?x=1'],
  };
  const questions = API_TABLE.filter(({ method, answers }) => method === 'GET' && typeof answers[200] === 'object');
  expect(Object.keys(asked).toSorted()).toEqual(questions.map(({ path }) => path).toSorted());
  const statuses: { [path: string]: number } = {};
  for (const [route, each] of Object.entries(asked)) {
    for (const one of each) {
      const path = route.includes(':id')
        ? route.replace(/:id(.*)/, (_, rest) => one.replace(/^([^?]*)/, `$1${rest}`))
        : route + one;
      const answer = await get(path);
      expect(api.misfit('get', route, answer), `${path} ${answer.text}`).toBeNull();
      statuses[path] = answer.status;
    }
  }
  // Two values of what has one are no third value.
  expect((await get('/documents?customer=A&customer=B')).status).toBe(400);
  expect((await get('/documents?state=authorized&state=invalid')).status).toBe(200);
  expect((await get('/documents?limit=0&x=1')).json).toMatchObject({
    code: 'api/not-fitting',
    errors: [{ at: '/limit' }, { at: '' }],
  });
  const refused = Object.entries(statuses).filter(([, status]) => status !== 200);
  expect(Object.fromEntries(refused)).toEqual({
    '/night?run=none': 404,
    '/documents?limit=0': 400,
    '/documents?after=none': 422,
    '/documents/none': 404,
    '/documents/F1/lineage?mapping=later': 400,
    '/documents/none/cells': 404,
    '/causes?group=none': 400,
    '/files?since=soon': 400,
    '/runs?last=none': 400,
    '/find': 400,
    '/acts/none': 404,
    '/openapi.json?x=1': 400,
  });
});

test('what the API shows is what --json prints', async () => {
  const printed = async (...args: string[]) => JSON.parse((await commandIn(scene, '--json', ...args)).out);
  expect((await get('/documents')).json).toEqual(await printed('list'));
  expect((await get('/documents/F1')).json).toEqual(await printed('show', 'F1'));
  expect((await get('/find?q=F3')).json).toEqual(await printed('find', 'F3'));
  expect((await get('/runs')).json).toEqual(await printed('runs'));
  const { guard, ...status } = (await get('/status')).json as { guard: object };
  const { guard: _, ...own } = await printed('status');
  expect(status).toEqual(own);
  const { groups } = (await get('/causes')).json as { groups: object[] };
  const expected = await printed('errors', '--group');
  expect(groups).toEqual(expected.groups.map(({ whatToDo: _, ...group }: { whatToDo: string }) => group));
  const { text } = await get('/documents/F1/payload');
  expect(sha256Hex(text)).toBe((await printed('show', 'F1')).payload.sha256);
  using people = openPeople(scene.root);
  expect(people.events(20)).toContainEqual(
    expect.objectContaining({ what: 'payload-seen', name: 'erp-viewer', detail: { document: await idOf('F1') } }),
  );
});

test('a preview is what the mapping makes of a file, as it is or as another text; bounded, for who may change mappings', async () => {
  const { files } = (await get('/files')).json as { files: { id: string; name: string }[] };
  const file = files.find(({ name }) => name === 'ventes-1.csv')!.id;
  const preview = async (body: object, role: 'viewer' | 'consultant' = 'consultant', language = 'en') => {
    const answer = await api.call('/preview', {
      role,
      body: { mapping: 'sales', ...body },
      headers: { 'accept-language': language },
    });
    expect(api.misfit('post', '/preview', answer), answer.text).toBeNull();
    return answer;
  };
  expect((await preview({ file, document: 2 })).json).toMatchObject({
    number: 2,
    document: { identifier: 'F2', valid: true },
  });
  const text = scene.read('mappings/sales.yaml');
  const sample = { name: 'mine.csv', content: Buffer.from(sales(['Z9'])).toString('base64') };
  const upper = await preview({ sample, text: text.replace('name: $Client', 'name: = UPPER($Client)') });
  expect(upper.json.document.fields).toContainEqual(
    expect.objectContaining({ at: '/receiver/name', value: '"CLIENT Z9"' }),
  );
  const wrong = await preview({ file, text: text.replace('ROUND(', 'RUND(') });
  expect([wrong.status, wrong.json.findings.length > 0, wrong.json.number]).toEqual([200, true, 0]);
  expect(scene.read('mappings/sales.yaml')).toBe(text);
  expect((await preview({ file }, 'viewer')).status).toBe(403);
  for (const [body, status] of [
    [{ file: 'none' }, 404],
    [{ file, mapping: 'none' }, 404],
    [{}, 400],
    [{ file, sample }, 400],
    [{ file, mapping: '../sales' }, 400],
    [{ sample: { ...sample, name: 'x.exe' } }, 422],
  ] as const) {
    expect([body, (await preview(body)).status]).toEqual([body, status]);
  }
});

test('a preview is refused with api/busy as long as eight others are at work, and then answered', async () => {
  const { settings } = scene.instance();
  const context = { instance: { folder: scene.root, settings }, language: 'en' } as unknown as ScreenContext;
  const text = scene.read('mappings/sales.yaml');
  const look = { do: 'look', text, file: 'mappings/sales.yaml', document: 1 } as const;
  let isOver = false;
  // Each is followed by the next at once, so that there are always eight.
  const others = Array.from({ length: 8 }, async () => {
    while (!isOver) await askStudio(context, look);
  });
  const sample = { name: 'mine.csv', content: Buffer.from(sales(['Z9'])).toString('base64') };
  const preview = () => api.call('/preview', { role: 'consultant', body: { mapping: 'sales', sample } });
  const busy = await preview();
  isOver = true;
  await Promise.all(others);
  expect([busy.status, busy.json.code, busy.type]).toEqual([429, 'api/busy', 'application/problem+json']);
  expect(api.misfit('post', '/preview', busy), busy.text).toBeNull();
  expect((await preview()).status).toBe(200);
});

test('429 names the seconds to wait, and words of shapes are in the language of the person', async () => {
  const busy = problemJson({ status: 429, message: API_ERROR.busy() }, 'fr');
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0);
  using people = openPeople(scene.root);
  people.add('erp-fr', 'viewer', by, 'fr');
  const authorization = `Bearer ${people.makeToken('erp-fr', by)}`;
  const messageOf = async (headers: object) =>
    ((await api.call('/runs?last=none', { headers: { ...headers } })).json as { errors: { message: string }[] })
      .errors[0]!.message;
  expect(await messageOf({ authorization })).not.toBe(await messageOf({}));
  const [own, other] = [
    await api.call('/night?run=none', { headers: { authorization } }),
    await get('/night?run=none'),
  ];
  expect([own.status, own.json.detail === other.json.detail]).toEqual([404, false]);
});

describe('at the door', () => {
  test.each<[string, { readonly [name: string]: string }, number, string]>([
    ['no token', { authorization: '' }, 401, '/status'],
    ['a wrong token', { authorization: `Bearer ${'x'.repeat(43)}` }, 401, '/status'],
    ['no such route', {}, 404, '/nothing'],
  ])('%s', async (_, headers, status, path) => {
    const answer = await api.call(path, { headers: { ...headers } });
    expect([answer.status, answer.type]).toEqual([status, 'application/problem+json']);
  });

  test('a cookie counts for a page of ours alone, and never next to a token', async () => {
    const session = await signInAs(scene, open, 'viewer');
    const status = async (headers: object) =>
      (await ask(open, `${open.base}/api/v1/status`, { headers: { ...session, ...headers } })).status;
    expect(await status(SAME_ORIGIN)).toBe(200);
    expect(await status({})).toBe(401);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await status({ ...SAME_ORIGIN, authorization: 'Bearer x' })).toBe(401);
  });

  test('words are in the language of the person, else in that of Accept-Language', async () => {
    using people = openPeople(scene.root);
    people.add('erp-any', 'viewer', by);
    const authorization = `Bearer ${people.makeToken('erp-any', by)}`;
    const detail = async (language: string) =>
      (
        (await api.call('/documents/none', { headers: { authorization, 'accept-language': language } })).json as {
          detail: string;
        }
      ).detail;
    expect(await detail('fr')).not.toBe(await detail('es'));
    expect((await api.call('/documents/none', { headers: { 'accept-language': 'fr' } })).json).toMatchObject({
      code: 'select/no-such-document',
      detail: await detail('en'),
    });
  });
});
