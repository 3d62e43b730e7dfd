/**
 * The parsed YAML of a mapping in, the compiled mapping out: source, tables, columns, output, documents, checks.
 * Everything wrong is added to `findings` with its place; undefined only where the target is unknown.
 */
import type { Message } from '../i18n/message.ts';
import { DOCUMENT_IDENTITY, MAPPING_KEYS, SOURCE_COLUMNS, SUGGESTIONS } from '../i18n/messages/mapping-messages.ts';
import type { Schema } from '../model/document.ts';
import { withMessage } from '../model/fault.ts';
import { appendAll } from '../text/long-lists.ts';
import { suggest } from '../text/suggest.ts';
import type { YamlFile } from '../yaml/yaml-document.ts';
import { checkShape } from '../yaml/yaml-document.ts';
import { compileAnswers, utf8Page } from './answers/compile-answers.ts';
import type { CompiledAnswers } from './answers/compiled-answers.ts';
import { compileAmount, compileDocuments, refuseOverRows } from './compile-documents.ts';
import type { CompiledMapping } from './compiled-mapping.ts';
import type { CompiledDocument, MappingCheck } from './compose/compose-document.ts';
import { compileControls } from './compose/control-total-definitions.ts';
import { collectColumns, missingColumns } from './expressions/columns.ts';
import type { Loading } from './expressions/expression-types.ts';
import { type Lists, listsIn } from './expressions/lists.ts';
import { compileCondition, compileValue } from './expressions/value-expression.ts';
import { listOf, type MappingFile, OWN_SOURCE_KEYS, type SayOfCheck } from './file/mapping-shape.ts';
import { comparedIn } from './formula/comparison-operands.ts';
import type { MappingWorld, Target } from './mapping-world.ts';
import { compileOutput, type Output } from './output/compile-output.ts';
import { planOutput } from './output/output-plan.ts';
import { warnOfUnquotedColumns } from './output/unquoted-columns.ts';
import { singleColumn } from './runtime/column-name.ts';
import { type Diagnostics, refuseShortened, suggestionFor } from './runtime/diagnostics.ts';
import type { Facts } from './runtime/value.ts';
import { compileJoin, type Join, joinedNames } from './source/file-join.ts';
import { readColumnTypes } from './source/source-columns.ts';
import { isTaxFromGross } from './standard-blocks/standard-totals.ts';
import { readTables } from './tables/tables.ts';

/** EncodedFile of the French contract (french-invoicing 2.1); the only document that is sent as a file. */
const FILE_SCHEMA: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    ['format', 'filename', 'transport', 'data'].map((key) => [key, { type: 'string' }] as const),
  ),
};

/**
 * The result is usable only if `findings` has no error. Order matters: columns and tables come before the output that
 * uses them, warnings about unused names come last.
 */
