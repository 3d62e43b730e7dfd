/** An XML export to rows and no further: what reading costs without what is made of the rows. */
import { createReadStream } from 'node:fs';
import type { Reader } from '../src/readers/reader.ts';
import { benchMapping } from './converting.ts';
import { exportFile } from './exports.ts';
import { type Measurement, timed } from './result.ts';

export const readXml =
  (reader: Reader): Measurement =>
  ({ size }) => {
    const path = exportFile('xml', size);
    const source = benchMapping('xml').source.options;
    return timed(async () => {
      const numbers = new Set<string>();
      for await (const { rows } of reader.read(createReadStream(path), { file: 'bench.xml', source })) {
        for (const { cells } of rows) numbers.add(cells[0]!);
      }
      if (numbers.size !== size) throw new Error(`${numbers.size} of ${size} invoices were read`);
      return size;
    });
  };
