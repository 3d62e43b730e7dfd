/** Generated from locales/<language>/documents.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const SHAPE = {
  misfit: message<'field' | 'says' | 'value'>('shape.misfit'),
  document: message('shape.document'),
  list: message('shape.list'),
  block: message('shape.block'),
  nothing: message('shape.nothing'),
  text: message<'text'>('shape.text'),
  nextNumber: message<'sequence'>('shape.nextNumber'),
  leaveOut: message('shape.leaveOut'),
  unknownAtTop: message<'name'>('shape.unknownAtTop'),
  unknownIn: message<'name' | 'place'>('shape.unknownIn'),
  meant: message<'meant'>('shape.meant'),
  fieldsHere: message<'fields'>('shape.fieldsHere'),
};

export const MISFITS = {
  'not-text': {
    says: message('misfits.not-text.says'),
    hint: message('misfits.not-text.hint'),
  },
  'not-a-number': {
    says: message('misfits.not-a-number.says'),
    hint: message('misfits.not-a-number.hint'),
  },
  'not-an-integer': {
    says: message('misfits.not-an-integer.says'),
    hint: message('misfits.not-an-integer.hint'),
  },
  'not-true-or-false': {
    says: message('misfits.not-true-or-false.says'),
    hint: message('misfits.not-true-or-false.hint'),
  },
  'not-a-date': {
    says: message('misfits.not-a-date.says'),
    hint: message('misfits.not-a-date.hint'),
  },
  'not-a-date-time': {
    says: message('misfits.not-a-date-time.says'),
    hint: message('misfits.not-a-date-time.hint'),
  },
  'not-a-local-date-time': {
    says: message('misfits.not-a-local-date-time.says'),
    hint: message('misfits.not-a-local-date-time.hint'),
  },
  'not-base64': {
    says: message('misfits.not-base64.says'),
    hint: message('misfits.not-base64.hint'),
  },
  'not-json': {
    says: message('misfits.not-json.says'),
    hint: message('misfits.not-json.hint'),
  },
  'not-a-list': {
    says: message('misfits.not-a-list.says'),
    hint: message('misfits.not-a-list.hint'),
  },
  'not-an-object': {
    says: message('misfits.not-an-object.says'),
    hint: message('misfits.not-an-object.hint'),
  },
  'not-text-or-object': {
    says: message('misfits.not-text-or-object.says'),
    hint: message('misfits.not-text-or-object.hint'),
  },
  'unusable-text': {
    says: message('misfits.unusable-text.says'),
    hint: message('misfits.unusable-text.hint'),
  },
};

export const DRAFT = {
  nothing: message('draft.nothing'),
  lookAtPreview: message('draft.lookAtPreview'),
  unknownClass: message<'given' | 'kind'>('draft.unknownClass'),
  classes: message<'classes'>('draft.classes'),
  fileNotAccepted: message<'kind'>('draft.fileNotAccepted'),
  takeFileOut: message('draft.takeFileOut'),
  noData: message('draft.noData'),
  isItEmpty: message('draft.isItEmpty'),
  placeholder: message<'field' | 'text'>('draft.placeholder'),
  formula: message<'field' | 'text'>('draft.formula'),
  writeShown: message('draft.writeShown'),
  fillIn: message('draft.fillIn'),
};

export const IDENTITY = {
  emptyNumber: message('identity.emptyNumber'),
  emptyDate: message('identity.emptyDate'),
  fillCell: message('identity.fillCell'),
  asFile: message('identity.asFile'),
  fromSequence: message('identity.fromSequence'),
  sentTwice: message<'why'>('identity.sentTwice'),
  neverTwice: message('identity.neverTwice'),
  issuer: message('identity.issuer'),
  number: message('identity.number'),
  date: message('identity.date'),
  fillField: message<'field' | 'otherwise'>('identity.fillField'),
  twoSequences: message<'sequence'>('identity.twoSequences'),
  oneSequence: message('identity.oneSequence'),
};

export const RULE_FAULTS_TEXT = {
  write: message<'hint' | 'suggestion'>('rule-faults-text.write'),
  value: message<'says' | 'value'>('rule-faults-text.value'),
};
