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

export type Session = { readonly options: GlobalOptions; readonly terminal: Terminal; readonly instance: Instance };

export function terminalOf(command: Command): { readonly options: GlobalOptions; readonly terminal: Terminal } {
  const options = command.optsWithGlobals() as GlobalOptions;
  return { options, terminal: openTerminal({ quiet: options.quiet === true, json: options.json === true }) };
}

/** Reads the instance; throws SetupError with everything that is wrong with settings and mappings. */
export function openSession(command: Command, flags: { readonly [path: string]: unknown } = {}): Session {
  const { options, terminal } = terminalOf(command);
  const instance = readInstance(options.dir, overridesOf(options, flags));
  rootOf(command).setOptionValue(LANGUAGE, instance.settings.rules.language);
  return { options, terminal, instance };
}

/** For commands that only look: where the mappings are wrong that is told, and the command goes on. */
export function openSessionToLook(command: Command): Session {
  return lookWith(command, readInstanceForViewing);
}

/** For `status`: mappings that have not changed since they were found without fault are not compiled again. */
export function openSessionInSight(command: Command) {
  const folder = BUILD === undefined ? undefined : cacheFolder(process.env);
  const memory = folder === undefined ? undefined : { folder, build: BUILD! };
  return lookWith(command, (dir, overrides) =>
    readInstanceWith<MappingFiles>(dir, overrides, (root) => readMappingFiles(root, memory)),
  );
}

function lookWith<I extends InstanceWith<unknown>>(
  command: Command,
  read: (folder: string, overrides: ReturnType<typeof overridesOf>) => I,
) {
  const { options, terminal } = terminalOf(command);
  const instance = read(options.dir, overridesOf(options));
  const { unusable, settings } = instance;
  rootOf(command).setOptionValue(LANGUAGE, settings.rules.language);
  if (unusable) terminal.talk(`  ${format(mappingsWrong(unusable.faults), settings.rules.language)}`);
  return { options, terminal, instance };
}

function overridesOf({ env }: GlobalOptions, flags: { readonly [path: string]: unknown } = {}) {
  return definedOnly({ variables: process.env, flags, environment: env });
}

/** Which mapping is wrong where, in one line. */
export function mappingsWrong(faults: readonly Fault[]): Message {
  const [first, ...others] = faults.filter(isError);
  const fault = showMarked(first!).split('\n', 1)[0]!;
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
  readonly received: () => StopSignal | undefined;
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
    release: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    },
  };
}
