/**
 * Ready-made blocks of a table (a company's name, identifiers and address), checked against the place they go to.
 */
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Schema } from '../../model/document.ts';
import { frozen, type Json, type JsonObject } from '../../model/draft.ts';
import type { YamlFile, YamlPath } from '../../yaml/yaml-document.ts';
import { type Diagnostics, hintOf } from '../runtime/diagnostics.ts';
import { arrayOf, objectOf, schemaLeaves } from '../runtime/schema-branches.ts';
import type { Lookup } from '../tables/tables.ts';
import { converterOf, shapeMismatch } from './coerce.ts';
import type { OutputLocation } from './output-plan.ts';

type Reading = { readonly findings: Diagnostics; readonly yaml: YamlFile };

export function readyBlocks(findings: Diagnostics, table: Lookup, spot: OutputLocation): ReadonlyMap<string, Json> {
  const blocks = new Map<string, Json>();
  for (const [code, { value, yaml, path }] of table.blocks) {
    const json = jsonOf({ findings, yaml }, value, path, spot.schema, spot.name);
    if (json !== undefined) blocks.set(code, frozen(json));
  }
  for (const code of table.values.keys()) {
    findings.add(spot.path, {
      code: 'map/wrong-table',
      message: `table ${table.name} has one value for "${code}", where "${spot.name}" needs a block`,
    });
  }
  return blocks;
}

function jsonOf(on: Reading, value: unknown, path: YamlPath, schema: Schema, name: string): Json | undefined {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const items = arrayOf(schema);
    if (!items) return refuse(on, path, 'map/wrong-shape', `"${name}" is not a list`);
    const list = value.map((item, n) => jsonOf(on, item, [...path, n], items.items ?? {}, name));
    return list.filter((item) => item !== undefined);
  }
  if (typeof value === 'object') return blockOf(on, value, path, schema, name);
  if (schemaLeaves(schema).length === 0) return refuse(on, path, 'map/wrong-shape', `"${name}" is not one value`);
  const given = typeof value === 'number' ? Decimal.from(value) : (value as string | boolean);
  const json = converterOf(schema)(given);
  if (json !== undefined) return json;
  const { code, message, hint } = shapeMismatch(schema, given, name);
  return refuse(on, path, code, message, hint);
}

function blockOf(on: Reading, value: object, path: YamlPath, schema: Schema, name: string): JsonObject | undefined {
  const object = objectOf(schema);
  if (!object) return refuse(on, path, 'map/wrong-shape', `"${name}" is not a block of fields`);
  const block: { [key: string]: Json } = {};
  const properties = object.properties ?? {};
  for (const [key, part] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : object.additionalProperties ? {} : undefined;
    if (!known || key === '__proto__') {
      refuse(
        on,
        [...path, key],
        'map/no-such-field',
        `"${name}" has no field "${key}"`,
        hintOf(key, Object.keys(properties), 'its fields'),
      );
      continue;
    }
    const json = jsonOf(on, part, [...path, key], known, `${name}.${key}`);
    if (json !== undefined) block[key] = json;
  }
  return block;
}

function refuse(on: Reading, path: YamlPath, code: string, message: string, hint?: string): undefined {
  const mark = on.yaml.mark(path);
  // A table may be used in two places; what is wrong with it is told once.
  const told = on.findings.faults.some(
    (fault) => fault.message === message && fault.mark?.file === mark.file && fault.mark.line === mark.line,
  );
  if (!told) on.findings.faults.push(definedOnly({ code, level: 'error', message, mark, hint }));
  return undefined;
}
