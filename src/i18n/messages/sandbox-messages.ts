/** Generated from locales/<language>/sandbox.yaml by `npm run messages`: edit those. */
import { message } from '../message.ts';

export const SANDBOX_FAULT = {
  notLoopback: message<'host'>('sandbox-fault.notLoopback'),
  notLoopbackHint: message<'hosts'>('sandbox-fault.notLoopbackHint'),
  cannotListen: message<'address' | 'reason'>('sandbox-fault.cannotListen'),
  portInUse: message('sandbox-fault.portInUse'),
  portInUseHint: message<'otherPort'>('sandbox-fault.portInUseHint'),
  otherPort: message<'service'>('sandbox-fault.otherPort'),
  script: message<'faults'>('sandbox-fault.script'),
  tooNested: message('sandbox-fault.tooNested'),
  ruleForm: message('sandbox-fault.ruleForm'),
};
