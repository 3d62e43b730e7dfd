/**
 * The `join` of a source: a header file and a line file that belong together by the part of their names that * matches.
 * In: the `source` of a mapping file; out: the settings for reading the line file, or findings.
 */
import type { z } from 'zod';
import { SOURCE_FILES } from '../../i18n/messages/mapping-messages.ts';
import { checkShape, type YamlFile } from '../../yaml/yaml-document.ts';
import { listOf, type MappingFile } from '../file/mapping-shape.ts';
import { keyText } from '../runtime/composition.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import { type ColumnType, TEXT_COLUMN } from './source-columns.ts';

export type Join = {
  /** Name pattern of the line file. */
  readonly with: string;
  readonly key: {
    readonly headers: readonly string[];
    readonly lines: readonly string[];
    /** How a cell of the key is compared, by its column in either file. */
    readonly values: readonly { readonly header: ReadCell; readonly line: ReadCell }[];
  };
  /** How long one of the two is waited for. */
  readonly waitMs: number;
  /** The format's part of `source` for the line file, parsed. */
  readonly options: unknown;
};

type ReadCell = (cell: string) => string;

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY_MS = UNITS.d;

/** `part` is the format's part of `source`; `join.source` has the options that differ for the line file. */
export function compileJoin(
  { source, accepts }: MappingFile,
  part: { readonly [key: string]: unknown },
  shape: z.ZodType | undefined,
  types: ReadonlyMap<string, ColumnType>,
  findings: Diagnostics,
): Join | undefined {
  const { join } = source;
  if (!join || !shape) return undefined;
  for (const [path, pattern] of patternsOf(accepts.files, join.with)) {
    if (pattern.split('*').length === 2) continue;
    findings.add(path, {
      code: 'map/wrong-value',
      message: SOURCE_FILES.oneStar({ pattern }),
      hint: SOURCE_FILES.starExample(),
    });
  }
  const own = join.source ?? {};
  const lines: YamlFile = {
    file: findings.yaml.file,
    value: { ...part, ...own },
    mark: ([first = '', ...more], ...rest) =>
      findings.yaml.mark([...(first in own ? ['source', 'join', 'source'] : ['source']), first, ...more], ...rest),
  };
  const checked = checkShape(lines, shape, 'map');
  if ('faults' in checked) {
    // A fault in the settings of both is already reported for the header file.
    for (const fault of checked.faults) {
      if (!findings.faults.some((known) => known.message === fault.message)) findings.faults.push(fault);
    }
    return undefined;
  }
  const named = typeof join.key === 'object' && !Array.isArray(join.key);
  const key: readonly (readonly [string, string])[] = named
    ? Object.entries(join.key)
    : listOf(join.key as string | string[]).map((name) => [name, name]);
  return {
    with: join.with,
    key: {
      headers: key.map(([header]) => header),
      lines: key.map(([, line]) => line),
      values: key.map(([header, line]) => valuesOf(types.get(header), types.get(`lines.${line}`) ?? types.get(line))),
    },
    waitMs: waitOf(join.wait),
    options: checked.value,
  };
}

/** Both cells are one value: where one column alone has a type, the other is read by it as well. */
function valuesOf(header: ColumnType | undefined, line: ColumnType | undefined) {
  return { header: readerOf(header ?? line), line: readerOf(line ?? header) };
}

/** The value that the output has. A cell that cannot be read equals no value: NUL is in none of them. */
function readerOf({ convert }: ColumnType = TEXT_COLUMN): ReadCell {
  return (cell) => {
    const value = convert?.(cell) ?? cell;
    return typeof value === 'object' && 'code' in value ? `${keyText(cell)}\u0000` : keyText(value);
  };
}

function* patternsOf(files: string | readonly string[], lines: string): Iterable<[string[], string]> {
  for (const pattern of listOf(files)) yield [['accepts', 'files'], pattern];
  yield [['source', 'join', 'with'], lines];
}

function waitOf(text: string | undefined): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text ?? '') ?? [];
  return count === undefined ? DAY_MS : Number(count) * UNITS[unit as keyof typeof UNITS];
}

/** Names of the joined columns, where both parts list theirs. */
export function joinedNames(
  headers: readonly string[],
  lines: readonly string[],
  { key }: Pick<Join, 'key'>,
): readonly string[] {
  const same = lines.filter((name) => key.lines.some((one, n) => one === name && key.headers[n] === name));
  const own = lines.filter((name) => !same.includes(name));
  return [...headers, ...own.map((name) => (headers.includes(name) ? `lines.${name}` : name))];
}
