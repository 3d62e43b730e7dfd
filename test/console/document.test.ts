/** The page of one document over a real night: what it shows is what the ledger has, and a cell is corrected in place. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { cpuTimeMs } from '../cpu-time.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { closeBrowser, openPage, stepsOf, type View } from './browser.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

let scene: Scene;
let open: TestConsole;
const sessions = new Map<ConsoleRole, { readonly cookie: string }>();

beforeAll(async () => {
  scene = await openScene({
    sandbox: { script: [{ match: { number: 'C1' }, answer: { code: 6, message: HOSTILE } }] },
  });
  scene.drop('ventes1.csv', sales(['A1', 'A2']).replaceAll('Client A1', HOSTILE));
  // The first line of each has a letter in place of a zero.
  const wrong = sales(['B1', 'B2', 'B3', 'B4']).replaceAll(/;1;2;/g, ';1;2O;');
  scene.drop('ventes2.csv', wrong);
  scene.drop('ventes0.csv', sales(['C1']));
  await scene.night();
  scene.drop('ventes3.csv', `${sales(['A1']).replaceAll('Client A1', HOSTILE)}\n`);
  await scene.night();
  open = await openConsoleOf(scene);
  for (const role of ['viewer', 'operator'] as const) sessions.set(role, await signInAs(scene, open, role));
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function entryOf(number: string): Promise<LedgerEntry> {
  return (await scene.entries()).find(({ facts, state }) => facts.identifier === number && state !== 'duplicate')!;
}
async function visit(path: string, view: View = {}, role: ConsoleRole = 'operator') {
  const [name = '', value = ''] = sessions.get(role)!.cookie.split('=');
  const url = `http://127.0.0.1:${open.port}${open.base}`;
  return await openPage(`${url}${path}`, { ...view, cookies: [{ name, value, url }] });
}
const get = (path: string, role: ConsoleRole = 'operator') =>
  ask(open, `${open.base}${path}`, { headers: { ...sessions.get(role)! } });
const post = (path: string, form: { readonly [name: string]: string }) =>
  ask(open, `${open.base}${path}`, { headers: { ...sessions.get('operator')!, ...SAME_ORIGIN }, form });

/** The fields of the form of a page, as a browser sends them. */
async function formOf(path: string): Promise<{ readonly [name: string]: string }> {
  const { body } = await get(path);
  const hidden = [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  return { ...Object.fromEntries(hidden), csrf: csrfIn(body) };
}
/** Cell of the quantity of the first line of B1..B4: column 4, rows 2, 4, 6, 8. */
const quantityOf = ({ rows }: LedgerEntry) => `cell.4.${rows[0]}`;

test('what is wrong comes first, with its cell, the line of the mapping, the field and the reason', async () => {
  const entry = await entryOf('B1');
  await using visited = await visit('/documents/B1');
  const { page } = visited;
  const cells = page.locator('.lineage tbody tr').first().locator('td');
  expect(await cells.nth(0).locator('input').inputValue()).toBe('2O');
  expect(await cells.nth(0).locator('input').getAttribute('name')).toBe(quantityOf(entry));
  expect((await cells.nth(1).innerText()).trim()).toBe('line 23');
  expect((await cells.nth(2).innerText()).trim()).toBe('/lines/0/quantity');
  expect(await cells.nth(3).innerText()).toContain(entry.faults[0]!.message);
  expect(await page.locator('.notice').first().innerText()).toContain('3 other documents have the same cause.');
  const name = page.locator('.lineage tr', { hasText: '/receiver/name' });
  expect((await name.locator('td').nth(3).innerText()).trim()).toBe('Client B1');
  expect(visited.complaints).toEqual([]);
});

test('T5: a typed cell is checked before anything is saved', async () => {
  const entry = await entryOf('B1');
  await using visited = await visit('/documents/B1');
  const { page } = visited;
  await page.locator('.lineage input').first().fill('2,5');
  await expect.poll(() => page.locator('[data-outcome]').innerText()).toContain('Every check passes.');
  await page.locator('.lineage input').first().fill('2x');
  await expect.poll(() => page.locator('[data-outcome]').innerText()).toContain('2x');
  const form = { ...(await formOf('/documents/B1')), [quantityOf(entry)]: '3' };
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const start = cpuTimeMs();
    const { body } = await post(`/documents/${entry.id}/check`, form);
    times.push(cpuTimeMs() - start);
    expect(JSON.parse(body)).toMatchObject({ tone: 'ok' });
  }
  expect(Math.min(...times)).toBeLessThan(300);
  expect(await entryOf('B1')).toEqual(entry);
});

