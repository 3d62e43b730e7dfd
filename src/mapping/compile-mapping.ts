/**
 * The parts of a mapping file compiled, one after the other: source, tables, columns, output, documents, checks.
 */
import type { Message } from '../i18n/message.ts';
import type { Schema } from '../model/document.ts';
import type { YamlFile, YamlPath } from '../yaml/yaml-document.ts';
import { checkShape } from '../yaml/yaml-document.ts';
import type { CompiledMapping } from './compiled-mapping.ts';
import type { CompiledDocument, MappingCheck } from './compose/compose-document.ts';
import { compileControls } from './compose/control-total-definitions.ts';
import { singleColumn } from './expressions/column-name.ts';
import { collectColumns, missingColumns } from './expressions/columns.ts';
import type { Loading } from './expressions/expression-types.ts';
import { type Lists, listsIn } from './expressions/lists.ts';
import { compileBareFormula, compileForm, ofColumn } from './expressions/value-expression.ts';
import { listOf, type MappingFile, OWN_SOURCE_KEYS, type SayOfCheck } from './file/mapping-shape.ts';
import { comparedIn } from './formula/comparison-operands.ts';
import type { MappingWorld, Target } from './mapping-world.ts';
import { compileOutput, type Output, requireCondition } from './output/compile-output.ts';
import { outlineOf } from './output/output-plan.ts';
import { warnOfColumnsAsText } from './output/unquoted-columns.ts';
import { type Diagnostics, hintOf, refuseShortened } from './runtime/diagnostics.ts';
import type { Value } from './runtime/value.ts';
import { compileJoin, type Join, joinedNames } from './source/file-join.ts';
import { readColumnTypes } from './source/source-columns.ts';
import { isTaxFromGross } from './standard-blocks/standard-totals.ts';
import { type Lookup, readTables, valuesOf } from './tables/tables.ts';

/** EncodedFile of the French contract (french-invoicing 2.1); the only document that travels as a file. */
const FILE_SCHEMA: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    ['format', 'filename', 'transport', 'data'].map((key) => [key, { type: 'string' }] as const),
  ),
};

export function compileMapping(
  given: MappingFile,
  world: MappingWorld,
  findings: Diagnostics,
): CompiledMapping | undefined {
  refuseShortened(findings, given.version, ['version']);
  const target = targetOf(given, world, findings);
  const options = formatOptions(given, world, findings);
  const join = compileJoin(given, formatPart(given, world), world.formats.get(given.source.format), findings);
  const types = readColumnTypes(given.source, typesKey(given, world), findings);
  const tables = readTables(given.tables ?? {}, world.readText, findings);
  const loading = startLoading(given, types, tables, findings, listsIn(options));
  for (const [name] of Object.entries(given['calculated-columns'] ?? {})) {
    if (types.has(name)) {
      findings.add(['calculated-columns', name], {
        code: 'map/column-twice',
        message: `"${name}" is a column of the file as well (source.columns)`,
        hint: 'give the calculated column another name',
        key: true,
      });
    }
    loading.columns.slot(name, ['calculated-columns', name]);
  }
  if (!target) return undefined;
  const documents = compileDocuments(given, target, loading);
  const controls = compileControls(given.source, options, loading);
  const payload = given.output && compileBody(given.output, 'output', target.schema, loading);
  const file = given.file && compileFile(given.file, target, loading);
  const checks = compileChecks(given, payload ?? file, loading);
  requireBody(given, findings);
  requireIdentity(given, [payload, file], findings);
  warnOfUnused(loading);
  checkDeclared(options, join, loading);
  const declared = [options, join?.options].flatMap((part) => declaredBy(part) ?? []);
  warnOfColumnsAsText(loading, [...declared, ...(given.accepts.columns ?? [])]);
  const recipe: CompiledDocument = {
    kind: target.name,
    classes: target.classes,
    class: documents.class,
    neverTwice: documents.neverTwice,
    payload,
    isTaxFromGross: isTaxFromGross(given.output),
    file,
    checks,
    slots: loading.columns.slots,
    findings,
  };
  return { recipe, columns: loading.columns, options, join, findings, controls, ...documents };
}

function startLoading(
  given: MappingFile,
  types: Parameters<typeof collectColumns>[0],
  tables: ReadonlyMap<string, Lookup>,
  findings: Diagnostics,
  lists: Lists,
): Loading {
  const calculated = given['calculated-columns'] ?? {};
  const columns = collectColumns(
    types,
    { names: Object.keys(calculated), compile: (name, path) => compileForm(loading, calculated[name], path) },
    findings,
    lists,
  );
  const companions = listOf(given.accepts.companions ?? []);
  const loading: Loading = { findings, tables, usedTables: new Set(), columns, companions, texts: [] };
  return loading;
}

function targetOf(given: MappingFile, world: MappingWorld, findings: Diagnostics): Target | undefined {
  const target = world.targets.find((candidate) => candidate.name === given.target);
  if (target) return target;
  const names = world.targets.map((candidate) => candidate.name);
  findings.add(['target'], {
    code: 'map/no-such-target',
    message: `there is no target "${given.target}"`,
    hint: hintOf(given.target, names, 'targets'),
  });
  return undefined;
}

