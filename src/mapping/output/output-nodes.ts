/**
 * The output at work: each part of the plan as a node that is opened in its scope and closed into JSON.
 *
 * Opening a block only makes its frame; values are computed at their first use, when the block is closed or by an
 * @path elsewhere. So evaluation follows dependencies while the keys keep the order of the mapping. A part without
 * references to it is made in one go, without frames: nearly all of a document.
 */
import { frozen, type Json } from '../../model/draft.ts';
import { appendAll } from '../../text/long-lists.ts';
import { itemsOf } from '../expressions/lists.ts';
import type { ColumnSlot, Composition, OutputPlace, Scope } from '../runtime/composition.ts';
import { FAILED, type Value } from '../runtime/value.ts';
import { type GroupOrder, groupByValues } from './group-by-values.ts';

/** JSON of a leaf, undefined where it is empty; the frame of a block; the items of a list. */
export type OutputInstance = Json | undefined | typeof FAILED | typeof ABSENT | Scope | OutputItems;

/** A block whose `when` is not true. */
export const ABSENT: unique symbol = Symbol('absent');

export type OutputItems = {
  readonly instances: readonly OutputInstance[];
  readonly places: readonly (OutputPlace | undefined)[];
};

/** A part of the output, compiled. `open` comes before `close` with the same scope; `make` does both. */
export type OutputNode = {
  /** One value: its instance is its JSON already. */
  readonly leaf: boolean;
  /** Holds at least one value that is no literal: such a block is dropped when all of these are empty. */
  readonly live: boolean;
  /** Its JSON in every document, where it is made of nothing but literals: frozen, so that all may have the same. */
  readonly constant: Json | undefined;
  readonly open: (run: Composition) => OutputInstance;
  readonly close: (run: Composition, instance: OutputInstance) => Json | undefined;
  /** As opened and closed, for a node without references to it, and without a tracer. */
  readonly make: (run: Composition) => Json | undefined;
};

/** `plan.memo` is -1 where no path refers to the entry; known once the whole output is compiled. */
export type NodeEntry = { readonly key: string; readonly node: OutputNode; readonly plan: { readonly memo: number } };

const NOTHING: readonly unknown[] = [];
/** Shared by all lists without a tracer: only a tracer adds places. */
const NO_PLACES: (OutputPlace | undefined)[] = [];

/** A single value. A failed one becomes null: the document is refused, and its draft only identifies it. */
export function leafNode(
  live: boolean,
  open: (run: Composition) => Json | undefined | typeof FAILED,
  untraced: typeof open = open,
): OutputNode {
  const close: OutputNode['close'] = (_, instance) => jsonOf(instance);
  return { leaf: true, live, constant: undefined, open, close, make: (run) => jsonOf(untraced(run)) };
}

/** A value that is the same in every document; `placed` is called while tracing. Undefined: nothing. */
export function constantNode(json: Json | undefined, placed: (run: Composition) => void = () => {}): OutputNode {
  const constant = json === undefined ? undefined : frozen(json);
  const open = (run: Composition) => {
    if (run.tracer) placed(run);
    return constant;
  };
  return { leaf: true, live: false, constant, open, close: (_, instance) => jsonOf(instance), make: () => constant };
}

function jsonOf(instance: OutputInstance): Json | undefined {
  return instance === FAILED ? null : (instance as Json | undefined);
}

/**
 * Empty values are left out, and so is a block in which every value that is no literal is empty: a currency or a type
 * alone is no information.
 */
