/**
 * The life of a document as one table: the folder of its receipt, who acts, what may be done, and the operator's words.
 * Selectors, receipts, pages and mails derive from it.
 */

import type { Message } from '../i18n/message.ts';
import { SET_ASIDE, STATE_IN_SENTENCE, STATE_TEXT, STATE_WORD } from '../i18n/messages/states-messages.ts';
import type { HoldRule } from './document.ts';

export type Act = 'correct' | 'resend' | 'consult' | 'resolve' | 'release' | 'reject';
export type Folder = 'outbox' | 'pending' | 'error';

export type StateInfo = {
  readonly says: Message;
  /** Undefined: the machine is at work on it and no receipt is due. */
  readonly folder?: Folder;
  readonly actor: 'nobody' | 'machine' | 'finance' | 'support' | 'admin';
  readonly acts: readonly Act[];
  /** Another content under the same identity is taken as a correction of this entry. */
  readonly replaceable: boolean;
  readonly words: Message;
  /** The same in small letters. */
  readonly inSentence: Message;
};

function textsOf(state: keyof typeof STATE_WORD): Pick<StateInfo, 'says' | 'words' | 'inSentence'> {
  return { says: STATE_TEXT[state](), words: STATE_WORD[state](), inSentence: STATE_IN_SENTENCE[state]() };
}

export const STATES = {
  invalid: {
    ...textsOf('invalid'),
    folder: 'error',
    actor: 'finance',
    acts: ['correct', 'reject'],
    replaceable: true,
  },
  duplicate: {
    ...textsOf('duplicate'),
    folder: 'error',
    actor: 'nobody',
    acts: [],
    replaceable: false,
  },
  conflict: {
    ...textsOf('conflict'),
    folder: 'error',
    actor: 'finance',
    acts: ['correct', 'reject'],
    replaceable: true,
  },
  held: {
    ...textsOf('held'),
    folder: 'pending',
    actor: 'finance',
    acts: ['release', 'reject'],
    replaceable: false,
  },
  ready: {
    ...textsOf('ready'),
    folder: 'pending',
    actor: 'machine',
    acts: [],
    replaceable: false,
  },
  sending: {
    ...textsOf('sending'),
    actor: 'machine',
    acts: [],
    replaceable: false,
  },
  authorized: {
    ...textsOf('authorized'),
    folder: 'outbox',
    actor: 'nobody',
    acts: [],
    replaceable: false,
  },
  invalidated: {
    ...textsOf('invalidated'),
    folder: 'error',
    actor: 'nobody',
    acts: [],
    replaceable: false,
  },
  rejected: {
    ...textsOf('rejected'),
    folder: 'error',
    actor: 'finance',
    acts: ['correct'],
    replaceable: true,
  },
  failed: {
    ...textsOf('failed'),
    folder: 'error',
    actor: 'support',
    acts: ['resend'],
    replaceable: false,
  },
  contingency: {
    ...textsOf('contingency'),
    folder: 'pending',
    actor: 'nobody',
    acts: ['consult', 'resolve'],
    replaceable: false,
  },
  returned: {
    ...textsOf('returned'),
    folder: 'error',
    actor: 'finance',
    acts: ['consult', 'resolve'],
    replaceable: false,
  },
  refused: {
    ...textsOf('refused'),
    folder: 'error',
    actor: 'admin',
    acts: ['consult', 'resend', 'resolve'],
    replaceable: false,
  },
  'in-doubt': {
    ...textsOf('in-doubt'),
    folder: 'error',
    actor: 'finance',
    acts: ['consult', 'resolve'],
    replaceable: false,
  },
} as const satisfies Record<string, StateInfo>;

/** In place of the words of `invalid` if a person has decided that the document is neither sent nor corrected. */
export const SET_ASIDE_INFO: Pick<StateInfo, 'says' | 'words' | 'inSentence'> = {
  says: SET_ASIDE.text(),
  words: SET_ASIDE.word(),
  inSentence: SET_ASIDE.inSentence(),
};

export type State = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as readonly State[];

export function stateInfo(state: State): StateInfo {
  return STATES[state];
}

/** Whether a person may do this with a document in this state. */
export function allows(state: State, act: Act): boolean {
  return stateInfo(state).acts.includes(act);
}

/** A document that these hold may have been sent from elsewhere: other content with its number would be a second document. */
const MAY_BE_OUT = new Set<HoldRule>(['restored', 'ledger-accepted']);

export function mayBeOut(hold: HoldRule | undefined): boolean {
  return hold === undefined || MAY_BE_OUT.has(hold);
}

/** Whether other content under the same identity is a correction. `hold` is the rule of a held document. */
export function isReplaceable(state: State, hold?: HoldRule): boolean {
  return stateInfo(state).replaceable || (state === 'held' && !mayBeOut(hold));
}
