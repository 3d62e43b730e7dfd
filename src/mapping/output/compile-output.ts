/**
 * The plan of the output compiled: values become closures, references are resolved, circles are found.
 */

import type { Message } from '../../i18n/message.ts';
import { OUTPUT_FIELDS, OUTPUT_REPEATS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { isToFillIn, type Json, Numbering } from '../../model/draft.ts';
import type { Mark } from '../../model/fault.ts';
import { appendAll } from '../../text/long-lists.ts';
import type { Loading, OutputScope, ValueExpression } from '../expressions/expression-types.ts';
import { type BlockOf, blockReader } from '../expressions/lookup.ts';
import { columnExpression, compileCondition, compileValue, isLookup } from '../expressions/value-expression.ts';
import { listOf } from '../file/mapping-shape.ts';
import { columnSyntax, singleColumn } from '../runtime/column-name.ts';
import { type ColumnSlot, type Composition, readColumn, valueText } from '../runtime/composition.ts';
import { problemOf, refuseShortened } from '../runtime/diagnostics.ts';
import { schemaLeaves } from '../runtime/schema-branches.ts';
import { declareColumn } from '../runtime/type-check.ts';
import { FAILED, type Value } from '../runtime/value.ts';
import { converterOf, misfitKind, neverFits, shapeMismatch } from './coerce.ts';
import { pathsIn, resolveReference } from './field-references.ts';
import {
  blockNode,
  constantNode,
  groupsNode,
  itemsNode,
  leafNode,
  listNode,
  type NodeEntry,
  type OutputNode,
  rowsNode,
} from './output-nodes.ts';
import type { BlockPlan, OutputLocation, Plan } from './output-plan.ts';
import { findCycles } from './reference-cycles.ts';
import { readyBlocks } from './table-blocks.ts';
import { looksLikeColumn } from './unquoted-columns.ts';

/** A compiled output: `node` makes the JSON of each document. */
export type Output = {
  readonly node: OutputNode;
  /** For conditions outside the output, such as checks. */
  readonly outputs: OutputScope;
  readonly numberings: readonly Extract<Plan, { type: 'numbering' }>[];
};

type Scope = 'document' | 'group' | 'row' | `item of ${string}`;

/** What the compilation of one output shares. */
type Making = {
  readonly loading: Loading;
  readonly entries: Map<Plan, NodeEntry>;
  /** What each value or condition needs to be known first. */
  readonly needs: Map<Plan, Plan[]>;
  readonly numberings: Extract<Plan, { type: 'numbering' }>[];
};

/** Findings: `map/cycle` for values that need each other, and those of the values inside. */
export function compileOutput(loading: Loading, root: BlockPlan): Output {
  const making: Making = { loading, entries: new Map(), needs: new Map(), numberings: [] };
  const outputs = outputsOf(making, [root], root);
  const node = nodeOf(making, root, [], 'document');
  findCycles(making.needs, loading.findings);
  return { node, outputs, numberings: making.numberings };
}

function outputsOf(making: Making, chain: readonly BlockPlan[], asking: Plan): OutputScope {
  return {
    // Only a message needs them: gathering them for each value would take the square of the file's length.
    get names() {
      return pathsIn(chain);
    },
    output: (path) => {
      const reference = resolveReference(path, chain, making.entries);
      const needs = making.needs.get(asking);
      if (reference && needs) appendAll(needs, reference.needs);
      if (reference) for (const block of chain) block.framed = true;
      return reference?.readable;
    },
  };
}

function nodeOf(making: Making, plan: Plan, chain: readonly BlockPlan[], scope: Scope): OutputNode {
  switch (plan.type) {
    case 'value':
      return valueNode(making, plan, chain);
    case 'numbering':
      return numberingNode(making, plan);
    case 'ready':
      return readyNode(making, plan, chain);
    case 'given':
      return constantNode(plan.json);
    case 'list':
      return listNode(
        plan.items.map((item) => nodeOf(making, item, chain, scope)),
        plan.items.map((item) => item.type === 'each'),
      );
    case 'each':
      return eachOf(making, plan, chain, scope);
    case 'block':
      return blockOf(making, plan, chain, scope);
  }
}

function blockOf(making: Making, plan: BlockPlan, outer: readonly BlockPlan[], scope: Scope): OutputNode {
  const chain = [...outer, plan];
  const entries = plan.entries.map((entry): NodeEntry => {
    const made = { key: entry.key, node: nodeOf(making, entry.plan, chain, scope), plan: entry };
    making.entries.set(entry.plan, made);
    return made;
  });
  return blockNode(entries, plan, plan.when === undefined ? undefined : condition(making, plan, chain));
}

function condition(
  making: Making,
  plan: BlockPlan,
  chain: readonly BlockPlan[],
): ((run: Composition) => boolean) | undefined {
  const { location, when = '' } = plan;
  const path = location.fixed ? location.path : [...location.path, 'when'];
  making.needs.set(plan, []);
  const form = compileCondition(making.loading, when, path, 'when:', outputsOf(making, chain, plan));
  if (!form) return undefined;
  const mark = () => making.loading.findings.yaml.mark(path);
  return (run) => {
    const { place } = run;
    const value = run.tracer ? run.tracer.value(undefined, mark, form.direct, () => form.read(run)) : form.read(run);
    run.place = place;
    // A condition that failed keeps the block, so that the faults inside it are reported as well.
    return value === true || value === FAILED;
  };
}

type EachPlan = Extract<Plan, { type: 'each' }>;

function eachOf(making: Making, plan: EachPlan, chain: readonly BlockPlan[], scope: Scope): OutputNode {
  const { location, by, of, order } = plan;
  const { columns, findings } = making.loading;
  const path = location.fixed ? location.path : [...location.path, 'each'];
  if (of !== undefined && scope !== `item of ${of}`) {
    const list = columns.list(of, path);
    const make = columns.inside(of, () => nodeOf(making, plan.make, chain, `item of ${of}`));
    return list ? itemsNode(make, list) : rowsNode(make);
  }
  if (scope === 'row' || scope.startsWith('item')) {
    const message = OUTPUT_REPEATS.insideRow({ scope });
    findings.add(path, { code: 'map/each-in-row', message, hint: OUTPUT_REPEATS.groupOutside() });
  }
  const slots = by?.map((name): ColumnSlot => columns.slot(name, path));
  const make = nodeOf(making, plan.make, chain, by ? 'group' : 'row');
  return slots ? groupsNode(make, slots, order) : rowsNode(make);
}

function valueNode(making: Making, plan: Extract<Plan, { type: 'value' }>, chain: readonly BlockPlan[]): OutputNode {
  const { location } = plan;
  const { findings } = making.loading;
  making.needs.set(plan, []);
  const form = compileValue(making.loading, plan.value, location.path, outputsOf(making, chain, plan));
  if (!form) return leafNode(true, () => undefined);
  const { constant } = form;
  if (constant !== undefined && constant !== FAILED) return literalNode(making, plan, form, constant);
  const { path, name, schema } = location;
  if (typeof converterOf(schema)(Decimal.one) === 'string') refuseShortenedIn(making.loading, plan.value, path);
  if (neverFits(schema, form.kind)) findings.add(path, misfitKind(schema, form.kind, name, form));
  else if (form.direct && isUndeclaredDate(location, form.direct)) warnOfDate(making, location, form.direct);
  return tracedLeaf(evaluation(form, location), form.direct, () => findings.yaml.mark(path));
}

/** The numbers of a look-up that goes to a text: those of its table, and its default. */
function refuseShortenedIn(loading: Loading, value: unknown, path: OutputLocation['path']): void {
  const { findings, tables } = loading;
  refuseShortened(findings, value, path);
  if (!isLookup(value)) return;
  const { table, default: otherwise } = value as { readonly table: string; readonly default?: unknown };
  for (const number of tables.get(table)?.numbers ?? [])
    refuseShortened(findings, number.value, number.path, number.yaml);
  refuseShortenedIn(loading, otherwise, [...path, 'default']);
}

/** A value that the mapping writes out; one that does not fit its field is a finding. */
function literalNode(
  { loading }: Making,
  { location, value: given }: Extract<Plan, { type: 'value' }>,
  form: ValueExpression,
  value: Exclude<Value, typeof FAILED>,
): OutputNode {
  const { findings, columns, texts } = loading;
  const { path, name, schema } = location;
  const json = value === '' ? undefined : converterOf(schema)(value);
  const mark = () => findings.yaml.mark(path);
  // A number that a person has to fill in: each document has the fault, and the other parts of the mapping can be tried.
  if (json === undefined && typeof value === 'string' && isToFillIn(value))
    return tracedLeaf(evaluation(form, location), undefined, mark);
  if (typeof json === 'string') refuseShortened(findings, given, path);
  if (json === undefined && value !== '') {
    const problem = problemOf(shapeMismatch(schema, value, name, form));
    findings.add(
      path,
      isText(value) && columns.names().includes(value) ? { ...problem, hint: columnHint(value) } : problem,
    );
  } else if (isText(value)) texts.push({ path, field: name, text: value });
  return constantNode(json, (run) => run.tracer?.placed(run.place, mark));
}

function columnHint(name: string): Message {
  return OUTPUT_FIELDS.writeColumn({ column: columnSyntax(name) });
}

function evaluation(form: ValueExpression, { schema, name }: OutputLocation): Evaluate {
  const convert = converterOf(schema);
  const { direct } = form;
  return (run) => {
    const value = direct ? readColumn(run, direct) : form.read(run);
    if (value === '') return undefined;
    if (value === FAILED) return FAILED;
    const json = convert(value);
    if (json !== undefined) return json;
    run.report(shapeMismatch(schema, value, name, form));
    return FAILED;
  };
}

type Evaluate = (run: Composition) => Json | undefined | typeof FAILED;

/** With a tracer, notes what the value is made from. */
function tracedLeaf(evaluate: Evaluate, direct: ColumnSlot | undefined, mark: () => Mark): OutputNode {
  const open: Evaluate = (run) =>
    run.tracer ? run.tracer.value(run.place, mark, direct, () => evaluate(run)) : evaluate(run);
  return leafNode(true, open, evaluate);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && looksLikeColumn(value);
}

function isUndeclaredDate({ schema }: OutputLocation, { kind, calculated }: ColumnSlot): boolean {
  const formats = schemaLeaves(schema).map((leaf) => leaf.format);
  return kind === 'text' && !calculated && formats.length === 1 && formats[0] !== undefined;
}

function warnOfDate({ loading }: Making, { path, name }: OutputLocation, column: ColumnSlot): void {
  loading.findings.add(path, {
    code: 'map/undeclared-date',
    level: 'warning',
    message: OUTPUT_FIELDS.undeclaredDate({ field: name, column: column.name }),
    hint: declareColumn(column.name, 'date'),
  });
}

function numberingNode(making: Making, plan: Extract<Plan, { type: 'numbering' }>): OutputNode {
  const { location, sequence, per } = plan;
  making.numberings.push(plan);
  const forms = per.map((name) =>
    columnExpression(making.loading, singleColumn(name) ?? name, [...location.path, 'per']),
  );
  const isNumber = schemaLeaves(location.schema).some(({ type }) => type === 'integer' || type === 'number');
  const as = isNumber ? 'number' : 'text';
  const evaluate = (run: Composition) => {
    const scope = forms.map((form) => form.read(run));
    return scope.includes(FAILED) ? FAILED : new Numbering(sequence, scope.map(valueText), as);
  };
  const mark = () => making.loading.findings.yaml.mark(location.path);
  return tracedLeaf(evaluate, forms[0]?.direct, mark);
}

function readyNode(making: Making, plan: Extract<Plan, { type: 'ready' }>, chain: readonly BlockPlan[]): OutputNode {
  const { loading } = making;
  const { location } = plan;
  making.needs.set(plan, []);
  const form = compileValue(loading, plan.value, location.path, outputsOf(making, chain, plan));
  const evaluate = form && blockOfPlan(loading, plan);
  if (!evaluate) return leafNode(true, () => undefined);
  const mark = () => loading.findings.yaml.mark(location.path);
  return tracedLeaf(evaluate, undefined, mark);
}

/** The forms inside are compiled already, with their findings. */
function blockOfPlan(loading: Loading, plan: Extract<Plan, { type: 'ready' }>): BlockOf<Json> | undefined {
  const { location, table, value, otherwise } = plan;
  const [column] = listOf((value as { readonly from: string | readonly string[] }).from);
  if (column === undefined) return undefined;
  const slot = loading.columns.slot(singleColumn(column) ?? column, location.path);
  const blocks = readyBlocks(loading.findings, table, location);
  const fallback = otherwise === 'nothing' ? () => undefined : otherwise && blockOfPlan(loading, otherwise);
  return blockReader(slot, table, blocks, fallback);
}