export function blockNode(
  entries: readonly NodeEntry[],
  plan: { readonly shared: number; readonly framed: boolean },
  when: ((run: Composition) => boolean) | undefined,
): OutputNode {
  const live = entries.some((entry) => entry.node.live);
  const open = (run: Composition): OutputInstance => {
    const memo = plan.shared > 0 ? new Array<unknown>(plan.shared) : (NOTHING as unknown[]);
    const frame: Scope = { parent: run.frame, rows: run.rows, row: run.row, memo, place: run.place };
    if (!when) return frame;
    run.frame = frame;
    const stays = when(run);
    run.frame = frame.parent;
    return stays ? frame : ABSENT;
  };
  const close = (run: Composition, instance: OutputInstance): Json | undefined => {
    if (instance === ABSENT) return undefined;
    const frame = instance as Scope;
    const { rows, row, frame: outer, place } = run;
    enter(run, frame);
    const block: { [key: string]: Json } = {};
    let filled = !live;
    for (const entry of entries) {
      const { node } = entry;
      const value =
        entry.plan.memo < 0 && !run.tracer ? node.make(run) : node.close(run, entryInstance(run, frame, entry));
      if (value === undefined) continue;
      block[entry.key] = value;
      if (node.live) filled = true;
    }
    run.rows = rows;
    run.row = row;
    run.frame = outer;
    run.place = place;
    return filled ? block : undefined;
  };
  const constant = when ? undefined : constantBlock(entries);
  const make = (run: Composition): Json | undefined => {
    if (plan.framed || plan.shared > 0) return close(run, open(run));
    if (constant !== undefined) return constant;
    if (when && !when(run)) return undefined;
    const block: { [key: string]: Json } = {};
    let filled = !live;
    for (const { key, node } of entries) {
      const value = node.constant ?? node.make(run);
      if (value === undefined) continue;
      block[key] = value;
      if (node.live) filled = true;
    }
    return filled ? block : undefined;
  };
  return { leaf: false, live, constant, open, close, make };
}

function constantBlock(entries: readonly NodeEntry[]): Json | undefined {
  const fields = entries.map(({ key, node }) => [key, node.constant] as const);
  return fields.every(([, value]) => value !== undefined) ? frozen(Object.fromEntries(fields) as Json) : undefined;
}

/** The scope of a block, to read values in it. */
export function enter(run: Composition, frame: Scope): void {
  run.rows = frame.rows;
  run.row = frame.row;
  run.frame = frame;
}

/** The entry in its own frame, which the run must have entered; a shared one is made once. */
export function entryInstance(run: Composition, frame: Scope, entry: NodeEntry): OutputInstance {
  const { memo } = entry.plan;
  if (memo >= 0) {
    const known = frame.memo[memo] as { readonly instance: OutputInstance } | undefined;
    if (known !== undefined) return known.instance;
  }
  if (run.tracer) run.place = { parent: frame.place, key: entry.key };
  const { place } = run;
  const instance = entry.node.open(run);
  if (memo >= 0) frame.memo[memo] = { instance, place };
  return instance;
}

/** Where a shared entry was placed, while tracing. */
export function placeOfEntry(frame: Scope, entry: NodeEntry): OutputPlace | undefined {
  return (frame.memo[entry.plan.memo] as { readonly place: OutputPlace | undefined } | undefined)?.place;
}

/** `spliced`: which of them are lists themselves, whose items join the others. */
export function listNode(items: readonly OutputNode[], spliced: readonly boolean[]): OutputNode {
  if (spliced.includes(true)) return splicedNode(items, spliced);
  const constants = items.map(({ constant }) => constant);
  const constant = constants.includes(undefined) || items.length === 0 ? undefined : frozen(constants as Json);
  return {
    leaf: false,
    live: items.some((item) => item.live),
    constant,
    open: (run) => {
      const list = run.place;
      const places = run.tracer ? [] : NO_PLACES;
      const instances = items.map((item, n) => openItem(run, item, list, n, places));
      run.place = list;
      return { instances, places };
    },
    close: (run, instance) => closeItems(instance as OutputItems, (opened, n) => items[n]?.close(run, opened)),
    make: (run) => {
      if (constant !== undefined) return constant;
      const list = new Array<Json>(items.length);
      let count = 0;
      for (const node of items) {
        const item = node.make(run);
        if (item !== undefined) list[count++] = item;
      }
      return cutTo(list, count);
    },
  };
}

function splicedNode(items: readonly OutputNode[], spliced: readonly boolean[]): OutputNode {
  const open: OutputNode['open'] = (run) => {
    const list = run.place;
    const places = run.tracer ? [] : NO_PLACES;
    const instances = items.map((item, n) => {
      if (!spliced[n]) return openItem(run, item, list, n, places);
      if (run.tracer) places.push(undefined);
      run.place = list;
      return item.open(run);
    });
    run.place = list;
    return { instances, places };
  };
  const close: OutputNode['close'] = (run, instance) => {
    const { instances, places } = instance as OutputItems;
    const list: Json[] = [];
    for (const [n, item] of items.entries()) {
      const json = item.close(run, instances[n]);
      if (json === undefined) continue;
      const from = list.length;
      if (!spliced[n]) {
        const place = places[n];
        if (place) place.key = from;
        list.push(json);
        continue;
      }
      // The items of the inner list come after those before it.
      for (const place of (instances[n] as OutputItems).places) if (place) place.key = from + Number(place.key);
      appendAll(list, json as readonly Json[]);
    }
    return list.length === 0 ? undefined : list;
  };
  const live = items.some((item) => item.live);
  return { leaf: false, live, constant: undefined, open, close, make: (run) => close(run, open(run)) };
}

