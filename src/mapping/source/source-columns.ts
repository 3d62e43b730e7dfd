/**
 * The types that a mapping declares for its source columns: text, number or date, and how a cell becomes such a value.
 *
 * A column that is not listed is text, trimmed and otherwise verbatim: identifiers stay text for ever.
 */
import { DATE_PATTERNS, SOURCE_COLUMNS } from '../../i18n/messages/mapping-messages.ts';
import type { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { dictionary } from '../../text/dictionary.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { CURRENCY_SIGN, listOf, type MappingFile } from '../file/mapping-shape.ts';
import { type Diagnostics, suggestionFor } from '../runtime/diagnostics.ts';
import type { Kind, RunProblem } from '../runtime/value.ts';
import { compileTextGuard } from './identifier-damage.ts';
import { compileDateFormat } from './parse-date.ts';
import {
  compileImpliedDecimals,
  compileNumberFormat,
  compileXsdDecimal,
  type NumberFormat,
  type ReadNumber,
} from './parse-number.ts';

/** The type of a column, compiled: what a formula knows of it, and how its cells are read. */
export type ColumnType = {
  readonly kind: Kind;
  /** Makes a value of a trimmed cell that is not empty; undefined leaves the text as it is. */
  readonly convert: ((text: string) => string | Decimal | RunProblem) | undefined;
};

/** The type of a column that the mapping does not declare. */
export const TEXT_COLUMN: ColumnType = { kind: 'text', convert: undefined };

const BLANK_WORDS = dictionary<string>({
  space: ' ',
  blank: ' ',
  nbsp: '\u00a0',
  'narrow-nbsp': '\u202f',
  apostrophe: "'",
  dot: '.',
  comma: ',',
});
const WORDS = ['text', 'number', 'date', 'date-time'];
const TYPE_FORMS =
  'text, number, date, date-time, { text: siren }, { text: 5 digits }, { number: { decimal: "." } }, { number: { implied-decimals: 2 } }, { date: dd/MM/yyyy }';

type Formats = Pick<MappingFile['source'], 'numbers' | 'dates' | 'two-digit-years-until'>;

/**
 * Types by column name, from `source.columns` (or `source.types` where the format itself has `columns`), with the
 * replacements of `source.replace`.
 */
export function readColumnTypes(
  source: MappingFile['source'],
  key: 'columns' | 'types',
  findings: Diagnostics,
): ReadonlyMap<string, ColumnType> {
  const types = declaredTypes(source, key, findings);
  for (const [name, texts] of Object.entries(source.replace ?? {})) {
    types.set(name, replacing(types.get(name) ?? TEXT_COLUMN, new Map(Object.entries(texts))));
  }
  return types;
}

/** The type of a column some of whose cells are read as another text: what stays the same costs one look-up. */
function replacing({ kind, convert }: ColumnType, texts: ReadonlyMap<string, string>): ColumnType {
  const read = convert ?? ((text: string) => text);
  return { kind, convert: (text) => read(texts.get(text) ?? text) };
}

function declaredTypes(
  source: MappingFile['source'],
  key: 'columns' | 'types',
  findings: Diagnostics,
): Map<string, ColumnType> {
  const types = new Map<string, ColumnType>();
  const given = source[key];
  if (given === undefined) return types;
  const path = ['source', key];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    findings.add(path, {
      code: 'map/wrong-value',
      message: SOURCE_COLUMNS.notBlock({ key }),
      hint: SOURCE_COLUMNS.writeType({ types: TYPE_FORMS }),
    });
    return types;
  }
  for (const [name, type] of Object.entries(given)) {
    // A type that cannot be used is already reported: nothing follows from it.
    types.set(name, columnType(type, source, [...path, name], findings) ?? { kind: 'any', convert: undefined });
  }
  return types;
}

