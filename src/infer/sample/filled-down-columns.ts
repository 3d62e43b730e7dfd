/**
 * Header cells written on the first row of a document only: columns that are empty on the same rows and filled on all
 * others. Comes out in the order for `fill-down`, with the cells as the reader will fill them.
 */

import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleRecord } from './csv-dialect.ts';

export function findFillDownColumns(
  records: readonly SampleRecord[],
  names: readonly string[],
  notes: DraftNotes,
): { readonly fillDown: readonly string[]; readonly filled: readonly (readonly string[])[] } {
  const cells = records.map((record) => record.cells);
  const filledAt = names.map((_, at) => cells.map((row) => (row[at] ?? '').trim() !== ''));
  const leader = filledAt.findIndex((filled) => filled[0] === true && filled.includes(false));
  const follows = (filled: readonly boolean[]) =>
    leader >= 0 && filled.every((one, row) => one === filledAt[leader]![row]);
  const exact = [...names.keys()].filter((at) => follows(filledAt[at]!));
  // One column with gaps is an optional column; several with the same gaps are a header.
  if (exact.length < 3) return { fillDown: [], filled: cells };
  const firstRows = filledAt[leader]!;
  const rows = firstRows.filter((one) => !one).length;
  notes.addEvidence('source.fill-down', SOURCE_EVIDENCE.fillDown({ filled: records.length - rows, empty: rows }));
  const distinct = (at: number) => new Set(cells.map((row) => row[at])).size;
  const isOfHeader = (at: number) => filledAt[at]!.every((one, row) => !one || firstRows[row]);
  // Cells of the header that some documents leave empty: among those that all have, or filled in most.
  const between = [...names.keys()].filter((at) => at > exact[0]! && at < exact.at(-1)!);
  const isBlock = between.every((at) => isOfHeader(at));
  const share = (at: number) => filledAt[at]!.filter(Boolean).length / (records.length - rows);
  const partly = [...names.keys()].filter((at) => {
    if (exact.includes(at) || !isOfHeader(at) || share(at) === 0) return false;
    const isInside = isBlock && at > exact[0]! && at < exact.at(-1)!;
    return isInside || share(at) >= 0.8;
  });
  // What differs most between documents comes first: where it changes, the columns behind it start afresh.
  const first = exact.reduce((best, at) => (distinct(at) > distinct(best) ? at : best));
  const order = [first, ...exact.filter((at) => at !== first), ...partly];
  return { fillDown: order.map((at) => names[at]!), filled: fillCells(cells, order) };
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
