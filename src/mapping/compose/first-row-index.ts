/**
 * A key of a file in, the row where it appeared first out: exact, in about 40 bytes a key, because a file of 2 GB has
 * millions. Keys are stored as UTF-8 in chunks, an open hash table holds their places. A Map of strings would take four
 * times as much, and slices among them would keep the text of the whole file in memory.
 */

import { must } from '../../model/must.ts';

/** `row` is the number of a row in the file, below 2^32. */
export type FirstRows = {
  readonly get: (key: string) => number | undefined;
  /** For a key that is not there yet. */
  readonly add: (key: string, row: number) => void;
};

/** Bytes before each key: hash, row and length, four bytes each. */
const HEAD = 12;
/** Bytes that are allocated at once. */
const CHUNK = 1024 * 1024;
/** Bytes of a key; longer ones are rare and are kept in a Map. */
const LONGEST = 4096;

/** Memory is freed with the index; the table doubles when it is half full. */
export function openFirstRows(): FirstRows {
  const chunks: Buffer[] = [];
  const scratch = Buffer.alloc(LONGEST);
  const long = new Map<string, number>();
  /** The last one, where keys are added; `used` counts its bytes that have keys. */
  let chunk = Buffer.alloc(0);
  let used = CHUNK;
  let count = 0;
  let table = new Uint32Array(1024);

  /** The key in `scratch`: `get` comes before `add` with the same key, which is then encoded once. */
  let written: string | undefined;
  let length = 0;
  let hash = 0;
  const write = (key: string) => {
    if (key === written) return;
    length = scratch.write(key);
    hash = hashOf(scratch, length);
    written = key;
  };

  /** Slot of the key, or the free slot where it belongs. */
  const slotOf = (hash: number, length: number): number => {
    for (let slot = hash & (table.length - 1); ; slot = (slot + 1) & (table.length - 1)) {
      const place = table[slot];
      if (!place || isKey(place, hash, length)) return slot;
    }
  };
  const isKey = (place: number, hash: number, length: number): boolean => {
    const { chunk, at } = placeOf(chunks, place);
    if (chunk.readUInt32LE(at) !== hash || chunk.readUInt32LE(at + 8) !== length) return false;
    return chunk.compare(scratch, 0, length, at + HEAD, at + HEAD + length) === 0;
  };
  const grow = () => {
    const before = table;
    table = new Uint32Array(before.length * 2);
    for (const place of before) {
      if (place === 0) continue;
      const { chunk, at } = placeOf(chunks, place);
      let slot = chunk.readUInt32LE(at) & (table.length - 1);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = place;
    }
  };
  return {
    get: (key) => {
      if (key.length * 3 > LONGEST) return long.get(key);
      write(key);
      const place = table[slotOf(hash, length)];
      if (!place) return undefined;
      const { chunk, at } = placeOf(chunks, place);
      return chunk.readUInt32LE(at + 4);
    },
    add: (key, row) => {
      // A copy: the key may be a slice of the text of the file.
      if (key.length * 3 > LONGEST) return void long.set(Buffer.from(key).toString(), row);
      write(key);
      if (++count * 2 > table.length) grow();
      if (used + HEAD + length > CHUNK) {
        chunk = Buffer.alloc(CHUNK);
        chunks.push(chunk);
        used = 0;
      }
      chunk.writeUInt32LE(hash, used);
      chunk.writeUInt32LE(row, used + 4);
      chunk.writeUInt32LE(length, used + 8);
      scratch.copy(chunk, used + HEAD, 0, length);
      // 0 means "free", so places are counted from 1; each begins on a multiple of four to reach 16 GiB.
      table[slotOf(hash, length)] = ((chunks.length - 1) * CHUNK + used) / 4 + 1;
      used += (HEAD + length + 3) & ~3;
    },
  };
}

/** Chunk and offset of a place of the table, which counts units of four bytes from 1. */
function placeOf(chunks: readonly Buffer[], place: number): { readonly chunk: Buffer; readonly at: number } {
  const offset = (place - 1) * 4;
  return { chunk: must(chunks[Math.floor(offset / CHUNK)], 'the chunk of a key'), at: offset % CHUNK };
}

/** FNV-1a, 32 bit. */
function hashOf(bytes: Buffer, length: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash >>> 0;
}
