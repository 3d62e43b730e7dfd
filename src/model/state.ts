/**
 * The life of a document as one table: the folder of its receipt, who acts, what may be done, and the operator's words.
 * Selectors, receipts, pages and mails derive from it.
 */

import type { Message } from '../i18n/message.ts';
import {
  SET_ASIDE,
  STATE_GROUP,
  STATE_GROUP_IN_SENTENCE,
  STATE_IN_SENTENCE,
  STATE_NAME,
  STATE_TEXT,
  STATE_WORD,
} from '../i18n/messages/states-messages.ts';
import type { HoldRule } from './document.ts';

/** What a state allows, in the words of the acts of a person; `acknowledge` records that a person has taken note of an outcome. */
export type Act = 'fix' | 'retry' | 'consult' | 'resolve' | 'release' | 'set-aside' | 'acknowledge';
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
  /** A name that no other state has, in small letters: what happened, where `words` say what to do. */
  readonly name: Message;
};

type Texts = Pick<StateInfo, 'says' | 'words' | 'inSentence' | 'name'>;

function textsOf(state: keyof typeof STATE_WORD): Texts {
  return {
    says: STATE_TEXT[state](),
    words: STATE_WORD[state](),
    inSentence: STATE_IN_SENTENCE[state](),
    name: STATE_NAME[state](),
  };
}

export const STATES = {
  invalid: {
    ...textsOf('invalid'),
    folder: 'error',
    actor: 'finance',
    acts: ['fix', 'set-aside'],
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
    acts: ['fix', 'set-aside'],
    replaceable: true,
  },
  held: {
    ...textsOf('held'),
    folder: 'pending',
    actor: 'finance',
    acts: ['release', 'set-aside'],
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
    acts: ['acknowledge'],
    replaceable: false,
  },
  rejected: {
    ...textsOf('rejected'),
    folder: 'error',
    actor: 'finance',
    acts: ['fix', 'set-aside'],
    replaceable: true,
  },
  failed: {
    ...textsOf('failed'),
    folder: 'error',
    actor: 'support',
    acts: ['retry', 'set-aside'],
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
    acts: ['consult', 'resolve', 'set-aside'],
    replaceable: false,
  },
  refused: {
    ...textsOf('refused'),
    folder: 'error',
    actor: 'admin',
    acts: ['consult', 'retry', 'resolve', 'set-aside'],
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
export const SET_ASIDE_INFO: Texts = {
  name: SET_ASIDE.inSentence(),
  says: SET_ASIDE.text(),
  words: SET_ASIDE.word(),
  inSentence: SET_ASIDE.inSentence(),
};

/** In place of the word of the state if a person has closed the document in it. */
export const CLOSED_WORD = { 'set-aside': SET_ASIDE.word, acknowledged: SET_ASIDE.acknowledged } as const;
/** The same in small letters. */
export const CLOSED_IN_SENTENCE = {
  'set-aside': SET_ASIDE.inSentence,
  acknowledged: SET_ASIDE.acknowledgedInSentence,
} as const;

export type State = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as readonly State[];

/** States that wait for a person, and `invalidated`, which the company must know. */
export const WAITING_STATES = STATE_NAMES.filter((state) => {
  const { actor, folder } = stateInfo(state);
  return state === 'held' || (folder === 'error' && (actor !== 'nobody' || state === 'invalidated'));
});

/** Of these, those that cannot wait, the more urgent first: what may have been sent, and what counts no more. */
export const URGENT_STATES: readonly State[] = ['in-doubt', 'invalidated'];

export function stateInfo(state: State): StateInfo {
  return STATES[state];
}

/** What people see first of a document: one of six groups. */
export type StateGroup = {
  readonly words: Message;
  /** The same in small letters. */
  readonly inSentence: Message;
  readonly states: readonly State[];
};

/**
 * The order is that of urgency; documents that a person has closed count as done, and no state that waits for a person does.
 * Each state is in one group.
 */
export const STATE_GROUPS = {
  'to-correct': {
    words: STATE_GROUP.toCorrect(),
    inSentence: STATE_GROUP_IN_SENTENCE.toCorrect(),
    states: ['invalid', 'rejected', 'conflict'],
  },
  'to-approve': {
    words: STATE_GROUP.toApprove(),
    inSentence: STATE_GROUP_IN_SENTENCE.toApprove(),
    states: ['held'],
  },
  'to-verify': {
    words: STATE_GROUP.toVerify(),
    inSentence: STATE_GROUP_IN_SENTENCE.toVerify(),
    states: ['returned', 'refused', 'in-doubt', 'invalidated'],
  },
  'with-support': {
    words: STATE_GROUP.withSupport(),
    inSentence: STATE_GROUP_IN_SENTENCE.withSupport(),
    states: ['failed'],
  },
  'under-way': {
    words: STATE_GROUP.underWay(),
    inSentence: STATE_GROUP_IN_SENTENCE.underWay(),
    states: ['ready', 'sending', 'contingency'],
  },
  done: {
    words: STATE_GROUP.done(),
    inSentence: STATE_GROUP_IN_SENTENCE.done(),
    states: ['authorized', 'duplicate'],
  },
} as const satisfies Record<string, StateGroup>;

export type StateGroupName = keyof typeof STATE_GROUPS;

export const STATE_GROUP_NAMES = Object.keys(STATE_GROUPS) as readonly StateGroupName[];

const GROUP_OF = new Map<State, StateGroupName>(
  STATE_GROUP_NAMES.flatMap((name) => STATE_GROUPS[name].states.map((state) => [state, name] as const)),
);

/** The group of a document; one that a person has set aside is done. */
export function stateGroup(
  state: State,
  options: { readonly isSetAside: boolean } = { isSetAside: false },
): StateGroupName {
  return options.isSetAside ? 'done' : (GROUP_OF.get(state) ?? 'done');
}

/** Whether a person may do this with a document in this state. */
export function allows(state: State, act: Act): boolean {
  return stateInfo(state).acts.includes(act);
}

/** What a person may do with a document. `hold`: the rule of a held one, which is also its cause. */
export function actsFor(state: State, hold: string | undefined): readonly Act[] {
  const { acts } = stateInfo(state);
  return state === 'held' && hold === 'outcome-arrived' ? ['resolve', ...acts] : acts;
}

/** Whether a person may record its outcome. `hold` is the rule of a held document: the service has answered about that one. */
export function mayResolve(state: State, hold: HoldRule | undefined): boolean {
  return actsFor(state, hold).includes('resolve');
}

/**
 * Setting a document aside makes these `invalid`: nothing was sent, and its number is free for a correction. All others
 * keep their state and the number, because the service knows of them.
 */
const INVALID_IF_SET_ASIDE: ReadonlySet<State> = new Set(['invalid', 'conflict', 'held']);

/** Whether the state stays as it is when a person sets the document aside. */
export function keepsStateAside(state: State): boolean {
  return allows(state, 'set-aside') && !INVALID_IF_SET_ASIDE.has(state);
}

/** A document that these hold may have been sent before: other content with its number would be a second document. */
const MAY_BE_OUT = new Set<HoldRule>(['restored', 'ledger-accepted', 'outcome-arrived', 'rows-issued']);

export function mayBeOut(hold: HoldRule | undefined): boolean {
  return hold === undefined || MAY_BE_OUT.has(hold);
}

/** Whether other content under the same identity is a correction. `hold` is the rule of a held document. */
export function isReplaceable(state: State, hold?: HoldRule): boolean {
  return stateInfo(state).replaceable || (state === 'held' && !mayBeOut(hold));
}
