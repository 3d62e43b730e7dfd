/**
 * Faults of a correction file, in words for the person who filled it in: document and place in, fault (correction/...)
 * out. Nothing throws.
 */

import type { Message } from '../../i18n/message.ts';
import { CORRECTION, TOO_LATE } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import type { Origin } from '../../model/origin.ts';
import { type State, stateInfo } from '../../model/state.ts';

type Change = { readonly column: string; readonly from: string; readonly to: string };

const FRESH = CORRECTION.fresh();

const HINTS = {
  'correction/too-large': CORRECTION.inParts(),
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
export function rowNotTaken({ facts, state }: LedgerEntry, { column, from, to }: Change, origin: Origin): DataFault {
  return {
    code: 'correction/too-late',
    level: 'error',
    ...withMessage(
      CORRECTION.notTaken({ document: facts.identifier, state: stateInfo(state).inSentence, column, from, to }),
      WAYS_OUT[state] ?? TOO_LATE.issued(),
    ),
    origin,
  };
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
export function onlyInErp({ facts, name }: LedgerEntry, origin: Origin): DataFault {
  return correctionFault(
    'correction/only-in-erp',
    CORRECTION.onlyInErp({ document: facts.identifier || name }),
    origin,
  );
}

/** correction/outdated: the document has a newer revision than the file. */
export function documentChangedSince({ facts }: LedgerEntry, origin: Origin): DataFault {
  return {
    code: 'correction/outdated',
    level: 'error',
    ...withMessage(CORRECTION.outdated({ document: facts.identifier }), FRESH),
    origin,
  };
}
