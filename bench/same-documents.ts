/** Two files of documents compared line by line, numbers by value: 12.5 and 12.50 are the same, 12.51 is not. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

/** Throws at the first document that is not the same in both. */
export async function expectSameDocuments(path: string, other: string, size: number): Promise<void> {
  const others = linesOf(other);
  let count = 0;
  for await (const line of linesOf(path)) {
    const { value } = await others.next();
    count++;
    if (line === value || (value !== undefined && isDeepStrictEqual(JSON.parse(line), JSON.parse(value)))) continue;
    throw new Error(`document ${count} is not the same:\n${line}\n${value}`);
  }
  if (count !== size) throw new Error(`${count} of ${size} documents were made`);
}

function linesOf(path: string): AsyncIterator<string, undefined> & AsyncIterable<string> {
  return createInterface({ input: createReadStream(path) })[Symbol.asyncIterator]() as ReturnType<typeof linesOf>;
}
