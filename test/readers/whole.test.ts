import { describe, expect, it } from 'vitest';
import { wholeFileReader } from '../../src/readers/whole-file.ts';
import { readerContract } from '../contracts/reader.ts';
import { readAll } from './make.ts';

readerContract({
  reader: wholeFileReader,
  source: { 'max-bytes': 100 },
  good: Buffer.from('%PDF-1.7 \0\xff'),
  rows: 1,
  refused: [Buffer.alloc(101)],
  // Any bytes are a file: only its claim can tell that it is not complete.
  noticesCuts: false,
});

describe('format file', () => {
  it('is one row without columns', async () => {
    const outcome = await readAll(wholeFileReader, Buffer.alloc(20 * 1024 * 1024), undefined);
    expect(outcome).toMatchObject({
      table: { file: 'test.dat', columns: [] },
      rows: [{ cells: [], row: 1 }],
      refused: [],
    });
  });

  it('stops reading at the limit, 20 MiB by default', async () => {
    let given = 0;
    const endless = async function* () {
      for (;;) {
        given++;
        yield Buffer.alloc(1024 * 1024);
      }
    };
    const { refused } = await readAll(wholeFileReader, endless(), {});
    expect(refused).toMatchObject([{ code: 'file/too-large' }]);
    expect(given).toBe(21);
  });

  it('refuses an empty file', async () => {
    expect((await readAll(wholeFileReader, '', {})).refused).toMatchObject([{ code: 'file/empty' }]);
  });
});
