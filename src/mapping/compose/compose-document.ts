/**
 * A group of rows in; a draft out, or all faults of it. The first, fast pass keeps no record of where values come from;
 * only when something failed, or when a preview asks, the group is composed once more with a tracer. Nothing is kept
 * between groups.
 */

import { decimalText, type Message } from '../../i18n/message.ts';
import { DOCUMENT } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import type { Draft, JsonObject } from '../../model/draft.ts';
import { type DataFault, type Fault, isError, withMessage } from '../../model/fault.ts';
import { originOf, type Row, type RowGroup, type Table } from '../../model/row.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import type { ValueExpression } from '../expressions/expression-types.ts';
import type { Output } from '../output/compile-output.ts';
import {
  type ColumnSlot,
  type Composition,
  cellText,
  type OutputPlace,
  type RunTracer,
  type Scope,
  startRun,
  valueText,
} from '../runtime/composition.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import { mergeRepeatedFaults } from '../runtime/merge-repeated-faults.ts';
import { Tracer } from '../runtime/tracer.ts';
import { FAILED, type Facts, type RunProblem } from '../runtime/value.ts';
import { totalsRowFault } from '../source/totals-row-fault.ts';

/**
 * With a draft the faults are warnings, except for failed checks; without one, `known` holds the values that could be
 * read, to identify the document.
 */
export type Composed =
  | { readonly draft: Draft; readonly known?: undefined; readonly faults: readonly DataFault[] }
  | { readonly draft?: undefined; readonly known: Known; readonly faults: readonly DataFault[] };

type Known = Pick<Draft, 'class' | 'rows'> & Partial<Draft> & { readonly called?: string };

/** One entry of `checks` in a mapping, compiled. */
export type MappingCheck = {
  readonly form: ValueExpression;
  readonly level: Fault['level'];
  /** As the mapping words it, in each language that it gives. */
  readonly says: string | Message;
  readonly path: YamlPath;
  /** The values that it compares, as written: "SUM($net)". */
  readonly sides: readonly { readonly says: string; readonly form: ValueExpression }[];
};

/** The parts of a mapping that concern a single document. */
export type CompiledDocument = {
  readonly kind: string;
  readonly classes: readonly string[];
  readonly class: { readonly form: ValueExpression; readonly path: YamlPath } | undefined;
  /** The total as the export gives it. */
  readonly amount: { readonly form: ValueExpression } | undefined;
  readonly neverTwice: readonly { readonly form: ValueExpression; readonly path: YamlPath }[];
  readonly payload: Output | undefined;
  /** See Draft. */
  readonly isTaxFromGross: boolean;
  readonly file: Output | undefined;
  readonly checks: readonly MappingCheck[];
  readonly slots: readonly ColumnSlot[];
  readonly findings: Diagnostics;
};

type Sheet = { readonly table: Table; readonly positions: readonly number[] };
type Made<T> = { -readonly [K in keyof T]: T[K] };
type Parts = Made<Pick<Draft, 'class' | 'payload' | 'file' | 'neverTwice'>>;

const NO_FAULTS: readonly DataFault[] = [];

function isBroken(row: Row): boolean {
  return row.broken !== undefined;
}

function numberOf({ row }: Row): number {
  return row;
}

