/**
 * A mapping in, the columns of its sample files out, each with its first value there: editors offer them for
 * completion. The mapping may be unfinished or wrong; a file that cannot be read gives no columns and no error.
 */

import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { READERS } from '../catalogue.ts';
import { resolveNamedFile } from '../instance/instance.ts';
import { listsIn } from '../mapping/expressions/lists.ts';
import { OWN_SOURCE_KEYS } from '../mapping/file/mapping-shape.ts';
import type { Batch } from '../model/row.ts';
import { matchesName } from '../text/glob.ts';
import { isPlainObject } from '../yaml/plain-object.ts';

/** Column -> its first value that is not empty. */
export type SampleColumns = ReadonlyMap<string, string>;

/** Rows of a sample after which no further batch is read: completion does not need more. */
const ROWS = 200;
/** Characters of an example. */
const LONGEST_EXAMPLE = 60;
/** Folders that are searched for a sample when no test names one, in this order. */
const PLACES = ['samples', 'mappings/samples', 'inbox'];

/** A mapping that was not checked: every key may be absent or of any shape. */
export type LooseMapping = { readonly [key: string]: unknown };

/** `root`: the instance folder. Fields of a list are named `list.field` and have no example. */
export async function sampleColumns(root: string, mapping: LooseMapping): Promise<SampleColumns> {
  const columns = new Map<string, string>();
  const { format, ...source } = blockOf(mapping.source);
  const reader = READERS.find((one) => one.format === format);
  const options = reader?.options.safeParse(formatPart(source, ownKeys(format)));
  if (!reader || !options?.success) return columns;
  const lists = listsIn(options.data);
  for (const path of samplesOf(root, mapping)) {
    const bytes = createReadStream(path);
    try {
      let rows = 0;
      for await (const batch of reader.read(bytes, { file: basename(path), source: options.data })) {
        addColumns(columns, batch, lists);
        rows += batch.rows.length;
        if (rows >= ROWS) break;
      }
    } catch {
      // A sample that shows what is refused may end in a fault: its columns count all the same.
    } finally {
      bytes.destroy();
    }
  }
  return columns;
}

/** Adds the columns of a batch, and an example where there is none yet. */
function addColumns(columns: Map<string, string>, { table, rows }: Batch, lists: ReturnType<typeof listsIn>): void {
  for (const [at, name] of table.columns.entries()) {
    const fields = lists.get(name);
    // The column of a list holds JSON; a mapping reads its fields, not the column.
    for (const field of fields ?? []) columns.set(`${name}.${field}`, '');
    if (fields || name === '' || columns.get(name)) continue;
    const example = rows.find((row) => row.cells[at]?.trim())?.cells[at]?.trim() ?? '';
    columns.set(name, [...example].slice(0, LONGEST_EXAMPLE).join(''));
  }
}

/**
 * Keys of `source` that belong to the mapping language in this format: `types` where `columns` belongs to the format,
 * `columns` elsewhere.
 */
export function ownKeys(format: unknown): readonly string[] {
  const reader = READERS.find((one) => one.format === format);
  const shape = reader?.options.toJSONSchema?.({ io: 'input', unrepresentable: 'any' }) as { properties?: object };
  const types = 'columns' in (shape?.properties ?? {}) ? 'types' : 'columns';
  return [...OWN_SOURCE_KEYS.filter((key) => key !== 'columns'), types];
}

function formatPart(source: LooseMapping, own: readonly string[]): object {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !own.includes(key)));
}

/** The value where it is a block of keys, else an empty block: a mapping that is being written has any shape. */
export function blockOf(value: unknown): LooseMapping {
  return isPlainObject(value) ? value : {};
}

/** Paths of the samples that the tests name, or else of one file that `accepts.files` matches. */
function samplesOf(root: string, mapping: LooseMapping): readonly string[] {
  const tests = Array.isArray(mapping.tests) ? mapping.tests.map((test) => blockOf(test).given) : [];
  const given = tests.filter((name) => typeof name === 'string');
  const inside = given.flatMap((name) => resolveNamedFile(root, name) ?? []);
  return inside.length > 0 ? inside : acceptedSamples(root, mapping);
}

function acceptedSamples(root: string, mapping: LooseMapping): readonly string[] {
  const { files } = blockOf(mapping.accepts);
  const patterns = [files].flat().filter((pattern) => typeof pattern === 'string');
  const found = PLACES.flatMap((place) => {
    const folder = join(root, place);
    const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return entries
      .filter((entry) => entry.isFile() && patterns.some((pattern) => matchesName(pattern, entry.name)))
      .map((entry) => join(folder, entry.name));
  });
  return found.slice(0, 1);
}
