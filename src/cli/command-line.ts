/** The commands, their shared options, and what becomes of an error. A command is loaded only where it is called. */
import { Command, CommanderError } from 'commander';
import { PROGRAM_VERSION } from '../model/program.ts';
import { escapeControls, stripTerminalControls } from '../text/printable.ts';
import { COMMANDS, type Listed } from './command-table.ts';
import { bugText } from './output/bug-report.ts';

/** A one-shot command that still lives this long after its end hangs in the runtime: it is ended by force. */
const WATCHDOG_MS = 10_000;

const EXIT_HELP = `
Exit codes: 0 done, 1 bug, 2 usage or configuration (nothing was sent), 3 documents need people, 4 credentials refused,
5 service unreachable or error limit, 6 another run holds the lock, 129/130/143 interrupted. See docs/reference/exit-codes.md.`;

/**
 * The program with every command; with `words`, what was typed, only the commands that they name are loaded, and the
 * others stand in the list of the help alone.
 */
export async function createProgram(words?: readonly string[]): Promise<Command> {
  const isCalled = ({ term }: Listed) => words === undefined || words.includes(nameOf(term));
  const loads = new Set(COMMANDS.filter(isCalled).map(({ load }) => load));
  const added = new Map(await Promise.all([...loads].map(async (load) => [load, await load()] as const)));
  const program = emptyProgram();
  for (const { term, load } of COMMANDS) {
    if (program.commands.some((command) => command.name() === nameOf(term))) continue;
    const add = added.get(load) ?? list(term);
    add(program);
  }
  for (const command of program.commands) {
    command.description(COMMANDS.find(({ term }) => nameOf(term) === command.name())!.says).exitOverride();
  }
  return program;
}

function nameOf(term: string): string {
  return term.split(' ', 1)[0]!;
}

/** A line of the help, for a command that was not called: no option of it is known, only that it has some. */
function list(term: string): (program: Command) => void {
  return (program) => {
    const command = program.command(term.replace(' [options]', ''));
    if (term.includes(' [options]')) command.option('--option');
  };
}

function emptyProgram(): Command {
  return new Command('nightpost')
    .description(
      'Turns nightly ERP exports into tax documents, sends each at most once, leaves a receipt for every row.',
    )
    .version(PROGRAM_VERSION)
    .option('-C, --dir <folder>', 'instance folder', '.')
    .option('--env <name>', 'environment of nightpost.yaml to use')
    .option('--json', 'data as JSON on standard output')
    .option('-q, --quiet', 'print nothing on success')
    .addHelpText('after', EXIT_HELP)
    .showHelpAfterError('(see nightpost --help)')
    .configureOutput({ outputError: (text, write) => write(`${stripTerminalControls(usageError(text))}\n`) })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .exitOverride();
}

/** What was typed may hold line ends; the only one of commander's own stands before its suggestion. */
function usageError(text: string): string {
  return text
    .trimEnd()
    .split(/\n(?=\(Did you mean [^\n]*$)/)
    .map(escapeControls)
    .join('\n');
}

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', endWithReader);
  process.on('uncaughtException', endWithBug);
  await runCommandLine(argv);
  setTimeout(() => process.exit(), WATCHDOG_MS).unref();
}

/** Once a command is loaded; before that there is no secret to hide and no place in a file to show. */
let report: typeof import('./output/report-error.ts').report = (error) => {
  process.stderr.write(`nightpost: internal error: ${bugText(error)}\n`);
  return 1;
};

/** One command, to its exit code in process.exitCode; nothing is thrown. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  let program: Command | undefined;
  try {
    const words = argv.slice(2);
    if (words.some((word) => COMMANDS.some(({ term }) => nameOf(term) === word))) {
      ({ report } = await import('./output/report-error.ts'));
    }
    program = await createProgram(words);
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) process.exitCode = report(error, program);
    else process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

/** `nightpost status | head` ends the reader first: that is no error of ours. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  throw error;
}

/** What nobody caught: reported like any other bug, without the properties that a bare stack would print. */
function endWithBug(error: unknown): void {
  process.exit(report(error));
}
