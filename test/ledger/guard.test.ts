import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { requireSqlite } from '../../src/database/open-database.ts';
import { networkKind } from '../../src/files/network-kind.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { acceptLedger, initLedger, type OpenOptions, openLedger } from '../../src/ledger/open-ledger.ts';
import { admit, all, send } from './acts.ts';
import { BINDING, temporaryFolder } from './folder.ts';
import { answer, clock, valid } from './make.ts';

const PERSON = { by: 'anna', reason: 'moved to the new server', importOutputs: async () => undefined };

async function instance() {
  const place = { folder: join(temporaryFolder(), 'instance'), binding: BINDING, now: clock().now, machine: 'm-1' };
  await initLedger(place);
  await using ledger = await openLedger(place);
  await admit(ledger, [valid()]);
  return { place, file: (name: string) => join(place.folder, 'state', name) };
}

/** Opens, expects no-send mode under this code, and that nothing can be sent or written. */
async function expectNoSend(place: OpenOptions, code: string): Promise<void> {
  await using ledger = await openLedger(place);
  expect(ledger.guard).toMatchObject({ send: false, code });
  expect(await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  expect(await ledger.submissions.nextDue('fr')).toBeUndefined();
  expect(await ledger.submissions.consultDue('fr', Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  await expect(admit(ledger, [valid({ number: 'F-9' })])).rejects.toMatchObject({ code });
  const [entry] = await all(ledger.queries.find({}));
  const due = { ...entry!, identifier: 'F-1', mapping: entry!.file.mapping!, tries: 0 };
  await expect(
    ledger.submissions.begin(due, { requestId: 'r', at: '2026-11-20T22:00:00Z', run: 'r' }),
  ).rejects.toMatchObject({
    code,
  });
}

async function sendable(place: OpenOptions): Promise<number> {
  await using ledger = await openLedger(place);
  expect(ledger.guard).toMatchObject({ send: true });
  return (await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 10)).length;
}

/** The code under which another process fails to open the ledger. */
async function openElsewhere({ folder }: OpenOptions): Promise<string> {
  const module = JSON.stringify(new URL('../../src/ledger/open-ledger.ts', import.meta.url).href);
  const options = `{ folder: ${JSON.stringify(folder)}, binding: ${JSON.stringify(BINDING)}, now: () => new Date() }`;
  const script = `import(${module}).then(({ openLedger }) => openLedger(${options})).catch(({ code }) => console.log(code))`;
  return (await promisify(execFile)(process.execPath, ['-e', script])).stdout.trim();
}

describe('a ledger that is none', () => {
  test('missing, emptied or damaged: it does not open, and nothing is made in its place', async () => {
    const { place, file } = await instance();
    const bytes = readFileSync(file('ledger.sqlite'));
    const damaged = (at: number, length: number) => Buffer.from(bytes).fill(0x5a, at, at + length);

    rmSync(file('ledger.sqlite'));
    await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/missing' });
    expect(existsSync(file('ledger.sqlite'))).toBe(false);
    await expect(initLedger(place)).rejects.toMatchObject({ code: 'ledger/exists' });

    for (const [content, code] of [
      [Buffer.alloc(0), 'ledger/empty'],
      [
        Buffer.from('not a database, only some text that is long enough for a header of a hundred bytes.'.repeat(3)),
        'ledger/damaged',
      ],
      [damaged(0, 16), 'ledger/damaged'],
      [damaged(8192, 4000), 'ledger/damaged'],
      [bytes.subarray(0, 3 * 8192), 'ledger/damaged'],
    ] as const) {
      writeFileSync(file('ledger.sqlite'), content);
      await expect(openLedger(place)).rejects.toMatchObject({ code, hint: expect.stringContaining('backup') });
      expect(readFileSync(file('ledger.sqlite')).equals(content)).toBe(true);
    }
    const other = new DatabaseSync(file('other.sqlite'));
    other.exec('CREATE TABLE t (a)');
    other.close();
    cpSync(file('other.sqlite'), file('ledger.sqlite'));
    await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/damaged' });
  });

  test('an instance without a state folder has no ledger', async () => {
    const place = { folder: join(temporaryFolder(), 'nothing'), binding: BINDING, now: clock().now };
    await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/missing' });
    expect(existsSync(place.folder)).toBe(false);
  });
});

describe('a ledger that may not send', () => {
  test('replaced by a backup of an hour ago, within the same run', async () => {
    const { place, file } = await instance();
    {
      await using ledger = await openLedger(place);
      await ledger.submissions.pause('fr', { cause: 'x', says: 'x', at: 'x' });
      const reader = new DatabaseSync(file('ledger.sqlite'), { readOnly: true });
      reader.exec(`VACUUM INTO '${file('backup.sqlite')}'`);
      reader.close();
      await ledger.submissions.pause('fr', undefined);
    }
    cpSync(file('backup.sqlite'), file('ledger.sqlite'));
    await expectNoSend(place, 'ledger/older');
    const { held } = await acceptLedger({ ...place, ...PERSON, hold: false });
    expect(held).toBe(1);
    expect(await sendable(place)).toBe(0);
    await using ledger = await openLedger(place);
    expect(await ledger.queries.counts()).toEqual({ held: 1 });
    const [entry] = await all(ledger.queries.find({}));
    expect(await ledger.submissions.resolve(entry!.id, { as: 'ready', at: '2026-11-20T22:00:00Z', ...PERSON })).toBe(
      true,
    );
    expect((await ledger.submissions.due('fr', Date.now(), 9)).length).toBe(1);
  });

  test('the whole state folder replaced by one of the same run: the outside witness has later commits', async () => {
    const { place, file } = await instance();
    {
      await using ledger = await openLedger(place);
      await ledger.submissions.pause('fr', { cause: 'x', says: 'x', at: 'x' });
      const reader = new DatabaseSync(file('ledger.sqlite'), { readOnly: true });
      reader.exec(`VACUUM INTO '${file('backup.sqlite')}'`);
      reader.close();
      cpSync(file('installation.json'), file('backup.json'));
      await ledger.submissions.pause('fr', undefined);
    }
    cpSync(file('backup.sqlite'), file('ledger.sqlite'));
    cpSync(file('backup.json'), file('installation.json'));
    await expectNoSend(place, 'ledger/older');
  });

  test('a document that a person set aside is not sent with another export', async () => {
    const { place } = await instance();
    await acceptLedger({ ...place, ...PERSON, hold: true });
    await using ledger = await openLedger(place);
    const [held] = await all(ledger.queries.find({}));
    expect(await ledger.submissions.resolve(held!.id, { as: 'invalid', at: '2026-11-20T22:00:00Z', ...PERSON })).toBe(
      true,
    );
    await admit(ledger, [valid()]);
    expect(await ledger.queries.counts()).toEqual({ invalid: 1, duplicate: 1 });
    expect(await ledger.corrections.planRevisions([{ entry: held!.id, outcome: valid() }])).toMatchObject([
      { state: 'unchanged' },
    ]);
  });

  test('its last commits lost with its log', async () => {
    const { place, file } = await instance();
    cpSync(file('ledger.sqlite'), file('before'));
    expect(await sendable(place)).toBe(1);
    writeFileSync(file('ledger.sqlite'), readFileSync(file('before')));
    await expectNoSend(place, 'ledger/older');
  });

  test('copied to another folder, or restored over itself', async () => {
    const { place, file } = await instance();
    const copy = { ...place, folder: `${place.folder}-copy` };
    cpSync(place.folder, copy.folder, { recursive: true });
    await expectNoSend(copy, 'ledger/copied');
    expect(await sendable(place)).toBe(1);
    cpSync(file('ledger.sqlite'), file('restored'));
    renameSync(file('restored'), file('ledger.sqlite'));
    await expectNoSend(place, 'ledger/copied');
    expect(await acceptLedger({ ...place, ...PERSON, hold: false })).toMatchObject({
      was: { code: 'ledger/copied' },
      held: 1,
      quarantine: true,
    });
    expect(await sendable(place)).toBe(0);
  });

  test('on another machine; but renamed, it is the same', async () => {
    const { place } = await instance();
    await expectNoSend({ ...place, machine: 'm-2' }, 'ledger/copied');
    const renamed = { ...place, folder: `${place.folder}-renamed` };
    renameSync(place.folder, renamed.folder);
    expect(await sendable(renamed)).toBe(1);
    expect((await acceptLedger({ ...renamed, ...PERSON, machine: 'm-2', hold: true })).held).toBe(1);
    expect(await sendable({ ...renamed, machine: 'm-2' })).toBe(0);
  });

  test('of another installation, or without its witness', async () => {
    const [{ place, file }, other] = [await instance(), await instance()];
    const mine = readFileSync(file('installation.json'));
    for (const content of [readFileSync(other.file('installation.json')), Buffer.from('{"installation":'), undefined]) {
      if (content) writeFileSync(file('installation.json'), content);
      else rmSync(file('installation.json'));
      await expectNoSend(place, 'ledger/foreign');
    }
    writeFileSync(file('installation.json'), `${JSON.stringify(JSON.parse(mine.toString()), undefined, 8)}\n\n`);
    expect(await sendable(place)).toBe(1);
    expect(await sendable(place)).toBe(1);
    rmSync(file('installation.json'));
    expect((await acceptLedger({ ...place, ...PERSON, hold: false })).held).toBe(1);
    expect(await sendable(place)).toBe(0);
  });

  test('bound to another address or environment; a new service is no change', async () => {
    const { place } = await instance();
    {
      await using ledger = await openLedger(place);
      await send(ledger, answer(2, 'authorized'));
      await admit(ledger, [valid({ number: 'F-2' })]);
    }
    const services = BINDING.services;
    const bound = (binding: OpenOptions['binding']) => ({ ...place, binding });
    await expectNoSend(bound({ ...BINDING, environment: 'production' }), 'ledger/other-services');
    await expectNoSend(
      bound({ ...BINDING, services: { ...services, fr: 'https://other.example' } }),
      'ledger/other-services',
    );
    expect(await sendable(bound({ ...BINDING, services: { fr: 'https://FR.example/api/' } }))).toBe(1);
    expect(await sendable(bound({ ...BINDING, services: { ...services, gt: 'https://gt.example' } }))).toBe(1);
    const moved = bound({ ...BINDING, services: { ...services, gt: 'https://elsewhere.example' } });
    await expectNoSend(moved, 'ledger/other-services');
    await acceptLedger({ ...moved, ...PERSON, hold: false });
    expect(await sendable(moved)).toBe(1);
    await expectNoSend(
      place.binding === BINDING ? bound({ ...BINDING, services: { gt: 'https://gt.example' } }) : place,
      'ledger/other-services',
    );
  });

  test('before the first submission the addresses may change; what is queued stays with its environment', async () => {
    const binding = { environment: 'test', services: { fr: 'https://fr.example.invalid' } };
    const place = { folder: join(temporaryFolder(), 'instance'), binding, now: clock().now };
    await initLedger(place);
    const moved = { ...place, binding: { ...BINDING, environment: 'production' } };
    expect(await sendable(moved)).toBe(0);
    {
      await using ledger = await openLedger(moved);
      await admit(ledger, [valid()]);
    }
    await expectNoSend({ ...moved, binding: BINDING }, 'ledger/other-services');
    const elsewhere = { ...moved.binding, services: { fr: 'https://elsewhere.example' } };
    expect(await sendable({ ...moved, binding: elsewhere })).toBe(1);
    {
      await using ledger = await openLedger(moved);
      await send(ledger, answer(2, 'authorized'));
      await admit(ledger, [valid({ number: 'F-2' })]);
    }
    await expectNoSend({ ...moved, binding: elsewhere }, 'ledger/other-services');
  });

  test('a ledger that never sent anything takes the addresses of the settings, and says so once', async () => {
    const binding = { environment: 'test', services: { fr: 'https://fr.example' } };
    const place = { folder: join(temporaryFolder(), 'instance'), binding, now: clock().now };
    await initLedger(place);
    const elsewhere = { ...place, binding: { ...binding, services: { fr: 'https://elsewhere.example' } } };
    const rebinds = async (readOnly: boolean) => {
      await using ledger = await openLedger({ ...elsewhere, readOnly });
      return ledger.guard.send && ledger.guard.rebinds?.id;
    };
    // A reader changes nothing, so the next one says so too.
    expect(await rebinds(true)).toBe('send-guard.rebinds');
    expect(await rebinds(true)).toBe('send-guard.rebinds');
    expect(await rebinds(false)).toBe('send-guard.rebinds');
    expect(await rebinds(false)).toBeUndefined();
  });

  test.each(['learned', 'rebuilt'])('a ledger that was replaced (%s) and is empty proves nothing', async (key) => {
    const { place, file } = await instance();
    const db = new DatabaseSync(file('ledger.sqlite'));
    db.exec('DELETE FROM attempt');
    expect(db.prepare('SELECT count(*) AS n FROM entry WHERE submits > 0').get()).toEqual({ n: 0 });
    const elsewhere = { ...place, binding: { ...BINDING, services: { fr: 'https://elsewhere.example' } } };
    db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run(key, '1');
    db.close();
    await expectNoSend(elsewhere, 'ledger/other-services');
    const again = new DatabaseSync(file('ledger.sqlite'));
    again.prepare('DELETE FROM meta WHERE key = ?').run(key);
    again.close();
    expect(await sendable(elsewhere)).toBe(1);
  });

  test('written by a newer version', async () => {
    const { place, file } = await instance();
    const db = new DatabaseSync(file('ledger.sqlite'));
    db.exec(`UPDATE meta SET value = '99' WHERE key = 'schema'`);
    db.close();
    await expectNoSend(place, 'ledger/newer-schema');
    await expect(acceptLedger({ ...place, ...PERSON, hold: false })).rejects.toThrow('newer version');
  });

  test('opened read-only during a run', async () => {
    const { place } = await instance();
    await using running = await openLedger(place);
    await using looking = await openLedger({ ...place, readOnly: true });
    await admit(running, [valid({ number: 'F-2' })]);
    expect(looking.guard).toEqual({ send: true });
    expect(await looking.queries.counts()).toEqual({ ready: 2 });
    await expect(admit(looking, [valid({ number: 'F-3' })])).rejects.toMatchObject({ code: 'ledger/read-only' });
    const [due] = await looking.submissions.due('fr', Date.now(), 1);
    const intent = { requestId: 'r', at: '2026-11-20T22:00:00Z', run: 'r' };
    await expect(looking.submissions.begin(due!, intent)).rejects.toMatchObject({ code: 'ledger/read-only' });
    await using elsewhere = await openLedger({ ...place, readOnly: true, machine: 'm-2' });
    expect(elsewhere.guard).toMatchObject({ code: 'ledger/copied' });
  });
});

describe('the state folder', () => {
  test('one run at a time, also within a process', async () => {
    const { place } = await instance();
    const ledger: Ledger = await openLedger(place);
    await expect(openLedger(place)).rejects.toMatchObject({ code: 'ledger/locked' });
    await expect(acceptLedger({ ...place, ...PERSON, hold: false })).rejects.toThrow(
      expect.objectContaining({ code: 'ledger/locked' }),
    );
    expect(await openElsewhere(place)).toBe('ledger/locked');
    await ledger[Symbol.asyncDispose]();
    await ledger[Symbol.asyncDispose]();
    expect(await sendable(place)).toBe(1);
  });

  test('belongs to its owner alone', async () => {
    const { place, file } = await instance();
    await using _ledger = await openLedger(place);
    expect(statSync(join(place.folder, 'state')).mode & 0o777).toBe(0o700);
    for (const name of ['ledger.sqlite', 'ledger.sqlite-wal', 'lock.sqlite', 'installation.json', 'ballast']) {
      expect([name, statSync(file(name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  test('the reserve is laid again at each start', async () => {
    const { place, file } = await instance();
    truncateSync(file('ballast'), 0);
    rmSync(file('ballast'));
    expect(await sendable(place)).toBe(1);
    expect(statSync(file('ballast')).size).toBe(512 * 1024);
  });

  test('network file systems are known by their type', () => {
    expect([0x6969, 0xff534d42, -11317950, 0x65735546].map(networkKind)).toEqual([
      'NFS',
      'SMB (CIFS)',
      'SMB (CIFS)',
      'FUSE',
    ]);
    expect([0xef53, 0x01021994, 0x58465342, 0x9123683e, 0x794c7630].map(networkKind)).toEqual(Array(5).fill(undefined));
  });

  test.each([
    ['3.51.3', true],
    ['3.53.4', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.45.1', false],
  ])('SQLite %s will do: %s', (version, will) => {
    const check = expect(() => requireSqlite(version));
    if (will) check.not.toThrow();
    else check.toThrow(expect.objectContaining({ code: 'ledger/old-sqlite' }));
  });
});
