/**
 * The output tree of a mapping checked against the schema of its target: every field exists and has the right shape.
 *
 * The values inside are still as written; `compile-output.ts` makes them run.
 */
import type { Message } from '../../i18n/message.ts';
import { MAPPING_TABLES, OUTPUT_FIELDS, OUTPUT_REPEATS, SUGGESTIONS } from '../../i18n/messages/mapping-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import type { Schema } from '../../model/document.ts';
import type { Json } from '../../model/draft.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { isAttachment } from '../expressions/attachment-expression.ts';
import { isLookup } from '../expressions/value-expression.ts';
import { type Diagnostics, type Problem, suggestionFor, unknownKey } from '../runtime/diagnostics.ts';
import { arrayOf, objectOf, schemaLeaves } from '../runtime/schema-branches.ts';
import { EACH_GROUP, isBlock, type KeyedBlock, ReadyMade } from '../standard-blocks/standard-block-values.ts';
import { keysNextToStandard, standardBlock, standardKeys, takesNotes } from '../standard-blocks/standard-blocks.ts';
import { standardNotes } from '../standard-blocks/standard-notes.ts';
import type { Lookup } from '../tables/tables.ts';

/** The place of a part of the output: in the mapping file, and as messages name it ("totals.subtotals"). */
export type OutputLocation = {
  readonly path: YamlPath;
  /** A ready-made block: all of its parts point at the line of the mapping that names it. */
  readonly fixed: boolean;
  readonly name: string;
  readonly schema: Schema;
};

/** Of groups, by the values of their columns; without it they come as they first appear. */
type Order = 'ascending' | 'descending';

export type OutputEntry = { readonly key: string; readonly plan: Plan; memo: number };

export type BlockPlan = {
  readonly type: 'block';
  readonly location: OutputLocation;
  readonly when: string | undefined;
  readonly entries: readonly OutputEntry[];
  /** How many of its values others refer to. */
  shared: number;
  /** A value inside refers to this block or to one around it. */
  framed: boolean;
};

/** A look-up into ready-made blocks. `otherwise`: its default, of the same kind. */
type ReadyPlan = {
  readonly type: 'ready';
  readonly location: OutputLocation;
  readonly value: object;
  readonly table: Lookup;
  readonly otherwise: ReadyPlan | 'nothing' | undefined;
};

/** One part of the output. 'ready' is a block of a table, 'given' an empty list or block as the mapping writes it. */
export type Plan =
  | { readonly type: 'value'; readonly location: OutputLocation; readonly value: unknown }
  | {
      readonly type: 'numbering';
      readonly location: OutputLocation;
      readonly sequence: string;
      readonly per: readonly string[];
    }
  | ReadyPlan
  | { readonly type: 'given'; readonly location: OutputLocation; readonly json: Json }
  | { readonly type: 'list'; readonly location: OutputLocation; readonly items: readonly Plan[] }
  | {
      readonly type: 'each';
      readonly location: OutputLocation;
      readonly by: readonly string[] | undefined;
      readonly order: Order | undefined;
      readonly of: string | undefined;
      readonly make: Plan;
    }
  | BlockPlan;

type Planning = { readonly findings: Diagnostics; readonly tables: ReadonlyMap<string, Lookup> };

const SEGMENT = /^[A-Za-z][A-Za-z0-9-]*$/;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);
const MAX_DEPTH = 40;

/** The plan of a part of the output, `depth` blocks deep; undefined where the part is wrong, with findings. */
export function planOutput(planning: Planning, value: unknown, location: OutputLocation, depth = 0): Plan | undefined {
  if (depth > MAX_DEPTH) {
    return refuse(planning, location, { code: 'map/too-deep', message: OUTPUT_FIELDS.tooDeep({ most: MAX_DEPTH }) });
  }
  if (value instanceof ReadyMade) {
    return planOutput(planning, value.value, { ...location, path: value.path, fixed: true }, depth);
  }
  if (Array.isArray(value)) return planList(planning, value, location, depth);
  if (typeof value !== 'object' || value === null) return planValue(planning, value, location);
  if ('each' in value && !hasField(location.schema, 'each')) return planEach(planning, value, location, depth);
  if (isAttachment(value) && !hasField(location.schema, 'base64')) return planValue(planning, value, location);
  if (isLookup(value)) return planLookup(planning, value as { table: unknown }, location);
  if ('sequence' in value && !hasField(location.schema, 'sequence')) return planNumbering(planning, value, location);
  return planBlock(planning, value, location, depth);
}

function refuse({ findings }: Planning, { path }: Pick<OutputLocation, 'path'>, problem: Problem): undefined {
  findings.add(path, problem);
  return undefined;
}

function wrongShape(message: Message, hint?: Message): Problem {
  return { code: 'map/wrong-shape', message, hint };
}

function wrongValue(message: Message, hint?: Message): Problem {
  return { code: 'map/wrong-value', message, hint };
}

function hasField(schema: Schema, key: string): boolean {
  return objectOf(schema)?.properties?.[key] !== undefined;
}

