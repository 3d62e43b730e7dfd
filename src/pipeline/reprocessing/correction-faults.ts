/**
 * Faults of a correction file, in words for the person who filled it in: document and place in, fault (correction/...)
 * out. Nothing throws.
 */

import type { Message } from '../../i18n/message.ts';
import { CORRECTION, TOO_LATE } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { documentName, type LedgerEntry } from '../../model/ledger-entry.ts';
import type { Origin } from '../../model/origin.ts';
import { type State, stateInfo } from '../../model/state.ts';
import type { DamagedCell } from './diff-correction.ts';
import { MOST_NAMES } from './group-correction-faults.ts';

/** A cell that a file changes and its document does not take; `more`: how many further cells it changes. */
type Ignored = { readonly column: string; readonly kept: string; readonly given: string; readonly more: number };

const FRESH = CORRECTION.fresh();

const HINTS = {
  'correction/too-large': CORRECTION.inParts(),
  'correction/cells': CORRECTION.quoteDelimiter({ fresh: FRESH }),
  'correction/columns': CORRECTION.leaveColumns({ fresh: FRESH }),
  'correction/unknown-document': CORRECTION.leaveDoc({ fresh: FRESH }),
  'correction/row-unknown': CORRECTION.leaveRow({ fresh: FRESH }),
  'correction/row-twice': CORRECTION.keepOne(),
  'correction/row-missing': CORRECTION.allRows({ fresh: FRESH }),
  'correction/only-in-erp': CORRECTION.exportAgain(),
  'correction/no-mapping': CORRECTION.putMappingBack(),
  'correction/no-source': CORRECTION.restoreArchive(),
  'correction/same-content': CORRECTION.seeAnswer(),
} as const;

/** An error with the hint of its code. */
export function correctionFault(code: keyof typeof HINTS, message: Message, origin: Origin): DataFault {
  return { code, level: 'error', ...withMessage(message, HINTS[code]), origin };
}

/** correction/unknown-document: `mark` is not a document of the ledger. `count`: rows with this mark. */
export function unknownDocument(mark: string, origin: Origin, count: number): DataFault {
  const rows = CORRECTION.rows({ count });
  if (mark === '') return correctionFault('correction/unknown-document', CORRECTION.docEmpty({ rows }), origin);
  const message = CORRECTION.noDocument({ mark: mark.slice(0, 60), rows });
  return correctionFault('correction/unknown-document', message, origin);
}

/** correction/cells: a separator too many or too few, so that the cells after it are under other columns. */
export function cellsMoved(entry: LedgerEntry, { row }: { readonly row: number }, origin: Origin): DataFault {
  const message = CORRECTION.cellsMoved({ row, document: documentName(entry) });
  return correctionFault('correction/cells', message, origin);
}

/** correction/columns: the columns have the cells of each other. */
export function exchangedColumns([one, other]: readonly [string, string], origin: Origin): DataFault {
  return correctionFault('correction/columns', CORRECTION.exchanged({ one, other }), origin);
}

/** A warning: the row has no mark, so its document is unknown, and the other rows are still applied. */
export function unmarked(origin: Origin): DataFault {
  return { ...correctionFault('correction/unknown-document', CORRECTION.unmarked(), origin), level: 'warning' };
}

/** A warning: the file has the content that was accepted, so no action is needed. */
export function notOpen({ facts, state }: LedgerEntry, origin: Origin): DataFault {
  return {
    code: 'correction/not-to-correct',
    level: 'warning',
    ...withMessage(
      CORRECTION.notOpen({ document: facts.identifier, state: stateInfo(state).inSentence }),
      CORRECTION.nothingToDo(),
    ),
    origin,
  };
}

/**
 * correction/too-late: the file has another content than the accepted one, and its author has to know that it is
 * ignored.
 */
export function rowNotTaken({ facts, state }: LedgerEntry, change: Ignored, origin: Origin): DataFault {
  const message = CORRECTION.notTaken({
    document: facts.identifier,
    state: stateInfo(state).inSentence,
    ...change,
  });
  const words = withMessage(message, WAYS_OUT[state] ?? TOO_LATE.issued());
  return { code: 'correction/too-late', level: 'error', ...words, origin };
}

