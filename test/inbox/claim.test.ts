import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  access,
  appendFile,
  chmod,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ClaimOutcome, type ClaimStep, claimCandidates } from '../../src/inbox/claim-candidates.ts';
import { INBOX_RULES } from '../../src/inbox/inbox-rules.ts';
import { scanInbox } from '../../src/inbox/scan-inbox.ts';
import { candidate, claimOptions, drop, dropFifo, filesBelow, folderElsewhere, makeFolders, NOW } from './make.ts';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

function fileOf(outcome: ClaimOutcome | undefined) {
  if (outcome?.what !== 'claimed') throw new Error(`not claimed: ${outcome?.what}`);
  return outcome.file;
}

test('what is claimed is a private copy of the same bytes; the dropped file is gone', async () => {
  const { inbox, processing } = await makeFolders();
  await drop(inbox, 'ventes.csv', 'a;b\n1;é\n');
  const [outcome] = await claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing));
  const file = fileOf(outcome);
  expect(file).toMatchObject({
    name: 'ventes.csv',
    run: 'run-1',
    sha256: sha256('a;b\n1;é\n'),
    size: 9,
    modifiedAt: '2026-11-20T21:00:00.000Z',
    faults: [],
  });
  expect(await readFile(file.path, 'utf8')).toBe('a;b\n1;é\n');
  expect(await filesBelow(inbox)).toEqual([]);
  expect(await filesBelow(processing)).toEqual([join('run-1', basename(file.path))]);
});

test('a file of several steps of copying is hashed whole', async () => {
  const { inbox, processing } = await makeFolders();
  const content = Buffer.alloc(2_500_000, 'ventes;');
  await drop(inbox, 'big.csv', content);
  const [outcome] = await claimCandidates([await candidate(inbox, 'big.csv')], claimOptions(processing));
  expect(fileOf(outcome)).toMatchObject({ sha256: sha256(content), size: content.length });
});

test('umask 000: folders 0700, files 0600', async () => {
  const { inbox, processing } = await makeFolders();
  await drop(inbox, 'ventes.csv');
  await chmod(join(inbox, 'ventes.csv'), 0o666);
  const script = `
    process.umask(0);
    const { claimCandidates } = await import(${JSON.stringify(new URL('../../src/inbox/claim-candidates.ts', import.meta.url).href)});
    const options = { processing: ${JSON.stringify(join(processing, 'new'))}, run: 'r', uuid: () => crypto.randomUUID(), maxBytes: 99 };
    const { size, mtimeMs } = await (await import('node:fs/promises')).stat(${JSON.stringify(join(inbox, 'ventes.csv'))});
    const [one] = await claimCandidates([{ folder: ${JSON.stringify(inbox)}, name: Buffer.from('ventes.csv'), size, mtimeMs }], options);
    console.log(one.file.path);
  `;
  const path = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
  const mode = async (at: string) => ((await stat(at)).mode & 0o777).toString(8);
  expect(await mode(path)).toBe('600');
  expect(await mode(join(processing, 'new'))).toBe('700');
  expect(await mode(join(processing, 'new', 'r'))).toBe('700');
});

test('of four claimers exactly one gets each file', async () => {
  const { inbox, processing } = await makeFolders();
  for (let n = 0; n < 300; n++) await drop(inbox, `f${n}.csv`, String(n));
  const { ready } = await scanInbox(inbox, { ...INBOX_RULES, looks: 1 }, NOW, { look: 0, seen: new Map() });
  const runs = ['a', 'b', 'c', 'd'].map((run) => claimCandidates(ready, claimOptions(processing, { run })));
  const outcomes = (await Promise.all(runs)).flat();
  const won = outcomes.filter((one) => one.what === 'claimed').map((one) => fileOf(one).name);
  expect(won.length).toBe(300);
  expect(new Set(won).size).toBe(300);
  expect(outcomes.filter(({ what }) => what === 'gone').length).toBe(900);
  expect((await filesBelow(processing)).length).toBe(300);
});

