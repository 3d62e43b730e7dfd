/** Generated from locales/<language>/report-page.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const NIGHT_REPORT = {
  kind: message('night-report.kind'),
  run: message<'end' | 'run' | 'start'>('night-report.run'),
  watch: message<'end' | 'run' | 'start'>('night-report.watch'),
  untold: message<'since'>('night-report.untold'),
  made: message<'at' | 'version'>('night-report.made'),
  notWritten: message<'reason'>('night-report.notWritten'),
};

export const NIGHT_PART = {
  complete: message('night-part.complete'),
  balance: message('night-part.balance'),
  waits: message('night-part.waits'),
  oldest: message('night-part.oldest'),
  earlier: message('night-part.earlier'),
  changes: message('night-part.changes'),
  proof: message('night-part.proof'),
};
