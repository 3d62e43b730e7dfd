/**
 * `verify`: proves that exports, contents, answers, states and receipts still belong together. Reads only. Output: each
 * break as it is found, then counts; exit code 3 if there is one, after a signal that of the signal.
 */

import type { Command } from 'commander';
import { decimalText, format, type Language, type Message } from '../../i18n/message.ts';
import { SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import { VERIFY, VERIFY_COUNT, VERIFY_LABEL } from '../../i18n/messages/cli-maintenance-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { type Head, headText, readHead } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { lookIntoLedgerOf, systemClock } from '../../runs/open-run.ts';
import { greatestOf } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import { type Break, type Proven, verify } from '../../verify/verify-instance.ts';
import { isEmpty } from '../../views/queries/select-documents.ts';
import { type CommandModule, InvalidValueError } from '../session/command-module.ts';
import { openSessionToLook, type Session, stopOnSignals } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';
import { withLiveLine } from '../session/live-work.ts';
import { bold, dim, green, yellow } from '../session/terminal.ts';

type Options = SelectorOptions & { readonly all?: boolean; readonly head?: Head };

/** Breaks that --json lists; all of them are counted. */
const MAX_LISTED = 1000;

export const verifyCommand: CommandModule = {
  run: showVerification,
  values: { head: { read: readHeadOption }, ...SELECTOR_VALUES },
};

/** Without a selection it proves everything, and the whole chain of receipts up to --head. */
async function showVerification(names: string[], given: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance } = session;
  const { language } = instance.settings.rules;
  const selector = selectorOf(names, given, session.locale.zone);
  const isAll = isEmpty(selector);
  if (given.all && !isAll) {
    throw new OperatorError('verify/all-or-some', VERIFY.allOrSome(), { hint: VERIFY.leaveOneOut() });
  }
  await using ledger = await lookIntoLedgerOf(instance);
  const breaks: Break[] = [];
  const startedMs = performance.now();
  using stopping = stopOnSignals(terminal, language, VERIFY.ending());
  const asked = definedOnly({ selector: isAll ? undefined : selector, head: given.head });
  const proven = await withLiveLine(session, LIVE.verifying(), async (step) => {
    const onBreak = (one: Break) => {
      if (breaks.length < MAX_LISTED) breaks.push(one);
      if (!options.json) terminal.out(breakText(one, language));
    };
    const context = { instance, ledger, clock: systemClock };
    return await verify(context, { ...asked, stop: stopping.signal, onBreak, onProgress: step });
  });
  if (!isAll && !proven.stopped && proven.documents === 0) {
    throw new OperatorError('verify/no-such-document', VERIFY.noSuch(), { hint: SELECTION.list() });
  }
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  const head = proven.head ? headText(proven.head) : null;
  if (options.json)
    terminal.out(
      JSON.stringify({ ...proven, head, seconds, found: breaks.map((one) => inWords(one, language)) }, null, 2),
    );
  else if (!options.quiet || proven.breaks > 0) show(session, proven, isAll, seconds);
  const stopped = proven.stopped ? stopping.exitCode() : undefined;
  if (stopped !== undefined) process.exitCode = stopped;
  else if (proven.breaks > 0) process.exitCode = 3;
}

/** N:HASH as `status` prints it; throws InvalidValueError `head`. */
function readHeadOption(text: string): Head {
  const head = readHead(text);
  if (head) return head;
  throw new InvalidValueError('head');
}

/** A break as data, with its sentences in the language of the settings. */
function inWords(one: Break, language: Language) {
  return { ...one, message: format(one.message, language), means: format(one.means, language) };
}

function breakText(one: Break, language: Language): string {
  const { code, message, means, document, path } = inWords(one, language);
  const where = [document, path].filter((part) => part !== undefined).map((part) => escapeControls(part));
  return `${bold(yellow(`  ${where.join('   ')}`))}\n    ${code}  ${escapeControls(message)}\n    ${dim(means)}`;
}

/** Counts of what was proven, one label per line, then the verdict. */
function show({ terminal, instance }: Session, proven: Proven, isAll: boolean, seconds: number): void {
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => format(phrase, language);
  const width = greatestOf(Object.values(VERIFY_LABEL).map((label) => say(label()).length)) + 1;
  const line = (label: keyof typeof VERIFY_LABEL, phrase: Message) =>
    terminal.out(`  ${say(VERIFY_LABEL[label]()).padEnd(width)}${say(phrase)}`);
  const { links, head, files, mappings, documents, contents, answers, hearsay, breaks, stopped } = proven;
  const { purged, givenUp, notSettled, otherChecks, events, eventsAsOfUpgrade: upgraded } = proven;
  const chain = VERIFY_COUNT.links({ count: links });
  line('chain', head ? VERIFY.endsIn({ links: chain, head: headText(head) }) : chain);
  const covered = VERIFY_COUNT.events({ count: events });
  line('events', upgraded > 0 ? VERIFY_COUNT.eventsUpgraded({ events: covered, count: upgraded }) : covered);
  const exports = VERIFY_COUNT.exports({ count: files });
  const versions = VERIFY_COUNT.mappings({ count: mappings });
  line('exports', isAll ? VERIFY.withMappings({ exports, mappings: versions }) : exports);
  line('contents', VERIFY_COUNT.contents({ count: contents }));
  if (otherChecks > 0) line('otherChecks', VERIFY.otherChecks({ count: otherChecks }));
  const judged = VERIFY_COUNT.answers({ count: answers });
  line('answers', hearsay > 0 ? VERIFY.fromReceipts({ answers: judged, count: hearsay }) : judged);
  line('documents', VERIFY.documents({ count: documents, seconds: decimalText(String(seconds)) }));
  if (purged > 0) line('purged', VERIFY.purged({ count: purged }));
  if (givenUp > 0) line('givenUp', VERIFY.givenUp({ count: givenUp }));
  if (notSettled > 0) line('notSettled', VERIFY.notSettled({ count: notSettled }));
  if (stopped) terminal.out(yellow(`  ${say(VERIFY.stopped())}`));
  if (stopped && breaks === 0) return;
  if (breaks === 0) terminal.out(green(`  ${say(VERIFY.consistent())}`));
  else terminal.out(bold(yellow(`  ${say(VERIFY_COUNT.breaks({ count: breaks }))}`)));
}
