/** Generated from locales/<language>/cli-views.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const ERRORS = {
  further: message<'causes'>('errors.further'),
  writeSuggestion: message<'message' | 'suggestion'>('errors.writeSuggestion'),
  inErp: message<'message'>('errors.inErp'),
  forExample: message<'says'>('errors.forExample'),
  setAside: message<'by' | 'reason'>('errors.setAside'),
  nothing: message('errors.nothing'),
  nothingSelected: message('errors.nothingSelected'),
  noCause: message<'cause'>('errors.noCause'),
  noWarnings: message('errors.noWarnings'),
  hint: message<'code' | 'hint'>('errors.hint'),
  toCorrectIn: message<'documents' | 'path'>('errors.toCorrectIn'),
  noExport: message('errors.noExport'),
  more: message<'count' | 'documents'>('errors.more'),
  moreLikeIt: message<'count' | 'fault'>('errors.moreLikeIt'),
};

export const ERRORS_TABLE = {
  amount: message('errors-table.amount'),
  column: message('errors-table.column'),
  file: message('errors-table.file'),
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
  problem: message('errors-table.problem'),
};

export const PROPOSAL = {
  replace: message<'column' | 'count' | 'file' | 'from' | 'line' | 'to' | 'under'>('proposal.replace'),
  more: message<'count'>('proposal.more'),
};

export const CAUSES = {
  none: message('causes.none'),
  example: message<'column' | 'count' | 'message'>('causes.example'),
  inColumn: message<'column' | 'message'>('causes.inColumn'),
  start: message<'command'>('causes.start'),
  all: message<'by'>('causes.all'),
  moreGroups: message<'count'>('causes.moreGroups'),
  moreFiles: message<'count'>('causes.moreFiles'),
};

export const SERVICE_ANSWER = {
  other: message('service-answer.other'),
  plain: message<'code' | 'meaning'>('service-answer.plain'),
  named: message<'code' | 'meaning' | 'name'>('service-answer.named'),
  withMessage: message<'answer' | 'message'>('service-answer.withMessage'),
};

export const NEXT_STEP = {
  value: message('next-step.value'),
  column: message('next-step.column'),
  neighborCell: message<'again' | 'fix' | 'hint' | 'reject'>('next-step.neighborCell'),
  neighborRow: message<'again' | 'hint'>('next-step.neighborRow'),
  onlyInErp: message<'rule'>('next-step.onlyInErp'),
  onlyInErpNoNumber: message<'reject' | 'rule'>('next-step.onlyInErpNoNumber'),
  missingValue: message<'again' | 'hint' | 'mapping'>('next-step.missingValue'),
  totalsRow: message<'hint' | 'mapping' | 'reject'>('next-step.totalsRow'),
  editCells: message<'path'>('next-step.editCells'),
  editCellsInErp: message('next-step.editCellsInErp'),
  toFixFiles: message('next-step.toFixFiles'),
  allOfFile: message<'again' | 'count' | 'file' | 'mapping'>('next-step.allOfFile'),
  allAtOnce: message<'fix' | 'way'>('next-step.allAtOnce'),
  orAllAtOnce: message<'fix' | 'way'>('next-step.orAllAtOnce'),
  oneByOne: message<'fix' | 'way'>('next-step.oneByOne'),
  otherDocuments: message<'others' | 'whole'>('next-step.otherDocuments'),
  missingTableEntry: message<'again' | 'fix'>('next-step.missingTableEntry'),
  noSuchClass: message<'again' | 'hint' | 'reject'>('next-step.noSuchClass'),
  newNumber: message<'first' | 'reject'>('next-step.newNumber'),
  rowsAnywhere: message<'again' | 'mapping'>('next-step.rowsAnywhere'),
  fillIn: message<'again' | 'field' | 'mapping'>('next-step.fillIn'),
  rowTwice: message<'message'>('next-step.rowTwice'),
  compareWithOriginal: message<'number' | 'values' | 'way'>('next-step.compareWithOriginal'),
  acknowledge: message<'acknowledge'>('next-step.acknowledge'),
  release: message<'number' | 'reject' | 'release'>('next-step.release'),
  releaseCompared: message<'number' | 'reject' | 'release'>('next-step.releaseCompared'),
  outcomeArrived: message<'number' | 'release' | 'resolve'>('next-step.outcomeArrived'),
  support: message<'retry'>('next-step.support'),
  resend: message<'retry'>('next-step.resend'),
  resolveInPortal: message<'resolve'>('next-step.resolveInPortal'),
  resolve: message<'consult' | 'resolve'>('next-step.resolve'),
};

export const SHOW_LABEL = {
  id: message('show-label.id'),
  sourceNumber: message('show-label.sourceNumber'),
  source: message('show-label.source'),
  mapping: message('show-label.mapping'),
  answer: message('show-label.answer'),
  tracking: message('show-label.tracking'),
  first: message('show-label.first'),
  purged: message('show-label.purged'),
  held: message('show-label.held'),
  evidence: message('show-label.evidence'),
  closed: message('show-label.closed'),
  next: message('show-label.next'),
};

export const SHOW = {
  requestId: message('show.requestId'),
  revision: message<'revision'>('show.revision'),
  noSuch: message<'name'>('show.noSuch'),
  underWay: message('show.underWay'),
  corrected: message('show.corrected'),
  cell: message<'column' | 'row'>('show.cell'),
  byWithReason: message<'by' | 'reason'>('show.byWithReason'),
  evidence: message<'by' | 'file' | 'hash' | 'reason'>('show.evidence'),
  byPerson: message('show.byPerson'),
  history: message('show.history'),
  removed: message<'at' | 'by' | 'parts' | 'reason'>('show.removed'),
};

export const PURGED_PART = {
  archive: message('purged-part.archive'),
  summary: message('purged-part.summary'),
  receipts: message('purged-part.receipts'),
  content: message('purged-part.content'),
};

export const STATUS = {
  environment: message('status.environment'),
  inInbox: message<'count'>('status.inInbox'),
  noDocuments: message('status.noDocuments'),
  warnings: message<'command' | 'documents' | 'latest'>('status.warnings'),
  waits: message<'file' | 'partner'>('status.waits'),
  service: message<'consultation' | 'service' | 'state'>('status.service'),
  stopped: message<'at' | 'cause' | 'says'>('status.stopped'),
  notFilledIn: message('status.notFilledIn'),
  notReached: message('status.notReached'),
  active: message('status.active'),
  configured: message('status.configured'),
  notConfigured: message('status.notConfigured'),
  receiptsEnd: message<'head'>('status.receiptsEnd'),
  quarantine: message<'at' | 'by' | 'why'>('status.quarantine'),
  noWitness: message('status.noWitness'),
  workerWaits: message<'host' | 'pid' | 'what'>('status.workerWaits'),
  nothingSent: message<'code' | 'reason'>('status.nothingSent'),
};

export const STATUS_COUNT = {
  worker: message<'count' | 'held' | 'host' | 'pid' | 'since' | 'state' | 'tasks'>('status-count.worker'),
  aloneAtWork: message<'host' | 'pid' | 'since' | 'work'>('status-count.aloneAtWork'),
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

export const RUNS = {
  none: message('runs.none'),
  running: message('runs.running'),
  runningWatch: message('runs.runningWatch'),
  completed: message<'exit' | 'words'>('runs.completed'),
  stopped: message<'exit'>('runs.stopped'),
  failed: message<'error' | 'exit'>('runs.failed'),
  died: message('runs.died'),
  last: message<'outcome' | 'start'>('runs.last'),
  noneYet: message('runs.noneYet'),
};

export const EXIT_WORD = {
  code0: message('exit-word.code0'),
  code1: message('exit-word.code1'),
  code2: message('exit-word.code2'),
  code3: message('exit-word.code3'),
  code4: message('exit-word.code4'),
  code5: message('exit-word.code5'),
  code6: message('exit-word.code6'),
  code7: message('exit-word.code7'),
  code129: message('exit-word.code129'),
  code130: message('exit-word.code130'),
  code143: message('exit-word.code143'),
};

export const RUNS_TABLE = {
  run: message('runs-table.run'),
  start: message('runs-table.start'),
  duration: message('runs-table.duration'),
  outcome: message('runs-table.outcome'),
  files: message('runs-table.files'),
  documents: message('runs-table.documents'),
  authorized: message('runs-table.authorized'),
};

export const RUN_CHANGES = {
  program: message<'was'>('run-changes.program'),
  mapping: message<'id' | 'version'>('run-changes.mapping'),
  mappingVersion: message<'id' | 'is' | 'was'>('run-changes.mappingVersion'),
  setting: message<'is' | 'path' | 'was'>('run-changes.setting'),
  settingAdded: message<'is' | 'path'>('run-changes.settingAdded'),
  settingRemoved: message<'path' | 'was'>('run-changes.settingRemoved'),
  settingBlock: message<'path'>('run-changes.settingBlock'),
  settingNewBlock: message<'path'>('run-changes.settingNewBlock'),
  settingGoneBlock: message<'path'>('run-changes.settingGoneBlock'),
};

export const STATUS_CHECK = {
  ok: message('status-check.ok'),
  nothingSent: message<'code'>('status-check.nothingSent'),
  quarantine: message('status-check.quarantine'),
  mappings: message('status-check.mappings'),
  paused: message<'cause' | 'service'>('status-check.paused'),
  exportsMissing: message<'count'>('status-check.exportsMissing'),
  lastFailed: message<'error' | 'start'>('status-check.lastFailed'),
  lastDied: message<'start'>('status-check.lastDied'),
  tooOld: message<'start'>('status-check.tooOld'),
  clockBehind: message<'start'>('status-check.clockBehind'),
  inboxAway: message('status-check.inboxAway'),
  noRun: message('status-check.noRun'),
  documents: message<'count'>('status-check.documents'),
  filesRefused: message<'count'>('status-check.filesRefused'),
  filesToo: message<'count'>('status-check.filesToo'),
  documentsAndFiles: message<'documents' | 'files'>('status-check.documentsAndFiles'),
  sourcesMissing: message<'count'>('status-check.sourcesMissing'),
  exportRefused: message<'count'>('status-check.exportRefused'),
};

export const SEARCH = {
  inMemory: message('search.inMemory'),
  nothing: message<'text'>('search.nothing'),
  noneSelected: message('search.noneSelected'),
  noDocuments: message('search.noDocuments'),
  more: message<'limit'>('search.more'),
  nextPage: message<'id'>('search.nextPage'),
  several: message<'count'>('search.several'),
  alsoFound: message('search.alsoFound'),
  details: message<'command'>('search.details'),
};

export const SEARCH_TABLE = {
  document: message('search-table.document'),
  state: message('search-table.state'),
  date: message('search-table.date'),
  amount: message('search-table.amount'),
  counterparty: message('search-table.counterparty'),
  found: message('search-table.found'),
};

export const SEARCH_LABEL = {
  sourceNumber: message('search-label.sourceNumber'),
  source: message('search-label.source'),
  tracking: message('search-label.tracking'),
  request: message('search-label.request'),
};

export const SEARCH_MATCH = {
  id: message('search-match.id'),
  number: message('search-match.number'),
  trackingId: message('search-match.trackingId'),
  requestId: message('search-match.requestId'),
  amount: message('search-match.amount'),
  numberPart: message('search-match.numberPart'),
  counterparty: message('search-match.counterparty'),
  file: message('search-match.file'),
  words: message('search-match.words'),
};

export const FILE_OUTCOME = {
  loading: message('file-outcome.loading'),
  admitted: message('file-outcome.admitted'),
  refused: message('file-outcome.refused'),
  duplicate: message('file-outcome.duplicate'),
};

export const FILE_VIEW = {
  ofRun: message<'run'>('file-view.ofRun'),
  file: message('file-view.file'),
  documentsTitle: message('file-view.documentsTitle'),
  claimed: message('file-view.claimed'),
  content: message('file-view.content'),
  kept: message('file-view.kept'),
  rows: message<'count'>('file-view.rows'),
  documents: message<'command' | 'count'>('file-view.documents'),
  action: message<'command'>('file-view.action'),
  setAside: message('file-view.setAside'),
  replaced: message('file-view.replaced'),
  duplicate: message<'first'>('file-view.duplicate'),
  found: message<'count'>('file-view.found'),
  details: message<'command'>('file-view.details'),
};

export const LIST_FILTER = {
  unknownValue: message<'option' | 'value'>('list-filter.unknownValue'),
  known: message<'values'>('list-filter.known'),
  noneKnown: message('list-filter.noneKnown'),
  unknownDocument: message<'value'>('list-filter.unknownDocument'),
  afterHint: message('list-filter.afterHint'),
};

export const ANSWERS_TABLE = {
  file: message('answers-table.file'),
  folder: message('answers-table.folder'),
  documents: message('answers-table.documents'),
  written: message('answers-table.written'),
  state: message('answers-table.state'),
};

export const ANSWERS_VIEW = {
  none: message('answers-view.none'),
  waiting: message<'documents' | 'files'>('answers-view.waiting'),
  tried: message<'since' | 'tries'>('answers-view.tried'),
  chosen: message('answers-view.chosen'),
  written: message('answers-view.written'),
  taken: message('answers-view.taken'),
  done: message<'documents'>('answers-view.done'),
  would: message<'documents'>('answers-view.would'),
  unknown: message<'name'>('answers-view.unknown'),
  nameOne: message('answers-view.nameOne'),
};
