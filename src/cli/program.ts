/** The commands, their shared options, and what becomes of an error: one place decides the exit code. */
import { Command, CommanderError } from 'commander';
import { SetupError, showFaultIn, spoken } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { PROGRAM_VERSION } from '../model/program.ts';
import { inLanguage, type Language } from '../model/words.ts';
import { showMarked } from '../model/yaml-file.ts';
import { LedgerUnavailable } from '../pipeline.ts';
import { addBackup, addLedger } from './backup.ts';
import { asCalled } from './called.ts';
import { addCheck } from './check.ts';
import { addConsult } from './consult.ts';
import { addDemo } from './demo.ts';
import { addDiff } from './diff.ts';
import { addDoctor } from './doctor.ts';
import { addErrors } from './errors.ts';
import { exitCodeOfError } from './exit-codes.ts';
import { addExplain } from './explain.ts';
import { addFix } from './fix.ts';
import { addInfer } from './infer.ts';
import { addInit } from './init.ts';
import { addPreview } from './preview.ts';
import { addPurge } from './purge.ts';
import { addReprocess } from './reprocess.ts';
import { addResolve } from './resolve.ts';
import { addResume } from './resume.ts';
import { addRetry } from './retry.ts';
import { addRun } from './run.ts';
import { addSandbox } from './sandbox.ts';
import { addSchedule } from './schedule.ts';
import { addSchema } from './schema.ts';
import { languageOf } from './session.ts';
import { SESSION } from './session-sentences.ts';
import { addShow } from './show.ts';
import { addStatus } from './status.ts';
import { shownSafely } from './terminal.ts';
import { addTest } from './test.ts';
import { addVerify } from './verify.ts';
import { addWatch } from './watch.ts';

/** A one-shot command that still lives this long after its end hangs in the runtime: it is ended by force. */
const WATCHDOG_MS = 10_000;

const EXIT_HELP = `
Exit codes: 0 done, 1 bug, 2 usage or configuration (nothing was sent), 3 documents need people, 4 credentials refused,
5 service unreachable or error limit, 6 another run holds the lock, 130/143 interrupted. See docs/operating.md.`;

export function createProgram(): Command {
  const program = new Command('nightpost')
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
    .configureOutput({ outputError: (text, write) => write(`${shownSafely(usageError(text))}\n`) })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .exitOverride();
  for (const add of [
    addDemo,
    addInit,
    addCheck,
    addTest,
    addInfer,
    addPreview,
    addDiff,
    addExplain,
    addSchema,
    addRun,
    addWatch,
    addStatus,
    addErrors,
    addShow,
    addFix,
    addReprocess,
    addRetry,
    addConsult,
    addResolve,
    addResume,
    addVerify,
    addDoctor,
    addBackup,
    addPurge,
    addLedger,
    addSchedule,
    addSandbox,
  ]) {
    add(program);
  }
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** What was typed may hold line ends; the only one of commander's own stands before its suggestion. */
function usageError(text: string): string {
  return text
    .trimEnd()
    .split(/\n(?=\(Did you mean [^\n]*$)/)
    .map(printable)
    .join('\n');
}

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', endWithReader);
  process.on('uncaughtException', endWithBug);
  await perform(argv);
  setTimeout(() => process.exit(), WATCHDOG_MS).unref();
}

/** One command, to its exit code in process.exitCode; nothing is thrown. */
export async function perform(argv: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.exitCode = report(error, languageOf(program));
  }
}

/** `nightpost status | head` ends the reader first: that is no error of ours. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  throw error;
}

/** What nobody caught: told like any other bug, without the properties that a bare stack would print. */
function endWithBug(error: unknown): void {
  process.exit(report(error));
}

/** The message on its own line, whatever is in it, then where it happened. */
function bugText(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const places = (error.stack ?? '').split('\n').filter((line) => /^ {4}at [^\s]/.test(line));
  return [`${error.name}: ${printable(error.message)}`, ...places].join('\n');
}

function report(error: unknown, language: Language = 'en'): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const say = (text: string) => void process.stderr.write(`${shownSafely(asCalled(text))}\n`);
  if (error instanceof SetupError) {
    for (const fault of spoken(error.faults, language))
      say(fault.mark ? showMarked(fault) : showFaultIn(fault, language));
    const { message, hint } = error.told(language);
    say(`nightpost: ${error.code}: ${printable(message)}`);
    if (hint) say(`  ${printable(hint)}`);
  } else if (error instanceof LedgerUnavailable) {
    say(`nightpost: ${error.code}: ${printable(error.message)}`);
    say(`  ${inLanguage(SESSION.ledgerUnavailable(), language)}`);
  } else {
    say(`nightpost: internal error: ${bugText(error)}`);
  }
  return exitCodeOfError(error);
}