test('without script a cell is checked and corrected by a form, once however often it is sent', async () => {
  const entry = await entryOf('B2');
  await using visited = await visit('/documents/B2', { script: false });
  const { page } = visited;
  await page.locator('.lineage input').first().fill('4');
  await page.locator('#fix-reason').fill('letter O');
  await page.locator('button[name=check]').click();
  expect(await page.locator('[data-outcome]').innerText()).toContain('Every check passes.');
  expect(await page.locator('.lineage input').first().inputValue()).toBe('4');
  expect(await page.locator('#fix-reason').inputValue()).toBe('letter O');
  expect((await entryOf('B2')).state).toBe('invalid');
  const form = { ...(await formOf('/documents/B2')), [quantityOf(entry)]: '4', reason: 'letter O' };
  const same = { ...form, key: (await page.locator('#fix input[name=key]').getAttribute('value'))! };
  await page.locator('#fix button.primary').click();
  await page.waitForURL(`**/documents/${entry.id}?done=corrected&act=*`);
  expect(await page.locator('#status').innerText()).toContain('every check passes');
  const fixed = await entryOf('B2');
  expect([fixed.state, fixed.revision]).toEqual(['ready', 2]);
  // The browser sends the form again.
  const again = await post(`/documents/${entry.id}/fix`, same);
  const to = `${open.base}/documents/${entry.id}?done=corrected&act=${same.key}`;
  expect([again.status, again.headers.location]).toEqual([303, to]);
  // The page that was open meanwhile, sent now, is a correction of what is no longer there.
  const late = await post(`/documents/${entry.id}/fix`, form);
  expect([late.status, late.body.includes('Nothing was recorded.')]).toEqual([200, true]);
  expect(await entryOf('B2')).toEqual(fixed);
  const corrections = await scene.look((ledger) => ledger.queries.correctionsOf(entry.file.id));
  expect(corrections).toMatchObject([
    { row: entry.rows[0], column: 'Qte', from: '2O', to: '4', by: 'operator', reason: 'letter O' },
  ]);
  expect((await get('/documents/B2')).body).toContain('cell corrected');
});

test('a correction needs a reason and a change, and a wrong one stays in the form', async () => {
  const entry = await entryOf('B3');
  const form = await formOf('/documents/B3');
  const at = `/documents/${entry.id}/fix`;
  expect((await post(at, { ...form, [quantityOf(entry)]: '3', reason: ' ' })).body).toContain('A reason is missing.');
  expect((await post(at, { ...form, [quantityOf(entry)]: '2O', reason: 'x' })).status).toBe(200);
  expect((await post(at, { ...form, cells: '0', [quantityOf(entry)]: '3', reason: 'x' })).body).toContain(
    'has changed',
  );
  const nameless = await post(at, { ...form, key: '', [quantityOf(entry)]: '3', reason: 'x' });
  expect(nameless.body).toContain('Nothing was recorded.');
  const other = await post(at, { ...form, [quantityOf(entry)]: '"><b>', reason: 'x', check: '1' });
  expect(other.body).toContain('value="&quot;&gt;&lt;b&gt;"');
  expect(await entryOf('B3')).toEqual(entry);
});

test('a document that the service rejected keeps its attempt when it is corrected', async () => {
  const entry = await entryOf('C1');
  const titles = async () => {
    await using visited = await visit(`/documents/${entry.id}`);
    return await visited.page.locator('.time-line strong').allInnerTexts();
  };
  const before = await titles();
  expect(before).toEqual(['Sent (1): rejected by the service', 'Queued', 'Read from ventes0.csv']);
  const { body } = await get('/documents/C1');
  expect([body.includes('&lt;img src=x onerror=alert(1)&gt;'), body.includes(HOSTILE)]).toEqual([true, false]);
  const form = await formOf('/documents/C1');
  const fixed = await post(`/documents/${entry.id}/fix`, { ...form, 'cell.2.2.3': 'Client C', reason: 'renamed' });
  expect(fixed.headers.location).toContain('?done=corrected&act=');
  const after = await titles();
  expect(after.slice(-before.length)).toEqual(before);
  expect(after).toContain('Cell corrected');
});