export function compileMapping(
  given: MappingFile,
  world: MappingWorld,
  findings: Diagnostics,
): CompiledMapping | undefined {
  refuseShortened(findings, given.version, ['version']);
  const target = targetOf(given, world, findings);
  const options = formatOptions(given, world, findings);
  const types = readColumnTypes(given.source, typesKey(given, world), findings);
  const join = compileJoin(given, formatPart(given, world), world.formats.get(given.source.format), types, findings);
  const tables = readTables(given.tables ?? {}, world.readText, findings);
  const loading = startLoading(given, { types, tables, findings, lists: listsIn(options) });
  for (const name of Object.keys(given['calculated-columns'] ?? {})) {
    if (types.has(name)) {
      findings.add(['calculated-columns', name], {
        code: 'map/column-twice',
        message: SOURCE_COLUMNS.calculatedTwice({ name }),
        hint: SOURCE_COLUMNS.renameCalculated(),
        key: true,
      });
    }
    loading.columns.slot(name, ['calculated-columns', name]);
  }
  if (!target) return undefined;
  const documents = compileDocuments(given, target, loading);
  const controls = compileControls(given.source, options, loading);
  refuseOverRows(documents, controls, findings);
  const payload = given.output && compileBody(given.output, 'output', target.schema, loading);
  const file = given.file && compileFile(given.file, target, loading);
  const checks = compileChecks(given, payload ?? file, loading);
  const amount = compileAmount(given.documents.amount, loading);
  const answers = compileBlocks(given, loading, { types, tables, findings, lists: listsIn(options) }, world);
  requireBody(given, findings);
  requireIdentity(given, [payload, file], findings);
  warnOfDayOfReading(given, target, findings);
  warnOfUnused(loading);
  checkDeclared(options, join, loading);
  const declared = [options, join?.options].flatMap((part) => declaredBy(part) ?? []);
  warnOfUnquotedColumns(loading, [...declared, ...(given.accepts.columns ?? [])]);
  const recipe: CompiledDocument = {
    kind: target.name,
    classes: target.classes,
    class: documents.class,
    amount,
    neverTwice: documents.neverTwice,
    payload,
    isTaxFromGross: isTaxFromGross(given.output),
    file,
    checks,
    slots: loading.columns.slots,
    findings,
  };
  return {
    recipe,
    columns: loading.columns,
    asks: loading.asks,
    sequences: [payload, file].flatMap((body) => body?.numberings ?? []).map(({ sequence }) => sequence),
    options,
    join,
    findings,
    controls,
    answers,
    ...documents,
  };
}

type LoadingParts = Pick<Loading, 'tables' | 'findings'> & {
  readonly types: Parameters<typeof collectColumns>[0];
  readonly lists: Lists;
};

function startLoading(given: MappingFile, { types, tables, findings, lists }: LoadingParts): Loading {
  const calculated = given['calculated-columns'] ?? {};
  const columns = collectColumns(
    types,
    { names: Object.keys(calculated), compile: (name, path) => compileValue(loading, calculated[name], path) },
    findings,
    lists,
  );
  const companions = listOf(given.accepts.companions ?? []);
  const loading: Loading = { findings, tables, usedTables: new Set(), columns, companions, asks: new Set(), texts: [] };
  return loading;
}

/** Each block has columns of its own: an export without one of them is still read. */
function compileBlocks(
  given: MappingFile,
  loading: Loading,
  parts: LoadingParts,
  { page = utf8Page }: MappingWorld,
): readonly CompiledAnswers[] {
  if (!given.answers) return [];
  const columns = () => startLoading(given, parts).columns;
  // Their facts are not those of the documents.
  const own = { ...loading, asks: new Set<keyof Facts>() };
  return compileAnswers(given.answers, { mapping: given.mapping, columns, page }, own);
}

/** `map/no-such-target` where no document kind has the name. */
function targetOf(given: MappingFile, world: MappingWorld, findings: Diagnostics): Target | undefined {
  const target = world.targets.find((candidate) => candidate.name === given.target);
  if (target) return target;
  const names = world.targets.map((candidate) => candidate.name);
  findings.add(['target'], {
    code: 'map/no-such-target',
    message: MAPPING_KEYS.noTarget({ name: given.target }),
    hint: suggestionFor(given.target, names, SUGGESTIONS.targets),
  });
  return undefined;
}

/** A format that uses `columns` for paths or positions declares the types of columns under `types`. */
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

