/** Generated from locales/<language>/send-guard.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const SEND_GUARD = {
  newerSchema: message<'found' | 'known'>('send-guard.newerSchema'),
  noInstallation: message<'confirm' | 'learns' | 'restore'>('send-guard.noInstallation'),
  otherInstallation: message<'confirm' | 'expected' | 'found'>('send-guard.otherInstallation'),
  otherFolder: message<'confirm' | 'expected' | 'found' | 'learns' | 'path' | 'restore'>('send-guard.otherFolder'),
  olderCommit: message<'confirm' | 'found' | 'learns' | 'reached' | 'restore'>('send-guard.olderCommit'),
  olderLog: message<'confirm' | 'learns' | 'restore'>('send-guard.olderLog'),
  unknownFile: message<'confirm' | 'learns' | 'path' | 'restore'>('send-guard.unknownFile'),
  witnessMissing: message<'confirm' | 'folder' | 'learns'>('send-guard.witnessMissing'),
  otherFile: message<'confirm' | 'learns' | 'path' | 'restore'>('send-guard.otherFile'),
  copied: message<'confirm' | 'learns' | 'restore'>('send-guard.copied'),
  otherEnvironment: message<'bound' | 'confirm' | 'environment' | 'services' | 'settings'>('send-guard.otherEnvironment'),
  otherAddress: message<'address' | 'bound' | 'confirm' | 'service'>('send-guard.otherAddress'),
  rebinds: message<'bound' | 'environment' | 'services' | 'settings'>('send-guard.rebinds'),
  noServices: message('send-guard.noServices'),
  confirm: message('send-guard.confirm'),
  restore: message('send-guard.restore'),
  learns: message('send-guard.learns'),
  nothingTaken: message('send-guard.nothingTaken'),
  nothingWritten: message('send-guard.nothingWritten'),
  nothingChanged: message('send-guard.nothingChanged'),
};

export const LEDGER_FOLDER = {
  network: message<'folder' | 'kind'>('ledger-folder.network'),
  localDisk: message('ledger-folder.localDisk'),
  noWitness: message<'folder'>('ledger-folder.noWitness'),
  connectWitness: message('ledger-folder.connectWitness'),
};

export const LEDGER_MOVE = {
  moved: message<'at' | 'to'>('ledger-move.moved'),
  movedToFile: message<'at' | 'to'>('ledger-move.movedToFile'),
  unfinished: message<'to'>('ledger-move.unfinished'),
  notMoved: message<'file'>('ledger-move.notMoved'),
  notMovedHint: message('ledger-move.notMovedHint'),
  noLedger: message<'database' | 'place' | 'schema'>('ledger-move.noLedger'),
  noLedgerHint: message('ledger-move.noLedgerHint'),
  otherTables: message<'database' | 'schema'>('ledger-move.otherTables'),
  otherTablesHint: message('ledger-move.otherTablesHint'),
  needsSettings: message('ledger-move.needsSettings'),
  needsSettingsHint: message('ledger-move.needsSettingsHint'),
  needsTarget: message('ledger-move.needsTarget'),
  needsTargetHint: message('ledger-move.needsTargetHint'),
  inUse: message<'to'>('ledger-move.inUse'),
  inUseHint: message<'file'>('ledger-move.inUseHint'),
  underWay: message<'count'>('ledger-move.underWay'),
  underWayHint: message('ledger-move.underWayHint'),
  requestsWait: message<'count'>('ledger-move.requestsWait'),
  requestsWaitHint: message('ledger-move.requestsWaitHint'),
  differs: message<'table'>('ledger-move.differs'),
  differsHint: message('ledger-move.differsHint'),
  otherMove: message<'to'>('ledger-move.otherMove'),
  otherMoveHint: message('ledger-move.otherMoveHint'),
};
