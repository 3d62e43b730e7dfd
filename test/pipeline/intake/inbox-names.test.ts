/** A pattern of one mapping or setting never hides what another mapping takes, and what is set aside is listed. */
import { readFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beforeEachStatement, type Night, openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { PAIR_MAPPING } from '../sources/pair-mapping.ts';

const PASSING = readFileSync(join(import.meta.dirname, '../../../mappings/pass-through.yaml'), 'utf8').replace(
  /\ntests:[\s\S]*/,
  '\n',
);
const CARRYING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  '  lines:\n',
  '  attachments: [{ filename: $Client, mime-type: application/pdf, content: { base64: $Client } }]\n  lines:\n',
);
const BOTH = { 'sales.yaml': CARRYING, 'pass-through.yaml': PASSING };
const carrying = (pdf: string) => sales(['F1']).replaceAll('Client F1', pdf);
const numbers = async (scene: Scene) =>
  (await scene.entries()).map(({ facts, state, name }) => `${facts.identifier || name} ${state}`).sort();
const left = ({ told }: Night) =>
  told.flatMap((one) => (one.what === 'left-waiting' ? [`${one.file} ${one.why}`] : [])).sort();
const age = (scene: Scene, name: string, hours: number) => {
  const past = new Date(Date.now() - hours * 3_600_000);
  utimesSync(join(scene.root, 'inbox', name), past, past);
};
const refusals = ({ told }: Night) =>
  told.flatMap((one) => (one.what === 'inbox-refused' ? [`${one.file} ${one.fault.code}`] : []));
const DOUBTFUL = 'EFAC_F2026-00871.pdf intake/two-meanings';

test('a name of an export and of an attachment that no document asks for is reported, and sent if a person names it', async () => {
  await using scene = await openScene({ mappings: BOTH });
  scene.drop('EFAC_F2026-00871.pdf', '%PDF-1.7 an invoice');
  scene.drop('annexe.pdf', '%PDF-1.7 an attachment');
  scene.drop('ventes-1.csv', carrying('annexe.pdf'));
  expect(refusals(await scene.night())).toEqual([DOUBTFUL]);
  expect(await numbers(scene)).toEqual(['F1 authorized']);
  await scene.night({ files: [join(scene.root, 'inbox/EFAC_F2026-00871.pdf')] });
  expect(scene.files('inbox')).toEqual([]);
  expect((await scene.entries()).map(({ file }) => file.name).sort()).toEqual(['EFAC_F2026-00871.pdf', 'ventes-1.csv']);
});

test('an attachment that comes a night before its export is not sent as an export', async () => {
  await using scene = await openScene({ mappings: BOTH });
  scene.drop('EFAC_F2026-00871.pdf', '%PDF-1.7 of F1');
  expect(refusals(await scene.night())).toEqual([DOUBTFUL]);
  scene.drop('ventes-1.csv', carrying('EFAC_F2026-00871.pdf'));
  expect(refusals(await scene.night())).toEqual([]);
  expect(await numbers(scene)).toEqual(['F1 authorized']);
  expect(scene.files('inbox')).toEqual([]);
});

test('the document of the same look that asks for it gets it, and it is no export then', async () => {
  await using scene = await openScene({ mappings: BOTH });
  scene.drop('EFAC_F2026-00871.pdf', '%PDF-1.7 of F1');
  scene.drop('ventes-1.csv', carrying('EFAC_F2026-00871.pdf'));
  await scene.night();
  expect(await numbers(scene)).toEqual(['F1 authorized']);
  expect(scene.files('inbox')).toEqual([]);
});

test('an attachment of a refused document stays for its corrected export', async () => {
  await using scene = await openScene({ mappings: BOTH });
  scene.drop('EFAC_F2026-00871.pdf', '%PDF-1.7 of F1');
  scene.drop('ventes-1.csv', carrying('EFAC_F2026-00871.pdf').replaceAll(';2;10,50', ';x;10,50'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
  expect(refusals(await scene.night())).toEqual([DOUBTFUL]);
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
  expect(scene.files('inbox')).toEqual(['inbox/EFAC_F2026-00871.pdf']);
});

const controlled = (file: string) => ({
  expect: [{ name: 'day', files: 'ventes*.csv', by: '00:00', on: 'daily', controls: { file, documents: 'NB' } }],
});

test.each([
  ['*_ctl*.csv', 'ventes*.csv', 'ventes_ctl_paris.csv'],
  ['*.csv', 'ventes*.csv', 'ventes.csv'],
])('an export is sent although its name fits the control files %s', async (control, accepted, name) => {
  const mapping = SALES_MAPPING.replace('ventes*.csv', accepted);
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings: controlled(control) });
  scene.drop(name, sales(['F1']));
  scene.drop('day_ctl.csv', 'NB;1\n');
  await scene.night();
  expect(await numbers(scene)).toEqual(['F1 authorized']);
  const taken = await scene.look((ledger) => ledger.reports.controlFilesAfter(''));
  expect(taken.map((one) => one.name)).toEqual(['day_ctl.csv']);
});

test('control files of narrower names stay control files next to a mapping that takes more', async () => {
  const mapping = SALES_MAPPING.replace('ventes*.csv', '*.csv');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings: controlled('*_ctl.csv') });
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('day_ctl.csv', 'NB;1\n');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  const taken = await scene.look((ledger) => ledger.reports.controlFilesAfter(''));
  expect(taken.map((one) => one.name)).toEqual(['day_ctl.csv']);
});

