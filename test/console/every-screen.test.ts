/** Every page in every language and both themes: accessibility, width, keyboard, print, no script, hostile texts. Read from the routing table. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import type { Language } from '../../src/i18n/message.ts';
import { runs, seed } from '../seed.ts';
import { closeBrowser, openPage, overflowOf, tabStopsOf, unreadableOf, violationsOf } from './browser.ts';
import { signInAs } from './console.ts';
import { addressesOf, type FullScene, LISTED_ROUTES, openFullScene, PAGE_ROUTES } from './every-screen.ts';

let full: FullScene;
let root: string;
let paths: readonly string[];

beforeAll(async () => {
  full = await openFullScene();
  const { scene, open } = full;
  root = `http://127.0.0.1:${open.port}${open.base}`;
  using people = openPeople(scene.root);
  const by = { name: 'test', address: 'local' };
  const other = people.add('Zoé', 'operator', by);
  people.beginSession(other, '10.0.0.1', 'link');
  paths = addressesOf(full, other.id);
}, 90_000);
afterAll(async () => {
  await closeBrowser();
  await full[Symbol.asyncDispose]();
});

type Look = { readonly language: Language; readonly theme: 'light' | 'dark' };
const LANGUAGES = ['en', 'fr', 'es'] as const;
const LOOKS: readonly Look[] = LANGUAGES.flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme })),
);

/** The short form shows each page in one look, another one with another seed; TORTURE=1 shows each in all languages and both themes. */
const isLong = process.env.TORTURE !== undefined;

/**
 * What axe finds depends on the theme by its colors alone, and hardly on the language, but it takes most of the time. With
 * TORTURE=1 it judges each page in one language of each theme, in others with another seed, and with LONG=2 in each look.
 */
function isJudged(at: number, { language, theme }: Look): boolean {
  const turn = at + seed;
  const isDark = theme === 'dark';
  if (isLong) return runs(1) > 1 || LANGUAGES[(turn + Number(isDark)) % LANGUAGES.length] === language;
  return turn % LOOKS.length === 2 * LANGUAGES.indexOf(language) + Number(isDark);
}

/** In the dark the colors alone differ. */
function isShown(at: number, look: Look): boolean {
  return isJudged(at, look) || (isLong && look.theme === 'light');
}

/** A browser of an administrator, who may see every page. */
async function browse({ language, theme }: Look, script = true) {
  const { scene, open } = full;
  const name = `admin ${language}`;
  const { cookie } = await signInAs(scene, open, 'admin', name);
  using people = openPeople(scene.root);
  people.setLanguage(people.named(name)!.id, language);
  const [key = '', value = ''] = cookie.split('=');
  const cookies = [
    { name: key, value, url: root },
    { name: 'nightpost-view', value: `${theme}.on`, url: root },
  ];
  return await openPage('about:blank', { cookies, script });
}

async function go(page: Page, path: string): Promise<void> {
  const answer = await page.goto(root + path);
  const missing = path === '/nowhere' || path === '/documents/nothing';
  expect([path, answer?.status()]).toEqual([path, missing ? 404 : 200]);
  // What a person may unfold belongs to the page.
  await page.evaluate(`for (const one of document.querySelectorAll('main details')) one.open = true`);
}

test('every page of the routing table has an address here, and none is here that does not exist', () => {
  expect([...LISTED_ROUTES].sort()).toEqual([...PAGE_ROUTES].sort());
});

describe.each(LOOKS)('$language, $theme', (look) => {
  test('each page: no fault of accessibility, nothing cut off at any width or on paper, no word missing', async () => {
    await using opened = await browse(look);
    const { page, complaints } = opened;
    for (const [at, path] of paths.entries()) {
      if (!isShown(at, look)) continue;
      await page.setViewportSize({ width: 1440, height: 900 });
      await go(page, path);
      if (isJudged(at, look)) expect.soft(await violationsOf(page), path).toEqual([]);
      // The half of 1280 as with a zoom of 200 %, and a telephone.
      for (const width of look.theme === 'light' ? [1440, 1280, 1024, 800, 640, 390] : []) {
        await page.setViewportSize({ width, height: 844 });
        expect.soft([path, width, await overflowOf(page)]).toEqual([path, width, []]);
      }
      expect.soft([path, await unreadableOf(page)]).toEqual([path, []]);
      expect.soft([path, await page.locator('main img').count()]).toEqual([path, 0]);
      if (!path.startsWith('/login') && path !== '/nowhere' && path !== '/documents/nothing')
        expect.soft(await page.locator('html').getAttribute('lang'), path).toBe(look.language);
      if (look.theme === 'dark') continue;
      // A4 with its margins.
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 688, height: 1000 });
      expect.soft([path, 'print', await overflowOf(page)]).toEqual([path, 'print', []]);
      expect
        .soft(await page.locator('.top, .places, form.act, form.filter').filter({ visible: true }).count(), path)
        .toBe(0);
      await page.emulateMedia({ media: 'screen' });
      // A page that does not exist is reported by the browser itself.
      expect.soft(complaints.filter((one) => !one.includes('404'))).toEqual([]);
    }
    expect(full.open.defects).toEqual([]);
  }, 400_000);
});

test('each page by keyboard alone: every control is reached once, seen, and left again', async () => {
  await using opened = await browse({ language: 'fr', theme: 'light' });
  const { page } = opened;
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const path of paths) {
    await go(page, path);
    const { missed, unseen } = await tabStopsOf(page);
    expect.soft([path, missed, unseen]).toEqual([path, [], []]);
  }
}, 200_000);

test('each page without script: every form can be sent, nothing is shown that needs one', async () => {
  await using opened = await browse({ language: 'es', theme: 'light' }, false);
  for (const path of paths) {
    await go(opened.page, path);
    const mute = await opened.page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('form')].filter((form) => ![...form.elements].some(({ type, id }) => type === 'submit' || id === 'find')).map(({ outerHTML }) => outerHTML.slice(0, 200))`,
    );
    expect.soft([path, mute]).toEqual([path, []]);
    expect
      .soft([path, await opened.page.locator('.needs-script').filter({ visible: true }).count()])
      .toEqual([path, 0]);
    expect.soft(await opened.page.locator('h1').count(), path).toBe(1);
  }
}, 200_000);
