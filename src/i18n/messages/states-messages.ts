/** Generated from locales/<language>/states.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const STATE_WORD = {
  invalid: message('state-word.invalid'),
  duplicate: message('state-word.duplicate'),
  conflict: message('state-word.conflict'),
  held: message('state-word.held'),
  ready: message('state-word.ready'),
  sending: message('state-word.sending'),
  authorized: message('state-word.authorized'),
  invalidated: message('state-word.invalidated'),
  rejected: message('state-word.rejected'),
  failed: message('state-word.failed'),
  contingency: message('state-word.contingency'),
  returned: message('state-word.returned'),
  refused: message('state-word.refused'),
  'in-doubt': message('state-word.in-doubt'),
};

export const STATE_IN_SENTENCE = {
  invalid: message('state-in-sentence.invalid'),
  duplicate: message('state-in-sentence.duplicate'),
  conflict: message('state-in-sentence.conflict'),
  held: message('state-in-sentence.held'),
  ready: message('state-in-sentence.ready'),
  sending: message('state-in-sentence.sending'),
  authorized: message('state-in-sentence.authorized'),
  invalidated: message('state-in-sentence.invalidated'),
  rejected: message('state-in-sentence.rejected'),
  failed: message('state-in-sentence.failed'),
  contingency: message('state-in-sentence.contingency'),
  returned: message('state-in-sentence.returned'),
  refused: message('state-in-sentence.refused'),
  'in-doubt': message('state-in-sentence.in-doubt'),
};

export const STATE_TEXT = {
  invalid: message('state-text.invalid'),
  duplicate: message('state-text.duplicate'),
  conflict: message('state-text.conflict'),
  held: message('state-text.held'),
  ready: message('state-text.ready'),
  sending: message('state-text.sending'),
  authorized: message('state-text.authorized'),
  invalidated: message('state-text.invalidated'),
  rejected: message('state-text.rejected'),
  failed: message('state-text.failed'),
  contingency: message('state-text.contingency'),
  returned: message('state-text.returned'),
  refused: message('state-text.refused'),
  'in-doubt': message('state-text.in-doubt'),
};

export const STATE_GROUP = {
  toCorrect: message('state-group.toCorrect'),
  toApprove: message('state-group.toApprove'),
  toVerify: message('state-group.toVerify'),
  withSupport: message('state-group.withSupport'),
  underWay: message('state-group.underWay'),
  done: message('state-group.done'),
};

export const STATE_GROUP_IN_SENTENCE = {
  toCorrect: message('state-group-in-sentence.toCorrect'),
  toApprove: message('state-group-in-sentence.toApprove'),
  toVerify: message('state-group-in-sentence.toVerify'),
  withSupport: message('state-group-in-sentence.withSupport'),
  underWay: message('state-group-in-sentence.underWay'),
  done: message('state-group-in-sentence.done'),
};

export const STATE_NAME = {
  invalid: message('state-name.invalid'),
  duplicate: message('state-name.duplicate'),
  conflict: message('state-name.conflict'),
  held: message('state-name.held'),
  ready: message('state-name.ready'),
  sending: message('state-name.sending'),
  authorized: message('state-name.authorized'),
  invalidated: message('state-name.invalidated'),
  rejected: message('state-name.rejected'),
  failed: message('state-name.failed'),
  contingency: message('state-name.contingency'),
  returned: message('state-name.returned'),
  refused: message('state-name.refused'),
  'in-doubt': message('state-name.in-doubt'),
};

export const SET_ASIDE = {
  word: message('set-aside.word'),
  inSentence: message('set-aside.inSentence'),
  text: message('set-aside.text'),
  acknowledged: message('set-aside.acknowledged'),
  acknowledgedInSentence: message('set-aside.acknowledgedInSentence'),
};

export const FAULT_LEVEL = {
  error: message('fault-level.error'),
  warning: message('fault-level.warning'),
};

export const CLASS_WORD = {
  invoice: message('class-word.invoice'),
  'credit-note': message('class-word.credit-note'),
  corrective: message('class-word.corrective'),
  report: message('class-word.report'),
  'remission-note': message('class-word.remission-note'),
};

export const STATE_LINE = {
  inGroup: message<'group' | 'state'>('state-line.inGroup'),
};

export const ATTEMPT_ACT = {
  submit: message('attempt-act.submit'),
  consult: message('attempt-act.consult'),
  resolve: message('attempt-act.resolve'),
};

export const DECIDED_STATE = {
  ready: message('decided-state.ready'),
  invalid: message('decided-state.invalid'),
};

export const HAPPENING = {
  'act-approved': message('happening.act-approved'),
  'approval-refused': message('happening.approval-refused'),
  'approval-withdrawn': message('happening.approval-withdrawn'),
  'approval-expired': message('happening.approval-expired'),
  'cell-corrected': message('happening.cell-corrected'),
  'answers-again': message('happening.answers-again'),
  'correction-not-applied': message('happening.correction-not-applied'),
  'read-again': message('happening.read-again'),
  consulted: message('happening.consulted'),
  'second-answer': message('happening.second-answer'),
  'late-verdict': message('happening.late-verdict'),
  purged: message('happening.purged'),
  withdrawn: message('happening.withdrawn'),
  undone: message('happening.undone'),
  'set-aside': message('happening.set-aside'),
  acknowledged: message('happening.acknowledged'),
  'file-set-aside': message('happening.file-set-aside'),
  'file-set-aside-undone': message('happening.file-set-aside-undone'),
  'export-waived': message('happening.export-waived'),
  'export-waiver-undone': message('happening.export-waiver-undone'),
  resumed: message('happening.resumed'),
  'next-number': message('happening.next-number'),
  'ledger-moved': message('happening.ledger-moved'),
  'ledger-restored': message('happening.ledger-restored'),
  'ledger-rebuilt': message('happening.ledger-rebuilt'),
  'ledger-accepted': message('happening.ledger-accepted'),
  'quarantine-ended': message('happening.quarantine-ended'),
};
