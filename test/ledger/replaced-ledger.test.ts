/** A ledger that takes the place of another one: both are durable under their names before anything else happens. */
import fs, { mkdirSync, writeFileSync } from 'node:fs';
import handles from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteEngine } from '../../src/ledger/engine/sqlite-engine.ts';
import { stateFolder } from '../../src/ledger/installation/state-folder.ts';
import { temporaryFolder } from './folder.ts';

test('the folders of a replaced ledger and of the one that is kept are flushed after their names have changed', async () => {
  const state = stateFolder(temporaryFolder());
  const made = join(state.folder, 'ledger.new');
  mkdirSync(state.folder);
  for (const path of [state.ledger, made]) writeFileSync(path, path);
  const done: string[] = [];
  const real = { rename: fs.renameSync, open: handles.open };
  fs.renameSync = (from, to) => {
    real.rename(from, to);
    done.push(`named ${to}`);
  };
  handles.open = async (path, ...how) => {
    const handle = await real.open(path, ...how);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      done.push(`flushed ${path}`);
    };
    return handle;
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { renameSync: real.rename });
    Object.assign(handles, { open: real.open });
    syncBuiltinESMExports();
  });
  const kept = await sqliteEngine(state).replaceBy(made, new Date('2026-11-20T01:00:00Z'));
  expect(done).toEqual([
    `named ${join(kept!, 'ledger.sqlite')}`,
    `flushed ${kept}`,
    `named ${state.ledger}`,
    `flushed ${state.folder}`,
  ]);
});
