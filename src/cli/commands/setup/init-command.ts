/**
 * `init`: asks on a terminal, else takes its options, and makes an instance folder with settings, folders, schemas and
 * ledger; prints the next commands. Only it creates a ledger; with --ledger nothing but that. Throws `init/exists`
 * rather than replace settings, `ledger/network-folder`, `init/wrong-value` and `init/sandbox-services` before anything
 * is written.
 */

import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import {
  type ExpectedExport,
  type InstanceAnswers,
  sandboxSettings,
  settingsTemplate,
} from '../../../authoring/instance-template.ts';
import { withModelines, writeSchemas } from '../../../authoring/write-schemas.ts';
import { countryOf, DOCUMENT_KINDS } from '../../../catalogue.ts';
import { PACKAGE_FOLDER } from '../../../files/package-folder.ts';
import type { Language, Message } from '../../../i18n/message.ts';
import { INIT_COMMAND, INIT_STEP } from '../../../i18n/messages/cli-setup-messages.ts';
import { makeFolders, readInstanceForViewing, SETTINGS_FILE } from '../../../instance/instance.ts';
import { SERVICE_NAMES, type ServiceName } from '../../../model/document.ts';
import { OperatorError } from '../../../model/fault.ts';
import { createLedgerOf, refuseFolderOfNew } from '../../../runs/open-run.ts';
import { describeSandbox } from '../../../sandbox/describe.ts';
import { typedWord } from '../../../text/shell-word.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { type CommandOutput, inLanguage, openOutput, overridesOf } from '../../session/command-session.ts';
import { personLanguage } from '../../session/person-language.ts';
import { canAsk, QuestionStoppedError } from '../../session/questions.ts';
import { SIGNAL_EXITS } from '../../session/stop-signals.ts';
import { dim } from '../../session/terminal.ts';
import {
  answersInOptions,
  faultsOfAnswers,
  type InitOptions,
  type PartialAnswers,
  readAge,
  readCountries,
  readExpectation,
  SANDBOX,
  withDefaults,
} from './init-answers.ts';
import { askForAnswers } from './init-questions.ts';
import { sandboxAtDefaultPorts } from './sandbox-command.ts';

/** mappings/ and inbox.example/ of the package: two levels up from src/cli and from dist/cli. */
const PACKAGE_ROOT = fileURLToPath(PACKAGE_FOLDER);

export const initCommand: CommandModule = {
  run: initInstance,
  values: {
    language: { choices: ['en', 'fr', 'es'] },
    country: { read: readCountries },
    keep: { read: readAge },
    expect: { read: (text: string, before?: readonly ExpectedExport[]) => [...(before ?? []), readExpectation(text)] },
  },
};

/** What `init` has made; the shape of --json. */
type MadeInstance = {
  readonly folder: string;
  readonly environment: string;
  readonly language: Language;
  /** False with --ledger. */
  readonly settingsWritten: boolean;
  /** Commands to type next, in their order. */
  readonly next: readonly string[];
};

/** A new instance has the environment of its settings, whatever the variables of the process say. */
const WITHOUT_ENVIRONMENT = { variables: { ...process.env, NIGHTPOST_ENVIRONMENT: undefined } };

/** Settings come before the ledger: after a stop, `init --ledger` completes the instance. */
async function initInstance(folder: string | undefined, given: InitOptions, command: Command): Promise<void> {
  const output = openOutput(command);
  const { options, terminal } = output;
  const root = resolve(folder ?? options.dir);
  if (given.ledger) refuseNextToLedger(given);
  const answers = given.ledger ? undefined : await answersFor(root, given, output);
  if (answers === 'stopped') return;
  if (answers) writeInstance(root, given, answers);
  const instance = readInstanceForViewing(root, answers ? WITHOUT_ENVIRONMENT : overridesOf(options));
  await createLedgerOf(instance);
  makeFolders(instance.paths);
  await writeSchemas(root);
  const { language } = instance.settings.rules;
  const steps = answers?.environment === SANDBOX ? sandboxSteps(root) : productionSteps(root, answers?.countries);
  const made: MadeInstance = {
    folder: root,
    environment: instance.settings.environment,
    language,
    settingsWritten: answers !== undefined,
    next: steps.map(({ command: next }) => next),
  };
  if (options.json) return terminal.out(JSON.stringify(made, null, 2));
  const { say } = inLanguage(output, language);
  terminal.out(`  ${say(INIT_COMMAND.ready({ folder: root }))}`);
  if (answers?.environment === 'test') terminal.out(`  ${say(INIT_COMMAND.environment())}`);
  for (const [index, { command: next, why }] of steps.entries()) {
    terminal.out(`  ${index + 1}. ${next}\n     ${dim(say(why))}`);
  }
}

