/**
 * `init`: makes an instance folder with settings, folders, schemas and ledger, and prints the next steps. It is the
 * only command that creates a ledger; with --ledger it creates nothing but that in an instance. Throws `init/exists`
 * rather than replace settings.
 */

import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { SETTINGS_TEMPLATE, sandboxSettings } from '../../../authoring/instance-template.ts';
import { withModelines, writeSchemas } from '../../../authoring/write-schemas.ts';
import { PACKAGE_FOLDER } from '../../../files/package-folder.ts';
import { type Message, verbatimText } from '../../../i18n/message.ts';
import { INIT_COMMAND, INIT_STEP } from '../../../i18n/messages/cli-setup-messages.ts';
import { makeFolders, readInstanceForViewing, SETTINGS_FILE } from '../../../instance/instance.ts';
import { OperatorError } from '../../../model/fault.ts';
import { createLedgerOf } from '../../../pipeline/open-run.ts';
import { describeSandbox } from '../../../sandbox/describe.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { inLanguage, openOutput, overridesOf } from '../../session/command-session.ts';
import { personLanguage } from '../../session/person-language.ts';
import { SANDBOX_PORTS, sandboxAt } from './sandbox-command.ts';

/** mappings/ and inbox.example/ of the package: two levels up from src/cli and from dist/cli. */
const PACKAGE_ROOT = fileURLToPath(PACKAGE_FOLDER);

type InitOptions = { readonly sandbox?: boolean; readonly mappings?: boolean; readonly ledger?: boolean };

export const initCommand: CommandModule = { run: initInstance };

/** Settings come before the ledger: after a stop, `init --ledger` completes the instance. */
async function initInstance(folder: string | undefined, given: InitOptions, command: Command): Promise<void> {
  const output = openOutput(command);
  const { options, terminal } = output;
  const root = resolve(folder ?? options.dir);
  if (!given.ledger) writeInstance(root, given);
  const instance = readInstanceForViewing(root, overridesOf(options));
  makeFolders(instance.paths);
  createLedgerOf(instance);
  await writeSchemas(root);
  const { say } = inLanguage(output, personLanguage(root));
  terminal.out(`  ${say(INIT_COMMAND.ready({ folder: root }))}`);
  const steps = given.sandbox ? sandboxSteps(root) : productionSteps(root);
  for (const [index, step] of steps.entries()) terminal.out(`  ${index + 1}. ${say(step)}`);
}

/** The commands to try the instance with the sandbox. */
function sandboxSteps(root: string): readonly Message[] {
  return [INIT_STEP.sandbox({ command: 'nightpost sandbox' }), verbatimText(`nightpost -C ${root} run`)];
}

/** The files to fill in and the commands to check them, in their order. */
function productionSteps(root: string): readonly Message[] {
  return [
    INIT_STEP.settings({ path: join(root, SETTINGS_FILE) }),
    INIT_STEP.secrets({ folder: join(root, 'secrets') }),
    INIT_STEP.mappings({ folder: join(root, 'mappings') }),
    verbatimText(`nightpost -C ${root} check`),
    INIT_STEP.doctor({ command: `nightpost -C ${root} doctor` }),
    INIT_STEP.firstRun({ folder: join(root, 'inbox'), command: `nightpost -C ${root} run` }),
  ];
}

/** Throws `init/exists` if there are settings; files get mode 0600, folders 0700. */
function writeInstance(root: string, { sandbox, mappings }: InitOptions): void {
  const settings = join(root, SETTINGS_FILE);
  if (existsSync(settings)) {
    const hint = INIT_COMMAND.nameAnother();
    throw new OperatorError('init/exists', INIT_COMMAND.exists({ path: settings }), { hint });
  }
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (sandbox) writeSandboxSettings(root, sandboxAt(SANDBOX_PORTS));
  else writeFileSync(settings, withModelines(SETTINGS_FILE, SETTINGS_TEMPLATE), { mode: 0o600 });
  const folder = join(root, 'mappings');
  for (const path of [folder, join(root, 'secrets')]) mkdirSync(path, { recursive: true, mode: 0o700 });
  if (!mappings) return;
  copyMappings(root);
  for (const name of readdirSync(folder).filter((one) => /\.ya?ml$/.test(one))) {
    const path = join(folder, name);
    writeFileSync(path, withModelines(`mappings/${name}`, readFileSync(path, 'utf8')));
  }
}

/** Writes settings for the services of a sandbox and their secrets as files; throws EEXIST if there are settings. */
export function writeSandboxSettings(root: string, sandbox: Parameters<typeof describeSandbox>[0]): void {
  const { services, environment } = describeSandbox(sandbox);
  const text = sandboxSettings(withSecretFiles(services), { settle: '1s', giveUpAfter: '20s' });
  writeFileSync(join(root, SETTINGS_FILE), withModelines(SETTINGS_FILE, text), { mode: 0o600, flag: 'wx' });
  mkdirSync(join(root, 'secrets'), { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(environment)) {
    writeFileSync(join(root, 'secrets', name), value, { mode: 0o600 });
  }
}

/** Replaces references to variables, which a sandbox gives, by references to files in secrets/. */
function withSecretFiles(services: object): object {
  const text = JSON.stringify(services).replaceAll(/{"env":"([A-Z_]+)"}/g, '{"file":"secrets/$1"}');
  return JSON.parse(text) as object;
}

/** Copies the mappings of the package into the instance, readable by the owner only. */
export function copyMappings(root: string): void {
  copyPrivately('mappings', join(root, 'mappings'));
}

/** Copies a folder of the package, with modes 0700 and 0600: a plain copy keeps the modes, and everyone can read it. */
export function copyPrivately(name: string, to: string): void {
  cpSync(join(PACKAGE_ROOT, name), to, { recursive: true });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}
