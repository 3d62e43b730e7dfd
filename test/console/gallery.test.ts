/** The look of the console on all of its parts, in a real browser under the policy of the console. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Theme } from '../../src/console/shell/page-frame.ts';
import type { Language } from '../../src/i18n/message.ts';
import { closeBrowser, openPage, overflowOf, stepsOf, violationsOf } from './browser.ts';
import { galleryPage, HOSTILE } from './gallery.ts';

const STATIC = join(import.meta.dirname, '../../src/console/static');
const TYPES: { readonly [ending: string]: string } = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'",
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ');

let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const [, room, name = ''] = pathname.split('/');
    response.setHeader('content-security-policy', POLICY);
    if (room === 'static') {
      response.setHeader('content-type', TYPES[name.split('.').at(-1)!]!);
      response.end(readFileSync(join(STATIC, name)));
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const language = (searchParams.get('language') ?? 'en') as Language;
    const theme = (searchParams.get('theme') ?? 'auto') as Theme;
    response.end(String(galleryPage({ language, theme })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  await closeBrowser();
  server.close();
});

const ALL_LOOKS = (['en', 'fr', 'es'] as const).flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme })),
);
/** The short form has each language and each theme; TORTURE=1 each pair. */
const LOOKS = ALL_LOOKS.filter(
  ({ language, theme }) => process.env.TORTURE || (language === 'fr') === (theme === 'dark'),
);

test.each(LOOKS)('all parts in $language and $theme: no fault of accessibility, nothing cut off', async (look) => {
  await using open = await openPage(`${address}?language=${look.language}&theme=${look.theme}`);
  expect(await violationsOf(open.page)).toEqual([]);
  // 1440 pixels, the half of 1280 as with a zoom of 200 %, and a telephone.
  for (const width of [1440, 640, 390]) {
    await open.page.setViewportSize({ width, height: 844 });
    expect(await overflowOf(open.page), `${width}`).toEqual([]);
  }
  // Other languages change words, not the parts that a telephone shows.
  if (look.language === 'en') expect(await violationsOf(open.page)).toEqual([]);
  expect(open.complaints).toEqual([]);
});

test('the guards of this file find a fault of accessibility, an overflow and a refused script', async () => {
  await using open = await openPage(address, { width: 390 });
  await open.page.evaluate(`
    const picture = document.createElement('img');
    picture.width = 500;
    document.querySelector('main').append(picture);
    document.body.style.minWidth = '600px';
  `);
  expect((await violationsOf(open.page)).join()).toContain('image-alt');
  expect(await overflowOf(open.page)).not.toEqual([]);
  await open.page.evaluate(`
    const script = document.createElement('script');
    try {
      script.textContent = 'window.ran = true';
      document.body.append(script);
    } catch (error) {
      console.error(String(error));
    }
  `);
  expect(open.complaints.join()).toMatch(/Trusted|Content Security Policy/);
  expect(await open.page.evaluate("'ran' in window")).toBe(false);
});

test('hostile texts are text, and characters that turn the direction are shown', async () => {
  await using open = await openPage(address);
  expect(await open.page.getByText(HOSTILE).count()).toBeGreaterThan(0);
  expect(await open.page.locator('main img').count()).toBe(0);
  expect(await open.page.getByText('F-\\u{202e}2026').count()).toBe(1);
});

test('the page has its own fonts, with a slashed zero in cells', async () => {
  await using open = await openPage(address);
  const fonts = await open.page.evaluate<string[]>(
    `document.fonts.ready.then((all) => [...all].filter(({ status }) => status === 'loaded').map(({ family }) => family))`,
  );
  expect(fonts.map((name) => name.replaceAll('"', '')).sort()).toEqual(['Inter', 'JetBrains Mono']);
  const features = await open.page.evaluate<string>(
    `getComputedStyle(document.querySelector('code.cell')).fontFeatureSettings`,
  );
  expect(features).toContain('zero');
});

test('keys move, choose and open rows, find, and go to places; none acts in a field', async () => {
  await using open = await openPage(address);
  const { page } = open;
  const current = () => page.locator('tr[aria-current] th').innerText();
  await page.keyboard.press('j');
  expect(await current()).toBe('F2026-20004');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect(await current()).toBe('F2026-20004');
  const box = page.locator('tr[aria-current] input[type=checkbox]');
  await page.keyboard.press('x');
  expect(await box.isChecked()).toBe(false);
  await page.keyboard.press('o');
  await page.waitForURL('**#F2026-20004');
  await page.keyboard.press('?');
  expect(await page.locator('dialog#keys').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('gjx');
  expect(await page.locator('#find').inputValue()).toBe('gjx');
  expect(await stepsOf(page)).toBe(8);
  await page.locator('h1').click();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.waitForURL('**/documents');
});

test('keys can be switched off, the form of an act is sent once', async () => {
  await using open = await openPage(address);
  const { page } = open;
  await page.evaluate(`document.documentElement.dataset.keys = 'off'`);
  await page.keyboard.press('j');
  expect(await page.locator('tr[aria-current]').count()).toBe(0);
  const posts: string[] = [];
  await page.route('**/acts', async (route) => {
    posts.push(route.request().postData() ?? '');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await route.fulfill({ status: 204 });
  });
  await page.locator('#form-reason').fill('why');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => posts.length).toBe(1);
  expect(posts[0]).toContain('csrf=token');
  expect(posts[0]).toContain('reason=why');
  expect(posts).toHaveLength(1);
});

test('a page is complete without script: menu, person, form, boxes', async () => {
  await using open = await openPage(address, { script: false, width: 390 });
  const { page } = open;
  await page.locator('.menu-button').click();
  expect(await page.locator('#menu').isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.locator('.person-button').click();
  expect(await page.locator('input[name=theme]').first().isVisible()).toBe(true);
  expect(await page.locator('form#form button[type=submit]').count()).toBe(2);
  expect(await page.locator('input[name=document][form=form]').count()).toBe(3);
  expect(await page.locator('.needs-script').first().isVisible()).toBe(false);
});
