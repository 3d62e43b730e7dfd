/**
 * The block `documents` of a mapping in; how rows are grouped, left out, classified and identified out. Everything wrong
 * is added to the findings with its place.
 */
import { DOCUMENT, DOCUMENT_IDENTITY, MAPPING_KEYS, SUGGESTIONS } from '../i18n/messages/mapping-messages.ts';
import type { YamlPath } from '../yaml/yaml-document.ts';
import type { CompiledMapping } from './compiled-mapping.ts';
import type { CompiledDocument } from './compose/compose-document.ts';
import type { Loading } from './expressions/expression-types.ts';
import { columnExpression, compileCondition, compileValue } from './expressions/value-expression.ts';
import { listOf, type MappingFile } from './file/mapping-shape.ts';
import type { Target } from './mapping-world.ts';
import { singleColumn } from './runtime/column-name.ts';
import { type Diagnostics, suggestionFor } from './runtime/diagnostics.ts';
import type { Value } from './runtime/value.ts';
import { type Lookup, valuesOf } from './tables/tables.ts';

type CompiledDocuments = Pick<CompiledMapping, 'one' | 'rows' | 'identical' | 'key' | 'keep'> &
  Pick<CompiledDocument, 'class' | 'neverTwice'>;

/** `map/unknown-class`, `map/wrong-kind` and the findings of their values are added to `loading.findings`. */
export function compileDocuments(given: MappingFile, target: Target, loading: Loading): CompiledDocuments {
  const { documents } = given;
  const onePer = documents['one-per'];
  const one = onePer === 'file' || onePer === 'row' ? onePer : 'key';
  const named = (value: string, path: YamlPath) => loading.columns.slot(singleColumn(value) ?? value, path);
  const key = one === 'key' ? listOf(onePer).map((value) => named(value, ['documents', 'one-per'])) : [];
  const neverTwice = listOf(documents['never-twice'] ?? []).flatMap((value) => {
    const path = ['documents', 'never-twice'];
    const isForm = value.startsWith('=') || value.startsWith('$');
    const form = isForm ? compileValue(loading, value, path) : columnExpression(loading, value, path);
    return form ? [{ form, path }] : [];
  });
  return {
    one,
    rows: documents.rows ?? 'adjacent',
    identical: documents['identical-rows'] ?? 'warning',
    key,
    keep: keepOf(documents.keep, loading),
    class: classOf(documents.class, target, loading),
    neverTwice,
  };
}

/**
 * `map/needs-document` for a value over the rows of a document where each row is read before its document exists: the key, `keep`
 * and control totals. A document of one row has the same value there.
 */
export function refuseOverRows(
  { one, key, keep }: Pick<CompiledDocuments, 'one' | 'key' | 'keep'>,
  controls: CompiledMapping['controls'],
  findings: Diagnostics,
): void {
  if (one === 'row') return;
  const read = [
    ...key.map((slot) => ({ where: 'one-per', of: slot, path: ['documents', 'one-per'] })),
    ...(keep ? [{ where: 'keep', of: keep.form, path: keep.path }] : []),
    ...controls.map(({ sum }, n) => ({ where: 'sum-of', of: sum?.slot, path: ['source', 'controls', n, 'sum-of'] })),
  ];
  for (const { where, of, path } of read) {
    if (of?.overRows === undefined) continue;
    findings.add(path, {
      code: 'map/needs-document',
      message: DOCUMENT_IDENTITY.needsDocument({ key: where, source: of.overRows }),
      hint: DOCUMENT_IDENTITY.readRows(),
    });
  }
}

/** The condition `documents.keep`; a row for which it is false is left out and appears in the summary. */
function keepOf(text: string | undefined, loading: Loading): CompiledMapping['keep'] {
  if (text === undefined) return undefined;
  const path = ['documents', 'keep'];
  const form = compileCondition(loading, text, path, 'keep:');
  return form && { form, says: `keep: ${text}`, path };
}

/**
 * A column or formula; `map/wrong-kind` where it can never be a number. Compiled last: a fault of several columns names the
 * one that the mapping uses first.
 */
export function compileAmount(value: unknown, loading: Loading): CompiledDocument['amount'] {
  if (value === undefined) return undefined;
  const path = ['documents', 'amount'];
  const form = compileValue(loading, value, path);
  if (form && form.kind !== 'number' && form.kind !== 'any') {
    loading.findings.add(path, {
      code: 'map/wrong-kind',
      message: MAPPING_KEYS.notAmount(),
      hint: MAPPING_KEYS.giveAmount(),
    });
  }
  return form && { form };
}

/** The class as a constant, a column, a table or a formula. Known values are checked now: `map/unknown-class`. */
function classOf(value: unknown, target: Target, loading: Loading): CompiledDocument['class'] {
  const path = ['documents', 'class'];
  const { findings } = loading;
  if (value === undefined) {
    if (target.classes.length === 1) return undefined;
    findings.add(['documents'], {
      code: 'map/missing',
      message: MAPPING_KEYS.missing({ key: 'documents.class' }),
      hint: MAPPING_KEYS.giveClass({ classes: target.classes }),
      key: true,
    });
    return undefined;
  }
  const form = compileValue(loading, value, path);
  if (!form) return undefined;
  if (form.lookup) form.lookup.givesClass = true;
  for (const [at, name] of form.lookup ? valuesIn(form.lookup) : [[path, form.constant] as const]) {
    if (typeof name !== 'string' || target.classes.includes(name)) continue;
    findings.add(at, {
      code: 'map/unknown-class',
      message: DOCUMENT.unknownClass({ name, kind: target.name }),
      hint: suggestionFor(name, target.classes, SUGGESTIONS.classes),
    });
  }
  return { form, path };
}

/** Each value with its place; for a table in a file, the place where the mapping names it. */
function valuesIn(table: Lookup): readonly (readonly [YamlPath, Value])[] {
  const path = ['tables', table.name];
  return valuesOf(table).map(([code, value]) => [[...path, code], value]);
}
