/**
 * Nights full of bad input, through the whole program: one summary per file, the good documents beside them sent, in
 * bounded time and memory. LONG=2 takes every file of the XML suite and the large poison files.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import blns from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { startIn } from '../program.ts';
import { csvCell } from '../readers/written.ts';
import { runs } from '../seed.ts';
import { xmlCases } from './xml-suite.ts';

const LONG = runs(1) > 1;
const MiB = 1024 * 1024;
const XML_MAPPING = SALES_MAPPING.replace('mapping: sales', 'mapping: sales-xml')
  .replace('ventes*.csv', '*.xml')
  .replace(
    /source:[\s\S]*?calculated/,
    'source:\n  format: xml\n  row: /r/d\n  columns: { Num: n, Date: "@d", Client: c, Lig: l, Qte: q, PU: p, Taux: t }\n  types: { Date: date, Qte: number, PU: number, Taux: number }\n  numbers: { decimal: "," }\n  dates: dd/MM/yyyy\ncalculated',
  );

/** Written piece by piece: no test holds 200 MB itself. */
function drop(scene: Scene, name: string, head: string, piece: string, times: number): void {
  const file = openSync(join(scene.root, 'inbox', name), 'w');
  writeSync(file, head);
  for (let n = 0; n < times; n++) writeSync(file, piece);
  closeSync(file);
}

function poison(scene: Scene): number {
  const header = 'Num;Date;Client;Lig;Qte;PU;Taux\n';
  const row = 'F1;05/09/2026;C;1;2;10,50;20\n';
  drop(scene, 'ventes-wide.csv', header, ';x'.repeat(10_000), 200);
  drop(scene, 'ventes-wide-header.csv', 'Num', ';x'.repeat(10_000), 200);
  drop(scene, 'ventes-quote.csv', `${header}F1;05/09/2026;"`, row.repeat(1000), LONG ? 7000 : 700);
  drop(scene, 'ventes-one-line.csv', header, 'x'.repeat(MiB), LONG ? 200 : 20);
  drop(scene, 'ventes-blank.csv', header, '\n'.repeat(MiB), 20);
  drop(scene, 'ventes-nul.csv', header, '\0'.repeat(MiB), 5);
  drop(scene, 'text.xml', '<r><d><n>', 'x'.repeat(MiB), 20);
  drop(scene, 'nested.xml', '', '<r>'.repeat(10_000), 100);
  drop(scene, 'attributes.xml', '<r', Array.from({ length: 100_000 }, (_, n) => ` a${n}="1"`).join(''), 1);
  drop(scene, 'comment.xml', '<r><!--', 'x'.repeat(MiB), 20);
  drop(scene, 'references.xml', '<r><d><n>', '&#65;'.repeat(100_000), 20);
  drop(scene, 'bomb.xml', '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><r>&b;', '</r>', 1);
  drop(scene, 'outside.xml', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r>', '</r>', 1);
  drop(scene, 'empty.xml', '', '', 0);
  const past = new Date(Date.now() - 120_000);
  for (const name of scene.files('inbox')) execFileSync('touch', ['-d', past.toISOString(), join(scene.root, name)]);
  return 14;
}

type Watched = { readonly code: number | string; readonly out: string; readonly ms: number; readonly peakMiB: number };

/** The program as a process of its own, with the most memory it ever held. */
async function night(scene: Scene, ...options: string[]): Promise<Watched> {
  const begin = performance.now();
  const { child, ended } = startIn(scene, 'run', ...options);
  let peak = 0;
  const look = setInterval(() => {
    try {
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      peak = Number(found?.[1] ?? peak);
    } catch {
      // It has ended meanwhile.
    }
  }, 20);
  const { code, out, err } = await ended;
  clearInterval(look);
  return { code, out: out + err, ms: performance.now() - begin, peakMiB: peak / 1024 };
}

const summaries = (scene: Scene) =>
  ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => path.endsWith('.summary.json'));
const GOOD = Array.from({ length: 100 }, (_, n) => `G${n}`);

test.runIf(process.platform === 'linux')(
  'poison: each file has one summary, 100 good documents go out, memory stays (on Linux)',
  async () => {
    await using scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING, 'xml.yaml': XML_MAPPING } });
    for (const number of GOOD) scene.drop(`ventes-${number}.csv`, sales([number]));
    const bad = poison(scene);
    let cases = 0;
    const hashes = new Set<string>();
    for (const [n, { id, bytes }] of xmlCases().entries()) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if ((!LONG && n % 30 !== 0) || bytes.length === 0 || hashes.has(hash)) continue;
      hashes.add(hash);
      scene.drop(`${id.replace(/[^\w-]/g, '_')}-${n}.xml`, bytes);
      cases++;
    }
    const { code, out, ms, peakMiB } = await night(scene);
    expect(code, out).toBe(3);
    expect(tally(await scene.entries())).toEqual({ authorized: 100 });
    expect(scene.files('inbox')).toEqual([]);
    expect(summaries(scene)).toHaveLength(100 + bad + cases);
    expect(scene.sandbox.requests().fr.submit).toBe(100);
    if (LONG) await compared({ ms, peakMiB }, bad + cases);
    expect(ms / (bad + cases)).toBeLessThan(2_000);
    expect(peakMiB).toBeLessThan(512);
  },
  600_000,
);

