/**
 * Lines of mappings that make corrections unnecessary: a text that people corrected alike in three files comes back. The
 * ledger and the mappings come in; for each text one line of YAML comes out. Reads only; nothing throws.
 */
import type { QueryStore, RepeatedCorrection } from '../../ledger/contract/query-store.ts';
import type { Mapping } from '../../mapping/mapping.ts';

/** A correction that came back, and the line under `source` of the mapping file that replaces it from then on. */
export type MappingProposal = RepeatedCorrection & {
  /** Path below the instance folder. */
  readonly file: string;
  /** The block of the mapping that the line belongs to; the texts of one column share one line there. */
  readonly under: 'source';
  readonly line: string;
};

/** Files in which a correction was made alike: fewer may be a coincidence. */
const TIMES = 3;

/**
 * The corrections made in the most files first; the mappings are read only if there is one. Left out: texts that the mapping replaces already, and columns of numbers
 * and dates, where the same text is right in another row.
 */
export async function mappingProposals(
  ledger: Pick<QueryStore, 'repeatedCorrections'>,
  readMappings: () => readonly Mapping[],
): Promise<readonly MappingProposal[]> {
  const repeated = await ledger.repeatedCorrections(TIMES);
  if (repeated.length === 0) return [];
  const mappings = readMappings();
  return repeated.flatMap((one) => {
    const mapping = mappings.find(({ id }) => id === one.mapping);
    const from = one.from.trim();
    if (!mapping || from === '' || one.to === '') return [];
    if (mapping.kindOf(one.column) !== 'text' || mapping.replaces(one.column, from)) return [];
    const line = `replace: { ${inYaml(one.column)}: { ${quotedYaml(from)}: ${quotedYaml(one.to)} } }`;
    return [{ ...one, file: mapping.file, under: 'source' as const, line }];
  });
}

/** A plain word stays as it is; anything else is a text in double quotes, as JSON writes it. */
function inYaml(text: string): string {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(text) && !YAML_WORDS.has(text.toLowerCase()) ? text : quotedYaml(text);
}

const YAML_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n']);

function quotedYaml(text: string): string {
  return JSON.stringify(text);
}
