/**
 * The date of the documents where the names of the columns do not say which one it is: the values find it before the
 * day of the run is written, and whatever could be meant as well becomes a question.
 */

import { count, type Notes } from '../findings/draft-findings.ts';
import { fittingValues } from './column-profile.ts';
import type { ColumnRole, Roles } from './column-roles.ts';
import { looksLikeSerials } from './date-evidence.ts';
import { type DocumentGrouping, filledShare, type GroupingCandidate } from './document-grouping.ts';

/** The date that a document of each target cannot do without, and the place in the mapping where it is asked about. */
const DATE_CONCEPT: { readonly [target: string]: readonly [concept: string, at: string, what: string] } = {
  'fr-invoice': ['date', 'output.document.date', 'the date of the document'],
  'fr-report': ['paymentDate', 'output.document.date', 'the date of the payment'],
  'sv-remission-note': ['noteDate', 'output.FechaGeneracion', 'the date of the note'],
};

export function addUnclearDate(
  target: string,
  roles: Roles,
  candidates: readonly GroupingCandidate[],
  grouping: DocumentGrouping,
  notes: Notes,
): Roles {
  const [concept, at, what] = DATE_CONCEPT[target]!;
  const used = new Set([...roles.values()].map(({ column }) => column));
  const unclear = candidates.filter(
    (one) =>
      one.column.known && !used.has(one.column) && !isClear(one) && isDate(one) && isOfDocument(one, target, grouping),
  );
  const role = roles.get(concept);
  if (role) {
    askAboutHoles(role, grouping, notes, at, what);
    if (role.strength < 2 && unclear.length > 0) askWhich([role.column.name, ...namesOf(unclear)], notes, at, what);
    return roles;
  }
  const found = earliest(unclear);
  if (!found) {
    askAboutForm(candidates, concept, notes, at, what);
    return roles;
  }
  if (unclear.length > 1)
    askWhich([found.column.name, ...namesOf(unclear.filter((one) => one !== found))], notes, at, what);
  else
    notes.ask(
      89,
      at,
      `No name says which column holds ${what}: "${found.column.name}" is the only one with a date in ` +
        `${grouping.groups.length === 1 ? 'the document' : 'the documents'}. Is that right?`,
    );
  const says = unclear.length > 1 ? 'the earliest of the dates' : 'the only column of dates';
  return new Map([...roles, [concept, { column: found.column, profile: found.profile, strength: 0, says }]]);
}

const DATE_CONCEPTS = new Set(Object.values(DATE_CONCEPT).map(([concept]) => concept));

/**
 * A name that is known as a whole says what the date is: a due date or a day of delivery is not asked about. Not so the
 * time stamp of a document of another target, which may be the date of this one.
 */
function isClear({ match, profile }: GroupingCandidate): boolean {
  if (match.concepts.length === 0 || match.strength < 2) return false;
  return !(profile.date?.timed && match.concepts.every((concept) => DATE_CONCEPTS.has(concept)));
}

function isDate({ profile }: GroupingCandidate): boolean {
  return profile.date !== undefined || looksLikeSerials(fittingValues(profile));
}

function isOfDocument(one: GroupingCandidate, target: string, grouping: DocumentGrouping): boolean {
  if (target === 'fr-report') return one.profile.filled >= 0.9 * one.column.cells.length;
  const placed = grouping.constant(one.column) || grouping.sparse(one.column);
  return placed && filledShare(one.column, grouping) >= 0.9;
}

/** A document is dated before its payment is due and, as a rule, before it is printed or exported. */
function earliest(unclear: readonly GroupingCandidate[]): GroupingCandidate | undefined {
  const average = ({ column, profile }: GroupingCandidate) => {
    const pattern = profile.date?.patterns[0];
    const days = column.cells.flatMap((cell) => daysOf(cell, pattern) ?? []);
    return days.reduce((sum, one) => sum + one, 0) / Math.max(days.length, 1);
  };
  return [...unclear].sort((a, b) => average(a) - average(b))[0];
}

/** Days, counted roughly: enough to compare two columns of one file. */
function daysOf(cell: string, pattern: string | undefined): number | undefined {
  if (pattern === undefined) return /^\d{5}$/.test(cell) ? Number(cell) - 25_569 : undefined;
  const order = pattern.match(/y+|M+|d+/g);
  const parts = /[^\w]/.test(pattern.slice(0, 6))
    ? cell.match(/\d+/g)
    : order?.map((part) => cell.slice(pattern.indexOf(part), pattern.indexOf(part) + part.length));
  if (!order || !parts || parts.length < 3) return undefined;
  const of = (letter: string) => Number(parts[order.findIndex((part) => part.startsWith(letter))]);
  const year = of('y') < 100 ? 2000 + of('y') : of('y');
  return (year - 1970) * 365.25 + (of('M') - 1) * 30.5 + of('d');
}

function askWhich(names: readonly string[], notes: Notes, at: string, what: string): void {
  const quoted = names.map((name) => `"${name}"`).join(', ');
  notes.ask(
    96,
    at,
    `${count(names.length, 'column')} hold dates and no name says clearly which is ${what}: ${quoted}. ` +
      `"${names[0]}" was written: is that right?`,
  );
}

/** A column is called by the name of the date, and is none: without a word the day of the run would be on the document. */
function askAboutForm(
  candidates: readonly GroupingCandidate[],
  concept: string,
  notes: Notes,
  at: string,
  what: string,
): void {
  const named = candidates.find(
    ({ column, match, profile }) => column.known && match.concepts.includes(concept) && profile.filled > 0,
  );
  if (!named) return;
  const shown = [...named.profile.values.keys()].slice(0, 3).map((value) => `"${value.slice(0, 30)}"`);
  notes.ask(
    95,
    at,
    `Column "${named.column.name}" is named like ${what}, and was not taken: too few of its cells are dates of one form ` +
      `that stay the same within a document (${shown.join(', ')}). Correct the cells, or put the column here.`,
  );
}

function askAboutHoles(
  { column }: ColumnRole,
  grouping: DocumentGrouping,
  notes: Notes,
  at: string,
  what: string,
): void {
  const share = filledShare(column, grouping);
  if (share === 1) return;
  const empty = Math.round((1 - share) * grouping.groups.length);
  notes.ask(
    79,
    at,
    `"${column.name}" was taken as ${what}, and is empty in ${empty} of ${count(grouping.groups.length, 'document')}: these are refused. Is another column meant?`,
  );
}

function namesOf(some: readonly GroupingCandidate[]): readonly string[] {
  return some.map(({ column }) => column.name);
}
