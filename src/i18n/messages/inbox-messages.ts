/** Generated from locales/<language>/inbox.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const STAYS = {
  symbolicLink: message<'name'>('stays.symbolicLink'),
  subfolder: message<'name'>('stays.subfolder'),
  notPlain: message<'name'>('stays.notPlain'),
  notPlainNow: message<'name'>('stays.notPlainNow'),
  hardLink: message<'name'>('stays.hardLink'),
  tooLarge: message<'limit' | 'name' | 'size'>('stays.tooLarge'),
  empty: message<'name'>('stays.empty'),
  cannotLook: message<'name'>('stays.cannotLook'),
  cannotRead: message<'name'>('stays.cannotRead'),
  cannotTake: message<'error' | 'name'>('stays.cannotTake'),
  diskFull: message<'name'>('stays.diskFull'),
  tooManyOpen: message<'name'>('stays.tooManyOpen'),
  readOnly: message<'name'>('stays.readOnly'),
  markerAlone: message<'name'>('stays.markerAlone'),
};

export const DO = {
  putItself: message('do.putItself'),
  moveUp: message('do.moveUp'),
  remove: message('do.remove'),
  copy: message('do.copy'),
  split: message('do.split'),
  askAgain: message('do.askAgain'),
  permissions: message('do.permissions'),
  closeProgram: message('do.closeProgram'),
  makeRoom: message('do.makeRoom'),
  raiseLimit: message('do.raiseLimit'),
  makeWritable: message('do.makeWritable'),
  checkDisk: message('do.checkDisk'),
  deliver: message('do.deliver'),
};