/** Never throws for bad data. Faults are sorted by row, then by column; beyond MAX_FAULTS one more counts the rest. */
export function compose(recipe: CompiledDocument, sheet: Sheet, group: RowGroup, given: Facts): Composed {
  const facts = askedOnce(given);
  if (group.numbers) return composeTooLarge(recipe, sheet, group, facts);
  if (group.rows.some(isBroken)) return composeBroken(recipe, sheet, group, facts);
  const { table, positions } = sheet;
  const run = startRun(table, positions, group.rows, facts);
  const parts = partsOf(recipe, run);
  let tracer: RunTracer | undefined;
  const tracedOnce = () => (tracer ??= traced(recipe, sheet, group, facts));
  // Field by field: spreading objects together would cost as much as a line of the document.
  const draft: Made<Draft> = {
    kind: recipe.kind,
    class: parts.class,
    rows: group.rows.map(numberOf),
    trace: () => tracedOnce().trace(),
    marks: () => tracedOnce().marks(),
    statedAmount: () => statedAmount(recipe, sheet, group.rows, facts),
  };
  if (parts.payload) draft.payload = parts.payload;
  if (parts.file) draft.file = parts.file;
  if (recipe.isTaxFromGross) draft.isTaxFromGross = true;
  if (parts.neverTwice) draft.neverTwice = parts.neverTwice;
  if (!run.failed && !run.warned && group.faults.length === 0) return { draft, faults: NO_FAULTS };
  // Checks of incomplete rows would only add noise.
  const checked = group.faults.some(isError) ? { ...recipe, checks: [] } : recipe;
  const found = traced(checked, sheet, group, facts).faults();
  requireFaults(run, [...found, ...group.faults]);
  // Without a key nothing else about the rows matters yet.
  const hasKey = group.faults.every(({ code }) => code !== 'map/no-key');
  const more = hasKey ? withoutKnown(mergeRepeatedFaults(sorted(found, table)), group.faults) : NO_FAULTS;
  const faults = limited([...group.faults, ...more]);
  if (!faults.some(isError)) return { draft, faults };
  const totals = totalsFault(group);
  if (totals) return { known: { ...draft, statedAmount: () => undefined }, faults: [totals] };
  // A failed check alone leaves a complete draft, which the rules of the document kind check as well.
  const isComplete = faults.every((fault) => !isError(fault) || fault.code === CHECK_FAILED);
  return isComplete ? { draft, faults } : { known: draft, faults };
}

/**
 * A draft with a value that failed, or an unfulfilled check, must not pass as whole: the slow composition has to find what the fast
 * one met.
 */
function requireFaults({ failed, warned }: Composition, faults: readonly DataFault[]): void {
  if (failed && !faults.some(isError)) throw new Error('a document failed, and no error explains it');
  if (warned && faults.length === 0) throw new Error('a document has a warning, and no fault explains it');
}

/** An attachment may arrive between two compositions of a document: both see what the first one has seen. */
function askedOnce(facts: Facts): Facts {
  const { companion } = facts;
  if (!companion) return facts;
  const known = new Map<string, ReturnType<typeof companion>>();
  const once = (name: string) => {
    const found = known.get(name) ?? companion(name);
    known.set(name, found);
    return found;
  };
  return { ...facts, companion: once };
}

/** Undefined where the mapping names none, or where it cannot be read: the cell's own fault says so. */
function statedAmount(
  { amount }: CompiledDocument,
  { table, positions }: Sheet,
  rows: readonly Row[],
  facts: Facts,
): Decimal | undefined {
  const value = amount?.form.read(startRun(table, positions, rows, facts));
  return value instanceof Decimal ? value : undefined;
}

/** A document beyond the limits is never composed; its first row identifies it. */
function composeTooLarge(recipe: CompiledDocument, sheet: Sheet, group: RowGroup, facts: Facts): Composed {
  const { key, rows, numbers = [] } = group;
  const called = key.filter((part) => part !== '').join(' ');
  const readable = rows.filter((row) => !row.broken || row.readable);
  const parts = readable.length > 0 ? partsOf(recipe, startRun(sheet.table, sheet.positions, readable, facts)) : {};
  return { known: { class: '', ...parts, rows: numbers, called }, faults: limited(group.faults) };
}

/** Cells of a broken row may have moved, so that only its readable rows identify the document. */
function composeBroken(recipe: CompiledDocument, sheet: Sheet, group: RowGroup, facts: Facts): Composed {
  const rows = group.rows.map((row) => row.row);
  const called = group.key.filter((part) => part !== '').join(' ');
  const totals = totalsFault(group);
  if (totals) return { known: { class: '', rows, called }, faults: [totals] };
  const readable = group.rows.filter((row) => !row.broken || row.readable);
  if (readable.length === 0) return { known: { class: '', rows, called }, faults: limited(group.faults) };
  const parts = partsOf(recipe, startRun(sheet.table, sheet.positions, readable, facts));
  const known = { ...parts, rows, called, statedAmount: () => statedAmount(recipe, sheet, readable, facts) };
  return { known, faults: limited(group.faults) };
}

