/**
 * The life of a document as one table: where its receipt lies, who acts, what may be done, and the operator's words.
 * Selectors, receipts, pages and mails derive from it.
 */

import type { HoldRule } from './document.ts';

export type Act = 'correct' | 'resend' | 'consult' | 'resolve' | 'release' | 'reject';
export type Folder = 'outbox' | 'pending' | 'error';

export type StateInfo = {
  readonly says: string;
  /** Undefined: the machine is at work on it and no receipt is due. */
  readonly folder?: Folder;
  readonly actor: 'nobody' | 'machine' | 'finance' | 'support' | 'admin';
  readonly acts: readonly Act[];
  /** Another content under the same identity is taken as a correction of this entry. */
  readonly replaceable: boolean;
  readonly words: { readonly en: string; readonly fr: string; readonly es: string };
};

const toCorrect = { en: 'To correct', fr: 'À corriger', es: 'Por corregir' };
const toVerify = { en: 'To verify', fr: 'À vérifier', es: 'Por verificar' };
const queued = { en: 'Queued', fr: 'En file', es: 'En cola' };

export const STATES = {
  invalid: {
    says: 'Local checks failed; nothing was sent.',
    folder: 'error',
    actor: 'finance',
    acts: ['correct'],
    replaceable: true,
    words: toCorrect,
  },
  duplicate: {
    says: 'Same identity and same content as an earlier document; nothing was sent.',
    folder: 'error',
    actor: 'nobody',
    acts: [],
    replaceable: false,
    words: { en: 'Duplicate', fr: 'Doublon', es: 'Duplicado' },
  },
  conflict: {
    says: 'Same identity as an earlier document with other content, which may not be replaced; nothing was sent.',
    folder: 'error',
    actor: 'finance',
    acts: ['correct'],
    replaceable: true,
    words: { en: 'Number already used', fr: 'Numéro déjà utilisé', es: 'Número ya utilizado' },
  },
  held: {
    says: 'A hold rule applies; a person releases or rejects it.',
    folder: 'pending',
    actor: 'finance',
    acts: ['release', 'reject'],
    replaceable: false,
    words: { en: 'Held', fr: 'En attente', es: 'Retenido' },
  },
  ready: {
    says: 'Admitted, or proven not sent; goes out as soon as its service takes documents.',
    folder: 'pending',
    actor: 'machine',
    acts: [],
    replaceable: false,
    words: queued,
  },
  sending: {
    says: 'The intention to send is recorded; found so after a crash it becomes in-doubt.',
    actor: 'machine',
    acts: [],
    replaceable: false,
    words: queued,
  },
  authorized: {
    says: 'Authorized by the service (code 2).',
    folder: 'outbox',
    actor: 'nobody',
    acts: [],
    replaceable: false,
    words: { en: 'Authorized', fr: 'Autorisé', es: 'Autorizado' },
  },
  invalidated: {
    says: 'Invalidated with the tax entity (code 11): the document has no legal value.',
    folder: 'error',
    actor: 'nobody',
    acts: [],
    replaceable: false,
    words: { en: 'Invalidated', fr: 'Invalidé', es: 'Invalidado' },
  },
  rejected: {
    says: 'Rejected for its content (code 6): correct it and send it again under the same number.',
    folder: 'error',
    actor: 'finance',
    acts: ['correct'],
    replaceable: true,
    words: toCorrect,
  },
  failed: {
    says: 'Error inside the service (code 4): resend by hand once its support has answered.',
    folder: 'error',
    actor: 'support',
    acts: ['resend'],
    replaceable: false,
    words: { en: 'Contact support', fr: 'Support à contacter', es: 'Contactar soporte' },
  },
  contingency: {
    says: 'Received for contingency processing (code 8): never sent again, consulted later.',
    folder: 'pending',
    actor: 'nobody',
    acts: ['consult', 'resolve'],
    replaceable: false,
    words: { en: 'In contingency', fr: 'En contingence', es: 'En contingencia' },
  },
  returned: {
    says: 'Returned before processing (code 15): duplicate, credentials or document type; find out which.',
    folder: 'error',
    actor: 'finance',
    acts: ['consult', 'resolve'],
    replaceable: false,
    words: toVerify,
  },
  refused: {
    says: 'Refused by HTTP status without a valid code: mend the cause, then resend by hand.',
    folder: 'error',
    actor: 'admin',
    acts: ['consult', 'resend', 'resolve'],
    replaceable: false,
    words: toVerify,
  },
  'in-doubt': {
    says: 'Its fate is unknown: at least one byte left and no trustworthy answer came back. Never sent again by itself.',
    folder: 'error',
    actor: 'finance',
    acts: ['consult', 'resolve'],
    replaceable: false,
    words: toVerify,
  },
} as const satisfies Record<string, StateInfo>;

export type State = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as readonly State[];

export function stateInfo(state: State): StateInfo {
  return STATES[state];
}

/** What these hold may have gone out from elsewhere: other content under its number would be a second document. */
const MAY_BE_OUT = new Set<HoldRule>(['restored', 'ledger-accepted']);

export function mayBeOut(hold: HoldRule | undefined): boolean {
  return hold === undefined || MAY_BE_OUT.has(hold);
}

/** Other content under the same identity is a correction. `hold` is the rule of a held one: most hold what was never sent. */
export function isReplaceable(state: State, hold?: HoldRule): boolean {
  return stateInfo(state).replaceable || (state === 'held' && !mayBeOut(hold));
}
