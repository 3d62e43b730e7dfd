/** Generated from locales/<language>/receipts-texts.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const NEXT_ACTION = {
  invalid: message('next-action.invalid'),
  duplicate: message('next-action.duplicate'),
  conflict: message('next-action.conflict'),
  held: message('next-action.held'),
  ready: message('next-action.ready'),
  sending: message('next-action.sending'),
  authorized: message('next-action.authorized'),
  invalidated: message('next-action.invalidated'),
  rejected: message('next-action.rejected'),
  failed: message('next-action.failed'),
  contingency: message('next-action.contingency'),
  returned: message('next-action.returned'),
  refused: message('next-action.refused'),
  'in-doubt': message('next-action.in-doubt'),
};

export const NEXT_ACTION_OF = {
  compared: message<'held'>('next-action-of.compared'),
  answered: message('next-action-of.answered'),
  setAside: message<'back' | 'by' | 'reason' | 'when'>('next-action-of.setAside'),
  acknowledged: message<'by' | 'reason' | 'when'>('next-action-of.acknowledged'),
  closed: message<'by' | 'reason' | 'when'>('next-action-of.closed'),
  setAsideByAnyone: message<'back'>('next-action-of.setAsideByAnyone'),
  back: message('next-action-of.back'),
};

export const README = {
  error: {
    title: message('readme.error.title'),
    what: message('readme.error.what'),
    how: message('readme.error.how'),
    caution: message('readme.error.caution'),
    more: message('readme.error.more'),
    states: message('readme.error.states'),
  },
  release: {
    title: message('readme.release.title'),
    what: message('readme.release.what'),
    how: message('readme.release.how'),
    caution: message('readme.release.caution'),
  },
  reject: {
    title: message('readme.reject.title'),
    what: message('readme.reject.what'),
    how: message('readme.reject.how'),
    caution: message('readme.reject.caution'),
  },
};

export const DECISION_NOTE = {
  unnamed: message('decision-note.unnamed'),
  'two-people': message('decision-note.two-people'),
  unknown: message('decision-note.unknown'),
  older: message('decision-note.older'),
  edited: message('decision-note.edited'),
  contradiction: message('decision-note.contradiction'),
  answered: message('decision-note.answered'),
  'not-allowed': message('decision-note.not-allowed'),
};

export const LEFTOVER_NOTE = {
  text: message('leftover-note.text'),
};
