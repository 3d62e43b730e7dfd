/** What a mapping is loaded against: the document kinds, the readers, the files next to it. */
import type { z } from 'zod';
import type { Schema } from '../model/document.ts';

/** What a mapping may name: document kinds, formats with the shape of their part of `source`, files of tables. */
export type MappingWorld = {
  readonly targets: readonly Target[];
  readonly formats: ReadonlyMap<string, z.ZodType>;
  /** Text of a file by its path below the instance folder, never outside; undefined where there is none. */
  readonly readText: (path: string) => string | undefined;
};

export type Target = {
  readonly name: string;
  readonly classes: readonly string[];
  readonly schema: Schema;
  readonly acceptsFile: boolean;
};

/** `path` below the instance folder. */
export type MappingPart = { readonly path: string; readonly text: string };