/** A format with `columns` of its own (element paths) leaves `types` for what the columns contain. */
export function typesKey(given: MappingFile, world: MappingWorld): 'columns' | 'types' {
  const shape = world.formats.get(given.source.format);
  return shape && 'columns' in fieldsOf(shape) ? 'types' : 'columns';
}

function fieldsOf(shape: unknown): object {
  let at = shape as { shape?: object; def?: { innerType?: unknown; in?: unknown } } | undefined;
  while (at && !at.shape && at.def) at = (at.def.innerType ?? at.def.in) as typeof at;
  return at?.shape ?? {};
}

/** Keys of `source` that are not the format's. */
function ownKeys(given: MappingFile, world: MappingWorld): readonly string[] {
  return [...OWN_SOURCE_KEYS.filter((key) => key !== 'columns'), typesKey(given, world)];
}

function formatPart(given: MappingFile, world: MappingWorld): { readonly [key: string]: unknown } {
  const own = ownKeys(given, world);
  return Object.fromEntries(Object.entries(given.source).filter(([key]) => !own.includes(key)));
}

function formatOptions(given: MappingFile, world: MappingWorld, findings: Diagnostics): unknown {
  const { format } = given.source;
  const shape = world.formats.get(format);
  if (!shape) {
    findings.add(['source', 'format'], {
      code: 'map/no-such-format',
      message: `there is no format "${format}"`,
      hint: hintOf(format, [...world.formats.keys()], 'formats'),
    });
    return undefined;
  }
  const own = ownKeys(given, world);
  const value = formatPart(given, world);
  const part: YamlFile = {
    file: findings.yaml.file,
    value,
    mark: (path, ...rest) => findings.yaml.mark(['source', ...path], ...rest),
  };
  const checked = checkShape(part, shape, 'map');
  if ('value' in checked) return checked.value;
  for (const fault of checked.faults) {
    const key = /^unknown key "(.*)"$/.exec(fault.message)?.[1];
    const near = key === undefined ? undefined : hintOf(key, own);
    findings.faults.push(near?.startsWith('did') ? { ...fault, hint: near } : fault);
  }
  return undefined;
}

type Documents = Pick<CompiledMapping, 'one' | 'rows' | 'identical' | 'key' | 'keep'> &
  Pick<CompiledDocument, 'class' | 'neverTwice'>;

