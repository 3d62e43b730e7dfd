/**
 * Header cells written on the first row of a document only: columns that are empty on the same rows and filled on all
 * others. Comes out in the order for `fill-down`.
 */

import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleRecord } from './sample-table.ts';

/** Empty where fewer than three columns have the same gaps. */
export function findFillDownColumns(
  records: readonly SampleRecord[],
  names: readonly string[],
  notes: DraftNotes,
): readonly string[] {
  const columns = names.map((name, at) => {
    const values = records.map(({ cells }) => cells[at] ?? '');
    return { name, at, filled: values.map((cell) => cell.trim() !== ''), distinct: new Set(values).size };
  });
  const leader = columns.find(({ filled }) => filled[0] === true && filled.includes(false));
  if (!leader) return [];
  const firstRows = leader.filled;
  const exact = columns.filter(({ filled }) => filled.every((one, row) => one === firstRows[row]));
  const [start, end] = [exact[0], exact.at(-1)];
  // One column with gaps is an optional column; several with the same gaps are a header.
  if (exact.length < 3 || !start || !end) return [];
  const empty = firstRows.filter((one) => !one).length;
  const filled = records.length - empty;
  notes.addEvidence('source.fill-down', SOURCE_EVIDENCE.fillDown({ filled, empty }));
  const isOfHeader = (one: (typeof columns)[number]) => one.filled.every((is, row) => !is || firstRows[row]);
  // Cells of the header that some documents leave empty: among those that all have, or filled in most.
  const isInside = ({ at }: (typeof columns)[number]) => at > start.at && at < end.at;
  const isBlock = columns.filter(isInside).every(isOfHeader);
  const partly = columns.filter((one) => {
    const share = one.filled.filter(Boolean).length / filled;
    if (exact.includes(one) || !isOfHeader(one) || share === 0) return false;
    return (isBlock && isInside(one)) || share >= 0.8;
  });
  // The column that differs most between documents comes first: where it changes, the columns after it start afresh.
  const first = exact.reduce((best, one) => (one.distinct > best.distinct ? one : best));
  const order = [first, ...exact.filter((one) => one !== first), ...partly];
  return order.map(({ name }) => name);
}
