/** Generated from locales/<language>/console-work.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const WORK_LIST = {
  title: message('work-list.title'),
  waiting: message<'count'>('work-list.waiting'),
  match: message<'count'>('work-list.match'),
  groupBy: message('work-list.groupBy'),
  cause: message('work-list.cause'),
  column: message('work-list.column'),
  customer: message('work-list.customer'),
  file: message('work-list.file'),
  state: message('work-list.state'),
  mapping: message('work-list.mapping'),
  run: message('work-list.run'),
  since: message('work-list.since'),
  document: message('work-list.document'),
  none: message('work-list.none'),
  more: message<'count'>('work-list.more'),
  all: message('work-list.all'),
  groups: message('work-list.groups'),
  documents: message<'count'>('work-list.documents'),
  page: message<'count' | 'first' | 'last'>('work-list.page'),
  acts: message('work-list.acts'),
};

export const WORK_COLUMN = {
  document: message('work-column.document'),
  customer: message('work-column.customer'),
  amount: message('work-column.amount'),
  cell: message('work-column.cell'),
  change: message('work-column.change'),
  then: message('work-column.then'),
  problem: message('work-column.problem'),
  since: message('work-column.since'),
  row: message<'column' | 'row'>('work-column.row'),
  number: message<'count'>('work-column.number'),
};

export const WORK_ACT = {
  fix: message<'count'>('work-act.fix'),
  reprocess: message<'count'>('work-act.reprocess'),
  release: message<'count'>('work-act.release'),
  consult: message('work-act.consult'),
  resolve: message<'count'>('work-act.resolve'),
  retry: message<'count'>('work-act.retry'),
  acknowledge: message<'count'>('work-act.acknowledge'),
  'set-aside': message<'count'>('work-act.set-aside'),
};

export const WORK_DOES = {
  fix: message('work-does.fix'),
  reprocess: message('work-does.reprocess'),
  release: message('work-does.release'),
  consult: message('work-does.consult'),
  resolve: message('work-does.resolve'),
  retry: message('work-does.retry'),
  acknowledge: message('work-does.acknowledge'),
  'set-aside': message('work-does.set-aside'),
  nextRun: message('work-does.nextRun'),
};

export const WORK_SUBMIT = {
  fix: message<'count'>('work-submit.fix'),
  reprocess: message<'count'>('work-submit.reprocess'),
  release: message<'count'>('work-submit.release'),
  consult: message<'count'>('work-submit.consult'),
  resolve: message<'count'>('work-submit.resolve'),
  retry: message<'count'>('work-submit.retry'),
  acknowledge: message<'count'>('work-submit.acknowledge'),
  'set-aside': message<'count'>('work-submit.set-aside'),
  look: message('work-submit.look'),
  chosen: message('work-submit.chosen'),
};

export const WORK_FIELD = {
  column: message('work-field.column'),
  from: message('work-field.from'),
  to: message('work-field.to'),
  suggested: message('work-field.suggested'),
  typed: message('work-field.typed'),
  as: message('work-field.as'),
  choose: message('work-field.choose'),
  evidence: message('work-field.evidence'),
  each: message('work-field.each'),
};

export const WORK_LOOK = {
  cells: message<'cells' | 'count'>('work-look.cells'),
  all: message<'count'>('work-look.all'),
  some: message<'count' | 'passing'>('work-look.some'),
  left: message<'count' | 'why'>('work-look.left'),
  first: message<'count' | 'tried'>('work-look.first'),
  unchanged: message('work-look.unchanged'),
  proposal: message<'count' | 'file' | 'from' | 'line' | 'to' | 'under'>('work-look.proposal'),
};

export const WORK_REFUSED = {
  title: message('work-refused.title'),
  reason: message('work-refused.reason'),
  from: message('work-refused.from'),
  column: message('work-refused.column'),
  to: message('work-refused.to'),
  outcome: message('work-refused.outcome'),
  changed: message('work-refused.changed'),
  none: message('work-refused.none'),
  chosen: message('work-refused.chosen'),
};

export const WORK_UNKNOWN = {
  state: message<'value'>('work-unknown.state'),
  group: message<'known' | 'value'>('work-unknown.group'),
  time: message<'value'>('work-unknown.time'),
  none: message<'name' | 'value'>('work-unknown.none'),
};

export const ACT_NAME = {
  'report-again': message('act-name.report-again'),
  fix: message('act-name.fix'),
  'replace-cells': message('act-name.replace-cells'),
  reprocess: message('act-name.reprocess'),
  'reprocess-file': message('act-name.reprocess-file'),
  release: message('act-name.release'),
  consult: message('act-name.consult'),
  resolve: message('act-name.resolve'),
  retry: message('act-name.retry'),
  acknowledge: message('act-name.acknowledge'),
  'set-aside': message('act-name.set-aside'),
  'set-file-aside': message('act-name.set-file-aside'),
  undo: message('act-name.undo'),
  'undo-file': message('act-name.undo-file'),
  'undo-export': message('act-name.undo-export'),
  waive: message('act-name.waive'),
  resume: message('act-name.resume'),
};

export const ACT_DONE = {
  title: message('act-done.title'),
  waits: message('act-done.waits'),
  waitsText: message('act-done.waitsText'),
  done: message('act-done.done'),
  partly: message('act-done.partly'),
  nothing: message('act-done.nothing'),
  changed: message<'count'>('act-done.changed'),
  stayed: message<'count'>('act-done.stayed'),
  refresh: message('act-done.refresh'),
  by: message('act-done.by'),
  at: message('act-done.at'),
  reason: message('act-done.reason'),
  document: message('act-done.document'),
  was: message('act-done.was'),
  stays: message('act-done.stays'),
  became: message('act-done.became'),
  why: message('act-done.why'),
  changedMeanwhile: message('act-done.changedMeanwhile'),
  notAllowed: message('act-done.notAllowed'),
  before: message('act-done.before'),
  asked: message<'count' | 'service'>('act-done.asked'),
  undo: message<'count'>('act-done.undo'),
  undoDoes: message('act-done.undoDoes'),
  undoReason: message<'reason'>('act-done.undoReason'),
  notUndone: message('act-done.notUndone'),
  list: message('act-done.list'),
  results: message('act-done.results'),
  unknown: message('act-done.unknown'),
};
