/** Generated from locales/<language>/report-settings.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const REPORT_SETTING = {
  rowsSwapped: message('report-setting.rowsSwapped'),
  like: message('report-setting.like'),
};

export const CONTROL_PROBLEM = {
  tooLarge: message<'most'>('control-problem.tooLarge'),
  noValue: message<'name'>('control-problem.noValue'),
  twice: message<'name'>('control-problem.twice'),
  notANumber: message<'given' | 'name'>('control-problem.notANumber'),
  twoReadings: message<'given' | 'name'>('control-problem.twoReadings'),
  notRead: message<'reason'>('control-problem.notRead'),
};
