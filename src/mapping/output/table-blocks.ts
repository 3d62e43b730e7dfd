/**
 * Ready-made blocks of a table (a company's name, identifiers and address), checked against the place they go to.
 */
import type { Message } from '../../i18n/message.ts';
import { MAPPING_TABLES, OUTPUT_FIELDS, SUGGESTIONS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import type { Schema } from '../../model/document.ts';
import { frozen, type Json, type JsonObject } from '../../model/draft.ts';
import type { YamlFile, YamlPath } from '../../yaml/yaml-document.ts';
import {
  type Diagnostics,
  faultAt,
  type Problem,
  problemOf,
  refuseShortened,
  suggestionFor,
} from '../runtime/diagnostics.ts';
import { arrayOf, objectOf, schemaLeaves } from '../runtime/schema-branches.ts';
import type { Lookup } from '../tables/tables.ts';
import { converterOf, shapeMismatch } from './coerce.ts';
import type { OutputLocation } from './output-plan.ts';

/** A value of a table, and the field that it goes to. */
type Part = { readonly path: YamlPath; readonly schema: Schema; readonly name: string };

/** JSON of each block by its code; a block that does not fit its field, or a code with one value, is a finding. */
export function readyBlocks(
  findings: Diagnostics,
  table: Lookup,
  { path: place, schema, name }: OutputLocation,
): ReadonlyMap<string, Json> {
  const blocks = new Map<string, Json>();
  for (const [code, { value, yaml, path }] of table.blocks) {
    const json = jsonOf({ findings, yaml }, value, { path, schema, name });
    if (json !== undefined) blocks.set(code, frozen(json));
  }
  for (const code of table.values.keys()) {
    const message = MAPPING_TABLES.givesValue({ table: table.name, code, field: name });
    findings.add(place, { code: 'map/wrong-table', message });
  }
  return blocks;
}

type Reading = { readonly findings: Diagnostics; readonly yaml: YamlFile };

function jsonOf(reading: Reading, value: unknown, part: Part): Json | undefined {
  const { path, schema, name: field } = part;
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const array = arrayOf(schema);
    if (!array) return refuse(reading, path, wrongShape(OUTPUT_FIELDS.notList({ field })));
    const { items = {} } = array;
    const list = value.map((item, n) => jsonOf(reading, item, { path: [...path, n], schema: items, name: field }));
    return list.filter((item) => item !== undefined);
  }
  if (typeof value === 'object') return blockOf(reading, value, part);
  if (schemaLeaves(schema).length === 0) return refuse(reading, path, wrongShape(OUTPUT_FIELDS.notOneValue({ field })));
  const given = typeof value === 'number' ? Decimal.from(value) : (value as string | boolean);
  const json = converterOf(schema)(given);
  if (typeof json === 'string') refuseShortened(reading.findings, value, path, reading.yaml);
  return json ?? refuse(reading, path, problemOf(shapeMismatch(schema, given, field)));
}

function blockOf(reading: Reading, value: object, { path, schema, name: field }: Part): JsonObject | undefined {
  const object = objectOf(schema);
  if (!object) return refuse(reading, path, wrongShape(OUTPUT_FIELDS.notBlock({ field })));
  const block: { [key: string]: Json } = {};
  const { properties = {} } = object;
  const others = object.additionalProperties ? {} : undefined;
  for (const [key, part] of Object.entries(value)) {
    const at = [...path, key];
    const inner = Object.hasOwn(properties, key) ? properties[key] : others;
    if (!inner || key === '__proto__') {
      const hint = suggestionFor(key, Object.keys(properties), SUGGESTIONS.fields);
      refuse(reading, at, { code: 'map/no-such-field', message: OUTPUT_FIELDS.noField({ field, key }), hint });
      continue;
    }
    const json = jsonOf(reading, part, { path: at, schema: inner, name: `${field}.${key}` });
    if (json !== undefined) block[key] = json;
  }
  return block;
}

function wrongShape(message: Message): Problem {
  return { code: 'map/wrong-shape', message };
}

function refuse({ findings, yaml }: Reading, path: YamlPath, problem: Problem): undefined {
  const fault = faultAt(yaml.mark(path), problem);
  const { message, mark } = fault;
  // A table may be used in two places; a fault in it is reported once.
  const isReported = findings.faults.some(
    (other) => other.message === message && other.mark?.file === mark?.file && other.mark?.line === mark?.line,
  );
  if (!isReported) findings.faults.push(fault);
  return undefined;
}
