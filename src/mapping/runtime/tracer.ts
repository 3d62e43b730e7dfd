/**
 * The second, slow composition of a group: which cells each output value was made from, and where faults belong.
 *
 * A damaged cell often feeds several fields. It is reported once, at the field that shows it most directly:
 * `unit-price: $PUHT` rather than the total that was computed from it.
 */
import { definedOnly } from '../../model/defined-only.ts';
import { type DataFault, type Fault, type Mark, MESSAGE } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
import { originOf, type Row } from '../../model/row.ts';
import {
  type ColumnSlot,
  type Composition,
  type EvaluatedRow,
  fieldIn,
  type OutputPlace,
  type RunTracer,
} from './composition.ts';
import type { RunProblem, Value } from './value.ts';

const FAR = 1000;
const MAX_REPEATS = 500_000;

/** What is being evaluated: an output value, or a slot of a row on its behalf. */
type Task = {
  readonly place: OutputPlace | undefined;
  readonly mark: (() => Mark) | undefined;
  /** The slot that the output value shows as it is. */
  readonly direct: ColumnSlot | undefined;
  readonly slots: readonly { readonly row: Row; readonly slot: ColumnSlot }[];
  readonly origins: Set<Origin>;
  /** What its value read before it came to a result that is kept. */
  readonly before?: ReadonlySet<Origin>;
};

type Found = {
  readonly problem: RunProblem;
  level: Fault['level'];
  readonly origin: Origin | undefined;
  readonly slots: Task['slots'];
  place: OutputPlace | undefined;
  mark: (() => Mark) | undefined;
  rank: number;
};

/** By slot. */
type Reads = { [slot: number]: ReadonlySet<Origin> };

/** One for each composition: it is not reused for another group. */
export class Tracer implements RunTracer {
  readonly #found: Found[] = [];
  readonly #byCell = new Map<string, Found>();
  readonly #byRow = new Map<Row, Found[]>();
  readonly #places = new Map<OutputPlace, Set<Origin>>();
  readonly #marks = new Map<OutputPlace, () => Mark>();
  readonly #cells = new Map<Row, Map<number | string, Origin>>();
  readonly #reads = new Map<Row, Reads>();
  readonly #empty = new Set<Origin>();
  #task: Task | undefined;
  /** Sums over thousands of rows on thousands of lines would name millions of cells: those beyond are left out. */
  #repeats = MAX_REPEATS;

  /** Evaluates an output value (or a check, without a place) and notes what it reads. */
  value<T>(
    place: OutputPlace | undefined,
    mark: (() => Mark) | undefined,
    direct: ColumnSlot | undefined,
    evaluate: () => T,
  ): T {
    const origins = new Set<Origin>();
    if (place && mark) this.placed(place, mark);
    const result = this.#within({ place, mark, direct, slots: [], origins }, evaluate);
    if (place && origins.size > 0) this.#places.set(place, origins);
    return result;
  }

