/**
 * The outline of the output, made to run: values become closures, references are resolved, circles are found.
 */

import { type Json, Numbering } from '../../model/draft.ts';
import type { Mark } from '../../model/fault.ts';
import { singleColumn } from '../expressions/column-name.ts';
import type { Loading, OutputScope, ValueExpression } from '../expressions/expression-types.ts';
import { lookUpBlock } from '../expressions/lookup.ts';
import { compileBareFormula, compileForm, ofColumn } from '../expressions/value-expression.ts';
import { type ColumnSlot, type Composition, readColumn, valueText } from '../runtime/composition.ts';
import { refuseShortened } from '../runtime/diagnostics.ts';
import { schemaLeaves } from '../runtime/schema-branches.ts';
import { FAILED } from '../runtime/value.ts';
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

export type Output = {
  readonly node: OutputNode;
  /** For conditions that stand outside the output, such as checks. */
  readonly outputs: OutputScope;
  readonly numberings: readonly Extract<Plan, { type: 'numbering' }>[];
};

type Scope = 'document' | 'group' | 'row' | `item of ${string}`;

type Making = {
  readonly loading: Loading;
  readonly entries: Map<Plan, NodeEntry>;
  /** What each value or condition needs to be known first. */
  readonly needs: Map<Plan, Plan[]>;
  readonly numberings: Extract<Plan, { type: 'numbering' }>[];
};

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
      if (reference && needs) needs.push(...reference.needs);
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
  const { spot, when = '' } = plan;
  const path = spot.fixed ? spot.path : [...spot.path, 'when'];
  making.needs.set(plan, []);
  const form = compileBareFormula(making.loading, when, path, outputsOf(making, chain, plan));
  if (!form) return undefined;
  requireCondition(making.loading, form, path, 'when:');
  const mark = () => making.loading.findings.yaml.mark(path);
  return (run) => {
    const { place } = run;
    const value = run.tracer ? run.tracer.value(undefined, mark, form.direct, () => form.read(run)) : form.read(run);
    run.place = place;
    // A condition that failed keeps the block, so that what is wrong inside it is told as well.
    return value === true || value === FAILED;
  };
}

/** Conditions are true or false; anything else is a mistake of the mapping. */
export function requireCondition(
  loading: Loading,
  form: ValueExpression,
  path: OutputLocation['path'],
  name: string,
): void {
  if (form.kind === 'boolean' || form.kind === 'any') return;
  loading.findings.add(path, {
    code: 'map/not-a-condition',
    message: `${name} is a condition, and this gives a ${form.kind}`,
    hint: 'compare it with something, such as $Type = "AV"',
  });
}

function eachOf(
  making: Making,
  plan: Extract<Plan, { type: 'each' }>,
  chain: readonly BlockPlan[],
  scope: Scope,
): OutputNode {
  const { spot, by, of, order } = plan;
  const path = spot.fixed ? spot.path : [...spot.path, 'each'];
  if (of !== undefined && scope !== `item of ${of}`) return itemsOfList(making, plan, of, path, chain);
  if (scope === 'row' || scope.startsWith('item')) {
    making.loading.findings.add(path, {
      code: 'map/each-in-row',
      message: `inside each: ${scope} there is one ${scope.split(' ')[0]}, nothing to repeat over`,
      hint: 'use each: rows by Column outside, and each: row inside it',
    });
  }
  const slots = by?.map((name): ColumnSlot => making.loading.columns.slot(name, path));
  const make = nodeOf(making, plan.make, chain, by ? 'group' : 'row');
  return slots ? groupsNode(make, slots, order) : rowsNode(make);
}

function itemsOfList(
  making: Making,
  plan: Extract<Plan, { type: 'each' }>,
  name: string,
  path: OutputLocation['path'],
  chain: readonly BlockPlan[],
): OutputNode {
  const { columns } = making.loading;
  const list = columns.list(name, path);
  const make = columns.inside(name, () => nodeOf(making, plan.make, chain, `item of ${name}`));
  return list ? itemsNode(make, list) : rowsNode(make);
}

