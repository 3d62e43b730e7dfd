/**
 * The block `answers` of a mapping in, its files compiled out: names, formats, fields. Columns of its own, so that an
 * export without a column that only answers use is still read. Everything wrong is added to the findings: unknown names,
 * texts that overflow their width, characters that the encoding lacks, states that a table does not have.
 */

import type { Message } from '../../i18n/message.ts';
import { ANSWERS_BLOCK, SUGGESTIONS } from '../../i18n/messages/mapping-messages.ts';
import { must } from '../../model/must.ts';
import { STATE_NAMES, type State } from '../../model/state.ts';
import type { TextPage } from '../../text/text-page.ts';
import { XML_NAME } from '../../text/xml-name.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import type { Columns, Loading, OutputScope, ValueExpression } from '../expressions/expression-types.ts';
import { misuseOf } from '../expressions/lookup.ts';
import { compileValue, isLookup } from '../expressions/value-expression.ts';
import type { AnswersEntry } from '../file/answers-shape.ts';
import type { Composition } from '../runtime/composition.ts';
import { valueText } from '../runtime/composition.ts';
import { suggestionFor, unknownKey } from '../runtime/diagnostics.ts';
import { FAILED, type Value } from '../runtime/value.ts';
import { codesOf, type Lookup, OTHERWISE, valuesOf } from '../tables/tables.ts';
import { NAME_TOKENS, type NameProblem, readNamePattern } from './answer-name-pattern.ts';
import { answerNames } from './answer-scope.ts';
import type { AnswerField, CompiledAnswers } from './compiled-answers.ts';

/** What the compilation of all blocks of a mapping needs besides the loading of the mapping. */
type AnswersWorld = {
  readonly mapping: string;
  /** The columns for one block; each has its own. */
  readonly columns: () => Columns;
  /** Undefined for an encoding that is unknown. */
  readonly page: (encoding: string) => TextPage | undefined;
};

/** For a world that knows no encodings: every character is in UTF-8. */
export function utf8Page(encoding: string): TextPage | undefined {
  if (!/^utf-?8$/i.test(encoding)) return undefined;
  return { holds: () => true, fit: (text) => text, bytes: (text) => Buffer.from(text), text: String };
}

/** What is never reported: a document on its way has no answer yet. */
const NEVER: ReadonlySet<State> = new Set(['sending']);

/** Whether documents of this state are reported in files of this kind; `ready` only where a file lists everything. */
export function isReported(state: State, when: AnswersEntry['when']): boolean {
  return !NEVER.has(state) && (state !== 'ready' || when === 'file');
}

/** The blocks that could be compiled; the findings have the reasons for the others. */
export function compileAnswers(
  entries: readonly AnswersEntry[],
  world: AnswersWorld,
  loading: Loading,
): readonly CompiledAnswers[] {
  const names = new Set<string>();
  return entries.flatMap((entry, n) => {
    const path = ['answers', n];
    // What was reported is known by the name, in whichever folder: a second entry would get nothing.
    const known = [entry.file, `${entry.to}/${entry.file.toLowerCase()}`];
    if (known.some((one) => names.has(one))) {
      const message = ANSWERS_BLOCK.sameName({ name: entry.file });
      loading.findings.add([...path, 'file'], { code: 'map/answers-name', message, hint: ANSWERS_BLOCK.otherName() });
      return [];
    }
    for (const one of known) names.add(one);
    return compileOne(entry, path, world, loading) ?? [];
  });
}

