/** The pages of files over a real night: what they show is what the summaries and the ledger have; a file that is sent is exact. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { accountFiles } from '../../src/views/queries/file-accounts.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import type { View } from './browser.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';
import { closeVisits, visitAs } from './visits.ts';

let scene: Scene;
let open: TestConsole;
/** Ids of files by name. */
let ids: { readonly [name: string]: string };

/** The byte 0x81 in a cell of the third line: no character of windows-1252, and no UTF-8. */
const BROKEN = Buffer.concat([Buffer.from(sales(['X1']).slice(0, 60)), Buffer.from([0x81, 0xff]), Buffer.from(';;\n')]);

beforeAll(async () => {
  scene = await openScene({
    settings: {
      expect: [{ name: 'Till', files: 'caisse*.csv', by: '00:00' }],
      company: 'Exemple SARL',
      inbox: { settle: '1ms', 'max-file': '1MiB' },
    },
  });
  const bad = sales(['B1', 'B2', 'B3']).replaceAll(';2;10,50', ';zwei;10,50').replaceAll(';1;2;', ';1;zwei;');
  scene.drop('ventes1.csv', sales(['A1', 'A2', 'A3']));
  scene.drop('ventes2.csv', `${bad}A9;05/09/2026;Client;1;2;10,50;20\n`);
  scene.drop('ventes3.csv', BROKEN);
  scene.drop('ventes4.csv', 'Num;Date\nX1;05/09/2026\n');
  // Its account is read from its summary.
  scene.drop('ventes5.csv', sales(Array.from({ length: 60 }, (_, n) => `L${n}`)));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const files = await scene.look((ledger) => ledger.queries.files({}));
  ids = Object.fromEntries(files.map(({ name, id }) => [name, id]));
  open = await openConsoleOf(scene);
});
afterAll(async () => {
  await closeVisits({ scene, open });
});

const visit = (role: ConsoleRole, path: string, view?: View) => visitAs({ scene, open }, role, path, view);

test('the list has the rows of each export where its summary has them, and none is unaccounted', async () => {
  const summaries = scene
    .files('.')
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => JSON.parse(scene.read(path)));
  expect(summaries).toHaveLength(5);
  await using visited = await visit('viewer', '/files');
  for (const { file, rows } of summaries) {
    const row = visited.page.locator(`tr[data-row]:has(a[href$="${file.id}"])`);
    const cells = await row.locator('td.number').allInnerTexts();
    const left = rows.leftOut.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
    const counts = [rows.read, rows.outbox.count, rows.pending.count, rows.error.count, rows.corrected.count, left];
    // A place without rows is left blank; what must be 0 is shown.
    const shown = counts.map((count, n) => (count === 0 && n > 0 ? '' : String(count)));
    expect(cells.slice(0, 7), file.name).toEqual([...shown, String(rows.unaccounted.count)]);
  }
  expect(await visited.page.locator('#upload').count()).toBe(0);
});

test('a summary that was changed by hand is not believed', async () => {
  const path = scene.files('outbox').find((one) => one.includes('ventes5') && one.endsWith('.summary.json'))!;
  const text = scene.read(path);
  writeFileSync(join(scene.root, path), text.replaceAll(': 120,', ': 121,'));
  await using visited = await visit('viewer', `/files/${ids['ventes5.csv']}`);
  const cells = await visited.page.locator('section[aria-labelledby=rows] td').allInnerTexts();
  expect(cells.slice(0, 2)).toEqual(['120', '2-121']);
  expect(scene.read(path)).not.toBe(text);
  // Where many files would have to be counted again, the later ones wait for their summaries.
  const instance = scene.instance();
  const readRows = await scene.look(async (ledger) => {
    const files = await ledger.queries.filesById([ids['ventes5.csv']!, ids['ventes1.csv']!]);
    const accounts = await accountFiles({ instance, ledger }, files, 119);
    return accounts.map((account) => account?.rows.read);
  });
  expect(readRows).toEqual([undefined, 6]);
  writeFileSync(join(scene.root, path), text);
});

test('a refused file shows its bytes around the fault, the one at fault marked', async () => {
  await using visited = await visit('viewer', `/files/${ids['ventes3.csv']}`);
  const { page } = visited;
  expect(await page.locator('.bytes mark').allInnerTexts()).toEqual(['81', '·']);
  const hex = (await page.locator('.bytes td:nth-child(2)').allInnerTexts()).join(' ').match(/[0-9a-f]{2}/g)!;
  const [first = ''] = await page.locator('.bytes th').allInnerTexts();
  const from = Number.parseInt(first, 16);
  expect(Buffer.from(hex.join(''), 'hex')).toEqual(BROKEN.subarray(from, from + hex.length));
  // A viewer sees why, and has no act.
  expect(await page.locator('form[data-act]').count()).toBe(0);
});

