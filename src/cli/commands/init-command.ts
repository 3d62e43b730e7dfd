/** `init`: makes an instance folder and its ledger. The one place where a ledger is created, and only on request. */

import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { SETTINGS_TEMPLATE, sandboxSettings } from '../../authoring/instance-template.ts';
import { withModelines, writeSchemas } from '../../authoring/write-schemas.ts';
import { PACKAGE_FOLDER } from '../../files/package-folder.ts';
import { makeFolders, readInstanceForViewing, SETTINGS_FILE } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { createLedgerOf } from '../../pipeline/open-run.ts';
import { describeSandbox } from '../../sandbox/describe.ts';
import type { CommandModule } from '../session/command-module.ts';
import { terminalOf } from '../session/command-session.ts';
import { SANDBOX_PORTS, sandboxAt } from './sandbox-command.ts';

/** mappings/ and inbox.example/ of the package: two levels up from src/cli and from dist/cli. */
const PACKAGE_ROOT = fileURLToPath(PACKAGE_FOLDER);

type InitOptions = { readonly sandbox?: boolean; readonly mappings?: boolean; readonly ledger?: boolean };

export const initCommand: CommandModule = { run: initInstance };

async function initInstance(folder: string | undefined, given: InitOptions, command: Command): Promise<void> {
  const { options, terminal } = terminalOf(command);
  const root = resolve(folder ?? options.dir);
  if (!given.ledger) writeInstance(root, given);
  const instance = readInstanceForViewing(
    root,
    definedOnly({
      variables: process.env,
      environment: options.env ? options.env : undefined,
    }),
  );
  makeFolders(instance.paths);
  createLedgerOf(instance);
  await writeSchemas(root);
  terminal.out(`  ${root} is ready.`);
  const steps = given.sandbox
    ? [`nightpost sandbox   (in another terminal)`, `nightpost -C ${root} run`]
    : [
        `fill in ${join(root, SETTINGS_FILE)}: every FILL IN, every address below .invalid`,
        `put the secrets into the files that it names, below ${join(root, 'secrets')}, readable by this user alone`,
        `put mappings into ${join(root, 'mappings')}`,
        `nightpost -C ${root} check`,
        `nightpost -C ${root} doctor   (are the services reached, are the credentials right)`,
        `put an export into ${join(root, 'inbox')}, then: nightpost -C ${root} run`,
      ];
  for (const [index, step] of steps.entries()) terminal.out(`  ${index + 1}. ${step}`);
}

function writeInstance(root: string, { sandbox, mappings }: InitOptions): void {
  const settings = join(root, SETTINGS_FILE);
  if (existsSync(settings)) {
    throw new OperatorError('init/exists', `${settings} exists already; nothing was changed`, {
      hint: 'name another folder, or make only its missing ledger with --ledger if this instance has never sent anything',
    });
  }
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (sandbox) {
    writeSandboxSettings(root, sandboxAt(SANDBOX_PORTS));
  } else writeFileSync(settings, withModelines(SETTINGS_FILE, SETTINGS_TEMPLATE), { mode: 0o600 });
  mkdirSync(join(root, 'mappings'), { recursive: true, mode: 0o700 });
  if (mappings) copyMappings(root);
  for (const name of mappings ? readdirSync(join(root, 'mappings')) : []) {
    const path = join(root, 'mappings', name);
    if (/\.ya?ml$/.test(name)) writeFileSync(path, withModelines(`mappings/${name}`, readFileSync(path, 'utf8')));
  }
}

/** Settings for the services of a sandbox, with their secrets as files beside them; never over settings that exist. */
export function writeSandboxSettings(root: string, sandbox: Parameters<typeof describeSandbox>[0]): void {
  const { services, environment } = describeSandbox(sandbox);
  const text = sandboxSettings(withSecretFiles(services), { settle: '1s', giveUpAfter: '20s' });
  writeFileSync(join(root, SETTINGS_FILE), withModelines(SETTINGS_FILE, text), { mode: 0o600, flag: 'wx' });
  mkdirSync(join(root, 'secrets'), { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(environment)) {
    writeFileSync(join(root, 'secrets', name), value, { mode: 0o600 });
  }
}

/** A sandbox tells its secrets as variables; an instance has them as files. */
function withSecretFiles(services: object): object {
  const text = JSON.stringify(services).replaceAll(/{"env":"([A-Z_]+)"}/g, '{"file":"secrets/$1"}');
  return JSON.parse(text) as object;
}

export function copyMappings(root: string): void {
  copyPrivately('mappings', join(root, 'mappings'));
}

/** A folder of the package; a copy has the rights of what is copied, which everybody may read. */
export function copyPrivately(name: string, to: string): void {
  cpSync(join(PACKAGE_ROOT, name), to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}
