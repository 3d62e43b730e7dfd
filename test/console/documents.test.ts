/** The list of documents, its exports and the search over a real night: what they show is what the ledger has. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { closeBrowser, openPage, stepsOf, type View } from './browser.ts';
import { ask, openConsoleOf, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let headers: { readonly [name: string]: string };

beforeAll(async () => {
  scene = await openScene();
  const numbers = Array.from({ length: 510 }, (_, at) => `A${at + 100}`);
  scene.drop('ventes1.csv', sales(numbers));
  const hostile = sales(['B1']).replaceAll('Client B1', '"=HYPERLINK(""http://x"",""<img src=x onerror=alert(1)>"")"');
  scene.drop('ventes2.csv', hostile.replaceAll(';2;10,50', ';zwei;10,50'));
  await scene.night();
  open = await openConsoleOf(scene);
  const { cookie } = await signInAs(scene, open, 'viewer');
  headers = { cookie };
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function visit(path: string, view: View = {}) {
  const [name = '', value = ''] = headers.cookie!.split('=');
  const url = `http://127.0.0.1:${open.port}${open.base}`;
  return await openPage(`${url}${path}`, { ...view, cookies: [{ name, value, url }] });
}
const get = (path: string) => ask(open, `${open.base}${path}`, { headers });

test('pages by key have each document once, and the filter stays in the address', async () => {
  await using visited = await visit('/documents?state=authorized', { script: false });
  const { page } = visited;
  const names = async () => await page.locator('tbody th').allInnerTexts();
  const seen: string[] = [];
  for (;;) {
    const shown = await names();
    expect(shown.length).toBeLessThanOrEqual(100);
    seen.push(...shown);
    expect(new URL(page.url()).searchParams.get('state')).toBe('authorized');
    const next = page.locator('a[rel=next]');
    if ((await next.count()) === 0) break;
    await next.click();
  }
  expect([seen.length, new Set(seen).size]).toEqual([510, 510]);
  expect(await page.locator('.terminal code').innerText()).toBe('nightpost list --state authorized');
});

test.each([
  ['state=invalid', ['B1']],
  ['state=invalid,held', ['B1']],
  ['state=invalid&state=held', ['B1']],
  ['customer=client+a105', ['A105']],
  ['file=ventes2', ['B1']],
  ['file=ventes2&state=authorized', []],
  ['day=1999-01-01', []],
  ['since=2099-01-01', []],
  ['warnings=1&mapping=sales', []],
])('the filter %s', async (search, numbers) => {
  const { status, body } = await get(`/documents.json?${search}`);
  expect(status).toBe(200);
  const { documents, next } = JSON.parse(body);
  expect([documents.map(({ number }: { number: string }) => number), next]).toEqual([numbers, null]);
});

test.each([
  'state=gone',
  'day=2026-13-40',
  'amount=much',
  'since=soon',
  'mapping=nobody',
  'run=never',
  'after=nothing',
])('the wrong filter %s is no list of all documents', async (search) => {
  const { status, body } = await get(`/documents?${search}`);
  expect(status).toBe(200);
  expect(body).toContain('Nothing was listed.');
  expect(body).not.toContain('<tbody');
});

test('exports have every document of the filter; a cell is no formula', async () => {
  const json = JSON.parse((await get('/documents.json?')).body).documents as { number: string; counterparty: string }[];
  expect(json).toHaveLength(511);
  const csv = await get('/documents.csv?');
  expect(csv.headers['content-disposition']).toBe('attachment; filename="documents.csv"');
  const rows = parse(csv.body, { bom: true, columns: true }) as { [title: string]: string }[];
  expect(rows.map((row) => row.Document)).toEqual(json.map(({ number }) => number));
  const hostile = rows.find((row) => row.Document === 'B1');
  expect(hostile?.Customer).toBe(`'${json.find(({ number }) => number === 'B1')?.counterparty}`);
  expect(hostile?.Customer).toMatch(/^'=HYPERLINK/);
  expect((await get('/documents.csv?state=gone')).status).toBe(400);
});

test('T3: a number, an id or a tracking id leads to its document in one step', async () => {
  const entry = (await scene.entries()).find(({ facts }) => facts.identifier === 'A107')!;
  const to = `${open.base}/documents/${entry.id}`;
  for (const text of ['A107', entry.id, entry.answer!.trackingId!, entry.attempts[0]!.requestId, ' a107 ']) {
    const { status, headers: found } = await get(`/find?q=${encodeURIComponent(text)}`);
    expect([status, found.location], text).toEqual([303, to]);
  }
  await using visited = await visit('/documents');
  await visited.page.keyboard.press('/');
  await visited.page.keyboard.type('A107');
  await visited.page.keyboard.press('Enter');
  await visited.page.waitForURL(`**${to}`);
  expect(await stepsOf(visited.page)).toBeLessThanOrEqual(2);
});

test('several documents are a list, an export is found, nothing says so', async () => {
  expect((await get('/find?q=A15')).body).toContain('>A159<');
  const file = await get('/find?q=ventes2.csv');
  expect([file.status, file.body.includes('>ventes2.csv<'), file.body.includes('>B1<')]).toEqual([200, true, true]);
  expect((await get('/find?q=%3Cimg%20src%3Dx%3E')).body).not.toContain('<img src=x>');
  expect((await get('/find?q=')).status).toBe(200);
});