/** The one fault of a document that is a single row of totals. */
function totalsFault({ table, rows }: RowGroup): DataFault | undefined {
  const [row] = rows;
  return row && rows.length === 1 ? totalsRowFault(table, row) : undefined;
}

/** Drops faults that the grouping reported already, such as a key that cannot be read. */
function withoutKnown(faults: readonly DataFault[], reported: readonly DataFault[]): readonly DataFault[] {
  if (reported.length === 0) return faults;
  const key = ({ code, origin }: Fault) => JSON.stringify([code, origin?.row, origin?.column]);
  const known = new Set(reported.map(key));
  return faults.filter((fault) => !known.has(key(fault)));
}

/** Composes the group a second time, slowly, and notes what each value is made from. */
function traced(recipe: CompiledDocument, { table, positions }: Sheet, { rows }: RowGroup, facts: Facts): RunTracer {
  const tracer = new Tracer();
  partsOf(recipe, startRun(table, positions, rows, facts, tracer));
  return tracer;
}

/** Evaluates output, file, class, identity and checks once. `map/empty-document` where neither body has a value. */
function partsOf(recipe: CompiledDocument, run: Composition): Parts {
  const payload = recipe.payload && bodyOf(run, recipe.payload, { parent: undefined, key: '' });
  const file = recipe.file && bodyOf(run, recipe.file, { parent: undefined, key: 'file' });
  if (!payload?.json && !file?.json) {
    run.report({
      code: 'map/empty-document',
      ...withMessage(DOCUMENT.empty(), DOCUMENT.fillIn()),
    });
  }
  const parts: Parts = { class: classOf(recipe, run) };
  if (payload?.json) parts.payload = payload.json;
  if (file?.json) parts.file = file.json;
  if (recipe.neverTwice.length > 0) parts.neverTwice = identityOf(recipe, run);
  run.frame = payload?.frame ?? file?.frame;
  for (const check of recipe.checks) runCheck(recipe, run, check);
  return parts;
}

function bodyOf(
  run: Composition,
  { node }: Output,
  root: OutputPlace,
): { readonly frame: Scope; readonly json?: JsonObject } {
  run.frame = undefined;
  run.place = root;
  const frame = node.open(run) as Scope;
  const json = node.close(run, frame) as JsonObject | undefined;
  return json ? { frame, json } : { frame };
}

/** Names the line of the mapping while tracing, so that a fault points at it. */
function evaluate(recipe: CompiledDocument, run: Composition, { form, path }: Pick<MappingCheck, 'form' | 'path'>) {
  if (!run.tracer) return form.read(run);
  return run.tracer.value(
    undefined,
    () => recipe.findings.yaml.mark(path),
    form.direct,
    () => form.read(run),
  );
}

/** The class of the document: `map/no-class` where it is empty, `map/unknown-class` where the target lacks it. */
function classOf(recipe: CompiledDocument, run: Composition): string {
  if (!recipe.class) return recipe.classes[0] ?? '';
  const value = evaluate(recipe, run, recipe.class);
  if (value === FAILED) return '';
  const name = valueText(value);
  if (recipe.classes.includes(name)) return name;
  const [code, message] =
    name === ''
      ? ['map/no-class', DOCUMENT.noClass()]
      : ['map/unknown-class', DOCUMENT.unknownClass({ name, kind: recipe.kind })];
  const words = withMessage(message, DOCUMENT.classes({ classes: recipe.classes }));
  refuse(recipe, run, recipe.class.form, { code, ...words, given: name });
  return name;
}

/** A fault of the document as a whole, shown at the first row, in the column that the form reads first. */
function refuse(
  recipe: CompiledDocument,
  run: Composition,
  form: ValueExpression | undefined,
  problem: RunProblem,
): void {
  const slot = recipe.slots.find(({ calculated, name }) => !calculated && form?.columns.includes(name));
  const [first] = run.all;
  run.failed = true;
  run.tracer?.problem(run, problem, first && originOf(run.table, first, slot && run.positions[slot.index]));
}

