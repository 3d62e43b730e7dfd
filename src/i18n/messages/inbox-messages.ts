/** Generated from locales/<language>/inbox.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const INBOX_PROBLEM = {
  symbolicLink: message<'name'>('inbox-problem.symbolicLink'),
  subfolder: message<'name'>('inbox-problem.subfolder'),
  notPlain: message<'name'>('inbox-problem.notPlain'),
  notPlainNow: message<'name'>('inbox-problem.notPlainNow'),
  hardLink: message<'name'>('inbox-problem.hardLink'),
  tooLarge: message<'limit' | 'name' | 'size'>('inbox-problem.tooLarge'),
  empty: message<'name'>('inbox-problem.empty'),
  cannotLook: message<'name'>('inbox-problem.cannotLook'),
  cannotRead: message<'name'>('inbox-problem.cannotRead'),
  cannotTake: message<'error' | 'name'>('inbox-problem.cannotTake'),
  diskFull: message<'name'>('inbox-problem.diskFull'),
  tooManyOpen: message<'name'>('inbox-problem.tooManyOpen'),
  readOnly: message<'name'>('inbox-problem.readOnly'),
  markerAlone: message<'name'>('inbox-problem.markerAlone'),
  noMarker: message<'marker' | 'name'>('inbox-problem.noMarker'),
  folderNotReadable: message<'folder'>('inbox-problem.folderNotReadable'),
};

export const INBOX_ADVICE = {
  putItself: message('inbox-advice.putItself'),
  moveUp: message('inbox-advice.moveUp'),
  remove: message('inbox-advice.remove'),
  copy: message('inbox-advice.copy'),
  split: message('inbox-advice.split'),
  askAgain: message('inbox-advice.askAgain'),
  permissions: message('inbox-advice.permissions'),
  closeProgram: message('inbox-advice.closeProgram'),
  makeRoom: message('inbox-advice.makeRoom'),
  raiseLimit: message('inbox-advice.raiseLimit'),
  makeWritable: message('inbox-advice.makeWritable'),
  checkDisk: message('inbox-advice.checkDisk'),
  deliver: message('inbox-advice.deliver'),
  mark: message('inbox-advice.mark'),
  checkFolder: message('inbox-advice.checkFolder'),
};
