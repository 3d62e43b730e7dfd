/**
 * The contract of an input format: bytes come in, batches of rows with their origin come out. Damage to a row is a
 * fault in the row; damage to the file is an UnreadableFileError.
 */
import type { z } from 'zod';
import type { Language } from '../i18n/message.ts';
import { type DataFault, type Fault, localize, truncateFault } from '../model/fault.ts';
import type { Batch } from '../model/row.ts';

/**
 * How to read one file. The reader gets all that it knows from here: it has no clock, no environment and no settings.
 */
export type ReadOptions = {
  /** Name of the source file without folder, for origins and messages. */
  readonly file: string;
  /** The format's own part of a mapping's `source` block, parsed by `Reader.options`. */
  readonly source: unknown;
  /** Bytes of one step, 32 KiB by default: about 2 ms of work, so that nothing else waits long. */
  readonly chunkBytes?: number;
  /**
   * For readers that hold a document until it ends: past these bounds its rows come out as too many to keep
   * (`Row.cut`).
   */
  readonly bounds?: RecordBounds;
};

/**
 * The most rows and UTF-16 units that one document may have. `key`: the columns that documents differ by, if the file
 * has them as columns; `row` if each row is a document.
 */
export type RecordBounds = {
  readonly rows: number;
  readonly characters: number;
  readonly key: readonly string[] | 'row' | undefined;
};

/** One input format, as `READERS` in src/catalogue.ts lists it. Each reader passes test/contracts/reader.ts. */
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

/** The whole file is refused: no document is made of any of its rows. `faults` say where and what to do. */
export class UnreadableFileError extends Error {
  readonly faults: readonly Fault[];
  readonly #all: readonly DataFault[];

  constructor(faults: readonly DataFault[], language?: Language) {
    super(faults.map((fault) => truncateFault(fault).message).join('; '));
    this.name = 'Unreadable';
    this.faults = language === undefined ? faults.map(truncateFault) : localize(faults, language);
    this.#all = faults;
  }

  /** A copy of this error with its faults in the language of the reader of the message. */
  in(language: Language): UnreadableFileError {
    return new UnreadableFileError(this.#all, language);
  }
}
