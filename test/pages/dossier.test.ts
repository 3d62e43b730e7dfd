/** A dossier holds each part as it is recorded, says what is missing and why, and is safe to open whatever the data is. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { zipOf } from '../../src/files/write-zip.ts';
import { html } from '../../src/pages/markup.ts';
import { systemClock } from '../../src/runs/open-run.ts';
import { sha256Hex } from '../../src/text/sha256.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const HOSTILE = `<script>alert(1)</script>'&\u202e`;
let scene: Scene;
const folders: string[] = [];

beforeAll(async () => {
  scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']).replace('Client F2', HOSTILE));
  await scene.night();
});

afterAll(async () => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
  await scene[Symbol.asyncDispose]();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'nightpost-dossier-'));
  folders.push(made);
  return made;
}

async function unzipped(content: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(content, { lazyEntries: true });
  const parts = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    parts.set(String(entry.fileName), await buffer(await zip.openReadStreamPromise(entry)));
  }
  return parts;
}

async function dossier(there: Scene, name: string, ...args: string[]) {
  const ended = await commandIn(there, '--json', 'dossier', name, '--out', folder(), ...args);
  if (ended.code === 2) return { ...ended, written: undefined, page: '', parts: new Map<string, Buffer>() };
  const written = JSON.parse(ended.out);
  const parts = await unzipped(readFileSync(written.archive));
  return { ...ended, written, page: readFileSync(written.page, 'utf8'), parts };
}

const jsonIn = (parts: ReadonlyMap<string, Buffer>, path: string) => JSON.parse(parts.get(path)!.toString());

test('an authorized document: rows, mapping, content, response, receipt, links, and a manifest that holds', async () => {
  const evidence = join(folder(), 'portal.png');
  writeFileSync(evidence, 'a picture');
  const { code, written, parts } = await dossier(scene, 'F1', '--evidence', evidence);
  expect({ code, ...written }).toMatchObject({ code: 0, identifier: 'F1', breaks: 0, missing: [] });
  const manifest = jsonIn(parts, 'manifest.json') as { parts: { path: string; sha256: string; bytes: number }[] };
  expect([...parts.keys()]).toEqual([...manifest.parts.map(({ path }) => path), 'manifest.json']);
  for (const { path, sha256, bytes } of manifest.parts) {
    expect([path, sha256Hex(parts.get(path)!), parts.get(path)!.length]).toEqual([path, sha256, bytes]);
  }
  const entry = (await scene.entries()).find(({ facts }) => facts.identifier === 'F1')!;
  expect(sha256Hex(parts.get('payload.json')!)).toBe(entry.contentSha256);
  expect(parts.get('receipt/receipt.json')!.toString()).toBe(scene.read(`outbox/${entry.file.day}/F1.receipt.json`));
  const [bytes, archived] = [parts.get('source/bytes-of-ventes.csv')!, readFileSync(entry.file.path)];
  expect(archived.includes(bytes)).toBe(true);
  expect(bytes.toString()).toMatch(/^F1;/);
  const rows = parts.get('source/rows.csv')!.toString().trimEnd().split('\r\n');
  expect(rows).toHaveLength(1 + entry.rows.length);
  expect(rows[0]).toMatch(/^row,/);
  expect(parts.get('mapping/mappings/sales.yaml')!.toString()).toBe(scene.read('mappings/sales.yaml'));
  expect(jsonIn(parts, 'responses/submit-1.json').exchange).toMatchObject({ sent: true, status: 200 });
  expect(parts.get('evidence/1-portal.png')!.toString()).toBe('a picture');
  const [link] = jsonIn(parts, 'links.json');
  expect(sha256Hex(link.line)).toBe(link.hash);
});

test('the page has no script and no address, and shows hostile content as text', async () => {
  const { page } = await dossier(scene, 'F2');
  expect(page).not.toMatch(/<script|<img|<link|<iframe|\u202e/i);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain(`default-src 'none'`);
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
});

test('the same dossier twice has the same bytes, but for the time of making', async () => {
  const [one, two] = [await dossier(scene, 'F3'), await dossier(scene, 'F3')];
  expect([...one.parts.keys()]).toEqual([...two.parts.keys()]);
  const differ = [...one.parts].flatMap(([path, content]) => (content.equals(two.parts.get(path)!) ? [] : [path]));
  expect(differ.filter((path) => path !== 'dossier.html' && path !== 'manifest.json')).toEqual([]);
  const parts = [{ path: 'a.txt', content: 'a' }];
  expect((await zipOf(parts)).equals(await zipOf(parts))).toBe(true);
});

test('unknown number, evidence that is not there, a file that exists: nothing is written', async () => {
  const unknown = await dossier(scene, 'NONE');
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('dossier/no-such-document') });
  const nothing = await dossier(scene, 'F1', '--evidence', join(tmpdir(), 'not-there.png'));
  expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('dossier/no-evidence') });
  const file = join(folder(), 'mine.zip');
  writeFileSync(file, 'mine');
  const ended = await commandIn(scene, 'dossier', 'F1', '--out', file);
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('dossier/exists') });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const page = join(folder(), 'one', 'page.html');
  expect((await commandIn(scene, 'dossier', 'F1', '--out', page)).code).toBe(0);
  expect(existsSync(page)).toBe(true);
});

test('several documents of one number are named by their ids', async () => {
  await using there = await openScene();
  there.drop('ventes.csv', sales(['F1']));
  await there.night();
  there.drop('ventes-2.csv', sales(['F1']).replaceAll('\n', '\r\n'));
  await there.night();
  const ended = await commandIn(there, 'dossier', 'F1');
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('dossier/several') });
});

test('a damaged or missing export, and a changed event: the dossier is written, and says so', async () => {
  await using there = await openScene();
  there.drop('ventes.csv', sales(['F1', 'F2']));
  await there.night();
  const [entry] = await there.entries();
  const path = entry!.file.path;
  const bytes = readFileSync(path, 'utf8');
  rmSync(path);
  writeFileSync(path, bytes.replace('Client', 'client'));
  const damaged = await dossier(there, 'F1');
  expect(damaged).toMatchObject({ code: 3, written: { missing: [{ part: 'export', why: 'damaged' }] } });
  expect(damaged.parts.has('source/rows.csv')).toBe(false);
  rmSync(path);
  expect((await dossier(there, 'F1')).written.missing).toEqual([{ part: 'export', why: 'missing' }]);
  writeFileSync(path, bytes);
  expect((await dossier(there, 'F1')).written).toMatchObject({ missing: [], breaks: 0 });
  {
    using db = new DatabaseSync(join(there.root, 'state/ledger.sqlite'));
    db.exec(`UPDATE event SET person = 'marie' WHERE n = 2`);
  }
  expect(await dossier(there, 'F1')).toMatchObject({ code: 3, page: expect.stringContaining('verify/event-changed') });
});

test('purged parts are named, with the time, the person and the reason', async () => {
  await using there = await openScene({ settings: { keep: { archive: '1d', receipts: '1d', content: '1d' } } });
  there.drop('ventes.csv', sales(['F1']));
  const past = () => new Date(Date.now() - 9 * 86_400_000);
  const files = there.files('inbox').map((path) => join(there.root, path));
  await there.night({ clock: { ...systemClock, now: past }, files });
  expect(await commandIn(there, 'purge', '--reason', 'retention', '--by', 'anna')).toMatchObject({ code: 0 });
  const { written, page } = await dossier(there, 'F1');
  const by = { why: 'purged', by: 'anna', reason: 'retention', since: expect.any(String) };
  expect(written.missing).toEqual(['payload', 'answers', 'receipt', 'export'].map((part) => ({ part, ...by })));
  expect(page).toContain('anna (retention)');
});

test('only HTML made by the template stays as it is', () => {
  expect(String(html`<p>${'<b>'}${html`<i>${'&'}</i>`}${undefined}</p>`)).toBe('<p>&lt;b&gt;<i>&amp;</i></p>');
});
