/** Generated from locales/<language>/report-night.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const NIGHT_VERDICT = {
  good: message<'documents'>('night-verdict.good'),
  goodEmpty: message('night-verdict.goodEmpty'),
  need: message<'documents' | 'need'>('night-verdict.need'),
  documents: message<'count'>('night-verdict.documents'),
  earlier: message<'count'>('night-verdict.earlier'),
  underWay: message<'count'>('night-verdict.underWay'),
  queued: message<'count'>('night-verdict.queued'),
  exportsMissing: message<'count'>('night-verdict.exportsMissing'),
  exportsOld: message<'count'>('night-verdict.exportsOld'),
  exportsUnusual: message<'count'>('night-verdict.exportsUnusual'),
  controlsDiffer: message<'count'>('night-verdict.controlsDiffer'),
  earlierFiles: message<'count'>('night-verdict.earlierFiles'),
  filesRefused: message<'count'>('night-verdict.filesRefused'),
  notTaken: message<'count'>('night-verdict.notTaken'),
  service: message<'cause' | 'service'>('night-verdict.service'),
  mapping: message<'cause' | 'mapping'>('night-verdict.mapping'),
  uneven: message('night-verdict.uneven'),
  unaccounted: message<'count'>('night-verdict.unaccounted'),
  clockBehind: message('night-verdict.clockBehind'),
  stopped: message('night-verdict.stopped'),
};

export const NIGHT_TODO = {
  invalid: message('night-todo.invalid'),
  conflict: message('night-todo.conflict'),
  held: message('night-todo.held'),
  invalidated: message('night-todo.invalidated'),
  rejected: message('night-todo.rejected'),
  failed: message('night-todo.failed'),
  returned: message('night-todo.returned'),
  refused: message('night-todo.refused'),
  'in-doubt': message('night-todo.in-doubt'),
};
