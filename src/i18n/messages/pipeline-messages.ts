/** Generated from locales/<language>/pipeline.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CORRECTION = {
  fresh: message('correction.fresh'),
  tooLarge: message('correction.tooLarge'),
  inParts: message('correction.inParts'),
  columnLost: message<'names'>('correction.columnLost'),
  both: message<'one' | 'other'>('correction.both'),
  noTable: message('correction.noTable'),
  exportColumns: message<'count' | 'names'>('correction.exportColumns'),
  cellsMoved: message<'document' | 'row'>('correction.cellsMoved'),
  exchanged: message<'one' | 'other'>('correction.exchanged'),
  quoteDelimiter: message<'fresh'>('correction.quoteDelimiter'),
  leaveColumns: message<'fresh'>('correction.leaveColumns'),
  docEmpty: message<'rows'>('correction.docEmpty'),
  noDocument: message<'mark' | 'rows'>('correction.noDocument'),
  rows: message<'count'>('correction.rows'),
  leaveDoc: message<'fresh'>('correction.leaveDoc'),
  unmarked: message('correction.unmarked'),
  noRows: message<'count' | 'document' | 'own' | 'rows'>('correction.noRows'),
  leaveRow: message<'fresh'>('correction.leaveRow'),
  rowTwice: message<'document' | 'row'>('correction.rowTwice'),
  keepOne: message('correction.keepOne'),
  rowsMissing: message<'count' | 'document' | 'rows'>('correction.rowsMissing'),
  allRows: message<'fresh'>('correction.allRows'),
  rowsGone: message<'missing'>('correction.rowsGone'),
  mappingGone: message<'file' | 'mapping'>('correction.mappingGone'),
  putMappingBack: message('correction.putMappingBack'),
  sourceGone: message<'path'>('correction.sourceGone'),
  restoreArchive: message('correction.restoreArchive'),
  onlyInErp: message<'document'>('correction.onlyInErp'),
  exportAgain: message('correction.exportAgain'),
  sameContent: message<'document'>('correction.sameContent'),
  seeAnswer: message('correction.seeAnswer'),
  notOpen: message<'document' | 'state'>('correction.notOpen'),
  nothingToDo: message('correction.nothingToDo'),
  notTaken: message<'column' | 'document' | 'given' | 'kept' | 'more' | 'state'>('correction.notTaken'),
  outdated: message<'column' | 'document' | 'given' | 'kept' | 'more'>('correction.outdated'),
  sameValues: message<'document'>('correction.sameValues'),
  alike: message<'count' | 'documents' | 'more' | 'what'>('correction.alike'),
  stillOpen: message<'all' | 'count' | 'what'>('correction.stillOpen'),
  damaged: message<'damage' | 'from' | 'to'>('correction.damaged'),
  putBack: message<'from' | 'to'>('correction.putBack'),
  damagedMore: message<'count' | 'documents' | 'more' | 'what'>('correction.damagedMore'),
  typeAsText: message('correction.typeAsText'),
  mayBeMeant: message<'from' | 'to'>('correction.mayBeMeant'),
  restored: message<'column' | 'damage' | 'from' | 'rows' | 'to' | 'values'>('correction.restored'),
  otherSheets: message<'count' | 'names' | 'sheet'>('correction.otherSheets'),
  moveRows: message('correction.moveRows'),
  nothingToRestore: message('correction.nothingToRestore'),
};

export const TOO_LATE = {
  ready: message<'fresh'>('too-late.ready'),
  sending: message<'fresh'>('too-late.sending'),
  held: message('too-late.held'),
  inDoubt: message('too-late.inDoubt'),
  returned: message('too-late.returned'),
  contingency: message('too-late.contingency'),
  failed: message('too-late.failed'),
  refused: message('too-late.refused'),
  issued: message('too-late.issued'),
};

export const CORRECTION_TEXT = {
  movedTo: message<'folder'>('correction-text.movedTo'),
  byFile: message<'file'>('correction-text.byFile'),
  notApplied: message<'column' | 'file' | 'given' | 'kept' | 'more' | 'row'>('correction-text.notApplied'),
};

export const ROW_RULE = {
  corrected: message('row-rule.corrected'),
  held: message('row-rule.held'),
  stillWrong: message('row-rule.stillWrong'),
  readAgain: message('row-rule.readAgain'),
  unchanged: message('row-rule.unchanged'),
  refused: message('row-rule.refused'),
  late: message('row-rule.late'),
};

export const HOLD = {
  newMapping: message<'mapping' | 'version'>('hold.newMapping'),
  amount: message<'amount' | 'currency' | 'limit'>('hold.amount'),
  receiver: message<'name' | 'receiver'>('hold.receiver'),
  issuer: message<'issuer' | 'name'>('hold.issuer'),
  restored: message<'at' | 'why'>('hold.restored'),
  underWay: message<'at'>('hold.underWay'),
  purged: message<'at'>('hold.purged'),
  and: message<'one' | 'other'>('hold.and'),
  sameCause: message<'answer' | 'count' | 'mapping' | 'state'>('hold.sameCause'),
};

export const INBOX_NAME = {
  twoMeanings: message<'name'>('inbox-name.twoMeanings'),
  decide: message<'name'>('inbox-name.decide'),
};

export const COMPANION = {
  tooLarge: message<'most' | 'name' | 'size'>('companion.tooLarge'),
  makeSmaller: message('companion.makeSmaller'),
  growing: message<'name'>('companion.growing'),
  waitForIt: message('companion.waitForIt'),
  unreadable: message<'name' | 'why'>('companion.unreadable'),
  unknownTrouble: message('companion.unknownTrouble'),
  noPlainFile: message('companion.noPlainFile'),
  empty: message('companion.empty'),
  putReadable: message('companion.putReadable'),
  notArchived: message('companion.notArchived'),
  restoreIt: message('companion.restoreIt'),
  stays: message<'file' | 'name'>('companion.stays'),
  kept: message<'file' | 'name'>('companion.kept'),
  secretInside: message<'name'>('companion.secretInside'),
  findOutWho: message('companion.findOutWho'),
  remove: message('companion.remove'),
};

export const STOPPED = {
  sending: message('stopped.sending'),
  nothingToAsk: message('stopped.nothingToAsk'),
  inARow: message<'count' | 'reason'>('stopped.inARow'),
  notAccepted: message<'count'>('stopped.notAccepted'),
  ofSender: message<'reason' | 'sender'>('stopped.ofSender'),
  resume: message<'reason' | 'service'>('stopped.resume'),
};

export const INTAKE = {
  noRows: message('intake.noRows'),
  quietDay: message('intake.quietDay'),
  allLeftOut: message<'rows'>('intake.allLeftOut'),
  someLeftOut: message<'rows'>('intake.someLeftOut'),
  checkRules: message('intake.checkRules'),
  ourMistake: message<'error'>('intake.ourMistake'),
  reportIt: message('intake.reportIt'),
  diedAgain: message<'times'>('intake.diedAgain'),
  readOnceMore: message<'command'>('intake.readOnceMore'),
  sourceMissing: message('intake.sourceMissing'),
  documentsStay: message('intake.documentsStay'),
  notRead: message('intake.notRead'),
  foreignCopy: message('intake.foreignCopy'),
  nothingOfIt: message('intake.nothingOfIt'),
  several: message<'mappings'>('intake.several'),
  noneFits: message<'mappings'>('intake.noneFits'),
  tellApart: message('intake.tellApart'),
  draft: message<'count' | 'line' | 'mapping'>('intake.draft'),
  fillDraftIn: message<'file' | 'mapping'>('intake.fillDraftIn'),
  noMapping: message('intake.noMapping'),
  acceptedNames: message<'names'>('intake.acceptedNames'),
  noneThere: message('intake.noneThere'),
  moreNames: message<'count'>('intake.moreNames'),
  noMappingOfKind: message<'kind'>('intake.noMappingOfKind'),
  saveSheet: message<'names'>('intake.saveSheet'),
  openSheet: message<'names'>('intake.openSheet'),
  renameSheet: message<'names'>('intake.renameSheet'),
  exportRows: message<'names'>('intake.exportRows'),
  partnerMissing: message<'partner'>('intake.partnerMissing'),
  exportBoth: message('intake.exportBoth'),
  partnerRefused: message<'partner'>('intake.partnerRefused'),
  correctBoth: message('intake.correctBoth'),
};

export const REPROCESS = {
  cannotRead: message<'document'>('reprocess.cannotRead'),
  nothingChanged: message('reprocess.nothingChanged'),
  cannotTake: message<'file'>('reprocess.cannotTake'),
  noColumn: message<'by' | 'column' | 'row'>('reprocess.noColumn'),
  correctSource: message<'columns'>('reprocess.correctSource'),
  sourceMissing: message<'path'>('reprocess.sourceMissing'),
  restoreOrDrop: message('reprocess.restoreOrDrop'),
  sourceChanged: message<'before' | 'found' | 'path'>('reprocess.sourceChanged'),
  findOut: message('reprocess.findOut'),
  mappingGone: message<'mapping'>('reprocess.mappingGone'),
  notTaken: message('reprocess.notTaken'),
  putMappingBack: message('reprocess.putMappingBack'),
  rowsDiffer: message<'own' | 'rows'>('reprocess.rowsDiffer'),
  checkNumber: message('reprocess.checkNumber'),
  noDocument: message('reprocess.noDocument'),
  staysAsItIs: message('reprocess.staysAsItIs'),
  headerAlone: message('reprocess.headerAlone'),
  bothAgain: message('reprocess.bothAgain'),
  notCorrectable: message<'state' | 'words'>('reprocess.notCorrectable'),
  retry: message('reprocess.retry'),
  consult: message('reprocess.consult'),
  ownDocument: message('reprocess.ownDocument'),
};

export const FIX = {
  cell: message<'column' | 'from' | 'number' | 'row' | 'to'>('fix.cell'),
  rowUnreadable: message<'document'>('fix.rowUnreadable'),
  correctInErp: message('fix.correctInErp'),
  neighborBroken: message<'document'>('fix.neighborBroken'),
  correctNeighbor: message<'document'>('fix.correctNeighbor'),
  nothingGiven: message('fix.nothingGiven'),
  giveCell: message('fix.giveCell'),
  nothingChanges: message<'document'>('fix.nothingChanges'),
  reprocess: message<'document'>('fix.reprocess'),
  notACell: message<'text'>('fix.notACell'),
  writeCell: message('fix.writeCell'),
  severalValues: message<'column' | 'document' | 'each'>('fix.severalValues'),
  valueOfRow: message<'from' | 'row'>('fix.valueOfRow'),
  nameRow: message<'cell'>('fix.nameRow'),
  nothingSuggested: message<'document'>('fix.nothingSuggested'),
  nameCell: message('fix.nameCell'),
  noSuchRow: message<'document' | 'row'>('fix.noSuchRow'),
  itsRows: message<'rows'>('fix.itsRows'),
  noSuchColumn: message<'column'>('fix.noSuchColumn'),
  itsColumns: message<'columns'>('fix.itsColumns'),
  didYouMean: message<'near'>('fix.didYouMean'),
  tooLate: message<'document' | 'state'>('fix.tooLate'),
  formerMissing: message('fix.formerMissing'),
  nameFormer: message('fix.nameFormer'),
  otherValue: message<'column' | 'document' | 'from'>('fix.otherValue'),
  otherColumn: message<'cell' | 'column'>('fix.otherColumn'),
  sameColumn: message('fix.sameColumn'),
  changedMeanwhile: message<'document'>('fix.changedMeanwhile'),
  lookAgain: message<'document'>('fix.lookAgain'),
};

export const UPLOAD_REFUSED = {
  noFile: message('upload-refused.noFile'),
  name: message<'name'>('upload-refused.name'),
  ignored: message<'name'>('upload-refused.ignored'),
  tooLarge: message<'limit'>('upload-refused.tooLarge'),
  empty: message('upload-refused.empty'),
  nameTaken: message<'name'>('upload-refused.nameTaken'),
  nameTakenHint: message('upload-refused.nameTakenHint'),
  noMapping: message('upload-refused.noMapping'),
};

export const NAMED_FILE = {
  notThere: message<'path'>('named-file.notThere'),
  nothingTaken: message('named-file.nothingTaken'),
  nameTaken: message<'file'>('named-file.nameTaken'),
  cannotCopy: message<'path'>('named-file.cannotCopy'),
  letRun: message('named-file.letRun'),
  checkPath: message('named-file.checkPath'),
};

export const NOT_REPEATED = {
  invalid: message('not-repeated.invalid'),
  duplicate: message('not-repeated.duplicate'),
  conflict: message('not-repeated.conflict'),
  held: message('not-repeated.held'),
  ready: message('not-repeated.ready'),
  sending: message('not-repeated.sending'),
  authorized: message('not-repeated.authorized'),
  invalidated: message('not-repeated.invalidated'),
  rejected: message('not-repeated.rejected'),
  contingency: message('not-repeated.contingency'),
};

export const IN_DOUBT = {
  twoDays: message('in-doubt.twoDays'),
  anHour: message('in-doubt.anHour'),
  nobodyKnows: message<'apart' | 'times'>('in-doubt.nobodyKnows'),
  addProof: message('in-doubt.addProof'),
};

export const MEANS = {
  'verify/chain-broken': message('means.verify/chain-broken'),
  'verify/head-differs': message('means.verify/head-differs'),
  'verify/link-missing': message('means.verify/link-missing'),
  'verify/link-unknown': message('means.verify/link-unknown'),
  'verify/receipt-missing': message('means.verify/receipt-missing'),
  'verify/receipt-changed': message('means.verify/receipt-changed'),
  'verify/payload-missing': message('means.verify/payload-missing'),
  'verify/payload-changed': message('means.verify/payload-changed'),
  'verify/file-unknown': message('means.verify/file-unknown'),
  'verify/summary-missing': message('means.verify/summary-missing'),
  'verify/summary-changed': message('means.verify/summary-changed'),
  'verify/report-missing': message('means.verify/report-missing'),
  'verify/report-changed': message('means.verify/report-changed'),
  'verify/source-missing': message('means.verify/source-missing'),
  'verify/source-changed': message('means.verify/source-changed'),
  'verify/attachment-differs': message('means.verify/attachment-differs'),
  'verify/mapping-missing': message('means.verify/mapping-missing'),
  'verify/mapping-changed': message('means.verify/mapping-changed'),
  'verify/rows-unreadable': message('means.verify/rows-unreadable'),
  'verify/content-differs': message('means.verify/content-differs'),
  'verify/document-missing': message('means.verify/document-missing'),
  'verify/document-extra': message('means.verify/document-extra'),
  'verify/answer-differs': message('means.verify/answer-differs'),
  'verify/state-differs': message('means.verify/state-differs'),
  'verify/ledger-differs': message('means.verify/ledger-differs'),
  'verify/event-changed': message('means.verify/event-changed'),
  'verify/event-missing': message('means.verify/event-missing'),
  'verify/event-added': message('means.verify/event-added'),
  'verify/correction-differs': message('means.verify/correction-differs'),
  'verify/evidence-differs': message('means.verify/evidence-differs'),
  'verify/answers-differ': message('means.verify/answers-differ'),
};

export const FOUND = {
  linkGone: message<'n' | 'next'>('found.linkGone'),
  linkNames: message<'is' | 'n' | 'named'>('found.linkNames'),
  none: message('found.none'),
  headKept: message<'found' | 'kept'>('found.headKept'),
  chainEnds: message<'n'>('found.chainEnds'),
  linkIs: message<'hash' | 'n'>('found.linkIs'),
  strayReceipt: message<'id' | 'n'>('found.strayReceipt'),
  straySummary: message<'id' | 'n'>('found.straySummary'),
  strayReport: message<'id' | 'n'>('found.strayReport'),
  reportLinkGone: message<'id' | 'n'>('found.reportLinkGone'),
  strayAnswers: message<'id' | 'n'>('found.strayAnswers'),
  notThere: message<'path'>('found.notThere'),
  hashDiffers: message<'before' | 'found'>('found.hashDiffers'),
  linkHas: message<'found' | 'hash' | 'n'>('found.linkHas'),
  summaryLinkGone: message<'file' | 'n'>('found.summaryLinkGone'),
  stranger: message<'path'>('found.stranger'),
  notArchived: message<'file'>('found.notArchived'),
  attachmentGone: message<'file' | 'name'>('found.attachmentGone'),
  attachmentDiffers: message<'before' | 'file' | 'found'>('found.attachmentDiffers'),
  mappingUnusable: message<'why'>('found.mappingUnusable'),
  mappingNotWhole: message<'hash' | 'why'>('found.mappingNotWhole'),
  said: message<'text'>('found.said'),
  unreadable: message('found.unreadable'),
  madeBy: message<'program' | 'says' | 'version'>('found.madeBy'),
  partsChanged: message('found.partsChanged'),
};

export const CONTENT = {
  hash: message<'before' | 'found'>('content.hash'),
  extra: message<'file' | 'row'>('content.extra'),
  missing: message<'file' | 'rows'>('content.missing'),
  otherRows: message<'given' | 'revision' | 'rows'>('content.otherRows'),
  noValid: message<'outcome' | 'revision'>('content.noValid'),
  otherRefusal: message<'revision'>('content.otherRefusal'),
  validNow: message<'revision'>('content.validNow'),
  otherDigest: message<'before' | 'given' | 'revision'>('content.otherDigest'),
  otherContent: message<'revision'>('content.otherContent'),
  otherFacts: message<'revision'>('content.otherFacts'),
};

export const COURSE = {
  recordedAs: message<'act' | 'again' | 'n' | 'recorded'>('course.recordedAs'),
  outcome: message<'state'>('course.outcome'),
  outcomeWithCode: message<'code' | 'state'>('course.outcomeWithCode'),
  endsIn: message<'course' | 'state'>('course.endsIn'),
  otherAnswer: message<'answer' | 'last'>('course.otherAnswer'),
  answer: message<'code' | 'message'>('course.answer'),
  linkNotInChain: message<'n'>('course.linkNotInChain'),
  noReceipt: message('course.noReceipt'),
  linkSays: message<'attempts' | 'is' | 'n' | 'own' | 'place' | 'revision' | 'state' | 'tries' | 'wanted'>('course.linkSays'),
  olderReceipt: message<'at' | 'n' | 'older' | 'state'>('course.olderReceipt'),
  differIn: message<'keys'>('course.differIn'),
};

export const RECORDED = {
  eventChanged: message<'n' | 'now' | 'what'>('recorded.eventChanged'),
  eventAdded: message<'id' | 'now'>('recorded.eventAdded'),
  numberTwice: message<'n'>('recorded.numberTwice'),
  eventGone: message<'link' | 'n' | 'what'>('recorded.eventGone'),
  unlinkedGone: message<'n'>('recorded.unlinkedGone'),
  sealGone: message<'from' | 'to'>('recorded.sealGone'),
  sealNotInChain: message<'first' | 'last' | 'n'>('recorded.sealNotInChain'),
  linesDiffer: message<'first' | 'found' | 'hash' | 'last' | 'n'>('recorded.linesDiffer'),
  upgradedDiffer: message<'first' | 'found' | 'hash' | 'last' | 'n'>('recorded.upgradedDiffer'),
  correctionDiffers: message<'column' | 'event' | 'n' | 'row' | 'was'>('recorded.correctionDiffers'),
  correctionAdded: message<'column' | 'n' | 'row'>('recorded.correctionAdded'),
  correctionGone: message<'event' | 'was'>('recorded.correctionGone'),
  evidenceDiffers: message<'by' | 'reason'>('recorded.evidenceDiffers'),
};

export const PREVIEW_REFUSED = {
  noFile: message<'path'>('preview-refused.noFile'),
  noDocument: message('preview-refused.noDocument'),
  noColumn: message<'column' | 'file'>('preview-refused.noColumn'),
  columns: message<'columns'>('preview-refused.columns'),
  nearColumn: message<'near'>('preview-refused.nearColumn'),
};

export const DIFF_REFUSED = {
  noMapping: message<'name'>('diff-refused.noMapping'),
  mappings: message<'mappings'>('diff-refused.mappings'),
  faulty: message<'name'>('diff-refused.faulty'),
  notThere: message<'path'>('diff-refused.notThere'),
};

export const TEST_REFUSED = {
  noMapping: message<'mapping'>('test-refused.noMapping'),
  mappings: message<'mappings'>('test-refused.mappings'),
};

export const SETTINGS_REFUSED = {
  notFilledIn: message<'file'>('settings-refused.notFilledIn'),
  nothingTaken: message('settings-refused.nothingTaken'),
};

export const CORRECTION_FILE_MISSING = {
  unreadable: message<'problem'>('correction-file-missing.unreadable'),
  closeIt: message<'problem'>('correction-file-missing.closeIt'),
  moveAway: message<'problem'>('correction-file-missing.moveAway'),
  inUse: message('correction-file-missing.inUse'),
  mistake: message<'problem'>('correction-file-missing.mistake'),
};

export const ACTS = {
  otherLook: message<'before' | 'now'>('acts.otherLook'),
  lookAgain: message('acts.lookAgain'),
  notUnderstood: message('acts.notUnderstood'),
  askAgain: message('acts.askAgain'),
  died: message<'times'>('acts.died'),
  lookFirst: message('acts.lookFirst'),
  failed: message<'problem'>('acts.failed'),
  report: message('acts.report'),
  waits: message<'holder'>('acts.waits'),
  stays: message('acts.stays'),
};

export const APPROVAL = {
  refused: message<'by' | 'reason'>('approval.refused'),
  withdrawn: message<'by' | 'reason'>('approval.withdrawn'),
  nothingDone: message('approval.nothingDone'),
  expired: message<'at'>('approval.expired'),
  askAgain: message('approval.askAgain'),
  samePerson: message<'name'>('approval.samePerson'),
  otherMapping: message<'number'>('approval.otherMapping'),
  madeByOther: message<'one' | 'other'>('approval.madeByOther'),
  anotherPerson: message('approval.anotherPerson'),
  notWaiting: message('approval.notWaiting'),
  list: message('approval.list'),
};

export const APPROVAL_WHY = {
  approvedBy: message<'by' | 'decision'>('approval-why.approvedBy'),
  inDoubt: message<'number'>('approval-why.inDoubt'),
  amount: message<'amount' | 'currency' | 'number'>('approval-why.amount'),
};

export const ANSWERS_AGAIN = {
  noBlock: message('answers-again.noBlock'),
  addBlock: message('answers-again.addBlock'),
};

export const PREVIEW_VALUE = {
  nextNumber: message<'sequence'>('preview-value.nextNumber'),
};

export const WORKER_SETUP = {
  version: message('worker-setup.version'),
  settings: message('worker-setup.settings'),
  mappings: message<'mappings'>('worker-setup.mappings'),
};

export const WORKER_TASK = {
  send: message<'service'>('worker-task.send'),
  receipts: message('worker-task.receipts'),
  expected: message('worker-task.expected'),
  acts: message('worker-task.acts'),
};
