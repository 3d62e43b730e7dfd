/**
 * The four value forms in, wherever a mapping takes a value: text, $Column, = formula, { from: Column, table: name }. A
 * closure over the run out; everything that can be wrong with the form is found here, before any file is read.
 */
import { KINDS, SOURCE_FILES, VALUE_FORMS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { isToFillIn } from '../../model/draft.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { compileFormula } from '../formula/compile-formula.ts';
import { FUNCTIONS } from '../functions/functions.ts';
import { functionSpelled } from '../functions/localized-names.ts';
import { singleColumn } from '../runtime/column-name.ts';
import { type Composition, readColumn } from '../runtime/composition.ts';
import { checkOf } from '../runtime/type-check.ts';
import type { Context, Kind, Value } from '../runtime/value.ts';
import { attachmentExpression, isAttachment } from './attachment-expression.ts';
import type { Loading, OutputScope, ValueExpression } from './expression-types.ts';
import { itemsOf } from './lists.ts';
import { compileLookup, type LookupForm } from './lookup.ts';

/** For values outside the output, where @path names nothing. */
const NO_OUTPUTS: OutputScope = { output: () => undefined, names: [] };

/** The form { from, table }, whether its parts are right or not. */
export function isLookup(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'from' in value && 'table' in value;
}

/** Undefined where the form is wrong: `findings` has the reason. Numbers and booleans of YAML are constants. */
export function compileValue(
  loading: Loading,
  value: unknown,
  path: YamlPath,
  outputs: OutputScope = NO_OUTPUTS,
): ValueExpression | undefined {
  if (typeof value === 'string') return compileText(loading, value, path, outputs);
  if (typeof value === 'boolean') return constant(value, 'boolean');
  if (typeof value === 'number' && Number.isFinite(value)) return constant(Decimal.from(value), 'number');
  if (isAttachment(value)) return compileAttachment(loading, value.base64, [...path, 'base64'], outputs);
  if (isLookup(value)) {
    return compileLookup(loading, value as LookupForm, path, (part, at) => compileValue(loading, part, at, outputs));
  }
  loading.findings.add(path, {
    code: 'map/not-a-value',
    message: value === null ? VALUE_FORMS.noValue() : VALUE_FORMS.notValue(),
    hint: VALUE_FORMS.writeForm(),
  });
  return undefined;
}

/** `map/no-companions` where the mapping declares no `accepts.companions`. */
function compileAttachment(
  loading: Loading,
  value: unknown,
  path: YamlPath,
  outputs: OutputScope,
): ValueExpression | undefined {
  const { companions, findings, asks } = loading;
  const name = compileValue(loading, value, path, outputs);
  asks.add('companion');
  if (companions.length > 0) return name && attachmentExpression(name, companions);
  findings.add(path, {
    code: 'map/no-companions',
    message: SOURCE_FILES.noAttachments(),
    hint: SOURCE_FILES.addAttachments(),
  });
  return undefined;
}

function constant(value: Value, kind: Kind): ValueExpression {
  return { kind, read: () => value, constant: value, columns: [] };
}

/** A text that a person has to replace is of any kind: the mapping loads, and its other parts can be tried. */
function textConstant(text: string): ValueExpression {
  return constant(text, isToFillIn(text) ? 'any' : 'text');
}

/** A text that looks like a call, ROUND(...), is refused: its = was forgotten. */
function compileText(
  loading: Loading,
  text: string,
  path: YamlPath,
  outputs: OutputScope,
): ValueExpression | undefined {
  if (text.startsWith('=')) return compileFormulaAt(loading, { text: text.slice(1), path, shift: 1 }, outputs);
  if (!text.startsWith('$')) return isCall(text) ? refuseCallAsText(loading, text, path) : textConstant(text);
  const name = singleColumn(text);
  if (name !== undefined) return columnExpression(loading, name, path);
  loading.findings.add(path, {
    code: 'map/not-a-value',
    message: VALUE_FORMS.notColumn({ text }),
    hint: VALUE_FORMS.writeColumn(),
  });
  return undefined;
}

/** A known function with parentheses, also by its French or Spanish name: ROUND($Qte * $PUHT, 2). */
function isCall(text: string): boolean {
  const name = /^\s*([\p{L}.-]+)\s*\(.*\)\s*$/su.exec(text)?.[1]?.toUpperCase();
  return name !== undefined && (FUNCTIONS.has(name) || functionSpelled(name) !== undefined);
}

function refuseCallAsText({ findings }: Loading, text: string, path: YamlPath): undefined {
  const message = VALUE_FORMS.callAsText({ text });
  findings.add(path, { code: 'map/not-a-value', message, hint: VALUE_FORMS.writeEquals() });
  return undefined;
}

/** Reads the column by its slot: one array access per row once the value is known. */
export function columnExpression(loading: Loading, name: string, path: YamlPath): ValueExpression {
  const slot = loading.columns.slot(name, path);
  return {
    kind: slot.kind,
    read: (context) => readColumn(context as Composition, slot),
    direct: slot,
    columns: [name],
    overRows: slot.overRows,
  };
}

/**
 * The formula of `key` (`keep`, `that`, `when`), with or without its "=". Anything but true, false and empty, which is
 * false, is a mistake: `map/not-a-condition` where its kind is known, `map/wrong-kind` while running.
 */
export function compileCondition(
  loading: Loading,
  text: string,
  path: YamlPath,
  key: string,
  outputs: OutputScope = NO_OUTPUTS,
): ValueExpression | undefined {
  const shift = text.startsWith('=') ? 1 : 0;
  const form = compileFormulaAt(loading, { text: text.slice(shift), path, shift }, outputs);
  if (!form || form.kind === 'boolean') return form;
  const { kind, read } = form;
  if (kind !== 'any') {
    const message = VALUE_FORMS.notCondition({ key, kind: KINDS[kind]() });
    loading.findings.add(path, { code: 'map/not-a-condition', message, hint: VALUE_FORMS.compare() });
  }
  const check = checkOf('boolean', text.slice(shift).trim(), key);
  return { ...form, read: (context) => check(read(context), context) };
}

/** `shift`: where the text begins in the scalar at `path`, so that a problem points at its word. */
type PlacedFormula = { readonly text: string; readonly path: YamlPath; readonly shift: number };

function compileFormulaAt(
  { columns, findings, asks }: Loading,
  { text, path, shift }: PlacedFormula,
  outputs: OutputScope,
): ValueExpression | undefined {
  const result = compileFormula(text, {
    column: (name, summed) => {
      const slot = columns.slot(name, path, summed);
      const { kind, list, overRows } = slot;
      // Inside SUM a field of a list is read for each item, elsewhere for the current item.
      const held = summed && list !== undefined ? columns.list(list, path) : undefined;
      const items = held && { list, rows: (context: Context) => itemsOf(context as Composition, held) };
      const read = (context: Context) => readColumn(context as Composition, slot);
      return definedOnly({ kind, read, items, overRows });
    },
    // Only a message needs the names, so they are gathered on demand.
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
  const { kind, evaluate, columns: read, overRows } = result.formula;
  for (const fact of result.formula.asks) asks.add(fact);
  return { kind, read: evaluate, columns: read, overRows };
}
