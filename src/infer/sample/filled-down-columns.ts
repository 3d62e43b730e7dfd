/**
 * Header cells written on the first row of a document only: columns that are empty on the same rows and filled on all
 * others. Comes out in the order for `fill-down`, with the cells as the reader will fill them.
 */

import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleRecord } from './csv-dialect.ts';

/** Empty `fillDown` where fewer than three columns have the same gaps. `filled` has the cells row by row. */
export function findFillDownColumns(
  records: readonly SampleRecord[],
  names: readonly string[],
  notes: DraftNotes,
): { readonly fillDown: readonly string[]; readonly filled: readonly (readonly string[])[] } {
  const cells = records.map((record) => record.cells);
  const none = { fillDown: [], filled: cells };
  const columns = names.map((name, at) => {
    const values = cells.map((row) => row[at] ?? '');
    return { name, at, filled: values.map((cell) => cell.trim() !== ''), distinct: new Set(values).size };
  });
  const leader = columns.find(({ filled }) => filled[0] === true && filled.includes(false));
  if (!leader) return none;
  const firstRows = leader.filled;
  const exact = columns.filter(({ filled }) => filled.every((one, row) => one === firstRows[row]));
  const [start, end] = [exact[0], exact.at(-1)];
  // One column with gaps is an optional column; several with the same gaps are a header.
  if (exact.length < 3 || !start || !end) return none;
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
  return {
    fillDown: order.map(({ name }) => name),
    filled: fillCells(
      cells,
      order.map(({ at }) => at),
    ),
  };
}

function fillCells(cells: readonly (readonly string[])[], order: readonly number[]): readonly (readonly string[])[] {
  const above = new Map<number, string>();
  return cells.map((row) => {
    const filled = [...row];
    let begins = false;
    for (const at of order) {
      const cell = row[at] ?? '';
      if (cell.trim() !== '') {
        begins ||= cell !== above.get(at);
        above.set(at, cell);
      } else if (begins) above.set(at, cell);
      else filled[at] = above.get(at) ?? cell;
    }
    return filled;
  });
}
