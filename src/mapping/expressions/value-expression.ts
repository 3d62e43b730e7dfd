/**
 * The four value forms, wherever a value can stand: text, $Column, = formula, { from: Column, table: name }.
 *
 * Each becomes a closure over the run; what can be wrong with it is found here, before any file is read.
 */
import { Decimal } from '../../model/decimal.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { compileFormula } from '../formula/compile-formula.ts';
import { FUNCTIONS } from '../functions/functions.ts';
import { functionSpelled } from '../functions/localized-names.ts';
import { type Composition, readColumn } from '../runtime/composition.ts';
import type { Context, Kind, Value } from '../runtime/value.ts';
import { companionForm, isCompanion } from './attachment-expression.ts';
import { singleColumn } from './column-name.ts';
import type { Loading, OutputScope, ValueExpression } from './expression-types.ts';
import { itemsOf } from './lists.ts';
import { compileLookup, type LookupForm } from './lookup.ts';

const NO_OUTPUTS: OutputScope = { output: () => undefined, names: [] };

export function isLookup(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'from' in value && 'table' in value;
}

/** Undefined where the form is wrong: the findings say why. */
export function compileForm(
  loading: Loading,
  value: unknown,
  path: YamlPath,
  outputs: OutputScope = NO_OUTPUTS,
): ValueExpression | undefined {
  if (typeof value === 'string') return ofText(loading, value, path, outputs);
  if (typeof value === 'boolean') return constant(value, 'boolean');
  if (typeof value === 'number' && Number.isFinite(value)) return constant(Decimal.from(value), 'number');
  if (isCompanion(value)) return ofCompanion(loading, value.base64, [...path, 'base64'], outputs);
  if (isLookup(value)) return compileLookup(loading, value as LookupForm, path, outputs, compileForm);
  loading.findings.add(path, {
    code: 'map/not-a-value',
    message: value === null ? 'no value is given' : 'this is no value',
    hint: 'write a text, $Column, = formula or { from: Column, table: name }',
  });
  return undefined;
}

function ofCompanion(
  loading: Loading,
  value: unknown,
  path: YamlPath,
  outputs: OutputScope,
): ValueExpression | undefined {
  const { companions, findings } = loading;
  const name = compileForm(loading, value, path, outputs);
  if (companions.length > 0) return name && companionForm(name, companions);
  findings.add(path, {
    code: 'map/no-companions',
    message: 'the mapping does not say which files lie beside the export',
    hint: 'add their names: accepts: { files: ..., companions: "*.pdf" }; they are not taken as exports then',
  });
  return undefined;
}

function constant(value: Value, kind: Kind): ValueExpression {
  return { kind, read: () => value, constant: value, columns: [] };
}

function ofText(loading: Loading, text: string, path: YamlPath, outputs: OutputScope): ValueExpression | undefined {
  if (text.startsWith('=')) return ofFormula(loading, text.slice(1), path, outputs, 1);
  if (!text.startsWith('$')) return isCall(text) ? withoutEquals(loading, text, path) : constant(text, 'text');
  const name = singleColumn(text);
  if (name !== undefined) return ofColumn(loading, name, path);
  loading.findings.add(path, {
    code: 'map/not-a-value',
    message: `"${text}" is neither a column nor a formula`,
    hint: 'write $Column, $[Column with spaces], or = in front of a formula; a text that starts with $ is = "$..."',
  });
  return undefined;
}

/** ROUND($Qte * $PUHT, 2) */
function isCall(text: string): boolean {
  const name = /^\s*([\p{L}.-]+)\s*\(.*\)\s*$/su.exec(text)?.[1]?.toUpperCase();
  return name !== undefined && (FUNCTIONS.has(name) || functionSpelled(name) !== undefined);
}

function withoutEquals({ findings }: Loading, text: string, path: YamlPath): undefined {
  const message = `"${text}" is passed on as a text: a formula starts with "="`;
  const hint = 'write = in front of it; if the text is meant, = "..." around it';
  findings.add(path, { code: 'map/not-a-value', message, hint });
  return undefined;
}

export function ofColumn(loading: Loading, name: string, path: YamlPath): ValueExpression {
  const slot = loading.columns.slot(name, path);
  return {
    kind: slot.kind,
    read: (context) => readColumn(context as Composition, slot),
    direct: slot,
    columns: [name],
  };
}

/** A formula that stands alone (`keep`, `that`, `when`) may be written with or without its "=". */
export function compileBareFormula(
  loading: Loading,
  text: string,
  path: YamlPath,
  outputs: OutputScope = NO_OUTPUTS,
): ValueExpression | undefined {
  const shift = text.startsWith('=') ? 1 : 0;
  return ofFormula(loading, text.slice(shift), path, outputs, shift);
}

function ofFormula(
  loading: Loading,
  text: string,
  path: YamlPath,
  outputs: OutputScope,
  shift: number,
): ValueExpression | undefined {
  const { columns, findings } = loading;
  const result = compileFormula(text, {
    column: (name, summed) => {
      const slot = columns.slot(name, path, summed);
      const { kind, list } = slot;
      const held = summed && list !== undefined ? columns.list(list, path) : undefined;
      const items = held && { list, rows: (context: Context) => itemsOf(context as Composition, held) };
      return { kind, read: (context) => readColumn(context as Composition, slot), ...(items ? { items } : {}) };
    },
    get columnNames() {
      return columns.names();
    },
    output: outputs.output,
    get outputNames() {
      return outputs.names;
    },
  });
  if ('problems' in result) {
    findings.addFormula(path, result.problems, shift);
    return undefined;
  }
  return { kind: result.formula.kind, read: result.formula.evaluate, columns: result.formula.columns };
}
