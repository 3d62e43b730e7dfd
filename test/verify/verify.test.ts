/** Every kind of tampering is found, and told for what it is; what no one touched is proven. */
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Driver } from '../../src/database/database-driver.ts';
import { format } from '../../src/i18n/message.ts';
import { readInstance } from '../../src/instance/instance.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { hashOfParts } from '../../src/mapping/mapping.ts';
import { type Head, type Link, linkHash, readHead } from '../../src/model/chain-link.ts';
import { archiveMapping } from '../../src/receipts/archive-mapping.ts';
import { lookIntoLedgerOf, systemClock } from '../../src/runs/open-run.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { type AuditProof as AskedProof, type Break, type Proven, verify } from '../../src/verify/verify-instance.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { command } from '../program.ts';
import { runs } from '../seed.ts';

type Found = Proven & { readonly found: readonly Break[] };

async function proof(root: string, env: object, asked: Omit<AskedProof, 'onBreak'> = {}): Promise<Found> {
  const instance = readInstance(root, { variables: { ...env } });
  await using ledger = await lookIntoLedgerOf(instance);
  return await proofOf({ instance, ledger }, asked);
}

async function proofOf(
  hands: { instance: ReturnType<typeof readInstance>; ledger: Ledger },
  asked: Omit<AskedProof, 'onBreak'> = {},
): Promise<Found> {
  const found: Break[] = [];
  const proven = await verify({ ...hands, clock: systemClock }, { ...asked, onBreak: (one) => found.push(one) });
  expect(found).toHaveLength(proven.breaks);
  return { ...proven, found };
}

let scene: Scene;
let env: object;
let day: string;
/** The receipt of F3 after the first night. */
let older: string;
let head: Head;

beforeAll(async () => {
  const text = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
    'totals:',
    `attachments:
    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }
  totals:`,
  );
  scene = await openScene({ mappings: { 'sales.yaml': text } });
  env = describeSandbox(scene.sandbox).environment;
  const broken = 'F6;05/09/2026;Client F6;1;2;10,5O;20\n';
  const carrying = (csv: string) =>
    csv.replace('Taux', 'Taux;Pdf').replaceAll(/^F.*$/gm, (row) => `${row};${row.startsWith('F1') ? 'F1.pdf' : ''}`);
  scene.drop('F1.pdf', '%PDF-1.7 one\n');
  scene.drop('ventes-1.csv', carrying(sales(['F1', 'F2', 'F3-X6ONCE', 'F4-X8', 'F5-XLOST']) + broken));
  await scene.night();
  day = (await scene.entries())[0]!.file.day;
  older = scene.read(`error/${day}/F3-X6ONCE.receipt.json`);
  scene.drop('ventes-2.csv', carrying(sales(['F3-X6ONCE'], '3') + sales(['F2', 'F7']).replace(/^.*\n/, '')));
  scene.drop('ventes-3.csv', 'nothing that a mapping takes\n');
  await scene.night();
  const [doubtful] = (await scene.entries()).filter(({ state }) => state === 'in-doubt');
  await scene.look((ledger) =>
    ledger.submissions.resolve(doubtful!.id, {
      ...{ as: 'authorized', by: 'A. Person', at: '2026-11-20T08:00:00.000Z', reason: 'seen in the portal' },
    }),
  );
  await scene.night();
  head = (await scene.look((ledger) => ledger.receipts.chainHead()))!;
});

afterAll(() => scene[Symbol.asyncDispose]());

/** A copy of everything, to be tampered with. */
function copy(): string {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-verify-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(scene.root, root, { recursive: true });
  return root;
}

