import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { writeDurable } from '../../src/files/write-durable.ts';
import { linkLine } from '../../src/model/chain-link.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import { composeReceipt, receiptText } from '../../src/receipts/compose-receipt.ts';
import { removeLeftoverOutputs, removeLeftoverTempFiles } from '../../src/receipts/remove-temporary-files.ts';
import { writeReceipts } from '../../src/receipts/write-receipts.ts';
import { receiptName } from '../../src/text/receipt-file-name.ts';
import { runs } from '../seed.ts';
import { CHAIN, DAY, makeEntry, makeFile, makeInvalid, makeRoot, payloadOf, sha256 } from './make.ts';

const settings = { environment: 'prod', rules: { language: 'en' } } as const;

async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** Each text names the hash of the link before, each link the hash of the text as it lies there. */
async function expectChained(root: string, written: Awaited<ReturnType<typeof writeReceipts>>): Promise<void> {
  let previous: string | null = null;
  for (const [index, { id, folder, day, link }] of written.entries()) {
    const path = join(root, folder, day, `FA-2026-${id.slice(-4)}.receipt.json`);
    const text = await readFile(path, 'utf8');
    expect((JSON.parse(text) as { previous: unknown }).previous).toBe(previous);
    expect(link).toMatchObject({ n: index + 1, what: 'receipt', id, sha256: sha256(text), ...CHAIN });
    expect(link.previous ?? null).toBe(previous);
    previous = sha256(linkLine(link));
  }
}

test('receipt and payload lie side by side in the folder of the state, private', async () => {
  const root = await makeRoot();
  const [a, b, c] = [makeEntry(1), makeEntry(2, { state: 'contingency' }), makeInvalid(3)] as const;
  const written = await writeReceipts(
    root,
    [{ entry: a, payload: payloadOf(1) }, { entry: b, payload: payloadOf(2) }, { entry: c }],
    settings,
    CHAIN,
  );
  expect(await filesBelow(root)).toEqual([
    `error/${DAY}/FA-2026-0003.receipt.json`,
    `error/${DAY}/README.txt`,
    `outbox/${DAY}/FA-2026-0001.payload.json`,
    `outbox/${DAY}/FA-2026-0001.receipt.json`,
    `pending/${DAY}/FA-2026-0002.payload.json`,
    `pending/${DAY}/FA-2026-0002.receipt.json`,
  ]);
  expect(written.map(({ id, folder, day, state }) => [id, folder, day, state])).toEqual([
    [a.id, 'outbox', DAY, 'authorized'],
    [b.id, 'pending', DAY, 'contingency'],
    [c.id, 'error', DAY, 'invalid'],
  ]);
  const folder = join(root, 'outbox', DAY);
  expect(await readFile(join(folder, 'FA-2026-0001.payload.json'), 'utf8')).toBe(payloadOf(1));
  expect(await readFile(join(folder, 'FA-2026-0001.receipt.json'), 'utf8')).toBe(
    receiptText(composeReceipt(a, settings)),
  );
  await expectChained(root, written);
  for (const path of await filesBelow(root)) expect((await stat(join(root, path))).mode & 0o777).toBe(0o600);
  for (const path of ['outbox', `outbox/${DAY}`]) expect((await stat(join(root, path))).mode & 0o777).toBe(0o700);
});

test('umask 000: folders 0700, files 0600', async () => {
  const root = await makeRoot();
  const script = `
    process.umask(0);
    const { ensureFolder, writeDurable } = await import(${JSON.stringify(new URL('../../src/files/write-durable.ts', import.meta.url).href)});
    await ensureFolder(${JSON.stringify(join(root, 'outbox', DAY))});
    await writeDurable(${JSON.stringify(join(root, 'outbox', DAY, 'x'))}, 'x');
  `;
  execFileSync(process.execPath, ['--input-type=module', '-e', script]);
  const mode = async (path: string) => ((await stat(join(root, path))).mode & 0o777).toString(8);
  expect(await Promise.all(['outbox', `outbox/${DAY}`, `outbox/${DAY}/x`].map(mode))).toEqual(['700', '700', '600']);
});

test('a document that is settled leaves its old folder, payload and all', async () => {
  const root = await makeRoot();
  const before = makeEntry(1, { state: 'contingency' });
  await writeReceipts(root, [{ entry: before, payload: payloadOf(1) }], settings, CHAIN);
  const after = makeEntry(1, { receipt: { folder: 'pending', day: DAY } });
  await writeReceipts(root, [{ entry: after, payload: payloadOf(1) }], settings, CHAIN);
  expect(await filesBelow(root)).toEqual([
    `outbox/${DAY}/FA-2026-0001.payload.json`,
    `outbox/${DAY}/FA-2026-0001.receipt.json`,
  ]);
});

test('a correction from a later file moves the receipt to the day of that file', async () => {
  const root = await makeRoot();
  await writeReceipts(root, [{ entry: makeInvalid(1) }], settings, CHAIN);
  const corrected = makeEntry(1, {
    revision: 2,
    file: makeFile({ day: '2026-11-21' }),
    receipt: { folder: 'error', day: DAY },
  });
  await writeReceipts(root, [{ entry: corrected, payload: payloadOf(1) }], settings, CHAIN);
  expect((await filesBelow(root)).filter((path) => path.includes('receipt'))).toEqual([
    'outbox/2026-11-21/FA-2026-0001.receipt.json',
  ]);
});

