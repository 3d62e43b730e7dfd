/**
 * @path: a value of the output, looked up in the block being built, then outward.
 *
 * Which block is meant is settled when the mapping is loaded; running only walks frames. A path through a list gives
 * the values of all its items.
 */
import { definedOnly } from '../../model/defined-only.ts';
import type { Schema } from '../../model/document.ts';
import type { Json } from '../../model/draft.ts';
import { must } from '../../model/must.ts';
import { appendAll } from '../../text/long-lists.ts';
import type { Readable } from '../formula/compile-formula.ts';
import type { Composition, OutputPlace, Scope } from '../runtime/composition.ts';
import { arrayOf, type Leaf, objectOf, schemaLeaves } from '../runtime/schema-branches.ts';
import { type Context, FAILED, type Kind, type Value } from '../runtime/value.ts';
import {
  ABSENT,
  asValue,
  enter,
  entryInstance,
  type NodeEntry,
  type OutputInstance,
  type OutputItems,
  placeOfEntry,
} from './output-nodes.ts';
import type { BlockPlan, OutputEntry, Plan } from './output-plan.ts';

/** The way to the values, from a block on. */
type Way =
  | { readonly type: 'leaf' }
  | {
      readonly type: 'entry';
      readonly entry: OutputEntry;
      readonly next: Way;
      /** A literal is in the document only where one of these has a value: see blockNode. */
      readonly keptBy: readonly OutputEntry[] | undefined;
      node?: NodeEntry;
    }
  | { readonly type: 'items'; readonly items: readonly (Way | undefined)[] }
  | { readonly type: 'each'; readonly item: Way }
  | { readonly type: 'json'; readonly keys: readonly string[] };

/** A path of a formula, resolved to the values that it reads. */
export type Reference = {
  readonly readable: Readable;
  /** Values and conditions that have to be known first. */
  readonly needs: readonly Plan[];
};

/** Nodes are made after references are resolved; the table joins both. */
export type NodeTable = ReadonlyMap<Plan, NodeEntry>;

/** `chain` are the blocks around the value, the innermost last. Undefined where none of them has the path. */
export function resolveReference(path: string, chain: readonly BlockPlan[], nodes: NodeTable): Reference | undefined {
  const keys = path.split('.');
  for (const [up, block] of chain.toReversed().entries()) {
    if (!block.entries.some((entry) => entry.key === keys[0])) continue;
    const found: Found = { needs: [], kinds: new Set(), many: false };
    const way = wayInto(block, keys, found);
    // The block that is being built has its frame already: only what is inside it has to be known first.
    found.needs.shift();
    return way && { readable: readable(way, up, found, nodes), needs: found.needs };
  }
  return undefined;
}

/** The paths that could be meant, for suggestions. */
export function pathsIn(chain: readonly BlockPlan[]): readonly string[] {
  return chain.toReversed().flatMap((block) => block.entries.flatMap((entry) => leavesBelow(entry.plan, entry.key)));
}

function leavesBelow(plan: Plan, path: string): readonly string[] {
  switch (plan.type) {
    case 'value':
      return [path];
    case 'block':
      return plan.entries.flatMap((entry) => leavesBelow(entry.plan, `${path}.${entry.key}`));
    case 'list':
      return [...new Set(plan.items.flatMap((item) => leavesBelow(item, path)))];
    case 'each':
      return leavesBelow(plan.make, path);
    default:
      return [];
  }
}

type Found = { readonly needs: Plan[]; readonly kinds: Set<Kind>; many: boolean };

function wayInto(plan: Plan, keys: readonly string[], found: Found): Way | undefined {
  switch (plan.type) {
    case 'value': {
      if (keys.length > 0) return undefined;
      found.needs.push(plan);
      found.kinds.add(kindOf(plan.location.schema));
      return { type: 'leaf' };
    }
    case 'block': {
      const entry = plan.entries.find((candidate) => candidate.key === keys[0]);
      if (!entry) return undefined;
      const isItem = found.many;
      found.needs.push(plan);
      const next = wayInto(entry.plan, keys.slice(1), found);
      if (!next) return undefined;
      const live = isItem && !isLive(entry.plan) ? plan.entries.filter((one) => isLive(one.plan)) : [];
      appendAll(
        found.needs,
        live.flatMap((one) => plansIn(one.plan)),
      );
      for (const one of [entry, ...live]) if (one.memo < 0) one.memo = plan.shared++;
      return { type: 'entry', entry, next, keptBy: live.length > 0 ? live : undefined };
    }
    case 'list': {
      found.many = true;
      const items = plan.items.map((item) => wayInto(item, keys, found));
      // Items are opened together: their conditions, and values in the list without a block.
      const opened = plan.items.map((item) => (item.type === 'each' ? item.make : item));
      appendAll(
        found.needs,
        opened.filter(({ type }) => type === 'block' || type === 'value' || type === 'ready'),
      );
      return items.some((item) => item !== undefined) ? { type: 'items', items } : undefined;
    }
    case 'each': {
      found.many = true;
      const item = wayInto(plan.make, keys, found);
      return item && { type: 'each', item };
    }
    case 'ready': {
      const end = keys.reduce((at: SchemaEnd | undefined, key) => at && fieldOf(at, key), endOf(plan.location.schema));
      if (!end || schemaLeaves(end.schema).length === 0) return undefined;
      found.needs.push(plan);
      found.kinds.add(kindOf(end.schema));
      if (end.isInList) found.many = true;
      return { type: 'json', keys };
    }
    default:
      return undefined;
  }
}

