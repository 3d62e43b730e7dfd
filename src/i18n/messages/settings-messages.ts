/** Generated from locales/<language>/settings.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const SETTINGS_FAULT = {
  invalid: message<'count' | 'file'>('settings-fault.invalid'),
  correct: message('settings-fault.correct'),
  unknownKey: message<'key'>('settings-fault.unknownKey'),
  remove: message('settings-fault.remove'),
  levels: message<'name'>('settings-fault.levels'),
  levelsHint: message<'right'>('settings-fault.levelsHint'),
  unknownEnvironment: message<'file' | 'name'>('settings-fault.unknownEnvironment'),
  knownEnvironments: message<'names'>('settings-fault.knownEnvironments'),
  none: message('settings-fault.none'),
  noRule: message<'rule'>('settings-fault.noRule'),
  meant: message<'rule'>('settings-fault.meant'),
  rules: message('settings-fault.rules'),
  placeholder: message<'path' | 'value'>('settings-fault.placeholder'),
  fillIn: message('settings-fault.fillIn'),
  loopback: message<'addresses' | 'environment'>('settings-fault.loopback'),
  loopbackAddress: message<'address' | 'path'>('settings-fault.loopbackAddress'),
  loopbackHint: message('settings-fault.loopbackHint'),
};

export const INSTANCE_FAULT = {
  mappings: message<'count'>('instance-fault.mappings'),
  correctMapping: message('instance-fault.correctMapping'),
  folder: message<'code' | 'path'>('instance-fault.folder'),
  folderHint: message('instance-fault.folderHint'),
  noInstance: message<'file' | 'folder'>('instance-fault.noInstance'),
  noInstanceHint: message('instance-fault.noInstanceHint'),
  idTwice: message<'file' | 'first' | 'id'>('instance-fault.idTwice'),
  otherId: message('instance-fault.otherId'),
  unreadable: message<'file' | 'why'>('instance-fault.unreadable'),
  unreadableFolder: message<'code' | 'folder'>('instance-fault.unreadableFolder'),
  noFile: message('instance-fault.noFile'),
  unreadableHint: message('instance-fault.unreadableHint'),
};

export const SECRET_FAULT = {
  empty: message<'name'>('secret-fault.empty'),
  notSet: message<'name'>('secret-fault.notSet'),
  notSetHint: message('secret-fault.notSetHint'),
  command: message<'program'>('secret-fault.command'),
  commandHint: message('secret-fault.commandHint'),
  notFile: message<'name'>('secret-fault.notFile'),
  notFileHint: message('secret-fault.notFileHint'),
  tooLarge: message<'name' | 'size'>('secret-fault.tooLarge'),
  tooLargeHint: message('secret-fault.tooLargeHint'),
  readable: message<'name'>('secret-fault.readable'),
  noFile: message<'name'>('secret-fault.noFile'),
  noFileHint: message<'folder' | 'name'>('secret-fault.noFileHint'),
  controls: message<'name'>('secret-fault.controls'),
  controlsHint: message('secret-fault.controlsHint'),
  folderOpen: message<'folder'>('secret-fault.folderOpen'),
};

export const SETTINGS_VALUE = {
  answersFolder: message('settings-value.answersFolder'),
  ownFolder: message('settings-value.ownFolder'),
  interval: message('settings-value.interval'),
  timeZone: message('settings-value.timeZone'),
  duration: message('settings-value.duration'),
  size: message('settings-value.size'),
  group: message('settings-value.group'),
  marker: message('settings-value.marker'),
  amount: message('settings-value.amount'),
  currency: message('settings-value.currency'),
  timeOfDay: message('settings-value.timeOfDay'),
  days: message<'forms'>('settings-value.days'),
  age: message('settings-value.age'),
  environment: message('settings-value.environment'),
};

export const SHARE_FAULT = {
  noGroup: message<'group'>('share-fault.noGroup'),
  makeGroup: message('share-fault.makeGroup'),
  cannotShare: message<'code' | 'group' | 'path'>('share-fault.cannotShare'),
  becomeMember: message<'folder' | 'group'>('share-fault.becomeMember'),
};

export const WRITERS_FAULT = {
  open: message<'parts'>('writers-fault.open'),
  part: message<'path' | 'who'>('writers-fault.part'),
  owner: message<'name'>('writers-fault.owner'),
  group: message<'name'>('writers-fault.group'),
  everyone: message('writers-fault.everyone'),
  close: message<'folder'>('writers-fault.close'),
  otherAccount: message<'name'>('writers-fault.otherAccount'),
  beAccount: message<'user'>('writers-fault.beAccount'),
};

export const RULES_SETTING = {
  field: message('rules-setting.field'),
  noKind: message<'name'>('rules-setting.noKind'),
  kinds: message<'names'>('rules-setting.kinds'),
  known: message<'pointer'>('rules-setting.known'),
  knownHint: message('rules-setting.knownHint'),
  noBlock: message<'pointer'>('rules-setting.noBlock'),
  noBlockHint: message('rules-setting.noBlockHint'),
};

export const LEDGER_SETTING = {
  host: message('ledger-setting.host'),
  hosts: message('ledger-setting.hosts'),
  socket: message('ledger-setting.socket'),
  schema: message('ledger-setting.schema'),
  lease: message('ledger-setting.lease'),
  open: message('ledger-setting.open'),
  ca: message<'file' | 'problem'>('ledger-setting.ca'),
  caHint: message('ledger-setting.caHint'),
  noCertificate: message<'file'>('ledger-setting.noCertificate'),
  noCertificateHint: message('ledger-setting.noCertificateHint'),
};

export const MONITORING_SETTING = {
  host: message('monitoring-setting.host'),
  open: message('monitoring-setting.open'),
  textfile: message('monitoring-setting.textfile'),
};
