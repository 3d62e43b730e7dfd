/**
 * All functions that a formula can call. Each entry contains its own manual: syntax, a sentence, examples that run as
 * tests. Data only.
 */
import type { FunctionEntry } from '../runtime/function-definition.ts';
import { DATE_FUNCTIONS } from './functions-date.ts';
import { FILE_FUNCTIONS } from './functions-file.ts';
import { IDENTIFIER_FUNCTIONS } from './functions-identifiers.ts';
import { LOGIC_FUNCTIONS } from './functions-logic.ts';
import { NUMBER_FUNCTIONS } from './functions-number.ts';
import { ROW_FUNCTIONS } from './functions-rows.ts';
import { TEXT_FUNCTIONS } from './functions-text.ts';
import { UNIT_FUNCTIONS } from './functions-unit.ts';
import { WORD_FUNCTIONS } from './functions-words.ts';

const ENTRIES: readonly FunctionEntry[] = [
  ...NUMBER_FUNCTIONS,
  ...ROW_FUNCTIONS,
  ...LOGIC_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...DATE_FUNCTIONS,
  ...IDENTIFIER_FUNCTIONS,
  ...UNIT_FUNCTIONS,
  ...WORD_FUNCTIONS,
  ...FILE_FUNCTIONS,
];

/** By English name in capitals, in the order of the manual; other names are in localized-names.ts. */
export const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map(ENTRIES.map((entry) => [entry.name, entry]));