function columnType(type: unknown, formats: Formats, path: YamlPath, findings: Diagnostics): ColumnType | undefined {
  if (typeof type === 'string') return plainType(type, formats, path, findings);
  const [key, value] = soleEntry(type) ?? [];
  if (key === 'text' && typeof value === 'string') {
    const guard = compileTextGuard(value);
    if (guard) return { kind: 'text', convert: guard };
    findings.add([...path, key], {
      code: 'map/unknown-column-type',
      message: SOURCE_COLUMNS.notTextForm({ form: value }),
      hint: suggestionFor(value, ['siren', 'siret', 'vat', 'nit', 'dui'], () => SOURCE_COLUMNS.textForms()),
    });
    return undefined;
  }
  if (key === 'number' && isNumberFormat(value)) return numberType(value);
  const implied = key === 'number' ? impliedDecimals(value) : undefined;
  if (implied !== undefined) return { kind: 'number', convert: compileImpliedDecimals(implied) };
  if ((key === 'date' || key === 'date-time') && typeof value === 'string') {
    return dateType(value, formats, [...path, key], findings);
  }
  findings.add(path, {
    code: 'map/unknown-column-type',
    message: SOURCE_COLUMNS.notType(),
    hint: SOURCE_COLUMNS.writeType({ types: TYPE_FORMS }),
  });
  return undefined;
}

function plainType(type: string, formats: Formats, path: YamlPath, findings: Diagnostics): ColumnType | undefined {
  if (type === 'text') return TEXT_COLUMN;
  if (type === 'number') return numberType(formats.numbers ?? { decimal: '.' });
  if (type === 'date' || type === 'date-time') {
    if (formats.dates !== undefined) return dateType(formats.dates, formats, ['source', 'dates'], findings);
    findings.add(path, {
      code: 'map/no-date-pattern',
      message: SOURCE_COLUMNS.noDatePattern(),
      hint: SOURCE_COLUMNS.addDatePattern(),
    });
    return { kind: 'date', convert: undefined };
  }
  findings.add(path, {
    code: 'map/unknown-column-type',
    message: SOURCE_COLUMNS.notNamedType({ type }),
    hint: suggestionFor(type, WORDS, () => SOURCE_COLUMNS.writeType({ types: TYPE_FORMS })),
  });
  return undefined;
}

/** How the file writes its numbers; a column may have a format of its own. */
export function numberReader({ numbers }: Formats): ReadNumber {
  return numberType(numbers ?? { decimal: '.' }).convert as ReadNumber;
}

function numberType(format: NonNullable<Formats['numbers']>): ColumnType {
  if (format === 'xsd-decimal') return { kind: 'number', convert: compileXsdDecimal() };
  const thousands = listOf(format.thousands ?? []).map((word) => BLANK_WORDS.get(word) ?? word);
  return {
    kind: 'number',
    convert: compileNumberFormat({
      decimal: format.decimal,
      thousands,
      currencySign: format['currency-sign'],
    } satisfies NumberFormat),
  };
}

function dateType(pattern: string, formats: Formats, path: YamlPath, findings: Diagnostics): ColumnType {
  const until = formats['two-digit-years-until'];
  const compiled = compileDateFormat(pattern, definedOnly({ twoDigitYearsUntil: until }));
  if ('read' in compiled) return { kind: 'date', convert: compiled.read };
  const mark = findings.yaml.mark(path);
  const isReported = findings.faults.some(
    (fault) => fault.code === compiled.problem.code && fault.mark?.line === mark.line,
  );
  const short = /yy/.test(pattern) && !/yyyy/.test(pattern);
  const hint = short ? DATE_PATTERNS.fourDigitsInSource() : compiled.problem.hint;
  if (!isReported) findings.add(path, { ...compiled.problem, hint });
  return { kind: 'date', convert: undefined };
}

function soleEntry(value: unknown): [string, unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  return entries.length === 1 ? entries[0] : undefined;
}

function impliedDecimals(value: unknown): number | undefined {
  const [key, places] = soleEntry(value) ?? [];
  const fits = typeof places === 'number' && Number.isInteger(places) && places >= 1 && places <= 9;
  return key === 'implied-decimals' && fits ? places : undefined;
}

function isNumberFormat(value: unknown): value is NonNullable<Formats['numbers']> {
  if (value === 'xsd-decimal') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { decimal, thousands, 'currency-sign': sign, ...rest } = value as { readonly [key: string]: unknown };
  const words = [thousands ?? []].flat();
  return (
    (decimal === ',' || decimal === '.') &&
    words.every((word) => typeof word === 'string') &&
    (sign === undefined || (typeof sign === 'string' && CURRENCY_SIGN.test(sign))) &&
    Object.keys(rest).length === 0
  );
}
