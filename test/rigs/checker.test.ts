/** The checker finds what is planted: each kind of fault alone, beside a night in which it finds none. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Acceptance } from '../../src/sandbox/acceptance-log.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { check, type Dropped, faultsOf, readAcceptances } from './checker.ts';

const DROPPED: readonly Dropped[] = [
  { name: 'ventes-1.csv', content: sales(['A', 'B-X6', 'C-XLOST', 'D-XDROP']) },
  { name: 'ventes-2.csv', content: sales(['E', 'F-X8']) },
  { name: 'ventes-3.csv', content: sales(['E', 'F-X8']) },
];

let scene: Scene;
let accepted: readonly Acceptance[];
let untouched: ReadonlyMap<string, Buffer>;
const PLACES = ['state', 'outbox', 'pending', 'error', 'archive', 'inbox', 'processing'];

beforeAll(async () => {
  const log = join(tmpdir(), `acceptances-${process.pid}.jsonl`);
  scene = await openScene({ sandbox: { acceptanceLog: log } });
  for (const { name, content } of DROPPED) scene.drop(name, content);
  await scene.night();
  accepted = readAcceptances(log);
  rmSync(log);
  untouched = new Map(
    PLACES.flatMap((place) => scene.files(place)).map((path) => [path, readFileSync(join(scene.root, path))]),
  );
});

beforeEach(() => {
  for (const path of PLACES.flatMap((place) => scene.files(place))) unlinkSync(join(scene.root, path));
  for (const [path, bytes] of untouched) writeFileSync(join(scene.root, path), bytes);
});

afterAll(async () => await scene[Symbol.asyncDispose]());

type Changes = Partial<{
  dropped: readonly Dropped[];
  accepted: readonly Acceptance[];
  requests: { identity: string; requests: number }[];
}>;

function find(changes: Changes = {}) {
  return check({ root: scene.root, dropped: DROPPED, accepted, requests: scene.sandbox.acceptances(), ...changes });
}

/** The only file below the folders whose path ends so and holds this. */
function at(ending: string, part = ''): string {
  const paths = ['outbox', 'pending', 'error', 'archive'].flatMap((place) => scene.files(place));
  const [path, second] = paths.filter((one) => one.endsWith(ending) && one.includes(part));
  if (path === undefined || second !== undefined) throw new Error(`${ending}: ${path}, ${second}`);
  return join(scene.root, path);
}

function rewrite(path: string, change: (receipt: Record<string, never>) => void): void {
  const receipt = JSON.parse(readFileSync(path, 'utf8'));
  change(receipt);
  writeFileSync(path, JSON.stringify(receipt));
}

/** A fault may be planted on the disk, or in what is told to the checker. */
function changesOf(planted: unknown): Changes {
  return typeof planted === 'object' && planted !== null ? planted : {};
}

function inLedger(sql: string): void {
  const db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  db.exec(sql);
  db.close();
}

test('a whole night has no error, and documents in doubt are compared with those of the service', () => {
  const report = find();
  expect(faultsOf(report)).toEqual([]);
  expect(report).toMatchObject({ recovered: ['C-XLOST'], unreached: ['D-XDROP'], documents: 6, accepted: 4 });
});

describe('lost', () => {
  test.each<[string, RegExp, () => unknown]>([
    ['a receipt', /^lost: A has no receipt/m, () => unlinkSync(at('/A.receipt.json'))],
    [
      'what is staged has no revision yet',
      /^lost: A is still staged/m,
      () => inLedger(`UPDATE entry SET state = 'staged', revision = 0 WHERE identifier = 'A'`),
    ],
    [
      'the rows of a receipt',
      /^lost: row 3 of ventes-1.csv/m,
      () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt.source!, { rows: [2] })),
    ],
    [
      'a dropped file',
      /^lost: file ventes-9.csv .* was never taken/m,
      () => ({ dropped: [...DROPPED, { name: 'ventes-9.csv', content: sales(['Z']) }] }),
    ],
    ['an archived file', /^lost: ventes-2.csv is not in the archive/m, () => unlinkSync(at('ventes-2.csv', 'archive'))],
    [
      'a byte of an archived file',
      /^lost: ventes-2.csv is not in the archive/m,
      () => {
        const path = at('ventes-2.csv', 'archive');
        chmodSync(path, 0o600);
        appendFileSync(path, ' ');
      },
    ],
    ['a summary', /^lost: ventes-3.csv has no summary/m, () => unlinkSync(at('.summary.json', 'ventes-3'))],
    [
      'an entry that the service took',
      /^lost: .*A.* was accepted, and the ledger says rejected/m,
      () => inLedger(`UPDATE entry SET state = 'rejected' WHERE identifier = 'A'`),
    ],
    [
      'an entry, rows and all',
      /^lost: row 2 of ventes-2.csv/m,
      () => {
        unlinkSync(at('/E.receipt.json'));
        inLedger(
          `PRAGMA foreign_keys = OFF; DELETE FROM entry WHERE identifier = 'E'; DELETE FROM revision WHERE entry NOT IN (SELECT id FROM entry)`,
        );
      },
    ],
  ])('%s', (_, expected, plant) => {
    expect(faultsOf(find(changesOf(plant()))).join('\n')).toMatch(expected);
  });
});