describe('a writer that is not done', () => {
  test.each(['opened', 'taken', 'copied', 'synced'] as const)('appending after "%s" is seen', async (moment) => {
    const { inbox, processing } = await makeFolders();
    const path = await drop(inbox, 'ventes.csv', 'a;b\n');
    const writer = await open(path, 'a');
    const one = await candidate(inbox, 'ventes.csv');
    const { writeSync } = await import('node:fs');
    const at = (step: string) => void (step === moment && writeSync(writer.fd, '1;2\n'));
    const [outcome] = await claimCandidates([one], claimOptions(processing, { at }));
    await writer.close();
    expect(outcome?.what).toBe('growing');
    expect(await readFile(path, 'utf8')).toBe('a;b\n1;2\n');
    expect(await filesBelow(processing)).toEqual([]);
  });

  test('a change since the look is seen before anything is moved', async () => {
    const { inbox, processing } = await makeFolders();
    const path = await drop(inbox, 'ventes.csv');
    const one = await candidate(inbox, 'ventes.csv');
    await appendFile(path, 'more');
    expect(await claimCandidates([one], claimOptions(processing))).toMatchObject([{ what: 'growing' }]);
    expect(await filesBelow(inbox)).toEqual(['ventes.csv']);
  });

  test('putting back never replaces a file that arrived under the same name', async () => {
    const { inbox, processing } = await makeFolders();
    const path = await drop(inbox, 'ventes.csv', 'first');
    const { appendFileSync, readdirSync, writeFileSync } = await import('node:fs');
    const at = (step: string) => {
      if (step !== 'synced') return;
      const taken = readdirSync(join(processing, 'run-1')).find((name) => name.includes('.taken__'))!;
      appendFileSync(join(processing, 'run-1', taken), ' and more');
      writeFileSync(path, 'second');
    };
    await claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing, { at }));
    const names = await filesBelow(inbox);
    expect(names).toEqual([expect.stringMatching(/^ventes\.again-[0-9a-f]{8}\.csv$/), 'ventes.csv']);
    expect(await readFile(join(inbox, names[0]!), 'utf8')).toBe('first and more');
    expect(await readFile(path, 'utf8')).toBe('second');
  });
});

test.each(['reserved', 'taken', 'copied'] as const)(
  'an export that the disk is full for once it is %s is back whole',
  async (when) => {
    const { inbox, processing } = await makeFolders();
    await drop(inbox, 'ventes.csv', 'a;b\n1;2\n');
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
    const at = (step: ClaimStep) => {
      if (step === when) throw full;
    };
    const [outcome] = await claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing, { at }));
    expect(outcome).toMatchObject({ what: 'held', fault: { code: 'inbox/disk-full' } });
    expect(await readFile(join(inbox, 'ventes.csv'), 'utf8')).toBe('a;b\n1;2\n');
    expect(await filesBelow(processing)).toEqual([]);
  },
);

test('links, pipes and files over the limit that appear after the look are left where they are', async () => {
  const { inbox, processing, root } = await makeFolders();
  const outside = join(root, 'outside');
  await writeFile(outside, 'secret');
  const names = ['link', 'hard', 'pipe', 'big'];
  for (const name of names) await drop(inbox, name, 'x'.repeat(50));
  const candidates = await Promise.all(names.map((name) => candidate(inbox, name)));
  for (const name of ['link', 'hard', 'pipe']) await rm(join(inbox, name));
  await symlink(outside, join(inbox, 'link'));
  await link(outside, join(inbox, 'hard'));
  dropFifo(inbox, 'pipe');
  const outcomes = await claimCandidates(candidates, claimOptions(processing, { maxBytes: 49 }));
  expect(outcomes.map((one) => (one.what === 'held' ? one.fault.code : one.what))).toEqual([
    'inbox/not-a-plain-file',
    'inbox/hard-link',
    'inbox/not-a-plain-file',
    'inbox/too-large',
  ]);
  expect(await filesBelow(inbox)).toEqual(names.sort());
  expect(await filesBelow(processing)).toEqual([]);
});

