/**
 * Bytes that wait for more of them, in one block of memory that is used again: a new one for each step of a file is
 * outside of the heap, where it is cleaned up late.
 */

export type HeldBytes = {
  /** What is held with `more` after it, until the next call of anything. */
  readonly append: (more: Uint8Array) => Buffer;
  /** Of what `append` gave, only these are held on. */
  readonly keep: (from: number, to: number) => void;
  readonly all: () => Buffer;
};

const FIRST_SIZE = 64 * 1024;

export function createByteBuffer(): HeldBytes {
  let block = Buffer.allocUnsafeSlow(FIRST_SIZE);
  let length = 0;
  const all = () => block.subarray(0, length);
  const append = (more: Uint8Array) => {
    if (length + more.length > block.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (length + more.length));
      larger.set(all());
      block = larger;
    }
    block.set(more, length);
    length += more.length;
    return all();
  };
  const keep = (from: number, to: number) => {
    block.copyWithin(0, from, to);
    length = to - from;
  };
  return { append, keep, all };
}
