/** Files that end the program: set aside after the second time, and nothing else waits for them longer than that. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openReadingMarks } from '../../../src/pipeline/context/reading-marks.ts';
import { describeSandbox } from '../../../src/sandbox/describe.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { type Ended, runIn, start, startIn } from '../../program.ts';

const HEADER = 'Num;Date;Client;Lig;Qte;PU;Taux';

/** One document of so many rows. */
function large(rows: number): string {
  const lines = Array.from({ length: rows }, (_, n) => `L1;05/09/2026;Client L1;${n};2;10,50;20`);
  return [HEADER, ...lines, ''].join('\n');
}

/** With so much room for objects, in MiB. */
async function runWithin(scene: Scene, mebi: number): Promise<Ended> {
  const { environment } = describeSandbox(scene.sandbox);
  const flags = [`--max-old-space-size=${mebi}`];
  return await start(['-C', scene.root, 'run'], { env: environment, flags }).ended;
}

const codesOf = async (scene: Scene) => (await scene.entries()).flatMap(({ faults }) => faults.map(({ code }) => code));

test('a document that is too large is refused with all its rows, in little memory, and the others are sent', async () => {
  await using scene = await openScene();
  const rows = 120_000;
  scene.drop('ventes-1.csv', large(rows));
  scene.drop('ventes-2.csv', sales(['G1']));
  // What one such document needs for itself is more.
  expect((await runWithin(scene, 110)).code).toBe(3);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  expect(await codesOf(scene)).toEqual(['map/document-too-large']);
  const summary = scene.files('error').find((path) => path.includes('ventes-1') && path.endsWith('.summary.json'))!;
  expect(JSON.parse(scene.read(summary)).rows).toMatchObject({
    read: rows,
    error: { count: rows },
    unaccounted: { count: 0 },
  });
  expect(scene.files('error').filter((path) => path.includes('.to-fix.'))).toEqual([]);
  expect(scene.read(`error/${scene.files('error')[0]!.split('/')[1]!}/L1.receipt.json`).length).toBeLessThan(20_000);
});

const XML_MAPPING = SALES_MAPPING.replace('ventes*.csv', 'ventes*.xml').replace(
  /source:[\s\S]*?calculated-columns:/,
  `source:
  format: xml
  document: /export/facture
  row: ligne
  columns: { Num: ../num, Date: ../date, Client: ../client, Lig: "@no", Qte: qte, PU: prix, Taux: taux }
  numbers: { decimal: "," }
  dates: dd/MM/yyyy
  types: { Date: date, Qte: number, PU: number, Taux: number }
calculated-columns:`,
);

function facture(number: string, lines: number, quantity = '2'): string {
  const line = (_: unknown, n: number) =>
    `<ligne no="${n + 1}"><qte>${quantity}</qte><prix>10,50</prix><taux>20</taux></ligne>`;
  const head = `<date>05/09/2026</date><client>Client ${number}</client>`;
  // The number stands behind the lines.
  return `<facture>${head}\n${Array.from({ length: lines }, line).join('\n')}\n<num>${number}</num></facture>\n`;
}

test.each([
  ['adjacent', '', 0],
  ['anywhere', '', 0],
  ['adjacent', '<?é?>', 0],
  ['adjacent', '', 1_000_001],
])('the same of a record of an XML file (rows: %s) %s %i', async (rows, begin, elements) => {
  const mapping = XML_MAPPING.replace('one-per: [Num]', `one-per: [Num]\n  rows: ${rows}\n  keep: $Qte <> 0`);
  const settings = { documents: { 'max-rows': 20 } };
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings });
  const count = elements > 0 ? 3 : 3000;
  const large = facture('L1', count).replace('<num>', `${'<x/>'.repeat(elements)}<num>`);
  const all = [facture('G1', 2), large, facture('G2', 1, '2O'), facture('G3', 20)];
  scene.drop('ventes-1.xml', `${begin}<export>${all.join('')}</export>`);
  await scene.night();
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 2, invalid: 2 });
  const refused = entries.find(({ faults }) => faults.some(({ code }) => code === 'map/document-too-large'))!;
  expect(refused).toMatchObject({
    facts: { identifier: 'L1', counterparty: 'Client L1' },
    faults: [{ given: String(count), origin: { file: 'ventes-1.xml', row: 3, line: 6 + count } }],
  });
  expect(refused.rows).toHaveLength(count);
  const summary = scene.files('error').find((path) => path.endsWith('.summary.json'))!;
  expect(JSON.parse(scene.read(summary)).rows).toMatchObject({ read: 23 + count, unaccounted: { count: 0 } });
  // Of the other one that failed there is a correction file, without the large one.
  const [toFix] = scene.files('error').filter((path) => path.includes('.to-fix.'));
  expect([...scene.read(toFix!).matchAll(/<num>(.*?)<\/num>/g)].map(([, number]) => number)).toEqual(['G2']);
});

