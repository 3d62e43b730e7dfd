import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSchemas } from '../../../src/authoring/write-schemas.ts';
import { purgeReports, reportsToPurge } from '../../../src/maintenance/purge-reports.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { writeReport } from '../../../src/runs/write-report.ts';
import { type Break, verify } from '../../../src/verify/verify-instance.ts';
import { buildNightReport } from '../../../src/views/reporting/night-report.ts';
import type { NightReport } from '../../../src/views/reporting/report-shape.ts';
import { decisionName } from '../../../src/views/wording/state-words.ts';
import { inUseFor, openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

/** A night of two exports, one of which cannot be read, and one document that the service rejects. */
let scene: Scene;
let report: NightReport;
let id: string;

beforeAll(async () => {
  scene = await openScene({ settings: { expect: [{ name: 'Ventes', files: 'ventes*.csv', by: '00:00' }] } });
  scene.drop('ventes-1.csv', sales(['A1', 'A2', 'A3-X6']).replace('Client A2;1;2', 'Client A2;1;x'));
  scene.drop('ventes-2.csv', 'no;such;columns\n1;2;3\n');
  const { work, stops } = await scene.night();
  report = await scene.desk((own) =>
    buildNightReport({ ...own, run: work.run, startedAt: work.startedAt }, { kind: 'run', stops, exitOf: () => 3 }),
  );
  id = await scene.desk((own) => writeReport(own, report, '<p>page</p>'));
});
afterAll(async () => await scene[Symbol.asyncDispose]());

test('the report has the shape that its JSON Schema describes, as nightpost schema writes it', async () => {
  const written = (await writeSchemas(scene.root)).find(({ path }) => path.endsWith('/report.schema.json'));
  const holds = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(written?.path ?? '', 'utf8')) as object);
  const read: unknown = JSON.parse(scene.read(`reports/${id}.report.json`));
  expect(holds(read), JSON.stringify(holds.errors)).toBe(true);
  expect(read).toEqual(report);
  expect(holds({ ...report, verdict: 'good' })).toBe(false);
});

test('a file that stays in the inbox for what it is needs attention in the verdict, as the exit code says', async () => {
  await using own = await openScene();
  symlinkSync(join(own.root, 'nightpost.yaml'), join(own.root, 'inbox/ventes.csv'));
  const { code, out } = await commandIn(own, 'run', '--json');
  const { verdict } = JSON.parse(out) as NightReport;
  expect([code, verdict.weight]).toEqual([3, 'attention']);
});

test('the verdict of a night in quarantine is an alarm, as that of a check of the status', async () => {
  await using own = await openScene();
  own.drop('ventes.csv', sales(['F1']));
  await commandIn(own, 'run');
  rmSync(join(own.root, 'state'), { recursive: true });
  expect((await commandIn(own, 'ledger', 'rebuild')).code).toBe(0);
  const { verdict, proof } = JSON.parse((await commandIn(own, 'run', '--json')).out) as NightReport;
  expect([proof.quarantine, verdict.weight]).toEqual([true, 'alarm']);
});

test('it counts documents, amounts and causes, and what was read is in one place', () => {
  expect(report.balance.documents).toEqual({ read: 3, sent: 1, waiting: 2, setAside: 0, skipped: 0, difference: 0 });
  expect(report.balance.currencies).toEqual([
    {
      currency: 'EUR',
      read: '100.80',
      sent: '50.40',
      waiting: '50.40',
      setAside: '0.00',
      skipped: '0.00',
      difference: '0.00',
    },
  ]);
  expect(report.balance.withoutAmount).toMatchObject({ read: 1, waiting: 1, sent: 0 });
  expect(report).toMatchObject({ exit: 3, waiting: 2, filesRefused: 1, verdict: { weight: 'attention' } });
  expect(report.causes.map(({ state, count }) => [state, count]).sort()).toEqual([
    ['invalid', 1],
    ['rejected', 1],
  ]);
  expect(report.verdict.sentence.en).toBe('2 of 3 documents need you and 1 file was refused');
});

test('the chain of receipts has the report, and its hashes are those of the files', async () => {
  const [recorded] = await scene.look((ledger) => ledger.reports.list({}));
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  expect(recorded).toMatchObject({
    id,
    sha256: sha256(scene.read(`reports/${id}.report.json`)),
    pageSha256: sha256('<p>page</p>'),
  });
  const link = await scene.look((ledger) => ledger.receipts.linkAt(recorded?.link ?? 0));
  expect(link).toMatchObject({ what: 'report', id, sha256: recorded?.sha256, payloadSha256: recorded?.pageSha256 });
  expect(await breaksOf()).toEqual([]);
});

async function breaksOf(): Promise<readonly string[]> {
  const breaks: string[] = [];
  const onBreak = ({ code, path }: Break) => breaks.push(`${code} ${path}`);
  await scene.look((ledger) => verify({ instance: scene.instance(), ledger, clock: systemClock }, { onBreak }));
  return breaks;
}

