/** What a person says of a ledger beside a run is a commit like any other: a ledger of before it is told from the latest. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase, readMeta } from '../../src/database/open-database.ts';
import { readWitness } from '../../src/ledger/installation/installation-file.ts';
import type { LedgerPlace } from '../../src/ledger/ledger-place.ts';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import { endQuarantine } from '../../src/ledger/replace-ledger.ts';
import { setNextNumber } from '../../src/ledger/sequence-admin.ts';

const DECISIONS: readonly [string, (place: LedgerPlace) => Promise<unknown>][] = [
  [
    'ledger next',
    (place) => setNextNumber(place, { sequence: 'guias', scope: ['S001'], next: 58, by: 'anna', reason: 'the portal' }),
  ],
  ['ledger end-quarantine', (place) => endQuarantine(place, { by: 'anna', reason: 'compared' })],
];

async function withLedger(act: (place: LedgerPlace, file: (name: string) => string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-decided-'));
  const binding = { environment: 'test', services: { fr: 'http://127.0.0.1:1' } };
  const place = { folder, binding, now: () => new Date(), machine: 'one' };
  const file = (name: string) => join(folder, 'state', name);
  try {
    await initLedger(place);
    const db = openDatabase(file('ledger.sqlite'));
    db.prepare(`INSERT INTO meta (key, value) VALUES ('quarantine', '{"at":"","by":"","why":"restored"}')`).run();
    db.close();
    await act(place, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each(DECISIONS)('%s: a ledger of before it is older than it was', async (_, decide) => {
  await withLedger(async (place, file) => {
    const kept = file('kept.sqlite');
    copyFileSync(file('ledger.sqlite'), kept);
    await decide(place);
    await using ledger = await openLedger({ ...place, readOnly: true });
    expect(ledger.guard).toEqual({ send: true });
    const db = openDatabase(file('ledger.sqlite'), { readOnly: true });
    expect(readWitness(file('installation.json'))?.generation).toBe(Number(readMeta(db).get('generation')));
    db.close();
    for (const left of ['-wal', '-shm'])
      if (existsSync(file('ledger.sqlite') + left)) rmSync(file('ledger.sqlite') + left);
    copyFileSync(kept, file('ledger.sqlite'));
    await using older = await openLedger({ ...place, readOnly: true });
    expect(older.guard).toMatchObject({ send: false, code: 'ledger/older' });
  });
});

test.each(DECISIONS)('%s: nothing is said of a ledger that may not send', async (_, decide) => {
  await withLedger(async (place, file) => {
    const witness = readFileSync(file('installation.json'), 'utf8');
    writeFileSync(file('installation.json'), witness.replace('"generation":"0', '"generation":"9'));
    const before = readFileSync(file('installation.json'), 'utf8');
    await expect(decide(place)).rejects.toMatchObject({ code: 'ledger/older' });
    expect(readFileSync(file('installation.json'), 'utf8')).toBe(before);
  });
});
