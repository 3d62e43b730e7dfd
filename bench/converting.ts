/** The pure half of the line as the program runs it, over a file or over bytes made on the way. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENT_KINDS, READERS } from '../src/catalogue.ts';
import { frInvoice } from '../src/documents/fr/fr-invoice.ts';
import { loadMapping, type Mapping } from '../src/mapping/mapping.ts';
import { convert } from '../src/pipeline/conversion/convert-file.ts';
import { csvReader } from '../src/readers/csv/csv-reader.ts';
import type { Reader } from '../src/readers/reader.ts';
import { xmlReader } from '../src/readers/xml/xml-reader.ts';
import type { Format } from './exports.ts';

export const FACTS = { today: '2026-11-20', file: { name: 'bench', base64: () => '' } };

const SHARED_FROM = '\ntables:';

/** The mapping of the manual's kind; the one for XML differs in its `source` block alone. */
export function mappingText(format: Format = 'csv'): string {
  const text = readFileSync(join(import.meta.dirname, 'convert.yaml'), 'utf8');
  if (format === 'csv') return text;
  return readFileSync(join(import.meta.dirname, 'xml-head.yaml'), 'utf8') + text.slice(text.indexOf(SHARED_FROM));
}

export function benchMapping(format: Format): Mapping {
  const { mapping, faults } = loadMapping(mappingText(format), `bench.${format}.yaml`, {
    targets: DOCUMENT_KINDS,
    formats: new Map(READERS.map((reader) => [reader.format, reader.options])),
    readText: () => undefined,
  });
  if (!mapping || faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
  return mapping;
}

/** How many documents were made; every row has to become one, without so much as a warning. */
export async function convertAll(
  format: Format,
  bytes: AsyncIterable<Uint8Array>,
  take: (content: Uint8Array) => void,
  reader: Reader = format === 'csv' ? csvReader : xmlReader,
  mapping = benchMapping(format),
): Promise<number> {
  let count = 0;
  const input = {
    bytes,
    file: `bench.${format}`,
    mapping,
    reader,
    kind: frInvoice,
    facts: FACTS,
  };
  for await (const { outcomes, leftOut } of convert(input)) {
    if (leftOut.length > 0) throw new Error(`row ${leftOut[0]!.row} was left out`);
    for (const outcome of outcomes) {
      if (!('document' in outcome)) throw new Error(JSON.stringify(outcome.faults[0]));
      if (outcome.document.warnings.length > 0) throw new Error(JSON.stringify(outcome.document.warnings[0]));
      take(outcome.document.content);
      count++;
    }
  }
  return count;
}