/** From the person at the terminal, or from the options alone: with --yes, with --json, and without a terminal. */
async function answersFor(
  root: string,
  given: InitOptions,
  { options, terminal, say }: CommandOutput,
): Promise<InstanceAnswers | 'stopped'> {
  refuseSettings(root);
  refuseFolderOfNew(root);
  const sandbox = given.sandbox === true;
  const known = answersInOptions(given, sandbox ? SANDBOX : (options.env ?? process.env.NIGHTPOST_ENVIRONMENT));
  refuseWithoutEffect(known, known.environment);
  if (sandbox && ![undefined, SANDBOX, SANDBOX_ENVIRONMENT].includes(options.env)) throw sandboxHas('env');
  const language = personLanguage(root);
  const isAsking = canAsk() && !given.yes && !options.json && !sandbox;
  try {
    const answers = isAsking
      ? await askForAnswers(known, { language, terminal })
      : withDefaults(known, given.language ?? language);
    refuseWithoutEffect(known, answers.environment);
    if (answers.environment !== SANDBOX) refuseFaults(answers);
    return answers;
  } catch (error) {
    if (!(error instanceof QuestionStoppedError)) throw error;
    terminal.talk(`  ${say(INIT_COMMAND.stopped())}`);
    process.exitCode = SIGNAL_EXITS.SIGINT;
    return 'stopped';
  }
}

/** --ledger writes no settings: an option that would be one of them is a mistake. */
function refuseNextToLedger({ ledger: _ledger, yes: _yes, ...others }: InitOptions): void {
  const [option] = Object.keys(others);
  if (option === undefined) return;
  const words = { option: option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) };
  throw new OperatorError('init/wrong-value', INIT_COMMAND.ledgerAlone(words), {
    hint: INIT_COMMAND.ledgerAloneHint(),
  });
}

/** Before the first question: nothing is overwritten. */
function refuseSettings(root: string): void {
  const settings = join(root, SETTINGS_FILE);
  if (!existsSync(settings)) return;
  const hint = INIT_COMMAND.nameAnother();
  throw new OperatorError('init/exists', INIT_COMMAND.exists({ path: settings }), { hint });
}

/** What the settings file of the sandbox calls its environment. */
const SANDBOX_ENVIRONMENT = 'default';

/** Options of services that the settings would not have; `environment` may not be known yet. */
function refuseWithoutEffect({ services, countries }: PartialAnswers, environment: string | undefined): void {
  for (const setting of Object.keys(services)) {
    const option = setting.replace('.', '-');
    if (environment === SANDBOX) throw sandboxHas(option);
    if (countries?.every((country) => !setting.startsWith(`${country}.`))) {
      const hint = INIT_COMMAND.otherCountryHint();
      throw new OperatorError('init/wrong-value', INIT_COMMAND.otherCountry({ option }), { hint });
    }
  }
}

function sandboxHas(option: string): OperatorError {
  const hint = INIT_COMMAND.sandboxServicesHint();
  return new OperatorError('init/sandbox-services', INIT_COMMAND.sandboxServices({ setting: option }), { hint });
}

/** Options that make settings with faults: nothing is written. */
function refuseFaults(answers: InstanceAnswers): void {
  const faults = faultsOfAnswers(answers);
  if (faults.length === 0) return;
  const hint = INIT_COMMAND.wrongAnswersHint();
  throw new OperatorError('init/wrong-value', INIT_COMMAND.wrongAnswers({ count: faults.length }), { faults, hint });
}

/** A command and what it is for. */
type Step = { readonly command: string; readonly why: Message };

/** The commands to try the instance with the sandbox. */
function sandboxSteps(root: string): readonly Step[] {
  return [
    { command: 'nightpost sandbox', why: INIT_STEP.sandbox() },
    { command: `nightpost -C ${typedWord(root)} doctor`, why: INIT_STEP.doctor() },
    { command: `nightpost -C ${typedWord(root)} run`, why: INIT_STEP.firstRun() },
  ];
}

