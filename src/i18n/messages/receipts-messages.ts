/** Generated from locales/<language>/receipts.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const TO_FIX = {
  elsewhere: message<'file' | 'row'>('to-fix.elsewhere'),
  setAside: message<'by' | 'reason'>('to-fix.setAside'),
  numberTaken: message<'name'>('to-fix.numberTaken'),
};
