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

export const INSTANCE_LOCK = {
  other: message('instance-lock.other'),
  wait: message('instance-lock.wait'),
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
  and: message<'one' | 'other'>('ledger-hold.and'),
  taken: message<'at' | 'why'>('ledger-hold.taken'),
  accepted: message('ledger-hold.accepted'),
};
