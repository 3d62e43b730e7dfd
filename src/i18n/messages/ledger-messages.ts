/** Generated from locales/<language>/ledger.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const QUARANTINE_CAUSE = {
  restored: message('quarantine-cause.restored'),
  rebuilt: message('quarantine-cause.rebuilt'),
  accepted: message('quarantine-cause.accepted'),
};

export const NUMBER_IN_OTHER_CLASS = {
  message: message<'class' | 'name' | 'state'>('number-in-other-class.message'),
  hint: message('number-in-other-class.hint'),
};

export const ROWS_CORRECTED = {
  message: message<'at' | 'by' | 'document' | 'file' | 'reason' | 'row'>('rows-corrected.message'),
  hint: message('rows-corrected.hint'),
};

export const INSTANCE_LOCK = {
  elsewhere: message<'host' | 'pid'>('instance-lock.elsewhere'),
  other: message('instance-lock.other'),
  run: message<'pid' | 'since'>('instance-lock.run'),
  watch: message<'pid' | 'since'>('instance-lock.watch'),
  act: message<'pid' | 'since'>('instance-lock.act'),
  upkeep: message<'pid' | 'since'>('instance-lock.upkeep'),
  wait: message('instance-lock.wait'),
  waitOrLease: message<'seconds'>('instance-lock.waitOrLease'),
  upgrade: message('instance-lock.upgrade'),
};

export const LEDGER_WORKER = {
  mayBeDead: message<'host' | 'pid' | 'seconds'>('ledger-worker.mayBeDead'),
  leaseLost: message('ledger-worker.leaseLost'),
  leaseLostHint: message('ledger-worker.leaseLostHint'),
  otherFolder: message<'folder' | 'host' | 'pid'>('ledger-worker.otherFolder'),
  otherFolderHint: message('ledger-worker.otherFolderHint'),
};

export const NUMBER_SEQUENCE = {
  unknown: message<'sequence' | 'why'>('number-sequence.unknown'),
  quarantine: message<'at' | 'why'>('number-sequence.quarantine'),
  endQuarantine: message('number-sequence.endQuarantine'),
  rebuilt: message<'at'>('number-sequence.rebuilt'),
  sayNext: message<'command'>('number-sequence.sayNext'),
};

export const LEDGER_HOLD = {
  numberTwice: message('ledger-hold.numberTwice'),
  numberSpelling: message<'name' | 'number' | 'state'>('ledger-hold.numberSpelling'),
  yearBefore: message<'name' | 'number' | 'state'>('ledger-hold.yearBefore'),
  and: message<'one' | 'other'>('ledger-hold.and'),
  taken: message<'at' | 'why'>('ledger-hold.taken'),
  accepted: message('ledger-hold.accepted'),
  contentUnknown: message('ledger-hold.contentUnknown'),
  numberUnread: message('ledger-hold.numberUnread'),
  outcomeArrived: message<'reason'>('ledger-hold.outcomeArrived'),
  rowsIssued: message<'document' | 'reason'>('ledger-hold.rowsIssued'),
};

export const LEDGER_FILE = {
  olderSchema: message('ledger-file.olderSchema'),
  olderSchemaHint: message('ledger-file.olderSchemaHint'),
  exists: message<'folder'>('ledger-file.exists'),
  existsHint: message('ledger-file.existsHint'),
  lost: message<'file' | 'folder'>('ledger-file.lost'),
  lostHint: message('ledger-file.lostHint'),
  missing: message<'file'>('ledger-file.missing'),
  empty: message<'file'>('ledger-file.empty'),
  restore: message('ledger-file.restore'),
  restoreNewest: message<'file' | 'restore'>('ledger-file.restoreNewest'),
  damaged: message<'file' | 'problem'>('ledger-file.damaged'),
  damagedWhileOpen: message<'problem'>('ledger-file.damagedWhileOpen'),
  damagedHint: message<'restore'>('ledger-file.damagedHint'),
  identityChanged: message<'key'>('ledger-file.identityChanged'),
  identityOfDocumentChanged: message<'document'>('ledger-file.identityOfDocumentChanged'),
  contentChanged: message<'document'>('ledger-file.contentChanged'),
  indexDiffers: message('ledger-file.indexDiffers'),
  looseRows: message<'count'>('ledger-file.looseRows'),
  unreadable: message<'file' | 'problem'>('ledger-file.unreadable'),
  unreadableHint: message('ledger-file.unreadableHint'),
  oldSqlite: message<'version'>('ledger-file.oldSqlite'),
  oldSqliteHint: message<'oldest'>('ledger-file.oldSqliteHint'),
  readOnly: message('ledger-file.readOnly'),
  tooManyOpen: message('ledger-file.tooManyOpen'),
  tooManyOpenHint: message('ledger-file.tooManyOpenHint'),
  deviceError: message<'problem'>('ledger-file.deviceError'),
  deviceErrorHint: message<'folder'>('ledger-file.deviceErrorHint'),
};

export const LEDGER_COPY = {
  backupExists: message<'file'>('ledger-copy.backupExists'),
  backupExistsHint: message('ledger-copy.backupExistsHint'),
  backupNotWritten: message<'file' | 'problem'>('ledger-copy.backupNotWritten'),
  backupNotWrittenHint: message('ledger-copy.backupNotWrittenHint'),
  copyDamaged: message<'problem'>('ledger-copy.copyDamaged'),
  copyDamagedHint: message<'file'>('ledger-copy.copyDamagedHint'),
  backupMissing: message<'file'>('ledger-copy.backupMissing'),
  backupDamaged: message<'file' | 'problem'>('ledger-copy.backupDamaged'),
  backupDamagedHint: message('ledger-copy.backupDamagedHint'),
  backupNewer: message<'file'>('ledger-copy.backupNewer'),
  backupForeign: message<'file'>('ledger-copy.backupForeign'),
  backupForeignHint: message('ledger-copy.backupForeignHint'),
  ledgerThere: message<'folder'>('ledger-copy.ledgerThere'),
  ledgerThereHint: message('ledger-copy.ledgerThereHint'),
};

export const NEXT_NUMBER = {
  given: message<'last' | 'sequence'>('next-number.given'),
  givenHint: message<'next'>('next-number.givenHint'),
};

export const LEDGER_UNAVAILABLE = {
  diskFull: message('ledger-unavailable.diskFull'),
  failed: message<'problem'>('ledger-unavailable.failed'),
  failedHint: message('ledger-unavailable.failedHint'),
  serverFull: message<'problem'>('ledger-unavailable.serverFull'),
  serverFullHint: message('ledger-unavailable.serverFullHint'),
  lost: message('ledger-unavailable.lost'),
  lostHint: message('ledger-unavailable.lostHint'),
  heldUp: message('ledger-unavailable.heldUp'),
  heldUpHint: message('ledger-unavailable.heldUpHint'),
  refused: message<'problem'>('ledger-unavailable.refused'),
  refusedHint: message('ledger-unavailable.refusedHint'),
  otherServer: message('ledger-unavailable.otherServer'),
  otherServerHint: message('ledger-unavailable.otherServerHint'),
};

export const LEDGER_POSTGRES = {
  unreachable: message<'place' | 'problem'>('ledger-postgres.unreachable'),
  unreachableHint: message('ledger-postgres.unreachableHint'),
  full: message<'place' | 'problem'>('ledger-postgres.full'),
  fullHint: message('ledger-postgres.fullHint'),
  refused: message<'place' | 'problem'>('ledger-postgres.refused'),
  refusedHint: message('ledger-postgres.refusedHint'),
  noPassword: message<'place' | 'user'>('ledger-postgres.noPassword'),
  noPasswordHint: message('ledger-postgres.noPasswordHint'),
  rights: message<'place' | 'problem' | 'user'>('ledger-postgres.rights'),
  rightsHint: message<'database' | 'schema' | 'user'>('ledger-postgres.rightsHint'),
  otherOwner: message<'object' | 'owner'>('ledger-postgres.otherOwner'),
  tls: message<'place' | 'problem'>('ledger-postgres.tls'),
  tlsHint: message('ledger-postgres.tlsHint'),
  version: message<'version'>('ledger-postgres.version'),
  versionHint: message<'oldest'>('ledger-postgres.versionHint'),
  collation: message<'collation' | 'database' | 'encoding'>('ledger-postgres.collation'),
  collationHint: message<'database' | 'user'>('ledger-postgres.collationHint'),
  isolation: message<'level'>('ledger-postgres.isolation'),
  isolationHint: message('ledger-postgres.isolationHint'),
  pooler: message<'place'>('ledger-postgres.pooler'),
  poolerHint: message('ledger-postgres.poolerHint'),
  otherServer: message('ledger-postgres.otherServer'),
  replica: message<'place'>('ledger-postgres.replica'),
  replicaHint: message('ledger-postgres.replicaHint'),
  clock: message<'here' | 'minutes' | 'place' | 'there'>('ledger-postgres.clock'),
  clockSet: message<'here' | 'minutes' | 'place' | 'there'>('ledger-postgres.clockSet'),
  clockHint: message('ledger-postgres.clockHint'),
};
