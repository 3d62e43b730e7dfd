/**
 * Bytes that wait for more of them, in one block of memory that is used again: a new block for each step of a file
 * would be outside of the heap, where the garbage collector frees it late. Bytes in, bytes out; nothing throws.
 */

/** The buffers that it returns are views of the block: they are valid until the next call. */
export type HeldBytes = {
  /** All held bytes with `more` after them. */
  readonly append: (more: Uint8Array) => Buffer;
  /** Holds only the bytes from `from` to before `to` of the last result of `append`. */
  readonly keep: (from: number, to: number) => void;
  readonly all: () => Buffer;
};

const FIRST_SIZE = 64 * 1024;

/** The block grows to twice the bytes needed and never shrinks: its size follows the longest record of the file. */
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
