/** Generated from locales/<language>/cli-decisions.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CONSULT = {
  code: message<'code'>('consult.code'),
  times: message<'count'>('consult.times'),
  nextAt: message<'at'>('consult.nextAt'),
  notConfigured: message('consult.notConfigured'),
  configure: message('consult.configure'),
  notConsulted: message<'number' | 'state' | 'why'>('consult.notConsulted'),
  stopped: message<'service' | 'why'>('consult.stopped'),
  nothingDue: message<'service'>('consult.nothingDue'),
  nothingBefore: message<'at' | 'service'>('consult.nothingBefore'),
  firstTime: message('consult.firstTime'),
  wouldConsult: message<'count' | 'service'>('consult.wouldConsult'),
  consulted: message<'count' | 'service'>('consult.consulted'),
  noConsultation: message<'service'>('consult.noConsultation'),
};

export const NOT_CONSULTED = {
  invalid: message('not-consulted.invalid'),
  duplicate: message('not-consulted.duplicate'),
  conflict: message('not-consulted.conflict'),
  held: message('not-consulted.held'),
  ready: message('not-consulted.ready'),
  sending: message('not-consulted.sending'),
  authorized: message('not-consulted.authorized'),
  invalidated: message('not-consulted.invalidated'),
  rejected: message('not-consulted.rejected'),
  failed: message('not-consulted.failed'),
};

export const NOTHING_CHANGED = {
  plain: message('nothing-changed.plain'),
  dryRun: message('nothing-changed.dryRun'),
  noneSelected: message('nothing-changed.noneSelected'),
};

export const DECISION = {
  noReason: message('decision.noReason'),
  writeReason: message('decision.writeReason'),
  printedReason: message<'text'>('decision.printedReason'),
  printedValue: message<'text'>('decision.printedValue'),
  writeValue: message('decision.writeValue'),
  noEvidence: message<'path'>('decision.noEvidence'),
  checkPath: message('decision.checkPath'),
  confirmWithYes: message('decision.confirmWithYes'),
  manyDocuments: message<'count'>('decision.manyDocuments'),
  answer: message('decision.answer'),
};

export const CONFIRMATION = {
  fix: message<'count'>('confirmation.fix'),
  retry: message<'count'>('confirmation.retry'),
  release: message<'count'>('confirmation.release'),
  'set-aside': message<'count'>('confirmation.set-aside'),
  acknowledge: message<'count'>('confirmation.acknowledge'),
  reprocess: message<'count'>('confirmation.reprocess'),
};

export const SELECTION = {
  nothingNamed: message<'command'>('selection.nothingNamed'),
  nameThem: message('selection.nameThem'),
  noSuch: message<'name'>('selection.noSuch'),
  listUnchanged: message('selection.listUnchanged'),
  list: message('selection.list'),
  several: message<'count' | 'each' | 'name'>('selection.several'),
  severalFiles: message<'count' | 'each' | 'name'>('selection.severalFiles'),
  nameFile: message('selection.nameFile'),
  nameOne: message('selection.nameOne'),
};

export const FIX_BULK = {
  document: message('fix-bulk.document'),
  cell: message('fix-bulk.cell'),
  change: message('fix-bulk.change'),
  result: message('fix-bulk.result'),
  rowCell: message<'column' | 'row'>('fix-bulk.rowCell'),
  rowsCell: message<'column' | 'count'>('fix-bulk.rowsCell'),
  remains: message('fix-bulk.remains'),
  stillWrong: message<'code' | 'state'>('fix-bulk.stillWrong'),
  unchanged: message('fix-bulk.unchanged'),
  total: message<'cells' | 'documents' | 'passed' | 'wrong'>('fix-bulk.total'),
  cells: message<'count'>('fix-bulk.cells'),
  leftOut: message<'count' | 'why'>('fix-bulk.leftOut'),
  corrected: message<'count' | 'states'>('fix-bulk.corrected'),
  alreadyDone: message<'number'>('fix-bulk.alreadyDone'),
};

export const REPROCESS_OUTCOME = {
  remains: message<'number' | 'state'>('reprocess-outcome.remains'),
  remainsBecause: message<'number' | 'state' | 'why'>('reprocess-outcome.remainsBecause'),
  rejectedBefore: message('reprocess-outcome.rejectedBefore'),
  setAsideBefore: message('reprocess-outcome.setAsideBefore'),
  wouldBePart: message<'number' | 'other' | 'state'>('reprocess-outcome.wouldBePart'),
  isPart: message<'number' | 'other' | 'state'>('reprocess-outcome.isPart'),
  stillInvalid: message<'number' | 'parts'>('reprocess-outcome.stillInvalid'),
  wouldBecome: message<'number' | 'parts' | 'was'>('reprocess-outcome.wouldBecome'),
  became: message<'number' | 'parts' | 'was'>('reprocess-outcome.became'),
  moreFaults: message<'count'>('reprocess-outcome.moreFaults'),
  file: message<'documents' | 'file' | 'rows' | 'state'>('reprocess-outcome.file'),
};

export const REPROCESS_PART = {
  state: message<'state'>('reprocess-part.state'),
  held: message<'state' | 'why'>('reprocess-part.held'),
  sent: message('reprocess-part.sent'),
  newNumber: message<'number'>('reprocess-part.newNumber'),
  numberTaken: message<'first'>('reprocess-part.numberTaken'),
  moreDocuments: message<'count'>('reprocess-part.moreDocuments'),
};

export const REPROCESS_FILE = {
  refused: message<'file'>('reprocess-file.refused'),
  preview: message<'path'>('reprocess-file.preview'),
};

export const DECISION_RESULT = {
  retry: {
    not: message<'number' | 'state' | 'why'>('decision-result.retry.not'),
    would: message<'number' | 'state'>('decision-result.retry.would'),
    done: message<'number' | 'state'>('decision-result.retry.done'),
  },
  release: {
    not: message<'number' | 'state' | 'why'>('decision-result.release.not'),
    would: message<'number' | 'state'>('decision-result.release.would'),
    done: message<'number' | 'state'>('decision-result.release.done'),
  },
  'set-aside': {
    not: message<'number' | 'state' | 'why'>('decision-result.set-aside.not'),
    would: message<'number' | 'state'>('decision-result.set-aside.would'),
    done: message<'number' | 'state'>('decision-result.set-aside.done'),
  },
  acknowledge: {
    not: message<'number' | 'state' | 'why'>('decision-result.acknowledge.not'),
    would: message<'number' | 'state'>('decision-result.acknowledge.would'),
    done: message<'number' | 'state'>('decision-result.acknowledge.done'),
  },
};

export const REJECT_FILE = {
  would: message<'file'>('reject-file.would'),
  done: message<'file'>('reject-file.done'),
};

export const DECISION_REFUSAL = {
  changedMeanwhile: message('decision-refusal.changedMeanwhile'),
  onlyHeld: message('decision-refusal.onlyHeld'),
  notSetAside: message('decision-refusal.notSetAside'),
  onlyInvalidated: message('decision-refusal.onlyInvalidated'),
  notResolved: message('decision-refusal.notResolved'),
  authorizedWithoutProof: message<'times'>('decision-refusal.authorizedWithoutProof'),
  alreadyClosed: message('decision-refusal.alreadyClosed'),
  inDoubt: message('decision-refusal.inDoubt'),
  resolveEach: message('decision-refusal.resolveEach'),
};

export const RESUME = {
  done: message<'service'>('resume.done'),
  nothing: message<'service'>('resume.nothing'),
  noService: message<'service'>('resume.noService'),
  services: message<'names'>('resume.services'),
};

export const RESOLVE = {
  notFound: message<'number' | 'times'>('resolve.notFound'),
  notProven: message<'number' | 'why'>('resolve.notProven'),
  not: message<'number' | 'state'>('resolve.not'),
  done: message<'is' | 'number' | 'was'>('resolve.done'),
};

export const UNDO = {
  done: message<'from' | 'number' | 'state'>('undo.done'),
  doneCorrection: message<'from' | 'number' | 'state'>('undo.doneCorrection'),
  fileDone: message<'file'>('undo.fileDone'),
  fileReplaced: message<'file'>('undo.fileReplaced'),
  fileListedAs: message<'file' | 'other'>('undo.fileListedAs'),
  exportDone: message<'due' | 'name'>('undo.exportDone'),
  not: message<'number' | 'why'>('undo.not'),
  nothing: message('undo.nothing'),
  undoneBefore: message('undo.undoneBefore'),
  tooOld: message('undo.tooOld'),
  movedOn: message<'number'>('undo.movedOn'),
  purged: message('undo.purged'),
  correctionSent: message<'number'>('undo.correctionSent'),
  correctionMovedRows: message('undo.correctionMovedRows'),
  correctionStays: message('undo.correctionStays'),
  reason: message<'reason'>('undo.reason'),
};

export const WAIVE = {
  done: message<'due' | 'name'>('waive.done'),
  would: message<'due' | 'name'>('waive.would'),
  unknown: message<'name'>('waive.unknown'),
  names: message<'names'>('waive.names'),
  noDay: message<'day' | 'name'>('waive.noDay'),
  nextDays: message('waive.nextDays'),
  arrived: message<'due' | 'name'>('waive.arrived'),
  already: message<'due' | 'name'>('waive.already'),
  none: message('waive.none'),
  howToExpect: message('waive.howToExpect'),
  notDue: message<'due' | 'name'>('waive.notDue'),
  past: message<'due' | 'latest' | 'name'>('waive.past'),
  line: message<'by' | 'due' | 'name' | 'reason'>('waive.line'),
};

export const APPROVE = {
  waits: message<'expires' | 'id'>('approve.waits'),
  whatToDo: message<'id'>('approve.whatToDo'),
  none: message('approve.none'),
  line: message<'act' | 'at' | 'by' | 'count' | 'expires' | 'id' | 'reason'>('approve.line'),
  done: message<'id'>('approve.done'),
  became: message<'is' | 'number' | 'was'>('approve.became'),
  stays: message<'number' | 'was'>('approve.stays'),
};
