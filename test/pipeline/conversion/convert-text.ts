/** A text through a mapping, as a night reads it: documents, rows left out, and why the file was refused. */
import { DOCUMENT_KINDS, READERS } from '../../../src/catalogue.ts';
import { mappingWorld } from '../../../src/instance/instance.ts';
import { loadMapping, type Mapping } from '../../../src/mapping/mapping.ts';
import type { Fault } from '../../../src/model/fault.ts';
import type { ProfileName } from '../../../src/model/rule.ts';
import { type Converted, convert } from '../../../src/pipeline/conversion/convert-file.ts';
import { UnreadableFileError } from '../../../src/readers/reader.ts';
import { showMarked } from '../../../src/yaml/yaml-document.ts';
import { chunksOf } from '../../readers/make.ts';

export type ConvertedText = {
  readonly numbers: readonly string[];
  readonly outcomes: Converted['outcomes'];
  readonly leftOut: readonly string[];
  /** Of documents that could not be made. */
  readonly faults: readonly Fault[];
  readonly refused: readonly Fault[];
  readonly rows: number;
};

/** The mapping, or an exception that shows what is wrong with it. */
export function mappingOf(yaml: string): Mapping {
  const { mapping, faults } = loadMapping(yaml, 'mappings/test.yaml', mappingWorld('/nowhere'));
  if (!mapping) throw new Error(faults.map(showMarked).join('\n'));
  return mapping;
}

export async function convertText(
  yaml: string,
  content: string | Uint8Array,
  chunk = 1 << 20,
  profile: ProfileName = 'wire',
): Promise<ConvertedText> {
  const mapping = mappingOf(yaml);
  const kind = DOCUMENT_KINDS.find(({ name }) => name === mapping.target)!;
  const steps: Converted[] = [];
  let refused: readonly Fault[] = [];
  try {
    for await (const step of convert({
      bytes: chunksOf(Buffer.from(content as string), chunk),
      file: 'a.txt',
      mapping,
      reader: READERS.find(({ format }) => format === mapping.source.format)!,
      kind: { ...kind, rules: kind.rules.under({ profile }) },
      facts: { today: '2026-11-20', file: { name: 'a.txt', base64: () => '' } },
    })) {
      steps.push(step);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    refused = error.faults;
  }
  const outcomes = steps.flatMap((step) => step.outcomes);
  return {
    outcomes,
    numbers: outcomes.flatMap((one) => ('document' in one ? [one.document.facts.identifier] : [])),
    faults: outcomes.flatMap((one) => ('document' in one ? [] : one.faults)),
    leftOut: steps.flatMap((step) => step.leftOut.map(({ row, rule }) => `${row} ${rule}`)),
    rows: steps.reduce((sum, step) => sum + step.rows, 0),
    refused,
  };
}
