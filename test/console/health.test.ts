/** The page of the state of the instance: what `status` and `doctor` find, who holds the lock, and a service that a person resumes. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { openRequestQueue } from '../../src/ledger/requests/open-request-queue.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { closeBrowser, openPage, overflowOf, type View, violationsOf } from './browser.ts';
import { ask, openConsoleOf, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let address: string;
const pause = { cause: 'foreign-echo', says: 'the answer is of another document', at: '2026-11-20T01:30:00.000Z' };

beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes.csv', sales(['A1']));
  await scene.night();
  await scene.desk(async ({ ledger }) => await ledger.submissions.pause('fr', pause));
  open = await openConsoleOf(scene);
  address = `http://127.0.0.1:${open.port}${open.base}`;
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function visit(role: ConsoleRole, view: View = {}) {
  const { cookie } = await signInAs(scene, open, role);
  const [name = '', value = ''] = cookie.split('=');
  return await openPage(`${address}/health`, { ...view, cookies: [{ name, value, url: address }] });
}

test('no fault of accessibility, nothing cut off, before and after the checks; they are those of doctor', async () => {
  await using visited = await visit('operator');
  const { page } = visited;
  expect(await violationsOf(page)).toEqual([]);
  await page.locator('form[action$="/health/doctor"] button').click();
  await page.waitForURL('**/health?done=checked');
  const shown = await page
    .locator('section[aria-labelledby=doctor] tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('th, .pill')].map((one) => one.textContent)));
  const { out } = await commandIn(scene, '--json', 'doctor');
  const found = (JSON.parse(out) as { what: string; result: string }[]).map(({ what, result }) => [
    what,
    result === 'error' ? 'ERROR' : result,
  ]);
  expect(shown.toSorted()).toEqual(found.toSorted());
  expect(found.length).toBeGreaterThan(10);
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toEqual([]);
  expect(visited.complaints).toEqual([]);
});

test('who holds the lock, and how many decisions wait', async () => {
  const session = await signInAs(scene, open, 'viewer');
  const page = async () => (await ask(open, `${open.base}/health`, { headers: session })).body;
  expect(await page()).toContain('No process is at work.');
  await using queue = await openRequestQueue({ folder: scene.root }, 'asks');
  await queue.add({ id: 'waits', at: '2026-11-22T00:00:00.000Z', person: 'test', reason: 'why', act: '{}' });
  await scene.desk(async () => {
    const body = await page();
    expect(body).toContain(`process ${process.pid}`);
    expect(body).toContain('1 decision<');
  });
  await queue.withdraw('waits');
  expect(await page()).toContain('No process is at work.');
});

test('the space on the disk has the decimal sign that amounts have in the language of the reader', async () => {
  for (const [name, language, free] of [
    ['ana', 'es', /[\d\u202f]+\.\d GiB libres/],
    ['luc', 'fr', /[\d\u202f]+,\d Gio libres/],
  ] as const) {
    using people = openPeople(scene.root);
    people.add(name, 'viewer', { name: 'test', address: 'local' }, language);
    const session = await signInAs(scene, open, 'viewer', name);
    expect((await ask(open, `${open.base}/health`, { headers: session })).body).toMatch(free);
  }
});

test('each service has its last answer and whether it took the token', async () => {
  const session = await signInAs(scene, open, 'viewer');
  const { body } = await ask(open, `${open.base}/health`, { headers: session });
  const cells = (title: string) =>
    [...body.matchAll(new RegExp(`data-title="${title}">(.*?)</td>`, 'gs'))].map(([, cell = '']) =>
      cell.replaceAll(/<[^>]*>/g, ''),
    );
  const [entry] = await scene.entries();
  const [{ http, code } = {}] = entry!.attempts;
  expect(cells('Last answer')).toEqual([expect.stringMatching(new RegExp(`HTTP ${http} · code ${code}$`)), 'none yet']);
  expect(cells('Token')).toEqual(['accepted', 'none yet']);
});

