/** `npm run pictures`: docs/images/console-*.png, of the console over the finance night, played for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConsole } from '../../src/console/open-console.ts';
import { readInstanceForViewing } from '../../src/instance/instance.ts';
import { openFinanceNight, playTonight } from '../rigs/finance-night.ts';
import { closeBrowser, openPage, type View } from './browser.ts';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const VIEWS: { readonly [name: string]: View } = {
  home: {},
  'home-dark': { dark: true },
  'home-telephone': { width: 390, height: 844 },
};

const folder = mkdtempSync(join(tmpdir(), 'nightpost-pictures-'));
try {
  await using finance = await openFinanceNight(join(folder, 'night'), { language: 'en' });
  await playTonight(finance);
  const read = () => readInstanceForViewing(finance.root, { flags: { 'serve.port': 0 } });
  const report = (error: unknown) => console.error(error);
  for (const [name, view] of Object.entries(VIEWS)) {
    await using console = await openConsole({ instance: read(), read, report });
    await using open = await openPage(console.link!.address, view);
    await open.page.locator('#title').waitFor();
    await open.page.screenshot({ path: join(IMAGES, `console-${name}.png`) });
  }
} finally {
  await closeBrowser();
  rmSync(folder, { recursive: true, force: true });
}
