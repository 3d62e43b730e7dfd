/**
 * Rows in, faults out: counts documents and rows, adds up columns, and compares them with the totals that the file
 * states. Every row counts, also one that `keep` leaves out: the ERP counted all that it wrote. A row that cannot be
 * counted (a broken one) makes the total uncheckable, and then the file is held.
 */

import { decimalText, type Message } from '../../i18n/message.ts';
import { CONTROLS, SOURCE_COLUMNS } from '../../i18n/messages/mapping-messages.ts';
import type { Control, FoundControl } from '../../model/control-total.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DataFault, type Fault, type Localizable, withMessage } from '../../model/fault.ts';
import { type Batch, originOf, type Row, type Table } from '../../model/row.ts';
import type { Loading } from '../expressions/expression-types.ts';
import type { MappingFile } from '../file/mapping-shape.ts';
import type { ColumnSlot } from '../runtime/composition.ts';
import type { Value } from '../runtime/value.ts';
import { compileImpliedDecimals, type ReadNumber } from '../source/parse-number.ts';
import { numberReader } from '../source/source-columns.ts';
import { isBlank } from './grouping-faults.ts';

/** One entry of `source.controls`: either `count` or `sum` is set. `read` parses the total that the file states. */
export type CompiledControl = {
  readonly says: Message;
  readonly count: 'documents' | 'rows' | undefined;
  readonly sum: { readonly slot: ColumnSlot; readonly once: 'document' | 'row' } | undefined;
  readonly read: ReadNumber;
};

/** `map/wrong-kind` where the column to add up is not a number. */
export function compileControls(source: MappingFile['source'], options: unknown, loading: Loading): CompiledControl[] {
  const { controls = [] } = (options ?? {}) as { readonly controls?: readonly Control[] };
  return controls.map((control, n) => {
    const { 'count-of': count, 'sum-of': name, 'once-per': once, 'implied-decimals': implied } = control;
    const read = implied === undefined ? numberReader(source) : compileImpliedDecimals(implied);
    if (name === undefined)
      return { says: count === 'rows' ? CONTROLS.rows() : CONTROLS.documents(), count, sum: undefined, read };
    const path = ['source', 'controls', n, 'sum-of'];
    const slot = loading.columns.slot(name, path);
    if (slot.kind !== 'number' && slot.kind !== 'any') {
      loading.findings.add(path, {
        code: 'map/wrong-kind',
        message: SOURCE_COLUMNS.notNumberColumn({ name }),
        hint: SOURCE_COLUMNS.declareNumber({ name }),
      });
    }
    return { says: CONTROLS.sum({ name }), count: undefined, sum: { slot, once: once ?? 'row' }, read };
  });
}

/** The file that is being read, and how its rows are keyed and added up. */
export type Controlling = {
  readonly table: Table;
  readonly controls: readonly CompiledControl[];
  /** Key of the document that the row belongs to; undefined where it is unknown. */
  readonly keyOf: (row: Row) => string | undefined;
  readonly amountOf: (row: Row, slot: ColumnSlot) => { readonly value: Value; readonly faults: readonly DataFault[] };
};

/** Receives every batch in order; `faults` is called once, after the last batch. */
export type ControlTally = {
  readonly see: (batch: Pick<Batch, 'rows' | 'controls'>) => void;
  /** After the last batch: none where everything agrees. */
  readonly faults: () => readonly DataFault[];
};

