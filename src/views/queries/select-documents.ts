/**
 * The documents that a person or a program selects by names or filters, before an act. A selector comes in, entries of the
 * ledger come out; a name without or with several documents throws OperatorError `select/*`.
 */
import { SELECTION } from '../../i18n/messages/cli-decisions-messages.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { LedgerEntry, Selector } from '../../model/ledger-entry.ts';
import { STATE_NAMES, type State } from '../../model/state.ts';
import { compareTexts } from '../../text/compare-texts.ts';

/** Adds states and a cause: documents without another cause are grouped under their state. */
export function withCause(
  selector: Selector,
  { states, cause }: { readonly states?: readonly State[]; readonly cause?: string },
): Selector {
  if (!STATE_NAMES.includes(cause as State)) return definedOnly({ ...selector, states, cause: cause || undefined });
  return { ...selector, states: (states ?? STATE_NAMES).filter((state) => state === cause) };
}

/** Whether the selector has neither names nor filters. */
export function isEmpty(selector: Selector): boolean {
  return Object.keys(selector).length === 0;
}

/**
 * The selected documents, oldest first. A name must match one document; a filter may separate several. Throws
 * `nothing-named` (an empty selection never means all documents), `no-such-document` or `several-documents`, all under
 * `select/`.
 */
export async function selectDocuments(
  ledger: QueryStore,
  selector: Selector,
  command: string,
): Promise<readonly LedgerEntry[]> {
  if (isEmpty(selector) || selector.ids?.length === 0) {
    throw new OperatorError('select/nothing-named', SELECTION.nothingNamed({ command }), {
      hint: SELECTION.nameThem(),
    });
  }
  const { ids, ...filters } = selector;
  const found = new Map<string, LedgerEntry>();
  if (!ids) for await (const entry of ledger.find(filters)) found.set(entry.id, entry);
  for (const name of ids ?? []) {
    const called: LedgerEntry[] = [];
    for await (const entry of ledger.find({ ...filters, ids: [name] })) called.push(entry);
    // A copy (state duplicate) never competes with the document itself.
    const originals = called.filter(({ state }) => state !== 'duplicate');
    const [entry, second] = originals.length > 0 ? originals : called;
    if (!entry) {
      throw new OperatorError('select/no-such-document', SELECTION.noSuch({ name }), {
        hint: SELECTION.listUnchanged(),
      });
    }
    if (second) {
      const each = called.map(({ id, state, class: of }) => `${id} (${of}, ${state})`).join(', ');
      throw new OperatorError('select/several-documents', SELECTION.several({ count: called.length, name, each }), {
        hint: SELECTION.nameOne(),
      });
    }
    found.set(entry.id, entry);
  }
  return [...found.values()].sort((a, b) => compareTexts(a.id, b.id));
}
