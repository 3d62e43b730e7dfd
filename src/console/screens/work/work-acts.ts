/** The acts that the work list offers for its documents: which state allows which. The table of states decides, nothing else does. */
import type { OpenWork } from '../../../model/cause.ts';
import { type Act, actsFor } from '../../../model/state.ts';
import type { SeenDocument } from '../../../pipeline/decisions/act.ts';

/** In the order in which they are offered, each with the act that the state has to allow. */
const ALLOWED_BY = {
  fix: 'correct',
  consult: 'consult',
  resolve: 'resolve',
  release: 'release',
  retry: 'resend',
  acknowledge: 'acknowledge',
  reprocess: 'correct',
  'set-aside': 'reject',
} as const satisfies Record<string, Act>;

export type WorkAct = keyof typeof ALLOWED_BY;

const WORK_ACTS = Object.keys(ALLOWED_BY) as readonly WorkAct[];

export function isWorkAct(text: unknown): text is WorkAct {
  return (WORK_ACTS as readonly unknown[]).includes(text);
}

/** The documents that the act is possible for, in the version that is shown. */
export function documentsFor(act: WorkAct, works: readonly OpenWork[]): readonly SeenDocument[] {
  const wanted: Act = ALLOWED_BY[act];
  return works
    .filter(({ state, cause, closed }) => !closed && actsFor(state, cause).includes(wanted))
    .map(({ id, revision, state, since }) => ({ id, revision, state, since }));
}

/** The acts that at least one document allows. */
export function actsOf(works: readonly OpenWork[]): readonly WorkAct[] {
  const allowed = new Set(works.flatMap(({ state, cause, closed }) => (closed ? [] : actsFor(state, cause))));
  return WORK_ACTS.filter((act) => allowed.has(ALLOWED_BY[act]));
}

/** Acts after which the next run sends the documents. */
export const SENDING: ReadonlySet<WorkAct> = new Set(['fix', 'reprocess', 'release', 'retry']);

/** Acts that a file may prove. */
export const PROVABLE: ReadonlySet<WorkAct> = new Set(['resolve', 'retry', 'release', 'set-aside', 'acknowledge']);
