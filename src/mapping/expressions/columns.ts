/**
 * The columns that a mapping uses, numbered as slots: those of the file and the calculated ones. Loading accepts any
 * name as a column of the file; `missingColumns` compares the names with a real header and gives the faults.
 */

import type { Message } from '../../i18n/message.ts';
import { HEADER, SOURCE_COLUMNS, SUGGESTIONS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import type { Table } from '../../model/row.ts';
import { codeUnitAt } from '../../text/code-unit.ts';
import { suggest } from '../../text/suggest.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { type ColumnSlot, type Composition, type EvaluatedRow, failCell } from '../runtime/composition.ts';
import { type Diagnostics, shortList, suggestionFor } from '../runtime/diagnostics.ts';
import type { Value } from '../runtime/value.ts';
import { type ColumnType, TEXT_COLUMN } from '../source/source-columns.ts';
import type { Columns, ValueExpression } from './expression-types.ts';
import { fieldOf, type Lists } from './lists.ts';

/** Replaces a calculated column that cannot be compiled, after its finding. */
const EMPTY = (): Value => '';

/** The calculated columns of a mapping; each is compiled at its first use. */
export type Calculated = {
  readonly names: readonly string[];
  readonly compile: (name: string, path: YamlPath) => ValueExpression | undefined;
};

/**
 * Slots are created in the order of first use and never removed. Findings: `map/cycle`, `map/outside-its-list`,
 * `map/no-such-list`.
 */
export function collectColumns(
  types: ReadonlyMap<string, ColumnType>,
  calculated: Calculated,
  findings: Diagnostics,
  lists: Lists,
): Columns {
  const slots: ColumnSlot[] = [];
  const byName = new Map<string, ColumnSlot>();
  const compiling: string[] = [];
  const firstUse = new Map<string, YamlPath>();
  const fields = new Map<string, string>();
  for (const [list, names] of lists) for (const name of names) fields.set(`${list}.${name}`, list);
  let current: string | undefined;
  const inside = <T>(list: string | undefined, compile: () => T): T => {
    const outer = current;
    current = list;
    const made = compile();
    current = outer;
    return made;
  };
  const misplaced = (name: string, path: YamlPath) => {
    const list = fields.get(name);
    if (!lists.has(name) && (list === undefined || list === current)) return;
    const message = list === undefined ? SOURCE_COLUMNS.isList({ name }) : SOURCE_COLUMNS.inList({ name, list });
    const hint = SOURCE_COLUMNS.useInList({ list: list ?? name });
    findings.add(path, { code: 'map/outside-its-list', message, hint });
  };
  const add = (column: Omit<ColumnSlot, 'index' | 'list'>): ColumnSlot => {
    const slot = definedOnly({ index: slots.length, ...column, list: fields.get(column.name) });
    slots.push(slot);
    byName.set(column.name, slot);
    return slot;
  };
  const calculate = (name: string): ColumnSlot => {
    const path = ['calculated-columns', name];
    if (compiling.includes(name)) {
      // The chain from the first use of the column back to itself.
      const names = [...compiling.slice(compiling.indexOf(name)), name].map((column) => `$${column}`).join(' -> ');
      findings.add(path, { code: 'map/cycle', message: SOURCE_COLUMNS.calculatedCycle({ names }) });
      return add({ name, kind: 'any', calculated: true, compute: EMPTY });
    }
    compiling.push(name);
    const form = inside(undefined, () => calculated.compile(name, path));
    compiling.pop();
    const known = byName.get(name);
    if (known) return known;
    if (!form) return add({ name, kind: 'any', calculated: true, compute: EMPTY });
    return add(
      definedOnly({ name, kind: form.kind, calculated: true, overRows: form.overRows, compute: perRow(form) }),
    );
  };
  const newSlot = (name: string): ColumnSlot => {
    const type = types.get(name) ?? TEXT_COLUMN;
    const list = fields.get(name);
    const read = list === undefined ? undefined : fieldOf(list, name);
    return add({ name, kind: type.kind, calculated: false, compute: readCell(type, slots.length, read) });
  };
  return {
    slots,
    firstUse,
    inside,
    list: (name, path) => {
      if (lists.has(name)) return byName.get(name) ?? newSlot(name);
      const hint = suggestionFor(name, [...lists.keys()], SUGGESTIONS.lists) ?? SOURCE_COLUMNS.declareList();
      findings.add(path, { code: 'map/no-such-list', message: SOURCE_COLUMNS.noList({ name }), hint });
      return undefined;
    },
    kindOf: (name) => (types.get(name) ?? TEXT_COLUMN).kind,
    convertOf: (name) => types.get(name)?.convert,
    canHold: (slot, text) => canHold(slot, slot.calculated ? TEXT_COLUMN : (types.get(slot.name) ?? TEXT_COLUMN), text),
    names: () => [...new Set([...calculated.names, ...types.keys(), ...fields.keys(), ...byName.keys()])],
    slot: (name, path, summed = false) => {
      if (!summed || lists.has(name)) misplaced(name, path);
      if (!calculated.names.includes(name) && !firstUse.has(name)) firstUse.set(name, path);
      const known = byName.get(name);
      if (known) return known;
      return calculated.names.includes(name) ? calculate(name) : newSlot(name);
    },
  };
}

function canHold({ kind }: ColumnSlot, { convert }: ColumnType, text: string): boolean {
  if (kind === 'number') return Decimal.parse(text)?.toText() === text;
  if (kind === 'date') return /^\d{4}-\d\d-\d\d/.test(text);
  return kind !== 'text' || convert === undefined || convert(text) === text;
}

/** A calculated column reads its own row, with all rows of the document as scope, in whichever scope it is used. */
function perRow(form: ValueExpression): ColumnSlot['compute'] {
  return (run, row) => {
    const { rows, row: outer, isOfAll } = run;
    run.rows = run.all;
    run.row = row;
    run.isOfAll = false;
    const value = form.read(run);
    run.rows = rows;
    run.row = outer;
    run.isOfAll = isOfAll;
    return value;
  };
}

/**
 * A cell is trimmed; an empty one stays empty whatever its type. A cell that cannot be converted is a fault of this
 * cell.
 */
function readCell(
  type: ColumnType,
  index: number,
  field: ((row: EvaluatedRow) => string) | undefined,
): (this: ColumnSlot, run: Composition, row: EvaluatedRow) => Value {
  const { convert } = type;
  return function (run, row) {
    const text = field ? field(row) : trimmed(row.cells[run.positions[index]!] ?? '');
    if (text === '' || !convert) return text;
    const value = convert(text);
    if (typeof value === 'string' || !('code' in value)) return value;
    return failCell(run, value, row, this);
  };
}

/** Hardly any cell begins or ends with a blank, so two code units decide. */
function trimmed(text: string): string {
  const first = codeUnitAt(text, 0);
  const last = codeUnitAt(text, text.length - 1);
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f ? text : text.trim();
}

/** Slot index -> cell index under this header; calculated columns have none. */
export function positionsOf(slots: readonly ColumnSlot[], table: Table): readonly number[] {
  const positions: number[] = new Array(slots.length);
  for (const slot of slots) {
    if (!slot.calculated) positions[slot.index] = table.columns.indexOf(slot.list ?? slot.name);
  }
  return positions;
}

/**
 * A fault for each column that the mapping uses and the file does not have exactly once: `map/no-such-column`,
 * `map/column-twice`. `has` begins a message about the file.
 */
export function missingColumns(
  columns: Columns,
  table: Table,
  findings: Diagnostics,
  has: Message = namesOf(table),
): readonly DataFault[] {
  const origin = { file: table.file, row: table.header ?? 1 };
  return columns.slots.flatMap((slot): readonly DataFault[] => {
    const { name } = slot;
    if (slot.calculated || slot.list !== undefined) return [];
    const times = table.columns.filter((column) => column === name).length;
    if (times === 1) return [];
    const mark = markOfName(findings, columns.firstUse.get(name) ?? [], name);
    if (times === 0) {
      const words = withMessage(HEADER.noColumn({ has, name }), columnHint(name, table.columns, columns));
      return [{ code: 'map/no-such-column', level: 'error', ...words, origin, mark }];
    }
    const words = withMessage(HEADER.columnTwice({ file: table.file, times, name }), HEADER.rename());
    return [{ code: 'map/column-twice', level: 'error', ...words, origin, mark }];
  });
}

/** Calculated columns are suggested too, since a misspelt name may mean one of them. */
function columnHint(name: string, inFile: readonly string[], { slots }: Columns): Message {
  const calculated = slots.filter((slot) => slot.calculated).map((slot) => slot.name);
  const near = suggest(name, [...inFile, ...calculated]);
  if (near !== undefined) return SUGGESTIONS.meant({ near });
  return inFile.length === 0 ? HEADER.empty() : SUGGESTIONS.columns({ names: shortList(inFile) });
}

/** The beginning of a message about the columns of a file, or of a pair of files. */
export function namesOf({ file, beside }: Table): Message {
  return beside === undefined ? HEADER.fileHas({ file }) : HEADER.filesHave({ first: beside, second: file });
}

/** The mark narrowed to the name itself inside a formula. */
function markOfName(findings: Diagnostics, path: YamlPath, name: string): NonNullable<Fault['mark']> {
  const whole = findings.yaml.mark(path);
  const at = whole.text.indexOf(name, whole.column - 1);
  return at < 0 ? whole : { ...whole, column: at + 1, length: name.length };
}
