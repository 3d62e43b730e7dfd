/** Mappings and the studio over real files, in a real browser: what a change does, live, bounded, and saved only as a new version. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTest } from '../../src/authoring/add-test.ts';
import { openPeople } from '../../src/console/people/people.ts';
import type { ConsoleRole } from '../../src/console/people/person.ts';
import { lineDifference } from '../../src/text/line-difference.ts';
import { createStudioWorker } from '../../src/views/preview/studio-worker.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { closeBrowser, openPage, type View } from './browser.ts';
import { ask, csrfIn, openConsoleOf, SAME_ORIGIN, signInAs, type TestConsole } from './console.ts';

const MAPPING = `# Kept: what the ERP calls a sale.${SALES_MAPPING}tests:
  - name: two lines
    given: samples/ventes.csv
    expect: { document: { identifier: A1 } }
`;

/** For a machine under load. */
const PATIENT = { timeout: 15_000 };

let scene: Scene;
let open: TestConsole;
let address: string;

beforeAll(async () => {
  scene = await openScene({ mappings: { 'sales.yaml': MAPPING }, settings: { company: 'Exemple SARL' } });
  const samples = join(scene.root, 'samples');
  writeFileSync(join(scene.root, 'ventes-sample.csv'), sales(['A1']));
  mkdirSync(samples);
  writeFileSync(join(samples, 'ventes.csv'), sales(['A1']));
  scene.drop('ventes1.csv', sales(['A1', 'A2']));
  scene.drop('ventes2.csv', sales(['B1', 'B2']).replaceAll(';1;2;', ';1;zwei;'));
  await commandIn(scene, 'run');
  open = await openConsoleOf(scene);
  address = `http://127.0.0.1:${open.port}${open.base}/`;
});
afterAll(async () => {
  await closeBrowser();
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
});

async function visit(path: string, role: ConsoleRole = 'consultant', view: View = {}) {
  const { cookie } = await signInAs(scene, open, role);
  const [name = '', value = ''] = cookie.split('=');
  return await openPage(`${address}${path}`, { ...view, cookies: [{ name, value, url: address }] });
}

const fileText = () => scene.read('mappings/sales.yaml');

describe('pages', () => {
  test('the list has version, use, failing documents, and the results of tests once they ran', async () => {
    await using visited = await visit('mappings/sales?tests=run', 'viewer');
    const { page } = visited;
    expect(await page.locator('[aria-labelledby=tests] li').allInnerTexts()).toEqual([
      expect.stringMatching(/^two lines\s+passes$/),
    ]);
    await page.goto(`${address}mappings`);
    const cells = await page.locator('tbody tr > *').allInnerTexts();
    expect(cells).toEqual([
      'sales',
      '1',
      'fr-invoice',
      'ventes*.csv',
      '1 test passes',
      expect.stringMatching(/\d/),
      '2',
      '–',
    ]);
    expect(await page.locator('form[enctype]').count()).toBe(0);
  });

  test('each wrong line of a mapping has its finding', async () => {
    const broken = fileText().replace('ROUND(', 'RUND(').replace('mapping: sales', 'mapping: broken');
    writeFileSync(join(scene.root, 'mappings', 'broken.yaml'), broken);
    try {
      await using visited = await visit('mappings/broken', 'viewer');
      const lines = visited.page.locator('.line.error');
      expect(await lines.allInnerTexts()).toEqual([expect.stringContaining('RUND(')]);
      const session = await signInAs(scene, open, 'viewer');
      const list = async () => (await ask(open, `${open.base}/mappings`, { headers: session })).body;
      await expect.poll(list, PATIENT).toMatch(/href="[^"]*\/mappings\/broken#l\d+"/);
    } finally {
      rmSync(join(scene.root, 'mappings', 'broken.yaml'));
    }
  });
});