function edit(root: string, path: string, change: (text: string) => string): void {
  const place = join(root, path);
  const text = readFileSync(place, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  rmSync(place);
  writeFileSync(place, changed);
}

function sql(root: string, ...statements: string[]): void {
  const db = new DatabaseSync(join(root, 'state/ledger.sqlite'));
  db.exec('PRAGMA foreign_keys = OFF');
  for (const statement of statements) expect(Number(db.prepare(statement).run().changes), statement).toBeGreaterThan(0);
  db.close();
}

const archived = (name: string) => scene.files('archive').find((path) => path.endsWith(name))!;
const mappingFolder = () => dirname(scene.files('archive/mappings').find((path) => path.endsWith('parts.json'))!);
const F1 = `(SELECT id FROM entry WHERE name = 'F1')`;
const receipt = (folder: string, name: string) => `${folder}/${day}/${name}.receipt.json`;
const payload = (folder: string, name: string) => `${folder}/${day}/${name}.payload.json`;
const summaryOf = (name: string) =>
  ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .find((path) => path.includes(`/${name}.`) && path.endsWith('.summary.json'))!;

test('verify proves an unchanged instance, as a whole and document by document', async () => {
  const whole = await proof(scene.root, env, { head });
  expect(whole.found).toEqual([]);
  expect(whole).toMatchObject({ documents: 8, contents: 9, files: 3, mappings: 1, notSettled: 0, head });
  expect(whole.answers).toBe(7);
  expect(whole.links).toBe(head.n);
  for (const name of ['F1', 'F3-X6ONCE', 'F5-XLOST', 'F6']) {
    const one = await proof(scene.root, env, { selector: { ids: [name] } });
    expect(one).toMatchObject({ documents: 1, breaks: 0, files: 1 });
    expect(one.contents).toBe(1);
  }
});

test('an answer that an older version recorded is compared by what that version kept', async () => {
  const root = copy();
  const later = ['$.documentType', '$.contentInto', '$.file'].map((path) => `'${path}'`).join(', ');
  sql(root, `UPDATE attempt SET answer = json_remove(answer, ${later}) WHERE answer IS NOT NULL`);
  sql(root, `UPDATE entry SET answer = json_remove(answer, ${later}) WHERE answer IS NOT NULL`);
  const codes = async () => (await proof(root, env)).found.map(({ code }) => code);
  expect(await codes()).not.toContain('verify/answer-differs');
  sql(
    root,
    `UPDATE attempt SET answer = json_set(answer, '$.message', 'edited') WHERE entry = ${F1} AND answer IS NOT NULL`,
  );
  expect(await codes()).toContain('verify/answer-differs');
});

type Tampering = readonly [what: string, tamper: (root: string) => void, codes: readonly string[]];

const FILES: readonly Tampering[] = [
  [
    'a receipt edited',
    (root) => edit(root, receipt('outbox', 'F1'), (text) => text.replace('"50.4"', '"50.5"').replace('Client F1', 'X')),
    ['verify/receipt-changed'],
  ],
  ['content edited', (root) => edit(root, payload('outbox', 'F1'), (text) => `${text} `), ['verify/payload-changed']],
  ['a receipt deleted', (root) => rmSync(join(root, receipt('outbox', 'F1'))), ['verify/receipt-missing']],
  ['content deleted', (root) => rmSync(join(root, payload('outbox', 'F1'))), ['verify/payload-missing']],
  [
    'a receipt moved to another folder',
    (root) => renameSync(join(root, receipt('error', 'F6')), join(root, receipt('outbox', 'F6'))),
    ['verify/file-unknown', 'verify/receipt-missing'],
  ],
  [
    'two receipts swapped',
    (root) => {
      const [a, b] = [join(root, receipt('outbox', 'F1')), join(root, receipt('outbox', 'F2'))];
      renameSync(a, `${a}.x`);
      renameSync(b, a);
      renameSync(`${a}.x`, b);
    },
    ['verify/receipt-changed', 'verify/receipt-changed'],
  ],
  [
    'a receipt replaced by an older one of the same document',
    (root) => writeFileSync(join(root, receipt('outbox', 'F3-X6ONCE')), older),
    ['verify/receipt-changed'],
  ],
  ['a receipt put in', (root) => writeFileSync(join(root, receipt('outbox', 'F99')), older), ['verify/file-unknown']],
  [
    'a summary edited',
    (root) => edit(root, summaryOf('ventes-1.csv'), (text) => text.replace('"read": 11', '"read": 10')),
    ['verify/summary-changed'],
  ],
  ['a summary deleted', (root) => rmSync(join(root, summaryOf('ventes-1.csv'))), ['verify/summary-missing']],
  [
    'a summary copied to another day',
    (root) => {
      const path = join(root, summaryOf('ventes-2.csv'));
      mkdirSync(dirname(path.replace(day, '2020-01-01')));
      cpSync(path, path.replace(day, '2020-01-01'));
    },
    ['verify/file-unknown'],
  ],
  [
    'an export edited',
    (root) => edit(root, archived('ventes-1.csv'), (text) => text.replace('10,50', '10,51')),
    ['verify/source-changed'],
  ],
  ['an export deleted', (root) => rmSync(join(root, archived('ventes-1.csv'))), ['verify/source-missing']],
  [
    'two exports swapped',
    (root) => {
      const [a, b] = [join(root, archived('ventes-1.csv')), join(root, archived('ventes-2.csv'))];
      renameSync(a, `${a}.x`);
      renameSync(b, a);
      renameSync(`${a}.x`, b);
    },
    ['verify/source-changed', 'verify/source-changed'],
  ],
  [
    'an attachment edited',
    (root) => edit(root, archived('F1.pdf'), () => '%PDF-1.7 two\n'),
    ['verify/attachment-differs'],
  ],
  ['an attachment deleted', (root) => rmSync(join(root, archived('F1.pdf'))), ['verify/attachment-differs']],
  [
    'an archived mapping edited',
    (root) =>
      edit(root, `${mappingFolder()}/files/mappings/sales.yaml`, (text) => text.replace('$Qte * $PU', '$Qte + $PU')),
    ['verify/mapping-changed'],
  ],
  [
    'an archived mapping deleted',
    (root) => rmSync(join(root, mappingFolder()), { recursive: true }),
    ['verify/mapping-missing'],
  ],
  [
    'the list of its parts deleted',
    (root) => rmSync(join(root, mappingFolder(), 'parts.json')),
    ['verify/mapping-missing'],
  ],
];

const LEDGER: readonly Tampering[] = [
  [
    'content',
    (root) => sql(root, `UPDATE revision SET content = replace(content, '50.4', '60.4') WHERE entry = ${F1}`),
    ['verify/content-differs', 'verify/content-differs'],
  ],
  [
    'a digest',
    (root) => sql(root, `UPDATE revision SET digest = 'ab' WHERE entry = ${F1}`),
    ['verify/content-differs', 'verify/ledger-differs'],
  ],
  [
    'the amount shown',
    (root) => sql(root, `UPDATE revision SET facts = replace(facts, '50.4', '60.4') WHERE entry = ${F1}`),
    ['verify/content-differs', 'verify/ledger-differs'],
  ],
  [
    'rows',
    (root) => sql(root, `UPDATE revision SET source_rows = '[2]' WHERE entry = ${F1}`),
    ['verify/content-differs', 'verify/ledger-differs'],
  ],
  [
    'all rows',
    (root) => sql(root, `UPDATE revision SET source_rows = '[]' WHERE entry = ${F1}`),
    ['verify/content-differs', 'verify/ledger-differs'],
  ],
  [
    'a refusal that became valid',
    (root) => sql(root, `UPDATE revision SET outcome = 'ready' WHERE entry = (SELECT id FROM entry WHERE name = 'F6')`),
    ['verify/content-differs', 'verify/state-differs'],
  ],
  [
    'a state',
    (root) => sql(root, `UPDATE entry SET state = 'rejected' WHERE id = ${F1}`),
    ['verify/ledger-differs', 'verify/ledger-differs', 'verify/state-differs'],
  ],
  [
    'an answer',
    (root) => sql(root, `UPDATE entry SET answer = replace(answer, '"code":2', '"code":3') WHERE id = ${F1}`),
    ['verify/answer-differs', 'verify/ledger-differs'],
  ],
  [
    'what came back',
    (root) =>
      sql(root, `UPDATE attempt SET exchange = replace(exchange, 'Authorized', 'Rejected') WHERE entry = ${F1}`),
    ['verify/answer-differs'],
  ],
  [
    'what was made of it',
    (root) => sql(root, `UPDATE attempt SET outcome = 'rejected' WHERE entry = ${F1}`),
    ['verify/answer-differs', 'verify/ledger-differs', 'verify/state-differs'],
  ],
  [
    'a decision',
    (root) =>
      sql(root, `UPDATE entry SET evidence = replace(evidence, 'A. Person', 'B. Person') WHERE name = 'F5-XLOST'`),
    ['verify/evidence-differs', 'verify/ledger-differs'],
  ],
  [
    'a document taken out',
    (root) => sql(root, `DELETE FROM revision WHERE entry = ${F1}`, `DELETE FROM entry WHERE name = 'F1'`),
    ['verify/document-extra', 'verify/file-unknown', 'verify/file-unknown', 'verify/link-unknown'],
  ],
  [
    'a document put in',
    (root) => sql(root, `UPDATE revision SET first_row = 77, source_rows = '[77]' WHERE entry = ${F1}`),
    ['verify/document-extra', 'verify/document-missing', 'verify/ledger-differs'],
  ],
];

const CHAIN: readonly Tampering[] = [
  ['a link taken out', (root) => sql(root, 'DELETE FROM receipt_link WHERE n = 2'), ['verify/chain-broken']],
  [
    'two links changed places',
    (root) =>
      sql(
        root,
        'UPDATE receipt_link SET n = -1 WHERE n = 2',
        'UPDATE receipt_link SET n = 2 WHERE n = 3',
        'UPDATE receipt_link SET n = 3 WHERE n = -1',
      ),
    ['verify/chain-broken', 'verify/chain-broken', 'verify/chain-broken'],
  ],
  [
    'the hash of a receipt that is no longer there',
    (root) =>
      sql(
        root,
        `UPDATE receipt_link SET sha256 = '${'a'.repeat(64)}' WHERE id = ${F1.replace('F1', 'F3-X6ONCE')} AND revision = 1`,
      ),
    ['verify/chain-broken'],
  ],
  [
    'an older link, and the one after it changed to fit',
    (root) => {
      const db = new DatabaseSync(join(root, 'state/ledger.sqlite'));
      const { payload_sha256: payload, ...row } = db.prepare('SELECT * FROM receipt_link WHERE n = 2').get()!;
      const carried = payload === null ? {} : { payloadSha256: String(payload) };
      const edited = { ...row, ...carried, sha256: 'a'.repeat(64) } as unknown as Link;
      db.prepare('UPDATE receipt_link SET sha256 = ? WHERE n = 2').run(edited.sha256);
      db.prepare('UPDATE receipt_link SET previous = ? WHERE n = 3').run(linkHash(edited));
      db.close();
    },
    ['verify/chain-broken'],
  ],
  [
    'the time of a link',
    (root) => sql(root, `UPDATE receipt_link SET at = '2020-01-01T00:00:00.000Z' WHERE n = 3`),
    ['verify/chain-broken'],
  ],
  [
    'a link put in',
    (root) =>
      sql(
        root,
        `INSERT INTO receipt_link SELECT n + 1, what, id, revision, state, attempts, sha256, payload_sha256, run, at, previous
         FROM receipt_link ORDER BY n DESC LIMIT 1`,
      ),
    ['verify/chain-broken', 'verify/link-unknown'],
  ],
  [
    'the last links taken out, with the summary they are of',
    (root) => {
      sql(root, `DELETE FROM receipt_link WHERE n >= ${head.n}`);
    },
    ['verify/link-missing'],
  ],
];

const codesOf = ({ found }: Found) => found.map(({ code }) => code as string).sort();

describe.each([
  ['files', FILES],
  ['the ledger', LEDGER],
  ['the chain', CHAIN],
] as const)('tampering with %s', (name, tamperings) => {
  test.each(tamperings)('%s', async (_, tamper, codes) => {
    const root = copy();
    tamper(root);
    const found = codesOf(await proof(root, env));
    expect(found.filter((code) => name !== 'the chain' || codes.includes(code))).toEqual(codes);
  });
});

/** Takes away the last links, and all that could show that they were there. */
function cutShort(root: string, from: number): void {
  const db = new DatabaseSync(join(root, 'state/ledger.sqlite'));
  const gone = db.prepare(`SELECT DISTINCT id FROM receipt_link WHERE n >= ? AND what = 'receipt'`).all(from);
  db.prepare('DELETE FROM receipt_link WHERE n >= ?').run(from);
  db.prepare('DELETE FROM event_seal WHERE link >= ?').run(from);
  const before = 'SELECT MAX(n) FROM receipt_link k WHERE k.id = summary.file';
  db.prepare(`UPDATE summary SET changes = written + 1, link = (${before}) WHERE link >= ?`).run(from);
  for (const { id } of gone) {
    const entry = db.prepare('SELECT name, receipt_folder FROM entry WHERE id = ?').get(id!)!;
    for (const kind of ['receipt', 'payload']) {
      rmSync(join(root, `${entry.receipt_folder}/${day}/${entry.name}.${kind}.json`), { force: true });
    }
  }
  db.close();
}

test('a chain that was cut short: receipts without links, and the end that was kept elsewhere is gone', async () => {
  const root = copy();
  cutShort(root, head.n - 3);
  const found = codesOf(await proof(root, env));
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set(['verify/link-missing']));
  expect(codesOf(await proof(root, env, { head }))).toContain('verify/head-differs');

  // Made to look as if the receipts had only to be written, it is a matter of the head alone; so it is after a run.
  const former = '(SELECT MAX(n) FROM receipt_link k WHERE k.id = entry.id)';
  sql(root, `UPDATE entry SET receipt_due = 1, receipt_link = ${former} WHERE receipt_link >= ${head.n - 3}`);
  expect(codesOf(await proof(root, env))).toEqual([]);
  expect((await proof(root, env)).notSettled).toBeGreaterThan(0);
  const withHead = await proof(root, env, { head });
  expect(codesOf(withHead)).toEqual(['verify/head-differs']);
  expect(format(withHead.found[0]!.message, 'en')).toContain(`the chain ends at ${head.n - 4}`);
});

