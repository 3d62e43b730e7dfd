/** Two files of documents compared line by line, numbers by value: 12.5 and 12.50 are the same, 12.51 is not. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { type Measurement, timed } from './result.ts';

/** `out` and `extra` name the files; the count is that of the equal documents. */
export const sameDocuments: Measurement = ({ out, extra }) =>
  timed(async () => {
    const others = linesOf(extra!);
    let equal = 0;
    for await (const line of linesOf(out)) {
      const { value } = await others.next();
      if (line === value || (value !== undefined && isDeepStrictEqual(JSON.parse(line), JSON.parse(value)))) equal++;
    }
    return equal;
  });

function linesOf(path: string): AsyncIterator<string, undefined> & AsyncIterable<string> {
  return createInterface({ input: createReadStream(path) })[Symbol.asyncIterator]() as ReturnType<typeof linesOf>;
}
