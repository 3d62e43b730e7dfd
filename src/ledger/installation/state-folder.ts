/** The files of a ledger in `<instance>/state/`, and the witnesses of its commits there and outside. */
import { join } from 'node:path';
import { openExternalWitnesses, witnessPlaces } from './external-witness.ts';
import { type HighWaterMark, openWitness } from './installation-file.ts';
import { removeRoleWitnesses } from './role-witnesses.ts';

export type StateFolder = ReturnType<typeof stateFolder>;

export function stateFolder(instance: string, witnessFolder?: string) {
  const folder = join(instance, 'state');
  const [ledger, lockFile] = [join(folder, 'ledger.sqlite'), join(folder, 'lock.sqlite')];
  return {
    folder,
    ledger,
    lock: lockFile,
    checked: join(folder, 'ledger.checked'),
    witness: join(folder, 'installation.json'),
    ballast: join(folder, 'ballast'),
    outside: witnessPlaces(instance, witnessFolder),
  };
}

/** Marks a durable commit in all witnesses. `replace` discards their former content. */
export function markWitnesses(state: StateFolder, mark: HighWaterMark, replace = false): void {
  if (replace) removeRoleWitnesses(state, mark.installation);
  openWitness(state.witness, mark.installation, mark.generation, { create: replace }).close();
  openExternalWitnesses(state.outside, mark, replace).close();
}

/** For the ledger: from now on a missing witness in this folder forbids sending. */
export function witnessFolderMeta({ outside: { folder = '' } }: StateFolder): { readonly 'witness-folder': string } {
  return { 'witness-folder': folder };
}
