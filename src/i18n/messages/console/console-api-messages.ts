/** Generated from locales/<language>/console-api.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const API_ERROR = {
  notFitting: message('api-error.notFitting'),
  seeShapes: message('api-error.seeShapes'),
  noRun: message('api-error.noRun'),
  noMapping: message<'id'>('api-error.noMapping'),
  noLineage: message('api-error.noLineage'),
  busy: message('api-error.busy'),
  oneAtATime: message('api-error.oneAtATime'),
  noKey: message('api-error.noKey'),
  giveKey: message('api-error.giveKey'),
  keyReused: message('api-error.keyReused'),
  changed: message<'before' | 'now'>('api-error.changed'),
  lookAgain: message('api-error.lookAgain'),
  noLook: message('api-error.noLook'),
  noAct: message('api-error.noAct'),
  keptAMonth: message('api-error.keptAMonth'),
  waits: message('api-error.waits'),
  manyListen: message('api-error.manyListen'),
  askSeldom: message('api-error.askSeldom'),
};
