/** The home page over a real night, in a real browser: what it says is what the ledger has. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { causesCard, hrefOfCause, openCauses } from '../../src/console/screens/home-causes.ts';
import { format, type Message } from '../../src/i18n/message.ts';
import { openSearchIndexOf } from '../../src/views/queries/find-documents.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { closeBrowser, openPage, type View } from './browser.ts';
import { openConsoleOf, signInAs, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;
let address: string;

beforeAll(async () => {
  scene = await openScene({
    settings: { expect: [{ name: 'Till', files: 'caisse*.csv', by: '00:00' }], company: 'Exemple SARL' },
  });
  open = await openConsoleOf(scene);
  address = `http://127.0.0.1:${open.port}${open.base}/`;
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

/** The page of a person of this role. */
async function visit(role: ConsoleRole, view: View = {}) {
  const { cookie } = await signInAs(scene, open, role);
  const [name = '', value = ''] = cookie.split('=');
  return await openPage(address, { ...view, cookies: [{ name, value, url: address }] });
}

test('before the first run it says so, and nothing waits', async () => {
  await using visited = await visit('viewer');
  await expect.poll(() => visited.page.locator('h1').innerText()).toContain('Nothing needs action');
  expect(await visited.page.locator('.about').innerText()).toContain('No run has taken an export yet.');
});

describe('after a night', () => {
  beforeAll(async () => {
    // Three good documents, three with a quantity that is no number, and one file that is no table of sales.
    const bad = sales(['B1', 'B2', 'B3']).replaceAll(';2;10,50', ';zwei;10,50').replaceAll(';1;2;', ';1;zwei;');
    scene.drop('ventes1.csv', sales(['A1', 'A2', 'A3']));
    scene.drop('ventes2.csv', bad);
    scene.drop('ventes3.csv', 'Num;Date\nX1;05/09/2026\n');
    // As a command, which leaves a record of the run: 3, documents wait.
    expect((await commandIn(scene, 'run')).code).toBe(3);
  });

  test('an export whose hour was before the first run has no hour that has passed', async () => {
    const { cookie } = await signInAs(scene, open, 'viewer');
    const page = async (path: string) => (await fetch(`${address}${path}`, { headers: { cookie } })).text();
    const report = (await commandIn(scene, 'report', '--html')).out;
    for (const html of [await page(''), await page('files'), report]) {
      expect(html).toContain('Not due yet');
      expect(html).not.toMatch(/\bdue \d/);
    }
  });

  test('verdict, causes, exports and sums are those of the ledger', async () => {
    await using visited = await visit('operator');
    const { page } = visited;
    // The server looks at the ledger again after three seconds at most.
    await expect
      .poll(
        async () => {
          await page.reload();
          return await page.locator('h1').innerText();
        },
        { timeout: 10_000 },
      )
      .toBe('3 documents and 1 refused file need action');
    expect(await page.locator('.about').innerText()).toContain('3 of 6 documents are authorized.');
    expect(await page.locator('.causes .count').allInnerTexts()).toEqual(['3']);
    expect(await page.locator('.complete li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Till\s.*\sNot due yet$/s),
      expect.stringMatching(/^ventes3\.csv\s.*\sRefused$/s),
    ]);
    expect(await page.locator('.nights li').count()).toBe(1);
    expect(visited.complaints).toEqual([]);
  });

  test.each([
    ['operator', true, 'Correct all 3'],
    ['viewer', false, 'Look'],
  ])('with a work list, %s gets the way to the act: %s', async (_role, mayAct, text) => {
    using index = await openSearchIndexOf(scene.instance());
    const causes = await scene.look((ledger) => openCauses({ ledger, index: async () => index }));
    const context = { say: (message: Message) => format(message, 'en'), base: '/i/1', language: 'en' as const };
    const card = causesCard({ ...context, may: () => mayAct, leadsTo: () => true }, causes);
    expect(String(card)).toContain(`<a class="button" href="${hrefOfCause('/i/1', causes.shown[0]!)}">${text}</a>`);
  });

  test('T1: one screen, in each language and theme that a person chooses on it', async () => {
    await using visited = await visit('operator');
    const { page } = visited;
    const choose = async (name: string, value: string) => {
      await page.locator('.person-button').click();
      await page.locator(`input[name=${name}][value=${value}]`).check({ noWaitAfter: true });
      await page.locator(`html[${name === 'theme' ? 'data-theme' : 'lang'}=${value}]`).waitFor();
    };
    await choose('theme', 'dark');
    for (const language of ['fr', 'es', 'en']) {
      await choose('language', language);
      expect(page.url()).toBe(address);
      // No scroll at 1440 by 900: one sentence, one bar, one list.
      expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(900);
      for (const part of ['h1', '.bar', '.causes']) expect([part, await page.locator(part).count()]).toEqual([part, 1]);
    }
    expect(visited.complaints).toEqual([]);
  });

  test('every link leads to a page', async () => {
    await using visited = await visit('admin');
    const links = await visited.page.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll('a[href]')].map((link) => link.href.split('#')[0]))]`,
    );
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect((await visited.page.goto(link))?.status(), link).toBe(200);
  });
});

test('the page says when there is something new, and the server ends while it listens', async () => {
  await using own = await openConsoleOf(scene);
  const { cookie } = await signInAs(scene, own, 'viewer');
  const [name = '', value = ''] = cookie.split('=');
  const home = `http://127.0.0.1:${own.port}${own.base}/`;
  await using visited = await openPage(home, { cookies: [{ name, value, url: home }] });
  scene.drop('ventes4.csv', sales(['N1']));
  await commandIn(scene, 'run');
  await visited.page.locator('#status a').waitFor();
  expect(await visited.page.locator('#status a').innerText()).toMatch(
    /^(The figures changed. Show the new ones|New or changed documents: \d\. Show them)$/,
  );
  const start = performance.now();
  await own[Symbol.asyncDispose]();
  // An open page would keep it for as long as it is open.
  expect(performance.now() - start).toBeLessThan(30_000);
});

test('an invalidated document is one to verify, in the verdict and in the bar, until a person has taken note of it', async () => {
  await using visited = await visit('operator');
  const { page } = visited;
  const shown = async () => {
    await page.reload();
    const legend = await page.locator('.verdict .legend li').allInnerTexts();
    return [await page.locator('h1').innerText(), ...legend.map((text) => text.replaceAll(/\s+/g, ' '))];
  };
  scene.drop('ventes5.csv', sales(['V1-X11', 'V2']));
  await commandIn(scene, 'run');
  const waits = ['4 documents and 1 refused file need action', '1 Done', '1 To verify'];
  await expect.poll(shown).toEqual(waits);
  expect(await page.locator('.legend a').nth(1).getAttribute('href')).toContain('state=invalidated');
  expect((await commandIn(scene, 'acknowledge', 'V1-X11', '--reason', 'the tax office knows')).code).toBe(0);
  await expect
    .poll(shown)
    .toEqual(['3 documents and 1 refused file need action', '1 Done', '1 Set aside or acknowledged']);
});
