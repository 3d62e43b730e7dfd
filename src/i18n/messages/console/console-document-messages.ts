/** Generated from locales/<language>/console-document.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const DOCUMENT_PAGE = {
  noSuch: message<'name'>('document-page.noSuch'),
  several: message<'count'>('document-page.several'),
  actor: message<'actor'>('document-page.actor'),
  rows: message<'count' | 'rows'>('document-page.rows'),
  dossier: message('document-page.dossier'),
  previous: message('document-page.previous'),
  next: message('document-page.next'),
  place: message<'at' | 'count'>('document-page.place'),
  others: message<'count'>('document-page.others'),
  together: message('document-page.together'),
  seeAll: message('document-page.seeAll'),
  noPayload: message('document-page.noPayload'),
  noLineage: message('document-page.noLineage'),
  sections: message('document-page.sections'),
  lineage: message('document-page.lineage'),
  related: message('document-page.related'),
  payload: message('document-page.payload'),
  answers: message('document-page.answers'),
  receipt: message('document-page.receipt'),
  story: message('document-page.story'),
  facts: message('document-page.facts'),
};

export const DOCUMENT_ACT = {
  fix: message('document-act.fix'),
  retry: message('document-act.retry'),
  consult: message('document-act.consult'),
  resolve: message('document-act.resolve'),
  release: message('document-act.release'),
  'set-aside': message('document-act.set-aside'),
  acknowledge: message('document-act.acknowledge'),
};

export const DOCUMENT_LINEAGE = {
  title: message('document-lineage.title'),
  cell: message('document-lineage.cell'),
  rule: message('document-lineage.rule'),
  field: message('document-lineage.field'),
  value: message('document-lineage.value'),
  mapping: message<'id' | 'version'>('document-lineage.mapping'),
  formerMapping: message<'id' | 'version'>('document-lineage.formerMapping'),
  suggested: message('document-lineage.suggested'),
  constant: message('document-lineage.constant'),
  noValue: message('document-lineage.noValue'),
  line: message<'line'>('document-lineage.line'),
  rows: message<'count' | 'rows'>('document-lineage.rows'),
  all: message<'count'>('document-lineage.all'),
};

export const DOCUMENT_CARD = {
  payload: message('document-card.payload'),
  answers: message('document-card.answers'),
  receipt: message('document-card.receipt'),
  download: message('document-card.download'),
  noPayload: message('document-card.noPayload'),
  removed: message('document-card.removed'),
  noAnswers: message('document-card.noAnswers'),
  noBody: message('document-card.noBody'),
  notText: message('document-card.notText'),
  cut: message('document-card.cut'),
  attempt: message<'act' | 'n' | 'time'>('document-card.attempt'),
};

export const DOCUMENT_STORY = {
  reported: message<'result'>('document-story.reported'),
  reportWaits: message<'result'>('document-story.reportWaits'),
  code: message<'code'>('document-story.code'),
  title: message('document-story.title'),
  read: message<'file'>('document-story.read'),
  rows: message<'count' | 'rows'>('document-story.rows'),
  cells: message<'column' | 'count' | 'from' | 'rows' | 'to'>('document-story.cells'),
  attempt: message<'act' | 'n' | 'result'>('document-story.attempt'),
  underWay: message('document-story.underWay'),
};

export const DOCUMENT_FACT = {
  title: message('document-fact.title'),
  class: message('document-fact.class'),
  issuer: message('document-fact.issuer'),
  customer: message('document-fact.customer'),
  sourceNumber: message('document-fact.sourceNumber'),
  service: message('document-fact.service'),
  answer: message('document-fact.answer'),
  tracking: message('document-fact.tracking'),
  held: message('document-fact.held'),
  decision: message('document-fact.decision'),
  evidence: message('document-fact.evidence'),
  next: message('document-fact.next'),
  file: message('document-fact.file'),
  imported: message('document-fact.imported'),
  encoding: message('document-fact.encoding'),
  mapping: message('document-fact.mapping'),
  id: message('document-fact.id'),
  revision: message('document-fact.revision'),
  digest: message('document-fact.digest'),
  purged: message('document-fact.purged'),
  code: message('document-fact.code'),
  outcome: message('document-fact.outcome'),
  duration: message('document-fact.duration'),
  request: message('document-fact.request'),
};

export const DOCUMENT_RELATED = {
  title: message('document-related.title'),
  relation: message('document-related.relation'),
  first: message('document-related.first'),
  named: message('document-related.named'),
  sameNumber: message('document-related.sameNumber'),
};

export const DOCUMENT_FIX = {
  title: message('document-fix.title'),
  does: message('document-fix.does'),
  submit: message('document-fix.submit'),
  check: message('document-fix.check'),
  command: message('document-fix.command'),
  cells: message<'count'>('document-fix.cells'),
  passes: message('document-fix.passes'),
  fails: message<'count' | 'message'>('document-fix.fails'),
  noDocument: message('document-fix.noDocument'),
  changed: message('document-fix.changed'),
  needsReason: message('document-fix.needsReason'),
};

export const DOCUMENT_DONE = {
  act: message('document-done.act'),
  corrected: message('document-done.corrected'),
  stillWrong: message('document-done.stillWrong'),
  unchanged: message('document-done.unchanged'),
  waits: message('document-done.waits'),
};