test('a file in place of the one that was opened is put back', async () => {
  const { inbox, processing } = await makeFolders();
  const path = await drop(inbox, 'ventes.csv', 'one');
  const { renameSync, writeFileSync } = await import('node:fs');
  const at = (step: string) => {
    if (step !== 'opened') return;
    writeFileSync(`${path}.part`, 'two');
    renameSync(`${path}.part`, path);
  };
  expect(await claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing, { at }))).toMatchObject(
    [{ what: 'growing' }],
  );
  expect(await readFile(path, 'utf8')).toBe('two');
});

test('an empty file is claimed with the fault that refuses it', async () => {
  const { inbox, processing } = await makeFolders();
  await drop(inbox, 'empty.csv', '');
  const [outcome] = await claimCandidates([await candidate(inbox, 'empty.csv')], claimOptions(processing));
  expect(fileOf(outcome)).toMatchObject({ size: 0, faults: [{ code: 'inbox/empty-file', level: 'error' }] });
});

test('the marker goes with its file, and only the claimer who has the marker gets the file', async () => {
  const { inbox, processing } = await makeFolders();
  await drop(inbox, 'ventes.csv');
  await drop(inbox, 'ventes.csv.done', '');
  const one = await candidate(inbox, 'ventes.csv', 'ventes.csv.done');
  const outcomes = (
    await Promise.all(['a', 'b', 'c'].map((run) => claimCandidates([one], claimOptions(processing, { run }))))
  ).flat();
  expect(outcomes.map(({ what }) => what).sort()).toEqual(['claimed', 'gone', 'gone']);
  expect(await filesBelow(inbox)).toEqual([]);
  expect((await filesBelow(processing)).length).toBe(1);
});

test('a file that another claimer took is gone, not a fault', async () => {
  const { inbox, processing } = await makeFolders();
  const path = await drop(inbox, 'ventes.csv');
  const one = await candidate(inbox, 'ventes.csv');
  await rename(path, join(inbox, 'other'));
  expect(await claimCandidates([one], claimOptions(processing))).toMatchObject([{ what: 'gone' }]);
});

test('the same UUID twice never replaces a copy', async () => {
  const { inbox, processing } = await makeFolders();
  const uuid = () => '00000000-0000-4000-8000-000000000000';
  await drop(inbox, 'ventes.csv', 'first');
  const [first] = await claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing, { uuid }));
  await drop(inbox, 'ventes.csv', 'second');
  const again = claimCandidates([await candidate(inbox, 'ventes.csv')], claimOptions(processing, { uuid }));
  await expect(again).rejects.toThrow('same UUID');
  expect(await readFile(fileOf(first).path, 'utf8')).toBe('first');
  expect(await readFile(join(inbox, 'ventes.csv'), 'utf8')).toBe('second');
});

test('an inbox on another volume: claimed in place, copied, removed', async (context) => {
  const { processing } = await makeFolders();
  const other = await folderElsewhere(processing);
  if (!other) return context.skip('needs a second volume at /dev/shm or /var/tmp');
  await drop(other, 'ventes.csv', 'far');
  const one = await candidate(other, 'ventes.csv');
  const runs = await Promise.all(['a', 'b'].map((run) => claimCandidates([one], claimOptions(processing, { run }))));
  expect(
    runs
      .flat()
      .map(({ what }) => what)
      .sort(),
  ).toEqual(['claimed', 'gone']);
  expect(await filesBelow(other)).toEqual([]);
  expect((await filesBelow(processing)).length).toBe(1);
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read stays and is reported (not as root)', async () => {
  const { inbox, processing } = await makeFolders();
  const path = await drop(inbox, 'secret.csv');
  await chmod(path, 0);
  expect(await claimCandidates([await candidate(inbox, 'secret.csv')], claimOptions(processing))).toMatchObject([
    { what: 'held', fault: { code: 'inbox/cannot-read' } },
  ]);
  await access(path);
});

