/** How many commits a role has is witnessed in each place, so that a state folder that went back with its ledger is noticed. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRoleWitnesses, readRoleWitnesses } from '../../../src/ledger/installation/role-witnesses.ts';
import { stateFolder } from '../../../src/ledger/installation/state-folder.ts';
import { temporaryFolder } from '../folder.ts';

test('each place has the count of a role, and the highest one counts', () => {
  const [instance, elsewhere] = [temporaryFolder(), temporaryFolder()];
  for (const name of ['state', 'archive']) mkdirSync(join(instance, name));
  const state = stateFolder(instance, elsewhere);
  const witnesses = openRoleWitnesses(state, 'ours');
  witnesses.record({ role: 'send fr', generation: 7 });
  // The number of a commit on another server, or of one that another worker has made since.
  for (const generation of [7, 6])
    expect(() => witnesses.record({ role: 'send fr', generation })).toThrow('not the first');
  witnesses.close();
  const read = () => readRoleWitnesses(state, 'ours', ['send fr', 'send sv']);
  expect(readRoleWitnesses(state, 'others', ['send fr'])).toEqual([]);
  for (const folder of ['state', 'archive']) {
    rmSync(join(instance, folder), { recursive: true });
    expect(read()).toEqual([{ role: 'send fr', generation: 7 }]);
  }
  rmSync(elsewhere, { recursive: true });
  expect(read()).toEqual([]);
});
