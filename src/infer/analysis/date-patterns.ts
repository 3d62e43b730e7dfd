/**
 * The roles of a sample in, the date pattern of each of their columns out. A column whose day and month may be swapped takes
 * the order that another column proves, else the likelier one with a question.
 */

import type { Message } from '../../i18n/message.ts';
import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import { fittingValues, type Profile } from './column-profile.ts';
import type { Roles } from './column-roles.ts';
import { type DateProof, looksLikeSerials } from './date-evidence.ts';

/** `dates` is the commonest pattern, which the draft writes for the file. */
export type DatePatterns = {
  readonly dates: string | undefined;
  readonly patternOf: (column: SampleColumn) => string | undefined;
};

/** Adds evidence for the commonest pattern, and a question for columns in which the order is open. */
export function findDatePatterns(roles: Roles, notes: DraftNotes): DatePatterns {
  const dated = [...roles].filter(([concept]) => /[dD]ate$|^due$/.test(concept)).map(([, role]) => role);
  const patterns = new Map<SampleColumn, string>();
  const sure = dated.flatMap(({ profile }) => (hasOnePattern(profile) ? profile.date.patterns : []));
  const [likely] = dated.flatMap(({ profile }) => profile.date?.likely ?? []);
  const open: UnclearOrder[] = [];
  for (const { column, profile } of dated) {
    if (profile.date) {
      // Another column of the file may show which of two orders it is.
      const order = (pattern: string) => pattern.slice(0, 5);
      const agreed = profile.date.patterns.find((pattern) => sure.some((one) => order(one) === order(pattern)));
      const hinted = profile.date.patterns.find((pattern) => likely && order(likely.pattern) === order(pattern));
      const chosen = agreed ?? hinted ?? profile.date.patterns[0] ?? '';
      if (profile.date.patterns.length > 1 && agreed === undefined) open.push({ name: column.name, profile, chosen });
      patterns.set(column, chosen);
    } else if (looksLikeSerials(fittingValues(profile))) patterns.set(column, 'excel-serial');
  }
  const counts = [...Map.groupBy(patterns.values(), (pattern) => pattern)].sort((a, b) => b[1].length - a[1].length);
  const [[commonest] = []] = counts;
  const examples = dated.filter(({ column }) => patterns.get(column) === commonest);
  const example = examples.find(({ profile }) => hasOnePattern(profile)) ?? examples[0];
  if (commonest !== undefined && example) {
    const reason = example.profile.date?.says ?? SOURCE_EVIDENCE.daySerials();
    const [cell = ''] = fittingValues(example.profile);
    notes.addEvidence('source.dates', SOURCE_EVIDENCE.dates({ cell, column: example.column.name, reason }));
  }
  askOrder(open, likely, notes);
  return { dates: commonest, patternOf: (column) => patterns.get(column) };
}

function hasOnePattern(profile: Profile): profile is Profile & { readonly date: DateProof } {
  return profile.date?.patterns.length === 1;
}

/** A column of dates whose day and month may be swapped, with the pattern that the draft uses. */
type UnclearOrder = { readonly name: string; readonly profile: Profile; readonly chosen: string };

function askOrder(open: readonly UnclearOrder[], likely: DateProof['likely'], notes: DraftNotes): void {
  const [first] = open;
  if (!first) return;
  const { profile, chosen } = first;
  const [cell = ''] = fittingValues(profile);
  const [pattern = '', ...others] = profile.date?.patterns ?? [];
  const patterns = others.reduce<string | Message>(
    (one, other) => SAMPLE_QUESTION.eitherPattern({ one, other }),
    pattern,
  );
  const order = { cell, columns: open.map(({ name }) => name), patterns, chosen };
  const question =
    likely === undefined
      ? SAMPLE_QUESTION.dateOrder(order)
      : SAMPLE_QUESTION.dateOrderLikely({ ...order, clue: likely.says });
  notes.addQuestion(99, 'source.dates', question);
}
