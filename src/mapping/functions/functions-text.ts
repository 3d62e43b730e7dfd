/**
 * Functions on texts. Lengths count characters as people do, not code units, so that an emoji or a rare letter is never
 * cut in half. Faults: `map/wrong-argument`, `map/text-too-long`.
 */
import { RE2JS } from 're2js';
import { ARGUMENTS, FUNCTION_ARGUMENTS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import {
  type Argument,
  type ArgumentRefusal,
  argumentText,
  builtFunction,
  countOf,
  type FunctionEntry,
  fail,
  plainFunction,
  textTooLong,
} from '../runtime/function-definition.ts';
import { type Context, FAILED, type ReadValue, type Value } from '../runtime/value.ts';

/** Longest text that PAD-LEFT makes. */
const MAX_PAD = 1000;

/** The manual of each function is its entry; its examples run as tests. */
export const TEXT_FUNCTIONS: readonly FunctionEntry[] = [
  plainFunction({
    name: 'LEFT',
    syntax: 'LEFT(text, count)',
    sentence: 'The first characters of a text.',
    examples: [{ formula: 'LEFT("F2026-00412", 5)', gives: 'F2026' }],
    takes: ['text', 'number'],
    gives: 'text',
    apply: ([text, count], context) =>
      part(context, count, (length) => (text.length <= length ? text : [...text].slice(0, length).join(''))),
  }),
  plainFunction({
    name: 'RIGHT',
    syntax: 'RIGHT(text, count)',
    sentence: 'The last characters of a text.',
    examples: [
      { formula: 'RIGHT("F2026-00412", 5)', gives: '00412' },
      { formula: 'RIGHT("AB", 0)', gives: '' },
    ],
    takes: ['text', 'number'],
    gives: 'text',
    apply: ([text, count], context) =>
      part(context, count, (length) => [...text].slice(Math.max(0, [...text].length - length)).join('')),
  }),
  plainFunction({
    name: 'MID',
    syntax: 'MID(text, start, count)',
    sentence: 'Characters from the middle of a text; the first character is number 1.',
    examples: [{ formula: 'MID("F2026-00412", 2, 4)', gives: '2026' }],
    takes: ['text', 'number', 'number'],
    gives: 'text',
    apply: ([text, start, count], context) => {
      const from = wholeNumber(context, start, 1);
      return part(context, count, (length) =>
        from === FAILED ? FAILED : [...text].slice(from - 1, from - 1 + length).join(''),
      );
    },
  }),
  plainFunction({
    name: 'LEN',
    syntax: 'LEN(text)',
    sentence: 'How many characters a text has.',
    examples: [{ formula: 'LEN("Élan")', gives: '4' }],
    takes: ['text'],
    gives: 'number',
    apply: ([text]) => Decimal.from([...text].length),
  }),
  plainFunction({
    name: 'TRIM',
    syntax: 'TRIM(text)',
    sentence: 'The text without blanks at its ends, and with single blanks inside.',
    examples: [{ formula: 'TRIM("  rue   de la  Paix ")', gives: 'rue de la Paix' }],
    takes: ['text'],
    gives: 'text',
    apply: ([text]) => text.trim().replace(/\s+/g, ' '),
  }),
  plainFunction({
    name: 'UPPER',
    syntax: 'UPPER(text)',
    sentence: 'The text in capitals, accents kept.',
    examples: [{ formula: 'UPPER("Société Élan")', gives: 'SOCIÉTÉ ÉLAN' }],
    takes: ['text'],
    gives: 'text',
    apply: ([text]) => text.toUpperCase(),
  }),
  plainFunction({
    name: 'LOWER',
    syntax: 'LOWER(text)',
    sentence: 'The text in small letters.',
    examples: [{ formula: 'LOWER("Société ÉLAN")', gives: 'société élan' }],
    takes: ['text'],
    gives: 'text',
    apply: ([text]) => text.toLowerCase(),
  }),
  plainFunction({
    name: 'PROPER',
    syntax: 'PROPER(text)',
    sentence: 'Each word with a capital first and small letters after.',
    examples: [{ formula: 'PROPER("BOURG-EN-BRESSE")', gives: 'Bourg-En-Bresse' }],
    takes: ['text'],
    gives: 'text',
    apply: ([text]) =>
      text.toLowerCase().replace(/\p{L}[\p{L}\p{M}]*/gu, (word) => {
        const [first = '', ...rest] = word;
        return first.toUpperCase() + rest.join('');
      }),
  }),
  plainFunction({
    name: 'REPLACE',
    syntax: 'REPLACE(text, search, replacement)',
    sentence: 'Every occurrence of one text by another, capitals counting; SUBSTITUTE in a spreadsheet.',
    examples: [
      { formula: 'REPLACE("12.34.56", ".", "")', gives: '123456' },
      { formula: 'REPLACE("a-b", "-", " / ")', gives: 'a / b' },
    ],
    takes: ['text', 'text', 'text'],
    gives: 'text',
    apply: ([text, search, replacement], context) => {
      if (search === '') return text;
      const pieces = text.split(search);
      // The length is known before the text is made: REPLACE inside REPLACE could exhaust memory.
      const length = text.length + (pieces.length - 1) * (replacement.length - search.length);
      return textTooLong(context, length) ?? pieces.join(replacement);
    },
  }),
  plainFunction({
    name: 'CONCAT',
    syntax: 'CONCAT(value, ...)',
    sentence: 'The values one after the other as one text, as with &.',
    examples: [{ formula: 'CONCAT("F", 2026, "-", "00412")', gives: 'F2026-00412' }],
    takes: ['any*'],
    gives: 'text',
    apply: (values, context) => {
      const texts = (values as readonly Exclude<Value, typeof FAILED>[]).map(argumentText);
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      return textTooLong(context, length) ?? texts.join('');
    },
  }),
  plainFunction({
    name: 'PAD-LEFT',
    syntax: 'PAD-LEFT(text, length, character)',
    sentence:
      'Fills a text up on its left, with zeros unless the third argument gives another character; an empty text stays empty.',
    examples: [
      { formula: 'PAD-LEFT("6", 2)', gives: '06' },
      { formula: 'PAD-LEFT("AB", 4, "*")', gives: '**AB' },
      { formula: 'PAD-LEFT("12345", 3)', gives: '12345' },
    ],
    takes: ['text', 'number', 'text?'],
    gives: 'text',
    apply: ([text, count, filler = '0'], context) => {
      if (text === '') return '';
      if ([...filler].length !== 1) {
        return fail(context, {
          code: 'map/wrong-argument',
          ...withMessage(ARGUMENTS.filler({ filler })),
          given: filler,
        });
      }
      return part(
        context,
        count,
        (length) => filler.repeat(Math.max(0, Math.min(length, MAX_PAD) - [...text].length)) + text,
      );
    },
  }),
  plainFunction({
    name: 'DIGITS',
    syntax: 'DIGITS(text)',
    sentence: 'Only the digits of a text.',
    examples: [{ formula: 'DIGITS("FR 40 303-265 045")', gives: '40303265045' }],
    takes: ['text'],
    gives: 'text',
    apply: ([text]) => text.replace(/[^0-9]/g, ''),
  }),
  builtFunction({
    name: 'MATCHES',
    syntax: 'MATCHES(text, "pattern")',
    sentence:
      'TRUE when the whole text fits a regular expression (RE2: no look-around, no back-references). Put .* around it to search inside.',
    examples: [
      { formula: 'MATCHES("FR40303265045", "[A-Z]{2}[0-9]{11}")', gives: 'TRUE' },
      { formula: 'MATCHES("AV-17 bis", "AV-[0-9]+")', gives: 'FALSE' },
      { formula: 'MATCHES("avoir n. 17", ".*[0-9]+.*")', gives: 'TRUE' },
    ],
    takes: ['text', 'text'],
    gives: 'boolean',
    build: matching,
  }),
];

/** A part of a text by a count that must be whole and not negative. */
function part(context: Context, count: Decimal, cut: (length: number) => Value): Value {
  const length = wholeNumber(context, count, 0);
  return length === FAILED ? FAILED : cut(length);
}

/** `map/wrong-argument` for a fraction, or a number below `least`. */
function wholeNumber(context: Context, value: Decimal, least: number): number | typeof FAILED {
  const whole = countOf(value);
  if (whole >= least) return whole;
  const given = value.toText();
  return fail(context, { code: 'map/wrong-argument', ...withMessage(ARGUMENTS.position({ least, given })), given });
}

/** The pattern is a literal, so that it compiles once; RE2 matches any pattern in linear time. */
function matching([{ read }, { literal: pattern }]: readonly [Argument, Argument]): ReadValue | ArgumentRefusal {
  if (typeof pattern !== 'string') return { argument: 1, message: FUNCTION_ARGUMENTS.fixedPattern() };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '');
    const message = FUNCTION_ARGUMENTS.unreadablePattern({ pattern, why });
    return { argument: 1, message, hint: FUNCTION_ARGUMENTS.closePattern() };
  }
  return (context) => {
    const text = read(context);
    return typeof text === 'string' ? compiled.matches(text) : text;
  };
}
