/** `npm run pictures`: docs/images/console-*.png, of the console over the finance night, played for it, and report.png, its morning report in French. `FOLDER LANGUAGE` as arguments are others. */
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConsole } from '../../src/console/open-console.ts';
import { readInstanceForViewing } from '../../src/instance/instance.ts';
import { openFinanceNight, playTonight } from '../rigs/finance-night.ts';
import { closeBrowser, openPage, type View } from './browser.ts';

const [images = join(import.meta.dirname, '../../docs/images'), language = 'en'] = process.argv.slice(2);

/** `path` below the base; `press` is a selector to follow from there, to the page that is shown. */
type Picture = { readonly path?: string; readonly press?: string; readonly view?: View };

const DARK = { dark: true };
const PICTURES: { readonly [name: string]: Picture } = {
  home: {},
  'home-dark': { view: DARK },
  'home-telephone': { view: { width: 390, height: 844 } },
  work: { path: '/work' },
  'work-dark': { path: '/work', view: DARK },
  correct: { press: '.causes a.button' },
  'correct-telephone': { press: '.causes a.button', view: { width: 390, height: 844 } },
  document: { path: '/documents?state=invalid', press: 'tbody tr a' },
  'document-dark': { path: '/documents?state=invalid', press: 'tbody tr a', view: DARK },
  documents: { path: '/documents' },
  files: { path: '/files' },
  runs: { path: '/runs' },
  mappings: { path: '/mappings' },
  studio: { path: '/mappings/sage-invoices/studio' },
  'studio-dark': { path: '/mappings/sage-invoices/studio', view: DARK },
  health: { path: '/health' },
  people: { path: '/people' },
};

const folder = mkdtempSync(join(tmpdir(), 'nightpost-pictures-'));
mkdirSync(images, { recursive: true });
try {
  await using finance = await openFinanceNight(join(folder, 'night'), { language });
  await playTonight(finance);
  const read = () => readInstanceForViewing(finance.root, { flags: { 'serve.port': 0 } });
  const report = (error: unknown) => console.error(error);
  for (const [name, { path, press, view = {} }] of Object.entries(PICTURES)) {
    await using console = await openConsole({ instance: read(), read, report });
    await using open = await openPage(console.link!.address, view);
    const { page } = open;
    await page.locator('#title').waitFor();
    if (path !== undefined) await page.goto(new URL(page.url()).href.replace(/\/$/, '') + path);
    if (press !== undefined)
      await page.goto(new URL((await page.locator(press).first().getAttribute('href'))!, page.url()).href);
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(images, `console-${name}.png`), timeout: 20_000 });
  }
  await using french = await openFinanceNight(join(folder, 'french'));
  await playTonight(french);
  const { run } = JSON.parse((await french.nightpost('report', '--json')).out) as { readonly run: string };
  const [path] = globSync(join(french.root, `reports/*/${run}.report.html`));
  await using open = await openPage(`file://${path}`, { width: 1000, height: 1250 });
  await open.page.screenshot({ path: join(images, 'report.png') });
} finally {
  await closeBrowser();
  rmSync(folder, { recursive: true, force: true });
}
