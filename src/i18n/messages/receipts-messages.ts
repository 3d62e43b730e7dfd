/** Generated from locales/<language>/receipts.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const CORRECTION_ROW = {
  elsewhere: message<'file' | 'row'>('correction-row.elsewhere'),
  setAside: message<'by' | 'reason'>('correction-row.setAside'),
  numberTaken: message<'name'>('correction-row.numberTaken'),
};
