/** The lines of `doctor` about machine, disk, folders and ledger, with the thing broken that each is about: real files, a real ledger. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  backupChecks,
  checkWritableFolders,
  diskChecks,
  inboxChecks,
  leftoverChecks,
  permissionChecks,
  secretChecks,
} from '../../src/doctor/doctor-folders.ts';
import { ledgerChecks } from '../../src/doctor/doctor-ledger.ts';
import { clockChecks, environmentChecks, versionChecks } from '../../src/doctor/doctor-machine.ts';
import { type DoctorCheck, localizeCheck } from '../../src/doctor/run-doctor.ts';
import type { Language } from '../../src/i18n/message.ts';
import { openScene, sales } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

const results = (checks: readonly DoctorCheck[]) => checks.map(({ what, result }) => `${result} ${what}`);
const bad = (checks: readonly DoctorCheck[]) => checks.filter(({ result }) => result !== 'ok');

describe('the machine', () => {
  test.each([
    ['24.22.1', '3.51.3', []],
    ['24.30.0', '3.60.0', []],
    ['26.12.1', '3.53.4', []],
    ['24.22.0', '3.53.4', ['warning node']],
    ['24.15.0', '3.53.4', ['warning node']],
    ['26.10.0', '3.53.4', ['warning node']],
    ['25.9.0', '3.53.4', ['warning node']],
    ['24.22.1', '3.51.2', ['error sqlite']],
    ['24.22.1', '3.9.0', ['error sqlite']],
  ])('Node %s with SQLite %s', (node, sqlite, expected) => {
    expect(results(bad(versionChecks({ node, sqlite })))).toEqual(expected);
  });

  test.each<[object, boolean, string]>([
    [{}, false, ''],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, false, 'error environment'],
    [{ NODE_OPTIONS: '--max-old-space-size=500' }, false, ''],
    [{ NODE_OPTIONS: '--inspect=0.0.0.0' }, false, 'warning environment'],
    [{ NODE_OPTIONS: '--tls-min-v1.0' }, false, 'warning environment'],
    [{ https_proxy: 'http://proxy.example:3128' }, false, 'warning environment'],
    [{ HTTPS_PROXY: 'http://proxy.example:3128' }, true, ''],
    [{ NIGHTPOST_COMPANY: 'x' }, false, 'warning environment'],
    [{ NIGHTPOST_SERVICES_FR_REALM: 'x' }, false, 'warning environment'],
    [{ NIGHTPOST_ENVIRONMENT: 'prod', NIGHTPOST_RULES__LANGUAGE: 'fr', NIGHTPOST_KEY: 'x' }, false, ''],
  ])('environment %j, proxy in the settings: %j', (variables, proxied, expected) => {
    expect(
      results(
        bad(
          environmentChecks(
            { ...variables },
            { proxied, settings: { services: [{ secret: { env: 'NIGHTPOST_KEY' } }] } },
          ),
        ),
      ).join(),
    ).toBe(expected);
  });

  test.each<[Language, string, string]>([
    ['en', 'HTTP_PROXY is set, but not used', 'HTTP_PROXY, HTTPS_PROXY are set, but not used'],
    ['fr', 'HTTP_PROXY est définie, mais', 'HTTP_PROXY, HTTPS_PROXY sont définies, mais'],
    ['es', 'HTTP_PROXY está definida, pero', 'HTTP_PROXY, HTTPS_PROXY están definidas, pero'],
  ])('one variable and two, in words (%s)', (language, one, two) => {
    const saysOf = (variables: { readonly [name: string]: string }) => {
      const [check] = environmentChecks(variables, { proxied: false, settings: {} });
      return localizeCheck(check!, language).says;
    };
    expect(saysOf({ HTTP_PROXY: 'x' })).toContain(one);
    expect(saysOf({ HTTP_PROXY: 'x', HTTPS_PROXY: 'x' })).toContain(two);
  });

  test('a clock before what was recorded, and one that was never set', () => {
    const now = new Date('2026-11-20T22:00:00Z');
    expect(results(clockChecks(now, 'UTC', '2026-11-20T21:59:00Z'))).toEqual(['ok clock']);
    expect(results(clockChecks(now, 'UTC', '2026-11-20T22:00:30Z'))).toEqual(['ok clock']);
    expect(results(clockChecks(now, 'UTC', '2026-11-20T23:00:00Z'))).toEqual(['error clock']);
    expect(results(clockChecks(new Date('1970-01-01T00:01:00Z'), 'UTC', undefined))).toEqual(['error clock']);
  });
});

describe('the disk', async () => {
  const scene = await openScene();
  const instance = scene.instance();
  const GIB = 1024 ** 3;
  const LOCAL = { type: 0xef53, bavail: (9 * GIB) / 4096, bsize: 4096, files: 1e6, ffree: 1e6 };

  test.each<[string, object, object, string[]]>([
    ['a local one with room', {}, {}, []],
    ['a ledger on NFS', { type: 0x6969 }, {}, ['error file system']],
    ['a ledger on FUSE', { type: 0x65735546 }, {}, ['error file system']],
    ['a layer of a container', { type: 0x794c7630 }, {}, ['warning file system']],
    ['an inbox on SMB without polling', {}, { type: 0xff534d42 }, ['warning inbox volume']],
    ['200 MiB left', { bavail: (200 * 1024 ** 2) / 4096 }, {}, ['warning disk']],
    ['10 MiB left', { bavail: (10 * 1024 ** 2) / 4096 }, {}, ['error disk']],
    ['5,000 inodes left', { ffree: 5000 }, {}, ['warning inodes']],
    ['no inodes left', { ffree: 0 }, {}, ['error inodes']],
    ['a file system that counts no inodes', { files: 0, ffree: 0 }, {}, []],
  ])('%s', (_, state, inbox, expected) => {
    const statfs = (path: string) => ({ ...LOCAL, ...(path === instance.paths.inbox ? inbox : state) });
    expect(results(bad(diskChecks(instance, statfs)))).toEqual(expected);
  });

  test.runIf(existsSync('/dev/shm') && process.platform === 'linux')('one that a restart empties', async () => {
    await using fleeting = await openScene({ within: '/dev/shm' });
    const found = () => diskChecks(fleeting.instance()).filter(({ what }) => String(what) === 'file system');
    expect(results(found())).toEqual(['warning file system']);
    expect(String(found()[0]?.says)).toContain('tmpfs');
  });

  test('the real one', async () => {
    expect(results(bad(diskChecks(instance)).filter(({ result }) => result === 'error'))).toEqual([]);
    await scene[Symbol.asyncDispose]();
  });
});

describe.skipIf(process.platform === 'win32')('the folders (not on Windows)', () => {
  test('rights of others', async () => {
    await using scene = await openScene();
    const instance = scene.instance();
    const { paths } = instance;
    const found = () => results(bad(permissionChecks(instance)));
    chmodSync(join(scene.root, 'nightpost.yaml'), 0o644);
    expect(found()).toEqual([]);
    chmodSync(paths.outbox, 0o755);
    expect(found()).toEqual(['warning permissions']);
    chmodSync(paths.outbox, 0o700);
    for (const [path, mode, result] of [
      [join(scene.root, 'nightpost.yaml'), 0o646, 'error permissions'],
      [join(scene.root, 'mappings'), 0o707, 'error permissions'],
      [join(scene.root, 'mappings/sales.yaml'), 0o602, 'error permissions'],
      [paths.inbox, 0o733, 'warning permissions'],
    ] as const) {
      chmodSync(path, mode);
      expect(found(), path).toEqual([result]);
      chmodSync(path, 0o700);
    }
  });

  test('secrets: absent, open to all, open to a group, empty', async () => {
    await using scene = await openScene({ services: { fr: { 'client-secret': { file: 'key' } } } });
    const key = join(scene.root, 'key');
    const found = async () => bad(await secretChecks(scene.instance()));
    expect(await found()).toMatchObject([{ result: 'error', says: expect.stringContaining('secret/no-such-file') }]);
    writeFileSync(key, 'hush-hush-hush', { mode: 0o644 });
    expect(await found()).toMatchObject([
      { result: 'error', says: expect.stringContaining('secret/readable-by-others') },
      { result: 'warning', says: expect.stringContaining('{ file: key }') },
    ]);
    chmodSync(key, 0o640);
    expect(await found()).toMatchObject([{ result: 'warning', says: expect.stringContaining('group') }]);
    chmodSync(key, 0o600);
    expect(await found()).toEqual([]);
    writeFileSync(key, 'hush');
    expect(await found()).toMatchObject([{ result: 'warning', says: expect.stringContaining('fewer than 8') }]);
    writeFileSync(key, '');
    expect(await found()).toMatchObject([{ says: expect.stringContaining('secret/empty') }]);
  });

  test('a folder where nothing can be written', async () => {
    await using scene = await openScene();
    const instance = scene.instance();
    expect(results(bad(checkWritableFolders(instance)).filter(({ result }) => result === 'error'))).toEqual([]);
    rmSync(instance.paths.reports, { recursive: true });
    writeFileSync(instance.paths.reports, 'a file in the place of a folder');
    expect(checkWritableFolders(instance)).toMatchObject([
      { result: 'error', says: 'cannot write into reports/ (ENOTDIR)' },
    ]);
    expect(scene.files('.').filter((path) => path.includes('doctor'))).toEqual([]);
  });

  test.skipIf(process.geteuid?.() !== 0)(
    'files that this account cannot read or take (skipped unless root)',
    async () => {
      await using scene = await openScene();
      const instance = scene.instance();
      scene.drop('theirs.csv', sales(['F1']));
      const as = <T>(act: () => T): T => {
        process.seteuid!(65534);
        try {
          return act();
        } finally {
          process.seteuid!(0);
        }
      };
      expect(results(inboxChecks(instance))).toEqual(['ok inbox']);
      chmodSync(scene.root, 0o755);
      chmodSync(instance.paths.inbox, 0o777);
      chmodSync(join(instance.paths.inbox, 'theirs.csv'), 0o600);
      expect(as(() => inboxChecks(instance))).toMatchObject([
        { result: 'error', says: '1 of 1 files cannot be read: theirs.csv' },
      ]);
      chmodSync(join(instance.paths.inbox, 'theirs.csv'), 0o644);
      expect(as(() => results(inboxChecks(instance)))).toEqual(['ok inbox']);
      chmodSync(instance.paths.inbox, 0o1777);
      expect(as(() => inboxChecks(instance))).toMatchObject([{ says: expect.stringContaining('sticky') }]);
      expect(as(() => checkWritableFolders(instance))).toMatchObject([
        { result: 'error', says: expect.stringContaining('EACCES') },
      ]);
    },
  );

  test('what a stop left', async () => {
    await using scene = await openScene();
    const instance = scene.instance();
    expect(results(await leftoverChecks(instance))).toEqual(['ok left-overs']);
    mkdirSync(join(instance.paths.processing, 'run-1'));
    writeFileSync(join(instance.paths.processing, 'run-1', 'x'), '');
    expect(results(await leftoverChecks(instance))).toEqual(['warning left-overs']);
    rmSync(join(instance.paths.processing, 'run-1'), { recursive: true });
    mkdirSync(join(scene.root, 'backups'));
    const copy = join(scene.root, 'backups', 'ledger-20261121T013000Z.sqlite.0123abcd.tmp-np');
    writeFileSync(copy, '');
    expect(results(await leftoverChecks(instance))).toEqual(['ok left-overs']);
    utimesSync(copy, 0, 0);
    expect(results(await leftoverChecks(instance))).toEqual(['warning left-overs']);
  });
});

test('a backup that is missing, old, or as young as the ledger', async () => {
  await using scene = await openScene();
  const folder = join(scene.root, 'backups');
  const now = new Date('2026-11-20T22:00:00Z');
  const look = (lastAt?: string) => results(backupChecks(scene.instance(), lastAt, now)).join();
  expect(look()).toBe('ok backup');
  expect(look('2026-11-20T01:15:00Z')).toBe('warning backup');
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.txt'), '');
  expect(look('2026-11-20T01:15:00Z')).toBe('warning backup');
  writeFileSync(join(folder, 'ledger-20261115T020000Z.sqlite'), '');
  expect(look('2026-11-20T01:15:00Z')).toBe('warning backup');
  expect(look('2026-11-15T01:15:00Z')).toBe('ok backup');
  // Of a clock that was ahead.
  writeFileSync(join(folder, 'ledger-20270115T020000Z.sqlite'), '');
  expect(look('2026-11-20T01:15:00Z')).toBe('warning backup');
  writeFileSync(join(folder, 'ledger-20261120T020000Z.sqlite'), '');
  expect(look('2026-11-20T21:00:00Z')).toBe('ok backup');
});

describe('the ledger', () => {
  test('no witness elsewhere: doctor warns, status says so', async () => {
    await using scene = await openScene();
    const { checks } = await ledgerChecks(scene.instance(), { deep: false });
    expect(bad(checks)).toMatchObject([{ what: 'ledger, witness elsewhere', result: 'warning' }]);
    expect(JSON.parse((await commandIn(scene, '--json', 'status')).out)).toMatchObject({ witnessFolder: null });
    expect((await commandIn(scene, 'status')).out).toContain('ledger.witness-folder');
  });

  test('finds a run at work, a damaged page that no query reads, and a clock set back', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'nightpost-elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    await using scene = await openScene({ settings: { ledger: { 'witness-folder': elsewhere } } });
    scene.drop('ventes.csv', sales(['F1']));
    await scene.night();
    const look = async () => (await ledgerChecks(scene.instance(), { deep: true })).checks;
    expect(bad(await look())).toEqual([]);
    const { child, ended } = startIn(scene, 'watch');
    await new Promise((resolve) => child.stderr!.once('data', resolve));
    expect((await look()).at(-1)?.says).toBe('one is at work now');
    child.kill('SIGTERM');
    await ended;
    expect((await look()).at(-1)?.says).toBe('none is at work');
    const db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
    db.exec(`PRAGMA foreign_keys = OFF; UPDATE attempt SET entry = 'nowhere'`);
    db.exec(`UPDATE event SET at = '2099-01-01T00:00:00.000Z'`);
    db.close();
    expect(bad(await look())).toMatchObject([{ what: 'ledger, every page', result: 'error' }]);
    const { out } = await commandIn(scene, '--json', 'doctor', '--offline');
    expect(bad(JSON.parse(out))).toContainEqual(
      expect.objectContaining({ what: 'clock', result: 'error', says: expect.stringContaining('2099') }),
    );
  });

  test('one that is damaged, and one that is lost', async () => {
    await using scene = await openScene();
    const look = async () => results((await ledgerChecks(scene.instance(), { deep: false })).checks);
    writeFileSync(join(scene.root, 'state/ledger.sqlite'), Buffer.alloc(8192, 7));
    expect(await look()).toEqual(['error ledger']);
    rmSync(join(scene.root, 'state/ledger.sqlite'));
    expect(await look()).toEqual(['error ledger']);
  });
});

test('-q prints only problems; the exit code is 0 for warnings alone', async () => {
  await using scene = await openScene();
  chmodSync(scene.instance().paths.outbox, 0o755);
  const { code, out } = await commandIn(scene, '-q', 'doctor');
  expect(code).toBe(0);
  expect(out).toContain('outbox/');
  expect(out).not.toMatch(/^ +ok /m);
});
