/** The contract of an input format: bytes come in, batches of rows with their origin come out. */
import type { z } from 'zod';
import type { Language } from '../i18n/message.ts';
import { type DataFault, type Fault, localize, truncateFault } from '../model/fault.ts';
import type { Batch } from '../model/row.ts';

export type ReadOptions = {
  /** Name of the source file without folder, for origins and messages. */
  readonly file: string;
  /** The format's own part of a mapping's `source` block, parsed by `Reader.options`. */
  readonly source: unknown;
  /** Bytes of one step, 32 KiB by default: about 2 ms of work, so that nothing else waits long. */
  readonly chunkBytes?: number;
  /** For readers that hold a document until it ends: past these its rows come out as too many to be kept (`Row.cut`). */
  readonly bounds?: RecordBounds;
};

/** What one document may have; `key`: the columns that documents differ by, where they are columns of the file. */
export type RecordBounds = {
  readonly rows: number;
  readonly characters: number;
  readonly key: readonly string[] | 'row' | undefined;
};

export type Reader = {
  readonly format: string;
  /** Shape of the format's part of a mapping's `source` block; strict, with defaults. */
  readonly options: z.ZodType;
  /**
   * Reads a file to its end in constant memory. Ends with an exception of class Unreadable where the file as a whole
   * cannot be trusted (encoding, structure, limits): then no document may be made of any of its rows.
   * Row-wise damage (wrong number of cells) comes as `Row.broken`, and the reading goes on.
   */
  readonly read: (bytes: AsyncIterable<Uint8Array>, options: ReadOptions) => AsyncIterable<Batch>;
};

/** The whole file is refused; `faults` say where and what to do. */
export class UnreadableFileError extends Error {
  readonly faults: readonly Fault[];
  readonly #all: readonly DataFault[];

  constructor(faults: readonly DataFault[], language?: Language) {
    super(faults.map((fault) => truncateFault(fault).message).join('; '));
    this.name = 'Unreadable';
    this.faults = language === undefined ? faults.map(truncateFault) : localize(faults, language);
    this.#all = faults;
  }

  /** The same, said in the language of who reads it. */
  in(language: Language): UnreadableFileError {
    return new UnreadableFileError(this.#all, language);
  }
}
