/** What became of documents that were read again, as the data that `--json` and the API show. */
import { documentName } from '../model/ledger-entry.ts';
import type { Becoming, ReadAgain } from './act-result.ts';

/** The object of --json: `becomes` is null if the document could not be converted. */
function becomingObject(one: Becoming) {
  const about = { id: one.entry.id, number: documentName(one.entry), was: one.entry.state };
  if ('fault' in one) return { ...about, becomes: null, faults: [one.fault] };
  const { identifier, amount, faults, hold } = one.outcome;
  return {
    ...about,
    becomes: one.state,
    as: identifier,
    amount: amount ?? null,
    first: one.first ?? null,
    more: one.more,
    hold: hold ?? null,
    faults,
  };
}

/** The same of a document that was read again; one that the same request did before has the state of now. */
export function readAgainObject(one: ReadAgain) {
  if (!('done' in one)) return becomingObject(one);
  const { id, facts, state } = one.entry;
  return { id, number: documentName(one.entry), was: state, becomes: state, as: facts.identifier, faults: [] };
}
