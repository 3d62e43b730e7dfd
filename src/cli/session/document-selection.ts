/**
 * The selectors that all commands share: ids, numbers or receipt names, `-` for a list on standard input, or filters.
 * Typed words come in, entries of the ledger come out; a name without or with several documents throws OperatorError
 * `select/*`.
 */
import { readFileSync } from 'node:fs';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { LedgerEntry, Selector, SourceFile } from '../../model/ledger-entry.ts';
import { STATE_NAMES, type State } from '../../model/state.ts';
import { suggest } from '../../text/suggest.ts';
import { isTypedDay, isTypedMoment, typedMoment } from '../../text/typed-moment.ts';
import { withCause } from '../../views/queries/select-documents.ts';
import { InvalidValueError, type TypedValue } from './command-module.ts';

/**
 * The filters as commander gives them: `since` is a typed day or time, `run` the name of a run, `cause` a cause as `errors` prints
 * it.
 */
export type SelectorOptions = {
  readonly state?: readonly State[];
  readonly cause?: string;
  readonly mapping?: string;
  readonly run?: string;
  readonly since?: string;
};

/** The readers of these options. `state` takes a list with commas and may be repeated. */
export const SELECTOR_VALUES: { readonly [name: string]: TypedValue } = {
  state: { choices: STATE_NAMES, read: readState },
  cause: { read: readText },
  mapping: { read: readText },
  run: { read: readText },
  since: { read: readSince },
};

/** The value of a script may be empty: without its filter the selection would be all documents. */
function readText(text: string): string {
  if (text !== '') return text;
  throw new InvalidValueError('empty');
}

function readState(text: string, before: readonly State[] = []): readonly State[] {
  const states = text.split(',').map((name) => {
    if (STATE_NAMES.includes(name as State)) return name as State;
    const near = suggest(name, STATE_NAMES);
    if (near !== undefined) throw new InvalidValueError('nearState', { near });
    throw new InvalidValueError('knownStates', { states: STATE_NAMES.join(', ') });
  });
  return [...before, ...states];
}

/** A day or a time as it was typed: only the settings know in which zone. */
function readSince(text: string): string {
  if (!isTypedMoment(text)) throw new InvalidValueError('moment');
  return text;
}

/** The reader of options that take one day, `YYYY-MM-DD`. A day as screens show it has another order in each country: it is only a hint. */
export function readDay(text: string): string {
  if (isTypedDay(text)) return text;
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ?? [];
  const near = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  throw isTypedDay(near) ? new InvalidValueError('isoDayNear', { near }) : new InvalidValueError('isoDay');
}

/**
 * Names and filters as a query of the ledger; keys without a value are absent. Reads standard input for the name `-`: an
 * empty list selects no document, whatever the filters. A day of `since` begins at midnight of `zone`.
 */
export function selectorOf(names: readonly string[], options: SelectorOptions, zone: string): Selector {
  const ids = names.flatMap((name) => (name === '-' ? readFileSync(0, 'utf8').split(/\s+/).filter(Boolean) : [name]));
  const { state: states, cause, mapping, run, since } = options;
  const selector = definedOnly({
    ids: names.length > 0 ? ids : undefined,
    mapping,
    run,
    since: since === undefined ? undefined : typedMoment(since, zone),
  });
  return withCause(selector, definedOnly({ states, cause }));
}

/** The last imported file with this name or id that `isMeant` accepts; undefined if a document has the name. */
export async function fileCalled(
  ledger: QueryStore,
  name: string,
  isMeant: (file: SourceFile) => boolean = () => true,
): Promise<SourceFile | undefined> {
  for await (const _ of ledger.find({ ids: [name], limit: 1 })) return undefined;
  return (await ledger.filesCalled(name)).find(isMeant);
}

/** The shortest name that selects only this document: its number, else its receipt name. */
export async function uniqueDocumentName(ledger: QueryStore, { id, facts, name }: LedgerEntry): Promise<string> {
  if (facts.identifier === '') return name;
  for await (const other of ledger.find({ ids: [facts.identifier] }))
    if (other.id !== id && other.state !== 'duplicate') return name;
  return facts.identifier;
}

/** Documents that a person can check one by one; a decision about more needs a confirmation. */
const MOST = 20;

/** Whether a decision needs a confirmation: many documents, or a selection by nothing but the state. */
export function isWide({ ids, cause, mapping, run, since }: Selector, count: number): boolean {
  return count > MOST || [ids, cause, mapping, run, since].every((one) => one === undefined);
}
