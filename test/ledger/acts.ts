/** Whole acts of the line against a ledger, for tests that start behind them. */
import type { NewFile } from '../../src/ledger/contract/intake-store.ts';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import type { BegunSubmission } from '../../src/ledger/contract/submission-store.ts';
import type { DocumentOutcome } from '../../src/model/document.ts';
import type { LedgerEntry } from '../../src/model/ledger-entry.ts';
import type { State } from '../../src/model/state.ts';
import { ADMITTED, answer, faulty, newFile, valid } from './make.ts';

export const AT = '2026-11-20T22:30:00.000Z';
export const INTENT = { requestId: 'request-1', at: AT, run: 'run-1' };

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function admit(ledger: Ledger, outcomes: readonly DocumentOutcome[], changes: Partial<NewFile> = {}) {
  const file = await ledger.intake.openFile(newFile(changes));
  await ledger.intake.stage(file.id, outcomes);
  await ledger.intake.admit(file.id, ADMITTED);
  return file;
}

export async function states(ledger: Ledger, outcomes: readonly DocumentOutcome[]): Promise<State[]> {
  const file = await admit(ledger, outcomes);
  return (await all(ledger.queries.entriesOf(file.id))).map(({ state }) => state);
}

/** Sends the oldest due entry, which ends as the given answer says. */
export async function send(ledger: Ledger, { exchange, verdict }: ReturnType<typeof answer>): Promise<void> {
  const [due] = await ledger.submissions.due('fr', Number.MAX_SAFE_INTEGER, 1);
  const sending = (await ledger.submissions.begin(due!, INTENT))!;
  await ledger.submissions.finishWithExchange(sending, { exchange, ms: 1 }, verdict, AT);
}

export async function begun(ledger: Ledger): Promise<BegunSubmission> {
  await admit(ledger, [valid()]);
  const [due] = await ledger.submissions.due('fr', Date.now(), 1);
  return (await ledger.submissions.begin(due!, INTENT))!;
}

/** Brings one entry, F-1 with text "a", to a state. */
export async function reach(ledger: Ledger, state: State, consultAt?: number): Promise<LedgerEntry | undefined> {
  await admit(ledger, [state === 'invalid' ? faulty() : valid()]);
  if (state === 'invalid' || state === 'ready') return;
  const codes: { [name in State]?: number } = {
    authorized: 2,
    failed: 4,
    rejected: 6,
    contingency: 8,
    invalidated: 11,
    returned: 15,
  };
  const { exchange, verdict } = answer(codes[state] ?? 0, state);
  const { answer: given, ...rest } = verdict;
  const known = codes[state] === undefined ? {} : { answer: given! };
  await send(ledger, { exchange, verdict: { ...rest, ...known, ...(consultAt === undefined ? {} : { consultAt }) } });
  return;
}