/** The texts of `never-twice`; `map/no-identity` where all are empty, because such documents would all be the same. */
function identityOf(recipe: CompiledDocument, run: Composition): readonly string[] {
  const values = recipe.neverTwice.map((part) => evaluate(recipe, run, part));
  const texts = values.map(valueText);
  if (values.includes(FAILED) || texts.some((text) => text !== '')) return texts;
  refuse(recipe, run, recipe.neverTwice[0]?.form, {
    code: 'map/no-identity',
    ...withMessage(DOCUMENT.noIdentity(), DOCUMENT.fillNumberIn()),
  });
  return texts;
}

/**
 * `map/check-failed` with the level of the check. The message shows the compared values, or else the cells that were
 * read.
 */
function runCheck(recipe: CompiledDocument, run: Composition, check: MappingCheck): void {
  const value = evaluate(recipe, run, check);
  // What failed is reported already.
  if (value === true || value === FAILED) return;
  if (check.level === 'error') run.failed = true;
  else run.warned = true;
  const { tracer } = run;
  const [first] = run.all;
  if (!tracer || !first) return;
  const sources = recipe.slots.filter((slot) => !slot.calculated && check.form.columns.includes(slot.name));
  const column = sources[0] && run.positions[sources[0].index];
  const mark = () => recipe.findings.yaml.mark(check.path);
  // Each failed check is reported, even where two of them read the same cell.
  tracer.value(undefined, mark, undefined, () => {
    const inFile = (slot: ColumnSlot) => DOCUMENT.cellIs({ name: slot.name, text: cellText(run, first, slot) });
    const sides = check.sides.map(({ says: name, form: { direct, read } }) => {
      if (direct?.calculated === false) return inFile(direct);
      const value = read(run);
      const text = valueText(value);
      if (text === '') return DOCUMENT.valueEmpty({ name });
      return DOCUMENT.valueIs({ name, text: value instanceof Decimal ? moneyText(value) : text });
    });
    const shown = check.sides.map(({ form }) => form.direct?.name);
    const cells = sources.filter(({ name }) => !shown.includes(name)).map(inFile);
    const problem = {
      code: CHECK_FAILED,
      ...withMessage(
        sides.length > 0 ? DOCUMENT.checkWith({ says: check.says, sides }) : DOCUMENT.check({ says: check.says }),
        cells.length > 0 ? DOCUMENT.inRow({ row: first.row, cells }) : undefined,
      ),
    };
    tracer.problem(run, problem, originOf(run.table, first, column), check.level);
  });
}

/** 201.6 is 201.60, as the cell next to it: people compare the two sign by sign. */
function moneyText(value: Decimal): Message {
  const decimals = value.decimals();
  return decimalText(value.toText(decimals === 1 ? 2 : decimals));
}

/** By row of the file, then by column of the header. */
function sorted(faults: readonly DataFault[], table: Table): readonly DataFault[] {
  const columns = new Map((table.places ?? table.columns).map((name, n) => [name, n]));
  const column = (fault: Fault) => columns.get(fault.origin?.column ?? '') ?? columns.size;
  return faults.toSorted((a, b) => (a.origin?.row ?? 0) - (b.origin?.row ?? 0) || column(a) - column(b));
}

const CHECK_FAILED = 'map/check-failed';

/** A column of the wrong kind fails on every row; the first hundreds of faults explain the rest. */
const MAX_FAULTS = 200;

/** Replaces all faults beyond MAX_FAULTS by one `map/more-faults` with their count. */
function limited(faults: readonly DataFault[]): readonly DataFault[] {
  const rest = faults.slice(MAX_FAULTS);
  const first = rest[0];
  if (!first) return faults;
  const more: DataFault = {
    code: 'map/more-faults',
    level: rest.some(isError) ? 'error' : 'warning',
    ...withMessage(DOCUMENT.moreFaults({ count: rest.length }), DOCUMENT.correctFirst()),
    ...(first.origin ? { origin: first.origin } : {}),
  };
  return [...faults.slice(0, MAX_FAULTS), more];
}
