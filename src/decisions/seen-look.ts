/** What a person has seen of a selection, as a count and a hash of the versions: the same for a form, a look of the API and the act. */
import { sha256Hex } from '../text/sha256.ts';
import type { SeenDocument } from './act.ts';

export type SelectionLook = { readonly count: number; readonly sha256: string };

/** The versions of the documents, in the order of their ids. */
export function lookOf(documents: readonly SeenDocument[]): SelectionLook {
  const lines = documents
    .map(
      ({ id, revision, state, since = '', aside }) => `${id} ${revision} ${state} ${since}${aside ? ' aside' : ''}\n`,
    )
    .sort();
  return { count: documents.length, sha256: sha256Hex(lines.join('')) };
}