test('a receipt that the ledger does not know is removed when its document is written elsewhere', async () => {
  const root = await makeRoot();
  await writeReceipts(
    root,
    [{ entry: makeEntry(1, { state: 'contingency' }), payload: payloadOf(1) }],
    settings,
    CHAIN,
  );
  await writeReceipts(root, [{ entry: makeEntry(1), payload: payloadOf(1) }], settings, CHAIN);
  expect((await filesBelow(root)).every((path) => path.startsWith('outbox/'))).toBe(true);
});

test('a document that lost its content in a revision loses the payload file', async () => {
  const root = await makeRoot();
  await writeReceipts(root, [{ entry: makeEntry(1, { state: 'rejected' }), payload: payloadOf(1) }], settings, CHAIN);
  const worse = makeInvalid(1, { revision: 2, receipt: { folder: 'error', day: DAY } });
  await writeReceipts(root, [{ entry: worse }], settings, CHAIN);
  expect(await filesBelow(root)).toEqual([`error/${DAY}/FA-2026-0001.receipt.json`, `error/${DAY}/README.txt`]);
});

test('writing again gives the same files; a document on its way has none', async () => {
  const root = await makeRoot();
  const batch = [{ entry: makeEntry(1), payload: payloadOf(1) }];
  await writeReceipts(root, batch, settings, CHAIN);
  const path = join(root, 'outbox', DAY, 'FA-2026-0001.receipt.json');
  const first = await readFile(path, 'utf8');
  await writeReceipts(root, batch, settings, CHAIN);
  expect(await readFile(path, 'utf8')).toBe(first);
  const sending = makeEntry(2, { state: 'sending' });
  expect(await writeReceipts(root, [{ entry: sending, payload: payloadOf(2) }], settings, CHAIN)).toEqual([]);
});

test('the file of another document is never replaced', async () => {
  const root = await makeRoot();
  await writeReceipts(root, [{ entry: makeEntry(1), payload: payloadOf(1) }], settings, CHAIN);
  const impostor = makeEntry(2, { name: 'FA-2026-0001' });
  const writing = writeReceipts(root, [{ entry: impostor, payload: payloadOf(2) }], settings, CHAIN);
  await expect(writing).rejects.toThrow('0001.receipt.json: the receipt of another document');
  const folder = join(root, 'outbox', DAY);
  expect(await readFile(join(folder, 'FA-2026-0001.payload.json'), 'utf8')).toBe(payloadOf(1));
});

test('a payload that is not what was recorded is not written', async () => {
  const root = await makeRoot();
  await expect(writeReceipts(root, [{ entry: makeEntry(1), payload: 'other' }], settings, CHAIN)).rejects.toThrow(
    'recorded',
  );
  await expect(writeReceipts(root, [{ entry: makeEntry(1) }], settings, CHAIN)).rejects.toThrow('belong together');
  expect(await filesBelow(root)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a refusal of the disk is reported with path and code (on Linux)',
  async () => {
    const root = await makeRoot();
    // /sys takes no new folders from anybody, root included.
    await expect(
      writeReceipts('/sys', [{ entry: makeEntry(1), payload: payloadOf(1) }], settings, CHAIN),
    ).rejects.toMatchObject({
      name: 'SetupError',
      code: expect.stringMatching(/^receipts\/(no-access|read-only)$/),
      message: expect.stringContaining('/sys/outbox'),
    });
    const { diskTrouble } = await import('../../src/files/write-durable.ts');
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    expect(diskTrouble(full, join(root, 'x'))).toMatchObject({ code: 'receipts/disk-full', cause: full });
    for (const code of ['EMFILE', 'ENFILE']) {
      const scarce = Object.assign(new Error(code), { code });
      expect(diskTrouble(scarce, 'x')).toMatchObject({ code: 'receipts/too-many-open', cause: scarce });
    }
    expect(diskTrouble(new RangeError('ours'), 'x')).toBeInstanceOf(RangeError);
  },
);

test('temporary files of a crash are swept at start, wherever one is written', async () => {
  const root = await makeRoot();
  const folder = join(root, 'outbox', DAY);
  await mkdir(folder, { recursive: true });
  await mkdir(join(root, 'reports', DAY), { recursive: true });
  await mkdir(join(root, 'state'));
  await writeDurable(join(folder, 'a'), 'whole');
  await writeFile(join(folder, 'b.receipt.json.tmp-np'), 'half');
  await writeFile(join(root, 'outbox', 'c.table.tmp-np'), 'half');
  await writeFile(join(root, 'reports', DAY, 'run.report.json.0123abcd.tmp-np'), 'half');
  await writeFile(join(root, 'state', 'metrics.json.0123abcd.tmp-np'), 'half');
  await writeFile(join(root, 'state', 'ledger.new.tmp-np'), 'half');
  await writeFile(join(root, 'state', 'ledger.new.tmp-np-wal'), 'half');
  expect(await removeLeftoverTempFiles(root, 0)).toEqual([]);
  expect((await removeLeftoverTempFiles(root, Date.now() + 60_000)).length).toBe(6);
  expect(await readdir(folder)).toEqual(['a']);
});

test('those of a command that works next to a run are swept a day later', async () => {
  const root = await makeRoot();
  const left = [
    'backups/ledger-20261121T013000Z.sqlite.0123abcd.tmp-np',
    'backups/ledger-20261121T013000Z.sqlite.0123abcd.tmp-np-journal',
    'mappings/sales/tests/first.expected.json.0123abcd.tmp-np',
    'secrets/fr-client-secret.0123abcd.tmp-np',
  ];
  const others = ['backups/ledger-20261120T013000Z.sqlite', 'mappings/sales.yaml', 'secrets/fr-client-secret'];
  for (const name of [...left, ...others]) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), 'half');
  }
  expect(await removeLeftoverTempFiles(root, Date.now() + 60_000)).toEqual([]);
  const removed = await removeLeftoverTempFiles(root, Date.now() + 25 * 60 * 60_000);
  expect(removed.toSorted()).toEqual(left.map((name) => join(root, name)));
  expect(await filesBelow(root)).toEqual(others);
});

