/**
 * The records of a CSV file byte for byte, under the row numbers that the reader gives them. Bytes in and out are
 * UTF-8. Only for files that the reader has read without a structural fault: there a quote opens only at the start of a
 * cell and is doubled inside, so that counting quotes shows whether a line end ends the record. Nothing throws.
 */

/** One record with its quotes and delimiters as the file has them. */
export type RawRecord = {
  readonly row: number;
  /** Without its line end. */
  readonly bytes: Buffer;
  /** Empty where the file ends without one. */
  readonly lineEnd: Buffer;
};

/** `take` returns the records that the bytes complete, `end` the last one if it has no line end. */
export type RecordSlicer = { readonly take: (bytes: Buffer) => RawRecord[]; readonly end: () => RawRecord[] };

const LINE_FEED = 10;
const RETURN = 13;
const NOTHING = Buffer.alloc(0);

/** `quote`: the character, or `none`. `linesAbove`: count of lines above the table, where quotes have no meaning. */
export function createRecordSlicer({
  quote,
  linesAbove,
}: {
  readonly quote: string;
  readonly linesAbove: number;
}): RecordSlicer {
  const mark = quote === 'none' ? NOTHING : Buffer.from(quote);
  let held: Buffer = NOTHING;
  let scanned = 0;
  let inside = false;
  let row = 0;

  const cut = (bytes: Buffer, last: boolean): RawRecord[] => {
    const records: RawRecord[] = [];
    let all = held.length > 0 ? Buffer.concat([held, bytes]) : bytes;
    let at = scanned;
    let start = 0;
    while (at < all.length) {
      const byte = all[at];
      if (byte === mark[0] && row >= linesAbove && all.subarray(at, at + mark.length).equals(mark)) {
        inside = !inside;
        at += mark.length;
        continue;
      }
      if (inside || (byte !== LINE_FEED && byte !== RETURN)) {
        at++;
        continue;
      }
      // The line feed of a pair may come with the next bytes.
      if (byte === RETURN && at + 1 === all.length && !last) break;
      const end = byte === RETURN && all[at + 1] === LINE_FEED ? at + 2 : at + 1;
      records.push({ row: ++row, bytes: all.subarray(start, at), lineEnd: all.subarray(at, end) });
      start = end;
      at = end;
    }
    all = all.subarray(start);
    scanned = at - start;
    if (last && all.length > 0) records.push({ row: ++row, bytes: all, lineEnd: NOTHING });
    held = last ? NOTHING : Buffer.from(all);
    return records;
  };
  return { take: (bytes) => cut(bytes, false), end: () => cut(NOTHING, true) };
}
