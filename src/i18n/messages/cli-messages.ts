/** Generated from locales/<language>/cli.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CONSULT = {
  notConfigured: message('consult.notConfigured'),
  configure: message('consult.configure'),
  notAsked: message<'number' | 'state' | 'why'>('consult.notAsked'),
  stopped: message<'service' | 'why'>('consult.stopped'),
  nothingToAsk: message<'service'>('consult.nothingToAsk'),
  nothingBefore: message<'at' | 'service'>('consult.nothingBefore'),
  firstTime: message('consult.firstTime'),
  wouldAsk: message<'count' | 'service'>('consult.wouldAsk'),
  asked: message<'count' | 'service'>('consult.asked'),
  noConsultation: message<'service'>('consult.noConsultation'),
};

export const INSTEAD = {
  invalid: message('instead.invalid'),
  duplicate: message('instead.duplicate'),
  conflict: message('instead.conflict'),
  held: message('instead.held'),
  ready: message('instead.ready'),
  sending: message('instead.sending'),
  authorized: message('instead.authorized'),
  invalidated: message('instead.invalidated'),
  rejected: message('instead.rejected'),
  failed: message('instead.failed'),
};

export const COUNT = {
  document: message<'count'>('count.document'),
  file: message<'count'>('count.file'),
  row: message<'count'>('count.row'),
  passedWithWarnings: message<'count'>('count.passedWithWarnings'),
};

export const MANY = {
  duplicate: message<'count'>('many.duplicate'),
  conflict: message<'count'>('many.conflict'),
  held: message<'count'>('many.held'),
  authorized: message<'count'>('many.authorized'),
  invalidated: message<'count'>('many.invalidated'),
};

export const COUNTS_TEXT = {
  failed: message<'count'>('counts-text.failed'),
  inState: message<'count' | 'state'>('counts-text.inState'),
};

export const COUNTS_ROWS = {
  row: message<'rows'>('counts-rows.row'),
  rows: message<'rows'>('counts-rows.rows'),
};

export const DONE = {
  nothing: message('done.nothing'),
  dryRun: message('done.dryRun'),
  noneMeant: message('done.noneMeant'),
};

export const DECIDE = {
  noReason: message('decide.noReason'),
  writeReason: message('decide.writeReason'),
  printedReason: message<'text'>('decide.printedReason'),
  printedValue: message<'text'>('decide.printedValue'),
  writeValue: message('decide.writeValue'),
  noEvidence: message<'path'>('decide.noEvidence'),
  checkPath: message('decide.checkPath'),
  sayYes: message('decide.sayYes'),
};

export const DECISION_TEXT = {
  manyDocuments: message<'count'>('decision-text.manyDocuments'),
  answer: message('decision-text.answer'),
};

export const QUESTION = {
  retry: message<'count'>('question.retry'),
  release: message<'count'>('question.release'),
  reject: message<'count'>('question.reject'),
  reprocess: message<'count'>('question.reprocess'),
};

export const SELECT = {
  nothingNamed: message<'command'>('select.nothingNamed'),
  nameThem: message('select.nameThem'),
  noSuch: message<'name'>('select.noSuch'),
  nothingChangedList: message('select.nothingChangedList'),
  list: message('select.list'),
  several: message<'count' | 'each' | 'name'>('select.several'),
  severalFiles: message<'count' | 'each' | 'name'>('select.severalFiles'),
  nameFile: message('select.nameFile'),
  nameOne: message('select.nameOne'),
};

export const ERRORS = {
  further: message<'causes'>('errors.further'),
  write: message<'message' | 'suggestion'>('errors.write'),
  inErp: message<'message'>('errors.inErp'),
  setAside: message<'by' | 'reason'>('errors.setAside'),
  nothing: message('errors.nothing'),
  nothingAsked: message('errors.nothingAsked'),
  noCause: message<'cause'>('errors.noCause'),
  noWarnings: message('errors.noWarnings'),
  hint: message<'code' | 'hint'>('errors.hint'),
  toCorrectIn: message<'documents' | 'path'>('errors.toCorrectIn'),
  noExport: message('errors.noExport'),
  more: message<'count' | 'documents'>('errors.more'),
};

export const ERRORS_TABLE = {
  document: message('errors-table.document'),
  state: message('errors-table.state'),
  counterparty: message('errors-table.counterparty'),
  from: message('errors-table.from'),
  cause: message('errors-table.cause'),
  count: message('errors-table.count'),
  example: message('errors-table.example'),
  documents: message('errors-table.documents'),
  in: message('errors-table.in'),
  whatToDo: message('errors-table.whatToDo'),
};

export const WAY = {
  value: message('way.value'),
  column: message('way.column'),
  besideCell: message<'again' | 'fix' | 'hint' | 'reject'>('way.besideCell'),
  besideRow: message<'again' | 'hint'>('way.besideRow'),
  onlyInErp: message<'rule'>('way.onlyInErp'),
  onlyInErpThenAside: message<'reject' | 'rule'>('way.onlyInErpThenAside'),
  lacking: message<'again' | 'hint' | 'mapping'>('way.lacking'),
  totalsRow: message<'hint' | 'mapping' | 'reject'>('way.totalsRow'),
  cells: message<'path'>('way.cells'),
  cellsInErp: message('way.cellsInErp'),
  toFixFiles: message('way.toFixFiles'),
  allOfFile: message<'again' | 'count' | 'file' | 'mapping'>('way.allOfFile'),
  oneByOne: message<'fix' | 'way'>('way.oneByOne'),
  others: message<'others' | 'whole'>('way.others'),
  table: message<'again' | 'fix'>('way.table'),
  noSuchClass: message<'again' | 'hint' | 'reject'>('way.noSuchClass'),
  newNumber: message<'first' | 'reject'>('way.newNumber'),
  rowsAnywhere: message<'again' | 'mapping'>('way.rowsAnywhere'),
  fillIn: message<'again' | 'field' | 'mapping'>('way.fillIn'),
  rowTwice: message<'message'>('way.rowTwice'),
  compare: message<'number' | 'values' | 'way'>('way.compare'),
  release: message<'number' | 'reject' | 'release'>('way.release'),
  releaseCompared: message<'number' | 'reject' | 'release'>('way.releaseCompared'),
  support: message<'retry'>('way.support'),
  resend: message<'retry'>('way.resend'),
  resolve: message<'consult' | 'resolve'>('way.resolve'),
};

export const FIX = {
  cell: message<'column' | 'from' | 'number' | 'row' | 'to'>('fix.cell'),
  rowUnreadable: message<'document'>('fix.rowUnreadable'),
  correctInErp: message('fix.correctInErp'),
  besideBroken: message<'document'>('fix.besideBroken'),
  correctBeside: message<'document'>('fix.correctBeside'),
  nothingGiven: message('fix.nothingGiven'),
  giveCell: message('fix.giveCell'),
  nothingChanges: message<'document'>('fix.nothingChanges'),
  readAgain: message<'document'>('fix.readAgain'),
  notACell: message<'text'>('fix.notACell'),
  writeCell: message('fix.writeCell'),
  severalValues: message<'column' | 'document' | 'each'>('fix.severalValues'),
  valueOfRow: message<'from' | 'row'>('fix.valueOfRow'),
  sayRow: message<'cell'>('fix.sayRow'),
  nothingSuggested: message<'document'>('fix.nothingSuggested'),
  nameCell: message('fix.nameCell'),
  noSuchRow: message<'document' | 'row'>('fix.noSuchRow'),
  itsRows: message<'rows'>('fix.itsRows'),
  noSuchColumn: message<'column'>('fix.noSuchColumn'),
  itsColumns: message<'columns'>('fix.itsColumns'),
  didYouMean: message<'near'>('fix.didYouMean'),
};

export const PREVIEW = {
  notADiff: message('preview.notADiff'),
  addFormat: message('preview.addFormat'),
  noSuchNumber: message<'number'>('preview.noSuchNumber'),
  counted: message<'documents' | 'wrong'>('preview.counted'),
  noNumber: message('preview.noNumber'),
  fromRow: message<'row'>('preview.fromRow'),
  feedsNothing: message('preview.feedsNothing'),
  refusedNothing: message('preview.refusedNothing'),
  inDocument: message<'class' | 'document'>('preview.inDocument'),
  andMore: message<'cells' | 'count'>('preview.andMore'),
  nothing: message('preview.nothing'),
  noFile: message<'path'>('preview.noFile'),
};

export const PREVIEW_TABLE = {
  field: message('preview-table.field'),
  value: message('preview-table.value'),
  from: message('preview-table.from'),
  mapping: message('preview-table.mapping'),
  feeds: message('preview-table.feeds'),
};

export const PREVIEW_SUMMARY = {
  fault: message('preview-summary.fault'),
  documents: message('preview-summary.documents'),
  first: message('preview-summary.first'),
};

export const PREVIEW_TEXT = {
  cellsCut: message<'count'>('preview-text.cellsCut'),
};

export const AGAINST_LEDGER = {
  same: message('against-ledger.same'),
  changed: message('against-ledger.changed'),
  new: message('against-ledger.new'),
  'now-refused': message('against-ledger.now-refused'),
  'now-valid': message('against-ledger.now-valid'),
  'still-refused': message('against-ledger.still-refused'),
};

export const COUNTED_AGAINST_LEDGER = {
  same: message<'count'>('counted-against-ledger.same'),
  changed: message<'count'>('counted-against-ledger.changed'),
  new: message<'count'>('counted-against-ledger.new'),
  'now-refused': message<'count'>('counted-against-ledger.now-refused'),
  'now-valid': message<'count'>('counted-against-ledger.now-valid'),
  'still-refused': message<'count'>('counted-against-ledger.still-refused'),
};

export const DIFFERENCES = {
  summary: message<'counts'>('differences.summary'),
  none: message('differences.none'),
  recorded: message<'mapping' | 'state'>('differences.recorded'),
  noMapping: message('differences.noMapping'),
};

export const BETWEEN_VERSIONS = {
  same: message('between-versions.same'),
  changed: message('between-versions.changed'),
  added: message('between-versions.added'),
  removed: message('between-versions.removed'),
  refused: message('between-versions.refused'),
  mended: message('between-versions.mended'),
};

export const COUNTED_BETWEEN_VERSIONS = {
  same: message<'count'>('counted-between-versions.same'),
  changed: message<'count'>('counted-between-versions.changed'),
  added: message<'count'>('counted-between-versions.added'),
  removed: message<'count'>('counted-between-versions.removed'),
  refused: message<'count'>('counted-between-versions.refused'),
  mended: message<'count'>('counted-between-versions.mended'),
};

export const DIFF = {
  head: message<'counts' | 'files'>('diff.head'),
  none: message('diff.none'),
  readNow: message('diff.readNow'),
  refusedNow: message('diff.refusedNow'),
  refused: message('diff.refused'),
  was: message<'number'>('diff.was'),
};

export const DIFF_TABLE = {
  documents: message('diff-table.documents'),
  field: message('diff-table.field'),
  example: message('diff-table.example'),
  fault: message('diff-table.fault'),
  appears: message('diff-table.appears'),
  disappears: message('diff-table.disappears'),
};

export const DIFF_COUNT = {
  files: message<'count'>('diff-count.files'),
  onlyNew: message<'count'>('diff-count.onlyNew'),
  refusedByNew: message<'count'>('diff-count.refusedByNew'),
  refusedByBoth: message<'count'>('diff-count.refusedByBoth'),
};

export const PURGE = {
  noSubject: message('purge.noSubject'),
  ending: message('purge.ending'),
  stopped: message<'documents'>('purge.stopped'),
  nameIt: message('purge.nameIt'),
  wouldRemove: message('purge.wouldRemove'),
  removed: message('purge.removed'),
  aged: message<'age' | 'what'>('purge.aged'),
  withAttachments: message<'attachments' | 'exports'>('purge.withAttachments'),
  forEver: message<'part'>('purge.forEver'),
  olderThan: message<'day'>('purge.olderThan'),
  andMore: message<'count'>('purge.andMore'),
};

export const PURGE_COUNT = {
  receipts: message<'count'>('purge-count.receipts'),
  contents: message<'count'>('purge-count.contents'),
  summaries: message<'count'>('purge-count.summaries'),
  exports: message<'count'>('purge-count.exports'),
  attachments: message<'count'>('purge-count.attachments'),
  logs: message<'count'>('purge-count.logs'),
  waiting: message<'count'>('purge-count.waiting'),
};

export const MEND = {
  missing: message('mend.missing'),
  damaged: message('mend.damaged'),
  nothing: message('mend.nothing'),
  would: message<'count'>('mend.would'),
  done: message<'count'>('mend.done'),
};

export const BECOMING = {
  staysAsIs: message<'number' | 'state'>('becoming.staysAsIs'),
  unchanged: message<'number' | 'state' | 'why'>('becoming.unchanged'),
  rejectedBefore: message('becoming.rejectedBefore'),
  setAsideBefore: message('becoming.setAsideBefore'),
  wouldBePart: message<'number' | 'other' | 'state'>('becoming.wouldBePart'),
  isPart: message<'number' | 'other' | 'state'>('becoming.isPart'),
  still: message<'number' | 'parts'>('becoming.still'),
  would: message<'number' | 'parts' | 'was'>('becoming.would'),
  is: message<'number' | 'parts' | 'was'>('becoming.is'),
  andMoreFaults: message<'count'>('becoming.andMoreFaults'),
  file: message<'documents' | 'file' | 'rows' | 'state'>('becoming.file'),
};

export const AND_ALSO = {
  state: message<'state'>('and-also.state'),
  held: message<'state' | 'why'>('and-also.held'),
  sent: message('and-also.sent'),
  as: message<'number'>('and-also.as'),
  taken: message<'first'>('and-also.taken'),
  more: message<'count'>('and-also.more'),
};

export const WHOLE_FILE = {
  refused: message<'file'>('whole-file.refused'),
  preview: message<'path'>('whole-file.preview'),
};

export const WAYS_OF_DECIDING = {
  retry: {
    not: message<'number' | 'state' | 'why'>('ways-of-deciding.retry.not'),
    would: message<'number' | 'state'>('ways-of-deciding.retry.would'),
    done: message<'number' | 'state'>('ways-of-deciding.retry.done'),
  },
  release: {
    not: message<'number' | 'state' | 'why'>('ways-of-deciding.release.not'),
    would: message<'number' | 'state'>('ways-of-deciding.release.would'),
    done: message<'number' | 'state'>('ways-of-deciding.release.done'),
  },
  reject: {
    not: message<'number' | 'state' | 'why'>('ways-of-deciding.reject.not'),
    would: message<'number' | 'state'>('ways-of-deciding.reject.would'),
    done: message<'number' | 'state'>('ways-of-deciding.reject.done'),
  },
};

export const REJECT_FILE = {
  would: message<'file'>('reject-file.would'),
  done: message<'file'>('reject-file.done'),
};

export const RETRY = {
  changedMeanwhile: message('retry.changedMeanwhile'),
  onlyReleased: message('retry.onlyReleased'),
  onlyRejected: message('retry.onlyRejected'),
  asideAlready: message('retry.asideAlready'),
  inDoubt: message('retry.inDoubt'),
  eachOne: message('retry.eachOne'),
};

export const RESUME = {
  done: message<'service'>('resume.done'),
  nothing: message<'service'>('resume.nothing'),
  noService: message<'service'>('resume.noService'),
  services: message<'names'>('resume.services'),
};

export const RESOLVE = {
  not: message<'number' | 'state'>('resolve.not'),
  done: message<'is' | 'number' | 'was'>('resolve.done'),
};

export const NIGHT_TABLE = {
  file: message('night-table.file'),
  docs: message('night-table.docs'),
  warnings: message('night-table.warnings'),
  setAside: message('night-table.setAside'),
  sent: message('night-table.sent'),
  authorized: message('night-table.authorized'),
  toCorrect: message('night-table.toCorrect'),
  numberUsed: message('night-table.numberUsed'),
  toVerify: message('night-table.toVerify'),
  support: message('night-table.support'),
  contingency: message('night-table.contingency'),
  held: message('night-table.held'),
  queued: message('night-table.queued'),
  duplicate: message('night-table.duplicate'),
  invalidated: message('night-table.invalidated'),
};

export const FILE_STATE = {
  loading: message('file-state.loading'),
  admitted: message('file-state.admitted'),
  refused: message('file-state.refused'),
  duplicate: message('file-state.duplicate'),
};

export const CORRECTIONS_COUNT = {
  corrected: message<'count'>('corrections-count.corrected'),
  unchanged: message<'count'>('corrections-count.unchanged'),
  refused: message<'count'>('corrections-count.refused'),
};

export const CORRECTIONS = {
  each: message<'parts'>('corrections.each'),
  none: message('corrections.none'),
  told: message<'file' | 'parts'>('corrections.told'),
  empty: message<'file'>('corrections.empty'),
};

export const NIGHT = {
  nothingNew: message('night.nothingNew'),
  earlier: message<'documents'>('night.earlier'),
  untold: message<'since'>('night.untold'),
  number: message<'count'>('night.number'),
  warnings: message<'command' | 'documents'>('night.warnings'),
  whatToDo: message<'readmes'>('night.whatToDo'),
  list: message('night.list'),
  run: message<'run'>('night.run'),
  serviceStopped: message<'cause' | 'service'>('night.serviceStopped'),
  mappingStopped: message<'cause' | 'mapping'>('night.mappingStopped'),
  queued: message<'count'>('night.queued'),
  bothFromBefore: message<'documents' | 'files'>('night.bothFromBefore'),
  nothingWaits: message('night.nothingWaits'),
};

export const NIGHT_COUNT = {
  left: message<'count'>('night-count.left'),
  notTaken: message<'count'>('night-count.notTaken'),
  otherFiles: message<'count'>('night-count.otherFiles'),
  filesRefused: message<'count'>('night-count.filesRefused'),
  sourcesMissing: message<'count'>('night-count.sourcesMissing'),
  correctionsRefused: message<'count'>('night-count.correctionsRefused'),
  exportsMissing: message<'count'>('night-count.exportsMissing'),
  fromBefore: message<'count'>('night-count.fromBefore'),
  filesFromBefore: message<'count'>('night-count.filesFromBefore'),
  itsQueued: message<'count'>('night-count.itsQueued'),
  filesTaken: message<'count' | 'documents'>('night-count.filesTaken'),
};

export const WHILE_RUNNING = {
  sameBytes: message<'file' | 'first'>('while-running.sameBytes'),
  waitsFor: message<'file' | 'partner' | 'until'>('while-running.waitsFor'),
  noToFix: message<'file' | 'why'>('while-running.noToFix'),
  nextTry: message<'says' | 'service' | 'time'>('while-running.nextTry'),
  stopped: message<'cause' | 'says' | 'service'>('while-running.stopped'),
  mappingHeld: message<'says' | 'service'>('while-running.mappingHeld'),
  leftWaiting: message<'file' | 'why'>('while-running.leftWaiting'),
  recovered: message<'documents' | 'files'>('while-running.recovered'),
  decidesNothing: message<'files' | 'folder'>('while-running.decidesNothing'),
  ofFile: message<'file' | 'notes'>('while-running.ofFile'),
  takenIn: message<'documents'>('while-running.takenIn'),
  list: message('while-running.list'),
  mappingsChanged: message<'files'>('while-running.mappingsChanged'),
  mappingsAsBefore: message('while-running.mappingsAsBefore'),
  noNewStart: message<'fault'>('while-running.noNewStart'),
  watching: message<'folder'>('while-running.watching'),
};

export const LEFT_WAITING = {
  young: message('left-waiting.young'),
  growing: message('left-waiting.growing'),
  empty: message('left-waiting.empty'),
  'no-marker': message('left-waiting.no-marker'),
  held: message('left-waiting.held'),
};

export const SESSION = {
  ending: message('session.ending'),
  mappingWrong: message<'fault'>('session.mappingWrong'),
  mappingsWrong: message<'fault' | 'more'>('session.mappingsWrong'),
  ledgerUnavailable: message('session.ledgerUnavailable'),
  noLog: message<'error' | 'path'>('session.noLog'),
  endingUnchanged: message('session.endingUnchanged'),
  unchanged: message('session.unchanged'),
  endingSandbox: message('session.endingSandbox'),
};

export const SHOW_LABEL = {
  id: message('show-label.id'),
  source: message('show-label.source'),
  mapping: message('show-label.mapping'),
  answer: message('show-label.answer'),
  tracking: message('show-label.tracking'),
  first: message('show-label.first'),
  purged: message('show-label.purged'),
  held: message('show-label.held'),
  evidence: message('show-label.evidence'),
  next: message('show-label.next'),
};

export const SHOW = {
  revision: message<'revision'>('show.revision'),
  noSuch: message<'name'>('show.noSuch'),
  underWay: message('show.underWay'),
  corrected: message('show.corrected'),
  cell: message<'column' | 'row'>('show.cell'),
  said: message<'by' | 'reason'>('show.said'),
  by: message<'by'>('show.by'),
  evidence: message<'by' | 'file' | 'hash' | 'reason'>('show.evidence'),
  byPerson: message('show.byPerson'),
  history: message('show.history'),
  removed: message<'at' | 'by' | 'parts' | 'reason'>('show.removed'),
};

export const PURGED = {
  archive: message('purged.archive'),
  summary: message('purged.summary'),
  receipts: message('purged.receipts'),
  content: message('purged.content'),
};

export const STATUS = {
  environment: message('status.environment'),
  inInbox: message<'count'>('status.inInbox'),
  noDocuments: message('status.noDocuments'),
  warnings: message<'command' | 'documents' | 'latest'>('status.warnings'),
  waits: message<'file' | 'partner'>('status.waits'),
  service: message<'consultation' | 'service' | 'state'>('status.service'),
  stopped: message<'at' | 'cause' | 'says'>('status.stopped'),
  takes: message('status.takes'),
  configured: message('status.configured'),
  notConfigured: message('status.notConfigured'),
  receiptsEnd: message<'head'>('status.receiptsEnd'),
  quarantine: message<'at' | 'by' | 'why'>('status.quarantine'),
  noWitness: message('status.noWitness'),
  nothingSent: message<'code' | 'reason'>('status.nothingSent'),
};

export const STATUS_COUNT = {
  filesRefused: message<'count'>('status-count.filesRefused'),
  sourcesMissing: message<'count'>('status-count.sourcesMissing'),
};

export const STATUS_TABLE = {
  state: message('status-table.state'),
  documents: message('status-table.documents'),
  whoActs: message('status-table.whoActs'),
  folder: message('status-table.folder'),
};

export const ACTOR = {
  machine: message('actor.machine'),
  finance: message('actor.finance'),
  support: message('actor.support'),
  admin: message('actor.admin'),
};

export const EXPECTED = {
  when: message<'due' | 'since'>('expected.when'),
  missing: message<'files' | 'name' | 'when'>('expected.missing'),
  refused: message<'file' | 'name' | 'when'>('expected.refused'),
  duplicate: message<'file' | 'name' | 'when'>('expected.duplicate'),
};

export const SURROUNDINGS = {
  noAccess: message<'where'>('surroundings.noAccess'),
  readOnly: message<'where'>('surroundings.readOnly'),
  diskFull: message<'where'>('surroundings.diskFull'),
  tooManyOpen: message<'where'>('surroundings.tooManyOpen'),
  missing: message<'where'>('surroundings.missing'),
  inTheWay: message<'where'>('surroundings.inTheWay'),
  deviceError: message<'where'>('surroundings.deviceError'),
  ledger: message('surroundings.ledger'),
  hint: message('surroundings.hint'),
};

export const VERIFY = {
  allOrSome: message('verify.allOrSome'),
  leaveOneOut: message('verify.leaveOneOut'),
  noSuch: message('verify.noSuch'),
  documents: message<'count' | 'seconds'>('verify.documents'),
  proven: message<'documents'>('verify.proven'),
  endsIn: message<'head' | 'links'>('verify.endsIn'),
  withMappings: message<'exports' | 'mappings'>('verify.withMappings'),
  hearsay: message<'answers' | 'count'>('verify.hearsay'),
  purged: message<'count'>('verify.purged'),
  givenUp: message<'count'>('verify.givenUp'),
  notSettled: message<'count'>('verify.notSettled'),
  ending: message('verify.ending'),
  stopped: message('verify.stopped'),
  whole: message('verify.whole'),
};

export const VERIFY_LABEL = {
  chain: message('verify-label.chain'),
  exports: message('verify-label.exports'),
  contents: message('verify-label.contents'),
  answers: message('verify-label.answers'),
  documents: message('verify-label.documents'),
  purged: message('verify-label.purged'),
  givenUp: message('verify-label.givenUp'),
  notSettled: message('verify-label.notSettled'),
};

export const VERIFY_COUNT = {
  links: message<'count'>('verify-count.links'),
  exports: message<'count'>('verify-count.exports'),
  contents: message<'count'>('verify-count.contents'),
  answers: message<'count'>('verify-count.answers'),
  mappings: message<'count'>('verify-count.mappings'),
  breaks: message<'count'>('verify-count.breaks'),
};