test('T9: a changed rule shows its effect as a person types, and marks row, line and field', async () => {
  await using visited = await visit('mappings/sales/studio');
  const { page } = visited;
  await page.locator('#sample').selectOption({ label: 'ventes1.csv' });
  const name = page.locator('tr[data-key]', { hasText: 'receiver.name' });
  await expect.poll(() => name.innerText(), PATIENT).toContain('Client A1');
  const text = page.locator('#mapping-text');
  await text.fill(fileText().replace('name: $Client', 'name: = UPPER($Client)'));
  await expect.poll(() => name.locator('td').first().innerText(), PATIENT).toBe('CLIENT A1');
  expect(fileText()).not.toContain('UPPER');
  await name.locator('th').click();
  const line =
    fileText()
      .split('\n')
      .findIndex((one) => one.includes('name: $Client')) + 1;
  expect(await page.locator('.line.is-marked').getAttribute('id')).toBe(`l${line}`);
  expect(await page.locator('td.is-marked').allInnerTexts()).toEqual(['Client A1', 'Client A1']);
  // The time from the last key to the document: the median of five, with room for a machine under load.
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const start = performance.now();
    await text.fill(fileText().replace('name: $Client', `name: = $Client & "${n}"`));
    await page.locator('.fields', { hasText: `Client A1${n}` }).waitFor();
    times.push(performance.now() - start);
  }
  const median = times.toSorted((a, b) => a - b)[2]!;
  expect(median).toBeLessThan(300 * Number(process.env.LONG ?? 10));
  await page.getByRole('button', { name: 'Compare with the mapping in use' }).click();
  await expect
    .poll(() => page.locator('[aria-labelledby=comparison]').innerText(), PATIENT)
    .toContain('2 documents change');
  expect(await page.locator('[aria-labelledby=comparison] tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/^receiver\.name\s+2\s/),
  ]);
  await page.getByRole('button', { name: 'Compare with what was sent' }).click();
  await expect
    .poll(() => page.locator('[aria-labelledby=comparison]').innerText(), PATIENT)
    .toMatch(/^Compared with what was sent[\s\S]*2 documents change[\s\S]*Client A1/);
  // A mistake is shown on its line, and the field with no value first.
  await text.fill(fileText().replace('$Client', '$Klient'));
  await expect.poll(() => page.locator('.layer .error').getAttribute('id'), PATIENT).toBe(`l${line}`);
  expect(visited.complaints).toEqual([]);
});

test.each([1440, 1024, 390])(
  'the mouse reaches the text at %i pixels: a click puts the caret on its line',
  async (width) => {
    await using visited = await visit('mappings/sales/studio', 'consultant', { width });
    const { page } = visited;
    const text = page.locator('#mapping-text');
    await text.scrollIntoViewIfNeeded();
    const lines = fileText().split('\n');
    for (const [n, line] of lines.entries()) {
      if (!/[a-z]/i.test(line) || n % 6 !== 2) continue;
      const box = (await page.locator(`.layer #l${n + 1}`).boundingBox())!;
      await page.mouse.click(box.x + 70, box.y + box.height / 2);
      await page.keyboard.type('~');
      const typed = (await text.inputValue()).split('\n');
      expect(typed.filter((one, at) => one !== lines[at]).length, `line ${n + 1}`).toBe(1);
      expect(typed[n]).toContain('~');
      await page.keyboard.press('Backspace');
      expect(await text.inputValue()).toBe(fileText());
      expect(await page.locator('.line.is-marked').first().getAttribute('id')).toBe(`l${n + 1}`);
    }
    expect(visited.complaints).toEqual([]);
  },
);

test('without script: look, next document, tests, and save as a new version with its comments', async () => {
  await using visited = await visit('mappings/sales/studio', 'consultant', { script: false });
  const { page } = visited;
  const before = fileText();
  await page.locator('#sample').selectOption({ label: 'ventes1.csv' });
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  expect(await page.locator('.fields').innerText()).toContain('Client A2');
  await page.locator('#mapping-text').fill(before.replace('$Client', '= UPPER($Client)'));
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  expect(page.url()).toBe(`${address}mappings/sales?saved=2`);
  expect(await page.locator('#status').innerText()).toContain('Version 2 is saved');
  expect(fileText()).toBe(before.replace('version: 1', 'version: 2').replace('$Client', '= UPPER($Client)'));
  using people = openPeople(scene.root);
  expect(people.events(10).find(({ what }) => what === 'mapping-saved')?.name).toBe('consultant');
});

