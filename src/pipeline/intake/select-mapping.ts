/**
 * The mapping for a file: by its name, and by its columns if several mappings accept the name. Several mappings may
 * share one file. If none fits, or several that do not share, faults come out: intake/no-mapping,
 * intake/no-mapping-fits, intake/several-mappings, or those of the damaged file.
 */

import { readerOf } from '../../catalogue.ts';
import { inOnePiece } from '../../files/in-one-piece.ts';
import type { Message } from '../../i18n/message.ts';
import { INTAKE } from '../../i18n/messages/pipeline-messages.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems } from '../../model/defined-only.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { type FileKind, fileKindOf } from '../../readers/file-kind.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { matchesName } from '../../text/glob.ts';
import type { RunContext } from '../context/run-context.ts';
import { findPartner, pairRoleOf } from '../sources/file-pairs.ts';
import { bytesOf } from '../sources/open-file-stream.ts';

/** As many bytes as the first chunk of a file has. */
const HEAD_BYTES = 64 * 1024;

/** `also`: the other mappings of the same file, if all of them share it. */
type Chosen = { readonly mapping: Mapping; readonly also: readonly Mapping[] };

/**
 * `content`: the whole file, if it is in memory. Only the first batch of rows is read, for the names of the columns.
 */
export async function selectMapping(
  work: Pick<RunContext, 'instance'>,
  file: Pick<SourceFile, 'name' | 'path' | 'claimedAt'>,
  content?: Buffer,
): Promise<Chosen | { readonly faults: readonly Fault[] }> {
  const named = work.instance.mappings.filter((mapping) => acceptsName(mapping, file.name));
  const [only, ...others] = named;
  if (only && others.length === 0) return { mapping: only, also: [] };
  const fitting: Mapping[] = [];
  const unreadable: UnreadableFileError[] = [];
  for (const mapping of named) {
    const found = await fits(file, mapping, content);
    if (found === true) fitting.push(mapping);
    else if (found) unreadable.push(found);
  }
  const [first, ...also] = fitting;
  if (first && (also.length === 0 || fitting.every(({ accepts }) => accepts.shares))) return { mapping: first, also };
  const damage = unreadable.length === named.length ? commonDamage(unreadable) : undefined;
  if (damage) return { faults: damage };
  const kind = named.length === 0 ? await kindOf(file, content) : undefined;
  return { faults: [withoutMapping(work, file, { named, fitting, kind })] };
}

type Found = {
  readonly named: readonly Mapping[];
  readonly fitting: readonly Mapping[];
  readonly kind: FileKind | undefined;
};

/** The fault of a file that several mappings fit, or none of those with its name, or whose name no mapping accepts. */
function withoutMapping(
  work: Pick<RunContext, 'instance'>,
  file: Pick<SourceFile, 'name'>,
  { named, fitting, kind }: Found,
): DataFault {
  const about = { level: 'error', origin: { file: file.name, row: 0 } } as const;
  const idsOf = (mappings: readonly Mapping[]) => ({ mappings: mappings.map(({ id }) => id) });
  if (fitting.length > 1) {
    return {
      code: 'intake/several-mappings',
      ...about,
      ...withMessage(INTAKE.several(idsOf(fitting)), INTAKE.tellApart()),
    };
  }
  if (named.length > 1) {
    return {
      code: 'intake/no-mapping-fits',
      ...about,
      ...withMessage(INTAKE.noneFits(idsOf(named)), INTAKE.tellApart()),
    };
  }
  const names = acceptedNames(work, file.name);
  if (!kind) {
    return { code: 'intake/no-mapping', ...about, ...withMessage(INTAKE.noMapping(), INTAKE.acceptedNames({ names })) };
  }
  const workbooks = work.instance.mappings.filter(({ source }) => source.format === 'xlsx');
  const own = kind.sheet === 'xlsx' && workbooks.length > 0 ? acceptedNames(work, file.name, workbooks) : undefined;
  const save = SAVED[kind.sheet ?? 'none'];
  // To correct its name helps only if it is a workbook, and one is expected.
  const hint = own === undefined ? save({ names }) : INTAKE.renameSheet({ names: own });
  return { code: 'intake/no-mapping', ...about, ...withMessage(INTAKE.noMappingOfKind({ kind: kind.kind }), hint) };
}

/** What a file that is not text is, from its first bytes: to rename it would not help. */
/** What a person does with a file that no mapping takes. */
const SAVED = {
  none: INTAKE.exportRows,
  xlsx: INTAKE.saveSheet,
  other: INTAKE.saveSheet,
  encrypted: INTAKE.openSheet,
};

async function kindOf(file: Pick<SourceFile, 'path'>, content: Buffer | undefined): Promise<FileKind | undefined> {
  if (content) return fileKindOf(content.subarray(0, HEAD_BYTES));
  for await (const head of bytesOf(file.path)) return fileKindOf(head);
  return undefined;
}

/**
 * The faults of a file that none of its mappings can read, if they agree: then the file is damaged, and no mapping has
 * to change. A mapping that expects another root element has not looked any further.
 */
function commonDamage(unreadable: readonly UnreadableFileError[]): readonly Fault[] | undefined {
  const [first, ...others] = unreadable
    .map(({ faults }) => faults)
    .filter(([fault]) => fault?.code !== 'xml/wrong-root');
  return first && others.every(([fault]) => fault?.code === first[0]?.code) ? first : undefined;
}

function acceptsName(mapping: Mapping, name: string): boolean {
  return (
    mapping.accepts.files.some((pattern) => matchesName(pattern, name)) || pairRoleOf([mapping], name) !== undefined
  );
}

/** So many names are listed; the ones that begin like the name of the file come first. */
const MOST_NAMES = 2;

function acceptedNames(
  { instance }: Pick<RunContext, 'instance'>,
  file: string,
  mappings: readonly Mapping[] = instance.mappings,
): Message | readonly (string | Message)[] {
  const all = new Set(mappings.flatMap(({ accepts, join: pair }) => definedItems([...accepts.files, pair?.with])));
  if (all.size === 0) return INTAKE.noneThere();
  const names = [...all].sort((a, b) => sameBeginning(b, file) - sameBeginning(a, file));
  if (names.length <= MOST_NAMES + 1) return names;
  return [...names.slice(0, MOST_NAMES), INTAKE.moreNames({ count: names.length - MOST_NAMES })];
}

/** How many characters of a pattern and of a name agree from the left. */
function sameBeginning(pattern: string, name: string): number {
  const [one, other] = [pattern.toLowerCase(), name.toLowerCase()];
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** True if the file has the columns of the mapping (for a pair, the header file); the error if it cannot be read. */
async function fits(
  file: Pick<SourceFile, 'name' | 'path'>,
  mapping: Mapping,
  content: Buffer | undefined,
): Promise<boolean | UnreadableFileError> {
  const head = (mapping.join && findPartner(mapping, file)?.headers) ?? file;
  const reader = readerOf(mapping.source.format);
  try {
    const bytes = content && head === file ? inOnePiece(content) : bytesOf(head.path);
    for await (const { table } of reader.read(bytes, {
      file: head.name,
      source: mapping.source.options,
    })) {
      return mapping.accepts.columns.every((column) => table.columns.includes(column));
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return error;
  }
  return false;
}
