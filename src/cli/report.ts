/** What becomes of an error: its words on standard error, and the exit code. */
import type { Command } from 'commander';
import { SetupError, showFaultIn, spoken } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { inLanguage } from '../model/words.ts';
import { showMarked } from '../model/yaml-file.ts';
import { LedgerUnavailable } from '../pipeline.ts';
import { bugText } from './bug.ts';
import { asCalled } from './called.ts';
import { exitCodeOfError } from './exit-codes.ts';
import { languageOf } from './session.ts';
import { SESSION } from './session-sentences.ts';
import { surroundingsOf } from './surroundings.ts';
import { shownSafely } from './terminal.ts';

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
