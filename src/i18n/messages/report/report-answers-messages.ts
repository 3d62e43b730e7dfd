/** Generated from locales/<language>/report-answers.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const ANSWERS_STATE = {
  label: message('answers-state.label'),
  allReported: message('answers-state.allReported'),
  waiting: message<'count'>('answers-state.waiting'),
  delayed: message<'count'>('answers-state.delayed'),
  delayedBy: message<'code' | 'says'>('answers-state.delayedBy'),
  failed: message<'problem'>('answers-state.failed'),
  fields: message<'count'>('answers-state.fields'),
  fieldsWhere: message<'fields' | 'names'>('answers-state.fieldsWhere'),
  'no-value': message<'count' | 'field'>('answers-state.no-value'),
  'too-wide': message<'count' | 'field'>('answers-state.too-wide'),
  letter: message<'count' | 'field'>('answers-state.letter'),
  left: message<'documents' | 'mapping'>('answers-state.left'),
  putBack: message('answers-state.putBack'),
  leftBy: message<'hint' | 'problem'>('answers-state.leftBy'),
};
