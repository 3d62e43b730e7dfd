/**
 * The output tree of a mapping held against the schema of its target: every field exists and has the right shape.
 *
 * The values inside are still as written; `compile-output.ts` makes them run.
 */
import type { Schema } from '../../model/document.ts';
import type { Json } from '../../model/draft.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { isCompanion } from '../expressions/attachment-expression.ts';
import { isLookup } from '../expressions/value-expression.ts';
import { type Diagnostics, hintOf } from '../runtime/diagnostics.ts';
import { arrayOf, objectOf, schemaLeaves } from '../runtime/schema-branches.ts';
import { isBlock, type KeyedBlock, ReadyMade } from '../standard-blocks/standard-block-values.ts';
import { keysNextToStandard, standardBlock, standardKeys, takesNotes } from '../standard-blocks/standard-blocks.ts';
import { standardNotes } from '../standard-blocks/standard-notes.ts';
import type { Lookup } from '../tables/tables.ts';

/** Where a part of the output stands: in the mapping file, and as people name it ("totals.subtotals"). */
export type OutputLocation = {
  readonly path: YamlPath;
  /** Ready-made blocks are written out by the program: all of them point at the line that asked for them. */
  readonly fixed: boolean;
  readonly name: string;
  readonly schema: Schema;
};

/** Of groups, by the values of their columns; without it they come as they first appear. */
type Order = 'ascending' | 'descending';

export type OutputEntry = { readonly key: string; readonly plan: Plan; memo: number };

export type BlockPlan = {
  readonly type: 'block';
  readonly spot: OutputLocation;
  readonly when: string | undefined;
  readonly entries: readonly OutputEntry[];
  /** How many of its values others refer to. */
  shared: number;
  /** A value inside refers to this block or to one around it. */
  framed: boolean;
};

export type Plan =
  | { readonly type: 'value'; readonly spot: OutputLocation; readonly value: unknown }
  | {
      readonly type: 'numbering';
      readonly spot: OutputLocation;
      readonly sequence: string;
      readonly per: readonly string[];
    }
  | { readonly type: 'ready'; readonly spot: OutputLocation; readonly value: object; readonly table: Lookup }
  | { readonly type: 'given'; readonly spot: OutputLocation; readonly json: Json }
  | { readonly type: 'list'; readonly spot: OutputLocation; readonly items: readonly Plan[] }
  | {
      readonly type: 'each';
      readonly spot: OutputLocation;
      readonly by: readonly string[] | undefined;
      readonly order: Order | undefined;
      readonly of: string | undefined;
      readonly make: Plan;
    }
  | BlockPlan;

type Outlining = { readonly findings: Diagnostics; readonly tables: ReadonlyMap<string, Lookup> };

const SEGMENT = /^[A-Za-z][A-Za-z0-9-]*$/;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor']);
const MAX_DEPTH = 40;

/** Undefined where the part is wrong: the findings say why. */
export function outlineOf(on: Outlining, value: unknown, spot: OutputLocation, depth = 0): Plan | undefined {
  if (depth > MAX_DEPTH) return refuse(on, spot, 'map/too-deep', `more than ${MAX_DEPTH} blocks inside each other`);
  if (value instanceof ReadyMade) return outlineOf(on, value.value, { ...spot, path: value.path, fixed: true }, depth);
  if (Array.isArray(value)) return listOutline(on, value, spot, depth);
  if (typeof value !== 'object' || value === null) return valueOutline(on, value, spot);
  if ('each' in value && !hasField(spot.schema, 'each')) return eachOutline(on, value, spot, depth);
  if (isCompanion(value) && !hasField(spot.schema, 'base64')) return valueOutline(on, value, spot);
  if (isLookup(value)) return lookupOutline(on, value as { table: unknown }, spot);
  if ('sequence' in value && !hasField(spot.schema, 'sequence')) return numberingOutline(on, value, spot);
  return blockOutline(on, value, spot, depth);
}

function refuse(on: Outlining, spot: OutputLocation, code: string, message: string, hint?: string): undefined {
  on.findings.add(spot.path, { code, message, hint });
  return undefined;
}

function hasField(schema: Schema, key: string): boolean {
  return objectOf(schema)?.properties?.[key] !== undefined;
}

function child(spot: OutputLocation, key: string | number, schema: Schema): OutputLocation {
  const inside = spot.name === '' ? String(key) : `${spot.name}.${key}`;
  const name = typeof key === 'number' ? spot.name : inside;
  return { path: spot.fixed ? spot.path : [...spot.path, key], fixed: spot.fixed, name, schema };
}