  /** Keeps the line of the mapping that gives the value; the first one counts. */
  placed(place: OutputPlace | undefined, mark: () => Mark): void {
    if (place && !this.#marks.has(place)) this.#marks.set(place, mark);
  }

  /** A value that another one refers to: its cells are cells of that one as well. */
  reuse(place: OutputPlace | undefined): void {
    const origins = place && this.#places.get(place);
    if (origins) for (const origin of origins) this.#task?.origins.add(origin);
  }

  lineOutsideOutput(): Mark | undefined {
    return this.#task?.place ? undefined : this.#task?.mark?.();
  }

  /** The cells of a result that is kept, such as a sum, so that each later use of the result can add them. */
  noting<T>(evaluate: () => T): { readonly value: T; readonly cells: ReadonlySet<Origin> } {
    const cells = new Set<Origin>();
    const { place, mark, direct, slots = [], origins: before = new Set<Origin>() } = this.#task ?? {};
    const value = this.#within({ place, mark, direct, slots, origins: cells, before }, evaluate);
    return { value, cells };
  }

  again(cells: ReadonlySet<Origin>): void {
    if (!this.#task || cells.size > this.#repeats) return;
    this.#repeats -= cells.size;
    for (const origin of cells) this.#task.origins.add(origin);
  }

  read(run: Composition, row: EvaluatedRow, slot: ColumnSlot): Value {
    const known = row.values[slot.index];
    const reads = this.#readsOf(row);
    const value = known ?? this.#compute(run, row, slot, reads);
    for (const origin of reads[slot.index] ?? []) this.#task?.origins.add(origin);
    if (known !== undefined) this.#readAgain(row, slot);
    return value;
  }

  problem(run: Composition, problem: RunProblem, origin?: Origin, level: Fault['level'] = 'error'): void {
    const task = this.#task;
    const slots = task?.slots ?? [];
    const direct = slots.length === 0 || slots[0]?.slot === task?.direct;
    const near = nearest(task, run.row?.row);
    const at = origin ?? this.#leftEmpty(problem) ?? near[0] ?? this.#rowOf(run, slots);
    const key = origin && keyOf(problem, origin);
    const same = key === undefined ? undefined : this.#byCell.get(key);
    // Of two checks with the same words the stricter one counts.
    if (same && level === 'error') same.level = level;
    const rank = direct ? Math.max(slots.length - 1, 0) : FAR;
    const { place, mark } = task ?? {};
    if (!same) this.#add({ problem, level, origin: at, slots, place, mark, rank }, key);
    else if (rank < same.rank) Object.assign(same, { place, mark, rank });
  }

  #add(found: Found, key: string | undefined): void {
    this.#found.push(found);
    if (key !== undefined) this.#byCell.set(key, found);
    for (const { row } of found.slots) this.#byRow.set(row, [...(this.#byRow.get(row) ?? []), found]);
  }

  faults(): readonly DataFault[] {
    return this.#found.map(({ problem, level, origin, place, mark }) => {
      const { code, message, given, hint, suggestion, [MESSAGE]: phrases } = problem;
      const at = place && pointerOf(place);
      const fault = { code, level, message, [MESSAGE]: phrases, at, origin, given, hint, suggestion, mark: mark?.() };
      return definedOnly(fault);
    });
  }

  trace(): ReadonlyMap<string, readonly Origin[]> {
    return new Map([...this.#places].map(([place, origins]) => [pointerOf(place), [...origins]]));
  }

  marks(): ReadonlyMap<string, Mark> {
    return new Map([...this.#marks].map(([place, mark]) => [pointerOf(place), markOf(mark)]));
  }

  #within<T>(task: Task, evaluate: () => T): T {
    const outer = this.#task;
    this.#task = task;
    try {
      return evaluate();
    } finally {
      this.#task = outer;
      for (const origin of task.origins) outer?.origins.add(origin);
    }
  }

  #compute(run: Composition, row: EvaluatedRow, slot: ColumnSlot, reads: Reads): Value {
    const origins = new Set<Origin>();
    const position = run.positions[slot.index];
    const cell = position === undefined ? undefined : this.#cell(run, row, position, fieldIn(slot));
    if (cell) origins.add(cell);
    const outer = this.#task;
    const slots = [...(outer?.slots ?? []), { row, slot }];
    const task = { place: outer?.place, mark: outer?.mark, direct: outer?.direct, slots, origins };
    const value = this.#within(task, () => slot.compute(run, row));
    row.values[slot.index] = value;
    if (cell && value === '') this.#empty.add(cell);
    reads[slot.index] = origins;
    return value;
  }

  /** The slot failed earlier on behalf of another field: this one may show it more directly. */
  #readAgain(row: EvaluatedRow, slot: ColumnSlot): void {
    const task = this.#task;
    if (!task || task.direct !== slot || task.slots.length > 0) return;
    for (const found of this.#byRow.get(row) ?? []) {
      const depth = found.slots.findIndex((step) => step.row === row && step.slot === slot);
      const rank = found.slots.length - 1 - depth;
      if (depth >= 0 && rank < found.rank) Object.assign(found, { place: task.place, mark: task.mark, rank });
    }
  }

  #readsOf(row: Row): Reads {
    const reads = this.#reads.get(row) ?? {};
    this.#reads.set(row, reads);
    return reads;
  }

  #cell(run: Composition, row: Row, position: number, field: string | undefined): Origin {
    const cells = this.#cells.get(row) ?? new Map<number | string, Origin>();
    this.#cells.set(row, cells);
    const key = field === undefined ? position : `${position} ${field}`;
    const cell = cells.get(key) ?? originOf(run.table, row, position, field);
    cells.set(key, cell);
    return cell;
  }

  /** The last cell read that is empty: the first ones belong to a condition, for which empty is a valid result. */
  #leftEmpty({ madeFrom = new Set() }: RunProblem): Origin | undefined {
    const cells = [...madeFrom];
    return cells.findLast((cell) => this.#empty.has(cell)) ?? cells[0];
  }

  #rowOf(run: Composition, slots: Task['slots']): Origin | undefined {
    const row = slots.at(-1)?.row ?? run.row ?? run.rows[0];
    return row && originOf(run.table, row);
  }
}

/** The place of a value in the mapping file never changes, so one search serves all documents. */
const MARKS = new WeakMap<() => Mark, Mark>();

function markOf(find: () => Mark): Mark {
  const known = MARKS.get(find);
  if (known) return known;
  const mark = find();
  MARKS.set(find, mark);
  return mark;
}

/** Cells of the current row come first, because a sum in the same formula reads the cells of all rows. */
function nearest(task: Task | undefined, row: number | undefined): readonly Origin[] {
  const all = [...(task?.before ?? []), ...(task?.origins ?? [])];
  return row === undefined ? all : [...all.filter((one) => one.row === row), ...all.filter((one) => one.row !== row)];
}

/** The same for all values that need the cell, so that its fault is reported once. */
function keyOf({ code, message }: RunProblem, { row, column = '', path = column }: Origin): string {
  return `${row}\u0000${path}\u0000${code}\u0000${message}`;
}

function pointerOf(place: OutputPlace): string {
  const key = String(place.key).replaceAll('~', '~0').replaceAll('/', '~1');
  if (place.parent) return `${pointerOf(place.parent)}/${key}`;
  return key === '' ? '' : `/${key}`;
}
