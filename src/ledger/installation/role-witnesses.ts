/**
 * How many commits the workers have made under each role, outside of the ledger: `state/installation-<role>.json`, and next to
 * each external witness. Written by the holder of the role after the durable commit and before it sends, so never ahead of the
 * ledger: one that is behind has lost commits, as an asynchronous replica after a fail-over has. None is required to exist. A count that
 * is witnessed already is another commit with the same number: then nothing is written, and the caller sends nothing.
 */
import { existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { networkKind } from '../../files/network-kind.ts';
import { greatestOf } from '../../text/long-lists.ts';
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
    return counts.length > 0 ? [{ role, generation: greatestOf(counts) }] : [];
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

/**
 * Records counts of the roles that this worker holds; the files are opened at the first one of each. On a share, others see a count only
 * after it was flushed. Throws if as many commits were witnessed before.
 */
export function openRoleWitnesses(state: Witnesses, installation: string) {
  const open = new Map<string, readonly InstallationFile[]>();
  const flushEach = isOnShare(dirname(state.witness));
  return {
    record: ({ role, generation }: RoleCount) => {
      const [seen] = readRoleWitnesses(state, installation, [role]);
      if (seen && seen.generation >= generation) {
        throw new Error(`commit ${generation} of "${role}" is not the first one with this number`);
      }
      let files = open.get(role);
      if (!files) {
        files = stemsOf(state, installation).map(({ folder, stem }) => {
          const path = join(folder, `${stem}-${inFileName(role)}.json`);
          return openWitness(path, installation, generation, { create: !existsSync(path), flushEach });
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

function isOnShare(folder: string): boolean {
  return process.platform === 'linux' && networkKind(statfsSync(folder).type) !== undefined;
}