describe('errors of the disk or the system', () => {
  const trouble = (code: string) => Object.assign(new Error(code), { code, errno: -1 });

  test.each([
    ['taken', 'ENOSPC', 'inbox/disk-full'],
    ['copied', 'EIO', 'inbox/cannot-take'],
    ['opened', 'EACCES', 'inbox/cannot-read'],
    ['marker', 'EROFS', 'inbox/read-only'],
  ])('after "%s" %s leaves the file and its marker in the inbox', async (moment, code, fault) => {
    const { inbox, processing } = await makeFolders();
    await drop(inbox, 'ventes.csv', 'whole');
    await drop(inbox, 'ventes.csv.done', '');
    const at = (step: string) => {
      if (step === moment) throw trouble(code);
    };
    const one = await candidate(inbox, 'ventes.csv', 'ventes.csv.done');
    expect(await claimCandidates([one], claimOptions(processing, { at }))).toMatchObject([
      { what: 'held', fault: { code: fault } },
    ]);
    expect(await filesBelow(inbox)).toEqual(['ventes.csv', 'ventes.csv.done']);
    expect(await readFile(join(inbox, 'ventes.csv'), 'utf8')).toBe('whole');
    expect(await filesBelow(processing)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'with 40 open files allowed every file is taken all the same (on Linux)',
    async () => {
      const { inbox, processing } = await makeFolders();
      for (let n = 0; n < 200; n++) await drop(inbox, `f${n}.csv`, String(n));
      const source = (name: string) => JSON.stringify(new URL(`../../src/inbox/${name}`, import.meta.url).href);
      const script = `
      const { claimCandidates } = await import(${source('claim-candidates.ts')});
      const { scanInbox } = await import(${source('scan-inbox.ts')});
      const { INBOX_RULES } = await import(${source('inbox-rules.ts')});
      const look = await scanInbox(${JSON.stringify(inbox)}, { ...INBOX_RULES, looks: 1 }, ${NOW}, { look: 0, seen: new Map() });
      const options = { processing: ${JSON.stringify(processing)}, run: 'r', uuid: () => crypto.randomUUID(), maxBytes: 99 };
      const outcomes = await claimCandidates(look.ready, options);
      console.log(outcomes.filter(({ what }) => what === 'claimed').length);
    `;
      const command = `ulimit -n 40 && exec "$0" --input-type=module -e "$1"`;
      expect(execFileSync('sh', ['-c', command, process.execPath, script], { encoding: 'utf8' })).toBe('200\n');
    },
  );
});

test('hostile names stay inside, keep their bytes and replace nothing', async () => {
  const { inbox, processing, root } = await makeFolders();
  const hostile = [
    'a\nb.csv',
    '\u202egpj.csv',
    `${'x'.repeat(251)}.csv`,
    'é'.repeat(127),
    'a..%2F..%2Fetc',
    'CON',
    'nul.csv',
    'a:b',
    'e\u0301.csv',
    '\u00e9.csv',
    ' lead',
    'trail ',
    'a\\..\\b',
    '$(id)',
    "'; drop",
    'x.taken__y',
    '__',
    '%',
    '\u3164',
    Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x63, 0x73, 0x76]),
    Buffer.from([0xe9, 0x74, 0xe9]),
  ];
  for (const name of hostile) await drop(inbox, name, Buffer.from(name as string));
  const { ready } = await scanInbox(inbox, { ...INBOX_RULES, looks: 1 }, NOW, { look: 0, seen: new Map() });
  const outcomes = await claimCandidates(ready, claimOptions(processing));
  expect(outcomes.length).toBe(hostile.length);
  for (const outcome of outcomes) {
    const file = fileOf(outcome);
    expect(await readFile(file.path)).toEqual(outcome.candidate.name);
    expect(basename(file.path)).toMatch(/^[\p{L}\p{N} ._\-()+,=@#&!%]+$/u);
  }
  expect((await readdir(root)).sort()).toEqual(['inbox', 'processing']);
  expect(new Set(outcomes.map((one) => fileOf(one).path)).size).toBe(hostile.length);
});
