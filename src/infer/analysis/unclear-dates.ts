/**
 * The roles by name in; the same with the date of the document out, where only the values show which column it is.
 * Otherwise the draft would use the day of the run, so that each candidate becomes a question.
 */

import { ROLE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { DRAFT_TARGETS, type DraftTarget } from '../vocabulary/draft-targets.ts';
import { fittingValues } from './column-profile.ts';
import type { ColumnRole, Roles } from './column-roles.ts';
import { looksLikeSerials, splitDay } from './date-evidence.ts';
import { type DocumentGrouping, filledShare, type GroupingCandidate } from './document-grouping.ts';

/** The required date of a target, and the place in the mapping that its question names. */
type TargetDate = DraftTarget['date'] & { readonly concept: string };

type Search = {
  readonly target: DraftTarget;
  readonly candidates: readonly GroupingCandidate[];
  readonly grouping: DocumentGrouping;
  readonly notes: DraftNotes;
};

/** The roles unchanged where the date is known; `strength` is 0 for one that the values found. */
export function addUnclearDate(roles: Roles, search: Search): Roles {
  const { target, candidates, grouping, notes } = search;
  const date = { ...target.date, concept: target.dates[0] };
  const { concept, at, what } = date;
  const used = new Set([...roles.values()].map(({ column }) => column));
  const unclear = candidates.filter(
    (one) =>
      one.column.known && !used.has(one.column) && !isClear(one) && isDate(one) && isOfDocument(one, target, grouping),
  );
  const role = roles.get(concept);
  if (role) {
    askAboutHoles(role, date, search);
    if (role.strength < 2 && unclear.length > 0) askWhich([role, ...unclear], date, notes);
    return roles;
  }
  const found = earliest(unclear);
  if (!found) {
    askAboutForm(date, search);
    return roles;
  }
  if (unclear.length > 1) askWhich([found, ...unclear.filter((one) => one !== found)], date, notes);
  else {
    const onlyOne = { what, name: found.column.name, count: grouping.groups.length };
    notes.addQuestion(89, at, SAMPLE_QUESTION.onlyDate(onlyOne));
  }
  const says = unclear.length > 1 ? ROLE_EVIDENCE.earliestDate() : ROLE_EVIDENCE.onlyDate();
  return new Map([...roles, [concept, { column: found.column, profile: found.profile, strength: 0, says }]]);
}

const DATE_CONCEPTS = new Set(Object.values(DRAFT_TARGETS).map(({ dates }) => dates[0]));

/**
 * A fully known name states its meaning: a due date or a delivery date needs no question. A time stamp of another
 * target does, because it may be the date of this one.
 */
function isClear({ match, profile }: GroupingCandidate): boolean {
  if (match.concepts.length === 0 || match.strength < 2) return false;
  return !(profile.date?.timed && match.concepts.every((concept) => DATE_CONCEPTS.has(concept)));
}

function isDate({ profile }: GroupingCandidate): boolean {
  return profile.date !== undefined || looksLikeSerials(fittingValues(profile));
}

/** Filled in nearly all documents, and once per document. */
function isOfDocument(one: GroupingCandidate, target: DraftTarget, grouping: DocumentGrouping): boolean {
  if (target.rows === 'payments') return one.profile.filled >= 0.9 * one.column.cells.length;
  const placed = grouping.constant(one.column) || grouping.sparse(one.column);
  return placed && filledShare(one.column, grouping) >= 0.9;
}

/** A document is dated before its payment is due and usually before it is printed or exported. */
function earliest(unclear: readonly GroupingCandidate[]): GroupingCandidate | undefined {
  const average = ({ column, profile }: GroupingCandidate) => {
    const pattern = profile.date?.patterns[0];
    const days = column.cells.flatMap((cell) => daysOf(cell, pattern) ?? []);
    return days.reduce((sum, one) => sum + one, 0) / Math.max(days.length, 1);
  };
  return [...unclear].sort((a, b) => average(a) - average(b))[0];
}

/** Approximate days since 1970: enough to compare two columns of one file. */
function daysOf(cell: string, pattern: string | undefined): number | undefined {
  if (pattern === undefined) return /^\d{5}$/.test(cell) ? Number(cell) - 25_569 : undefined;
  const found = splitDay(cell, pattern);
  return found && (found.year - 1970) * 365.25 + (found.month - 1) * 30.5 + found.day;
}

/** The first of `some` is the chosen one. */
function askWhich(some: readonly Pick<ColumnRole, 'column'>[], { at, what }: TargetDate, notes: DraftNotes): void {
  const names = some.map(({ column }) => column.name);
  const columns = SAMPLE_COUNTS.columns({ count: names.length });
  const quoted = names.map((name) => `"${name}"`);
  notes.addQuestion(96, at, SAMPLE_QUESTION.whichDate({ columns, what, names: quoted, name: names[0] ?? '' }));
}

/** A column that is a date by name only becomes a question: otherwise the day of the run would be on the document. */
function askAboutForm({ concept, at, what }: TargetDate, { candidates, notes }: Search): void {
  const named = candidates.find(
    ({ column, match, profile }) => column.known && match.concepts.includes(concept) && profile.filled > 0,
  );
  if (!named) return;
  const cells = [...named.profile.values.keys()].slice(0, 3).map((value) => `"${value.slice(0, 30)}"`);
  notes.addQuestion(95, at, SAMPLE_QUESTION.dateForm({ name: named.column.name, what, cells }));
}

/** Documents without the date would be refused. */
function askAboutHoles({ column }: ColumnRole, { at, what }: TargetDate, { grouping, notes }: Search): void {
  const share = filledShare(column, grouping);
  if (share === 1) return;
  const empty = Math.round((1 - share) * grouping.groups.length);
  const documents = SAMPLE_COUNTS.documents({ count: grouping.groups.length });
  notes.addQuestion(79, at, SAMPLE_QUESTION.dateHoles({ name: column.name, what, empty, documents }));
}
