/** One night in each face of its report: the numbers of the JSON are those of the files, the mail, the webhook, the page and the home page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localeOf } from '../../src/instance/locale.ts';
import { reportPage } from '../../src/pages/report-page.ts';
import { localTime } from '../../src/text/local-time.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { groupDigits } from '../../src/views/wording/amount-texts.ts';
import { inUseFor, openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { type MailServer, mailServer, type WebReceiver, webReceiver } from '../notices/receivers.ts';
import { commandIn } from '../program.ts';
import { ask, openConsoleOf, signInAs, type TestConsole } from './console.ts';

const CREDITS = SALES_MAPPING.replace('mapping: sales', 'mapping: credits')
  .replace('ventes*.csv', 'avoirs*.csv')
  .replace('class: invoice', 'class: credit-note');
const TILL = { name: 'Till', files: 'caisse*.csv', by: '00:00' };
const SALES = { name: 'Sales', files: 'ventes*.csv', by: '00:00', rows: { min: 100 } };
const CONTROLS = { file: 'NB_*.ctl', documents: 'NB', amount: 'TOTAL' };

let scene: Scene;
let open: TestConsole;
let mails: MailServer;
let hook: WebReceiver;
let report: NightReport;
/** Text of the home page, a part on each line. */
let home: string;
/** The markup of its list of documents. */
let oldest: string;

