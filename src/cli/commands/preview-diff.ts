/**
 * `preview FILE --format diff`: what the current mapping would change, compared with the ledger or with another
 * mapping. Nothing is recorded. Differences are printed one by one, equal documents only counted.
 */
import { resolve } from 'node:path';
import { format, type Language, type Message } from '../../i18n/message.ts';
import {
  LEDGER_DIFF,
  LEDGER_DIFFERENCE,
  LEDGER_DIFFERENCE_COUNT,
  PREVIEW,
} from '../../i18n/messages/cli-previews-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { localize, showFaultIn } from '../../model/fault.ts';
import { stateInfo } from '../../model/state.ts';
import { lookIntoLedgerOf } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { diffWithLedger, type LedgerDifference } from '../../views/preview/diff-ledger.ts';
import { rowsInWords } from '../output/counted-words.ts';
import { changeText } from '../output/document-fields.ts';
import { openJsonList } from '../output/json-list.ts';
import type { Session } from '../session/command-session.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { bold } from '../session/terminal.ts';
import { showMappingDiff } from './diff-command.ts';

/** Resolves to the exit code: 3 if the mapping would now refuse a document that the ledger has, else 0. */
export async function differences(
  session: Session,
  path: string,
  given: { readonly doc?: string; readonly against?: string },
): Promise<number> {
  const { options, terminal, instance } = session;
  const { language } = instance.settings.rules;
  if (given.against !== undefined) {
    return await showMappingDiff(session, { old: given.against, paths: [resolve(path)], ...given });
  }
  await using ledger = await lookIntoLedgerOf(instance);
  const counts = new Map<LedgerDifference['what'], number>();
  using list = openJsonList(terminal);
  for await (const difference of diffWithLedger({ instance, ledger }, path, new Date(), given.doc)) {
    counts.set(difference.what, (counts.get(difference.what) ?? 0) + 1);
    if (options.json) list.add(difference);
    else if (difference.what !== 'same') terminal.out(shown(difference, language));
  }
  if (options.json) list.close();
  const counted = [...counts].map(([what, count]) => LEDGER_DIFFERENCE_COUNT[what]({ count }));
  const summary = counted.length > 0 ? LEDGER_DIFF.summary({ counts: counted }) : LEDGER_DIFF.none();
  terminal.talk(format(summary, language));
  return exitCodeIf(counts.has('now-refused'), 3);
}

/** The head of a document with its recorded state, then its changed fields and its faults. */
function shown(difference: LedgerDifference, language: Language): string {
  const { what, identifier, class: documentClass, rows, recorded, changes, faults } = difference;
  const say = (phrase: Message) => format(phrase, language);
  const then =
    recorded &&
    LEDGER_DIFF.recorded({
      state: stateInfo(recorded.state).words,
      mapping: recorded.mapping ?? LEDGER_DIFF.noMapping(),
    });
  const number = escapeControls(identifier) || say(PREVIEW.noNumber());
  const parts = definedItems([
    number,
    documentClass,
    say(rowsInWords(rows)),
    say(LEDGER_DIFFERENCE[what]()),
    then && say(then),
  ]);
  return [
    bold(`  ${parts.join('   ')}`),
    ...changes.map((change) => changeText(change, language)),
    ...localize(faults, language).map((fault) => `    ${showFaultIn(fault, language)}`),
  ].join('\n');
}
