/** The work list and the forms of acts, over real nights in a real browser: what is shown, what is done, and in how many steps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { lookIntoLedgerOf } from '../../src/runs/open-run.ts';
import { sha256Hex } from '../../src/text/sha256.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { closeBrowser, openPage, stepsOf, type View } from './browser.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;

beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  await open[Symbol.asyncDispose]();
  expect(open.defects).toEqual([]);
  await scene[Symbol.asyncDispose]();
});
afterAll(closeBrowser);

const addressOf = (path = '/') => `http://127.0.0.1:${open.port}${open.base}${path}`;

/** A night with so many documents of which a cell is wrong, the same in all. */
async function wrongNight(count: number) {
  const numbers = Array.from({ length: count }, (_, n) => `B${n + 1}`);
  scene.drop('ventes1.csv', sales(['A1', 'A2']));
  scene.drop('ventes2.csv', sales(numbers, '2O'));
  await scene.night();
  open = await openConsoleOf(scene);
}

async function visit(path: string, view: View = {}, role: ConsoleRole = 'operator') {
  const { cookie } = await signInAs(scene, open, role);
  const [name = '', value = ''] = cookie.split('=');
  return await openPage(addressOf(path), { ...view, cookies: [{ name, value, url: addressOf() }] });
}

/** Also while another program has the lock. */
const states = async () => {
  await using ledger = await lookIntoLedgerOf(scene.instance());
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.queries.find({})) entries.push(entry);
  return tally(entries);
};
const CAUSE = new URLSearchParams({ cause: 'map/not-a-number/letters:sales@Qte=2O' });
const outcomeIn = (page: Page) => page.locator('#act-outcome').innerText();

/** Sends the form of an address as a browser without script does. */
async function send(path: string, changes: { readonly [name: string]: string }, to = '/acts') {
  const session = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, open.base + path, { headers: session });
  const form = Object.fromEntries(
    [...body.slice(body.indexOf('id="act"')).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    ),
  );
  const headers = { ...session, ...SAME_ORIGIN };
  const fields: { [name: string]: string } = { ...form, csrf: csrfIn(body), ...changes };
  return { fields, answer: await ask(open, open.base + to, { headers, form: fields }), headers };
}