describe('acts', () => {
  test('set aside with a reason, once however often the form is sent, and back', async () => {
    const file = ids['ventes4.csv']!;
    await using visited = await visit('operator', `/files/${file}`);
    const { page } = visited;
    const key = await page.locator('#set-aside input[name=key]').inputValue();
    const csrf = await page.locator('#set-aside input[name=csrf]').inputValue();
    await page.locator('#set-aside-reason').fill('not an export');
    await page.locator('#set-aside button[type=submit]').click();
    await page.waitForURL('**?done=set-aside');
    expect(await page.locator('#undo').count()).toBe(1);
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const form = { csrf, key, file, reason: 'not an export' };
    const again = await ask(open, `${open.base}/files/set-aside`, { headers: { cookie, ...SAME_ORIGIN }, form });
    expect(again.status).toBe(303);
    using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'), { readOnly: true });
    const count = db.prepare(`SELECT count(*) AS n FROM event WHERE what = 'file-set-aside' AND file = ?`).get(file);
    expect(count).toEqual({ n: 1 });
    expect([...(await scene.look((ledger) => ledger.queries.filesSetAside())).keys()]).toEqual([file]);
    await page.locator('#undo-reason').fill('it is one');
    await page.locator('#undo button[type=submit]').click();
    await page.waitForURL('**?done=undone');
    expect(await scene.look((ledger) => ledger.queries.filesSetAside())).toEqual(new Map());
  });

  test('without a reason nothing happens', async () => {
    const { cookie } = await signInAs(scene, open, 'operator');
    const { body } = await ask(open, `${open.base}/files`, { headers: { cookie } });
    const form = { csrf: csrfIn(body), key: 'abcdefgh', file: ids['ventes4.csv']!, reason: ' ' };
    const answer = await ask(open, `${open.base}/files/set-aside`, { headers: { cookie, ...SAME_ORIGIN }, form });
    expect(answer.status).toBe(400);
    expect(await scene.look((ledger) => ledger.queries.filesSetAside())).toEqual(new Map());
  });
});

describe('a file that is sent', () => {
  const inbox = () => readdirSync(join(scene.root, 'inbox')).sort();
  let session: { readonly cookie: string };
  let csrf: string;
  beforeAll(async () => {
    session = await signInAs(scene, open, 'operator');
    csrf = csrfIn((await ask(open, `${open.base}/files`, { headers: session })).body);
  });

  /** As a browser sends it: the fields first. */
  async function send(name: string, content: string | Uint8Array, token = csrf) {
    const mark = 'x7MA4YWxkTrZu0gW';
    const part = (head: string) => `--${mark}\r\nContent-Disposition: form-data; ${head}\r\n`;
    const body = Buffer.concat([
      Buffer.from(`${part('name="csrf"')}\r\n${token}\r\n`),
      Buffer.from(`${part(`name="file"; filename="${name}"`)}Content-Type: text/csv\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from(`\r\n--${mark}--\r\n`),
    ]);
    const headers = { ...session, ...SAME_ORIGIN, 'content-type': `multipart/form-data; boundary=${mark}` };
    return await ask(open, `${open.base}/files/upload`, { headers, body });
  }

  test('arrives byte for byte, never over another one, and is read by the next run', async () => {
    // Line ends and hyphens like those of a delimiter, over many chunks.
    const content = `${sales(Array.from({ length: 4000 }, (_, n) => `U${n}`))}\r\n--x7MA4YW\r\n`;
    const sent = await send('ventes-u.csv', content);
    expect([sent.status, sent.headers.location]).toEqual([303, `${open.base}/files?done=uploaded&name=ventes-u.csv`]);
    expect(readFileSync(join(scene.root, 'inbox', 'ventes-u.csv'), 'utf8')).toBe(content);
    expect((await send('ventes-u.csv', sales(['other']))).status).toBe(422);
    expect(readFileSync(join(scene.root, 'inbox', 'ventes-u.csv'), 'utf8')).toBe(content);
    const { body } = await ask(open, String(sent.headers.location), { headers: session });
    expect(body).toContain('with the mapping sales');
    expect(inbox()).toEqual(['ventes-u.csv']);
  });

  test.each([
    ['a path', '../ventes-x.csv', sales(['X']), 422],
    ['a Windows path', 'C:\\inbox\\ventes-x.csv', sales(['X']), 422],
    ['a hidden name', '.ventes-x.csv', sales(['X']), 422],
    ['the name of an unfinished file', 'ventes-x.csv.part', sales(['X']), 422],
    ['a device of Windows', 'con.csv', sales(['X']), 422],
    ['a turned direction', 'ventes\u202evsc.csv', sales(['X']), 422],
    ['no name', '', sales(['X']), 422],
    ['a name that no mapping takes', 'clients.csv', sales(['X']), 422],
    ['no byte', 'ventes-x.csv', '', 422],
    ['more bytes than allowed', 'ventes-x.csv', 'x'.repeat(1024 ** 2 + 1), 422],
  ])('%s leaves nothing', async (_, name, content, status) => {
    const before = inbox();
    expect((await send(name, content)).status).toBe(status);
    expect(inbox()).toEqual(before);
    expect(existsSync(join(scene.root, 'ventes-x.csv'))).toBe(false);
  });

  test('of another session, of a cut body, or of a viewer is refused before a byte is written', async () => {
    const before = inbox();
    expect((await send('ventes-x.csv', sales(['X']), 'x')).status).toBe(403);
    const headers = { ...session, ...SAME_ORIGIN, 'content-type': 'multipart/form-data; boundary=b' };
    const cut = `--b\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="ventes-x.csv"\r\n\r\nNum;`;
    expect((await ask(open, `${open.base}/files/upload`, { headers, body: cut })).status).toBe(400);
    session = await signInAs(scene, open, 'viewer');
    expect((await send('ventes-x.csv', sales(['X']))).status).toBe(403);
    expect(inbox()).toEqual(before);
    expect(open.defects).toEqual([]);
  });
});

test('the archived export is downloaded as it came, and the history says by whom', async () => {
  const session = await signInAs(scene, open, 'operator');
  const answer = await ask(open, `${open.base}/files/${ids['ventes1.csv']}/archive`, { headers: session });
  expect(answer.body).toBe(sales(['A1', 'A2', 'A3']));
  expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''ventes1.csv");
  expect(answer.headers['content-type']).toBe('application/octet-stream');
  using people = openPeople(scene.root);
  expect(people.events(1)).toMatchObject([{ what: 'file-downloaded', name: 'operator' }]);
});
