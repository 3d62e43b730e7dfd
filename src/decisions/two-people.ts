/**
 * The two-person rule (settings `decisions.two-people`): which documents of an act wait for the approval of another person.
 * Act, entries and settings come in, documents with the reason come out. Pure.
 */
import type { Instance } from '../instance/instance.ts';
import type { WaitingDocument } from '../ledger/contract/approval.ts';
import { definedOnly } from '../model/defined-only.ts';
import { documentName, type LedgerEntry } from '../model/ledger-entry.ts';
import { isAmountAbove } from '../pipeline/context/amount-above.ts';
import type { ReprocessResult } from '../pipeline/reprocessing/reread-result.ts';
import type { PersonAct, SeenDocument } from './act.ts';
import { traitsOf } from './acts.ts';

type Rule = Instance['settings']['decisions']['two-people'];

/** Without a rule no act waits, and no document has to be read. */
export function hasTwoPeopleRule({ 'in-doubt': inDoubt, above }: Rule): boolean {
  return inDoubt || Object.keys(above).length > 0;
}

/** The documents of an act that the rule can be about, in the version that the person has seen. A question, and what takes a decision back, need one person. */
export function documentsUnderRule(act: PersonAct): readonly SeenDocument[] {
  return traitsOf(act.act).approval !== undefined && 'documents' in act ? (act.documents ?? []) : [];
}

/** `entries`: those of the act, as they are now. A document counts as in doubt if it is now, or was when the person looked. */
export function needingApproval(
  rule: Rule,
  act: PersonAct,
  entries: readonly LedgerEntry[],
): readonly WaitingDocument[] {
  const seen = new Map(documentsUnderRule(act).map((one) => [one.id, one.state]));
  return entries.flatMap((entry): readonly WaitingDocument[] => {
    const state = seen.get(entry.id);
    if (state === undefined) return [];
    const isInDoubt = traitsOf(act.act).approval === 'amount-and-doubt' && [state, entry.state].includes('in-doubt');
    if (rule['in-doubt'] && isInDoubt) return [waiting(entry, 'in-doubt')];
    return isAmountAbove(entry.facts, rule.above) ? [waiting(entry, 'amount')] : [];
  });
}

/** `made`: what documents would become that are read again. One that is small counts as large if its rows make a large one. */
export function needingApprovalThen(rule: Rule, made: readonly ReprocessResult[]): readonly WaitingDocument[] {
  return made.flatMap((one) => {
    const large = 'amounts' in one ? one.amounts.find((facts) => isAmountAbove(facts, rule.above)) : undefined;
    return large === undefined ? [] : [waiting(one.entry, 'amount', large)];
  });
}

function waiting(
  entry: LedgerEntry,
  why: WaitingDocument['why'],
  { amount, currency }: Pick<LedgerEntry['facts'], 'amount' | 'currency'> = entry.facts,
): WaitingDocument {
  return definedOnly({ id: entry.id, number: documentName(entry), why, amount, currency });
}
