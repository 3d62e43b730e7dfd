/**
 * The `join` of a source: a header file and a line file that belong together by the part of their names that * matches.
 * In: the `source` of a mapping file; out: the settings for reading the line file, or findings.
 */
import type { z } from 'zod';
import { SOURCE_FILES } from '../../i18n/messages/mapping-messages.ts';
import { checkShape, type YamlFile } from '../../yaml/yaml-document.ts';
import { listOf, type MappingFile } from '../file/mapping-shape.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';

export type Join = {
  /** Name pattern of the line file. */
  readonly with: string;
  readonly key: { readonly headers: readonly string[]; readonly lines: readonly string[] };
  /** How long one of the two is waited for. */
  readonly waitMs: number;
  /** The format's part of `source` for the line file, parsed. */
  readonly options: unknown;
};

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY_MS = UNITS.d;

/** `part` is the format's part of `source`; `join.source` has the options that differ for the line file. */
export function compileJoin(
  { source, accepts }: MappingFile,
  part: { readonly [key: string]: unknown },
  shape: z.ZodType | undefined,
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
  const key = named ? Object.entries(join.key) : listOf(join.key as string | string[]).map((name) => [name, name]);
  return {
    with: join.with,
    key: { headers: key.map(([name]) => String(name)), lines: key.map(([, name]) => String(name)) },
    waitMs: waitOf(join.wait),
    options: checked.value,
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
