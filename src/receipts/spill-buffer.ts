/** Lines kept for a second reading: a few in memory, many in a temporary file, so that memory stays bounded. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';

export class SpillBuffer implements AsyncDisposable {
  readonly #path: string;
  readonly #most: number;
  #lines: string[] = [];
  #length = 0;
  #file: FileHandle | undefined;

  /** `path` is only made when more than `most` characters come together. */
  constructor(path: string, most = 1024 * 1024) {
    this.#path = path;
    this.#most = most;
  }

  async add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length > this.#most) await this.#flush();
  }

  /** In pieces, after the last `add`. */
  async *read(): AsyncIterable<string> {
    if (this.#file) {
      await this.#flush();
      yield* createReadStream(this.#path, { encoding: 'utf8', highWaterMark: 256 * 1024 });
    } else {
      yield this.#lines.join('');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    if (this.#file) await unlink(this.#path);
  }

  async #flush(): Promise<void> {
    this.#file ??= await open(this.#path, 'w', 0o600);
    await this.#file.writeFile(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
  }
}