test('the acts of the state lead to their forms, and a reason is offered again', async () => {
  await using visited = await visit('/documents/B4');
  const { page } = visited;
  expect(
    await page.locator('#fix-reasons option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
  ).toContain('letter O');
  const { id } = await entryOf('B4');
  expect(
    await page.locator('.page-acts a[href*="/work?"]').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
  ).toEqual([`${open.base}/work?id=${id}&act=reprocess`, `${open.base}/work?id=${id}&act=set-aside`]);
  await page.locator('.page-acts a[href*="act=set-aside"]').click();
  await page.locator('form[data-act]').waitFor();
  expect(await page.locator('main').innerText()).toContain('B4');
});

test('a viewer sees the same, without fields and acts', async () => {
  await using visited = await visit('/documents/B3', {}, 'viewer');
  expect(await visited.page.locator('.lineage tr').count()).toBeGreaterThan(5);
  expect(await visited.page.locator('main input').count()).toBe(0);
  expect(await visited.page.locator('#fix').count()).toBe(0);
});

test('keys lead through the documents of the cause', async () => {
  await using visited = await visit('/documents/B3');
  const { page } = visited;
  await page.keyboard.press('j');
  await page.waitForURL(`**/${(await entryOf('B4')).id}`);
  await page.keyboard.press('k');
  await page.waitForURL(`**/${(await entryOf('B3')).id}`);
  expect(await page.locator('h1').innerText()).toContain('B3');
});

test('payload, answers, receipt and dossier are those of the ledger, as attachments; who saw them is recorded', async () => {
  const entry = await entryOf('A1');
  const [content, attempts] = await scene.look(async (ledger) => [
    await ledger.queries.contentOf(entry.id),
    await ledger.queries.attemptsOf(entry.id),
  ]);
  const load = async (what: string, type: string) => {
    const { status, headers, body } = await get(`/documents/${entry.id}${what}`);
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="A1\.[a-z]+\.(json|zip)"/);
    return body;
  };
  const json = 'application/json; charset=utf-8';
  expect(await load('/payload', json)).toBe(content);
  expect(JSON.parse(await load('/answers', json))).toEqual(JSON.parse(JSON.stringify(attempts)));
  expect(JSON.parse(await load('/receipt', json))).toMatchObject({ state: 'authorized' });
  const zip = await load('.zip', 'application/zip');
  for (const part of ['dossier.html', 'payload.json', 'responses/submit-1.json', 'source/rows.csv', 'manifest.json']) {
    expect(zip, part).toContain(part);
  }
  await get(`/documents/${entry.id}`, 'viewer');
  using people = openPeople(scene.root);
  const seen = people
    .events(10)
    .map(({ what, name, detail }) => [what, name, (detail as { document?: string })?.document]);
  expect(seen).toContainEqual(['payload-seen', 'viewer', entry.id]);
  expect(seen).toContainEqual(['dossier-downloaded', 'operator', entry.id]);
  // A document without a payload has none to load.
  expect((await get(`/documents/${(await entryOf('B3')).id}/payload`)).status).toBe(404);
});

test('T8: the dossier is one click away', async () => {
  await using visited = await visit('/documents/A2');
  const [download] = await Promise.all([
    visited.page.waitForEvent('download'),
    visited.page.locator('a[href$=".zip"]').click(),
  ]);
  expect(download.suggestedFilename()).toBe('A2.dossier.zip');
  expect(await stepsOf(visited.page)).toBe(1);
});

test('a number of several documents is a choice, one of none is not found', async () => {
  const copies = (await scene.entries()).filter(({ facts }) => facts.identifier === 'A1');
  expect(copies).toHaveLength(2);
  const { body } = await get('/documents/A1');
  for (const { id } of copies) expect(body).toContain(`/documents/${id}"`);
  const copy = copies.find(({ state }) => state === 'duplicate')!;
  expect((await get(`/documents/${copy.id}`)).body).toContain('was there first');
  for (const name of ['nothing', '%3Cimg%20src=x%3E', '..%2f..%2fnightpost.yaml', '%00', 'a'.repeat(500)]) {
    const { status, body: page } = await get(`/documents/${name}`);
    expect([status, page.includes('<img')], name).toEqual([404, false]);
  }
});

test.each([
  ['A1', '.lineage'],
  ['C1', '.raw'],
])('%s: texts of exports and services are text in %s', async (number, place) => {
  const { id } = await entryOf(number);
  await using visited = await visit(`/documents/${id}`);
  expect(await visited.page.locator('main img').count()).toBe(0);
  expect(await visited.page.locator(place).getByText(HOSTILE).count()).toBeGreaterThan(0);
  expect(visited.complaints).toEqual([]);
  expect(open.defects).toEqual([]);
});
