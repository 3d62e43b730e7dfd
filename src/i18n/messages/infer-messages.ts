/** Generated from locales/<language>/infer.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const SAMPLE_COUNTS = {
  rows: message<'count'>('sample-counts.rows'),
  lines: message<'count'>('sample-counts.lines'),
  documents: message<'count'>('sample-counts.documents'),
  columns: message<'count'>('sample-counts.columns'),
  records: message<'count'>('sample-counts.records'),
  values: message<'count'>('sample-counts.values'),
  runs: message<'count'>('sample-counts.runs'),
  codeRows: message<'code' | 'rows'>('sample-counts.codeRows'),
  list: message<'items'>('sample-counts.list'),
};

export const INFER_PROBLEM = {
  recordTypes: message('infer-problem.recordTypes'),
  noRows: message('infer-problem.noRows'),
  longName: message<'length'>('infer-problem.longName'),
  empty: message('infer-problem.empty'),
  archive: message('infer-problem.archive'),
  pdf: message('infer-problem.pdf'),
  oldWorkbook: message('infer-problem.oldWorkbook'),
  encryptedWorkbook: message('infer-problem.encryptedWorkbook'),
  controlCharacters: message('infer-problem.controlCharacters'),
  json: message('infer-problem.json'),
  noRowElement: message('infer-problem.noRowElement'),
  byPosition: message<'lines'>('infer-problem.byPosition'),
  severalKinds: message<'marks'>('infer-problem.severalKinds'),
  touching: message<'columns'>('infer-problem.touching'),
  unlike: message('infer-problem.unlike'),
  noDraft: message<'file' | 'problem'>('infer-problem.noDraft'),
  writeFixed: message('infer-problem.writeFixed'),
  notAnExport: message<'file' | 'problem'>('infer-problem.notAnExport'),
  giveExport: message('infer-problem.giveExport'),
};

export const CHECK_TEXT = {
  netDiffers: message<'column'>('check-text.netDiffers'),
  grossDiffers: message<'column'>('check-text.grossDiffers'),
  grossDiffersFromSum: message<'column'>('check-text.grossDiffersFromSum'),
  linesDiffer: message<'column'>('check-text.linesDiffer'),
  recordsNetDiffers: message<'name'>('check-text.recordsNetDiffers'),
  recordsTaxDiffers: message<'name'>('check-text.recordsTaxDiffers'),
  recordsGrossDiffers: message<'name'>('check-text.recordsGrossDiffers'),
  recordsRateDiffers: message<'name'>('check-text.recordsRateDiffers'),
  dueTooEarly: message('check-text.dueTooEarly'),
  paymentNegative: message('check-text.paymentNegative'),
  paidBack: message('check-text.paidBack'),
  noteDiffers: message<'column'>('check-text.noteDiffers'),
};
