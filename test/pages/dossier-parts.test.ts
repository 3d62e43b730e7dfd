/**
 * What an auditor gets of the export and of earlier contents: the rows byte for byte in every format and encoding, each
 * content that was ever made, and a manifest that another program (Python, where it is installed) finds right.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { sha256Hex } from '../../src/text/sha256.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'nightpost-dossier-'));
let scene: Scene;

/** Folder of the sample, mapping, encoding of the export, how the bytes of a document begin. */
const SAMPLES = [
  ['sage-invoices', 'windows-1252', /^01;FA;/],
  ['navision-sales', 'utf-16le', /\0/],
  ['divalto-xml', 'windows-1252', /^<g:Facture /],
  ['sap-idoc', 'utf-8', /^<IDOC /],
  ['host-fixed-width', 'cp850', /^30001S.*\r\n$/],
  ['as400-invoices', 'cp850', /\|/],
  ['odoo-invoices', 'utf-8', /,/],
  ['header-and-lines', 'windows-1252', /;/],
  ['excel-invoices', undefined, /^<row /],
] as const;

beforeAll(async () => {
  scene = await openScene({ mappings: {}, settings: { rules: { fr: 'wire', sv: 'wire' } } });
  cpSync(join(REPOSITORY, 'mappings'), join(scene.root, 'mappings'), { recursive: true });
  for (const [sample] of SAMPLES) {
    const input = join(REPOSITORY, 'samples', sample, 'input');
    for (const name of readdirSync(input)) scene.drop(name, readFileSync(join(input, name)));
  }
  await scene.night();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await scene[Symbol.asyncDispose]();
});

async function archiveOf(there: Scene, id: string) {
  const path = join(folder, `${id}.zip`);
  rmSync(path, { force: true });
  const ended = await commandIn(there, '--json', 'dossier', id, '--out', path);
  const zip = await fromBufferPromise(readFileSync(path), { lazyEntries: true });
  const parts = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    parts.set(String(entry.fileName), await buffer(await zip.openReadStreamPromise(entry)));
  }
  return { path, parts, written: JSON.parse(ended.out) };
}

test.each(SAMPLES)('%s: the rows as they are in the export (%s)', async (sample, encoding, begins) => {
  const names = readdirSync(join(REPOSITORY, 'samples', sample, 'input'));
  const entry = (await scene.entries()).findLast(({ file }) => names.includes(file.name))!;
  expect(entry.file.encoding).toBe(encoding);
  const { parts } = await archiveOf(scene, entry.id);
  const path = [...parts.keys()].find((one) => /^source\/(?:bytes|rows)-of-/.test(one))!;
  const bytes = parts.get(path)!;
  expect(bytes.toString('latin1')).toMatch(begins);
  if (sample === 'excel-invoices') {
    expect(bytes.toString().match(/<row /g)).toHaveLength(entry.rows.length);
    return;
  }
  const archived = readFileSync(entry.file.path);
  expect(archived.includes(bytes)).toBe(true);
  expect(bytes.length).toBeLessThan(archived.length);
});

test('each content that was made is in the archive, with the requests that it was sent in', async () => {
  await using there = await openScene();
  there.drop('ventes.csv', sales(['D1-X6']));
  await there.night();
  const [rejected] = await there.entries();
  const first = await there.look((ledger) => ledger.queries.contentOf(rejected!.id));
  await commandIn(there, 'fix', 'D1-X6', 'Client=Another', '--yes', '--reason', 'the service asks for it');
  await there.night();
  const { parts, written } = await archiveOf(there, rejected!.id);
  expect(written.missing).toEqual([]);
  const [one, two] = JSON.parse(parts.get('revisions.json')!.toString());
  expect(one).toMatchObject({ revision: 1, payload: 'revisions/1/payload.json', attempts: ['submit-1'] });
  expect(two).toMatchObject({ revision: 2, payload: 'payload.json' });
  expect(parts.get('revisions/1/payload.json')!.toString()).toBe(first);
  for (const { payload, contentSha256 } of [one, two]) expect(sha256Hex(parts.get(payload)!)).toBe(contentSha256);
  const page = parts.get('dossier.html')!.toString();
  expect(page).toContain('Client D1-X6');
  expect(page).toContain('Another');
});

const PYTHON = ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => {
  try {
    return execFileSync(path, ['-c', 'print(1)'], { encoding: 'utf8' }).trim() === '1';
  } catch {
    return false;
  }
});

/** Prints the paths whose hash or size is not that of the manifest, and the number of those that agree. */
const READER = `
import sys, json, zipfile, hashlib
z = zipfile.ZipFile(sys.argv[1])
parts = json.loads(z.read("manifest.json"))["parts"]
wrong = [p["path"] for p in parts if (hashlib.sha256(z.read(p["path"])).hexdigest(), z.getinfo(p["path"]).file_size) != (p["sha256"], p["bytes"])]
more = sorted(set(z.namelist()) - {p["path"] for p in parts} - {"manifest.json"})
print(json.dumps([z.testzip(), wrong, more, len(parts)]))
`;

test.skipIf(PYTHON === undefined)(
  'Python reads the archive, and the manifest holds (skipped without Python)',
  async () => {
    const [entry] = await scene.entries();
    const { path, parts } = await archiveOf(scene, entry!.id);
    const found = JSON.parse(execFileSync(PYTHON!, ['-c', READER, path], { encoding: 'utf8' }));
    expect(found).toEqual([null, [], [], parts.size - 1]);
  },
);
