/**
 * A real Chromium for tests of the console: CHROMIUM names one, else that of the package @sparticuz/chromium is unpacked
 * once per installation, below node_modules. Throws with what to do if it does not start. One browser per test process.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Our own arguments: those of the package turn web security and the isolation of sites off, under which a test of
 * security passes for nothing. The sandbox of Chromium needs rights that root in a container does not have.
 */
const ARGUMENTS = ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage', '--hide-scrollbars'];

type Binary = { readonly path: string; readonly libraries?: string };

let started: Promise<Browser> | undefined;

/** The browser of this process; it ends with the process or by `closeBrowser`. */
async function openBrowser(): Promise<Browser> {
  started ??= startBrowser();
  try {
    return await started;
  } catch (error) {
    started = undefined;
    throw error;
  }
}

export async function closeBrowser(): Promise<void> {
  const browser = await started;
  started = undefined;
  await browser?.close();
}

async function startBrowser(): Promise<Browser> {
  const { path, libraries } = await binary();
  const environment = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  const env = { ...environment, ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }) };
  try {
    return await chromium.launch({ executablePath: path, args: ARGUMENTS, env: env as { [name: string]: string } });
  } catch (error) {
    throw new Error(
      `Chromium does not start: ${path}\nInstall one (Debian: apt install chromium) and name it: CHROMIUM=/usr/bin/chromium`,
      { cause: error },
    );
  }
}

async function binary(): Promise<Binary> {
  const named = process.env.CHROMIUM;
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which does not exist`);
    return { path: named };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The Chromium of the package runs on Linux x64 only: name another one by CHROMIUM=<path>');
  }
  const source = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as { version: string };
  const folder = join(ROOT, 'node_modules/.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(source, folder);
  const path = join(folder, 'chromium');
  // A machine with the libraries of a browser keeps its own.
  const missing = execFileSync('ldd', [path], { encoding: 'utf8' }).includes('not found');
  return missing ? { path, libraries: join(folder, 'lib') } : { path };
}

function unlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'EPIPE') throw error;
}

/** Into a folder of its own first: of several processes that unpack, one is the first to rename. */
async function unpack(source: string, folder: string): Promise<void> {
  const part = `${folder}.${process.pid}.part`;
  mkdirSync(part, { recursive: true });
  const decompressed = (name: string) => createReadStream(join(source, name)).pipe(createBrotliDecompress());
  const binaryFile = createWriteStream(join(part, 'chromium'), { mode: 0o700 });
  const tar = execFile('tar', ['-x', '-C', part]);
  await Promise.all([
    pipeline(decompressed('chromium.br'), binaryFile),
    // tar ends at the end of the archive and may not read the padding after it; its exit code says whether all is there.
    pipeline(decompressed('al2023.tar.br'), tar.stdin!).catch(unlessClosed),
    new Promise<void>((resolve, reject) =>
      tar.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`)))),
    ),
  ]);
  try {
    renameSync(part, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(part, { recursive: true, force: true });
  }
}

export type View = {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly script?: boolean;
  /** Cookies of a signed-in person. */
  readonly cookies?: Parameters<Awaited<ReturnType<Browser['newContext']>>['addCookies']>[0];
};

/** A page of its own in a browser without memory; it collects what the browser complains about. */
export type OpenPage = AsyncDisposable & {
  readonly page: Page;
  /** Errors of scripts, and refusals by the policy of the content. */
  readonly complaints: readonly string[];
};

export async function openPage(address: string, view: View = {}): Promise<OpenPage> {
  const { width = 1440, height = 900, dark = false, script = true, cookies = [] } = view;
  const browser = await openBrowser();
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
  });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text());
  });
  await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
  await page.goto(address);
  return { page, complaints, [Symbol.asyncDispose]: async () => await context.close() };
}

/** Clicks, and keys outside of fields or that send; what is typed into a field is no step. On all pages since the first. */
export async function stepsOf(page: Page): Promise<number> {
  return await page.evaluate<number>('inPage.steps()');
}

const AXE = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };

/** What axe finds: WCAG 2.0 to 2.2 A and AA, and best practices. Empty is right. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(AXE)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`));
}

/** Elements wider than the page, which a person would have to scroll sideways for. Empty is right. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  return await page.evaluate<readonly string[]>('inPage.overflow()');
}

/** Places of the text that show a mistake of the page: a value without words, a message that was not filled in. Empty is right. */
export async function unreadableOf(page: Page): Promise<readonly string[]> {
  const text = await page.evaluate<string>('document.body.innerText');
  return (
    text.match(/.{0,40}(?:\[object |\bundefined\b|\bNaN\b|Invalid Date|(?<!\\u)\{\w+(?:, \w+)?[,}]).{0,40}/g) ?? []
  );
}

/** More than any page has. */
const MOST_STOPS = 400;

/**
 * Presses Tab until the focus has left the page. `missed`: controls that can be seen and were not reached; `unseen`: those
 * without a mark of the focus, or with something above them.
 */
export async function tabStopsOf(
  page: Page,
): Promise<{ readonly missed: readonly string[]; readonly unseen: readonly string[] }> {
  await page.evaluate('inPage.beginTabs()');
  for (let n = 0; n < MOST_STOPS; n++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>('inPage.hasLeft()')) break;
  }
  return await page.evaluate('inPage.endTabs()');
}