test('a head of an earlier time is found inside the chain, one with another hash is not', async () => {
  const middle = (await scene.look(async (ledger) => {
    for await (const link of ledger.receipts.links()) if (link.n === 4) return link.previous;
    return undefined;
  }))!;
  expect((await proof(scene.root, env, { head: { n: 3, hash: middle } })).breaks).toBe(0);
  expect(codesOf(await proof(scene.root, env, { head: { n: 4, hash: middle } }))).toEqual(['verify/head-differs']);
});

test('an archived mapping that this version cannot read is reported as such', async () => {
  const root = copy();
  const parts = [{ path: 'mappings/sales.yaml', text: 'mapping: sales\nversion: 1\n' }];
  const sha256 = hashOfParts(parts);
  await archiveMapping(root, { sha256, parts });
  sql(root, `UPDATE source_file SET mapping = json_set(mapping, '$.sha256', '${sha256}') WHERE state = 'admitted'`);
  expect(codesOf(await proof(root, env)).filter((code) => code === 'verify/rows-unreadable')).toHaveLength(2);
});

test('what is not finished yet is no break: a receipt that is due, a summary, a file that is not archived', async () => {
  const root = copy();
  sql(
    root,
    `UPDATE entry SET receipt_due = 1 WHERE name = 'F1'`,
    `UPDATE summary SET changes = changes + 1`,
    `UPDATE source_file SET archived_at = NULL WHERE name = 'ventes-3.csv'`,
  );
  rmSync(join(root, receipt('outbox', 'F1')));
  expect(await proof(root, env)).toMatchObject({ breaks: 0, notSettled: 2 });
});

