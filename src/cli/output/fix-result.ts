/**
 * Many corrected documents in a table and in data: cells before and after, and whether the checks pass then. A plan and its
 * results come in; lines or the object of --json come out.
 */

import type { ReadAgain } from '../../decisions/act-result.ts';
import type { ProposedAct } from '../../decisions/propose-act.ts';
import { readAgainObject } from '../../decisions/read-again-object.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { FIX_BULK } from '../../i18n/messages/cli-decisions-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { isError } from '../../model/fault.ts';
import { type Correction, documentName } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type State, stateInfo } from '../../model/state.ts';
import type { ReprocessResult } from '../../pipeline/reprocessing/reread-result.ts';
import { appendAll } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import type { MappingProposal } from '../../views/queries/mapping-proposals.ts';
import { table } from '../layout/layout.ts';
import type { Session } from '../session/command-session.ts';
import { stateCount } from './counted-words.ts';
import { needsPeople, readAgainLines } from './reprocess-result.ts';

/** A line for each cell with the foreseen result of its document, then totals, and the documents that are left out. */
export function bulkTable({ say, language, terminal }: Session, proposed: ProposedAct<'fix'>): readonly string[] {
  const { planned, foreseen, leftOut } = proposed;
  const resultOf = new Map(foreseen.map((one) => [one.entry.id, one]));
  const rows = planned.flatMap(({ entry, edits }) => {
    const result = resultOf.get(entry.id);
    const changes = Map.groupBy(edits, ({ column, from, to }) => JSON.stringify([column, from, to]));
    return [...changes.values()].map((own, at) => {
      const { row, column, from, to } = must(own[0], 'an edit');
      const cell =
        own.length === 1 ? FIX_BULK.rowCell({ row, column }) : FIX_BULK.rowsCell({ count: own.length, column });
      const becomes = at === 0 && result ? say(resultWords(result)) : '';
      return [documentName(entry), say(cell), `${from} -> ${to}`, becomes];
    });
  });
  const { document, cell, change, result } = FIX_BULK;
  const columns = [
    { title: say(document()), fit: 'whole' as const },
    { title: say(cell()), fit: 'end' as const },
    { title: say(change()) },
    { title: say(result()), fit: 'wrap' as const },
  ];
  const cells = planned.reduce((sum, { edits }) => sum + edits.length, 0);
  const wrong = foreseen.filter(needsPeople).length;
  const total = FIX_BULK.total({
    documents: COUNT.document({ count: planned.length }),
    cells: FIX_BULK.cells({ count: cells }),
    passed: foreseen.length - wrong,
    wrong,
  });
  return [table(columns, rows, terminal.width), `  ${say(total)}`, ...leftOutLines(leftOut, language)];
}

/** The state that it would have, with the first error if the checks do not pass. */
function resultWords(result: ReprocessResult): Message {
  if ('fault' in result) return FIX_BULK.remains();
  if (result.state === 'unchanged') return FIX_BULK.unchanged();
  const state = stateInfo(result.state as State).inSentence;
  const code = result.outcome.faults.find(isError)?.code;
  return code === undefined || result.state !== 'invalid' ? state : FIX_BULK.stillWrong({ state, code });
}

function leftOutLines(leftOut: ProposedAct['leftOut'], language: Language): readonly string[] {
  return [...Map.groupBy(leftOut, ({ code }) => code).values()].map((own) => {
    const why = own[0]?.why ?? '';
    return escapeControls(`  ${format(FIX_BULK.leftOut({ count: own.length, why }), language)}`);
  });
}

/** How many documents are in which state now, then each that needs a person. */
export function bulkResultLines({ say, language }: Session, results: readonly ReadAgain[]): readonly string[] {
  const counts = new Map<State, number>();
  for (const one of results) {
    if (!('state' in one) || one.state === 'unchanged') continue;
    counts.set(one.state as State, (counts.get(one.state as State) ?? 0) + 1);
  }
  const states = [...counts].map(([state, count]) => stateCount(count, state));
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const lines = count === 0 ? [] : [`  ${say(FIX_BULK.corrected({ count, states }))}`];
  for (const one of results) {
    if ('done' in one || needsPeople(one)) appendAll(lines, readAgainLines(one, language));
  }
  return lines.map(escapeControls);
}

type Fixed = {
  readonly proposed: ProposedAct<'fix'>;
  readonly corrections: readonly Correction[];
  readonly results: readonly ReadAgain[];
  readonly proposals: readonly MappingProposal[];
  readonly dryRun: boolean;
};

/** The object of --json; `leftOut` are selected documents that the request does not fit. */
export function fixObject({ proposed, corrections, results, proposals, dryRun }: Fixed, language: Language) {
  const leftOut = proposed.leftOut.map(({ entry, code, why }) => {
    const { id, state } = entry;
    return { id, number: documentName(entry), state, code, message: format(why, language) };
  });
  return { dryRun, corrections, documents: results.map(readAgainObject), leftOut, proposals };
}
