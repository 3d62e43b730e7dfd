/** Whether a document may go out again as it is, by a person's decision, and if not, why and what to do instead. */
import type { Instance } from '../../instance.ts';
import type { Entry } from '../../model/entry.ts';
import { type State, stateInfo } from '../../model/state.ts';

const HOUR_MS = 3_600_000;

const WHY_NOT: { readonly [state in State]?: string } = {
  invalid: 'it was never sent; correct it: nightpost fix, or mend the mapping: nightpost reprocess',
  duplicate: 'the same document was taken before, and that one counts',
  conflict: 'its number belongs to another document; correct it: nightpost fix',
  held: 'decide: nightpost release, or nightpost reject',
  ready: 'the next run sends it',
  sending: 'the next run settles it',
  authorized: 'a second one would be a second document',
  invalidated: 'a new document needs a number of its own',
  rejected: 'the same content would be rejected again; correct it: nightpost fix',
  contingency: 'the service has it and processes it later',
};

/** Undefined: it may. */
export function whyNotRepeated(
  instance: Pick<Instance, 'dayOf'>,
  entry: Pick<Entry, 'state' | 'service' | 'notFound' | 'kind'>,
  hasEvidence: boolean,
): string | undefined {
  const { state } = entry;
  if ((stateInfo(state).acts as readonly string[]).includes('resend')) return undefined;
  const known = WHY_NOT[state];
  if (known !== undefined) return known;
  const times = entry.notFound?.times ?? 0;
  const twoDays = entry.kind === 'sv-remission-note';
  const apart = twoDays ? 'on two local days' : 'an hour apart';
  if (times < 2 || !farEnough(instance, entry, twoDays)) {
    return `nobody knows whether it arrived; ask (nightpost consult), look it up there and record what you find (nightpost resolve --as ...). It may go out again once two consultations ${apart} did not know it; so far: ${times}`;
  }
  if (!hasEvidence)
    return 'two consultations did not know it; now add the proof that it did not arrive: --evidence FILE';
  return undefined;
}

function farEnough(
  { dayOf }: Pick<Instance, 'dayOf'>,
  { notFound, service }: Pick<Entry, 'notFound' | 'service'>,
  twoDays: boolean,
): boolean {
  if (!notFound) return false;
  const [first, last] = [new Date(notFound.firstAt), new Date(notFound.lastAt)];
  if (last.getTime() - first.getTime() < HOUR_MS) return false;
  return !twoDays || dayOf(service, first) !== dayOf(service, last);
}