test('a stopped service is resumed with a reason, by who may act alone', async () => {
  await using seen = await visit('viewer');
  expect(await seen.page.locator('#resume-fr').count()).toBe(0);
  expect(await seen.page.locator('section[aria-labelledby=services]').innerText()).toContain(pause.says);
  await using visited = await visit('operator', { dark: true, script: false });
  const { page } = visited;
  await page.locator('#resume-fr-reason').fill('the credentials are right again');
  await page.locator('#resume-fr button[type=submit]').click();
  await page.waitForURL('**/health?done=resumed');
  // The next run sends one document first.
  expect(await scene.look((ledger) => ledger.submissions.pauseOf('fr'))).toMatchObject({ cause: 'paused' });
  expect(open.defects).toEqual([]);
});

test('programs that share the ledger: what each does, what it reads, and which are gone', async () => {
  const session = await signInAs(scene, open, 'viewer');
  const page = async (path: string) => (await ask(open, `${open.base}${path}`, { headers: session })).body;
  expect(await page('/health')).not.toContain('id="workers"');
  const [file] = await scene.look((ledger) => ledger.queries.files({}));
  const db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  const add = db.prepare(`INSERT INTO worker (id, host, pid, work, version, settings_sha256, started_at, until, gone)
    VALUES (?, ?, ?, 'watch', '1', 'x', '2026-11-22T20:00:00.000Z', ?, ?)`);
  const now = Date.now();
  add.run('a', 'alpha', 41, now + 60_000, null);
  add.run('b', '<i>beta', 42, now - 1000, null);
  add.run('c', 'gamma', 43, now - 90_000, now - 60_000);
  add.run('d', 'delta', 44, now - 90_000, now - 60_000);
  db.exec(`INSERT INTO role (name, worker, fence, until, generation)
    VALUES ('send fr', 'a', 1, 0, 0), ('receipts', 'a', 1, 0, 0), ('acts', 'b', 1, 0, 0)`);
  const claim = db.prepare('UPDATE source_file SET worker = ?, archived_at = ? WHERE id = ?');
  const { archived_at: archived } = db.prepare('SELECT archived_at FROM source_file WHERE id = ?').get(file!.id)!;
  claim.run('c', null, file!.id);
  try {
    const body = await page('/health');
    const card = body.slice(body.indexOf('aria-labelledby="workers"'));
    const rows = [...card.slice(0, card.indexOf('</table>')).matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
    );
    expect(rows.filter((row) => row.includes('process'))).toEqual([
      expect.stringMatching(/alpha.*41.*Watch.*Works.*writes receipts, sends to fr/),
      expect.stringMatching(/&lt;i&gt;beta.*42.*Silent.*carries out decisions/),
      expect.stringMatching(new RegExp(`gamma.*43.*its files wait.*${file!.name}`)),
      expect.stringMatching(/delta.*44.*Ended/),
    ]);
    expect(card).toContain('<td role="cell" class="words" data-title="Work">Watch</td>');
    expect(await page(`/files/${file!.id}`)).toContain('gamma, process 43');
    // A watch with another mapping than the one that writes receipts.
    const setup = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
    for (const [id, sales] of [['a', '1'] as const, ['e', '2'] as const])
      setup.run(`setup ${id}`, JSON.stringify({ settings: 's', mappings: { sales, old: '1' } }));
    add.run('e', 'epsilon-of-a-long-name.example.org', 45, now + 60_000, null);
    db.exec("UPDATE worker SET settings_sha256 = 'y' WHERE id = 'e'");
    for (const view of [{ dark: true }, { width: 390, height: 844 }]) {
      await using seen = await visit('viewer', view);
      const waiting = seen.page.locator('section[aria-labelledby=workers] tr', { hasText: 'epsilon' });
      expect(await waiting.innerText()).toMatch(/Takes no files[\s\S]*mappings: sales/);
      expect([await overflowOf(seen.page), await violationsOf(seen.page), seen.complaints]).toEqual([[], [], []]);
    }
    expect(await page('/files')).toContain('gamma, process 43');
  } finally {
    claim.run(null, archived ?? null, file!.id);
    db.exec("DELETE FROM worker; DELETE FROM role; DELETE FROM meta WHERE key LIKE 'setup %'");
    db.close();
  }
});
