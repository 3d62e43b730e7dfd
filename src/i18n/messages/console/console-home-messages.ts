/** Generated from locales/<language>/console-home.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const HOME_VERDICT = {
  title: message('home-verdict.title'),
  run: message<'duration' | 'time'>('home-verdict.run'),
  running: message<'time'>('home-verdict.running'),
  none: message('home-verdict.none'),
  authorized: message<'all' | 'authorized'>('home-verdict.authorized'),
  queued: message<'count'>('home-verdict.queued'),
  earlier: message<'count'>('home-verdict.earlier'),
  start: message<'count'>('home-verdict.start'),
};

export const HOME_CAUSE = {
  title: message('home-cause.title'),
  count: message<'count'>('home-cause.count'),
  all: message('home-cause.all'),
  nothing: message('home-cause.nothing'),
  column: message<'column'>('home-cause.column'),
};

export const HOME_OLDEST = {
  since: message<'time'>('home-oldest.since'),
  next: message<'time'>('home-oldest.next'),
};

export const HOME_ACT = {
  fix: message<'count'>('home-act.fix'),
  release: message('home-act.release'),
  consult: message('home-act.consult'),
  retry: message('home-act.retry'),
  resolve: message('home-act.resolve'),
  acknowledge: message('home-act.acknowledge'),
  look: message('home-act.look'),
};

export const HOME_COMPLETE = {
  title: message('home-complete.title'),
  arrived: message('home-complete.arrived'),
  missing: message('home-complete.missing'),
  refused: message('home-complete.refused'),
  duplicate: message('home-complete.duplicate'),
  waived: message('home-complete.waived'),
  'not-due': message('home-complete.not-due'),
  due: message<'files' | 'time'>('home-complete.due'),
  came: message<'file'>('home-complete.came'),
  rows: message<'count' | 'shown'>('home-complete.rows'),
  noneExpected: message('home-complete.noneExpected'),
  more: message<'count'>('home-complete.more'),
};

export const HOME_TOTALS = {
  adding: message('home-totals.adding'),
  title: message('home-totals.title'),
  titleWhole: message('home-totals.titleWhole'),
  currency: message('home-totals.currency'),
  read: message('home-totals.read'),
  sent: message('home-totals.sent'),
  waiting: message('home-totals.waiting'),
  setAside: message('home-totals.setAside'),
  skipped: message('home-totals.skipped'),
  noAmount: message('home-totals.noAmount'),
  documents: message('home-totals.documents'),
  caption: message('home-totals.caption'),
  none: message('home-totals.none'),
};

export const HOME_NIGHTS = {
  title: message<'count'>('home-nights.title'),
  all: message('home-nights.all'),
  night: message<'count' | 'outcome' | 'time' | 'waiting'>('home-nights.night'),
  none: message('home-nights.none'),
};

export const HOME_DURATION = {
  seconds: message<'count'>('home-duration.seconds'),
  minutes: message<'count'>('home-duration.minutes'),
};