function compileOne(
  entry: AnswersEntry,
  path: YamlPath,
  world: AnswersWorld,
  loading: Loading,
): CompiledAnswers | undefined {
  const { findings } = loading;
  const name = readNamePattern(entry.file);
  if ('problem' in name) {
    const hint = ANSWERS_BLOCK.nameParts({ parts: NAME_TOKENS.map((token) => `{${token}}`) });
    findings.add([...path, 'file'], { code: 'map/answers-name', message: NAME_PROBLEM[name.problem](name), hint });
    return undefined;
  }
  if (entry.when !== 'change' && !name.perFile) {
    const message = ANSWERS_BLOCK.notPerFile({ when: entry.when });
    findings.add([...path, 'file'], { code: 'map/answers-name', message, hint: ANSWERS_BLOCK.nameExport() });
    return undefined;
  }
  // A function without arguments, such as COUNT(), counts rows.
  const reads = { rows: /\(\s*\)/.test(JSON.stringify(entry.row)), corrections: false, document: false };
  const columns = watchedColumns(world.columns(), reads);
  const { csv, xml, fixed } = entry.format;
  const options = csv ?? xml ?? fixed;
  const kind = must(
    FORMATS.find((one) => entry.format[one]),
    'the format of answers',
  );
  const encoding = options?.encoding ?? 'utf-8';
  const page = world.page(encoding);
  if (!page) {
    const message = ANSWERS_BLOCK.noEncoding({ encoding });
    findings.add([...path, 'format', kind, 'encoding'], {
      code: 'map/answers-encoding',
      message,
      hint: suggestionFor(encoding, ['utf-8', 'windows-1252', 'iso-8859-15', 'cp850', 'utf-16le'], SUGGESTIONS.known),
    });
    return undefined;
  }
  if (options?.replace !== undefined && !page.holds(options.replace)) {
    const message = ANSWERS_BLOCK.lacksLetter({ text: options.replace });
    const at = [...path, 'format', kind, 'replace'];
    findings.add(at, { code: 'map/answers-encoding', message, hint: ANSWERS_BLOCK.replaceLetter() });
  }
  const making: Making = {
    loading: { ...loading, columns },
    reads,
    page,
    replace: options?.replace,
    entry,
    kind,
  };
  for (const key of ['root', 'element', 'namespace'] as const)
    checkName(xml?.[key], [...path, 'format', kind, key], making);
  const part = (key: 'head' | 'row' | 'foot') => compileFields(entry[key] ?? {}, [...path, key], making, key);
  const block: CompiledAnswers = {
    id: `${world.mapping} ${entry.file}`,
    name,
    ...{ to: entry.to, when: entry.when, format: entry.format, each: entry.each },
    ...(entry.marker === undefined ? {} : { marker: entry.marker }),
    ...{ head: part('head'), row: part('row'), foot: part('foot') },
    readsRows: reads.rows || columns.slots.some(({ calculated }) => calculated),
    readsCorrections: reads.corrections,
    readsDocument: reads.document,
    columns,
    page,
    lineEnd: options?.['line-end'] === 'lf' ? '\n' : '\r\n',
    replace: options?.replace,
  };
  if (fixed?.width !== undefined) checkWidth(block, fixed.width, path, loading);
  return block;
}

const FORMATS = ['csv', 'xml', 'fixed'] as const;

const NAME_PROBLEM: { readonly [problem in NameProblem['problem']]: (values: { readonly part: string }) => Message } = {
  unknown: ANSWERS_BLOCK.unknownPart,
  'no-number': () => ANSWERS_BLOCK.noNumber(),
  'not-a-name': ANSWERS_BLOCK.notName,
};

type Reads = { rows: boolean; corrections: boolean; document: boolean };

/** Notes whether a formula goes over the rows of a document. */
function watchedColumns(columns: Columns, reads: Reads): Columns {
  return {
    ...columns,
    slot: (name, path, summed) => {
      if (summed) reads.rows = true;
      return columns.slot(name, path, summed);
    },
  };
}

type Making = {
  readonly reads: Reads;
  readonly loading: Loading;
  readonly page: TextPage;
  readonly replace: string | undefined;
  readonly entry: AnswersEntry;
  readonly kind: 'csv' | 'xml' | 'fixed';
};

type FieldForm = {
  readonly value: unknown;
  readonly width?: unknown;
  readonly align?: unknown;
  readonly fill?: unknown;
  readonly cut?: unknown;
};

const FIELD_KEYS = ['value', 'width', 'align', 'fill', 'cut'];
/** `A/B`: an element in an element; `@A`: an attribute of the element of the document. */
const XML_FIELD = new RegExp(`^(?:@${XML_NAME}|${XML_NAME}(?:/${XML_NAME})*)$`, 'u');

function compileFields(
  given: { readonly [name: string]: unknown },
  path: YamlPath,
  making: Making,
  part: 'head' | 'row' | 'foot',
): readonly AnswerField[] {
  const { findings, columns } = making.loading;
  const outputs = answerNames(part === 'row' ? 'document' : 'file', columns.names, (what) => {
    making.reads[what] = true;
  });
  return Object.entries(given).flatMap(([name, value]) => {
    const at = [...path, name];
    checkFieldName(name, at, making, part);
    const field = fieldForm(value);
    for (const key of Object.keys(field ?? {}).filter((one) => !FIELD_KEYS.includes(one))) {
      findings.add([...at, key], unknownKey(key, FIELD_KEYS));
    }
    const form = compileAnswerValue(making, field ? field.value : value, field ? [...at, 'value'] : at, outputs);
    if (part !== 'row') refuseOverRowsAlone(form, part, at, making.loading);
    const layout = layoutOf(field, at, making);
    if (!form || !layout) return [];
    const compiled: AnswerField = { name, form, ...layout };
    checkConstants(compiled, at, making);
    return compiled;
  });
}

