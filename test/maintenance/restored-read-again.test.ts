/**
 * Exports that are read again because a record of theirs is lost: rows that a receipt accounts for stay as they are, whatever an older
 * export says of their document.
 */
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));

const accounts = (scene: Scene) =>
  written(scene)
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => JSON.parse(scene.read(path)))
    .map(({ file, rows }) => `${file.name}: ${rows.unaccounted.count} in no place, ${rows.twice.count} in two`)
    .sort();

const documents = async (scene: Scene) =>
  (await scene.entries()).map(({ facts, state, file }) => `${facts.identifier} ${state} ${file.name}`).sort();

const LOST: { readonly [what: string]: RegExp } = {
  'the summary of the export': /ventes-1\.csv.*summary/,
  'the summary of the correction': /ventes-2\.csv.*summary/,
  'both summaries': /summary/,
  'a receipt': /C1\.receipt/,
  'a receipt and the summary of the export': /C1\.receipt|ventes-1\.csv.*summary/,
  'a receipt and the summary of the correction': /C1\.receipt|ventes-2\.csv.*summary/,
  'a receipt and both summaries': /C1\.receipt|summary/,
  everything: /json$/,
};
const TYPO = ['--reason', 'typo', '--by', 'anna'];
const WAYS = ['rebuild', 'restore of before', 'restore of between'];

/** A copy may keep the time of its original, and an ERP may write many files in one second. */
const TIMES = ['times of their own', 'equal times'] as const;
type Times = (typeof TIMES)[number];
const EXPORTED = new Date('2026-09-05T22:00:00Z');

function drop(scene: Scene, times: Times, [name, content]: readonly [string, string]): void {
  scene.drop(name, content);
  if (times === 'equal times') utimesSync(join(scene.root, 'inbox', name), EXPORTED, EXPORTED);
}

test.each(
  TIMES.flatMap((times) => Object.keys(LOST).flatMap((lost) => WAYS.map((way) => [lost, way, times] as const))),
)('an export and its correction, lost: %s; %s, %s', async (lost, way, times) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  if (way === 'restore of before') await commandIn(scene, 'backup', copy);
  drop(scene, times, ['ventes-1.csv', sales(['C1', 'C2'], '2O')]);
  await scene.night();
  if (way === 'restore of between') await commandIn(scene, 'backup', copy);
  drop(scene, times, ['ventes-2.csv', sales(['C2', 'C1'], '3O')]);
  await scene.night();
  const before = { documents: await documents(scene), accounts: accounts(scene) };
  expect(before.documents).toEqual(['C1 invalid ventes-2.csv', 'C2 invalid ventes-2.csv']);
  for (const path of written(scene)) if (LOST[lost]!.test(path)) rmSync(join(scene.root, path));
  if (way === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  const back = way === 'rebuild' ? ['rebuild'] : ['restore', copy];
  expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({ code: 0 });
  await scene.night();
  expect({ documents: await documents(scene), accounts: accounts(scene) }).toEqual(before);
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  expect((await commandIn(scene, 'verify')).out).not.toContain('verify/');
  expect(scene.sandbox.requests().fr.submit).toBe(0);
});

/** A person has made the number C9, and after a rebuild a summary alone shows it. */
async function openWithoutReceipt(): Promise<Scene> {
  const scene = await openScene();
  scene.drop('ventes-1.csv', sales(['C1'], '2O'));
  await scene.night();
  await commandIn(scene, 'fix', 'C1', 'Qte=2', 'Num=C9', ...TYPO);
  await scene.night();
  expect(await documents(scene)).toEqual(['C9 authorized ventes-1.csv']);
  for (const path of written(scene).filter((one) => one.endsWith('.receipt.json'))) rmSync(join(scene.root, path));
  rmSync(join(scene.root, 'state'), { recursive: true });
  await replaced(scene, 'rebuild');
  return scene;
}

async function replaced(scene: Scene, ...how: string[]): Promise<void> {
  expect(await commandIn(scene, 'ledger', ...how)).toMatchObject({ code: 0 });
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
}

test.each(['C9', 'c9', 'C-9', 'C09'])(
  'a number that a summary alone shows is held when it comes as %s',
  async (number) => {
    await using scene = await openWithoutReceipt();
    scene.drop('ventes-2.csv', sales([number]));
    await scene.night();
    expect(await documents(scene)).toEqual([`${number} held ventes-2.csv`, 'C1 invalid ventes-1.csv'].sort());
    expect(scene.sandbox.requests().fr.submit).toBe(1);
  },
);