test('verify reports a report that was changed, moved away or added', async () => {
  const path = join(scene.root, `reports/${id}.report.json`);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"sent": 1', '"sent": 2'));
  expect(await breaksOf()).toEqual([`verify/report-changed reports/${id}.report.json`]);
  rmSync(path);
  mkdirSync(join(scene.root, 'reports/9999-01-01'));
  writeFileSync(join(scene.root, 'reports/9999-01-01/x.report.html'), '<p>all is well</p>');
  expect(await breaksOf()).toEqual([
    `verify/report-missing reports/${id}.report.json`,
    'verify/file-unknown reports/9999-01-01/x.report.html',
  ]);
  writeFileSync(path, text);
  rmSync(join(scene.root, 'reports/9999-01-01'), { recursive: true });
});

test('a purge of a counterparty removes the reports that name it, and verify knows', async () => {
  const decision = { at: new Date().toISOString(), by: 'Marie', reason: 'request' };
  const planned = (names: readonly string[]) =>
    scene.desk(({ instance, ledger }) => reportsToPurge({ instance, ledger }, { names, isKnown: true }));
  expect(await planned(['No such customer'])).toEqual([]);
  expect(await planned(['VENTES-1.CSV'])).toEqual([id]);
  await scene.desk(({ instance, ledger }) => purgeReports({ instance, ledger }, [id], decision));
  expect(scene.files('reports')).toEqual([]);
  expect(await breaksOf()).toEqual([]);
  expect(await planned(['VENTES-1.CSV'])).toEqual([]);
});

test('a run that sends documents of an earlier night reports them, and not that nothing was read', async () => {
  await using there = await openScene({ settings: { run: { hold: { over: { EUR: 1 } } } } });
  there.drop('ventes-1.csv', sales(['A1', 'A2', 'A3-X6']));
  await commandIn(there, 'run');
  expect(await commandIn(there, 'release', '--state', 'held', '--reason', 'seen', '--yes')).toMatchObject({ code: 0 });
  const sent = JSON.parse((await commandIn(there, 'run', '--json')).out) as NightReport;
  expect(sent.balance.documents).toMatchObject({ read: 0, sent: 0, difference: 0 });
  expect(sent.settled).toEqual({
    documents: { sent: 2, waiting: 1, setAside: 0, skipped: 0 },
    currencies: [{ currency: 'EUR', sent: '100.80', waiting: '50.40', setAside: '0.00', skipped: '0.00' }],
    withoutAmount: { sent: 0, waiting: 0, setAside: 0, skipped: 0 },
  });
  expect(sent.verdict.sentence.en).toBe('1 of 3 documents needs you');
  const page = there.read(there.files('reports').find((path) => path.endsWith(`${sent.run}.report.html`))!);
  expect(page).toContain('100.80');
  expect(page).not.toContain('No document was read');
  // A run that did nothing says so.
  const idle = JSON.parse((await commandIn(there, 'run', '--json')).out) as NightReport;
  expect(idle).not.toHaveProperty('settled');
});

test('a run without documents reports the refused files of earlier nights that still wait', async () => {
  await using there = await openScene();
  there.drop('ventes-2.csv', 'no;such;columns\n1;2;3\n');
  const verdictOfRun = async () => (JSON.parse((await commandIn(there, 'run', '--json')).out) as NightReport).verdict;
  expect((await verdictOfRun()).sentence.en).toBe('1 file was refused');
  expect(await verdictOfRun()).toMatchObject({
    weight: 'attention',
    sentence: { en: '1 refused file of earlier runs waits', fr: '1 fichier refusé des traitements précédents attend' },
  });
});

test('each act of a person has words in the report, and an act is not called by the state that it leaves', async () => {
  const expected = { name: 'Till', files: 'caisse*.csv', by: '00:00' };
  await using there = await openScene({ settings: { expect: [expected], run: { hold: { over: { EUR: 100 } } } } });
  await inUseFor(there, 2);
  there.drop('ventes-1.csv', sales(['A1'], '9') + sales(['B1'], 'x').split('\n').slice(1).join('\n'));
  there.drop('ventes-2.csv', 'no;such;columns\n1;2;3\n');
  await commandIn(there, 'run');
  const acts = [
    ['set-aside', 'ventes-2.csv'],
    ['undo', 'ventes-2.csv'],
    ['waive', 'Till'],
    ['undo', 'Till'],
    ['release', 'A1'],
    ['set-aside', 'B1'],
  ];
  for (const act of acts) {
    expect([act, (await commandIn(there, ...act, '--reason', 'why')).code]).toEqual([act, 0]);
  }
  const { decisions } = JSON.parse((await commandIn(there, 'run', '--json')).out) as NightReport;
  expect(decisions.map(({ what }) => decisionName(what, ({ id }) => id ?? 'no words')).toSorted()).toEqual([
    'decided-state.invalid',
    'decided-state.ready',
    'happening.export-waived',
    'happening.export-waiver-undone',
    'happening.file-set-aside',
    'happening.file-set-aside-undone',
  ]);
});

test('the verdict of a night in which a service is still paused is an alarm, as that of a check of the status', async () => {
  await using own = await openScene();
  const pause = { cause: 'unreachable', says: 'ECONNREFUSED', at: '2026-11-20T22:00:00.000Z' };
  await own.desk(({ ledger }) => ledger.submissions.pause('fr', pause));
  const { verdict, stops } = JSON.parse((await commandIn(own, 'run', '--json')).out) as NightReport;
  expect([stops, verdict.weight]).toEqual([[], 'alarm']);
  expect((await commandIn(own, 'status', '--check')).code).toBe(2);
});
