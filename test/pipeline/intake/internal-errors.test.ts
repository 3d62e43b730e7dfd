/** A defect of the program in one file, of any kind and at any step: that file is refused, all others are sent, the next night is a normal one. */
import { expect, test } from 'vitest';
import { csvReader } from '../../../src/readers/csv/csv-reader.ts';
import type { Reader } from '../../../src/readers/reader.ts';
import {
  type Night,
  type NightOptions,
  openScene,
  SALES_MAPPING,
  type Scene,
  sales,
  stopAtWrite,
  tally,
} from '../../night.ts';
import { proofOf } from '../../samples/night.ts';
import { PAIR_MAPPING } from '../sources/pair-mapping.ts';

const INTERNAL = 'intake/internal-error';
const refusedIn = ({ told }: Night) =>
  told.flatMap((one) => (one.what === 'file-refused' ? one.faults.map(({ code }) => `${one.file} ${code}`) : []));

/** The reader fails at these files, after so many times that it does not, until this is disposed of. */
function failing(reader: Reader, isBad: (name: string) => boolean, after = 0): Disposable {
  const { read } = reader;
  let left = after;
  const readOrFail: Reader['read'] = (bytes, options) => {
    if (isBad(options.file) && left-- <= 0) throw new RangeError('Maximum call stack size exceeded');
    return read(bytes, options);
  };
  Object.assign(reader, { read: readOrFail });
  return { [Symbol.dispose]: () => void Object.assign(reader, { read }) };
}

const isBad = (name: string) => name.includes('bad');
const failingNight = async (scene: Scene, options: NightOptions = {}, after = 0) => {
  using _ = failing(csvReader, isBad, after);
  return await scene.night(options);
};

/** Nothing is left over: a new export is sent, and each row is in one place. */
async function expectNormalNight(scene: Scene): Promise<void> {
  scene.drop('ventes-next.csv', sales(['NEXT']));
  expect(refusedIn(await failingNight(scene))).toEqual([]);
  const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`);
  expect(states).toContain('NEXT authorized');
  const loading = await scene.look((ledger) => ledger.intake.loadingFiles());
  expect(loading.map(({ name }) => name)).toEqual([]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
}

const FITS = SALES_MAPPING.replace('{ files: "ventes*.csv" }', '{ files: "ventes*.csv", columns: [Num] }');
const OTHER = FITS.replace('mapping: sales', 'mapping: others').replace('[Num] }', '[Rien] }');
const SHARING = FITS.replace('[Num] }', '[Num], shares: true }');
const REPORT = SHARING.replace('mapping: sales', 'mapping: days')
  .replace('one-per: [Num]', 'one-per: file')
  .replace('identifier: $Num', 'identifier: = "JOUR-" & $Num');
const long = (number: string) => sales([number]).replace(`Client ${number}`, `Client ${'x'.repeat(70_000)}`);

test.each([
  ['converted together with others', { 'sales.yaml': SALES_MAPPING }, sales(['BAD']), 1],
  ['converted alone', { 'sales.yaml': SALES_MAPPING }, long('BAD'), 1],
  ['classified together with others', { 'sales.yaml': FITS, 'others.yaml': OTHER }, sales(['BAD']), 1],
  ['classified alone', { 'sales.yaml': FITS, 'others.yaml': OTHER }, long('BAD'), 1],
  ['classified for two mappings', { 'sales.yaml': SHARING, 'days.yaml': REPORT }, sales(['BAD']), 1],
])('a file that is %s', async (_, mappings, content, refused) => {
  await using scene = await openScene({ mappings });
  scene.drop('ventes-bad.csv', content);
  scene.drop('ventes-good.csv', sales(['F1']));
  scene.drop('ventes-later.csv', sales(['F2']));
  expect(refusedIn(await failingNight(scene))).toEqual(Array(refused).fill(`ventes-bad.csv ${INTERNAL}`));
  expect(scene.files('error').filter((path) => path.includes('ventes-bad.csv.'))).toHaveLength(refused);
  const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`);
  expect(states).toEqual(expect.arrayContaining(['F1 authorized', 'F2 authorized']));
  await expectNormalNight(scene);
});

test('a file that two mappings share, at the second of them', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SHARING, 'days.yaml': REPORT } });
  scene.drop('ventes-bad.csv', sales(['F1']));
  scene.drop('ventes-good.csv', sales(['F2']));
  // Twice for the columns, as a small file and then alone, each time for two mappings; then once for the first mapping.
  expect(refusedIn(await failingNight(scene, {}, 5))).toEqual([`ventes-bad.csv ${INTERNAL}`]);
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
  await expectNormalNight(scene);
});

test.each(['ENT_bad.csv', 'LIG_bad.csv'])('half of a pair: %s', async (bad) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING, 'pairs.yaml': PAIR_MAPPING } });
  scene.drop('ENT_bad.csv', 'Num;Client\nP1;Élan\n');
  scene.drop('LIG_bad.csv', 'Num;Lig;Net\nP1;1;10,00\n');
  scene.drop('ventes-good.csv', sales(['F1']));
  using failure = failing(csvReader, (name) => name === bad);
  expect(refusedIn(await scene.night()).sort()).toEqual([`ENT_bad.csv ${INTERNAL}`, `LIG_bad.csv ${INTERNAL}`]);
  failure[Symbol.dispose]();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  await expectNormalNight(scene);
});

