/**
 * One message per cause: what is found of a mapping file, without what only follows from something else in the list.
 *
 * A column that nobody declared is a text wherever it is used: one line says so. A name that is misspelt is told as that.
 */
import { type Fault, isError } from '../model/fault.ts';
import { suggest } from '../text/suggest.ts';

export type ColumnNames = {
  /** Calculated columns. */
  readonly calculated: readonly string[];
  /** Columns with a type under `source`. */
  readonly declared: readonly string[];
  /** Where these stand: `types` in a format whose `columns` are positions or paths. */
  readonly key: 'columns' | 'types';
};

/** The remedy for a column of the wrong kind; `type-check.ts` and `convert.ts` write it. */
const DECLARE = /^declare the column: source: columns: \{ (.+): (number|date) \}$/;
const WRITTEN = /source: columns: \{/;
const CALCULATE = /^let the calculated column .+ give a number$/;

export function oneCauseEach(faults: readonly Fault[], names: ColumnNames): readonly Fault[] {
  const anError = faults.some(isError);
  const unknown = faults.flatMap(({ code, message }) =>
    code === 'map/no-such-column' ? (/column "(.*)"$/.exec(message)?.[1] ?? []) : [],
  );
  const twice = faults.some(({ code }) => code === 'map/column-twice');
  const told = new Set<string>();
  return faults.flatMap((fault) => {
    const { code, hint = '' } = fault;
    const [, column, kind] = DECLARE.exec(hint) ?? [];
    if (column !== undefined && unknown.includes(column)) return [];
    // A calculated column that has the name of its source reads itself.
    if (code === 'map/cycle' && twice) return [];
    // What is wrong may be why nobody uses the table.
    if (code === 'map/unused-table' && anError) return [];
    const better = column === undefined ? hint : remedy(column, kind!, hint, names);
    const cause = column !== undefined || CALCULATE.test(hint) || code === 'map/no-date-pattern' ? better : undefined;
    if (cause !== undefined && told.has(cause)) return [];
    if (cause !== undefined) told.add(cause);
    const right = names.key === 'types' ? better.replace(WRITTEN, 'source: types: {') : better;
    return [right === hint ? fault : { ...fault, hint: right }];
  });
}

function remedy(column: string, kind: string, hint: string, { calculated, declared }: ColumnNames): string {
  if (calculated.includes(column)) return `let the calculated column ${column} give a ${kind}`;
  const near = declared.includes(column) ? undefined : suggest(column, [...calculated, ...declared]);
  return near === undefined ? hint : `did you mean $${near}? Else ${hint}`;
}
