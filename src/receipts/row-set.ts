/**
 * Row numbers of one file as a set with one bit each: ten million rows take little more than a megabyte. Numbers go in,
 * counts and texts such as "2-14, 17" come out. Nothing here throws.
 */

/** A set of row numbers, 0 or greater. It only grows; its memory follows the highest number, not the count. */
export class RowSet {
  #bits = new Uint8Array(128);
  #size = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = -1;

  /** How many different rows were added. */
  get size(): number {
    return this.#size;
  }

  /** Whether the row was added. */
  has(row: number): boolean {
    return ((this.#bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }

  /** Adds a row; returns false if it is in the set already. */
  add(row: number): boolean {
    if (this.has(row)) return false;
    if (row >> 3 >= this.#bits.length) {
      const longer = new Uint8Array(Math.max(this.#bits.length * 2, (row >> 3) + 1));
      longer.set(this.#bits);
      this.#bits = longer;
    }
    this.#bits[row >> 3] = (this.#bits[row >> 3] ?? 0) | (1 << (row & 7));
    this.#size++;
    this.#first = Math.min(this.#first, row);
    this.#last = Math.max(this.#last, row);
    return true;
  }

  /** The rows as text: "2-14, 17". */
  toText(): string {
    return this.#runs((row) => this.has(row));
  }

  /** The rows between the first and the last that are missing, in the notation of `toText`; empty for an empty set. */
  gapsToText(): string {
    return this.#runs((row) => !this.has(row));
  }

  #runs(isIn: (row: number) => boolean): string {
    const runs: string[] = [];
    let start = -1;
    for (let row = this.#size === 0 ? 0 : this.#first; row <= this.#last + 1; row++) {
      const inside = row <= this.#last && isIn(row);
      if (inside && start < 0) start = row;
      if (inside || start < 0) continue;
      runs.push(rangeText(start, row - 1));
      start = -1;
    }
    return runs.join(', ');
  }
}

/** Row numbers in the same notation: "2-14, 17". */
export function rowRanges(rows: readonly number[]): string {
  const runs: { readonly first: number; last: number }[] = [];
  for (const row of rows.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && row <= run.last + 1) run.last = row;
    else runs.push({ first: row, last: row });
  }
  return runs.map(({ first, last }) => rangeText(first, last)).join(', ');
}

function rangeText(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}
