/**
 * Lines kept for a second pass: few in memory, many in a temporary file, so that memory stays bounded. Errors of the
 * file system are thrown as they are.
 */
import { type FileHandle, open, unlink } from 'node:fs/promises';

/** Write with `add`, then read once, then dispose: disposal removes the temporary file. */
export class SpillBuffer implements AsyncDisposable {
  readonly #path: string;
  readonly #most: number;
  #lines: string[] = [];
  #length = 0;
  #file: FileHandle | undefined;

  /** The file at `path` is made only if the lines have more than `most` characters together. */
  constructor(path: string, most = 1024 * 1024) {
    this.#path = path;
    this.#most = most;
  }

  /** Appends text as it is: the caller adds line ends. */
  async add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length > this.#most) await this.#flush();
  }

  /** All text in its order, in pieces of any size; call it after the last `add`. */
  async *read(): AsyncIterable<string> {
    if (this.#file) {
      await this.#flush();
      yield* this.#file.createReadStream({ start: 0, autoClose: false, encoding: 'utf8', highWaterMark: 256 * 1024 });
    } else {
      yield this.#lines.join('');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    if (this.#file) await unlink(this.#path).catch(() => undefined);
  }

  async #flush(): Promise<void> {
    this.#file ??= await open(this.#path, 'wx+', 0o600);
    await this.#file.writeFile(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
  }
}
