/** The page of the morning report of the finance night, in a real browser: three languages, light, dark, a telephone, and paper. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '../../src/i18n/message.ts';
import { reportPage } from '../../src/pages/report-page.ts';
import { type NightReport, nightReportShape } from '../../src/views/reporting/report-shape.ts';
import { openFinanceNight, playTonight } from '../rigs/finance-night.ts';
import { closeBrowser, openPage, overflowOf, tabStopsOf, unreadableOf, violationsOf } from './browser.ts';

/** What a file of an ERP may be named: an element that fetches, and no place to break a line. */
const HOSTILE = `FAC_<img src="http://127.0.0.1:9/x.png">_${'0123456789'.repeat(12)}.csv`;
/** PICTURES=<folder> keeps what the pages look like. */
const { PICTURES } = process.env;

let folder: string;
let night: NightReport;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nightpost-report-page-'));
  if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
  await using finance = await openFinanceNight(join(folder, 'night'));
  await playTonight(finance);
  night = nightReportShape.parse(JSON.parse((await finance.nightpost('report', '--json')).out)) as NightReport;
}, 240_000);

afterAll(async () => {
  await closeBrowser();
  rmSync(folder, { recursive: true, force: true });
});

/** The address of the page as it is opened from a folder. */
function pageOf(report: NightReport, language: Language): string {
  const path = join(folder, `${language}.report.html`);
  writeFileSync(path, reportPage(report, { language, zone: 'Europe/Paris' }));
  return pathToFileURL(path).href;
}

const LOOKS = (['en', 'fr', 'es'] as const).flatMap((language) =>
  [false, true].map((dark) => ({ language, dark, theme: dark ? 'dark' : 'light' })),
);

test.each(LOOKS)('$language, $theme: no fault of accessibility, nothing cut off, no request', async (look) => {
  const { language, dark, theme } = look;
  const address = pageOf(night, language);
  await using open = await openPage(address, { dark });
  const { page } = open;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.reload();
  expect(await page.locator('h1').innerText()).toBe(night.verdict.sentence[language]);
  expect(await violationsOf(page)).toEqual([]);
  // The file that was refused says so.
  expect(await page.locator('tr', { hasText: 'DIV_20261121_2.xml' }).locator('.mark.bad').count()).toBe(1);
  expect(await unreadableOf(page)).toEqual([]);
  expect(await tabStopsOf(page)).toMatchObject({ missed: [] });
  for (const width of [1440, 640, 390]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await overflowOf(page), `${width}`).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${language}-${theme}-${width}.png`), fullPage: true });
  }
  expect(requests).toEqual([address]);
  expect(open.complaints).toEqual([]);
});

test.each(['en', 'fr', 'es'] as const)('%s: at most two sheets of A4, also from a dark screen', async (language) => {
  await using open = await openPage(pageOf(night, language), { dark: true });
  const { page } = open;
  const pdf = await page.pdf({ preferCSSPageSize: true });
  if (PICTURES) writeFileSync(join(PICTURES, `${language}.pdf`), pdf);
  const [sheets, boxes] = [/\/Type\s*\/Page\b/g, /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g].map((part) => [
    ...pdf.toString('latin1').matchAll(part),
  ]);
  expect(sheets?.length).toBeOneOf([1, 2]);
  // A4 in points.
  for (const [, width, height] of boxes ?? [])
    expect([Number(width), Number(height)].map(Math.round)).toEqual([595, 842]);
  expect(boxes?.length).toBe(sheets?.length);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const colors = `[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]`;
  expect(await page.evaluate(colors)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  expect(await violationsOf(page)).toEqual([]);
});

test('names of an ERP with elements, or without a place to break, are text and stay in the page', async () => {
  const named = <T extends { readonly file: string }>(all: readonly T[]) =>
    all.map((one) => ({ ...one, file: HOSTILE }));
  const hostile: NightReport = {
    ...night,
    files: named(night.files),
    oldest: named(night.oldest),
    expected: night.expected.map((one) => ({ ...one, name: HOSTILE, files: HOSTILE })),
    causes: night.causes.map((one) => ({ ...one, documents: [HOSTILE] })),
    changes: { ...night.changes, mappings: [{ id: HOSTILE, was: '1', is: '2' }] },
  };
  await using open = await openPage(pageOf(hostile, 'fr'), { width: 390, height: 844 });
  const { page } = open;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.reload();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.getByText(HOSTILE).count()).toBeGreaterThan(night.oldest.length);
  // The sentence about a bad night leaves room for what follows.
  expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).fontSize`)).toBe('19.2px');
  expect(await overflowOf(page)).toEqual([]);
  if (PICTURES) await page.screenshot({ path: join(PICTURES, 'hostile.png'), fullPage: true });
  expect(requests.length).toBe(1);
  expect(open.complaints).toEqual([]);
});

test('four currencies leave the last column in the page and names in one piece; what differs shows in the state', async () => {
  const currencies = ['CHF', 'EUR', 'GBP', 'USD'].map((currency) => {
    const [read, sent, waiting] = ['12345678.90', '11111111.11', '1234567.79'];
    return { currency, read, sent, waiting, setAside: '0.00', skipped: '0.00', difference: '0.00' };
  });
  const files = night.files.map((file) =>
    file.balance ? { ...file, balance: { ...file.balance, currencies } } : file,
  );
  const controls = { files: ['x.ctl'], documents: { stated: 2, read: 1, difference: -1 } };
  const expected = night.expected.map((one) => (one.state === 'arrived' ? { ...one, controls } : one));
  await using open = await openPage(pageOf({ ...night, files, expected }, 'fr'), { width: 1100, height: 844 });
  const { page } = open;
  // What differs shows in the column of the state too: a telephone has room for no more.
  const states = page.locator('tr', { has: page.locator('td:nth-child(2) .mark', { hasText: 'Arrivé' }) });
  expect(await states.locator('td:nth-child(2) .mark.ok').count()).toBe(0);
  expect(await states.count()).toBeGreaterThan(0);
  const cutOff = `[...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth).length`;
  expect(await page.evaluate(cutOff)).toBe(0);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 700, height: 844 });
  expect(await page.evaluate(cutOff)).toBe(0);
  const lines = `Math.max(...[...document.querySelectorAll('tbody th')].map((one) => one.getClientRects()[0].height))`;
  expect(await page.evaluate(lines)).toBeLessThan(120);
});

test('the guards of this file find a request, an overflow and a third sheet', async () => {
  await using open = await openPage(pageOf(night, 'fr'), { width: 390, height: 844 });
  const { page } = open;
  await page.evaluate(`
    document.querySelector('main').insertAdjacentHTML('beforeend', '<img width="500" height="3000" src="http://127.0.0.1:9/x.png">');
  `);
  expect((await violationsOf(page)).join()).toContain('image-alt');
  expect(await overflowOf(page)).not.toEqual([]);
  await expect.poll(() => open.complaints.join()).toContain('Content Security Policy');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(2);
});
