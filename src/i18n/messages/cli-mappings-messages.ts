/** Generated from locales/<language>/cli-mappings.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CHECK_COMMAND = {
  dryRunAlone: message('check-command.dryRunAlone'),
  checkChangesNothing: message('check-command.checkChangesNothing'),
  setting: message('check-command.setting'),
  value: message('check-command.value'),
  source: message('check-command.source'),
  summary: message<'errors' | 'mappings' | 'warnings'>('check-command.summary'),
};

export const CHECK_COUNT = {
  errors: message<'count'>('check-count.errors'),
  warnings: message<'count'>('check-count.warnings'),
  mappings: message<'count'>('check-count.mappings'),
  fixable: message<'count' | 'summary'>('check-count.fixable'),
  fixed: message<'count' | 'summary'>('check-count.fixed'),
};

export const MAPPING_TEST = {
  answersWritten: message<'path'>('mapping-test.answersWritten'),
  dryRunAlone: message('mapping-test.dryRunAlone'),
  testChangesNothing: message('mapping-test.testChangesNothing'),
  notUpdated: message('mapping-test.notUpdated'),
  passed: message('mapping-test.passed'),
  failed: message('mapping-test.failed'),
  summary: message<'failed' | 'passed'>('mapping-test.summary'),
};

export const MAPPING_TEST_COUNT = {
  updated: message<'count' | 'summary'>('mapping-test-count.updated'),
};

export const INFER_COMMAND = {
  noSample: message<'path'>('infer-command.noSample'),
  checkPath: message('infer-command.checkPath'),
  tooLarge: message<'size'>('infer-command.tooLarge'),
  cutSample: message('infer-command.cutSample'),
  noTarget: message('infer-command.noTarget'),
  oneOf: message<'options'>('infer-command.oneOf'),
  outside: message<'folder' | 'path'>('infer-command.outside'),
  writeInside: message('infer-command.writeInside'),
  exists: message<'path'>('infer-command.exists'),
  nameAnother: message('infer-command.nameAnother'),
  questions: message('infer-command.questions'),
  andMore: message<'count'>('infer-command.andMore'),
  rules: message('infer-command.rules'),
  written: message<'path'>('infer-command.written'),
  next: message('infer-command.next'),
};

export const INFER_TRIAL = {
  complete: message<'count' | 'good'>('infer-trial.complete'),
  completeLater: message<'count' | 'good'>('infer-trial.completeLater'),
  unknown: message<'count' | 'good' | 'values'>('infer-trial.unknown'),
};

export const SCHEMA_COMMAND = {
  forFile: message<'file' | 'path'>('schema-command.forFile'),
  forFileWithColumns: message<'count' | 'file' | 'path'>('schema-command.forFileWithColumns'),
  notNamed: message<'file'>('schema-command.notNamed'),
};

export const EXPLAIN_COMMAND = {
  whatToDo: message('explain-command.whatToDo'),
};