/** `map/needs-document`: head and foot have no rows, so that a sum over them would be 0. */
function refuseOverRowsAlone(
  form: ValueExpression | undefined,
  key: 'head' | 'foot',
  path: YamlPath,
  { findings }: Loading,
): void {
  if (form?.overRows === undefined) return;
  const message = ANSWERS_BLOCK.overRows({ key, source: form.overRows });
  findings.add(path, { code: 'map/needs-document', message, hint: ANSWERS_BLOCK.countDocuments() });
}

/** In a fixed-width file no field has a name, in a separated one those of the header have one. */
function checkFieldName(name: string, path: YamlPath, making: Making, part: 'head' | 'row' | 'foot'): void {
  const { kind, entry, loading } = making;
  if (kind === 'xml' && !XML_FIELD.test(name)) {
    loading.findings.add(path, { code: 'map/answers-field', message: ANSWERS_BLOCK.notElement({ name }), key: true });
  }
  if (kind === 'xml' || (part === 'row' && entry.format.csv?.header)) checkName(name, path, making);
}

/** The ERP looks for the name as it is written here: nothing may stand for a character of it. */
function checkName(name = '', path: YamlPath, { loading, page }: Making): void {
  if (page.holds(name)) return;
  const message = ANSWERS_BLOCK.lacksLetter({ text: name });
  loading.findings.add(path, { code: 'map/answers-encoding', message, hint: ANSWERS_BLOCK.otherEncoding() });
}

function fieldForm(value: unknown): FieldForm | undefined {
  return typeof value === 'object' && value !== null && 'value' in value ? (value as FieldForm) : undefined;
}

/** The forms of a mapping, and `@name` in quotes as a form of its own, also under `from` of a look-up. */
function compileAnswerValue(
  making: Making,
  value: unknown,
  path: YamlPath,
  outputs: OutputScope,
): ValueExpression | undefined {
  const { loading } = making;
  if (typeof value === 'string' && value.startsWith('@')) return compileValue(loading, `= ${value}`, path, outputs);
  if (!isLookup(value)) return compileValue(loading, value, path, outputs);
  const { from, table, ...rest } = value as { readonly from: unknown; readonly table: unknown };
  if (typeof from !== 'string' || !from.startsWith('@')) return compileValue(loading, value, path, outputs);
  const key = compileValue(loading, `= ${from}`, [...path, 'from'], outputs);
  const found = tableOfName(making, String(table), path);
  if (!found) return undefined;
  for (const more of Object.keys(rest).filter((one) => one !== 'default')) {
    loading.findings.add([...path, more], unknownKey(more, ['from', 'table', 'default']));
  }
  const fallback =
    'default' in rest ? compileAnswerValue(making, rest.default, [...path, 'default'], outputs) : undefined;
  if (!key || ('default' in rest && !fallback)) return undefined;
  if (from === '@answer.state' && !fallback) requireStates(found, [...path, 'table'], making);
  return { kind: found.kind, read: tableReader(found, key, fallback), columns: [], lookup: found };
}

/** A table with one code for a value: what `@name` can look up. Undefined for any other, with a finding. */
function tableOfName({ loading }: Making, name: string, path: YamlPath): Lookup | undefined {
  const found = loading.tables.get(name);
  loading.usedTables.add(name);
  const misuse = found && misuseOf(found, 1, undefined);
  if (found && !misuse) return found;
  if (misuse) loading.findings.add([...path, misuse.key], { code: 'map/wrong-table', ...misuse.words });
  else {
    const hint = suggestionFor(name, [...loading.tables.keys()], SUGGESTIONS.tables);
    const message = ANSWERS_BLOCK.noTable({ name });
    loading.findings.add([...path, 'table'], { code: 'map/no-such-table', message, hint });
  }
  return undefined;
}