/** The format's part of `source`, parsed by the shape of its reader; `map/no-such-format` for an unknown format. */
function formatOptions(given: MappingFile, world: MappingWorld, findings: Diagnostics): unknown {
  const { format } = given.source;
  const shape = world.formats.get(format);
  if (!shape) {
    findings.add(['source', 'format'], {
      code: 'map/no-such-format',
      message: MAPPING_KEYS.noFormat({ name: format }),
      hint: suggestionFor(format, [...world.formats.keys()], SUGGESTIONS.formats),
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
    const near = key === undefined ? undefined : suggest(key, own);
    findings.faults.push(
      near === undefined
        ? fault
        : { ...fault, ...withMessage(MAPPING_KEYS.unknown({ key: key ?? '' }), SUGGESTIONS.meant({ near })) },
    );
  }
  return undefined;
}

function compileBody(value: object, key: 'output' | 'file', schema: Schema, loading: Loading): Output | undefined {
  const location = { path: [key], fixed: false, name: '', schema };
  if (Object.keys(value).length === 0) {
    loading.findings.add([key], { code: 'map/missing', message: MAPPING_KEYS.noFields({ key }), key: true });
    return undefined;
  }
  const plan = planOutput(loading, value, location);
  if (plan?.type === 'block' && plan.when === undefined) return compileOutput(loading, plan);
  if (plan) {
    loading.findings.add([key], {
      code: 'map/wrong-shape',
      message: MAPPING_KEYS.blockOfFields({ key }),
      hint: MAPPING_KEYS.leaveRowsOut(),
      key: true,
    });
  }
  return undefined;
}

function compileFile(value: object, target: Target, loading: Loading): Output | undefined {
  if (target.acceptsFile) return compileBody(value, 'file', FILE_SCHEMA, loading);
  loading.findings.add(['file'], {
    code: 'map/no-file-allowed',
    message: MAPPING_KEYS.noFile({ target: target.name }),
    hint: MAPPING_KEYS.describeUnderOutput(),
    key: true,
  });
  return undefined;
}

function compileChecks(given: MappingFile, output: Output | undefined, loading: Loading): readonly MappingCheck[] {
  return (given.checks ?? []).flatMap((check, n) => {
    const path = ['checks', n, 'that'];
    const form = compileCondition(loading, check.that, path, 'that:', output?.outputs);
    if (!form) return [];
    const sides = comparedIn(check.that).flatMap((says) => {
      const side = compileValue(loading, singleColumn(says) === undefined ? `= ${says}` : says, path, output?.outputs);
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
    message: MAPPING_KEYS.missing({ key: 'output' }),
    hint: MAPPING_KEYS.describeDocument(),
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
    findings.add(other.location.path, {
      code: 'map/two-sequences',
      message: DOCUMENT_IDENTITY.twoSequences(),
      hint: DOCUMENT_IDENTITY.sameSequence({ sequence: first?.sequence ?? '' }),
    });
  }
  if (given.documents['never-twice'] !== undefined) return;
  if (first) {
    findings.add(first.location.path, {
      code: 'map/no-never-twice',
      message: DOCUMENT_IDENTITY.sequenceAlone(),
      hint: DOCUMENT_IDENTITY.addNeverTwice(),
    });
  } else if (given.file && !given.output) {
    findings.add(['file'], {
      code: 'map/no-never-twice',
      message: DOCUMENT_IDENTITY.fileAlone(),
      hint: DOCUMENT_IDENTITY.addNeverTwiceOfFile(),
      key: true,
    });
  }
}

/** `map/number-free-again`: the year of such a date is that of the run, so that the same number is another one in January. */
function warnOfDayOfReading(given: MappingFile, { dateAt }: Target, findings: Diagnostics): void {
  if (dateAt === undefined || given.documents['never-twice'] !== undefined) return;
  const path = dateAt.slice(1).split('/');
  const form = path.reduce<unknown>(
    (one, key) => (one as { [name: string]: unknown } | undefined)?.[key],
    given.output,
  );
  const text = JSON.stringify(form ?? null);
  const columns = Object.entries(given['calculated-columns'] ?? {}).filter(([name]) => text.includes(name));
  if (![form, ...columns].some((one) => /\bTODAY\s*\(/i.test(JSON.stringify(one) ?? ''))) return;
  const [message, hint] = [DOCUMENT_IDENTITY.freeAgain(), DOCUMENT_IDENTITY.addNeverTwice()];
  findings.add(['output', ...path], { code: 'map/number-free-again', level: 'warning', message, hint });
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
  const table = { file: '', columns: declared };
  const missing = missingColumns(loading.columns, table, loading.findings, SOURCE_COLUMNS.sourceHas());
  appendAll(
    loading.findings.faults,
    missing.map(({ origin: _, ...fault }) => fault),
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
      message: MAPPING_KEYS.unusedTable({ table: name }),
      key: true,
    });
  }
}
