/** What every reader must keep, whatever its format: run by the test file of each one. */
import { describe, expect, it } from 'vitest';
import { type Reader, UnreadableFileError } from '../../src/readers/reader.ts';
import { chunksOf, readAll } from '../readers/make.ts';

export type ReaderSample = {
  readonly reader: Reader;
  /** The format's part of a `source` block. */
  readonly source: unknown;
  /** A good file with the number of rows it holds. */
  readonly good: Uint8Array;
  readonly rows: number;
  /** Files that must be refused as a whole; the empty file is tried in any case. */
  readonly refused: readonly Uint8Array[];
  /** The cut bytes of a file are refused at any place; false for formats that cannot tell. */
  readonly noticesCuts: boolean;
};

export function readerContract(sample: ReaderSample): void {
  const { reader, source, good } = sample;

  describe(`reader contract: ${reader.format}`, () => {
    it('reads the good file whole, each row once, in order', async () => {
      const outcome = await readAll(reader, good, source);
      expect(outcome.refused).toEqual([]);
      expect(outcome.rows).toHaveLength(sample.rows);
      expect(outcome.rows.filter((row) => row.broken)).toEqual([]);
      const numbers = outcome.rows.map((row) => row.row);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    });

    it('gives as many cells as columns, and one table for the file', async () => {
      const tables = new Set<unknown>();
      for await (const batch of reader.read(chunksOf(good, 7), { file: 'a.dat', source })) {
        tables.add(batch.table);
        expect(batch.table.file).toBe('a.dat');
        for (const row of batch.rows) expect(row.cells).toHaveLength(batch.table.columns.length);
      }
      expect(tables.size).toBe(1);
    });

    it.each([1, 2, 3, 7, 64, 1024, 1 << 20])('reads the same in chunks of %i bytes', async (chunk) => {
      const whole = await readAll(reader, good, source);
      const { batches: _, ...split } = await readAll(reader, good, source, { chunk });
      expect(split).toEqual({ ...split, rows: whole.rows, leftOut: whole.leftOut, encoding: whole.encoding });
      const { batches: __, ...stepped } = await readAll(reader, good, source, { chunkBytes: chunk });
      expect(stepped).toEqual(split);
    });

    it('refuses a file without any byte', async () => {
      expect((await readAll(reader, new Uint8Array(), source)).refused).toHaveLength(1);
    });

    it('refuses damaged files with a code, a place and advice, in one piece and byte by byte', async () => {
      for (const bytes of sample.refused) {
        for (const chunk of [1, 1 << 20]) {
          const { refused } = await readAll(reader, bytes, source, { chunk });
          expect(refused.length).toBeGreaterThan(0);
          for (const fault of refused) {
            expect(fault).toMatchObject({ level: 'error', origin: { file: 'test.dat' } });
            expect(fault.code).toMatch(/^[a-z]+\/[a-z-]+$/);
            expect(fault.hint).toBeTruthy();
          }
        }
      }
    });

    // Of the others test/corpora/cuts.test.ts says what becomes of a file that was cut.
    if (sample.noticesCuts) {
      it('refuses the file cut at any byte', async () => {
        for (let length = 0; length < good.length; length++) {
          const { refused } = await readAll(reader, good.subarray(0, length), source);
          expect(refused.length, `cut at ${length}`).toBeGreaterThan(0);
        }
      });
    }

    it('passes an error of the source on as it is', async () => {
      const broken = async function* () {
        yield good.subarray(0, 10);
        throw new Error('disk');
      };
      await expect(readAll(reader, broken(), source)).rejects.toThrow('disk');
    });

    it('closes its source when the consumer stops early', async () => {
      let closed = false;
      const bytes = async function* () {
        try {
          yield* chunksOf(good, 16);
        } finally {
          closed = true;
        }
      };
      for await (const _batch of reader.read(bytes(), { file: 'a.dat', source })) break;
      expect(closed).toBe(true);
    });

    it('refuses a setting it does not know', () => {
      expect(reader.options.safeParse({ ...(source as object), 'no-such-setting': 1 }).success).toBe(false);
      expect(new UnreadableFileError([])).toBeInstanceOf(Error);
    });
  });
}
