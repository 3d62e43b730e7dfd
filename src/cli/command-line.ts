/**
 * The program: its commands from the table, global options, and the handling of errors. Arguments of the process come
 * in; output and process.exitCode come out. Nothing is thrown: every error ends in a message and an exit code.
 */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Language } from '../i18n/message.ts';
import { PROGRAM_VERSION } from '../model/program.ts';
import { stripTerminalControls } from '../text/printable.ts';
import { helpConfiguration } from './command-help.ts';
import { COMMANDS, commandNamed, GLOBAL_OPTIONS } from './command-table.ts';
import { bugText } from './output/bug-report.ts';
import { type CommandEntry, isOption, nameOfItem } from './session/command-entry.ts';
import { type CommandModule, InvalidValueError, type TypedValue } from './session/command-module.ts';
import { commandText } from './session/command-texts.ts';
import { loseOutput, lossOver } from './session/lost-output.ts';
import { personLanguage } from './session/person-language.ts';
import { unreadOption } from './unread-option.ts';
import { usageError } from './usage-errors.ts';

/** Milliseconds. A process that lives longer after its command ended hangs in the runtime, and is ended by force. */
const WATCHDOG_MS = 10_000;

/** The program with every command. `words` are the typed arguments: only the commands that they name are loaded. */
export async function createProgram(words?: readonly string[]): Promise<Command> {
  const isCalled = ({ name, alias = name }: CommandEntry) =>
    words?.some((word) => word === name || word === alias) ?? true;
  const called = COMMANDS.filter(isCalled);
  const modules = new Map(await Promise.all(called.map(async ({ name, load }) => [name, await load()] as const)));
  const program = new Command('nightpost');
  const language = () => personLanguage(program.opts<{ readonly dir?: string }>().dir);
  program
    .version(PROGRAM_VERSION)
    .addHelpText('after', () => `\n${commandText(language(), 'help.exitCodes')}`)
    .configureOutput({
      outputError: (text, write) => {
        const says = stripTerminalControls(usageError(text, language()));
        write(`${says}\n`);
        if (words?.includes('--json')) printUsageObject(says);
      },
    })
    .configureHelp(helpConfiguration(language, (name) => modules.get(name)?.values ?? {}))
    .exitOverride();
  for (const flags of GLOBAL_OPTIONS) program.option(flags, '', flags.startsWith('-C') ? '.' : undefined);
  const explain = ({ text, values }: InvalidValueError) => commandText(language(), `usage.${text}`, values);
  program.hook('preAction', async (_, typed) => {
    const unread = unreadOption(typed);
    if (unread) typed.error(commandText(language(), `usage.${unread.text}`, unread.values));
    const [word = ''] = program.args;
    if (word !== '' && commandNamed(word)?.alias === word) await sayDeprecated(word, language());
  });
  for (const entry of COMMANDS) addCommand(program, entry, { module: modules.get(entry.name), explain });
  return program;
}

/** On stderr: a script that reads what comes out finds the same as before. */
async function sayDeprecated(word: string, language: Language): Promise<void> {
  const { deprecatedWord } = await import('./deprecated-words.ts');
  const found = deprecatedWord('command', word);
  if (found) process.stderr.write(`${commandText(language, 'usage.deprecated', found)}\n`);
}

/** A usage error for programs: the hint to --help is its last line. */
function printUsageObject(says: string): void {
  const lines = says.split('\n');
  const error = { code: 'usage', message: lines.slice(0, -1).join(' '), hint: lines.at(-1), faults: [] };
  process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
}

type Explain = (error: InvalidValueError) => string;

/** Without its module a command has only a name: the list of commands takes the rest from the table. */
function addCommand(
  program: Command,
  { name, alias, takes, acts = [] }: CommandEntry,
  { module, explain }: { readonly module: CommandModule | undefined; readonly explain: Explain },
): void {
  const command = program.command(name);
  if (alias !== undefined) command.alias(alias);
  if (!module) return;
  // Options of acts are in the help of each act.
  addItems(command, takes, { module, explain, isHidden: acts.length > 0 });
  const run = module.run as (...typed: unknown[]) => void | Promise<void>;
  command.action(run);
  for (const act of acts) {
    const own = command.command(act.name);
    addItems(own, act.takes, { module, explain });
    // Options count before and after the act. The words are those that the command itself would take after it.
    own.action((...typed: unknown[]) => {
      const words = typed.slice(0, -2).flat();
      return run(
        act.name,
        words.filter((word) => word !== undefined),
        own.optsWithGlobals(),
        own,
      );
    });
  }
}