/** The same night without the bad files, for the figures of docs/explanation/bad-input.md. */
async function compared(bad: { readonly ms: number; readonly peakMiB: number }, files: number): Promise<void> {
  await using scene = await openScene();
  for (const number of GOOD) scene.drop(`ventes-${number}.csv`, sales([number]));
  const alone = await night(scene);
  const told = [bad, alone].map(({ ms, peakMiB }) => `${Math.round(ms)} ms, ${Math.round(peakMiB)} MiB`);
  console.log(`${files} bad files: ${told.join(' against ')}`);
}

test.runIf(process.platform === 'linux')(
  'a crowd of small files: each is taken once, memory stays (on Linux)',
  async () => {
    const files = Math.min(1_000_000, runs(200));
    await using scene = await openScene();
    for (let n = 0; n < files; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}`]));
    const { code, out, peakMiB } = await night(scene, '--take-in-only');
    expect(code, out).toBe(0);
    expect(scene.files('inbox')).toEqual([]);
    expect(await scene.look((ledger) => ledger.queries.counts({}))).toEqual({ ready: files });
    console.log(`${files} small files: ${Math.round(peakMiB)} MiB`);
    expect(peakMiB).toBeLessThan(512);
  },
);

test('a sparse file of 10 GB is refused at once and stays in place', async () => {
  await using scene = await openScene();
  scene.drop('ventes-good.csv', sales(['F1']));
  const file = openSync(join(scene.root, 'inbox/ventes-huge.csv'), 'w');
  ftruncateSync(file, 10 * 1024 * MiB);
  closeSync(file);
  const begin = performance.now();
  const { told } = await scene.night();
  // To read it would take minutes.
  expect(performance.now() - begin).toBeLessThan(60_000);
  expect(JSON.stringify(told)).toContain('inbox/too-large');
  expect(scene.files('inbox')).toEqual(['inbox/ventes-huge.csv']);
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
});

/** Whatever a file or a document can be called, as bytes. */
function hostileNames(): readonly Buffer[] {
  const fixed = [
    ...(blns as readonly string[]).filter((_, n) => LONG || n % 12 === 0),
    'CON',
    'con.csv',
    'nul.txt',
    'COM1',
    'LPT9.csv',
    'aux',
    '...',
    'a.',
    'a ',
    ' a',
    'a:b',
    'C:\\x',
    '..\\..\\x',
    '%2e%2e%2f',
    'e\u0301.csv',
    '\u00e9.csv',
    'a\nb.csv',
    '\u202egpj.csv',
    '\ufeffx',
    'A.csv',
    'a.csv',
    '-rf',
    '--help',
    '$(id)',
    '`id`',
    'x'.repeat(255),
    `${'é'.repeat(125)}.csv`,
    '\u001b[31m',
    'a%b',
    'a~b',
    '\u00ad',
    'x.receipt.json',
    'README.txt',
  ]; // prettier-ignore
  const bytes = [
    ...fixed.map((text) => Buffer.from(text)),
    Buffer.of(0xff, 0xfe, 0x41),
    Buffer.of(0xc3),
    Buffer.from('é', 'latin1'),
  ];
  const some = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 40 }), {
    numRuns: runs(10),
    seed: fc.readConfigureGlobal().seed!,
  });
  const unique = new Map(
    [...bytes, ...some.map((one) => Buffer.from(one))].map((one) => [one.toString('latin1'), one]),
  );
  return [...unique.values()].filter((one) => one.length > 0 && one.length <= 255);
}

test('hostile file names and document numbers: nothing outside, nothing overwritten', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'nightpost-outside-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  await using scene = await openScene({
    within: outside,
    mappings: { 'sales.yaml': SALES_MAPPING.replace('"ventes*.csv"', '"*"') },
  });
  const names = hostileNames();
  const contents = new Set<string>();
  let left = 0;
  for (const [n, name] of names.entries()) {
    // The same bytes are the number of its document.
    const number = csvCell(name.toString().replaceAll('\0', ''));
    const content = `Num;Date;Client;Lig;Qte;PU;Taux\n${number};05/09/2026;C${n};1;2;10,50;20\n`;
    if (name.includes('/') || name.includes(0) || ['.', '..'].includes(name.toString())) {
      scene.drop(`n${n}.csv`, content);
    } else {
      writeFileSync(Buffer.concat([Buffer.from(`${scene.root}/inbox/`), name]), content);
    }
    contents.add(createHash('sha256').update(content).digest('hex'));
  }
  const inside = () => readdirSync(outside, { recursive: false });
  const before = readdirSync(scene.root).sort();
  await scene.night();
  expect(inside()).toHaveLength(1);
  expect(readdirSync(scene.root).sort()).toEqual(before);
  const archive = scene.files('archive').map((path) =>
    createHash('sha256')
      .update(readFileSync(join(scene.root, path)))
      .digest('hex'),
  );
  left = readdirSync(join(scene.root, 'inbox')).length;
  expect(new Set(archive).size).toBe(archive.length);
  expect(archive.length + left).toBe(contents.size);
  const receipts = ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => path.endsWith('.receipt.json'));
  const ids = receipts.map((path) => (JSON.parse(scene.read(path)) as { id: string }).id);
  const entries = await scene.entries();
  expect(new Set(ids)).toEqual(new Set(entries.map(({ id }) => id)));
  expect(ids).toHaveLength(entries.length);
  expect(summaries(scene)).toHaveLength(archive.length);
  if (LONG) console.log(`${names.length} names:`, tally(entries));
}, 600_000);
