/** What can be wrong with a correction file, in words for the person who filled it in. */
import type { Entry } from '../model/entry.ts';
import type { Fault } from '../model/fault.ts';
import type { Origin } from '../model/origin.ts';
import { type State, stateInfo } from '../model/state.ts';

type Change = { readonly column: string; readonly from: string; readonly to: string };

const FRESH = 'take a fresh copy of the *.to-fix file in error/, correct it and drop it into inbox/';

const HINTS = {
  'correction/too-large': 'drop it in several parts, each with the header row',
  'correction/columns': `leave all columns of the file as they are, ${FRESH}`,
  'correction/unknown-document': `leave _doc as it is and add no rows; ${FRESH}`,
  'correction/row-unknown': `leave _row as it is and add no rows; ${FRESH}`,
  'correction/row-twice': 'keep one of the two rows and drop the file again; nothing of the document was taken',
  'correction/row-missing': `a document is corrected with all its rows; ${FRESH}`,
  'correction/no-mapping': 'put the mapping back into mappings/ under this name, then drop the file again',
  'correction/no-source': 'restore the archive from its backup, or drop a corrected export into inbox/',
  'correction/same-content':
    'the service has rejected just this; see "answer" in its receipt for what it wants changed',
} as const;

export function correctionFault(code: keyof typeof HINTS, message: string, origin: Origin): Fault {
  return { code, level: 'error', message, origin, hint: HINTS[code] };
}

export function unknownDocument(mark: string, origin: Origin, rows: number): Fault {
  const which = mark === '' ? '_doc is empty' : `no document has the _doc "${mark.slice(0, 60)}"`;
  return correctionFault('correction/unknown-document', `${which} (${rows === 1 ? '1 row' : `${rows} rows`})`, origin);
}

/** The others go on: which document it is of, nobody can know. */
export function unmarked(origin: Origin): Fault {
  const says = 'an element stands here without its comment: nothing of it was taken';
  return { ...correctionFault('correction/unknown-document', says, origin), level: 'warning' };
}

/** The file says nothing else than what was taken: nobody has to do anything about it. */
export function notOpen({ facts, state }: Entry, origin: Origin): Fault {
  return {
    code: 'correction/not-to-correct',
    level: 'warning',
    message: `${facts.identifier} is ${wordsOf(state)} meanwhile, as this file says it: it is left as it is`,
    origin,
    hint: 'nothing to do',
  };
}

/** Another content than the one that was taken: whoever wrote it has to hear that it counts for nothing. */
export function notTaken({ facts, state }: Entry, { column, from, to }: Change, origin: Origin): Fault {
  return {
    code: 'correction/too-late',
    level: 'error',
    message: `${facts.identifier} is ${wordsOf(state)} meanwhile, with ${column} "${from}": "${to}" was not taken`,
    origin,
    hint: WAYS_OUT[state] ?? 'it was issued as it is: where it is wrong, issue a credit note or a corrective',
  };
}

/** What can be done about a document that may not be corrected, by its state. */
const WAYS_OUT: { readonly [state in State]?: string } = {
  ready: `it goes out as it is; where that is wrong, issue a credit note or a corrective, or after a rejection ${FRESH}`,
  sending: `it is on its way; after a rejection ${FRESH}`,
  held: 'reject it (nightpost reject NUMBER), then take the fresh *.to-fix file in error/; or release it as it is',
  'in-doubt': 'find out first whether it has arrived (nightpost consult, or the portal), then nightpost resolve',
  returned: 'find out first what the service has made of it (nightpost consult, or the portal), then nightpost resolve',
  contingency: 'the service has it and will decide; after a rejection it can be corrected',
  failed: 'its support has to say first whether it was issued (nightpost resolve)',
  refused: 'the request was refused, not its content: mend the cause and send it again (nightpost retry)',
};

function wordsOf(state: State): string {
  return stateInfo(state).words.en.toLowerCase();
}

export function changedSince({ facts }: Entry, origin: Origin): Fault {
  return {
    code: 'correction/outdated',
    level: 'error',
    message: `${facts.identifier} has changed since this file was written: nothing of it was taken`,
    origin,
    hint: FRESH,
  };
}