function child({ path, fixed, name }: OutputLocation, key: string | number, schema: Schema): OutputLocation {
  const inner = name === '' ? String(key) : `${name}.${key}`;
  return { path: fixed ? path : [...path, key], fixed, name: typeof key === 'number' ? name : inner, schema };
}

function planValue(planning: Planning, value: unknown, location: OutputLocation): Plan | undefined {
  const { schema, name: field } = location;
  if (schemaLeaves(schema).length > 0) return { type: 'value', location, value };
  if (arrayOf(schema)) {
    return refuse(planning, location, wrongShape(OUTPUT_FIELDS.isList({ field }), OUTPUT_FIELDS.writeItems()));
  }
  const names = Object.keys(objectOf(schema)?.properties ?? {});
  return refuse(planning, location, wrongShape(OUTPUT_FIELDS.isBlock({ field }), SUGGESTIONS.fields({ names })));
}

function planList(
  planning: Planning,
  value: readonly unknown[],
  location: OutputLocation,
  depth: number,
): Plan | undefined {
  const array = arrayOf(location.schema);
  if (!array) {
    const message = OUTPUT_FIELDS.notList({ field: location.name });
    return refuse(planning, location, wrongShape(message, OUTPUT_FIELDS.removeHyphen()));
  }
  if (value.length === 0) return { type: 'given', location, json: [] };
  const schema = array.items ?? {};
  const items = value.flatMap((item, n) => {
    // An `each` among the items is replaced by the items that it makes.
    const repeats = isBlock(item) && 'each' in item && !hasField(schema, 'each');
    const at = child(location, n, repeats ? array : schema);
    const whole = isStandardNotes(item, location) ? standardNotes(planning.findings, item, at.path, value) : [item];
    return whole.map((one) => planOutput(planning, one, at, depth + 1));
  });
  return { type: 'list', location, items: items.filter((item) => item !== undefined) };
}

function isStandardNotes(value: unknown, list: OutputLocation): value is KeyedBlock {
  return isBlock(value) && 'standard' in value && takesNotes(list.schema);
}

const EACH_ITEM = /^items?\s+of\s+(\S+)$/;

function planEach(planning: Planning, value: object, location: OutputLocation, depth: number): Plan | undefined {
  const { path, schema, name: field } = location;
  const array = arrayOf(schema);
  if (!array) return refuse(planning, location, wrongShape(OUTPUT_REPEATS.notList({ field })));
  const { each, make, order, ...rest } = value as { each?: unknown; make?: unknown; order?: unknown };
  refuseKeys(planning, location, rest, ['each', 'order', 'make']);
  if (make === undefined) {
    const hint = OUTPUT_REPEATS.addMake();
    return refuse(planning, location, { code: 'map/missing', message: OUTPUT_REPEATS.noMake(), hint });
  }
  const text = typeof each === 'string' ? each.trim() : '';
  const by = EACH_GROUP.exec(text)?.[1];
  const of = EACH_ITEM.exec(text)?.[1];
  if (each !== 'row' && by === undefined && of === undefined) {
    const message = OUTPUT_REPEATS.unknown({ each: String(each) });
    return refuse(planning, { path: [...path, 'each'] }, wrongValue(message, OUTPUT_REPEATS.writeEach()));
  }
  if (order !== undefined && (by === undefined || !isOrder(order))) {
    const hint = by === undefined ? OUTPUT_REPEATS.fileOrder() : OUTPUT_REPEATS.writeOrder();
    return refuse(planning, { path: [...path, 'order'] }, wrongValue(OUTPUT_REPEATS.orderOfGroups(), hint));
  }
  const item = { ...location, path: location.fixed ? path : [...path, 'make'], schema: array.items ?? {} };
  const plan = planOutput(planning, make, item, depth + 1);
  return plan && { type: 'each', location, by: by === undefined ? undefined : columnsIn(by), of, order, make: plan };
}

function isOrder(order: unknown): order is Order {
  return order === 'ascending' || order === 'descending';
}

/** Column, $Column or $[Column, with a comma], separated by commas. */
const COLUMN = /\s*(?:\$\[((?:[^\]]|\]\])+)\]\s*(?=,|$)|([^,]*))(?:,|$)/gy;

function columnsIn(text: string): readonly string[] {
  const names = [...text.matchAll(COLUMN)].map(([, bracketed, plain = '']) => {
    if (bracketed !== undefined) return bracketed.replaceAll(']]', ']').trim();
    return plain
      .trim()
      .replace(/^\$/, '')
      .replace(/^\[(.*)\]$/s, '$1')
      .trim();
  });
  return names.filter((name) => name !== '');
}

function refuseKeys({ findings }: Planning, { path }: OutputLocation, rest: object, known: readonly string[]): void {
  for (const key of Object.keys(rest)) findings.add([...path, key], unknownKey(key, known));
}