describe('unexpected', () => {
  test.each<[string, RegExp, () => unknown]>([
    [
      'an acceptance of a request that was never recorded',
      /^unexpected: x was accepted as request r/m,
      () => ({ accepted: [...accepted, { ...accepted[0]!, identity: 'x', requestId: 'r' }] }),
    ],
    [
      'an authorization that no service gave',
      /^unexpected: A is authorized, and no service took it/m,
      () => ({ accepted: accepted.filter(({ identity }) => !identity.includes('|A|')) }),
    ],
    [
      'a receipt of no entry',
      /^unexpected: .* is of no entry/m,
      () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt, { id: 'other' })),
    ],
    [
      'a file that no one dropped',
      /^unexpected: file ventes-2.csv/m,
      () => ({ dropped: DROPPED.filter(({ name }) => name !== 'ventes-2.csv') }),
    ],
    [
      'rows of another document',
      /^unexpected: .*holds row 4 of ventes-1.csv, which is of B-X6/m,
      () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt.source!, { rows: [2, 3, 4] })),
    ],
  ])('%s', (_, expected, plant) => {
    expect(faultsOf(find(changesOf(plant()))).join('\n')).toMatch(expected);
  });
});

describe('doubled', () => {
  test.each<[string, RegExp, () => unknown]>([
    [
      'accepted twice',
      /^doubled: .* reached the service 2 times/m,
      () => ({ accepted: [...accepted, { ...accepted[0]!, event: 'duplicate' }] }),
    ],
    ['requested twice', /^doubled: x was requested 2 times/m, () => ({ requests: [{ identity: 'x', requests: 2 }] })],
    [
      'a row in two receipts',
      /^doubled: row 4 of ventes-1.csv .* in 2 places/m,
      () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt.source!, { rows: [2, 3, 4] })),
    ],
  ])('%s', (_, expected, plant) => {
    expect(faultsOf(find(changesOf(plant()))).join('\n')).toMatch(expected);
  });
});

test('a receipt in two folders', () => {
  const from = at('/A.receipt.json');
  const to = from.replace('/outbox/', '/error/');
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  expect(faultsOf(find()).join('\n')).toMatch(/^inTwoFolders: A: /m);
});

test.each([
  ['a temporary file', 'error/x.receipt.json.tmp-np'],
  ['a payload without its receipt', 'outbox/Z.payload.json'],
  ['a file in the inbox', 'inbox/ventes-8.csv'],
  ['a copy in processing', 'processing/ventes-8.csv'],
  ['a file in the archive', 'archive/ventes-8.csv'],
])('stray: %s', (_, path) => {
  writeFileSync(join(scene.root, path), '');
  expect(faultsOf(find())).toEqual([`stray: ${path}`]);
  unlinkSync(join(scene.root, path));
});

test.each<[string, RegExp, () => void]>([
  [
    'state',
    /state is "in-doubt", in the ledger "authorized"/,
    () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt, { state: 'in-doubt' })),
  ],
  [
    'code',
    /code is 4, in the ledger 2/,
    () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt.answer!, { code: 4 })),
  ],
  [
    'requests',
    /requests is \[\]/,
    () => rewrite(at('/A.receipt.json'), (receipt) => Object.assign(receipt, { attempts: [] })),
  ],
  ['a byte of the payload', /payload file is/, () => appendFileSync(at('/A.payload.json'), ' ')],
])('a receipt that differs from the ledger: %s', (_, expected, plant) => {
  plant();
  expect(
    faultsOf(find())
      .filter((fault) => fault.startsWith('differing'))
      .join('\n'),
  ).toMatch(expected);
});
