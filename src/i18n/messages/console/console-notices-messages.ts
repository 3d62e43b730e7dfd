/** Generated from locales/<language>/console-notices.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const NOTIFY_SETTING = {
  quietSame: message('notify-setting.quietSame'),
  onlyFor: message<'kind'>('notify-setting.onlyFor'),
  notHeartbeat: message('notify-setting.notHeartbeat'),
  address: message('notify-setting.address'),
  host: message('notify-setting.host'),
  name: message('notify-setting.name'),
  quiet: message('notify-setting.quiet'),
  oneKind: message('notify-setting.oneKind'),
  attach: message('notify-setting.attach'),
  withoutTls: message('notify-setting.withoutTls'),
  userAndPassword: message('notify-setting.userAndPassword'),
  nameTwice: message<'name'>('notify-setting.nameTwice'),
};

export const NOTICE_SUBJECT = {
  of: message<'company' | 'headline'>('notice-subject.of'),
  failed: message<'code'>('notice-subject.failed'),
  absent: message<'since'>('notice-subject.absent'),
  documents: message<'count'>('notice-subject.documents'),
  files: message<'count'>('notice-subject.files'),
  exports: message<'count'>('notice-subject.exports'),
  paused: message<'count'>('notice-subject.paused'),
  noSend: message('notice-subject.noSend'),
  recovered: message<'count'>('notice-subject.recovered'),
  good: message('notice-subject.good'),
  change: message<'count'>('notice-subject.change'),
  test: message('notice-subject.test'),
};

export const NOTICE_LINE = {
  failed: message<'code' | 'exit' | 'run' | 'words'>('notice-line.failed'),
  failedPlain: message<'code' | 'exit' | 'words'>('notice-line.failedPlain'),
  absent: message<'since'>('notice-line.absent'),
  neverRan: message('notice-line.neverRan'),
  noSend: message<'code'>('notice-line.noSend'),
  quarantine: message('notice-line.quarantine'),
  paused: message<'cause' | 'service' | 'since'>('notice-line.paused'),
  exportMissing: message<'due' | 'name'>('notice-line.exportMissing'),
  exportMissingPlain: message<'due'>('notice-line.exportMissingPlain'),
  exportOld: message<'name'>('notice-line.exportOld'),
  exportUnusual: message<'name' | 'rows' | 'unusual'>('notice-line.exportUnusual'),
  exportDiffers: message<'name'>('notice-line.exportDiffers'),
  fileRefused: message<'file'>('notice-line.fileRefused'),
  fileRefusedPlain: message('notice-line.fileRefusedPlain'),
  inDoubt: message<'count' | 'service'>('notice-line.inDoubt'),
  invalidated: message<'count' | 'service'>('notice-line.invalidated'),
  documents: message<'cause' | 'count' | 'state'>('notice-line.documents'),
  inColumn: message<'cause' | 'column'>('notice-line.inColumn'),
  numbers: message<'numbers'>('notice-line.numbers'),
  andMore: message<'count' | 'numbers'>('notice-line.andMore'),
  amounts: message<'amounts'>('notice-line.amounts'),
};

export const NOTICE_PAGE = {
  new: message('notice-page.new'),
  again: message('notice-page.again'),
  over: message('notice-page.over'),
  since: message<'since'>('notice-page.since'),
  others: message<'count'>('notice-page.others'),
  nothing: message('notice-page.nothing'),
  result: message<'result' | 'run'>('notice-page.result'),
  open: message('notice-page.open'),
  command: message('notice-page.command'),
  footer: message<'at' | 'environment' | 'host'>('notice-page.footer'),
  repeated: message('notice-page.repeated'),
  test: message<'channel'>('notice-page.test'),
};

export const NOTICE_PROBLEM = {
  ca: message<'code' | 'path'>('notice-problem.ca'),
  noCertificate: message<'path'>('notice-problem.noCertificate'),
  unknownAuthority: message<'problem' | 'setting'>('notice-problem.unknownAuthority'),
  deadline: message<'seconds'>('notice-problem.deadline'),
  status: message<'status'>('notice-problem.status'),
  redirect: message<'status'>('notice-problem.redirect'),
  gone: message('notice-problem.gone'),
  goneToTest: message('notice-problem.goneToTest'),
  insecure: message('notice-problem.insecure'),
  secret: message('notice-problem.secret'),
  removed: message('notice-problem.removed'),
  noTls: message('notice-problem.noTls'),
  signIn: message<'code'>('notice-problem.signIn'),
  refused: message<'code'>('notice-problem.refused'),
  someRefused: message<'count'>('notice-problem.someRefused'),
  other: message<'code'>('notice-problem.other'),
};

export const NOTIFY_COMMAND = {
  sent: message<'channel'>('notify-command.sent'),
  notSent: message<'channel' | 'problem'>('notify-command.notSent'),
  none: message('notify-command.none'),
  unknown: message<'name'>('notify-command.unknown'),
  known: message<'names'>('notify-command.known'),
  needsTest: message('notify-command.needsTest'),
  needsTestHint: message('notify-command.needsTestHint'),
};

export const NOTICES_LIST = {
  none: message('notices-list.none'),
  at: message('notices-list.at'),
  channel: message('notices-list.channel'),
  state: message('notices-list.state'),
  tries: message('notices-list.tries'),
  subject: message('notices-list.subject'),
  waiting: message<'at'>('notices-list.waiting'),
  sent: message('notices-list.sent'),
  failed: message('notices-list.failed'),
  purged: message('notices-list.purged'),
};

export const NOTICE_CHECK = {
  what: message<'channel'>('notice-check.what'),
  mailOk: message<'host'>('notice-check.mailOk'),
  reached: message('notice-check.reached'),
  hint: message<'channel'>('notice-check.hint'),
  switchOn: message<'channel'>('notice-check.switchOn'),
};

export const NOTICE_STATUS = {
  waiting: message<'count'>('notice-status.waiting'),
  failed: message<'count'>('notice-status.failed'),
  off: message<'channel' | 'since'>('notice-status.off'),
  title: message('notice-status.title'),
  counted: message<'waiting'>('notice-status.counted'),
  countedFailed: message<'failed' | 'waiting'>('notice-status.countedFailed'),
  offShort: message<'channel' | 'since'>('notice-status.offShort'),
};
