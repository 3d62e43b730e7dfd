/** What can be wrong with a correction file, in words for the person who filled it in. */
import type { Entry } from '../model/entry.ts';
import type { Fault } from '../model/fault.ts';
import type { Origin } from '../model/origin.ts';
import { stateInfo } from '../model/state.ts';

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

/** Nobody has to do anything about it: a document that was accepted is never repeated. */
export function notOpen({ facts, state }: Entry, origin: Origin): Fault {
  return {
    code: 'correction/not-to-correct',
    level: 'warning',
    message: `${facts.identifier} is ${state} (${stateInfo(state).words.en.toLowerCase()}) meanwhile: it is left as it is`,
    origin,
    hint: 'nothing to do; what has been issued is corrected by a document of its own',
  };
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
