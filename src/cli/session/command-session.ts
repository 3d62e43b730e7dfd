/**
 * What the commands share: global options, the opened instance, output in the right language, signals. A commander
 * command comes in, a session comes out; faults of settings and mappings are thrown as OperatorError.
 */

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
import { localeOf } from '../../instance/locale.ts';
import { type MappingFiles, readMappingFiles } from '../../instance/mapping-files.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { BUILD } from '../../model/program.ts';
import { type Locale, localTime, machineZone } from '../../text/local-time.ts';
import { mappingsWrong } from '../../views/wording/mapping-words.ts';
import { cacheFolder } from './compile-cache-folder.ts';
import { personLanguage } from './person-language.ts';
import { SIGNAL_EXITS, STOP_SIGNALS, type StopSignal } from './stop-signals.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** The options of every command, as commander gives them; `dir` is the instance folder, "." by default. */
export type GlobalOptions = {
  readonly dir: string;
  readonly env?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly full?: boolean;
};

/** The terminal of a command and its language. */
export type CommandOutput = {
  readonly options: GlobalOptions;
  readonly terminal: Terminal;
  /** The language of the settings; without an instance, that of the person. */
  readonly language: Language;
  /** The words of a message in that language. */
  readonly say: (message: Message) => string;
  /** Where and for whom times are written: the zone of the settings, else that of this machine. */
  readonly locale: Locale;
  /** An ISO 8601 instant as day, hour and minute of that place. */
  readonly time: (at: string | number | Date) => string;
};

/** A command at work on an instance. */
export type Session = CommandOutput & { readonly instance: Instance };

/** Output for commands that need no instance; it reads the language from the folder if there are settings. */
export function openOutput(command: Command): CommandOutput {
  const options = command.optsWithGlobals() as GlobalOptions;
  const { quiet = false, json = false, full = false } = options;
  const terminal = openTerminal({ quiet, json, full });
  return inLocale({ options, terminal }, { language: personLanguage(options.dir), zone: machineZone() });
}

/** The same output in another language, such as that of a draft. */
export function inLanguage(output: CommandOutput, language: Language): CommandOutput {
  return inLocale(output, { ...output.locale, language });
}

/** The same output in the language and zone of an instance that has been opened since. */
function inLocale({ options, terminal }: Pick<CommandOutput, 'options' | 'terminal'>, locale: Locale): CommandOutput {
  const { language } = locale;
  const say = (message: Message) => format(message, language);
  return { options, terminal, language, say, locale, time: (at) => localTime(at, locale) };
}

/** `flags`: dotted setting -> value, from options. Throws OperatorError with all faults of settings and mappings. */
export function openSession(command: Command, flags: { readonly [path: string]: unknown } = {}): Session {
  return sessionWith(command, (dir, overrides) => readInstance(dir, { ...overrides, flags }));
}

/** For commands that only read: they print which mappings have errors and continue. Errors of settings are thrown. */
export function openSessionToLook(command: Command, flags: { readonly [path: string]: unknown } = {}): Session {
  return warned(sessionWith(command, (dir, overrides) => readInstanceForViewing(dir, { ...overrides, flags })));
}

/** For `doctor`, which reports who else may change the settings and goes no further then. */
export function openSessionToDiagnose(command: Command): Session {
  return warned(sessionWith(command, (dir, overrides) => readInstanceForViewing(dir, { ...overrides, looks: true })));
}

/** For `status`, which must be fast: mappings that were valid and have not changed are not compiled again. */
export function openSessionForStatus(command: Command) {
  const memory = mappingMemory();
  const session = sessionWith(command, (dir, overrides) =>
    readInstanceWith<MappingFiles>(dir, overrides, (place) => readMappingFiles(place, memory)),
  );
  return warned(session);
}

/** The folder that keeps which mappings were valid; undefined for a program that is not built, or without a folder. */
function mappingMemory() {
  if (BUILD === undefined) return undefined;
  const folder = cacheFolder(process.env);
  return folder === undefined ? undefined : { folder, build: BUILD };
}

function sessionWith<I extends InstanceWith<unknown>>(
  command: Command,
  read: (folder: string, overrides: Overrides) => I,
): CommandOutput & { readonly instance: I } {
  const output = openOutput(command);
  const instance = read(output.options.dir, overridesOf(output.options));
  const { settings } = instance;
  rootOf(command).setOptionValue(LANGUAGE, settings.rules.language);
  return { ...inLocale(output, localeOf(settings)), instance };
}

function warned<S extends CommandOutput & { readonly instance: InstanceWith<unknown> }>(session: S): S {
  const { unusable } = session.instance;
  if (unusable) session.terminal.talk(`  ${session.say(mappingsWrong(unusable.faults))}`);
  return session;
}

type Overrides = ReturnType<typeof overridesOf>;

/** What replaces settings of the file: the variables of the process, and --env. */
export function overridesOf({ env }: GlobalOptions) {
  return definedOnly({ variables: process.env, environment: env });
}

const LANGUAGE = 'language';

/** The language for an error: that of the opened instance, else that of the person. */
export function languageOf(program: Command): Language {
  const opened = program.getOptionValue(LANGUAGE) as Language | undefined;
  return opened ?? personLanguage(program.opts<Partial<GlobalOptions>>().dir);
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/**
 * An orderly end that a signal requests. `release` removes the handlers, so that a later signal ends the process at
 * once.
 */
export type Stopping = Disposable & {
  readonly signal: AbortSignal;
  /** Undefined until a signal is received. */
  readonly received: () => StopSignal | undefined;
  readonly exitCode: () => (typeof SIGNAL_EXITS)[StopSignal] | undefined;
  readonly release: () => void;
};

/**
 * The first signal aborts `signal` and prints `says`; the second ends the process at once, and documents under way
 * become in-doubt.
 */
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
  const release = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  };
  return {
    signal: controller.signal,
    received: () => received,
    exitCode: () => received && SIGNAL_EXITS[received],
    release,
    [Symbol.dispose]: release,
  };
}