test('a document with the day on which it was taken in is made again with that day', async () => {
  const mappings = { 'sales.yaml': SALES_MAPPING.replace('date: $Date', 'date: = TODAY()') };
  await using own = await openScene({ mappings });
  own.drop('ventes.csv', sales(['F1']));
  await own.night({ clock: { ...systemClock, now: () => new Date('2036-09-05T10:00:00Z') } });
  const [entry] = await own.entries();
  expect(own.read(`outbox/${entry!.file.day}/F1.payload.json`)).toContain('"date":"2036-09-05"');
  expect(await proof(own.root, describeSandbox(own.sandbox).environment)).toMatchObject({ documents: 1, breaks: 0 });
});

test('purged data is reported as purged, not as a break', async () => {
  const root = copy();
  const purged = `'{"at":"2036-01-01T00:00:00.000Z","by":"A. Person","reason":"ten years","what":["receipts","content","archive"]}'`;
  sql(
    root,
    `UPDATE entry SET purged = ${purged} WHERE name = 'F1'`,
    `UPDATE revision SET content = NULL WHERE entry = ${F1}`,
    `UPDATE attempt SET exchange = NULL WHERE entry = ${F1}`,
    `UPDATE source_file SET purged = ${purged} WHERE name = 'ventes-3.csv'`,
  );
  for (const path of [receipt('outbox', 'F1'), payload('outbox', 'F1'), archived('ventes-3.csv')])
    rmSync(join(root, path));
  expect(await proof(root, env, { head })).toMatchObject({ breaks: 0, purged: 2 });
});

