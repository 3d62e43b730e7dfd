/**
 * The handling of an error at the end of a command: an exception comes in, text on stderr and the exit code come out;
 * with --json also an object on stdout, unless the command has printed data there: a program reads one JSON text.
 */
import type { Command } from 'commander';
import { format, type Language } from '../../i18n/message.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { escapeControls } from '../../text/printable.ts';
import { showMarked } from '../../yaml/yaml-document.ts';
import { asInvoked } from '../session/command-name.ts';
import { languageOf } from '../session/command-session.ts';
import { exitCodeOfError, firstError } from '../session/exit-codes.ts';
import { shownSafely, takePrinted } from '../session/terminal.ts';
import { bugText } from './bug-report.ts';
import { surroundingsOf } from './system-refusals.ts';

/**
 * Prints code, message and hint of an operator's error, with its faults; of any other error the report of a bug.
 * `program` gives the language, English without it. Returns the exit code.
 */
export function report(
  thrown: unknown,
  program?: Command,
  options: { readonly json: boolean } = { json: false },
): number {
  const first = firstError(thrown);
  const error = surroundingsOf(first) ?? first;
  const language = program ? languageOf(program) : 'en';
  const say = (text: string) => void process.stderr.write(`${shownSafely(asInvoked(text))}\n`);
  if (options.json && !takePrinted()) printErrorObject(errorObject(error, language));
  if (error instanceof OperatorError) {
    for (const fault of localize(error.faults, language))
      say(fault.mark ? showMarked(fault) : showFaultIn(fault, language));
    const { message, hint } = error.localized(language);
    say(`nightpost: ${error.code}: ${escapeControls(message)}`);
    if (hint) say(`  ${escapeControls(hint)}`);
  } else if (error instanceof LedgerUnavailable) {
    const { message, hint } = unavailableText(error, language);
    say(`nightpost: ${error.code}: ${escapeControls(message)}`);
    say(`  ${hint}`);
  } else {
    say(`nightpost: internal error: ${bugText(error)}`);
  }
  return exitCodeOfError(error);
}

/** Code and message of what a command throws, for an output with words of its own. */
export function codeAndMessage(
  thrown: unknown,
  language: Language,
): { readonly code: string; readonly message: string } {
  const first = firstError(thrown);
  const { code, message } = errorObject(surroundingsOf(first) ?? first, language);
  return { code, message };
}

function unavailableText({ words }: LedgerUnavailable, language: Language) {
  return { message: format(words.says, language), hint: format(words.hint, language) };
}

/** What --json prints of a failure; `faults` are those of the settings, the mapping or the file. */
type ErrorObject = {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly faults: readonly Fault[];
};

/** `{ "error": ... }` on stdout, without secrets and control characters. */
function printErrorObject(error: ErrorObject): void {
  process.stdout.write(`${shownSafely(JSON.stringify({ error }, null, 2))}\n`);
}

function errorObject(error: unknown, language: Language): ErrorObject {
  if (error instanceof OperatorError) {
    const { message, hint } = error.localized(language);
    return definedOnly({ code: error.code, message, hint, faults: localize(error.faults, language) });
  }
  if (error instanceof LedgerUnavailable) {
    return { code: error.code, ...unavailableText(error, language), faults: [] };
  }
  return { code: 'internal', message: bugText(error), faults: [] };
}
