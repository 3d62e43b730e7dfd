/** Generated from locales/<language>/reference.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const EXPLAIN = {
  answer: message<'code' | 'service'>('explain.answer'),
  exitCode: message('explain.exitCode'),
  notKnown: message('explain.notKnown'),
  notKnownNext: message('explain.notKnownNext'),
  unknownName: message<'name'>('explain.unknownName'),
  listCodes: message('explain.listCodes'),
  suggestion: message<'name'>('explain.suggestion'),
  rule: message<'code' | 'kind' | 'profiles' | 'severity'>('explain.rule'),
  from: message<'day'>('explain.from'),
  until: message<'day'>('explain.until'),
  example: message<'text'>('explain.example'),
  fields: message<'names'>('explain.fields'),
  formula: message<'text'>('explain.formula'),
  causes: message<'rules'>('explain.causes'),
  source: message<'text'>('explain.source'),
  state: message('explain.state'),
  stateIn: message<'folder'>('explain.stateIn'),
  acts: message<'acts'>('explain.acts'),
  otherNames: message<'names'>('explain.otherNames'),
  setting: message('explain.setting'),
  default: message<'value'>('explain.default'),
  field: message<'kind' | 'type'>('explain.field'),
  nothing: message('explain.nothing'),
};

export const EXPLAIN_TYPE = {
  object: message('explain-type.object'),
  array: message('explain-type.array'),
  string: message('explain-type.string'),
  number: message('explain-type.number'),
  integer: message('explain-type.integer'),
  boolean: message('explain-type.boolean'),
  date: message('explain-type.date'),
  dateTime: message('explain-type.dateTime'),
  any: message('explain-type.any'),
  or: message<'one' | 'other'>('explain-type.or'),
};
