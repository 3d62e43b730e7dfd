/**
 * A fresh instance in a temporary folder with the shipped mappings and both services imitated: what the tests of
 * samples, broken files and the example inbox stand on.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxSettings } from '../../src/authoring/instance-template.ts';
import {
  type Instance,
  loadMappings,
  makeFolders,
  readInstanceWith,
  SETTINGS_FILE,
} from '../../src/instance/instance.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox-server.ts';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

export type Shipped = AsyncDisposable & { readonly instance: Instance; readonly sandbox: Sandbox };

let mappings: ReturnType<typeof loadMappings> | undefined;

/** Compiled once for all instances: they differ in nothing but their folder. */
function shippedMappings(): ReturnType<typeof loadMappings> {
  mappings ??= loadMappings(REPOSITORY);
  return mappings;
}

/** Numbers of remission notes decide about their answers where `scripted` is set, as in the demo. */
export async function openShipped({ scripted = false } = {}): Promise<Shipped> {
  const sandbox = await startSandbox({ scriptedNumbers: scripted });
  const folder = mkdtempSync(join(tmpdir(), 'np-shipped-'));
  const { services, environment } = describeSandbox(sandbox);
  writeFileSync(join(folder, SETTINGS_FILE), sandboxSettings(services, { settle: '1s', giveUpAfter: '5s' }));
  cpSync(join(REPOSITORY, 'mappings'), join(folder, 'mappings'), { recursive: true });
  const instance = readInstanceWith(folder, { variables: environment }, () => shippedMappings());
  if (instance.unusable) throw instance.unusable;
  makeFolders(instance.paths);
  return {
    instance,
    sandbox,
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
