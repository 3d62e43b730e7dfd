/** Generated from locales/<language>/files.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const WRITE_FAULT = {
  cannotWrite: message<'path' | 'reason'>('write-fault.cannotWrite'),
  diskFull: message('write-fault.diskFull'),
  diskFullHint: message('write-fault.diskFullHint'),
  quota: message('write-fault.quota'),
  readOnly: message('write-fault.readOnly'),
  readOnlyHint: message('write-fault.readOnlyHint'),
  noAccess: message('write-fault.noAccess'),
  noAccessHint: message('write-fault.noAccessHint'),
  tooManyOpen: message('write-fault.tooManyOpen'),
  tooManyOpenHint: message('write-fault.tooManyOpenHint'),
  folderThere: message('write-fault.folderThere'),
  fileThere: message('write-fault.fileThere'),
  brokenLink: message('write-fault.brokenLink'),
  foreignFolder: message('write-fault.foreignFolder'),
  moveAway: message('write-fault.moveAway'),
  receiptThere: message('write-fault.receiptThere'),
  otherFileThere: message('write-fault.otherFileThere'),
  archiveChanged: message('write-fault.archiveChanged'),
};
