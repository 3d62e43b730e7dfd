/** Generated from locales/<language>/receipts.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CORRECTION_SHEET = {
  sheet: message('correction-sheet.sheet'),
  howTo: message('correction-sheet.howTo'),
  keep: message('correction-sheet.keep'),
};

export const CORRECTION_ROW = {
  elsewhere: message<'file' | 'row'>('correction-row.elsewhere'),
  setAside: message<'by' | 'reason'>('correction-row.setAside'),
  numberTaken: message<'name'>('correction-row.numberTaken'),
};

export const DOSSIER = {
  title: message<'document'>('dossier.title'),
  kind: message('dossier.kind'),
  outcome: message('dossier.outcome'),
  source: message('dossier.source'),
  mapping: message('dossier.mapping'),
  content: message('dossier.content'),
  faults: message('dossier.faults'),
  requests: message('dossier.requests'),
  decisions: message('dossier.decisions'),
  history: message('dossier.history'),
  proof: message('dossier.proof'),
  missing: message('dossier.missing'),
  verified: message('dossier.verified'),
  verifiedText: message('dossier.verifiedText'),
  notVerified: message<'count'>('dossier.notVerified'),
  none: message('dossier.none'),
  cut: message<'path'>('dossier.cut'),
  made: message<'at' | 'version'>('dossier.made'),
  underWay: message('dossier.underWay'),
  noResponse: message('dossier.noResponse'),
  earlierContent: message<'revision'>('dossier.earlierContent'),
  purgedPart: message<'at' | 'by' | 'part' | 'reason'>('dossier.purgedPart'),
  missingPart: message<'part'>('dossier.missingPart'),
  damagedPart: message<'part'>('dossier.damagedPart'),
  written: message<'path'>('dossier.written'),
  incomplete: message<'count'>('dossier.incomplete'),
  noSuch: message<'name'>('dossier.noSuch'),
  several: message<'ids' | 'name'>('dossier.several'),
  oneId: message('dossier.oneId'),
  exists: message<'path'>('dossier.exists'),
  otherPlace: message('dossier.otherPlace'),
  noEvidence: message<'path'>('dossier.noEvidence'),
};

export const DOSSIER_LABEL = {
  document: message('dossier-label.document'),
  class: message('dossier-label.class'),
  state: message('dossier-label.state'),
  counterparty: message('dossier-label.counterparty'),
  issuer: message('dossier-label.issuer'),
  date: message('dossier-label.date'),
  amount: message('dossier-label.amount'),
  service: message('dossier-label.service'),
  tracking: message('dossier-label.tracking'),
  answer: message('dossier-label.answer'),
  id: message('dossier-label.id'),
  revision: message('dossier-label.revision'),
  file: message('dossier-label.file'),
  sha256: message('dossier-label.sha256'),
  mapping: message('dossier-label.mapping'),
  claimed: message('dossier-label.claimed'),
  rows: message('dossier-label.rows'),
  name: message('dossier-label.name'),
  version: message('dossier-label.version'),
  program: message('dossier-label.program'),
  digest: message('dossier-label.digest'),
  evidence: message('dossier-label.evidence'),
  links: message('dossier-label.links'),
  head: message('dossier-label.head'),
  events: message('dossier-label.events'),
  receipt: message('dossier-label.receipt'),
};

export const DOSSIER_COLUMN = {
  row: message('dossier-column.row'),
  time: message('dossier-column.time'),
  act: message('dossier-column.act'),
  http: message('dossier-column.http'),
  code: message('dossier-column.code'),
  result: message('dossier-column.result'),
  person: message('dossier-column.person'),
  cell: message('dossier-column.cell'),
  former: message('dossier-column.former'),
  value: message('dossier-column.value'),
  reason: message('dossier-column.reason'),
  what: message('dossier-column.what'),
  link: message('dossier-column.link'),
  hash: message('dossier-column.hash'),
  state: message('dossier-column.state'),
};

export const DOSSIER_PART = {
  export: message('dossier-part.export'),
  rows: message('dossier-part.rows'),
  mapping: message('dossier-part.mapping'),
  payload: message('dossier-part.payload'),
  receipt: message('dossier-part.receipt'),
  answers: message('dossier-part.answers'),
};

export const ANSWERS_FAULT = {
  foreignFile: message<'path'>('answers-fault.foreignFile'),
  moveForeign: message('answers-fault.moveForeign'),
  otherFolder: message<'folder'>('answers-fault.otherFolder'),
  bringFolderBack: message<'mark'>('answers-fault.bringFolderBack'),
  cannotWrite: message<'errno' | 'folder'>('answers-fault.cannotWrite'),
  noRoom: message<'errno' | 'folder'>('answers-fault.noRoom'),
  noFolder: message<'name'>('answers-fault.noFolder'),
  nameFolder: message('answers-fault.nameFolder'),
  purged: message('answers-fault.purged'),
  notMade: message<'count' | 'file' | 'problem'>('answers-fault.notMade'),
};