/** Memory grows by the keys of the documents only, as that of the grouping does. */
export function startControls({ table, controls, keyOf, amountOf }: Controlling): ControlTally {
  const tallies = controls.map((control): Tally => ({ control, total: Decimal.zero, unread: undefined }));
  const found: FoundControl[] = [];
  const known = new Set<string>();
  const needsKeys = controls.some(({ count, sum }) => count === 'documents' || sum?.once === 'document');

  const take = (row: Row) => {
    const lost = row.broken && !row.readable;
    const key = needsKeys && !lost ? keyOf(row) : undefined;
    const first = key !== undefined && !known.has(key);
    if (first) known.add(key);
    for (const tally of tallies) {
      const { count, sum } = tally.control;
      const perDocument = count === 'documents' || sum?.once === 'document';
      // Of a cut document only the cells outside of its rows are known, so its amounts cannot be added up.
      // A header alone holds its own document; it is no row that the export counts.
      if (count === 'rows' && row.broken && HEADER_ALONE.test(row.broken.code)) continue;
      // An empty row is no line of any document.
      if (perDocument && key === undefined && !row.broken && isBlank(row)) continue;
      const isUnread = lost || (row.cut !== undefined && sum !== undefined) || (perDocument && key === undefined);
      if (count !== 'rows' && isUnread) {
        tally.unread ??= { row, why: row.broken ? [row.broken] : [] };
      } else if (!perDocument || first) {
        const { value, faults: why } = sum ? amountOf(row, sum.slot) : ONE_ROW;
        if (value instanceof Decimal) tally.total = tally.total.plus(value);
        else if (value !== '') tally.unread ??= { row, why };
      }
    }
  };
  return {
    see: (batch) => {
      for (const row of batch.rows) take(row);
      for (const one of batch.controls ?? []) if (found.length < MAX_FOUND) found.push(one);
    },
    faults: () =>
      tallies.flatMap((tally, n) => {
        const own = found.filter((one) => one.control === n);
        return verdict(table, tally, own);
      }),
  };
}

/** The first row that could not be counted, and the faults of that row. */
type Unread = { readonly row: Row; readonly why: readonly DataFault[] };

/** What the rows so far add up to. */
type Tally = { readonly control: CompiledControl; total: Decimal; unread: Unread | undefined };

/** A header record without lines, which a reader brings up as a broken row. */
const HEADER_ALONE = /\/header-without-lines$/;

/** What a row adds to a count. */
const ONE_ROW: ReturnType<Controlling['amountOf']> = { value: Decimal.one, faults: [] };

/** Totals that are kept of a file: beyond two of a kind the verdict is the same. */
const MAX_FOUND = 1000;

/**
 * Compares one total: the fault of a cell that cannot be read, `file/control-missing`, `file/control-twice`, `file/control-not-a-number`,
 * `file/control-not-checked` or `file/control-total-differs`; all are errors that hold the file.
 */
function verdict(
  table: Table,
  { control, total: sum, unread }: Tally,
  found: readonly FoundControl[],
): readonly DataFault[] {
  const { says: total, read } = control;
  const held = CONTROLS.held();
  const [value, second] = found;
  if (!value) {
    return fault(table, undefined, {
      code: 'file/control-missing',
      ...withMessage(CONTROLS.missing({ says: total }), CONTROLS.cut({ held })),
    });
  }
  if (second) {
    return fault(table, second, {
      code: 'file/control-twice',
      ...withMessage(CONTROLS.twice({ says: total, row: value.row, again: second.row }), CONTROLS.joined({ held })),
    });
  }
  if (value.unreadable) return [value.unreadable];
  const expected = read(value.text);
  if (!(expected instanceof Decimal)) {
    return fault(table, value, {
      code: 'file/control-not-a-number',
      ...withMessage(CONTROLS.notANumber({ says: total, text: value.text }), CONTROLS.correctValue({ held })),
    });
  }
  if (unread) {
    const { row } = unread.row;
    const words = {
      code: 'file/control-not-checked',
      ...withMessage(
        CONTROLS.notChecked({ row, says: total, expected: decimalText(expected.toText()), at: value.row }),
        CONTROLS.untilRight({ held, row }),
      ),
    };
    return [{ ...words, level: 'error', origin: originOf(table, unread.row) }, ...unread.why];
  }
  if (expected.equals(sum)) return [];
  return fault(table, value, {
    code: 'file/control-total-differs',
    ...withMessage(
      CONTROLS.differs({
        row: value.row,
        says: total,
        expected: decimalText(expected.toText()),
        total: decimalText(sum.toText()),
      }),
      CONTROLS.compare({ held }),
    ),
  });
}

type Words = Localizable & Pick<Fault, 'code'>;

function fault(table: Table, at: FoundControl | undefined, words: Words): readonly DataFault[] {
  const { file = table.file, row = 0, line, column, text }: Partial<FoundControl> = at ?? {};
  const origin = definedOnly({ file, row, line, column });
  return [definedOnly({ ...words, level: 'error' as const, origin, given: text || undefined })];
}
