/**
 * How many commits the workers have made under each role, outside of the ledger: `state/installation-<role>.json`, and next to
 * each external witness. Written by the holder of the role after the durable commit and before it sends, so never ahead of the
 * ledger: one that is behind has lost commits, as an asynchronous replica after a fail-over has. None is required to exist.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { WitnessPlaces } from './external-witness.ts';
import { type InstallationFile, openWitness, readWitness } from './installation-file.ts';

/** A role, and how many commits under it were witnessed. */
export type RoleCount = { readonly role: string; readonly generation: number };

/** Roles are named in file names with `-` in place of the space: `send fr` is in `installation-send-fr.json`. */
const inFileName = (role: string) => role.replaceAll(' ', '-');

/** The part of a state folder (state-folder.ts) that names its witnesses. */
type Witnesses = { readonly witness: string; readonly outside: WitnessPlaces };

type WitnessStem = { readonly folder: string; readonly stem: string };

function stemsOf({ witness, outside }: Witnesses, installation: string): readonly WitnessStem[] {
  const stem = (path: string) => ({ folder: dirname(path), stem: basename(path, '.json') });
  const { archived, folder } = outside;
  const others = folder === undefined ? [] : [join(folder, `${installation}.json`)];
  return [witness, archived, ...others].map(stem);
}

/** The highest count that any witness has of each of these roles. */
export function readRoleWitnesses(
  state: Witnesses,
  installation: string,
  roles: readonly string[],
): readonly RoleCount[] {
  return roles.flatMap((role) => {
    const paths = stemsOf(state, installation).map(({ folder, stem }) =>
      join(folder, `${stem}-${inFileName(role)}.json`),
    );
    const counts = paths
      .map((path) => readWitness(path))
      .flatMap((found) => (found?.installation === installation ? [found.generation] : []));
    return counts.length > 0 ? [{ role, generation: Math.max(...counts) }] : [];
  });
}

/** For the counts of another ledger, or of one that a person accepted or restored: what they had is of no more use. */
export function removeRoleWitnesses(state: Witnesses, installation: string): void {
  for (const { folder, stem } of stemsOf(state, installation)) {
    const found = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of found.filter((one) => one.startsWith(`${stem}-`) && one.endsWith('.json'))) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

/** Records counts of the roles that this worker holds; the files are opened at the first one of each. */
export function openRoleWitnesses(state: Witnesses, installation: string) {
  const open = new Map<string, readonly InstallationFile[]>();
  return {
    record: ({ role, generation }: RoleCount) => {
      let files = open.get(role);
      if (!files) {
        files = stemsOf(state, installation).map(({ folder, stem }) => {
          const path = join(folder, `${stem}-${inFileName(role)}.json`);
          return openWitness(path, installation, generation, { create: !existsSync(path) });
        });
        open.set(role, files);
      }
      for (const { recordGeneration } of files) recordGeneration(generation);
    },
    close: () => {
      for (const one of [...open.values()].flat()) one.close();
    },
  };
}