function valueOutline(on: Outlining, value: unknown, spot: OutputLocation): Plan | undefined {
  if (schemaLeaves(spot.schema).length > 0) return { type: 'value', spot, value };
  const wanted = arrayOf(spot.schema) ? 'a list' : 'a block';
  return refuse(
    on,
    spot,
    'map/wrong-shape',
    `"${spot.name}" is ${wanted}, not one value`,
    wanted === 'a list'
      ? 'write its items with "- " in front, or each: row and make:'
      : `its fields: ${Object.keys(objectOf(spot.schema)?.properties ?? {}).join(', ')}`,
  );
}

function listOutline(on: Outlining, value: readonly unknown[], spot: OutputLocation, depth: number): Plan | undefined {
  const array = arrayOf(spot.schema);
  if (!array) return refuse(on, spot, 'map/wrong-shape', `"${spot.name}" is not a list`, 'remove the "- " in front');
  if (value.length === 0) return { type: 'given', spot, json: [] };
  const schema = array.items ?? {};
  const items = value.flatMap((item, n) => {
    // An `each` among the items stands for as many of them as it makes.
    const repeats = isBlock(item) && 'each' in item && !hasField(schema, 'each');
    const at = child(spot, n, repeats ? array : schema);
    const whole = asksForNotes(item, spot) ? standardNotes(on.findings, item, at.path, value) : [item];
    return whole.map((one) => outlineOf(on, one, at, depth + 1));
  });
  return { type: 'list', spot, items: items.filter((item) => item !== undefined) };
}

function asksForNotes(value: unknown, list: OutputLocation): value is KeyedBlock {
  return isBlock(value) && 'standard' in value && takesNotes(list.schema);
}

const EACH = /^rows?\s+by\s+(.+)$/s;
const EACH_ITEM = /^items?\s+of\s+(\S+)$/;

function eachOutline(on: Outlining, value: object, spot: OutputLocation, depth: number): Plan | undefined {
  const array = arrayOf(spot.schema);
  if (!array) return refuse(on, spot, 'map/wrong-shape', `"${spot.name}" is not a list, so it cannot have each:`);
  const { each, make, order, ...rest } = value as { each?: unknown; make?: unknown; order?: unknown };
  for (const key of Object.keys(rest)) unknownKey(on, spot, key, ['each', 'order', 'make']);
  if (make === undefined)
    return refuse(
      on,
      spot,
      'map/missing',
      '"make" is missing beside each',
      'add make: and under it what each row gives',
    );
  const by = typeof each === 'string' ? EACH.exec(each.trim())?.[1] : undefined;
  const of = typeof each === 'string' ? EACH_ITEM.exec(each.trim())?.[1] : undefined;
  if (each !== 'row' && by === undefined && of === undefined) {
    on.findings.add([...spot.path, 'each'], {
      code: 'map/wrong-value',
      message: `"${String(each)}" is not known here`,
      hint: 'write each: row, each: rows by Column, or each: item of a list of the source',
    });
    return undefined;
  }
  if (order !== undefined && (by === undefined || (order !== 'ascending' && order !== 'descending'))) {
    const hint = by === undefined ? 'rows keep the order of the file' : 'write order: ascending, or order: descending';
    on.findings.add([...spot.path, 'order'], {
      code: 'map/wrong-value',
      message: 'order: is for rows by Column',
      hint,
    });
    return undefined;
  }
  const inside = { ...spot, path: spot.fixed ? spot.path : [...spot.path, 'make'], schema: array.items ?? {} };
  const plan = outlineOf(on, make, inside, depth + 1);
  return plan && { type: 'each', spot, by: by === undefined ? undefined : columnsIn(by), of, order, make: plan };
}

/** Column, $Column or $[Column, with a comma], separated by commas. */
const COLUMN = /\s*(?:\$\[((?:[^\]]|\]\])+)\]\s*(?=,|$)|([^,]*))(?:,|$)/gy;

function columnsIn(text: string): readonly string[] {
  return [...text.matchAll(COLUMN)]
    .map(([, bracketed, plain = '']) =>
      bracketed === undefined
        ? plain
            .trim()
            .replace(/^\$/, '')
            .replace(/^\[(.*)\]$/s, '$1')
            .trim()
        : bracketed.replaceAll(']]', ']').trim(),
    )
    .filter((name) => name !== '');
}

function unknownKey(on: Outlining, spot: OutputLocation, key: string, known: readonly string[]): void {
  on.findings.add([...spot.path, key], {
    code: 'map/unknown-key',
    message: `unknown key "${key}"`,
    hint: hintOf(key, known),
    key: true,
  });
}