describe('documents with one cause', () => {
  test('T2: forty are corrected in three steps, tried as the person types, and then authorized', async () => {
    await wrongNight(40);
    await using visited = await visit('/');
    const { page } = visited;
    await page.getByRole('link', { name: 'Correct all 40' }).click();
    await page.locator('#act-to').fill('20');
    const tried = '80 cells in 40 documents. All 40 would pass every check.';
    await expect.poll(() => outcomeIn(page), { timeout: 5_000 }).toBe(tried);
    expect(await page.locator('#group-documents tbody tr').count()).toBe(40);
    expect(await page.locator('#group-documents ins mark').first().innerText()).toBe('0');
    expect(new URL(page.url()).searchParams.get('to')).toBe('20');
    expect(await states()).toEqual({ authorized: 2, invalid: 40 });
    await page.locator('#act-reason').fill('letter O in place of zero');
    await page.getByRole('button', { name: 'Correct 40 documents' }).click();
    await page.locator('#results').waitFor();
    expect(await page.locator('#status').innerText()).toBe('Carried out. 40 documents changed.');
    expect(await stepsOf(page)).toBeLessThanOrEqual(3);
    expect(await states()).toEqual({ authorized: 2, ready: 40 });
    await scene.night();
    expect(await states()).toEqual({ authorized: 42 });
    expect(visited.complaints).toEqual([]);
  });

  test('without script: the look is a page, and a form that lacks something does nothing', async () => {
    await wrongNight(3);
    const path = `/work?${CAUSE}`;
    const typed = { fix: 'Qte', from: '2O', to: '20' };
    const { answer: look } = await send(path, typed, '/work');
    const { pathname, search } = new URL(String(look.headers.location), addressOf());
    expect([pathname, new URLSearchParams(search).get('to')]).toEqual([`${open.base}/work`, '20']);
    await using visited = await visit(`/work${search}`, { script: false });
    expect(await outcomeIn(visited.page)).toBe('6 cells in 3 documents. All 3 would pass every check.');
    for (const lack of [{ reason: ' ' }, { from: '' }, { to: '' }, { fix: '' }, { look: 'f'.repeat(64) }]) {
      const { answer } = await send(path, { ...typed, reason: 'letter', ...lack });
      expect([answer.status, /class="notice tone-support/.test(answer.body)], JSON.stringify(lack)).toEqual([
        422,
        true,
      ]);
    }
    expect(await states()).toEqual({ authorized: 2, invalid: 3 });
  });

  test('a form that is sent twice is one act, and what changed since it was shown is left out', async () => {
    await wrongNight(3);
    const typed = { fix: 'Qte', from: '2O', to: '20', reason: 'letter' };
    const before = await send(`/work?${CAUSE}`, { ...typed, reason: '' });
    const [first] = (await scene.entries()).filter(({ state }) => state === 'invalid');
    const aside = await send(`/work?id=${first!.id}&act=set-aside`, { reason: 'not ours' });
    expect(aside.answer.status).toBe(303);
    const { headers, fields } = before;
    const again = () => ask(open, `${open.base}/acts`, { headers, form: { ...fields, ...typed } });
    const [one, two] = [await again(), await again()];
    expect(one.headers.location).toBe(`${open.base}/acts/${fields.key}`);
    expect(two.headers.location).toBe(one.headers.location);
    const page = await ask(open, String(one.headers.location), { headers });
    expect(/\d+ documents changed\. [^<]*/.exec(page.body)?.[0]).toBe(
      '2 documents changed. 1 document stays as it was.',
    );
    const left = (await scene.entries()).find(({ id }) => id === first!.id);
    expect([left?.state, left?.revision]).toEqual(['invalid', first!.revision]);
    expect((await states()).ready).toBe(2);
  });

  test('boxes: the act takes the documents that are chosen, and none without a box', async () => {
    await wrongNight(4);
    await using visited = await visit(`/work?${CAUSE}`);
    const { page } = visited;
    const only = page.getByRole('button', { name: 'Only the chosen ones' });
    expect(await only.isVisible()).toBe(false);
    for (const number of ['B2', 'B3']) await page.getByRole('checkbox', { name: number }).check();
    await page.locator('#act-to').fill('20');
    await expect.poll(() => outcomeIn(page), { timeout: 5_000 }).toMatch(/^8 cells in 4 documents/);
    await page.locator('#act-reason').fill('letter O in place of zero');
    expect(await only.innerText()).toMatch(/^Only the chosen ones\s+\(2\)\s+Ctrl ↵$/);
    await only.click();
    await page.locator('#results').waitFor();
    const ready = (await scene.entries()).filter(({ state }) => state === 'ready');
    expect(ready.map(({ facts }) => facts.identifier).sort()).toEqual(['B2', 'B3']);
    const none = { fix: 'Qte', from: '2O', to: '20', reason: 'letter', extent: 'chosen' };
    for (const chosen of [{}, { chosen: 'x' }, { chosen: ready[0]!.id }]) {
      const { answer } = await send(`/work?${CAUSE}`, { ...none, ...chosen });
      expect(answer.status).toBe(422);
    }
    expect(await states()).toEqual({ authorized: 2, invalid: 2, ready: 2 });
    expect(visited.complaints).toEqual([]);
  });

  test.each([
    ['Control+Enter', true],
    ['Enter', true],
    ['Enter', false],
  ])(
    'boxes: %s in a field takes those that are chosen (script: %s), all of them their own button',
    async (key, script) => {
      await wrongNight(4);
      const typed = new URLSearchParams({ fix: 'Qte', from: '2O', to: '20' });
      await using visited = await visit(`/work?${CAUSE}&${typed}`, { script });
      const { page } = visited;
      for (const number of ['B2', 'B3']) await page.getByRole('checkbox', { name: number }).check();
      await page.locator('#act-reason').fill('letter O in place of zero');
      await page.locator('#act-reason').press(key);
      await page.locator('#results').waitFor();
      const ready = (await scene.entries()).filter(({ state }) => state === 'ready');
      expect(ready.map(({ facts }) => facts.identifier).sort()).toEqual(['B2', 'B3']);
      await page.goto(addressOf(`/work?${CAUSE}&${typed}`));
      const looks = async () =>
        await page.evaluate<string[]>(
          `[...document.querySelectorAll('.for-all, .for-chosen')].map((one) => getComputedStyle(one).backgroundColor)`,
        );
      const [highlighted] = await looks();
      await page.getByRole('checkbox', { name: 'B1' }).check();
      const same = async () => (await looks()).map((look) => look === highlighted);
      await expect.poll(same, { timeout: 5_000 }).toEqual([false, true]);
      await page.locator('#act-reason').fill('letter O in place of zero');
      await page.locator('.for-all').click();
      await page.locator('#results').waitFor();
      expect(await states()).toEqual({ authorized: 2, ready: 4 });
    },
  );

  test('is taken back as long as nothing was sent, and then no longer', async () => {
    await wrongNight(2);
    const { answer } = await send(`/work?${CAUSE}`, { fix: 'Qte', from: '2O', to: '20', reason: 'letter' });
    await using visited = await visit(String(answer.headers.location).slice(open.base.length));
    await visited.page.getByRole('button', { name: 'Undo for 2 documents' }).click();
    await expect.poll(states, { timeout: 5_000 }).toEqual({ authorized: 2, invalid: 2 });
    const undo = visited.page.getByRole('button', { name: /^Undo/ });
    expect(await undo.count()).toBe(0);
    // What is corrected once more belongs to the later act.
    await send(`/work?${CAUSE}`, { fix: 'Qte', from: '2O', to: '20', reason: 'later' });
    expect(await states()).toEqual({ authorized: 2, ready: 2 });
    await visited.page.reload();
    expect(await undo.count()).toBe(0);
  });

  test('an unknown value of a filter selects no document and offers no act; words of an address stay words', async () => {
    await wrongNight(1);
    const session = await signInAs(scene, open, 'operator');
    const bodyOf = async (search: string) =>
      (await ask(open, `${open.base}/work?act=set-aside&${search}`, { headers: session })).body;
    for (const name of ['state', 'cause', 'mapping', 'file', 'customer', 'column', 'run', 'since', 'group', 'id']) {
      const body = await bodyOf(`${name}=gone`);
      expect([name, body.includes('class="causes"'), body.includes('id="act"')]).toEqual([name, false, false]);
      expect([name, body.includes('class="notice')]).toEqual([name, name !== 'id']);
    }
    const run = (await scene.entries())[0]?.file.run;
    for (const [search, has] of [
      [`run=${run}`, true],
      ['since=2020-01-01', true],
      ['since=2999-01-01', false],
    ] as const) {
      expect([search, (await bodyOf(search)).includes('id="act"')]).toEqual([search, has]);
    }
    const entry = (await scene.entries()).find(({ state }) => state === 'invalid');
    // A link of someone else, next to a document that exists: the command is there to be copied.
    const body = await bodyOf(
      new URLSearchParams([
        ['id', entry!.id],
        ['id', 'x; touch y'],
      ]).toString(),
    );
    expect(/nightpost set-aside [^<]*/.exec(body)?.[0]).toBe(`nightpost set-aside ${entry!.id} &#39;x; touch y&#39;`);
  });

  test('who may only look has no form, and is refused', async () => {
    await wrongNight(1);
    const session = await signInAs(scene, open, 'viewer');
    const { body } = await ask(open, `${open.base}/work?${CAUSE}`, { headers: session });
    expect(body).not.toContain('id="act"');
    const form = { csrf: csrfIn(body), act: 'set-aside', reason: 'x' };
    const { status } = await ask(open, `${open.base}/acts`, { headers: { ...session, ...SAME_ORIGIN }, form });
    expect(status).toBe(403);
  });

  test('T7: an act while a watch works is carried out by it, and the documents are sent', async () => {
    await wrongNight(2);
    const stop = new AbortController();
    const watching = scene.night({ watch: true, stop: stop.signal });
    try {
      const { answer, headers } = await send(`/work?${CAUSE}`, { fix: 'Qte', from: '2O', to: '20', reason: 'letter' });
      const page = async () => (await ask(open, String(answer.headers.location), { headers })).body;
      await expect.poll(async () => /2 documents changed/.test(await page()), { timeout: 20_000 }).toBe(true);
      await expect.poll(states, { timeout: 20_000 }).toEqual({ authorized: 4 });
    } finally {
      stop.abort();
      await watching;
    }
  });
});

