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