/** Killed while it reads one file, once so many documents are out: what a lack of memory does as well. */
async function killWhileReading(scene: Scene, sent: number): Promise<void> {
  const { child, ended } = startIn(scene, 'run');
  const path = join(scene.root, 'state/reading.json');
  const isReading = () => existsSync(path) && /"reading":\["[^"]+"\]/.test(readFileSync(path, 'utf8'));
  while (scene.sandbox.acceptances().length < sent || !isReading()) {
    await wait(2);
    if (child.exitCode !== null) throw new Error('it ended before it was killed');
  }
  child.kill('SIGKILL');
  expect((await ended).code).toBe('SIGKILL');
}

test('a file that crashed the program three times is refused the fourth time; the others are sent before', async () => {
  await using scene = await openScene({ settings: { documents: { 'max-rows': 1_000_000 } } });
  scene.drop('ventes-1.csv', large(60_000));
  scene.drop('ventes-2.csv', sales(['G1']));
  const fileOf = async (wanted: string) =>
    (await scene.look((ledger) => ledger.queries.files({}))).find(({ name }) => name === wanted);
  await killWhileReading(scene, 0);
  await killWhileReading(scene, 1);
  await killAt(scene, ({ reading, deaths }) => reading.some((one) => deaths[one] === 2));
  // Read last, once the other one is out.
  expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['G1']);
  const fourth = await runIn(scene, 'run');
  expect(fourth).toMatchObject({ code: 3, out: expect.stringContaining('ventes-1.csv') });
  expect(await fileOf('ventes-1.csv')).toMatchObject({ state: 'refused', faults: [{ code: 'intake/program-died' }] });
  expect(scene.sandbox.acceptances()).toHaveLength(1);
  expect(scene.files('processing')).toEqual([]);
  // A person has it read once more.
  expect((await runIn(scene, 'reprocess', 'ventes-1.csv', '--reason', 'more memory')).code).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, ready: 1 });
});

type Marks = { readonly reading: readonly string[]; readonly deaths: { readonly [file: string]: number } };

/** What the program says of itself just now; undefined where it is about to write it. */
function marksIn(scene: Scene): Marks | undefined {
  try {
    return JSON.parse(readFileSync(join(scene.root, 'state/reading.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** Killed at the first instant at which its marks are so; these marks. */
async function killAt(scene: Scene, isIt: (marks: Marks) => boolean): Promise<Marks> {
  const { child, ended } = startIn(scene, 'run');
  for (;;) {
    const marks = marksIn(scene);
    if (marks && isIt(marks)) {
      child.kill('SIGKILL');
      expect((await ended).code).toBe('SIGKILL');
      return marksIn(scene) ?? marks;
    }
    if (child.exitCode !== null) throw new Error('it ended before it was killed');
    await wait(1);
  }
}

test('small files that were read together when the program died are read alone: three deaths set one of them aside at most', {
  // A kill may come after the reading that it was meant for.
  retry: 2,
}, async () => {
  await using scene = await openScene();
  const files = 24;
  const documents = 50;
  for (let n = 0; n < files; n++) {
    scene.drop(`ventes-${n}.csv`, sales(Array.from({ length: documents }, (_, of) => `F${n}-${of}`)));
  }
  const together = await killAt(scene, ({ reading }) => reading.length > 1);
  expect(together.reading.length).toBeGreaterThan(8);
  const isSuspect = (file: string) => together.reading.includes(file);
  const again = await killAt(scene, ({ reading, deaths }) => Object.keys(deaths).length > 0 && reading.some(isSuspect));
  // None where the kill fell between two of them.
  expect(again.reading.length).toBeLessThan(2);
  const [suspect] = again.reading;
  const third =
    suspect === undefined
      ? again
      : await killAt(scene, ({ reading, deaths }) => deaths[suspect] === 2 && reading.includes(suspect));
  const last = await runIn(scene, 'run');
  const refused = (await scene.look((ledger) => ledger.queries.files({ limit: 100 }))).filter(
    ({ state }) => state === 'refused',
  );
  expect(refused.map(({ id, faults }) => [id, faults[0]?.code])).toEqual(
    third.reading.map((id) => [id, 'intake/program-died']),
  );
  expect(last.code).toBe(refused.length > 0 ? 3 : 0);
  expect(tally(await scene.entries())).toEqual({ authorized: (files - refused.length) * documents });
  expect(scene.sandbox.acceptances()).toHaveLength((files - refused.length) * documents);
});

test('only what was being read when the program died counts, and only until it was read', () => {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-test-'));
  mkdirSync(join(root, 'state'));
  const path = join(root, 'state/reading.json');
  // As a program leaves it that was killed: nothing is closed.
  const died = (deaths: object, ...reading: string[]) => writeFileSync(path, JSON.stringify({ reading, deaths }));
  died({ a: 1 }, 'a', 'b');
  const marks = openReadingMarks(root);
  expect(['a', 'b', 'c'].map(marks.deathsOf)).toEqual([2, 1, 0]);
  marks.begin(['b', 'c']);
  marks.end(['c']);
  marks.keep(new Set(['b', 'c']));
  // Ended by itself, in the middle of b.
  marks.close();
  const after = openReadingMarks(root);
  expect(['a', 'b', 'c'].map(after.deathsOf)).toEqual([0, 1, 0]);
  after.close();
  writeFileSync(path, '{"reading":["a"');
  const cut = openReadingMarks(root);
  expect(cut.deathsOf('a')).toBe(0);
  cut.close();
  rmSync(root, { recursive: true });
});
