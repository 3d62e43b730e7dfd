/** What can be wrong with a correction file, in words for the person who filled it in. */

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

export function correctionFault(code: keyof typeof HINTS, message: Message, origin: Origin): DataFault {
  return { code, level: 'error', ...withMessage(message, HINTS[code]), origin };
}

export function unknownDocument(mark: string, origin: Origin, count: number): DataFault {
  const rows = count === 1 ? CORRECTION.oneRow() : CORRECTION.rows({ count });
  const message =
    mark === '' ? CORRECTION.docEmpty({ rows }) : CORRECTION.noDocument({ mark: mark.slice(0, 60), rows });
  return correctionFault('correction/unknown-document', message, origin);
}

/** The others go on: which document it is of, nobody can know. */
export function unmarked(origin: Origin): DataFault {
  return { ...correctionFault('correction/unknown-document', CORRECTION.unmarked(), origin), level: 'warning' };
}

/** The file says nothing else than what was taken: nobody has to do anything about it. */
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

/** Another content than the one that was taken: whoever wrote it has to hear that it counts for nothing. */
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

/** What can be done about a document that may not be corrected, by its state. */
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

/** Cells that cannot be told apart have no name: whatever was written into them, nobody knows where it belongs. */
export function onlyInErp({ facts, name }: LedgerEntry, origin: Origin): DataFault {
  return correctionFault(
    'correction/only-in-erp',
    CORRECTION.onlyInErp({ document: facts.identifier || name }),
    origin,
  );
}

export function documentChangedSince({ facts }: LedgerEntry, origin: Origin): DataFault {
  return {
    code: 'correction/outdated',
    level: 'error',
    ...withMessage(CORRECTION.outdated({ document: facts.identifier }), FRESH),
    origin,
  };
}
