/**
 * TEXT, and functions on the source file: its name, its parts and its content as Base64. Faults: `map/wrong-kind` where
 * TEXT cannot write the value.
 */
import { FUNCTION_ARGUMENTS, KINDS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import {
  type Argument,
  type ArgumentRefusal,
  builtFunction,
  type FunctionEntry,
  fail,
  plainFunction,
} from '../runtime/function-definition.ts';
import type { ReadValue } from '../runtime/value.ts';
import { compileDateWriter } from '../source/date-pattern.ts';
import { compileNumberPattern } from '../source/number-pattern.ts';

/** The manual of each function is its entry; its examples run as tests. */
export const FILE_FUNCTIONS: readonly FunctionEntry[] = [
  builtFunction({
    name: 'TEXT',
    syntax: 'TEXT(number or date, "pattern")',
    sentence: 'A number or date written as the pattern says.',
    examples: [
      { formula: 'TEXT(1234.5, "0.00")', gives: '1234.50' },
      { formula: 'TEXT(1234.5, "#,##0.00")', gives: '1,234.50' },
      { formula: 'TEXT(1234.5; "# ##0,00")', gives: '1 234,50' },
      { formula: 'TEXT(412, "000000")', gives: '000412' },
      { formula: 'TEXT(2.5, "0.##")', gives: '2.5' },
      { formula: 'TEXT("2026-09-05", "dd/MM/yyyy")', gives: '05/09/2026' },
    ],
    takes: ['any', 'text'],
    gives: 'text',
    build: writing,
  }),
  plainFunction({
    name: 'FILE-NAME',
    asks: 'file',
    syntax: 'FILE-NAME()',
    sentence: 'The name of the source file, without folder.',
    examples: [{ formula: 'FILE-NAME()', gives: 'FAC_0905.csv' }],
    takes: [],
    gives: 'text',
    apply: (_none, context) => context.facts.file.name,
  }),
  plainFunction({
    name: 'FILE-STEM',
    asks: 'file',
    syntax: 'FILE-STEM()',
    sentence: 'The name of the source file without its extension.',
    examples: [{ formula: 'FILE-STEM()', gives: 'FAC_0905' }],
    takes: [],
    gives: 'text',
    apply: (_none, context) => splitName(context.facts.file.name).stem,
  }),
  plainFunction({
    name: 'FILE-EXTENSION',
    asks: 'file',
    syntax: 'FILE-EXTENSION()',
    sentence: 'The extension of the source file, without its dot.',
    examples: [{ formula: 'FILE-EXTENSION()', gives: 'csv' }],
    takes: [],
    gives: 'text',
    apply: (_none, context) => splitName(context.facts.file.name).extension,
  }),
  plainFunction({
    name: 'FILE-CONTENT',
    syntax: 'FILE-CONTENT()',
    sentence: 'The source file itself, as Base64 text.',
    examples: [{ formula: 'FILE-CONTENT()', gives: 'TnVtRmFjO0RhdGVGYWMK' }],
    takes: [],
    gives: 'text',
    apply: (_none, context) => context.facts.file.base64(),
  }),
];

/** Stem and extension at the last dot; a leading dot begins a name, not an extension. */
function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
}

/** TEXT: one pattern may fit numbers, dates or both, and the kind of the value decides where it is known. */
function writing([given, { literal: pattern }]: readonly [Argument, Argument]): ReadValue | ArgumentRefusal {
  const { kind, literal, read, source } = given;
  const isDate = kind === 'date' || (typeof literal === 'string' && isIsoDate(literal));
  if (kind === 'boolean' || (kind === 'text' && !isDate)) {
    return { argument: 0, message: FUNCTION_ARGUMENTS.textOfText({ source }), hint: FUNCTION_ARGUMENTS.readText() };
  }
  if (typeof pattern !== 'string') return { argument: 1, message: FUNCTION_ARGUMENTS.fixedPattern() };
  const numbers = compileNumberPattern(pattern);
  const dates = compileDateWriter(pattern);
  if (kind === 'number' && !numbers) {
    const message = FUNCTION_ARGUMENTS.notNumberPattern({ pattern });
    return { argument: 1, message, hint: FUNCTION_ARGUMENTS.numberPatternExample() };
  }
  // A pattern that fits neither kind is refused with the problem of the date pattern.
  if (typeof dates !== 'function' && (isDate || !numbers)) return { argument: 1, ...dates };
  return (context) => {
    const value = read(context);
    if (value instanceof Decimal && numbers) return numbers(value);
    if (typeof value === 'symbol' || value === '') return value;
    if (typeof value === 'string' && typeof dates === 'function' && isIsoDate(value)) return dates(value);
    const given = String(value);
    return fail(context, { code: 'map/wrong-kind', ...withMessage(KINDS.notWritten({ given, pattern })), given });
  };
}
