/** Every act of the console done by keys alone, in a real browser: reached with Tab, done, and the focus on what happened. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPeople } from '../../src/console/people/people.ts';
import { CONSOLE_ROUTES } from '../../src/console/route-table.ts';
import { closeBrowser, type OpenPage, openPage } from './browser.ts';
import { signInAs } from './console.ts';
import { type FullScene, openFullScene } from './every-screen.ts';

let full: FullScene;
let root: string;
let opened: OpenPage;
/** Paths of all posts that the keys have sent, as the routing table writes them. */
const posted = new Set<string>();

beforeAll(async () => {
  full = await openFullScene();
  const { scene, open } = full;
  root = `http://127.0.0.1:${open.port}${open.base}`;
  using people = openPeople(scene.root);
  const by = { name: 'test', address: 'local' };
  people.beginSession(people.add('Zoé', 'viewer', by), '10.0.0.1', 'link');
  await signInAs(scene, open, 'admin', 'anne');
  const { cookie } = await signInAs(scene, open, 'admin', 'anne');
  const [name = '', value = ''] = cookie.split('=');
  opened = await openPage('about:blank', { cookies: [{ name, value, url: root }] });
  const sample = join(scene.root, 'sample', 'ventes9.csv');
  opened.page.on('filechooser', (chooser) => void chooser.setFiles(sample));
  opened.page.on('request', (request) => {
    const path = new URL(request.url()).pathname.slice(open.base.length);
    const route = CONSOLE_ROUTES.find(
      (one) => one.method === 'POST' && new RegExp(`^${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
    );
    if (request.method() === 'POST') posted.add(route?.path ?? path);
  });
}, 90_000);
afterAll(async () => {
  expect(opened.complaints.filter((one) => !/409|422/.test(one))).toEqual([]);
  await opened[Symbol.asyncDispose]();
  await closeBrowser();
  await full[Symbol.asyncDispose]();
});

const MOST_STOPS = 200;

/** Presses Tab until the focus is on this element. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let n = 0; n < MOST_STOPS; n++) {
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${selector} on ${page.url()}`);
}

const WAIT = { timeout: 20_000 };

/** A text in quotes is typed, Space opens the choice of a file, which is made at once. */
async function press(page: Page, key: string): Promise<void> {
  if (key.startsWith('"')) await page.keyboard.type(key.slice(1, -1));
  else await page.keyboard.press(key);
  if (key === 'Space') await expect.poll(() => page.evaluate('document.activeElement.files.length'), WAIT).toBe(1);
}

type Walk = {
  readonly name: string;
  readonly from: (ids: FullScene['ids']) => string;
  /** In order: what Tab leads to, and the keys there; a text in quotes is typed. */
  readonly keys: readonly (readonly [to: string, ...keys: string[]])[];
  /** Part of the address that the act leads to, or a selector of what it shows. */
  readonly ends: string;
  /** The answer comes into the page itself. */
  readonly stays?: true;
};

const typed = (text: string) => `"${text}"`;
const REASON = typed('by keys alone');
const PASSWORD = 'una frase bastante larga';
const SEND = 'Control+Enter';
const act = (name: string) => (ids: FullScene['ids']) => `/work?id=${ids[name]}`;

const WALKS: readonly Walk[] = [
  {
    name: 'resume a service',
    from: () => '/health',
    keys: [['#resume-fr-reason', REASON, SEND]],
    ends: '/health?done=resumed',
  },
  {
    name: 'check the machine',
    from: () => '/health',
    keys: [['form[action$="/health/doctor"] button', 'Enter']],
    ends: '/health?done=checked',
  },
  {
    name: 'correct one cell on the page of its document',
    from: (ids) => `/documents/${ids.B1}`,
    keys: [
      ['body', 'e', 'Control+A', typed('2')],
      ['#fix-reason', REASON, SEND],
    ],
    ends: '?done=corrected',
  },
  {
    name: 'correct all documents with one cause, from the home page',
    from: () => '/',
    keys: [['body', 'e', 'Enter']],
    ends: '#act-to',
  },
  {
    name: 'correct them',
    from: () => '/work?cause=map%2Fnot-a-number%2Fletters%3Asales%40Qte%3D2O',
    keys: [
      ['body', 'e', typed('20')],
      ['#act-reason', REASON, SEND],
    ],
    ends: '#results',
  },
  {
    name: 'record an outcome',
    from: (ids) => `${act('D1-XLOST')(ids)}&act=resolve`,
    keys: [
      ['#act-as', 'ArrowDown'],
      ['#act-evidence', 'Space'],
      ['#act-reason', REASON, SEND],
    ],
    ends: '#results',
  },
  {
    name: 'set aside',
    from: (ids) => `${act('E1')(ids)}&act=set-aside`,
    keys: [['#act-reason', REASON, SEND]],
    ends: '#results',
  },
  {
    name: 'take it back',
    from: (ids) => `/acts/${ids.act}`,
    keys: [['form[action$="/undo"] button', 'Enter']],
    ends: '/acts/',
  },
  {
    name: 'set a refused export aside',
    from: (ids) => `/files/${ids['ventes4.csv']}`,
    keys: [['#set-aside-reason', REASON, SEND]],
    ends: '?done=set-aside',
  },
  {
    name: 'take that back',
    from: (ids) => `/files/${ids['ventes4.csv']}`,
    keys: [['#undo-reason', REASON, SEND]],
    ends: '?done=undone',
  },
  {
    name: 'read it again, which is refused as before',
    from: (ids) => `/files/${ids['ventes4.csv']}`,
    keys: [['#again-reason', REASON, SEND]],
    ends: '/files/',
  },
  {
    name: 'do without an expected export',
    from: () => '/files',
    keys: [
      ['.act-details summary', 'Enter'],
      ['#export-0-reason', REASON, SEND],
    ],
    ends: '/files?done=waived',
  },
  {
    name: 'expect it after all',
    from: () => '/files',
    keys: [
      ['.act-details summary', 'Enter'],
      ['#export-0-reason', REASON, SEND],
    ],
    ends: '/files?done=unwaived',
  },
  {
    name: 'send an export',
    from: () => '/files',
    keys: [
      ['#upload-file', 'Space'],
      ['#upload button', 'Enter'],
    ],
    ends: '/files?done=uploaded',
  },
  {
    name: 'begin a mapping',
    from: () => '/mappings',
    keys: [
      ['#new-sample', 'Space'],
      ['#new-id', typed('caisse')],
      ['#new-target', 'Home'],
      ['form.act button.primary', 'Enter'],
    ],
    ends: '#mapping-text',
  },
  {
    name: 'check a mapping in the studio',
    from: () => '/mappings/sales/studio',
    keys: [['button[value=tests]', 'Enter']],
    ends: '[aria-labelledby=tests]',
    stays: true,
  },
  {
    name: 'add a person',
    from: () => '/people',
    keys: [['#name', typed('marie'), 'Enter']],
    ends: '#status .secret',
  },
  {
    name: 'change a role',
    from: (ids) => `/people/${ids.zoe}`,
    keys: [
      ['#role', 'ArrowDown'],
      ['form[action$="/role"] button', 'Enter'],
    ],
    ends: '?done=role',
  },
  {
    name: 'make a link',
    from: (ids) => `/people/${ids.zoe}`,
    keys: [['form[action$="/link"] button', 'Enter']],
    ends: '#status .secret',
  },
  {
    name: 'make a token',
    from: (ids) => `/people/${ids.zoe}`,
    keys: [['form[action$="/token"] button', 'Enter']],
    ends: '#status .secret',
  },
  {
    name: 'end sessions',
    from: (ids) => `/people/${ids.max}`,
    keys: [['form[action$="/sessions"] button', 'Enter']],
    ends: '?done=sessions',
  },
  {
    name: 'revoke',
    from: (ids) => `/people/${ids.zoe}`,
    keys: [['form[action$="/revoke"] button', 'Enter']],
    ends: '?done=revoke',
  },
  {
    name: 'end the own other sessions',
    from: () => '/account',
    keys: [['form[action$="/account/sessions"] button', 'Enter']],
    ends: '/account',
  },
  {
    name: 'choose another language, two keys away, and save it',
    from: () => '/account',
    keys: [
      ['[data-preferences] input[name=language]', 'ArrowRight', 'ArrowRight'],
      ['main [data-preferences] button', 'Enter'],
    ],
    ends: 'html[lang=es]',
  },
  {
    name: 'set the own password, which ends the session',
    from: () => '/account',
    keys: [
      ['#password', typed(PASSWORD)],
      ['#again', typed(PASSWORD), 'Enter'],
    ],
    ends: '/login',
  },
  {
    name: 'sign in',
    from: () => '/login',
    keys: [
      ['[name=name]', typed('anne')],
      ['[name=password]', typed(PASSWORD), 'Enter'],
    ],
    ends: '#title',
  },
  {
    name: 'sign out',
    from: () => '/',
    keys: [
      ['.person-button', 'Enter'],
      ['form[action$="/sign-out"] button', 'Enter'],
    ],
    ends: '/login',
  },
];

describe('by keys alone', () => {
  beforeAll(() => {
    using people = openPeople(full.scene.root);
    const by = { name: 'test', address: 'local' };
    const max = people.add('max', 'viewer', by);
    people.beginSession(max, '10.0.0.2', 'link');
    full = { ...full, ids: { ...full.ids, zoe: people.named('Zoé')!.id, max: max.id } };
  });

  test.each(WALKS)('$name', async ({ from, keys, ends, stays }) => {
    const { page } = opened;
    await page.goto(root + from(full.ids));
    const isAddress = /^[/?]/.test(ends);
    for (const [step, [to, ...pressed]] of keys.entries()) {
      await tabTo(page, to);
      for (const [at, key] of pressed.entries()) {
        // The last key of all sends, and leads to another page.
        const isLast = !stays && step === keys.length - 1 && at === pressed.length - 1;
        await Promise.all([press(page, key), isLast && page.waitForEvent('load')]);
      }
    }
    if (isAddress) await page.waitForURL((url) => url.href.includes(ends));
    else await page.locator(ends).waitFor();
    const said = page.locator('#status .notice');
    if ((await said.count()) === 0) return;
    // A person who hears the page hears the heading, with what happened.
    expect(
      await page.evaluate('[document.activeElement.id, document.activeElement.getAttribute("aria-describedby")]'),
    ).toEqual(['title', 'status']);
  });

  test('every form of the routing table was sent by these keys', () => {
    // Without script alone: the look of the work list is a page. An approval needs a second person (approvals.test.ts), and its
    // form is that of every act.
    const others = ['/work', '/acts/:id/approval'];
    const posts = CONSOLE_ROUTES.filter(({ method, kind }) => method === 'POST' && kind !== 'api').map(
      ({ path }) => path,
    );
    expect(posts.filter((path) => !posted.has(path) && !others.includes(path))).toEqual([]);
  });
});
