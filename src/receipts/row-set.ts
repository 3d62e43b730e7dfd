/** Row numbers of a file, one bit each: ten million rows take little more than a megabyte. */

export class RowSet {
  #bits = new Uint8Array(128);
  #size = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = -1;

  get size(): number {
    return this.#size;
  }

  has(row: number): boolean {
    return ((this.#bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
  }

  /** False where the row was in already. */
  add(row: number): boolean {
    if (this.has(row)) return false;
    if (row >> 3 >= this.#bits.length) {
      const longer = new Uint8Array(Math.max(this.#bits.length * 2, (row >> 3) + 1));
      longer.set(this.#bits);
      this.#bits = longer;
    }
    this.#bits[row >> 3]! |= 1 << (row & 7);
    this.#size++;
    this.#first = Math.min(this.#first, row);
    this.#last = Math.max(this.#last, row);
    return true;
  }

  /** "2-14, 17" */
  toText(): string {
    return this.#runs((row) => this.has(row));
  }

  /** The rows between the first and the last that are not in. */
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
      runs.push(start === row - 1 ? String(start) : `${start}-${row - 1}`);
      start = -1;
    }
    return runs.join(', ');
  }
}

/** The rows of one document in the same notation. */
export function rowRanges(rows: readonly number[]): string {
  const sorted = [...new Set(rows)].sort((a, b) => a - b);
  const runs: string[] = [];
  for (let n = 0; n < sorted.length; ) {
    let end = n;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    runs.push(end === n ? String(sorted[n]) : `${sorted[n]}-${sorted[end]}`);
    n = end + 1;
  }
  return runs.join(', ');
}