/** The possible actions for a document that cannot be corrected, by its state. */
const WAYS_OUT: { readonly [state in State]?: Message } = {
  ready: TOO_LATE.ready({ fresh: FRESH }),
  sending: TOO_LATE.sending({ fresh: FRESH }),
  held: TOO_LATE.held(),
  'in-doubt': TOO_LATE.inDoubt(),
  returned: TOO_LATE.returned(),
  contingency: TOO_LATE.contingency(),
  failed: TOO_LATE.failed(),
  refused: TOO_LATE.refused(),
};

/** correction/only-in-erp: cells that cannot be separated have no column, so a change of them has no place. */
export function onlyInErp(entry: LedgerEntry, origin: Origin): DataFault {
  const message = CORRECTION.onlyInErp({ document: documentName(entry) });
  return correctionFault('correction/only-in-erp', message, origin);
}

/** A damaged cell with the number of its document. */
export type DamageOf = { readonly document: string; readonly cell: DamagedCell };

const DAMAGE_HINTS = {
  'at-fault': CORRECTION.typeAsText,
  single: CORRECTION.mayBeMeant,
  setting: CORRECTION.putBack,
} as const;

/**
 * correction/damaged-cell, once for each column and kind of damage: a spreadsheet converts whole columns. `moreRows` has
 * a row of each further document.
 */
export function damagedCells(file: string, damaged: readonly DamageOf[]): readonly DataFault[] {
  const groups = Map.groupBy(damaged, ({ cell: { column, refused, damage } }) =>
    JSON.stringify([column, refused, damage.what.id]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first?.cell.refused) return [];
    const { from, to, damage, line: row, column, refused } = first.cell;
    const lines = new Map<string, number>();
    for (const { document, cell } of group) if (!lines.has(document)) lines.set(document, cell.line);
    const [, ...moreRows] = lines.values();
    const what = CORRECTION.damaged({ to, from, damage: damage.what });
    const documents = [...lines.keys()].slice(0, MOST_NAMES);
    const more = lines.size - documents.length;
    const message = group.length === 1 ? what : CORRECTION.damagedMore({ what, count: group.length, documents, more });
    const words = withMessage(message, DAMAGE_HINTS[refused]({ from, to: JSON.stringify(to) }));
    const origin = { file, row, column };
    return [{ code: 'correction/damaged-cell', level: 'error', ...words, origin, given: to, ...ifAny(moreRows) }];
  });
}

function ifAny(moreRows: readonly number[]): Pick<DataFault, 'moreRows'> {
  return moreRows.length > 0 ? { moreRows } : {};
}

/** correction/damage-restored, once for each column: its damaged cells keep the text of the archive. */
export function restoredCells(file: string, restored: readonly DamagedCell[]): readonly DataFault[] {
  return [...Map.groupBy(restored, ({ column }) => column)].flatMap(([column, cells]) => {
    const [first] = cells;
    if (!first) return [];
    const { from, to, damage, line: row } = first;
    const values = new Set(cells.map((one) => one.from)).size;
    const rows = new Set(cells.map(({ line }) => line)).size;
    const message = CORRECTION.restored({ column, from, to, values, rows, damage: damage.what });
    return [
      {
        code: 'correction/damage-restored',
        level: 'warning',
        ...withMessage(message, CORRECTION.nothingToRestore()),
        origin: { file, row, column },
        given: to,
      },
    ];
  });
}

/** A warning: further sheets of the workbook have data that is ignored. */
export function otherSheets(file: string, sheet: string, others: readonly string[]): DataFault {
  const names = others.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const message = CORRECTION.otherSheets({ count: others.length, names, sheet });
  const words = withMessage(message, CORRECTION.moveRows());
  return { code: 'correction/other-sheets', level: 'warning', ...words, origin: { file, row: 0 } };
}

/** correction/outdated: the document has a newer revision than the file, and another value. */
export function changedSince({ facts }: LedgerEntry, change: Ignored, origin: Origin): DataFault {
  const message = CORRECTION.outdated({ document: facts.identifier, ...change });
  return { code: 'correction/outdated', level: 'error', ...withMessage(message, FRESH), origin };
}

/** A warning: the document has a newer revision than the file, and its values. */
export function sameValues({ facts }: LedgerEntry, origin: Origin): DataFault {
  const words = withMessage(CORRECTION.sameValues({ document: facts.identifier }), FRESH);
  return { code: 'correction/not-to-correct', level: 'warning', ...words, origin };
}
