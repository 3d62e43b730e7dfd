/**
 * One fault per cause: the faults of a mapping file without those that only follow from another one of them.
 *
 * A column without a declared type is a text wherever it is used: one fault reports it, and so does one for a misspelt name.
 */
import type { Message } from '../i18n/message.ts';
import { HEADER, SOURCE_COLUMNS, SUGGESTIONS } from '../i18n/messages/mapping-messages.ts';
import { type Fault, isError, MESSAGE, withMessage } from '../model/fault.ts';
import { suggest } from '../text/suggest.ts';
import { columnSyntax } from './runtime/column-name.ts';

/** The columns that a mapping names, to find the one that a misspelt name means. */
export type ColumnNames = {
  /** Calculated columns. */
  readonly calculated: readonly string[];
  /** Columns with a type under `source`. */
  readonly declared: readonly string[];
  /** The key of these types: `types` in a format whose `columns` are positions or paths. */
  readonly key: 'columns' | 'types';
};

/** Hints that are the same for every use of a column: one fault with such a hint is enough. */
const COLUMN_HINTS = new Set([SOURCE_COLUMNS.calculatedNumber.id, SOURCE_COLUMNS.calculatedDate.id]);

/**
 * Keeps the order. Left out are the same hint for a column after its first error, and what follows from an error reported
 * elsewhere; hints of columns get the key of this format or a near name.
 */
export function onePerCause(faults: readonly Fault[], names: ColumnNames): readonly Fault[] {
  const hasErrors = faults.some(isError);
  const unknown = faults.flatMap((fault) => messageValue(fault[MESSAGE]?.message, HEADER.noColumn, 'name') ?? []);
  const hasColumnTwice = faults.some(({ code }) => code === 'map/column-twice');
  const reported = new Set<string>();
  return faults.flatMap((fault) => {
    const { code } = fault;
    const phrases = fault[MESSAGE];
    const column = messageValue(phrases?.hint, SOURCE_COLUMNS.declare, 'column');
    if (column !== undefined && unknown.includes(column)) return [];
    // A calculated column that has the name of its source reads itself.
    if (code === 'map/cycle' && hasColumnTwice) return [];
    // Another error may be why no value uses the table.
    if (code === 'map/unused-table' && hasErrors) return [];
    if (!phrases?.hint) return [fault];
    const hint = column === undefined ? phrases.hint : declarationHint(phrases.hint, column, names);
    if (isError(fault) && (column !== undefined || isOfColumn(hint) || code === 'map/no-date-pattern')) {
      const cause = JSON.stringify(hint);
      if (reported.has(cause)) return [];
      reported.add(cause);
    }
    return [hint === phrases.hint ? fault : { ...fault, ...withMessage(phrases.message, hint) }];
  });
}

/** A value of a message, where it is the one that `maker` makes. */
function messageValue(message: Message | undefined, maker: { readonly id: string }, name: string): string | undefined {
  const value = message?.id === maker.id ? message.values?.[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function isOfColumn({ id }: Message): boolean {
  return id !== undefined && COLUMN_HINTS.has(id);
}

/** `hint` says to declare the column: under the key of this format, unless it is calculated or perhaps misspelt. */
function declarationHint(hint: Message, column: string, { calculated, declared, key }: ColumnNames): Message {
  const type = messageValue(hint, SOURCE_COLUMNS.declare, 'type') ?? '';
  if (calculated.includes(column)) {
    return type === 'date' ? SOURCE_COLUMNS.calculatedDate({ column }) : SOURCE_COLUMNS.calculatedNumber({ column });
  }
  const otherwise = SOURCE_COLUMNS.declare({ key, column, type });
  const near = declared.includes(column) ? undefined : suggest(column, [...calculated, ...declared]);
  return near === undefined ? otherwise : SUGGESTIONS.meantOr({ column: columnSyntax(near), otherwise });
}
