/** Generated from locales/<language>/console-api.yaml by `npm run messages`: edit those. */
import { message } from '../../message.ts';

export const API_ERROR = {
  notFitting: message('api-error.notFitting'),
  seeShapes: message('api-error.seeShapes'),
  noRun: message('api-error.noRun'),
  noLineage: message('api-error.noLineage'),
};