/** The three commands to the first connection; an instance that had settings before may have its secrets. */
function productionSteps(root: string, countries: readonly ServiceName[] = []): readonly Step[] {
  const [country] = countries;
  const nameOf = (one: ServiceName) => basename(countryOf(one).setup.secretFile);
  const secret = country === undefined ? 'secret list' : `secret set ${nameOf(country)}`;
  const others = countries.slice(1).map(nameOf);
  const why = others.length === 0 ? INIT_STEP.secret() : INIT_STEP.secrets({ others });
  return [
    { command: `nightpost -C ${typedWord(root)} ${secret}`, why: country === undefined ? INIT_STEP.secretList() : why },
    { command: `nightpost -C ${typedWord(root)} check`, why: INIT_STEP.check() },
    { command: `nightpost -C ${typedWord(root)} doctor`, why: INIT_STEP.doctor() },
  ];
}

/** Files get mode 0600, folders 0700; a file that is there already stays as it is. */
function writeInstance(root: string, { mappings }: InitOptions, answers: InstanceAnswers): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (answers.environment === SANDBOX) writeSandboxSettings(root, sandboxAtDefaultPorts(), answers);
  else {
    const text = withModelines(SETTINGS_FILE, settingsTemplate(answers));
    writeFileSync(join(root, SETTINGS_FILE), text, { mode: 0o600, flag: 'wx' });
  }
  const folder = join(root, 'mappings');
  for (const path of [folder, join(root, 'secrets')]) mkdirSync(path, { recursive: true, mode: 0o700 });
  if (!mappings) return;
  const before = new Set(readdirSync(folder));
  copyMappings(root, answers.countries);
  for (const name of readdirSync(folder).filter((one) => /\.ya?ml$/.test(one) && !before.has(one))) {
    const path = join(folder, name);
    writeFileSync(path, withModelines(`mappings/${name}`, readFileSync(path, 'utf8')));
  }
}

/** Writes settings for the services of a sandbox and their secrets as files; throws EEXIST if there are settings. */
export function writeSandboxSettings(
  root: string,
  sandbox: Parameters<typeof describeSandbox>[0],
  answers: Partial<InstanceAnswers> = {},
): void {
  const { services, environment } = describeSandbox(sandbox);
  const text = sandboxSettings(withSecretFiles(services), { settle: '1s', giveUpAfter: '20s', ...answers });
  writeFileSync(join(root, SETTINGS_FILE), withModelines(SETTINGS_FILE, text), { mode: 0o600, flag: 'wx' });
  mkdirSync(join(root, 'secrets'), { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(environment)) {
    if (!text.includes(name)) continue;
    const path = join(root, 'secrets', name);
    if (!existsSync(path)) writeFileSync(path, value, { mode: 0o600, flag: 'wx' });
  }
}

/** Replaces references to variables, which a sandbox gives, by references to files in secrets/. */
function withSecretFiles<T extends object>(services: T): T {
  const text = JSON.stringify(services).replaceAll(/{"env":"([A-Z_]+)"}/g, '{"file":"secrets/$1"}');
  return JSON.parse(text) as T;
}

/** Copies the mappings of the package into the instance, readable by the owner only; those of other countries would only be judged. */
export function copyMappings(root: string, countries: readonly ServiceName[] = SERVICE_NAMES): void {
  copyPrivately('mappings', join(root, 'mappings'), (path) => {
    const [, target] = (path.endsWith('.yaml') && /^target: ([\w-]+)/m.exec(readFileSync(path, 'utf8'))) || [];
    const kind = DOCUMENT_KINDS.find(({ name }) => name === target);
    return kind === undefined || countries.includes(kind.service);
  });
}

/**
 * Copies a folder of the package, with modes 0700 and 0600: a plain copy keeps the modes, and everyone can read it. What
 * is there already is neither replaced nor changed.
 */
export function copyPrivately(name: string, to: string, takes: (path: string) => boolean = () => true): void {
  const before = new Set(existsSync(to) ? readdirSync(to, { recursive: true, encoding: 'utf8' }) : []);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  cpSync(join(PACKAGE_ROOT, name), to, { recursive: true, force: false, filter: takes });
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!before.has(relative(to, path))) chmodSync(path, entry.isDirectory() ? 0o700 : 0o600);
  }
}