function tableReader(table: Lookup, key: ValueExpression, fallback: ValueExpression | undefined) {
  return (context: Parameters<ValueExpression['read']>[0]): Value => {
    const code = key.read(context);
    if (code === FAILED) return FAILED;
    const text = valueText(code);
    const exact = table.values.get(text);
    if (exact !== undefined) return exact;
    const matched = text === '' ? undefined : table.values.get(table.match?.(text) ?? '');
    if (matched !== undefined) return matched;
    if (fallback) return fallback.read(context);
    const otherwise = table.values.get(OTHERWISE);
    if (otherwise !== undefined) return otherwise;
    (context as Composition).failed = text !== '';
    return text === '' ? '' : FAILED;
  };
}

/** `map/answers-states`: a state without a word of the ERP would be found in the night. */
function requireStates(table: Lookup, path: YamlPath, { loading, entry }: Making): void {
  if (table.unread) return;
  // Such a table takes a repeat for a success. A duplicate has the answer of the document that it repeats.
  const duplicate = table.values.get('duplicate');
  if (duplicate !== undefined && duplicate === table.values.get('authorized')) {
    const message = ANSWERS_BLOCK.duplicateAccepted({ table: table.name, letter: valueText(duplicate) });
    const hint = ANSWERS_BLOCK.noDuplicate();
    loading.findings.add(path, { code: 'map/answers-states', level: 'warning', message, hint });
  }
  if (codesOf(table).includes(OTHERWISE)) return;
  const has = (state: State) => table.values.has(state) || table.match?.(state) !== undefined;
  const states = STATE_NAMES.filter((state) => isReported(state, entry.when) && state !== 'duplicate' && !has(state));
  if (states.length === 0) return;
  const message = ANSWERS_BLOCK.statesMissing({ table: table.name, states });
  loading.findings.add(path, { code: 'map/answers-states', message, hint: ANSWERS_BLOCK.addStates() });
}

type Layout = Pick<AnswerField, 'width' | 'align' | 'fill' | 'cut'>;

function layoutOf(field: FieldForm | undefined, path: YamlPath, { loading, kind }: Making): Layout | undefined {
  const { width, align = 'left', fill = ' ', cut = false } = field ?? {};
  const isWidth = typeof width === 'number' && Number.isInteger(width) && width >= 1 && width <= 1000;
  const isAlign = align === 'left' || align === 'right';
  const isCut = typeof cut === 'boolean' || cut === 'yes' || cut === 'no';
  if ((width === undefined ? kind === 'fixed' : !isWidth) || !isAlign || !isCut || !/^[^\p{C}]$/u.test(String(fill))) {
    const message = width === undefined && kind === 'fixed' ? ANSWERS_BLOCK.noWidth() : ANSWERS_BLOCK.wrongLayout();
    loading.findings.add(path, { code: 'map/answers-field', message, hint: ANSWERS_BLOCK.layout() });
    return undefined;
  }
  const layout = { align, fill: String(fill), cut: cut === true || cut === 'yes' } as const;
  return isWidth ? { ...layout, width } : layout;
}

function knownTexts({ constant, lookup }: ValueExpression): ReadonlySet<string> {
  if (constant !== undefined) return new Set([valueText(constant)]);
  return new Set(lookup ? valuesOf(lookup).map(([, value]) => valueText(value)) : []);
}

/** What is known before any export is read: constants, and the values of tables. */
function checkConstants({ form, width, cut }: AnswerField, path: YamlPath, { loading, page, replace }: Making): void {
  for (const text of knownTexts(form)) {
    if (width !== undefined && !cut && [...text].length > width) {
      const message = ANSWERS_BLOCK.tooWide({ text, width });
      loading.findings.add(path, { code: 'map/answers-too-wide', message, hint: ANSWERS_BLOCK.widen() });
    }
    if (replace === undefined && !page.holds(text)) {
      const message = ANSWERS_BLOCK.lacksLetter({ text });
      loading.findings.add(path, { code: 'map/answers-encoding', message, hint: ANSWERS_BLOCK.replaceLetter() });
    }
  }
}

/** `map/answers-too-wide`: every line of such a file is as long. */
function checkWidth(block: CompiledAnswers, width: number, path: YamlPath, { findings }: Loading): void {
  for (const key of ['head', 'row', 'foot'] as const) {
    const fields = block[key];
    const total = fields.reduce((sum, field) => sum + (field.width ?? 0), 0);
    if (fields.length === 0 || total <= width) continue;
    const message = ANSWERS_BLOCK.lineTooWide({ total, width });
    findings.add([...path, key], { code: 'map/answers-too-wide', message, hint: ANSWERS_BLOCK.narrow(), key: true });
  }
}