/** Whether a part has a value that is no literal, as the nodes of it will say. */
function isLive(plan: Plan): boolean {
  if (plan.type === 'block') return plan.entries.some((entry) => isLive(entry.plan));
  if (plan.type === 'list') return plan.items.some(isLive);
  if (plan.type !== 'value') return plan.type !== 'given';
  const { value } = plan;
  return typeof value === 'object' || (typeof value === 'string' && /^[$=]/.test(value));
}

/** A part with all parts inside. */
function plansIn(plan: Plan): readonly Plan[] {
  if (plan.type === 'block') return [plan, ...plan.entries.flatMap((entry) => plansIn(entry.plan))];
  if (plan.type === 'list') return plan.items.flatMap(plansIn);
  return plan.type === 'each' ? plansIn(plan.make) : [plan];
}

/** What a path into a block ends at. `isInList`: it crosses a list, so that it has several values. */
type SchemaEnd = { readonly schema: Schema; readonly isInList: boolean };

function endOf(schema: Schema, isInList = false): SchemaEnd {
  const list = schemaLeaves(schema).length > 0 || objectOf(schema) ? undefined : arrayOf(schema);
  return list ? endOf(list.items ?? {}, true) : { schema, isInList };
}

function fieldOf({ schema, isInList }: SchemaEnd, key: string): SchemaEnd | undefined {
  const properties = objectOf(schema)?.properties ?? {};
  const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return field && endOf(field, isInList);
}

function kindOf(schema: Schema): Kind {
  const [leaf, second] = schemaLeaves(schema);
  if (!leaf || second) return 'any';
  return leaf.type === 'string' && leaf.format !== undefined ? 'date' : KIND_OF_TYPE[leaf.type];
}

const KIND_OF_TYPE: { readonly [type in Leaf]: Kind } = {
  any: 'any',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'text',
};

function readable(way: Way, up: number, found: Found, nodes: NodeTable): Readable {
  const list = (run: Composition): readonly Value[] => {
    let frame = run.frame;
    for (let n = 0; n < up; n++) frame = frame?.parent;
    const values: Value[] = [];
    const { rows, row, frame: inner, place } = run;
    if (frame) collect(run, way, frame, undefined, values, nodes);
    run.rows = rows;
    run.row = row;
    run.frame = inner;
    run.place = place;
    return values;
  };
  const [only = 'any'] = found.kinds;
  return definedOnly({
    kind: found.kinds.size > 1 ? 'any' : only,
    // Formulas read the one value only where the path crosses no list.
    read: (context: Context) => list(context as Composition)[0] ?? '',
    list: found.many ? (context: Context) => list(context as Composition) : undefined,
  });
}

function collect(
  run: Composition,
  way: Way,
  instance: OutputInstance,
  place: OutputPlace | undefined,
  values: Value[],
  nodes: NodeTable,
): void {
  if (instance === ABSENT) return;
  switch (way.type) {
    case 'leaf':
      run.tracer?.reuse(place);
      if (instance !== undefined) values.push(asValue(instance));
      return;
    case 'json':
      run.tracer?.reuse(place);
      if (instance === FAILED) values.push(FAILED);
      else if (instance !== undefined) pushValues(instance as Json, way.keys, values);
      return;
    case 'entry': {
      const frame = instance as Scope;
      enter(run, frame);
      if (way.keptBy && !way.keptBy.some((one) => hasValue(run, frame, one, nodes))) return;
      way.node ??= must(nodes.get(way.entry.plan), 'the node of a path');
      const entry = way.node;
      const inner = entryInstance(run, frame, entry);
      collect(run, way.next, inner, placeOfEntry(frame, entry), values, nodes);
      return;
    }
    default: {
      const { instances, places } = instance as OutputItems;
      for (let n = 0; n < instances.length; n++) {
        const next = way.type === 'each' ? way.item : way.items[n];
        if (next) collect(run, next, instances[n], places[n], values, nodes);
      }
    }
  }
}

function hasValue(run: Composition, frame: Scope, { plan }: OutputEntry, nodes: NodeTable): boolean {
  const entry = must(nodes.get(plan), 'the node of a value');
  const has = entry.node.close(run, entryInstance(run, frame, entry)) !== undefined;
  enter(run, frame);
  return has;
}

/** The values at a path into a block; of a list in it, those of all its items. */
function pushValues(json: Json | undefined, keys: readonly string[], values: Value[]): void {
  if (Array.isArray(json)) {
    for (const item of json) pushValues(item, keys, values);
    return;
  }
  const [key, ...rest] = keys;
  if (key === undefined) values.push(asValue(json));
  else if (typeof json === 'object' && json !== null && Object.hasOwn(json, key))
    pushValues((json as { readonly [name: string]: Json })[key], rest, values);
  else values.push('');
}