function compileDocuments(given: MappingFile, target: Target, loading: Loading): Documents {
  const { documents } = given;
  const onePer = documents['one-per'];
  const one = onePer === 'file' || onePer === 'row' ? onePer : 'key';
  const named = (value: string, path: YamlPath) => loading.columns.slot(singleColumn(value) ?? value, path);
  const key = one === 'key' ? listOf(onePer).map((value) => named(value, ['documents', 'one-per'])) : [];
  const neverTwice = listOf(documents['never-twice'] ?? []).flatMap((value) => {
    const path = ['documents', 'never-twice'];
    const isForm = value.startsWith('=') || value.startsWith('$');
    const form = isForm ? compileForm(loading, value, path) : ofColumn(loading, value, path);
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

function keepOf(text: string | undefined, loading: Loading): CompiledMapping['keep'] {
  if (text === undefined) return undefined;
  const path = ['documents', 'keep'];
  const form = compileBareFormula(loading, text, path);
  if (!form) return undefined;
  requireCondition(loading, form, path, 'keep:');
  return { form, says: `keep: ${text}`, path };
}

function classOf(value: unknown, target: Target, loading: Loading): CompiledDocument['class'] {
  const path = ['documents', 'class'];
  const { findings } = loading;
  if (value === undefined) {
    if (target.classes.length === 1) return undefined;
    findings.add(['documents'], {
      code: 'map/missing',
      message: '"documents.class" is missing',
      hint: `give one of ${target.classes.join(', ')}, or a table that does`,
      key: true,
    });
    return undefined;
  }
  const form = compileForm(loading, value, path);
  if (!form) return undefined;
  if (form.lookup) form.lookup.givesClass = true;
  for (const [at, name] of form.lookup ? valuesIn(form.lookup) : [[path, form.constant] as const]) {
    if (typeof name !== 'string' || target.classes.includes(name)) continue;
    findings.add(at, {
      code: 'map/unknown-class',
      message: `"${name}" is no class of ${target.name}`,
      hint: hintOf(name, target.classes, 'classes'),
    });
  }
  return { form, path };
}

/** Each with its place; of a table that is a file the place where the mapping names it. */
function valuesIn(table: Lookup): readonly (readonly [YamlPath, Value])[] {
  const path = ['tables', table.name];
  return valuesOf(table).map(([code, value]) => [[...path, code], value]);
}

function compileBody(value: object, key: 'output' | 'file', schema: Schema, loading: Loading): Output | undefined {
  const spot = { path: [key], fixed: false, name: '', schema };
  if (Object.keys(value).length === 0) {
    loading.findings.add([key], { code: 'map/missing', message: `"${key}" has no fields`, key: true });
    return undefined;
  }
  const plan = outlineOf(loading, value, spot);
  if (plan?.type === 'block' && plan.when === undefined) return compileOutput(loading, plan);
  if (plan) {
    loading.findings.add([key], {
      code: 'map/wrong-shape',
      message: `"${key}" is a block of fields`,
      hint: 'rows that make no document are left out with documents: keep',
      key: true,
    });
  }
  return undefined;
}

function compileFile(value: object, target: Target, loading: Loading): Output | undefined {
  if (target.acceptsFile) return compileBody(value, 'file', FILE_SCHEMA, loading);
  loading.findings.add(['file'], {
    code: 'map/no-file-allowed',
    message: `${target.name} takes no document as a file`,
    hint: 'describe it under output',
    key: true,
  });
  return undefined;
}

function compileChecks(given: MappingFile, output: Output | undefined, loading: Loading): readonly MappingCheck[] {
  return (given.checks ?? []).flatMap((check, n) => {
    const path = ['checks', n, 'that'];
    const form = compileBareFormula(loading, check.that, path, output?.outputs);
    if (!form) return [];
    requireCondition(loading, form, path, 'that:');
    const sides = comparedIn(check.that).flatMap((says) => {
      const side = compileForm(loading, singleColumn(says) === undefined ? `= ${says}` : says, path, output?.outputs);
      return side ? [{ says: side.direct?.name ?? says, form: side }] : [];
    });
    return [{ form, level: check.else, says: wordsOf(check.say), path, sides }];
  });
}

/** A language without a text of its own shows the English one, or else the first that the mapping gives. */
function wordsOf(say: SayOfCheck): string | Message {
  if (typeof say === 'string') return say;
  const { en, fr, es } = say;
  const first = en ?? fr ?? es ?? '';
  return { words: { en: first, fr: fr ?? first, es: es ?? first } };
}

function requireBody(given: MappingFile, findings: Diagnostics): void {
  if (given.output || given.file) return;
  findings.add([], {
    code: 'map/missing',
    message: '"output" is missing',
    hint: 'describe the document under output:',
  });
}

/** A number must be given once per identity, and a file alone has no identity of its own. */
function requireIdentity(given: MappingFile, bodies: readonly (Output | undefined)[], findings: Diagnostics): void {
  const numberings = bodies.flatMap((body) => body?.numberings ?? []);
  const first = numberings[0];
  const other = numberings.find(
    (one) => JSON.stringify([one.sequence, one.per]) !== JSON.stringify([first?.sequence, first?.per]),
  );
  if (other) {
    findings.add(other.spot.path, {
      code: 'map/two-sequences',
      message: 'a document takes one number of one sequence, and this asks for another',
      hint: `use sequence ${first?.sequence} with the same per: here too`,
    });
  }
  if (given.documents['never-twice'] !== undefined) return;
  const hint = 'add documents: never-twice: [columns that tell documents apart]';
  if (first) {
    findings.add(first.spot.path, {
      code: 'map/no-never-twice',
      message: 'a number of a sequence is given once per document, and the mapping does not say what makes it the same',
      hint,
    });
  } else if (given.file && !given.output) {
    findings.add(['file'], {
      code: 'map/no-never-twice',
      message: 'a document that is only a file has no number to know it by',
      hint: `${hint}, such as [= FILE-STEM()]`,
      key: true,
    });
  }
}

type Declared = {
  readonly columns?: unknown;
  readonly 'column-names'?: unknown;
  readonly records?: readonly { readonly columns: object }[];
  readonly 'record-column'?: string;
};

/** Where the format lists its columns (element paths, names of a file without header), every name can be checked. */
function checkDeclared(options: unknown, join: Join | undefined, loading: Loading): void {
  const headers = declaredBy(options);
  const lines = join && declaredBy(join.options);
  const declared = join ? headers && lines && joinedNames(headers, lines, join) : headers;
  if (!declared) return;
  const table = { file: 'the source', columns: declared };
  loading.findings.faults.push(
    ...missingColumns(loading.columns, table, loading.findings).map(({ origin: _, ...fault }) => fault),
  );
}

function declaredBy(options: unknown): readonly string[] | undefined {
  const { columns, 'column-names': names, ...more } = (options ?? {}) as Declared;
  if (Array.isArray(names)) return names.map(String);
  const lists = [...listsIn(options).keys()];
  if (more.records) {
    const inRecords = more.records.flatMap((record) => Object.keys(record.columns));
    return [more['record-column'] ?? '', ...new Set([...inRecords, ...lists])];
  }
  return typeof columns === 'object' && columns !== null ? [...Object.keys(columns), ...lists] : undefined;
}

function warnOfUnused(loading: Loading): void {
  for (const name of loading.tables.keys()) {
    if (loading.usedTables.has(name)) continue;
    loading.findings.add(['tables', name], {
      code: 'map/unused-table',
      level: 'warning',
      message: `table ${name} is not used`,
      key: true,
    });
  }
}