test('verify reports no break during a run', async () => {
  await using own = await openScene({ sandbox: { latencyMs: 10 }, services: { fr: { concurrency: 3 } } });
  for (const n of [1, 2, 3]) {
    own.drop(`ventes-${n}.csv`, sales(Array.from({ length: 20 }, (_, i) => `F${n}${i}${i % 3 === 0 ? '-X8' : ''}`)));
  }
  const ownEnv = describeSandbox(own.sandbox).environment;
  let isOver = false;
  const [looked, half] = [Promise.withResolvers<void>(), 30];
  // Half of it waits for a whole look, however slow that is.
  const waiting: (driver: Driver) => Driver = (driver) => ({
    ...driver,
    write: async (work) => {
      if (own.sandbox.requests().fr.submit >= half) await looked.promise;
      return await driver.write(work);
    },
  });
  const night = own.night({ through: waiting }).finally(() => (isOver = true));
  const looks: Found[] = [];
  while (!isOver) {
    const isHalf = own.sandbox.requests().fr.submit >= half;
    looks.push(await proof(own.root, ownEnv));
    if (isHalf) looked.resolve();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await night;
  expect(looks.flatMap(({ found }) => found)).toEqual([]);
  expect(looks.some(({ notSettled, documents }) => notSettled > 0 && documents > 0)).toBe(true);
  expect(await proof(own.root, ownEnv)).toMatchObject({ breaks: 0, documents: 60, notSettled: 0 });
});

test('any byte of a file of ours that is another one is found', async () => {
  const root = copy();
  const instance = readInstance(root, { variables: { ...env } });
  await using ledger = await lookIntoLedgerOf(instance);
  const files = ['outbox', 'pending', 'error', 'archive', 'archive/mappings']
    .flatMap((folder) => scene.files(folder))
    // Made to be edited.
    .filter((path) => !/README\.txt$|\.to-fix\.(?:csv|xlsx)$/.test(path));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 1, max: 255 }), async (path, at, by) => {
      const place = join(root, path);
      const bytes = readFileSync(place);
      const changed = Buffer.from(bytes);
      changed[at % bytes.length]! ^= by;
      rmSync(place);
      writeFileSync(place, changed);
      const { breaks } = await proofOf({ instance, ledger });
      rmSync(place);
      writeFileSync(place, bytes);
      expect(breaks).toBeGreaterThan(0);
    }),
    { numRuns: runs(60) },
  );
  expect((await proofOf({ instance, ledger })).breaks).toBe(0);
});

