/**
 * XML files: bytes in, batches of rows out, in memory bounded by one document element. xml-fast-parser.ts reads regular
 * markup; from the first irregular one, saxes reads and judges (xml-strict-parser.ts). A damaged document is a broken
 * row; damage to the file throws UnreadableFileError (xml/..., text/...), after the rows that were complete before it.
 */
import type { Batch, Row } from '../../model/row.ts';
import { compileOnce } from '../compile-once.ts';
import { readUtf8 } from '../encoding/read-text.ts';
import { type Reader, type ReadOptions, UnreadableFileError } from '../reader.ts';
import { detectXmlEncoding } from './xml-encoding.ts';
import { compileXmlSource, xmlOptions } from './xml-options.ts';
import { createXmlParser } from './xml-parser.ts';
import { createRecordWalk } from './xml-record-kinds.ts';
import { createElementWalk } from './xml-rows.ts';

/** Format `xml`: a repeated element becomes rows with the columns that the mapping names by paths. */
export const xmlReader: Reader = { format: 'xml', options: xmlOptions, read };

const compileOptions = compileOnce((source) => {
  const options = xmlOptions.parse(source);
  return { options, paths: compileXmlSource(options) };
});

async function* read(
  bytes: AsyncIterable<Uint8Array>,
  { file, source, chunkBytes, bounds }: ReadOptions,
): AsyncGenerator<Batch> {
  const { options, paths } = compileOptions(source);
  const walking = { rowsOptional: options['rows-optional'], bounds };
  const elements = 'kinds' in paths ? createRecordWalk(file, paths, walking) : createElementWalk(file, paths, walking);
  const parser = createXmlParser(file, elements);
  const declared = detectXmlEncoding(file, options.encoding);
  let encoding = '';
  let yielded = false;
  const batch = () => ({ table: elements.table, ...elements.drain(), encoding });

  try {
    for await (const piece of readUtf8(bytes, { file, encoding: options.encoding, chunkBytes, declared })) {
      encoding = piece.encoding;
      const failure = parser.write(piece.data);
      const next = batch();
      if (next.rows.length + next.leftOut.length + next.controls.length > 0) {
        yielded = true;
        yield* expandCutRows(next);
      }
      if (failure) throw failure;
    }
  } catch (error) {
    // Bytes that cannot be decoded come after all that was written: a fault in those is reported instead.
    throw (error instanceof UnreadableFileError ? parser.waiting() : undefined) ?? error;
  }
  const failure = parser.waiting() ?? parser.end();
  if (failure) throw failure;
  elements.finish();
  const warnings = elements.warnings();
  if (warnings.length > 0) yield { ...batch(), warnings };
  else if (!yielded) yield batch();
}

/** Rows that were only counted are given in batches of this size: all of them at once would be too many again. */
const ROWS_PER_BATCH = 1000;

/**
 * A record past its bounds is one row with a count (`Row.cut`); here it becomes that many rows, so that each is
 * accounted.
 */
function* expandCutRows(batch: Batch): Generator<Batch> {
  if (!batch.rows.some(({ cut }) => cut)) return yield batch;
  let rows: Row[] = [];
  let about = batch;
  for (const row of batch.rows) {
    const { spot: _, ...others } = row;
    rows.push(row);
    for (let n = 1; n < (row.cut?.rows ?? 1); n++) {
      if (rows.length === ROWS_PER_BATCH) {
        yield { ...about, rows };
        [rows, about] = [[], { ...batch, leftOut: [], controls: [] }];
      }
      rows.push({ ...others, row: row.row + n });
    }
  }
  yield { ...about, rows };
}