test('so it is when a person gives it to another document', async () => {
  await using scene = await openWithoutReceipt();
  scene.drop('ventes-2.csv', sales(['D1'], '2O'));
  await scene.night();
  await commandIn(scene, 'fix', 'D1', 'Qte=2', 'Num=C9', ...TYPO);
  await scene.night();
  expect(await documents(scene)).toEqual(['C1 invalid ventes-1.csv', 'C9 held ventes-2.csv']);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('so it is after the restore of a backup that knows it', async () => {
  await using scene = await openWithoutReceipt();
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  await replaced(scene, 'restore', copy);
  scene.drop('ventes-2.csv', sales(['C9']));
  await scene.night();
  expect(await documents(scene)).toEqual(['C1 invalid ventes-1.csv', 'C9 held ventes-2.csv']);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('so it is after the next rebuild, which no summary shows it', async () => {
  await using scene = await openWithoutReceipt();
  rmSync(join(scene.root, 'state'), { recursive: true });
  await replaced(scene, 'rebuild');
  scene.drop('ventes-2.csv', sales(['C9']));
  await scene.night();
  expect(await documents(scene)).toEqual(['C1 invalid ventes-1.csv', 'C9 held ventes-2.csv']);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('so it is after the restore of a backup that knows the document under its former number', async () => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes-1.csv', sales(['C1'], '2O'));
  await scene.night();
  await commandIn(scene, 'backup', copy);
  await commandIn(scene, 'fix', 'C1', 'Qte=2', 'Num=C9', ...TYPO);
  await scene.night();
  for (const path of written(scene)) if (path.endsWith('.receipt.json')) rmSync(join(scene.root, path));
  await replaced(scene, 'restore', copy);
  scene.drop('ventes-2.csv', sales(['C9']));
  await scene.night();
  expect(await documents(scene)).toEqual(['C1 invalid ventes-1.csv', 'C9 held ventes-2.csv']);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

/** The same export under three versions of the mapping, the last of which makes a duplicate; a backup knows the first one. */
async function openThreeVersions(times: Times): Promise<Scene> {
  const scene = await openScene();
  for (const version of [1, 2, 3]) {
    writeFileSync(join(scene.root, 'mappings/sales.yaml'), SALES_MAPPING.replace('version: 1', `version: ${version}`));
    drop(scene, times, ['ventes-1.csv', sales(['C1', 'C2'], '2O')]);
    await scene.night();
    if (version === 1) await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
    else if (version === 2) await commandIn(scene, 'fix', 'C1', 'Qte=2', ...TYPO);
  }
  return scene;
}

test.each(['rebuild', 'restore'].flatMap((way) => TIMES.map((times) => [way, times] as const)))(
  'the same bytes, of which nothing is lost: all is as before; %s, %s',
  async (way, times) => {
    await using scene = await openThreeVersions(times);
    const before = { documents: await documents(scene), accounts: accounts(scene) };
    if (way === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
    await replaced(scene, ...(way === 'rebuild' ? [way] : [way, join(scene.root, 'copy.sqlite')]));
    expect({ documents: await documents(scene), accounts: accounts(scene) }).toEqual(before);
    expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
  },
);

test.each(TIMES)(
  'the same bytes, of which the receipt of a duplicate is left: each document is there; %s',
  async (times) => {
    await using scene = await openThreeVersions(times);
    for (const path of written(scene)) if (/C[12]\.(receipt|payload)/.test(path)) rmSync(join(scene.root, path));
    rmSync(join(scene.root, 'state'), { recursive: true });
    await replaced(scene, 'rebuild');
    expect(await documents(scene)).toEqual([
      'C1 duplicate ventes-1.csv',
      'C1 invalid ventes-1.csv',
      'C2 invalid ventes-1.csv',
    ]);
    expect(accounts(scene).filter((one) => !one.endsWith('0 in no place, 0 in two'))).toEqual([]);
    scene.drop('ventes-2.csv', sales(['C1', 'C2'], '2'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(1);
  },
);

test.each(TIMES)(
  'the same bytes, of which the backup knows one reading: each row is in one place; %s',
  async (times) => {
    await using scene = await openThreeVersions(times);
    await replaced(scene, 'restore', join(scene.root, 'copy.sqlite'));
    scene.drop('ventes-2.csv', sales(['C1', 'C2'], '2'));
    await scene.night();
    expect(accounts(scene).filter((one) => !one.endsWith('0 in no place, 0 in two'))).toEqual([]);
    expect(scene.sandbox.requests().fr.submit).toBe(2);
  },
);

const DAMAGES: { readonly [what: string]: (path: string) => void } = {
  half: (path) => writeFileSync(path, '{"shown":1,"numbers":[["C9"'),
  link: (path) => {
    renameSync(path, `${path}.kept`);
    symlinkSync(`${path}.kept`, path);
  },
  folder: (path) => {
    rmSync(path);
    mkdirSync(path);
  },
  huge: (path) => truncateSync(path, 2 ** 28 + 1),
};

test.each(Object.keys(DAMAGES))('a file of such numbers that is damaged is listed: %s', async (what) => {
  await using scene = await openWithoutReceipt();
  rmSync(join(scene.root, 'state'), { recursive: true });
  DAMAGES[what]?.(join(scene.root, 'archive/.shown-numbers.json'));
  const rebuilt = await commandIn(scene, 'ledger', 'rebuild');
  expect(rebuilt).toMatchObject({ code: 3 });
  expect(rebuilt.out).toContain('archive/.shown-numbers.json');
});

test.each(Object.keys(DAMAGES))(
  'one that is damaged is kept where new numbers are found, and stays listed: %s',
  async (what) => {
    await using scene = await openWithoutReceipt();
    scene.drop('ventes-2.csv', sales(['D1'], '2O'));
    await scene.night();
    await commandIn(scene, 'fix', 'D1', 'Qte=2', 'Num=D9', ...TYPO);
    await scene.night();
    for (const path of written(scene).filter((one) => one.endsWith('.receipt.json'))) rmSync(join(scene.root, path));
    const path = join(scene.root, 'archive/.shown-numbers.json');
    DAMAGES[what]?.(path);
    const damaged = lstatSync(path);
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(3);
    const kept = lstatSync(`${path}.damaged-1`);
    expect([kept.ino, kept.size]).toEqual([damaged.ino, damaged.size]);
    expect(readFileSync(path, 'utf8')).toContain('D9');
    rmSync(join(scene.root, 'state'), { recursive: true });
    const again = await commandIn(scene, 'ledger', 'rebuild');
    expect(again).toMatchObject({ code: 3 });
    expect(again.out).toContain('archive/.shown-numbers.json.damaged-1');
  },
);

const CORRECTED = {
  'of the exports': /ventes-[13]\.csv.*summary|X6~.*receipt/,
  'of all': /summary|X6~.*receipt/,
  'of the duplicate alone': /X6~.*receipt/,
} as const;

test.each(Object.keys(CORRECTED) as (keyof typeof CORRECTED)[])(
  'a correction that was rejected stays where the receipt of an older duplicate is lost, and summaries %s',
  async (lost) => {
    await using scene = await openScene();
    scene.drop('ventes-1.csv', sales(['C1-X6']));
    await scene.night();
    scene.drop('ventes-2.csv', sales(['C1-X6']).replaceAll('\n', '\r\n'));
    await scene.night();
    scene.drop('ventes-3.csv', sales(['C1-X6'], '2O'));
    await scene.night();
    await commandIn(scene, 'fix', 'C1-X6', 'Qte=5', ...TYPO);
    await scene.night();
    expect(await documents(scene)).toEqual(['C1-X6 duplicate ventes-2.csv', 'C1-X6 rejected ventes-3.csv']);
    for (const path of written(scene)) if (CORRECTED[lost].test(path)) rmSync(join(scene.root, path));
    rmSync(join(scene.root, 'state'), { recursive: true });
    await replaced(scene, 'rebuild');
    expect(await documents(scene)).toEqual(['C1-X6 conflict ventes-2.csv', 'C1-X6 rejected ventes-3.csv']);
    expect(accounts(scene).filter((one) => !one.endsWith(': 0 in no place, 0 in two'))).toEqual([]);
    expect((await commandIn(scene, 'verify')).out).not.toContain('verify/document-extra');
    expect(scene.sandbox.requests().fr.submit).toBe(2);
  },
);
