/**
 * The handling of an error at the end of a command: an exception comes in, text on stderr and the exit code come out.
 */
import type { Command } from 'commander';
import { format } from '../../i18n/message.ts';
import { SESSION } from '../../i18n/messages/cli-session-messages.ts';
import { localize, OperatorError, showFaultIn } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { escapeControls } from '../../text/printable.ts';
import { showMarked } from '../../yaml/yaml-document.ts';
import { asInvoked } from '../session/command-name.ts';
import { languageOf } from '../session/command-session.ts';
import { exitCodeOfError } from '../session/exit-codes.ts';
import { shownSafely } from '../session/terminal.ts';
import { bugText } from './bug-report.ts';
import { surroundingsOf } from './system-refusals.ts';

/**
 * Prints code, message and hint of an operator's error, with its faults; of any other error the report of a bug.
 * `program` gives the language, English without it. Returns the exit code.
 */
export function report(thrown: unknown, program?: Command): number {
  const error = surroundingsOf(thrown) ?? thrown;
  const language = program ? languageOf(program) : 'en';
  const say = (text: string) => void process.stderr.write(`${shownSafely(asInvoked(text))}\n`);
  if (error instanceof OperatorError) {
    for (const fault of localize(error.faults, language))
      say(fault.mark ? showMarked(fault) : showFaultIn(fault, language));
    const { message, hint } = error.localized(language);
    say(`nightpost: ${error.code}: ${escapeControls(message)}`);
    if (hint) say(`  ${escapeControls(hint)}`);
  } else if (error instanceof LedgerUnavailable) {
    say(`nightpost: ${error.code}: ${escapeControls(error.message)}`);
    say(`  ${format(SESSION.ledgerUnavailable(), language)}`);
  } else {
    say(`nightpost: internal error: ${bugText(error)}`);
  }
  return exitCodeOfError(error);
}
