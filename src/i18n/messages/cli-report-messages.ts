/** Generated from locales/<language>/cli-report.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const REPORT_TABLE = {
  file: message('report-table.file'),
  docs: message('report-table.docs'),
  warnings: message('report-table.warnings'),
  setAside: message('report-table.setAside'),
  sent: message('report-table.sent'),
  authorized: message('report-table.authorized'),
  toCorrect: message('report-table.toCorrect'),
  toVerify: message('report-table.toVerify'),
  support: message('report-table.support'),
  toApprove: message('report-table.toApprove'),
  underWay: message('report-table.underWay'),
  duplicate: message('report-table.duplicate'),
};

export const FILE_STATE = {
  loading: message('file-state.loading'),
  admitted: message('file-state.admitted'),
  refused: message('file-state.refused'),
  duplicate: message('file-state.duplicate'),
};

export const CORRECTIONS_COUNT = {
  corrected: message<'count'>('corrections-count.corrected'),
  readAgain: message<'count'>('corrections-count.readAgain'),
  unchanged: message<'count'>('corrections-count.unchanged'),
  refused: message<'count'>('corrections-count.refused'),
};

export const CORRECTIONS = {
  each: message<'parts'>('corrections.each'),
  none: message('corrections.none'),
  ofFile: message<'file' | 'parts'>('corrections.ofFile'),
  empty: message<'file'>('corrections.empty'),
};

export const REPORT = {
  nothingNew: message('report.nothingNew'),
  earlier: message<'documents'>('report.earlier'),
  interruptedRuns: message<'since'>('report.interruptedRuns'),
  number: message<'count'>('report.number'),
  warnings: message<'command' | 'documents'>('report.warnings'),
  receiptsAndReadmes: message<'readmes'>('report.receiptsAndReadmes'),
  receipts: message('report.receipts'),
  run: message<'run'>('report.run'),
  serviceStopped: message<'cause' | 'service'>('report.serviceStopped'),
  mappingStopped: message<'cause' | 'mapping'>('report.mappingStopped'),
  queued: message<'count'>('report.queued'),
  bothFromBefore: message<'documents' | 'files'>('report.bothFromBefore'),
  nothingToDo: message('report.nothingToDo'),
};

export const REPORT_COUNT = {
  refusedInInbox: message<'count'>('report-count.refusedInInbox'),
  notImported: message<'count'>('report-count.notImported'),
  otherFiles: message<'count'>('report-count.otherFiles'),
  filesRefused: message<'count'>('report-count.filesRefused'),
  refusedAgain: message<'count'>('report-count.refusedAgain'),
  sourcesMissing: message<'count'>('report-count.sourcesMissing'),
  correctionsRefused: message<'count'>('report-count.correctionsRefused'),
  exportsMissing: message<'count'>('report-count.exportsMissing'),
  fromBefore: message<'count'>('report-count.fromBefore'),
  filesFromBefore: message<'count'>('report-count.filesFromBefore'),
  queuedOnHold: message<'count'>('report-count.queuedOnHold'),
  filesImported: message<'count' | 'documents'>('report-count.filesImported'),
};

export const PROGRESS_COUNT = {
  consultations: message<'count' | 'service' | 'time'>('progress-count.consultations'),
};

export const PROGRESS = {
  sameBytes: message<'file' | 'first'>('progress.sameBytes'),
  waitsFor: message<'file' | 'partner' | 'until'>('progress.waitsFor'),
  noToFix: message<'file' | 'why'>('progress.noToFix'),
  noWorkbook: message<'file' | 'most'>('progress.noWorkbook'),
  nextTry: message<'says' | 'service' | 'time'>('progress.nextTry'),
  stopped: message<'cause' | 'says' | 'service'>('progress.stopped'),
  mappingHeld: message<'says' | 'service'>('progress.mappingHeld'),
  leftInInbox: message<'file' | 'why'>('progress.leftInInbox'),
  staysInInbox: message<'file' | 'why'>('progress.staysInInbox'),
  recovered: message<'documents' | 'files'>('progress.recovered'),
  takenOver: message<'documents' | 'files' | 'host' | 'pid'>('progress.takenOver'),
  conversionWaits: message<'host' | 'pid' | 'what'>('progress.conversionWaits'),
  conversionGoesOn: message('progress.conversionGoesOn'),
  writtenAgain: message<'receipts' | 'summaries'>('progress.writtenAgain'),
  ignoredInFolder: message<'files' | 'folder'>('progress.ignoredInFolder'),
  ofFile: message<'file' | 'notes'>('progress.ofFile'),
  imported: message<'documents'>('progress.imported'),
  list: message('progress.list'),
  mappingsChanged: message<'files'>('progress.mappingsChanged'),
  mappingsUnchanged: message('progress.mappingsUnchanged'),
  noNewStart: message<'fault'>('progress.noNewStart'),
  watching: message<'folder'>('progress.watching'),
};

export const LEFT_IN_INBOX = {
  young: message('left-in-inbox.young'),
  growing: message('left-in-inbox.growing'),
  empty: message('left-in-inbox.empty'),
  'no-marker': message('left-in-inbox.no-marker'),
  held: message('left-in-inbox.held'),
  ignored: message('left-in-inbox.ignored'),
  'not-asked': message('left-in-inbox.not-asked'),
  'two-meanings': message('left-in-inbox.two-meanings'),
};

export const EXPECTED_EXPORT = {
  when: message<'due' | 'since'>('expected-export.when'),
  missing: message<'files' | 'name' | 'when'>('expected-export.missing'),
  refused: message<'file' | 'name' | 'when'>('expected-export.refused'),
  duplicate: message<'file' | 'name' | 'when'>('expected-export.duplicate'),
};