function lookupOutline(on: Outlining, value: { table: unknown }, spot: OutputLocation): Plan | undefined {
  const table = typeof value.table === 'string' ? on.tables.get(value.table) : undefined;
  // A table that is not there, or could not be read, is the one thing to tell of this place.
  if (table ? table.unread : typeof value.table === 'string') return { type: 'value', spot, value };
  if (table && table.blocks.size > 0) {
    if (objectOf(spot.schema)) return { type: 'ready', spot, value, table };
    return refuse(on, spot, 'map/wrong-shape', `table ${table.name} gives blocks, "${spot.name}" is one value`);
  }
  return valueOutline(on, value, spot);
}

function numberingOutline(on: Outlining, value: object, spot: OutputLocation): Plan | undefined {
  const { sequence, per = [], ...rest } = value as { sequence?: unknown; per?: unknown };
  for (const key of Object.keys(rest)) unknownKey(on, spot, key, ['sequence', 'per']);
  const columns = typeof per === 'string' ? [per] : per;
  const isList = Array.isArray(columns) && columns.every((name) => typeof name === 'string');
  if (typeof sequence !== 'string' || sequence === '' || !isList) {
    return refuse(on, spot, 'map/not-a-value', 'a number is asked for as { sequence: name, per: [Column, ...] }');
  }
  if (schemaLeaves(spot.schema).some((leaf) => leaf.type !== 'boolean')) {
    return { type: 'numbering', spot, sequence, per: columns };
  }
  return refuse(on, spot, 'map/wrong-shape', `"${spot.name}" cannot hold a number of a sequence`);
}

function blockOutline(on: Outlining, value: object, spot: OutputLocation, depth: number): Plan | undefined {
  const object = objectOf(spot.schema);
  if (asksForNotes(value, spot)) {
    return listOutline(on, standardNotes(on.findings, value, spot.path), spot, depth);
  }
  if (!object) {
    const ways = takesNotes(spot.schema) ? 'standard: { }' : 'each: row and make:';
    const hint = arrayOf(spot.schema) ? `write its items with "- " in front, or ${ways}` : 'write one value';
    return refuse(on, spot, 'map/wrong-shape', `"${spot.name}" is not a block of fields`, hint);
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return { type: 'given', spot, json: {} };
  if (keys.includes('standard') && !hasField(spot.schema, 'standard') && !object.additionalProperties) {
    const blocks = standardBlock(on.findings, value as KeyedBlock, spot.schema, spot.path);
    return blocks && outlineOf(on, blocks, spot, depth + 1);
  }
  let when: string | undefined;
  const entries: OutputEntry[] = [];
  const parts = keysNextToStandard(on.findings, value as KeyedBlock, object, spot.path);
  for (const [key, part] of Object.entries(parts)) {
    if (key === 'when' && !hasField(spot.schema, 'when')) when = conditionOf(on, part, spot);
    else {
      const schema = fieldSchema(on, object, key, spot);
      const plan = schema && outlineOf(on, part, child(spot, key, schema), depth + 1);
      if (plan) entries.push({ key, plan, memo: -1 });
    }
  }
  return { type: 'block', spot, when, entries, shared: 0, framed: false };
}

function conditionOf(on: Outlining, value: unknown, spot: OutputLocation): string | undefined {
  if (typeof value === 'boolean') return value ? undefined : '1 = 2';
  if (typeof value === 'string') return value;
  return refuse(on, child(spot, 'when', {}), 'map/wrong-value', 'when: is a formula that is true or false');
}

function fieldSchema(on: Outlining, object: Schema, key: string, spot: OutputLocation): Schema | undefined {
  const at = spot.fixed ? spot.path : [...spot.path, key];
  if (FORBIDDEN.has(key) || !SEGMENT.test(key)) {
    on.findings.add(at, {
      code: 'map/wrong-field-name',
      message: `"${key}" cannot be the name of a field`,
      hint: 'names have letters, digits and hyphens',
      key: true,
    });
    return undefined;
  }
  const properties = object.properties ?? {};
  if (Object.hasOwn(properties, key)) return properties[key];
  if (object.additionalProperties) return {};
  on.findings.add(at, {
    code: 'map/no-such-field',
    message: spot.name === '' ? `the target has no field "${key}"` : `"${spot.name}" has no field "${key}"`,
    hint: hintOf(
      key,
      standardKeys(object) ? [...Object.keys(properties), 'standard'] : Object.keys(properties),
      'its fields',
    ),
    key: true,
  });
  return undefined;
}
