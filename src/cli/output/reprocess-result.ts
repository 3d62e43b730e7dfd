/**
 * The results of documents that are converted again, in words and as data: before they are recorded (--dry-run) and
 * after.
 */

import type { Becoming, ReadAgain } from '../../decisions/act-result.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { FIX_BULK, REPROCESS_OUTCOME, REPROCESS_PART } from '../../i18n/messages/cli-decisions-messages.ts';
import { ERRORS } from '../../i18n/messages/cli-views-messages.ts';
import { type Fault, isError, localize, showFaultIn } from '../../model/fault.ts';
import { documentName } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type State, stateInfo } from '../../model/state.ts';

/** Faults of one document that are shown; the others are counted. */
const FAULTS = 5;

/**
 * A line for the document and one per fault. `dryRun` words the result as a possibility; with `errorsOnly` warnings are
 * left to `warningLines`.
 */
export function becomingLines(
  one: Becoming,
  dryRun: boolean,
  language: Language,
  { errorsOnly = false } = {},
): readonly string[] {
  const say = (phrase: Message) => format(phrase, language);
  const [head, listed] = became(one, dryRun);
  const faults = errorsOnly && !('fault' in one) ? listed.filter(isError) : listed;
  const more = faults.length - FAULTS;
  const shown = localize(faults.slice(0, FAULTS), language);
  const lines = [`  ${say(head)}`, ...shown.map((fault) => `    ${showFaultIn(fault, language)}`)];
  if (more > 0) lines.push(`    ${say(REPROCESS_OUTCOME.moreFaults({ count: more }))}`);
  return lines;
}

/** The warnings of all documents: one line for those of one code in one column, with the first one and a count. */
export function warningLines(results: readonly (Becoming | ReadAgain)[], language: Language): readonly string[] {
  const warnings = results.flatMap((one) =>
    'fault' in one || 'done' in one ? [] : became(one, true)[1].filter((fault) => !isError(fault)),
  );
  const groups = Map.groupBy(warnings, ({ code, origin, mark }) =>
    [code, origin?.column, mark?.file, mark?.line].join('\n'),
  );
  return [...groups.values()].map(([first, ...others]) => {
    const [fault] = localize([must(first, 'a fault of the group')], language);
    const text = showFaultIn(must(fault, 'the fault in the language'), language);
    return `  ${others.length === 0 ? text : format(ERRORS.moreLikeIt({ fault: text, count: others.length }), language)}`;
  });
}

const FORESEEN = { whole: REPROCESS_OUTCOME.wouldBecome, part: REPROCESS_OUTCOME.wouldBePart };
const RECORDED = { whole: REPROCESS_OUTCOME.became, part: REPROCESS_OUTCOME.isPart };

/** The sentence about the document and the faults to list. Warnings are listed only if the document is valid now. */
function became(one: Becoming, dryRun: boolean): readonly [Message, readonly Fault[]] {
  const number = documentName(one.entry);
  const was = one.entry.state;
  const before = stateInfo(was).inSentence;
  if ('fault' in one) return [REPROCESS_OUTCOME.remains({ number, state: before }), [one.fault]];
  if (one.state === 'unchanged') {
    const why = was === 'rejected' ? REPROCESS_OUTCOME.rejectedBefore() : REPROCESS_OUTCOME.setAsideBefore();
    return [REPROCESS_OUTCOME.remainsBecause({ number, state: before, why }), []];
  }
  const says = dryRun ? FORESEEN : RECORDED;
  const { identifier, faults } = one.outcome;
  if (one.absorbed) {
    const part = { number, state: before, other: identifier || (one.first ?? '') };
    return [says.part(part), []];
  }
  const parts = becomesParts(one);
  if (one.state === 'invalid' && was === 'invalid')
    return [REPROCESS_OUTCOME.stillInvalid({ number, parts }), faults.filter(isError)];
  const head = says.whole({ number, was: REPROCESS_PART.state({ state: before }), parts });
  return [head, one.state === 'invalid' ? faults.filter(isError) : faults];
}

/** The new state with its reason, its number if it changed, and further documents from the same rows. */
function becomesParts({
  entry,
  state,
  first,
  more,
  outcome,
}: Extract<Becoming, { state: unknown }>): readonly Message[] {
  const { identifier, hold } = outcome;
  const word = stateInfo(state as State).inSentence;
  const parts: Message[] = [];
  if (hold !== undefined && state === 'held') parts.push(REPROCESS_PART.held({ state: word, why: hold }));
  else parts.push(REPROCESS_PART.state({ state: word }));
  if (state === 'ready') parts.push(REPROCESS_PART.sent());
  if (identifier !== '' && identifier !== entry.facts.identifier) {
    parts.push(REPROCESS_PART.newNumber({ number: identifier }));
  }
  if (first !== undefined) parts.push(REPROCESS_PART.numberTaken({ first }));
  if (more > 0) parts.push(REPROCESS_PART.moreDocuments({ count: more }));
  return parts;
}

/** As `becomingLines`, after it. */
export function readAgainLines(one: ReadAgain, language: Language, { errorsOnly = false } = {}): readonly string[] {
  if (!('done' in one)) return becomingLines(one, false, language, { errorsOnly });
  return [`  ${format(FIX_BULK.alreadyDone({ number: documentName(one.entry) }), language)}`];
}

/** Whether the result still needs an action of a person: then the exit code is 3. */
export function needsPeople(one: ReadAgain): boolean {
  if ('done' in one) return ['invalid', 'held', 'conflict'].includes(one.entry.state);
  return 'fault' in one || (one.state !== 'ready' && one.state !== 'duplicate');
}
