/** What the ready-made blocks share: how their keys are read, and values that point at the line that names the block. */
import { isPlainObject } from '../../yaml/plain-object.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { singleColumn } from '../runtime/column-name.ts';
import { type Diagnostics, unknownKey } from '../runtime/diagnostics.ts';

/** A block of YAML, its values as written. */
export type KeyedBlock = { readonly [key: string]: unknown };

/** `each: rows by X`: the columns are its first group. */
export const EACH_GROUP = /^rows?\s+by\s+(.+)$/s;

/** A value that no line of the mapping writes: `path` is the line with the ready-made block. */
export class ReadyMade {
  readonly value: unknown;
  readonly path: YamlPath;

  constructor(value: unknown, path: YamlPath) {
    this.value = value;
    this.path = path;
  }
}

export function isBlock(value: unknown): value is KeyedBlock {
  return isPlainObject(value) && !(value instanceof ReadyMade);
}

/** `map/unknown-key` for each other key of the block. */
export function refuseUnknown(
  findings: Diagnostics,
  given: KeyedBlock,
  known: readonly string[],
  path: YamlPath,
): void {
  for (const key of Object.keys(given).filter((name) => !known.includes(name))) {
    findings.add([...path, key], unknownKey(key, known));
  }
}

/** The text of a formula that gives what `$Column` or `= formula` gives; undefined for anything else. */
export function asOperand(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('=')) return value.slice(1).trim();
  return singleColumn(value) === undefined ? undefined : value;
}
