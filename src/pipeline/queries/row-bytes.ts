/**
 * The bytes of some rows in a text export, as they are in the file. A row is found by its number and compared with its
 * cells: if one of them is not in its place, there is no result. Encodings that are not based on ASCII have none.
 */

/** A row with its cells as read; `row` counts from 1 with the header. */
type ReadRow = { readonly row: number; readonly cells: readonly string[] };

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

export function rowBytes(content: Buffer, rows: readonly ReadRow[]): Buffer | undefined {
  if (rows.length === 0 || content.includes(0)) return undefined;
  for (const starts of [lineStarts(content, false), lineStarts(content, true)]) {
    const parts = rows.map(({ row }) => content.subarray(starts[row - 1] ?? 0, starts[row] ?? content.length));
    if (parts.every((part, at) => holds(part, rows[at]?.cells ?? []))) return Buffer.concat(parts);
  }
  return undefined;
}

/** Offsets of records: with `quoted`, a line end between quotes belongs to its record. */
function lineStarts(content: Buffer, quoted: boolean): readonly number[] {
  const starts = [0];
  let isInside = false;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === QUOTE && quoted) isInside = !isInside;
    if (content[at] === LINE_FEED && !isInside) starts.push(at + 1);
  }
  return starts;
}

/** Each cell of ASCII is in the row: enough to find a wrong row, in each encoding that is based on ASCII. */
function holds(part: Buffer, cells: readonly string[]): boolean {
  const text = part.toString('latin1');
  const plain = cells.filter((cell) => /^[\x20-\x7e]+$/.test(cell));
  return plain.length > 0 && plain.every((cell) => text.includes(cell) || text.includes(cell.replaceAll('"', '""')));
}
