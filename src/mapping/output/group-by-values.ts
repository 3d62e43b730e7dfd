/**
 * The rows of the current scope in; groups of rows with the same values in some columns out, for `each: rows by X`. A
 * value that failed has its fault already, so nothing fails here.
 */
import { Decimal } from '../../model/decimal.ts';
import { type ColumnSlot, type Composition, type EvaluatedRow, readSlot, valueText } from '../runtime/composition.ts';
import { FAILED, type Value } from '../runtime/value.ts';

/** Numbers by their size, everything else as text. */
export type GroupOrder = 'ascending' | 'descending';

const SIGNS: { readonly [order in GroupOrder]: 1 | -1 } = { ascending: 1, descending: -1 };
/** The key of rows whose value failed: no cell has NUL. */
const FAILED_KEY = '\u0000';

type RowsOfGroup = [EvaluatedRow, ...EvaluatedRow[]];

/** In order of first appearance unless `order` is given. */
export function groupByValues(
  run: Composition,
  by: readonly ColumnSlot[],
  order?: GroupOrder,
): readonly Readonly<RowsOfGroup>[] {
  const groups = new Map<string, RowsOfGroup>();
  const only = by.length === 1 && !run.tracer ? by[0] : undefined;
  let group: RowsOfGroup | undefined;
  for (const row of run.rows as readonly EvaluatedRow[]) {
    // Values that come from a table are the very same ones: most lines have the rate of the line before.
    if (group && only && readSlot(run, row, only) === readSlot(run, group[0], only)) {
      group.push(row);
      continue;
    }
    const key = groupKey(run, row, by);
    group = groups.get(key);
    if (group) group.push(row);
    else {
      group = [row];
      groups.set(key, group);
    }
  }
  const found = [...groups.values()];
  return order ? found.toSorted(byValues(run, by, SIGNS[order])) : found;
}

function byValues(run: Composition, by: readonly ColumnSlot[], sign: 1 | -1) {
  return ([one]: Readonly<RowsOfGroup>, [other]: Readonly<RowsOfGroup>): number => {
    for (const slot of by) {
      const difference = compared(readSlot(run, one, slot), readSlot(run, other, slot));
      if (difference !== 0) return difference * sign;
    }
    return 0;
  };
}

/** Numbers by their size, everything else as text. */
function compared(left: Value, right: Value): number {
  if (left instanceof Decimal && right instanceof Decimal) return left.compare(right);
  const [one, other] = [String(left), String(right)];
  return Number(one > other) - Number(one < other);
}

/** Rows whose value failed are a group of their own: a sum over all groups fails with them, without a second fault. */
function groupKey(run: Composition, row: EvaluatedRow, by: readonly ColumnSlot[]): string {
  const values = by.map((slot) => readSlot(run, row, slot));
  if (values.includes(FAILED)) return FAILED_KEY;
  const [only] = values;
  return values.length === 1 && only !== undefined ? valueText(only) : JSON.stringify(values.map(valueText));
}
