/** Generated from locales/<language>/cli-session.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const COUNT = {
  document: message<'count'>('count.document'),
  file: message<'count'>('count.file'),
  row: message<'count'>('count.row'),
  passedWithWarnings: message<'count'>('count.passedWithWarnings'),
};

export const STATE_COUNT_MANY = {
  duplicate: message<'count'>('state-count-many.duplicate'),
  conflict: message<'count'>('state-count-many.conflict'),
  held: message<'count'>('state-count-many.held'),
  authorized: message<'count'>('state-count-many.authorized'),
  invalidated: message<'count'>('state-count-many.invalidated'),
};

export const STATE_COUNT = {
  failed: message<'count'>('state-count.failed'),
  inState: message<'count' | 'state'>('state-count.inState'),
};

export const ROW_NUMBERS = {
  rows: message<'count' | 'rows'>('row-numbers.rows'),
};

export const SESSION = {
  ending: message('session.ending'),
  mappingInvalid: message<'fault'>('session.mappingInvalid'),
  mappingsInvalid: message<'fault' | 'more'>('session.mappingsInvalid'),
  noLog: message<'error' | 'path'>('session.noLog'),
  endingUnchanged: message('session.endingUnchanged'),
  unchanged: message('session.unchanged'),
  endingSandbox: message('session.endingSandbox'),
};

export const SYSTEM_REFUSAL = {
  noAccess: message<'where'>('system-refusal.noAccess'),
  readOnly: message<'where'>('system-refusal.readOnly'),
  diskFull: message<'where'>('system-refusal.diskFull'),
  tooManyOpen: message<'where'>('system-refusal.tooManyOpen'),
  missing: message<'where'>('system-refusal.missing'),
  inTheWay: message<'where'>('system-refusal.inTheWay'),
  deviceError: message<'where'>('system-refusal.deviceError'),
  ledger: message('system-refusal.ledger'),
  hint: message('system-refusal.hint'),
};

export const LIVE = {
  recording: message('live.recording'),
  reading: message('live.reading'),
  restoring: message('live.restoring'),
  rebuilding: message('live.rebuilding'),
  comparing: message('live.comparing'),
  copying: message('live.copying'),
  removing: message('live.removing'),
  inferring: message('live.inferring'),
  checking: message('live.checking'),
  verifying: message('live.verifying'),
  indexing: message('live.indexing'),
};

export const MONITOR = {
  notWritten: message<'why'>('monitor.notWritten'),
  notOffered: message<'code' | 'host' | 'port'>('monitor.notOffered'),
  metrics: message<'address'>('monitor.metrics'),
  health: message<'address'>('monitor.health'),
};