/** Lists are made at their full length, because one that grows takes room for sixteen items more. */
function cutTo(list: Json[], count: number): Json | undefined {
  if (count === 0) return undefined;
  if (count < list.length) list.length = count;
  return list;
}

/** Enters the scopes of an `each` one after the other; `begin` is called first, with their count. */
type Scopes = (run: Composition, begin: (count: number) => void, visit: (n: number) => void) => void;

/** One item per row of the scope. */
export function rowsNode(make: OutputNode): OutputNode {
  return eachNode(make, (run, begin, visit) => {
    const { row: outer, rows } = run;
    begin(rows.length);
    for (let n = 0; n < rows.length; n++) {
      run.row = rows[n];
      visit(n);
    }
    run.row = outer;
  });
}

/** One item per item of a list of the source. */
export function itemsNode(make: OutputNode, list: ColumnSlot): OutputNode {
  return eachNode(make, (run, begin, visit) => {
    const { row: outer } = run;
    const items = itemsOf(run, list);
    begin(items.length);
    for (let n = 0; n < items.length; n++) {
      run.row = items[n];
      visit(n);
    }
    run.row = outer;
  });
}

/** One item per distinct value of the columns, in order of first appearance unless `order` is given. */
export function groupsNode(make: OutputNode, by: readonly ColumnSlot[], order?: GroupOrder): OutputNode {
  return eachNode(make, (run, begin, visit) => {
    const { row: outer, rows } = run;
    run.row = undefined;
    const groups = groupByValues(run, by, order);
    run.groupings.push(groups);
    begin(groups.length);
    let n = 0;
    for (const group of groups) {
      run.rows = group;
      visit(n++);
    }
    run.rows = rows;
    run.row = outer;
  });
}

function eachNode(make: OutputNode, scopes: Scopes): OutputNode {
  return {
    leaf: false,
    live: true,
    constant: undefined,
    open: (run) => {
      const list = run.place;
      const places = run.tracer ? [] : NO_PLACES;
      let instances: OutputInstance[] = [];
      const begin = (count: number) => (instances = new Array<OutputInstance>(count));
      scopes(run, begin, (n) => (instances[n] = openItem(run, make, list, n, places)));
      run.place = list;
      return { instances, places };
    },
    close: (run, instance) => closeItems(instance as OutputItems, (opened) => make.close(run, opened)),
    make: (run) => {
      let list: Json[] = [];
      let count = 0;
      const begin = (most: number) => (list = new Array<Json>(most));
      scopes(run, begin, () => {
        const item = make.make(run);
        if (item !== undefined) list[count++] = item;
      });
      return cutTo(list, count);
    },
  };
}

function openItem(
  run: Composition,
  item: OutputNode,
  list: OutputPlace | undefined,
  n: number,
  places: (OutputPlace | undefined)[],
): OutputInstance {
  if (!run.tracer) return item.open(run);
  const place = { parent: list, key: n };
  places.push(place);
  run.place = place;
  return item.open(run);
}

function closeItems(
  { instances, places }: OutputItems,
  close: (instance: OutputInstance, n: number) => Json | undefined,
): Json | undefined {
  const list = new Array<Json>(instances.length);
  let count = 0;
  for (let n = 0; n < instances.length; n++) {
    const item = close(instances[n], n);
    if (item === undefined) continue;
    const place = places[n];
    // Items before it may have been dropped: the pointer names the place in the document, not in the mapping.
    if (place) place.key = count;
    list[count++] = item;
  }
  return cutTo(list, count);
}

/** JSON of a leaf as a formula reads it. */
export function asValue(instance: OutputInstance): Value {
  return instance === undefined || instance === null || instance === ABSENT ? '' : (instance as Value);
}