test('the shown document becomes a test with a sample of its own; saved as a new version, it passes', async () => {
  const before = fileText();
  await using visited = await visit('mappings/sales/studio');
  const { page } = visited;
  await page.locator('#sample').selectOption({ label: 'ventes1.csv' });
  await expect.poll(() => page.locator('.fields').innerText(), PATIENT).toMatch(/client a1/i);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => page.locator('.fields').innerText(), PATIENT).toMatch(/client a2/i);
  await page.getByRole('button', { name: 'Add as test' }).click();
  await page.getByText('samples/sales/A2.csv', { exact: false }).first().waitFor();
  expect(scene.read('samples/sales/A2.csv')).toBe(sales(['A2']));
  expect(await page.locator('[aria-labelledby=tests] li').allInnerTexts()).toEqual([
    expect.stringMatching(/^A2\s+passes$/),
    expect.stringMatching(/^two lines\s+passes$/),
  ]);
  expect(fileText()).toBe(before);
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.waitForURL(/saved=/);
  expect(fileText()).toContain('given: samples/sales/A2.csv');
  // A rule that changes the document is found by it.
  await page.goto(`${address}mappings/sales/studio`);
  await page
    .locator('#mapping-text')
    .fill(fileText().replace(/name: (= UPPER\()?\$Client\)?/, 'name: = LOWER($Client)'));
  await page.getByRole('button', { name: 'Run the tests' }).click();
  await expect
    .poll(() => page.locator('[aria-labelledby=tests] li').allInnerTexts(), PATIENT)
    .toEqual([expect.stringMatching(/^A2\s+1 difference/), expect.stringMatching(/^two lines\s+passes$/)]);
  expect(visited.complaints).toEqual([]);
});

test('a text whose tests cannot be added to is refused, and stays as it is', () => {
  const given = { name: 'A2', given: 'samples/sales/A2.csv' };
  const add = (text: string) =>
    withTest({ place: scene.root, file: 'mappings/sales.yaml', text }, given, { documents: [{}], faults: [] });
  const flow = `${SALES_MAPPING}tests: [{ name: one, given: samples/ventes.csv, expect: { document: { identifier: A1 } } }]\n`;
  expect(() => add(flow)).toThrow(expect.objectContaining({ code: 'tools/no-test' }));
  expect(add(SALES_MAPPING)).toBe(
    `${SALES_MAPPING}tests:\n  - name: A2\n    given: samples/sales/A2.csv\n    expect:\n      - {}\n`,
  );
});

