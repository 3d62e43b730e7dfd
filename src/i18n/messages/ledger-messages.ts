/** Generated from locales/<language>/ledger.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const HOW = {
  restored: message('how.restored'),
  rebuilt: message('how.rebuilt'),
  accepted: message('how.accepted'),
};

export const ANOTHER_CLASS = {
  says: message<'class' | 'name' | 'state'>('another-class.says'),
  hint: message('another-class.hint'),
};

export const LOCKED = {
  other: message('locked.other'),
  wait: message('locked.wait'),
};

export const NUMBER = {
  unknown: message<'sequence' | 'why'>('number.unknown'),
  quarantine: message<'at' | 'why'>('number.quarantine'),
  endQuarantine: message('number.endQuarantine'),
  rebuilt: message<'at'>('number.rebuilt'),
  sayNext: message<'command'>('number.sayNext'),
};

export const LEDGER_HOLD = {
  numberTwice: message('ledger-hold.numberTwice'),
  numberSpelling: message<'name' | 'number' | 'state'>('ledger-hold.numberSpelling'),
  and: message<'one' | 'other'>('ledger-hold.and'),
  taken: message<'at' | 'why'>('ledger-hold.taken'),
  accepted: message('ledger-hold.accepted'),
};
