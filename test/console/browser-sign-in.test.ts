/** Sign-in as a real browser does it: by the link, from another site, with script and without. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScene, type Scene } from '../night.ts';
import { closeBrowser, openPage } from './browser.ts';
import { openConsoleOf, type TestConsole } from './console.ts';

let scene: Scene;
let open: TestConsole;

beforeAll(async () => {
  scene = await openScene();
  open = await openConsoleOf(scene);
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

test('the link signs in at once and leaves no token in the address; a link of another site finds the session', async () => {
  await using opened = await openPage(open.link!.address);
  const { page, complaints } = opened;
  await page.waitForURL(open.address);
  await page.goBack();
  expect(page.url()).not.toContain('t=');
  const other = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${open.address}">to the console</a><iframe src="${open.address}"></iframe>`);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  // Another site, not only another port of this one.
  await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
  expect(complaints.join('\n')).toMatch(/frame|refused|blocked/i);
  await page.click('a');
  await page.waitForURL(open.address);
  await page.waitForSelector(`form[action="${open.base}/sign-out"]`, { state: 'attached' });
  other.closeAllConnections();
  other.close();
});

test('without script the text after t= is pasted into the form', async () => {
  const address = readFileSync(open.link!.file, 'utf8').trim();
  await using opened = await openPage(address.split('#')[0]!, { script: false });
  const { page, complaints } = opened;
  await page.fill('input[name=token]', address.split('#t=')[1]!);
  await page.click('#link button');
  await page.waitForURL(open.address);
  expect(complaints).toEqual([]);
});