test('the hash of a link by hand, as the manual says it', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/audit.md'), 'utf8');
  const [, query] = /^```sql\n([\s\S]*?)^```$/m.exec(page)!;
  const db = new DatabaseSync(join(copy(), 'state/ledger.sqlite'));
  const lines = db
    .prepare(query!)
    .all()
    .map((row) => String(Object.values(row)[0]));
  db.close();
  expect(lines).toHaveLength(head.n);
  expect(hash('sha256', lines.at(-1)!)).toBe(head.hash);
});

describe('the command', () => {
  const verified = (root: string, ...args: string[]) =>
    command(['-C', root, ...args, 'verify'], env as { readonly [name: string]: string });

  test('prints the proof, or every break with its meaning; exits with 0 or 3', async () => {
    const clean = await verified(scene.root);
    expect(clean).toMatchObject({ code: 0 });
    expect(clean.out).toContain('no inconsistencies');
    expect(clean.out).toContain(`ends in ${head.n}:${head.hash}`);
    const root = copy();
    edit(root, receipt('outbox', 'F1'), (text) => `${text} `);
    const tampered = await verified(root);
    expect(tampered).toMatchObject({ code: 3 });
    expect(tampered.out).toContain(`F1   outbox/${day}/F1.receipt.json`);
    expect(tampered.out).toContain('verify/receipt-changed');
    const json = await verified(root, '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      breaks: 1,
      found: [{ code: 'verify/receipt-changed', document: 'F1' }],
    });
  });

  test('invalid arguments are reported', async () => {
    const asked = (...args: string[]) =>
      command(['-C', scene.root, 'verify', ...args], env as { readonly [name: string]: string });
    expect((await asked('--head', '12:abc')).code).toBe(2);
    expect((await asked('--head', `${head.n}:${head.hash}`)).code).toBe(0);
    expect((await asked('--all', 'F1')).err).toContain('verify/all-or-some');
    expect((await asked('F4711')).err).toContain('verify/no-such-document');
    const status = await command(['-C', scene.root, '--json', 'status'], env as { readonly [name: string]: string });
    expect(readHead((JSON.parse(status.out) as { head: string }).head)).toEqual(head);
  });
});
