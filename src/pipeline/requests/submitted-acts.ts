/** Questions about the requests of people: what became of one, and which reasons a person gave last. Reads only. */
import type { Instance } from '../../instance/instance.ts';
import { hasRequestQueue, openRequestQueue } from '../../ledger/requests/request-queue.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type ActAnswer, readAnswer } from '../decisions/act-result.ts';

/** A request by its id; times are ISO 8601. Without an answer it waits for the holder of the lock, or is being carried out. */
export type AskedAct = {
  readonly id: string;
  readonly person: string;
  readonly reason: string;
  readonly at: string;
  readonly done?: string;
  readonly answer?: ActAnswer;
};

type Place = Pick<Instance, 'folder'>;

/** Undefined for an id that no one asked under, and for answers that are older than 30 days. */
export function findAskedAct({ folder }: Place, id: string): AskedAct | undefined {
  if (!hasRequestQueue(folder)) return undefined;
  using queue = openRequestQueue(folder, 'holds');
  const found = queue.find(id);
  if (!found) return undefined;
  const { person, reason, at, done, answer } = found;
  return definedOnly({ id, person, reason, at, done, answer: answer === undefined ? undefined : readAnswer(answer) });
}

/** Reasons that are offered again. */
const REASONS = 5;

/** Each once, the latest first. */
export function lastReasons({ folder }: Place, person: string): readonly string[] {
  if (!hasRequestQueue(folder)) return [];
  using queue = openRequestQueue(folder, 'holds');
  return queue.reasonsOf(person, REASONS);
}