function planLookup(planning: Planning, value: { table: unknown }, location: OutputLocation): Plan | undefined {
  const table = typeof value.table === 'string' ? planning.tables.get(value.table) : undefined;
  // A table that does not exist, or could not be read, is the one fault to report of this place.
  if (table ? table.unread : typeof value.table === 'string') return { type: 'value', location, value };
  if (!table || table.blocks.size === 0) return planValue(planning, value, location);
  if (objectOf(location.schema)) return planReady(planning, value, location, table);
  const message = MAPPING_TABLES.givesBlocks({ table: table.name, field: location.name });
  return refuse(planning, location, wrongShape(message));
}

/** `default` is a look-up into ready-made blocks as well, or "" for nothing. */
function planReady(
  planning: Planning,
  value: { readonly table: unknown; readonly default?: unknown },
  location: OutputLocation,
  table: Lookup,
): ReadyPlan {
  const { default: given } = value;
  const ready: ReadyPlan = { type: 'ready', location, value, table, otherwise: undefined };
  if (given === undefined) return ready;
  if (given === '') return { ...ready, otherwise: 'nothing' };
  const at = { ...location, path: [...location.path, 'default'] };
  const plan = isLookup(given) ? planLookup(planning, given as { table: unknown }, at) : planValue(planning, given, at);
  return plan?.type === 'ready' ? { ...ready, otherwise: plan } : ready;
}

function planNumbering(planning: Planning, value: object, location: OutputLocation): Plan | undefined {
  const { sequence, per = [], ...rest } = value as { sequence?: unknown; per?: unknown };
  refuseKeys(planning, location, rest, ['sequence', 'per']);
  const columns = typeof per === 'string' ? [per] : per;
  const isList = Array.isArray(columns) && columns.every((name) => typeof name === 'string');
  if (typeof sequence !== 'string' || sequence === '' || !isList) {
    return refuse(planning, location, { code: 'map/not-a-value', message: OUTPUT_FIELDS.writeSequence() });
  }
  if (schemaLeaves(location.schema).some((leaf) => leaf.type !== 'boolean')) {
    return { type: 'numbering', location, sequence, per: columns };
  }
  return refuse(planning, location, wrongShape(OUTPUT_FIELDS.notSequence({ field: location.name })));
}

function planBlock(planning: Planning, value: object, location: OutputLocation, depth: number): Plan | undefined {
  const { findings } = planning;
  const { path, schema } = location;
  if (isStandardNotes(value, location)) {
    return planList(planning, standardNotes(findings, value, path), location, depth);
  }
  const object = objectOf(schema);
  if (!object) {
    return refuse(planning, location, wrongShape(OUTPUT_FIELDS.notBlock({ field: location.name }), formHint(schema)));
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return { type: 'given', location, json: {} };
  if (keys.includes('standard') && !hasField(schema, 'standard') && !object.additionalProperties) {
    const blocks = standardBlock(findings, value as KeyedBlock, schema, path);
    return blocks && planOutput(planning, blocks, location, depth + 1);
  }
  let when: string | undefined;
  const entries: OutputEntry[] = [];
  const parts = keysNextToStandard(findings, value as KeyedBlock, object, path);
  for (const [key, part] of Object.entries(parts)) {
    if (key === 'when' && !hasField(schema, 'when')) {
      when = conditionOf(planning, part, location);
      continue;
    }
    const field = fieldSchema(planning, object, key, location);
    const plan = field && planOutput(planning, part, child(location, key, field), depth + 1);
    if (plan) entries.push({ key, plan, memo: -1 });
  }
  return { type: 'block', location, when, entries, shared: 0, framed: false };
}

/** What to write where the schema has no block. */
function formHint(schema: Schema): Message {
  if (!arrayOf(schema)) return OUTPUT_FIELDS.writeOneValue();
  return takesNotes(schema) ? OUTPUT_FIELDS.writeItemsOrStandard() : OUTPUT_FIELDS.writeItems();
}

function conditionOf(planning: Planning, value: unknown, location: OutputLocation): string | undefined {
  if (typeof value === 'boolean') return value ? undefined : '1 = 2';
  if (typeof value === 'string') return value;
  return refuse(planning, child(location, 'when', {}), wrongValue(OUTPUT_FIELDS.wrongCondition()));
}

function fieldSchema(
  { findings }: Planning,
  object: Schema,
  key: string,
  { path, fixed, name }: OutputLocation,
): Schema | undefined {
  const at = fixed ? path : [...path, key];
  if (FORBIDDEN.has(key) || !SEGMENT.test(key)) {
    const message = OUTPUT_FIELDS.wrongName({ key });
    findings.add(at, { code: 'map/wrong-field-name', message, hint: OUTPUT_FIELDS.nameForm(), key: true });
    return undefined;
  }
  const { properties = {} } = object;
  if (Object.hasOwn(properties, key)) return properties[key];
  if (object.additionalProperties) return {};
  const known = definedItems([...Object.keys(properties), standardKeys(object) ? 'standard' : undefined]);
  const message = name === '' ? OUTPUT_FIELDS.targetNoField({ key }) : OUTPUT_FIELDS.noField({ field: name, key });
  const hint = suggestionFor(key, known, SUGGESTIONS.fields);
  findings.add(at, { code: 'map/no-such-field', message, hint, key: true });
  return undefined;
}