function valueNode(making: Making, plan: Extract<Plan, { type: 'value' }>, chain: readonly BlockPlan[]): OutputNode {
  const { spot } = plan;
  const { findings } = making.loading;
  making.needs.set(plan, []);
  const form = compileForm(making.loading, plan.value, spot.path, outputsOf(making, chain, plan));
  if (!form) return leafNode(true, () => undefined);
  const convert = converterOf(spot.schema);
  if (form.constant !== undefined && form.constant !== FAILED) {
    const value = form.constant;
    const json = value === '' ? undefined : convert(value);
    if (typeof json === 'string') refuseShortened(findings, plan.value, spot.path);
    const fits = json !== undefined || value === '';
    if (!fits)
      findings.add(spot.path, { ...shapeMismatch(spot.schema, value, spot.name, form), ...columnMeant(making, value) });
    else if (isText(value)) making.loading.texts.push({ path: spot.path, field: spot.name, text: value });
    const mark = () => findings.yaml.mark(spot.path);
    return constantNode(json, (run) => run.tracer?.placed(run.place, mark));
  }
  if (neverFits(spot.schema, form.kind)) findings.add(spot.path, misfitKind(spot.schema, form.kind, spot.name, form));
  else if (isUndeclaredDate(spot, form)) warnOfDate(making, spot, form);
  const evaluate = evaluation(form, spot, convert);
  return tracedLeaf(evaluate, form.direct, () => findings.yaml.mark(spot.path));
}

function evaluation(
  form: ValueExpression,
  spot: OutputLocation,
  convert: (value: Exclude<ReturnType<ValueExpression['read']>, typeof FAILED>) => Json | undefined,
): Evaluate {
  const { direct } = form;
  return (run) => {
    const value = direct ? readColumn(run, direct) : form.read(run);
    if (value === '') return undefined;
    if (value === FAILED) return FAILED;
    const json = convert(value);
    if (json !== undefined) return json;
    run.report(shapeMismatch(spot.schema, value, spot.name, form));
    return FAILED;
  };
}

type Evaluate = (run: Composition) => Json | undefined | typeof FAILED;

/** Notes what the value is made from, where a tracer asks for it. */
function tracedLeaf(evaluate: Evaluate, direct: ColumnSlot | undefined, mark: () => Mark): OutputNode {
  const open: Evaluate = (run) =>
    run.tracer ? run.tracer.value(run.place, mark, direct, () => evaluate(run)) : evaluate(run);
  return leafNode(true, open, evaluate);
}

function columnMeant({ loading }: Making, value: unknown): { readonly hint: string } | undefined {
  const known = typeof value === 'string' && loading.columns.names().includes(value);
  return known && looksLikeColumn(value) ? { hint: `write $${value} for the column` } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && looksLikeColumn(value);
}

function isUndeclaredDate(spot: OutputLocation, form: ValueExpression): boolean {
  const formats = schemaLeaves(spot.schema).map((leaf) => leaf.format);
  return form.kind === 'text' && form.direct?.calculated === false && formats.length === 1 && formats[0] !== undefined;
}

function warnOfDate(making: Making, spot: OutputLocation, form: ValueExpression): void {
  making.loading.findings.add(spot.path, {
    code: 'map/undeclared-date',
    level: 'warning',
    message: `"${spot.name}" is a date, and the column ${form.direct!.name} is passed on as it is written`,
    hint: `declare it: source: columns: { ${form.direct!.name}: date }`,
  });
}

function numberingNode(making: Making, plan: Extract<Plan, { type: 'numbering' }>): OutputNode {
  const { spot, sequence, per } = plan;
  making.numberings.push(plan);
  const forms = per.map((name) => ofColumn(making.loading, singleColumn(name) ?? name, [...spot.path, 'per']));
  const as = schemaLeaves(spot.schema).some((leaf) => leaf.type === 'integer' || leaf.type === 'number')
    ? 'number'
    : 'text';
  const evaluate = (run: Composition) => {
    const scope = forms.map((form) => form.read(run));
    return scope.includes(FAILED) ? FAILED : new Numbering(sequence, scope.map(valueText), as);
  };
  const mark = () => making.loading.findings.yaml.mark(spot.path);
  return tracedLeaf(evaluate, forms[0]?.direct, mark);
}

function readyNode(making: Making, plan: Extract<Plan, { type: 'ready' }>, chain: readonly BlockPlan[]): OutputNode {
  const { loading } = making;
  const { spot, table } = plan;
  making.needs.set(plan, []);
  const form = compileForm(loading, plan.value, spot.path, outputsOf(making, chain, plan));
  const slot = form && loading.columns.slot(form.columns[0]!, spot.path);
  if (!slot) return leafNode(true, () => undefined);
  const blocks = readyBlocks(loading.findings, table, spot);
  const evaluate = (run: Composition) => lookUpBlock(run, slot, table, blocks);
  const mark = () => loading.findings.yaml.mark(spot.path);
  return tracedLeaf(evaluate, undefined, mark);
}
