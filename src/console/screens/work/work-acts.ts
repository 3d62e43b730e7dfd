/** The acts that the work list offers for its documents: the tables of states and of acts decide, nothing else does. */

import type { SeenDocument } from '../../../decisions/act.ts';
import { WORK_ACTS, type WorkAct, workActsFor } from '../../../decisions/acts.ts';
import type { OpenWork } from '../../../model/cause.ts';

/** The documents that the act is possible for, in the version that is shown. */
export function documentsFor(act: WorkAct, works: readonly OpenWork[]): readonly SeenDocument[] {
  return works
    .filter((work) => allowedFor(work).includes(act))
    .map(({ id, revision, state, since }) => ({ id, revision, state, since }));
}

/** The acts that at least one document allows. */
export function actsOf(works: readonly OpenWork[]): readonly WorkAct[] {
  const allowed = new Set(works.flatMap(allowedFor));
  return WORK_ACTS.filter((act) => allowed.has(act));
}

function allowedFor({ state, cause, closed }: OpenWork): readonly WorkAct[] {
  return closed ? [] : workActsFor(state, cause);
}