describe('documents of which no one knows whether they arrived', () => {
  test('T6: each is asked about and recorded with proof in at most six steps, and none can be sent again', async () => {
    scene.drop('ventes.csv', sales(['D1-XLOST', 'D2-XLOST']));
    await scene.night();
    open = await openConsoleOf(scene);
    const proof = join(scene.root, 'portal.png');
    writeFileSync(proof, 'a picture');
    await using visited = await visit('/work');
    const { page } = visited;
    for (const number of ['D1-XLOST', 'D2-XLOST']) {
      const before = await stepsOf(page);
      await page.goto(addressOf('/work?state=in-doubt&act=resolve'));
      expect(await page.getByRole('link', { name: /Send/ }).count()).toBe(0);
      const each = page.locator('.act').getByRole('link', { name: number });
      if ((await each.count()) > 0) await each.click();
      await page.locator('#act-as').selectOption('authorized');
      await page.locator('#act-evidence').setInputFiles(proof);
      await page.locator('#act-reason').fill('seen in the portal');
      await page.getByRole('button', { name: /^Record/ }).click();
      await page.locator('#results').waitFor();
      expect((await stepsOf(page)) - before).toBeLessThanOrEqual(6);
    }
    expect(await states()).toEqual({ authorized: 2 });
    for (const { evidence } of await scene.entries()) {
      expect(evidence).toMatchObject({ file: 'portal.png', sha256: sha256Hex('a picture'), by: 'operator' });
    }
  });

  test('an outcome without proof, or of several at once, and an act that the state does not allow are refused', async () => {
    scene.drop('ventes.csv', sales(['D1-XLOST', 'D2-XLOST']));
    await scene.night();
    open = await openConsoleOf(scene);
    const [first] = await scene.entries();
    const none = await send(`/work?id=${first!.id}&act=resolve`, { as: 'authorized', reason: 'I think so' });
    expect(none.answer.status).toBe(422);
    const all = await send('/work?state=in-doubt', { act: 'resolve', as: 'authorized', reason: 'all of them' });
    expect(all.answer.status).toBe(422);
    const again = await send('/work?state=in-doubt', { act: 'retry', reason: 'send' });
    expect(again.answer.status).toBe(422);
    expect(await states()).toEqual({ 'in-doubt': 2 });
    const asked = await send(`/work?id=${first!.id}`, { reason: 'what became of it' });
    const { body } = await ask(open, String(asked.answer.headers.location), { headers: asked.headers });
    expect(/\d+ document asked about/.exec(body)?.[0]).toBe('1 document asked about');
  });
});
