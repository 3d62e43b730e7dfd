/** Generated from locales/<language>/cli-maintenance.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const PURGE = {
  noSubject: message('purge.noSubject'),
  ending: message('purge.ending'),
  stopped: message<'documents'>('purge.stopped'),
  nameIt: message('purge.nameIt'),
  namedInReason: message('purge.namedInReason'),
  nameTheRequest: message('purge.nameTheRequest'),
  wouldRemove: message('purge.wouldRemove'),
  removed: message('purge.removed'),
  aged: message<'age' | 'what'>('purge.aged'),
  withAttachments: message<'attachments' | 'exports'>('purge.withAttachments'),
  forEver: message<'part'>('purge.forEver'),
  olderThan: message<'day'>('purge.olderThan'),
  answersAgain: message('purge.answersAgain'),
  andMore: message<'count'>('purge.andMore'),
};

export const PURGE_COUNT = {
  answers: message<'count'>('purge-count.answers'),
  receipts: message<'count'>('purge-count.receipts'),
  contents: message<'count'>('purge-count.contents'),
  summaries: message<'count'>('purge-count.summaries'),
  exports: message<'count'>('purge-count.exports'),
  attachments: message<'count'>('purge-count.attachments'),
  logs: message<'count'>('purge-count.logs'),
  signIns: message<'count'>('purge-count.signIns'),
  sessions: message<'count'>('purge-count.sessions'),
  notices: message<'count'>('purge-count.notices'),
  reports: message<'count'>('purge-count.reports'),
  waiting: message<'count'>('purge-count.waiting'),
  keptOthers: message<'count'>('purge-count.keptOthers'),
  keptWaiting: message<'count'>('purge-count.keptWaiting'),
  keptUnattributed: message<'count'>('purge-count.keptUnattributed'),
  copies: message<'count'>('purge-count.copies'),
};

export const LEDGER_RECEIPTS = {
  missing: message('ledger-receipts.missing'),
  damaged: message('ledger-receipts.damaged'),
  nothing: message('ledger-receipts.nothing'),
  wouldRestore: message<'count'>('ledger-receipts.wouldRestore'),
  restored: message<'count'>('ledger-receipts.restored'),
};

export const VERIFY = {
  allOrSome: message('verify.allOrSome'),
  leaveOneOut: message('verify.leaveOneOut'),
  noSuch: message('verify.noSuch'),
  documents: message<'count' | 'seconds'>('verify.documents'),
  endsIn: message<'head' | 'links'>('verify.endsIn'),
  withMappings: message<'exports' | 'mappings'>('verify.withMappings'),
  fromReceipts: message<'answers' | 'count'>('verify.fromReceipts'),
  purged: message<'count'>('verify.purged'),
  givenUp: message<'count'>('verify.givenUp'),
  otherChecks: message<'count'>('verify.otherChecks'),
  notSettled: message<'count'>('verify.notSettled'),
  ending: message('verify.ending'),
  stopped: message('verify.stopped'),
  consistent: message('verify.consistent'),
};

export const VERIFY_LABEL = {
  chain: message('verify-label.chain'),
  events: message('verify-label.events'),
  exports: message('verify-label.exports'),
  contents: message('verify-label.contents'),
  otherChecks: message('verify-label.otherChecks'),
  answers: message('verify-label.answers'),
  documents: message('verify-label.documents'),
  purged: message('verify-label.purged'),
  givenUp: message('verify-label.givenUp'),
  notSettled: message('verify-label.notSettled'),
};

export const VERIFY_COUNT = {
  links: message<'count'>('verify-count.links'),
  events: message<'count'>('verify-count.events'),
  eventsUpgraded: message<'count' | 'events'>('verify-count.eventsUpgraded'),
  exports: message<'count'>('verify-count.exports'),
  contents: message<'count'>('verify-count.contents'),
  answers: message<'count'>('verify-count.answers'),
  mappings: message<'count'>('verify-count.mappings'),
  breaks: message<'count'>('verify-count.breaks'),
};

export const LEDGER_COMMAND = {
  carryFolders: message('ledger-command.carryFolders'),
  backupNeeded: message('ledger-command.backupNeeded'),
  nameBackup: message('ledger-command.nameBackup'),
  numberNeeded: message('ledger-command.numberNeeded'),
  numberExample: message('ledger-command.numberExample'),
  unknownSequence: message<'name'>('ledger-command.unknownSequence'),
  knownSequences: message<'names'>('ledger-command.knownSequences'),
  noSequenceUsed: message('ledger-command.noSequenceUsed'),
  noSequence: message('ledger-command.noSequence'),
  anyOther: message('ledger-command.anyOther'),
  reasonNeeded: message('ledger-command.reasonNeeded'),
  writeReason: message('ledger-command.writeReason'),
  quarantineEnded: message('ledger-command.quarantineEnded'),
  noQuarantine: message('ledger-command.noQuarantine'),
  unread: message<'count' | 'names'>('ledger-command.unread'),
  readFirst: message('ledger-command.readFirst'),
  readAgain: message<'count' | 'names'>('ledger-command.readAgain'),
  kept: message<'path'>('ledger-command.kept'),
  unreadable: message<'path'>('ledger-command.unreadable'),
  andMore: message<'count'>('ledger-command.andMore'),
  quarantine: message('ledger-command.quarantine'),
  reason: message('ledger-command.reason'),
};

export const LEDGER_COMMAND_COUNT = {
  moved: message<'count' | 'place'>('ledger-command-count.moved'),
  movedToServer: message('ledger-command-count.movedToServer'),
  movedToFile: message('ledger-command-count.movedToFile'),
  recovered: message<'count' | 'held' | 'inDoubt'>('ledger-command-count.recovered'),
};

export const SEQUENCE_TABLE = {
  sequence: message('sequence-table.sequence'),
  within: message('sequence-table.within'),
  next: message('sequence-table.next'),
};