test('two programs that write one file at the same time leave it whole, and neither fails', async () => {
  const root = await makeRoot();
  const path = join(root, 'a');
  const [begun, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowly = async function* () {
    yield 'first half, ';
    begun.resolve();
    await other.promise;
    yield 'second half';
  };
  const slow = writeDurable(path, slowly());
  await begun.promise;
  await writeDurable(path, 'of the other');
  expect(await readFile(path, 'utf8')).toBe('of the other');
  other.resolve();
  await slow;
  expect(await readFile(path, 'utf8')).toBe('first half, second half');
  expect(await readdir(root)).toEqual(['a']);
});

test('a file that gets its name while leftovers are swept stops no sweep', async () => {
  const root = await makeRoot();
  const folder = join(root, 'error', DAY);
  await mkdir(folder, { recursive: true });
  for (let n = 0; n < 200; n++) writeFileSync(join(folder, `${n}.receipt.json.tmp-np`), '');
  const names = readdirSync(folder);
  const swept = removeLeftoverOutputs(root, Date.now() + 60_000);
  // The folder is listed once, so its last file is one that the sweep already knows.
  while (existsSync(join(folder, names[0]!))) await new Promise((resolve) => setImmediate(resolve));
  renameSync(join(folder, names.at(-1)!), join(folder, 'named'));
  expect(await swept).toHaveLength(199);
  expect(readdirSync(folder)).toEqual(['named']);
});

test('next to other workers only temporary files of receipts are swept', async () => {
  const root = await makeRoot();
  for (const top of ['outbox', 'archive']) {
    await mkdir(join(root, top, DAY), { recursive: true });
    await writeFile(join(root, top, DAY, 'a.tmp-np'), 'half');
  }
  expect(await removeLeftoverOutputs(root, 0)).toEqual([]);
  expect(await removeLeftoverOutputs(root, Date.now() + 60_000)).toEqual([join(root, 'outbox', DAY, 'a.tmp-np')]);
});

test('notes of a person in a README stay', async () => {
  const root = await makeRoot();
  await writeReceipts(root, [{ entry: makeInvalid(1) }], settings, CHAIN);
  const path = join(root, 'error', DAY, 'README.txt');
  await writeFile(path, 'called support');
  await writeReceipts(root, [{ entry: makeInvalid(2) }], settings, CHAIN);
  expect(await readFile(path, 'utf8')).toBe('called support');
});

test('5,000 hostile numbers stay inside, each in a file of its own', async () => {
  const root = await makeRoot();
  const numbers = fc.sample(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({
        unit: fc.constantFrom('.', '/', '\\', ':', '\0', '%', 'é', 'e\u0301', '\u202e', '\n', 'A'),
        maxLength: 12,
      }),
      fc.constantFrom('../../etc/passwd', 'CON', 'nul.txt', '.', '..', '', '~', 'COM1', 'a'.repeat(255)),
    ),
    { numRuns: runs(5_000) },
  );
  const names = new Set(numbers.map((number) => receiptName(number)));
  const batch = [...names].map((name, n) => {
    const entry: LedgerEntry = makeEntry(n, { name: `${name}~${n}`, contentSha256: sha256('{}') });
    return { entry, payload: '{}' };
  });
  // Without the disk flushes of a whole night: a tenth is written, the names of all are checked.
  for (const { entry } of batch) expect(entry.name).not.toMatch(/[/\\:\0\n\u202e]/);
  const some = batch.filter((_, n) => n % 10 === 0);
  await writeReceipts(root, some, settings, CHAIN);
  expect(await readdir(root)).toEqual(['outbox']);
  expect((await readdir(join(root, 'outbox', DAY))).length).toBe(2 * some.length);
  onTestFinished(() => rm(root, { recursive: true, force: true }));
});
