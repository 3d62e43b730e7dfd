/** The surroundings that a mapping is loaded with: document kinds, formats, files of the instance. Types only. */
import type { z } from 'zod';
import type { Schema } from '../model/document.ts';
import type { TextPage } from '../text/text-page.ts';

/** What a mapping may name: document kinds, formats with the shape of their part of `source`, files of tables. */
export type MappingWorld = {
  readonly targets: readonly Target[];
  readonly formats: ReadonlyMap<string, z.ZodType>;
  /** Text of a file by its path below the instance folder, never outside; undefined where there is none. */
  readonly readText: (path: string) => string | undefined;
  /** It has made documents before: what was taken then is taken. */
  readonly isKept?: boolean;
  /** The characters of an encoding, for `answers`; undefined for an unknown one. Without it only UTF-8 is known. */
  readonly page?: (encoding: string) => TextPage | undefined;
};

/**
 * A document kind as a mapping sees it. `acceptsFile`: the document may be sent as a file, with `file` in place of
 * `output`.
 */
export type Target = {
  readonly name: string;
  readonly classes: readonly string[];
  readonly schema: Schema;
  readonly acceptsFile: boolean;
  /** JSON pointer of the day whose year distinguishes equal numbers. */
  readonly dateAt?: string;
};

/** A text that a mapping was made of; `path` is below the instance folder. */
export type MappingPart = { readonly path: string; readonly text: string };