function addItems(
  command: Command,
  takes: readonly string[],
  {
    module,
    explain,
    isHidden = false,
  }: { readonly module: CommandModule; readonly explain: Explain; readonly isHidden?: boolean },
): void {
  for (const item of takes) {
    const value = module.values?.[nameOfItem(item)] ?? {};
    if (isOption(item)) command.addOption(optionOf(item, value, explain).hideHelp(isHidden));
    else command.addArgument(argumentOf(item, value, explain));
  }
}

/** An option as commander knows it, with default and reader from the module of the command. */
function optionOf(flags: string, value: TypedValue, explain: Explain): Option {
  const option = new Option(flags).default(value.default).makeOptionMandatory(value.isRequired === true);
  const read = readerOf(value, explain);
  if (read) option.argParser(read);
  return option;
}

function argumentOf(item: string, value: TypedValue, explain: Explain): Argument {
  const read = readerOf(value, explain);
  const argument = new Argument(item);
  if (read) argument.argParser(read);
  return argument;
}

type Reader = (text: string, before: unknown) => unknown;

/** Undefined where any text is taken as it is. */
function readerOf(value: TypedValue, explain: Explain): Reader | undefined {
  const read = (value.read as Reader | undefined) ?? (value.choices && choiceReader(value.choices));
  if (!read) return undefined;
  return (text, before) => {
    try {
      return read(text, before);
    } catch (error) {
      if (error instanceof InvalidValueError) throw new InvalidArgumentError(explain(error));
      throw error;
    }
  };
}

/** Throws InvalidValueError `allowed` with the list of choices. */
function choiceReader(choices: readonly string[]): Reader {
  return (text) => {
    if (choices.includes(text)) return text;
    throw new InvalidValueError('allowed', { choices: choices.join(', ') });
  };
}

/** Runs one command line, with the handlers for a closed pipe and for uncaught errors. `argv` is `process.argv`. */
export async function main(argv: readonly string[]): Promise<void> {
  const reads = argv.slice(2).map(commandNamed).find(Boolean)?.onlyReads === true;
  for (const [path, stream] of Object.entries({ '/dev/stdout': process.stdout, '/dev/stderr': process.stderr })) {
    stream.on('error', (error: NodeJS.ErrnoException) => outliveReader(reads)(Object.assign(error, { path })));
  }
  process.once('exit', reportLostOutput);
  process.on('uncaughtException', endWithBug);
  await runCommandLine(argv);
  setTimeout(() => process.exit(), WATCHDOG_MS).unref();
}

/** The full report is loaded with a command: before that there is no secret to hide and no place in a file to show. */
let report: typeof import('./output/report-error.ts').report = (error) => {
  process.stderr.write(`nightpost: internal error: ${bugText(error)}\n`);
  return 1;
};

/** Runs one command and sets process.exitCode; never throws. A usage error is 2, --help and --version are 0. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  let program: Command | undefined;
  const words = argv.slice(2);
  try {
    if (words.some((word) => commandNamed(word) !== undefined)) {
      ({ report } = await import('./output/report-error.ts'));
    }
    program = await createProgram(words);
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError))
      process.exitCode = report(error, program, { json: words.includes('--json') });
    else process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

/** EIO: the terminal is gone. */
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/**
 * In `nightpost errors | head` the reader ends first: that is no error, and a command that only reads ends. In
 * `nightpost run | head` the work goes on without output, up to the receipts, and its exit code is its result. The work
 * also goes on where output cannot be written, and the loss is reported at the end.
 */
function outliveReader(onlyReads: boolean): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!READER_GONE.has(error.code ?? '')) {
      if (onlyReads) throw error;
      loseOutput(error);
    } else if (onlyReads) process.exit();
  };
}

function reportLostOutput(): void {
  const lost = lossOver(process.exitCode);
  if (lost) process.exitCode = report(lost);
}

/** An uncaught error is reported like any other bug, without the properties that a bare stack would print. */
function endWithBug(error: unknown): void {
  process.exit(report(error));
}