beforeAll(async () => {
  [mails, hook] = [await mailServer(), await webReceiver()];
  const smtp = { host: '127.0.0.1', port: mails.port, tls: 'none' };
  const url = { url: { file: 'hook-url' }, secret: { file: 'hook-secret' } };
  scene = await openScene({
    settings: {
      company: 'Exemple SARL',
      expect: [TILL, { ...SALES, controls: CONTROLS }],
      notify: [
        { mail: { to: ['a@example.org'], from: 'b@example.org', smtp }, details: 'full', attach: 'html' },
        { webhook: url, details: 'full' },
      ],
    },
    mappings: { 'sales.yaml': SALES_MAPPING, 'credits.yaml': CREDITS },
  });
  writeFileSync(join(scene.root, 'hook-url'), hook.url, { mode: 0o600 });
  writeFileSync(join(scene.root, 'hook-secret'), `whsec_${Buffer.alloc(32, 7).toString('base64')}`, { mode: 0o600 });
  await inUseFor(scene, 2);
  scene.drop('ventes-1.csv', sales(['A1', 'A2', 'A3-X6']));
  scene.drop('ventes-2.csv', sales(['A1']) + sales(['B1'], 'x').split('\n').slice(1).join('\n'));
  scene.drop('ventes-3.csv', 'no;such;columns\n1;2;3\n');
  scene.drop('avoirs-1.csv', sales(['C1', 'C2-X6']));
  scene.drop('NB_1.ctl', 'NB;7\nTOTAL;100,00\n');
  report = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  open = await openConsoleOf(scene);
  const { cookie } = await signInAs(scene, open, 'operator');
  const { body } = await ask(open, `${open.base}/`, { headers: { cookie } });
  [oldest = ''] = /<ul class="oldest">.*?<\/ul>/s.exec(body) ?? [];
  home = body
    .slice(body.indexOf('<main'))
    .replaceAll(/<(?:td|th|li|p|h1|h2|tr)\b[^>]*>/g, '\n')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/[ \t]+/g, ' ');
});
afterAll(async () => {
  await open[Symbol.asyncDispose]();
  await scene[Symbol.asyncDispose]();
  await mails[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

const digits = (value: string | number) => groupDigits(String(value), 'en');

test('the night has something in each part, or this file would prove less than it says', () => {
  const { documents, currencies, withoutAmount } = report.balance;
  expect(Object.values(documents)).toEqual([7, 3, 3, 0, 1, 0]);
  expect(currencies[0]).toMatchObject({ difference: '0.00', waiting: '0.00', sent: '50.40' });
  expect(withoutAmount).toMatchObject({ read: 1, waiting: 1 });
  expect(report.verdict.weight).toBe('alarm');
  expect(report.expected.map(({ state, unusual }) => [state, unusual])).toEqual([
    ['missing', undefined],
    ['arrived', 'few'],
  ]);
  expect(report.expected[1]?.controls?.documents).toMatchObject({ stated: 7 });
});

test('files and the command report have the same object', async () => {
  const [path] = scene.files('reports').filter((name) => name.endsWith('.report.json'));
  expect(JSON.parse(scene.read(path!))).toEqual(report);
  expect(JSON.parse((await commandIn(scene, 'report', '--json')).out)).toEqual(report);
  expect((await commandIn(scene, 'report')).out).toContain(report.verdict.sentence.en);
});

test('the mail has the verdict as subject and the page attached, the webhook the whole object', async () => {
  const mail = await PostalMime.parse(mails.mails[0]!);
  expect(`Exemple SARL: ${report.verdict.sentence.en}`).toContain(mail.subject?.replace(/…$/, ''));
  const attached = mail.attachments.find(({ filename }) => filename?.endsWith('.report.html'))?.content as ArrayBuffer;
  const [page] = scene.files('reports').filter((name) => name.endsWith('.report.html'));
  expect(Buffer.from(attached).toString('utf8')).toBe(scene.read(page!));
  expect(scene.read(page!)).toBe(reportPage(report, localeOf(scene.instance().settings)));
  const night = hook.received.map(({ body }) => JSON.parse(body)).find(({ type }) => type === 'night.finished');
  expect(night.data).toMatchObject({ verdict: report.verdict.sentence.en, report });
});

test('each cause has an act of a person, in words of its own', () => {
  expect(report.causes.map(({ state }) => state)).toContain('rejected');
  for (const { todo, says, state } of report.causes) {
    expect(todo.fr).not.toBe(says.fr);
    if (state === 'rejected') expect(todo.en).toBe('Correct it, and send it again under the same number.');
  }
});

test('the home page has the sums: read = sent + waiting + set aside + skipped', () => {
  const rowOf = (name: string, places: { readonly [place: string]: string | number }) =>
    [name, ...['read', 'sent', 'waiting', 'skipped'].map((place) => digits(places[place] ?? ''))].join('\\s+');
  const { documents, currencies, withoutAmount } = report.balance;
  expect(home).toMatch(new RegExp(rowOf('Documents', documents)));
  for (const one of currencies) expect(home).toMatch(new RegExp(rowOf(one.currency, one)));
  expect(home).toMatch(new RegExp(rowOf('No amount', withoutAmount)));
});

test('the home page has each expected export with its arrival, rows and control file', () => {
  const [till, sold] = report.expected;
  expect(home).toMatch(/Till\s+caisse\*\.csv, due .*\s+Missing/);
  expect(till?.state).toBe('missing');
  const { file, rows, controls } = sold!;
  expect(home).toMatch(new RegExp(`Sales\\s+${file} · .* late · ${rows} rows\\s+fewer than usual`));
  expect(home).toContain(`${controls?.documents?.stated} documents stated, ${controls?.documents?.read} read`);
  expect(home).toContain(`${controls?.amount?.stated} stated, ${controls?.amount?.read} read`);
});

test('the home page has the documents that wait longest, in the order of the report, each with its page', () => {
  expect(report.oldest).toHaveLength(3);
  const lines = [
    ...oldest.matchAll(/<strong><a href="[^"]*\/documents\/([^"]+)">([^<]+)<.*?<span class="dim">since ([^<]+)</gs),
  ];
  expect(lines.map(([, id, number]) => [id, number])).toEqual(report.oldest.map(({ id, number }) => [id, number]));
  const locale = localeOf(scene.instance().settings);
  for (const [n, { since, file }] of report.oldest.entries()) {
    expect(lines[n]?.[3]).toBe(`${localTime(since, locale)} · finance · ${file}`);
  }
});

test('the home page has the causes of the report, and its verdict has the reasons', () => {
  const shown = [...home.matchAll(/\n\s*(\d+)\s*\n\s*([^\n]+?)\s*\n/g)].map(([, count, says]) => [Number(count), says]);
  for (const { count, says } of report.causes) expect(shown).toContainEqual([count, says.en]);
  const reasons = [
    '1 expected export is missing',
    '3 documents need action',
    '1 export differs from its control file',
    '1 export has an unusual number of rows',
  ];
  const [title = ''] = home.split('\n').filter((line) => line.includes('control file') && !line.includes('stated'));
  for (const reason of reasons) expect(title.toLowerCase()).toContain(reason);
});
