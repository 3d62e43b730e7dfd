/** What the commands share: their global options, the opened instance, the log, signals. */

import type { Command } from 'commander';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { SESSION } from '../../i18n/messages/cli-session-messages.ts';
import {
  type Instance,
  type InstanceWith,
  readInstance,
  readInstanceForViewing,
  readInstanceWith,
} from '../../instance/instance.ts';
import { type MappingFiles, readMappingFiles } from '../../instance/mapping-files.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, isError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { showMarked } from '../../yaml/yaml-document.ts';
import { BUILD } from './build-name.ts';
import { cacheFolder } from './compile-cache-folder.ts';
import { personLanguage } from './person-language.ts';
import { SIGNAL_EXITS, STOP_SIGNALS, type StopSignal } from './stop-signals.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export type GlobalOptions = {
  readonly dir: string;
  readonly env?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
};

/** Where a command prints, and in which language. */
export type CommandOutput = {
  readonly options: GlobalOptions;
  readonly terminal: Terminal;
  /** Of the settings; without an instance that of the person. */
  readonly language: Language;
  /** The words of a message in that language. */
  readonly say: (message: Message) => string;
};

export type Session = CommandOutput & { readonly instance: Instance };

/** For commands that need no instance. */
export function openOutput(command: Command): CommandOutput {
  const options = command.optsWithGlobals() as GlobalOptions;
  const terminal = openTerminal({ quiet: options.quiet === true, json: options.json === true });
  return inLanguage({ options, terminal }, personLanguage(options.dir));
}

/** The same output in the language of an instance that has been opened meanwhile. */
export function inLanguage(
  { options, terminal }: Pick<CommandOutput, 'options' | 'terminal'>,
  language: Language,
): CommandOutput {
  return { options, terminal, language, say: (message) => format(message, language) };
}

/** Reads the instance; throws OperatorError with everything that is wrong with settings and mappings. */
export function openSession(command: Command, flags: { readonly [path: string]: unknown } = {}): Session {
  return sessionWith(command, (dir, overrides) => readInstance(dir, { ...overrides, flags }));
}

/** For commands that only look: they print which mappings are wrong and continue. */
export function openSessionToLook(command: Command): Session {
  return warned(sessionWith(command, readInstanceForViewing));
}

/** For `status`: mappings that have not changed since they were found without fault are not compiled again. */
export function openSessionForStatus(command: Command) {
  const folder = BUILD === undefined ? undefined : cacheFolder(process.env);
  const memory = BUILD === undefined || folder === undefined ? undefined : { folder, build: BUILD };
  const session = sessionWith(command, (dir, overrides) =>
    readInstanceWith<MappingFiles>(dir, overrides, (root) => readMappingFiles(root, memory)),
  );
  return warned(session);
}

function sessionWith<I extends InstanceWith<unknown>>(
  command: Command,
  read: (folder: string, overrides: Overrides) => I,
): CommandOutput & { readonly instance: I } {
  const output = openOutput(command);
  const instance = read(output.options.dir, overridesOf(output.options));
  const { language } = instance.settings.rules;
  rootOf(command).setOptionValue(LANGUAGE, language);
  return { ...inLanguage(output, language), instance };
}

function warned<S extends CommandOutput & { readonly instance: InstanceWith<unknown> }>(session: S): S {
  const { unusable } = session.instance;
  if (unusable) session.terminal.talk(`  ${session.say(mappingsWrong(unusable.faults))}`);
  return session;
}

type Overrides = ReturnType<typeof overridesOf>;

/** What replaces settings of the file: variables of the environment, and --env. */
export function overridesOf({ env }: GlobalOptions) {
  return definedOnly({ variables: process.env, environment: env });
}

/** Which mapping is wrong where, in one line. */
export function mappingsWrong(faults: readonly Fault[]): Message {
  const [first, ...others] = faults.filter(isError);
  const [fault = ''] = showMarked(must(first, 'the fault of a mapping')).split('\n', 1);
  return others.length === 0
    ? SESSION.mappingInvalid({ fault })
    : SESSION.mappingsInvalid({ fault, more: String(others.length) });
}

const LANGUAGE = 'language';

/** That of the opened instance; where it did not open, that of the person. */
export function languageOf(program: Command): Language {
  const opened = program.getOptionValue(LANGUAGE) as Language | undefined;
  return opened ?? personLanguage(program.opts<Partial<GlobalOptions>>().dir);
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

export type Stopping = {
  readonly signal: AbortSignal;
  /** Undefined until a signal is received. */
  readonly received: () => StopSignal | undefined;
  readonly exitCode: () => (typeof SIGNAL_EXITS)[StopSignal] | undefined;
  readonly release: () => void;
};

/** The first signal asks for an orderly end; the second ends at once (what is under way becomes in-doubt). */
export function stopOnSignals(terminal: Terminal, language: Language, says: Message = SESSION.ending()): Stopping {
  const controller = new AbortController();
  let received: StopSignal | undefined;
  const onSignal = (signal: StopSignal) => {
    if (received) process.exit(SIGNAL_EXITS[signal]);
    received = signal;
    terminal.talk(format(says, language));
    controller.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    received: () => received,
    exitCode: () => received && SIGNAL_EXITS[received],
    release: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    },
  };
}
