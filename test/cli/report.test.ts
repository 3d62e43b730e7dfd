/** The morning report of real nights: each face shows the same numbers, a stopped run has one, a killed one is in the next. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDayIn } from '../../src/text/local-time.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

let scene: Scene;
let printed: NightReport;

beforeAll(async () => {
  scene = await openScene({
    settings: { rules: { fr: 'wire', sv: 'wire', language: 'fr' }, 'time-zone': 'Europe/Paris' },
  });
  scene.drop('ventes-1.csv', sales(['A1', 'A2', 'A3-X6']));
  printed = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
});
afterAll(async () => await scene[Symbol.asyncDispose]());

const codeOf = async (...words: string[]) => {
  const { code, err } = await commandIn(scene, ...words);
  return [code, /nightpost: ([a-z]+\/[a-z-]+)/.exec(err)?.[1]];
};
const jsonOf = async <T>(...words: string[]) => JSON.parse((await commandIn(scene, ...words)).out) as T;

test('run --json, the file and the command are one report, and the page has its numbers', async () => {
  expect(printed.balance.documents).toMatchObject({ read: 3, sent: 2, waiting: 1, difference: 0 });
  expect(await jsonOf<NightReport>('report', '--json')).toEqual(printed);
  expect(await jsonOf<NightReport>('report', printed.run, '--json')).toEqual(printed);
  const [path = ''] = scene.files('reports').filter((name) => name.endsWith('.report.html'));
  const page = scene.read(path.startsWith('reports') ? path : `reports/${path}`);
  expect((await commandIn(scene, 'report', '--html')).out.trim()).toBe(page.trim());
  expect(page).toContain(`<h1>${printed.verdict.sentence.fr}</h1>`);
  for (const { cause, command } of printed.causes) expect([cause, page.includes(command)]).toEqual([cause, true]);
  expect(page).toContain('100,80');
  expect(page).not.toMatch(/<script|https?:|style="/);
  const record = (await jsonOf<readonly { readonly totals: object }[]>('runs', '--json'))[0];
  expect(record?.totals).toMatchObject({ documents: { authorized: 2, rejected: 1 }, waiting: printed.waiting });
  expect(await jsonOf('status', '--json')).toMatchObject({ documents: { authorized: 2, rejected: 1 } });
});

test('days are listed with what they add up to, and each report names the one before by its hash', async () => {
  scene.drop('ventes-2.csv', sales(['B1']));
  const second = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  const [before] = await scene.look((ledger) => ledger.reports.list({ run: printed.run }));
  expect(second.previous).toEqual({ id: before?.id, sha256: before?.sha256, link: before?.link });
  const all = await jsonOf<{ reports: readonly NightReport[]; balance: NightReport['balance'] }>(
    'report',
    '--since',
    '2020-01-01',
    '--json',
  );
  expect(all.reports.map(({ run }) => run)).toEqual([printed.run, second.run]);
  expect(all.balance.documents).toMatchObject({ read: 4, sent: 3, waiting: 1 });
  expect(all.balance.currencies).toMatchObject([
    { currency: 'EUR', read: '201.60', sent: '151.20', waiting: '50.40', difference: '0.00' },
  ]);
  expect(await codeOf('report', '--since', '2020-01-01', '--html')).toEqual([2, 'report/several']);
});

test('a report that is not there, was changed, or was purged is refused with its code', async () => {
  expect(await codeOf('report', 'no-such-run')).toEqual([2, 'report/none']);
  expect(await codeOf('report', '--day', '2020-01-01')).toEqual([2, 'report/none']);
  expect((await codeOf('report', '--day', 'yesterday'))[0]).toBe(2);
  const [recorded] = await scene.look((ledger) => ledger.reports.list({ limit: 1 }));
  const path = join(scene.root, `reports/${recorded?.id}.report.json`);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"difference": 0', '"difference": 1'));
  expect(await codeOf('report')).toEqual([2, 'report/changed']);
  writeFileSync(path, text);
  await scene.desk(({ ledger }) =>
    ledger.reports.purgeReport(recorded?.id ?? '', { at: '2026-11-20T00:00:00.000Z', by: 'Marie', reason: 'age' }),
  );
  expect(await codeOf('report')).toEqual([2, 'report/purged']);
});

test('days with a report that was purged add up the others, and name the one that is gone', async () => {
  // The test before has purged the latest of several.
  type Listed = {
    readonly reports: readonly NightReport[];
    readonly balance: NightReport['balance'];
    readonly purged: readonly { readonly run: string; readonly by: string }[];
  };
  const recorded = await scene.look((ledger) => ledger.reports.list({}));
  const gone = recorded.filter(({ purged }) => purged);
  expect([gone.length, recorded.length > 1]).toEqual([1, true]);
  const { reports, balance, purged } = await jsonOf<Listed>('report', '--since', '2020-01-01', '--json');
  expect(reports.map(({ run }) => run)).not.toContain(gone[0]?.run);
  expect(reports).toHaveLength(recorded.length - 1);
  expect(balance.documents.read).toBe(reports.reduce((sum, one) => sum + one.balance.documents.read, 0));
  expect(purged).toMatchObject([{ run: gone[0]?.run, by: 'Marie' }]);
  const text = await commandIn(scene, 'report', '--since', '2020-01-01');
  expect([text.code, text.out.includes('Marie')]).toEqual([0, true]);
});

test('reports that cannot be written change neither exit code nor documents', async () => {
  const days = [0, 24].map((hours) => isoDayIn(Date.now() + hours * 3_600_000, 'Europe/Paris') ?? '');
  for (const day of days) {
    rmSync(join(scene.root, 'reports', day), { recursive: true, force: true });
    writeFileSync(join(scene.root, 'reports', day), 'a file in the way');
  }
  scene.drop('ventes-3.csv', sales(['C1']));
  const { code, err, out } = await commandIn(scene, 'run', '--json');
  expect([code, (JSON.parse(out) as NightReport).balance.documents.sent]).toEqual([0, 1]);
  expect((await scene.look((ledger) => ledger.reports.list({}))).length).toBe(2);
  expect(err).toContain('receipts/in-the-way');
});

test('what a later run sends of an earlier export is sent in the list of days too', async () => {
  await using later = await openScene();
  later.sandbox.script([{ match: { service: 'fr' }, answer: { code: 4 }, times: 1 }]);
  later.drop('ventes.csv', sales(['A1']));
  await commandIn(later, 'run');
  await commandIn(later, 'retry', 'A1', '--reason', 'ticket 4711 answered');
  await commandIn(later, 'run');
  const days = (...words: string[]) => commandIn(later, 'report', '--since', '2020-01-01', ...words);
  expect(JSON.parse((await days('--json')).out)).toMatchObject({ sent: { EUR: '50.40' } });
  expect((await days()).out.match(/\d+\.\d\d EUR/g)).toEqual(['0.00 EUR', '50.40 EUR', '50.40 EUR']);
});