test('what no document asks for, and what a setting ignores, is listed after a day', async () => {
  await using scene = await openScene({
    mappings: { 'sales.yaml': CARRYING },
    settings: { inbox: { settle: '1ms', ignore: ['*test*', '*.log'] } },
  });
  for (const name of ['old.pdf', 'new.pdf', 'ventes-test.csv', 'ventes-test-2.csv', 'erp.log']) scene.drop(name, 'x');
  for (const name of ['old.pdf', 'ventes-test.csv', 'erp.log']) age(scene, name, 25);
  expect(left(await scene.night())).toEqual(['old.pdf not-asked', 'ventes-test.csv ignored']);
  expect(left(await scene.night())).toEqual(['old.pdf not-asked', 'ventes-test.csv ignored']);
  const { leftInInbox } = JSON.parse((await commandIn(scene, 'status', '--json')).out);
  expect(leftInInbox).toEqual([
    { file: 'old.pdf', why: 'not-asked' },
    { file: 'ventes-test.csv', why: 'ignored' },
  ]);
  expect((await commandIn(scene, 'status')).out).toContain('ventes-test.csv');
});

test('a name of two meanings is in the status as long as it stays', async () => {
  await using scene = await openScene({ mappings: BOTH });
  scene.drop('EFAC_F2026-00871.pdf', '%PDF-1.7 an invoice');
  age(scene, 'EFAC_F2026-00871.pdf', 25);
  await scene.night();
  const { leftInInbox } = JSON.parse((await commandIn(scene, 'status', '--json')).out);
  expect(leftInInbox).toEqual([{ file: 'EFAC_F2026-00871.pdf', why: 'two-meanings' }]);
});

test.each([CARRYING, PAIR_MAPPING])('the status answers while the inbox is away: mapping %#', async (mapping) => {
  await using scene = await openScene({ mappings: { 'one.yaml': mapping } });
  expect(scene.instance().mappings).toHaveLength(1);
  renameSync(join(scene.root, 'inbox'), join(scene.root, 'away'));
  const { code, out } = await commandIn(scene, 'status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ inbox: 0, waiting: [], leftInInbox: [] });
});

test('a control file that is replaced while it is recorded is archived as it was read, and the other is read too', async () => {
  await using scene = await openScene({ settings: controlled('*.ctl') });
  scene.drop('day.ctl', 'NB;1\n');
  let isReplaced = false;
  const replace = (sql: string) => {
    if (isReplaced || !sql.includes('control_file')) return;
    isReplaced = true;
    scene.drop('day.ctl', 'NB;7\n');
  };
  await scene.night({ through: beforeEachStatement(replace) });
  await scene.night();
  const taken = await scene.look((ledger) => ledger.reports.controlFilesAfter(''));
  expect(taken.map(({ documents }) => documents).toSorted()).toEqual([1, 7]);
  const archived = scene.files('archive').filter((path) => path.endsWith('.ctl'));
  expect(archived.map((path) => scene.read(path)).toSorted()).toEqual(['NB;1\n', 'NB;7\n']);
  expect(scene.files('inbox')).toEqual([]);
});

test('files too large for control files are archived next to each other', async () => {
  await using scene = await openScene({ settings: controlled('*.ctl') });
  const contents = ['1', '2'].map((digit) => digit.repeat(3 * 1024 * 1024));
  for (const content of contents) {
    scene.drop('day.ctl', content);
    await scene.night();
  }
  const archived = scene.files('archive').filter((path) => path.endsWith('.ctl'));
  expect(archived.map((path) => scene.read(path)).toSorted()).toEqual(contents);
});

test('a control file that the ERP writes anew between the look and the reading is read when it is at rest', async () => {
  await using scene = await openScene({ settings: controlled('*.ctl') });
  scene.drop('a.ctl', 'NB;1\n');
  scene.drop('b.ctl', 'NB;2\n');
  let isReplaced = false;
  const grow = (sql: string) => {
    if (isReplaced || !sql.includes('control_file')) return;
    isReplaced = true;
    scene.drop('b.ctl', 'NB;4');
  };
  await scene.night({ through: beforeEachStatement(grow) });
  scene.drop('b.ctl', 'NB;42\n');
  await scene.night();
  const taken = await scene.look((ledger) => ledger.reports.controlFilesAfter(''));
  expect(taken.map(({ name, documents }) => `${name} ${documents}`)).toEqual(['a.ctl 1', 'b.ctl 42']);
  expect(scene.files('inbox')).toEqual([]);
});

test.each([
  ['ventes*.csv', '*'],
  ['ventes*.csv', 'v*.csv'],
])('exports %s are taken although the own attachments of their mapping may be %s', async (files, companions) => {
  const mapping = SALES_MAPPING.replace('files: "ventes*.csv"', `files: "${files}", companions: "${companions}"`);
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect(await numbers(scene)).toEqual(['F1 authorized']);
});

test('own attachments of narrower names stay attachments', async () => {
  const mapping = CARRYING.replace('"ventes*.csv"', '"ventes*"').replace('"*.pdf"', '"ventes*.pdf"');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.pdf', '%PDF');
  scene.drop('ventes.csv', carrying('ventes.pdf'));
  await scene.night();
  expect(await numbers(scene)).toEqual(['F1 authorized']);
  expect(scene.files('inbox')).toEqual([]);
});

test.each([
  ['attachments', SALES_MAPPING.replace('"ventes*.csv"', '"ventes*.csv", companions: "*.csv"'), {}],
  ['control files', SALES_MAPPING, controlled('*.csv')],
])('a correction file is taken although its name fits %s', async (_, mapping, settings) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings });
  scene.drop('ventes.csv', sales(['F1'], 'x'));
  await scene.night();
  const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  scene.drop('clerk.to-fix.csv', scene.read(sheet).replaceAll(';x;', ';2;'));
  await scene.night();
  expect(await numbers(scene)).toEqual(['F1 authorized']);
  expect(scene.files('inbox')).toEqual([]);
});
