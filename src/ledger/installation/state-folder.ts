/** The files of a ledger in `<instance>/state/`, and the witnesses of its commits there and outside. */
import { join } from 'node:path';
import { openExternalWitnesses, witnessPlaces } from './external-witness.ts';
import { type HighWaterMark, openWitness } from './installation-file.ts';

export type StateFolder = ReturnType<typeof stateFolder>;

export function stateFolder(instance: string, witnessFolder?: string) {
  const folder = join(instance, 'state');
  const [ledger, lockFile] = [join(folder, 'ledger.sqlite'), join(folder, 'lock.sqlite')];
  return {
    folder,
    ledger,
    lock: lockFile,
    witness: join(folder, 'installation.json'),
    ballast: join(folder, 'ballast'),
    outside: witnessPlaces(instance, witnessFolder),
  };
}

/** For a commit that is durable. With `replace` whatever they said before no longer counts. */
export function markWitnesses(state: StateFolder, seen: HighWaterMark, replace = false): void {
  openWitness(state.witness, seen.installation, seen.generation, { create: replace }).close();
  openExternalWitnesses(state.outside, seen, replace).close();
}

/** For the ledger: from now on the witness in this folder is missed where it is gone. */
export function witnessFolderMeta({ outside: { folder = '' } }: StateFolder): { readonly 'witness-folder': string } {
  return { 'witness-folder': folder };
}