describe('posts', () => {
  const post = async (role: ConsoleRole, path: string, fields: { readonly [name: string]: string }) => {
    const session = await signInAs(scene, open, role);
    const page = await ask(open, `${open.base}/mappings/sales/studio`, { headers: session });
    const base = /name="base" value="([0-9a-f]*)"/.exec(page.body)?.[1] ?? '';
    const form = { csrf: csrfIn(page.body), base, sample: '', ...fields };
    return await ask(open, `${open.base}${path}`, { headers: { ...session, ...SAME_ORIGIN }, form });
  };
  const STUDIO = '/mappings/sales/studio';

  test('a viewer and an operator may look, and save nothing', async () => {
    for (const role of ['viewer', 'operator'] as const) {
      expect((await post(role, STUDIO, { do: 'save', text: fileText() })).status).toBe(403);
      expect((await post(role, '/mappings', {})).status).toBe(403);
    }
  });

  test('what changed meanwhile, an error or a failing test is not overwritten; a second click is no conflict', async () => {
    const before = fileText();
    const text = before.replace('name: two lines', 'name: both lines');
    const conflict = await post('consultant', STUDIO, { do: 'save', text, base: '0'.repeat(64) });
    expect(conflict.status).toBe(200);
    expect(conflict.body).toContain('was changed by someone else');
    expect(conflict.body).toContain('name: both lines');
    const wrong = await post('consultant', STUDIO, { do: 'save', text: text.replace('ROUND(', 'RUND(') });
    expect(wrong.body).toContain('The mapping was not saved.');
    const failing = before.replace('identifier: A1', 'identifier: A9');
    expect((await post('consultant', STUDIO, { do: 'save', text: failing })).body).toContain('1 test fails');
    expect(fileText()).toBe(before);
    const base = /name="base" value="([0-9a-f]*)"/.exec(conflict.body)?.[1];
    expect(base).toBe('0'.repeat(64));
    const first = await post('consultant', STUDIO, { do: 'save', text });
    const again = await post('consultant', STUDIO, { do: 'save', text, base: '1'.repeat(64) });
    expect([first.status, again.status]).toEqual([303, 303]);
    expect(again.headers.location).toBe(first.headers.location);
  });

  test('a version that made documents is not used again, whichever mapping was opened', async () => {
    await using own = await openScene();
    own.drop('ventes.csv', sales(['A1']));
    await own.night();
    rmSync(join(own.root, 'mappings/sales.yaml'));
    await using console = await openConsoleOf(own);
    const session = await signInAs(own, console, 'consultant');
    const page = await ask(console, `${console.base}/mappings`, { headers: session });
    const text = SALES_MAPPING.replace('$Client', '= UPPER($Client)');
    const form = { csrf: csrfIn(page.body), base: '', sample: '', do: 'save', text };
    const headers = { ...session, ...SAME_ORIGIN };
    const saved = await ask(console, `${console.base}/mappings/renewed/studio`, { headers, form });
    expect(saved.headers.location).toBe(`${console.base}/mappings/sales?saved=2`);
  });

  const upload = async (path: string, name: string, bytes: string | Uint8Array<ArrayBuffer>, more = {}) => {
    const session = await signInAs(scene, open, 'consultant');
    const page = await ask(open, `${open.base}/mappings`, { headers: session });
    const form = new FormData();
    for (const [key, value] of Object.entries({ csrf: csrfIn(page.body), ...more })) form.set(key, String(value));
    form.set('sample', new Blob([bytes]), name);
    const sent = new Response(form);
    const headers = { ...session, ...SAME_ORIGIN, 'content-type': sent.headers.get('content-type')! };
    return await ask(open, `${open.base}${path}`, { headers, body: new Uint8Array(await sent.arrayBuffer()) });
  };

  test('a sample gives a draft, which is kept nowhere before it is saved', async () => {
    const answer = await upload('/mappings', 'FAC.csv', sales(['C1', 'C2', 'C3']), {
      id: 'caisse',
      target: 'fr-invoice',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('mapping: caisse');
    expect(answer.body).toContain('Save the new mapping');
    expect(existsSync(join(scene.root, 'mappings', 'caisse.yaml'))).toBe(false);
  });

  test.each([
    ['program.exe', 'MZ', 'is not a sample of an export'],
    ['empty.csv', '', 'is empty'],
    ['fake.xlsx', 'Num;Date', 'is not what its name says'],
    ['../../../nightpost.yaml', 'version: 1', 'is not a sample of an export'],
  ])('the upload %s is refused and leaves nothing', async (name, bytes, words) => {
    const kept = () => readdirSync(join(scene.root, 'state', 'studio'));
    const before = kept();
    const answer = await upload('/mappings', name, bytes, { id: 'other', target: 'fr-invoice' });
    expect(answer.body).toContain(words);
    expect(kept()).toEqual(before);
  });

  test('a sample of more than the limit is refused with 413', async () => {
    const answer = await upload('/mappings', 'big.csv', new Uint8Array(11 * 1024 ** 2), {
      id: 'big',
      target: 'fr-invoice',
    });
    expect(answer.status).toBe(413);
  });
});

describe('the worker', () => {
  const task = (text: string, path = join(scene.root, 'ventes-sample.csv')) => {
    const { folder, settings } = scene.instance();
    const sample = { name: 'ventes.csv', path, claimedAt: new Date().toISOString() };
    return {
      do: 'look',
      folder,
      settings,
      text,
      file: 'mappings/x.yaml',
      language: 'en',
      sample,
      document: 1e6,
    } as const;
  };

  test('ends what takes too long or too much memory, and works again afterwards', async () => {
    const long = sales(Array.from({ length: 150_000 }, (_, n) => `N${n}`));
    const path = join(scene.root, 'ventes-long.csv');
    writeFileSync(path, long);
    const slow = createStudioWorker({ lookMs: 60, taskMs: 60, memoryMb: 192 });
    expect(await slow.ask(task(MAPPING, path))).toEqual({ ended: 'time' });
    const small = createStudioWorker({ lookMs: 60_000, taskMs: 60_000, memoryMb: 64 });
    const held = MAPPING.replace('one-per: [Num]', 'one-per: [Num]\n  rows: anywhere');
    expect(await small.ask(task(held, path))).toEqual({ ended: 'memory' });
    const answer = await createStudioWorker().ask({ ...task(MAPPING), document: 1 });
    expect(answer).toMatchObject({ look: { number: 1, document: { identifier: 'A1', valid: true } } });
  });

  test('a task that no one waits for is not begun', async () => {
    expect(await createStudioWorker().ask(task(MAPPING), AbortSignal.abort())).toEqual({ ended: 'gone' });
  });
});

test('lines that differ, with those around them', () => {
  const shown = (before: string, after: string) =>
    lineDifference(before, after).map(({ what, line, text }) => `${what} ${line} ${text}`);
  expect(shown('a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nX\ne\nf\ng\nh')).toEqual([
    'same 2 b',
    'same 3 c',
    'gone 4 d',
    'come 4 X',
    'same 5 e',
    'same 6 f',
    'same 7 g',
    'come 8 h',
  ]);
  expect(shown('a\nb', 'a\nb')).toEqual([]);
});
