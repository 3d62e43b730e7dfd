/** What becomes of an error: its words on standard error, and the exit code. */
import type { Command } from 'commander';
import { inLanguage } from '../../i18n/message.ts';
import { SESSION } from '../../i18n/messages/cli-messages.ts';
import { SetupError, showFaultIn, spoken } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { printable } from '../../text/printable.ts';
import { showMarked } from '../../yaml/yaml-document.ts';
import { asCalled } from '../session/command-name.ts';
import { languageOf } from '../session/command-session.ts';
import { exitCodeOfError } from '../session/exit-codes.ts';
import { shownSafely } from '../session/terminal.ts';
import { bugText } from './bug-report.ts';
import { surroundingsOf } from './system-refusals.ts';

/** Prints the error and gives the exit code. */
export function report(thrown: unknown, program?: Command): number {
  const error = surroundingsOf(thrown) ?? thrown;
  const language = program ? languageOf(program) : 'en';
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