/** F1 is sent; BAD is invalid, and its correction file is in error/. */
async function failedNight(): Promise<Scene & { readonly toFix: string }> {
  const scene = await openScene({ settings: { corrections: { files: ['csv'] } } });
  scene.drop('ventes-bad.csv', sales(['F1', 'BAD']).replace('Client BAD;1;2', 'Client BAD;1;x'));
  scene.drop('ventes-more.csv', sales(['F2', 'F3']).replace('Client F3;1;2', 'Client F3;1;x'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 2 });
  const texts = scene
    .files('error')
    .filter((path) => path.endsWith('.to-fix.csv'))
    .map((path) => scene.read(path));
  const toFix = texts.map((text, n) => (n === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('');
  return { ...scene, toFix: toFix.replaceAll(';x;', ';2;') };
}

test('a correction file: the documents of the other source are corrected', async () => {
  await using scene = await failedNight();
  scene.drop('fix.csv', scene.toFix);
  const { told } = await failingNight(scene);
  const [corrections] = told.flatMap((one) => (one.what === 'corrections' ? [one] : []));
  expect(corrections).toMatchObject({ corrected: 1, refused: 1, faults: [{ code: INTERNAL }] });
  expect(tally(await scene.entries())).toEqual({ authorized: 3, invalid: 1 });
  await expectNormalNight(scene);
  // Once the program can read it, the same file corrects the rest.
  scene.drop('fix.csv', scene.toFix);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 5 });
});

test('a second reading, which a correction began', async () => {
  await using scene = await failedNight();
  scene.drop('fix.csv', scene.toFix);
  // The correction file is compared, its result is calculated, and then the second reading fails.
  const { told } = await failingNight(scene, {}, 2);
  const [corrections] = told.flatMap((one) => (one.what === 'corrections' ? [one] : []));
  expect(corrections).toMatchObject({ corrected: 1, refused: 1, faults: [{ code: INTERNAL }] });
  await expectNormalNight(scene);
});

test('after the commit of a second reading: the account has what the document became', async () => {
  await using scene = await failedNight();
  scene.drop('fix.csv', scene.toFix);
  const onEvent = ({ what }: { readonly what: string }) => {
    if (what === 'file-admitted') throw new TypeError('after the commit');
  };
  const { told } = await scene.night({ onEvent });
  const [corrections] = told.flatMap((one) => (one.what === 'corrections' ? [one] : []));
  expect(corrections).toMatchObject({ corrected: 2, refused: 0, faults: [] });
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 4 });
});

test('a second reading that a stop cut off', async () => {
  let resumed = 0;
  for (let at = 2; at <= 8; at++) {
    await using scene = await failedNight();
    scene.drop('fix.csv', scene.toFix);
    scene.drop('ventes-good.csv', sales(['F4']));
    await scene.night({ through: stopAtWrite(at) }).catch(() => undefined);
    const open = await scene.look((ledger) => ledger.intake.loadingFiles());
    if (!open.some(({ rereads, name }) => rereads !== undefined && isBad(name))) continue;
    resumed++;
    expect(refusedIn(await failingNight(scene))).toEqual([`ventes-bad.csv ${INTERNAL}`]);
    expect((await scene.entries()).filter(({ facts }) => facts.identifier === 'F4')).toMatchObject([
      { state: 'authorized' },
    ]);
    await expectNormalNight(scene);
  }
  expect(resumed).toBeGreaterThan(0);
});

test('a correction file that is about to be written', async () => {
  await using scene = await openScene({ settings: { corrections: { files: ['csv'] } } });
  scene.drop('ventes-bad.csv', sales(['F1', 'BAD']).replace('Client BAD;1;2', 'Client BAD;1;x'));
  scene.drop('ventes-good.csv', sales(['F2']));
  const { told } = await scene.night({
    onEvent: ({ what }, { ledger }) => {
      const fail = () => Promise.reject(new RangeError('Maximum call stack size exceeded'));
      if (what === 'file-admitted') Object.assign(ledger.queries, { correctionsOf: fail });
    },
  });
  expect(told.flatMap((one) => (one.what === 'no-to-fix' ? [one.why] : []))).toEqual([
    expect.stringContaining('Maximum call stack size exceeded'),
  ]);
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  await expectNormalNight(scene);
});

test('a control file', async () => {
  const expectation = {
    name: 'day',
    files: 'ventes*.csv',
    by: '23:59',
    on: 'daily',
    controls: { file: 'ctl_*.txt', documents: 'NB' },
  };
  await using scene = await openScene({ settings: { expect: [expectation] } });
  scene.drop('ctl_bad.txt', 'NB;1\n');
  scene.drop('ventes-good.csv', sales(['F1']));
  await scene.night({
    onEvent: ({ what }, { instance }) => {
      // No name is a number: to fold its case fails.
      if (what === 'file-claimed') Object.assign(instance.settings.expect[0]!.controls!, { documents: 1 });
    },
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(scene.files('inbox')).toEqual([]);
  const recorded = await scene.look((ledger) => ledger.reports.controlFilesAfter(''));
  expect(recorded).toMatchObject([{ problem: expect.stringContaining('TypeError') }]);
  await expectNormalNight(scene);
});
