/** The ladder of imports, the size of files and folders, and the shape of the tree: architecture kept by reading the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { cyclesIn, importGraphs } from '../build/figures/import-cycles.ts';
import { sourceFiles } from '../build/figures/source-files.ts';
import { FOUNDATIONS, MAY_IMPORT, NEVER_IMPORTS, STAGES } from './import-ladder.ts';

const root = resolve(import.meta.dirname, '../src');

const MOST_LINES = 400;
const MOST_FILES = 28;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll(sep, posix.sep));

const graphs = importGraphs(sourceFiles(join(root, '..')));

function topOf(name: string): string {
  return name.split('/')[0]!;
}

function importsOf(name: string): readonly string[] {
  const text = readFileSync(join(root, name), 'utf8');
  const found = text.matchAll(/(?:from|import\()\s*'(\.[^']+)'|^import '(\.[^']+)'/gm);
  return [...found].map((match) =>
    relative(root, resolve(dirname(join(root, name)), match[1] ?? match[2]!)).replaceAll(sep, posix.sep),
  );
}

function forbidden(from: string, imports: readonly string[]): readonly string[] {
  const own = topOf(from);
  const isIn = (places: readonly string[] = [], target: string) =>
    places.some((one) => target === one || target.startsWith(`${one}/`));
  const isAllowed = (target: string) => isIn(MAY_IMPORT[own], target) && !isIn(NEVER_IMPORTS[own], target);
  return imports
    .filter((target) => topOf(target) !== own && !isAllowed(target))
    .map((target) => `${from} may not import ${target}`);
}

test('a stage imports the foundations and itself only', () => {
  expect(files.flatMap((name) => forbidden(name, importsOf(name)))).toEqual([]);
});

test('the rule sees a stage that imports another stage, and a command that bypasses the pipeline', () => {
  expect(forbidden('mapping/compose/compose-document.ts', ['readers/csv/csv-reader.ts'])).toHaveLength(1);
  expect(forbidden('sandbox/fr-sandbox.ts', ['delivery/fr-service.ts'])).toHaveLength(1);
  expect(forbidden('cli/commands/run-command.ts', ['ledger/open-ledger.ts'])).toHaveLength(1);
  expect(forbidden('text/suggest.ts', ['model/fault.ts'])).toHaveLength(1);
  expect(forbidden('pipeline/submission/send-due.ts', ['views/queries/causes.ts'])).toHaveLength(1);
  expect(
    forbidden('views/queries/causes.ts', ['files/write-durable.ts', 'pipeline/submission/send-due.ts']),
  ).toHaveLength(2);
  expect(forbidden('decisions/decide.ts', ['pipeline/submission/send-due.ts'])).toHaveLength(1);
});

/** Records that do not compile without each service or kind, and a fault code that is a cause. */
const PER_COUNTRY = [
  'catalogue.ts',
  'cli/commands/setup/sandbox-command.ts',
  'infer/infer-draft.ts',
  'infer/vocabulary/draft-targets.ts',
  'model/cause.ts',
  'model/document.ts',
  'model/rule.ts',
  'sandbox/imitations.ts',
];

test('a country is named by its own files alone', () => {
  const isOwn = (name: string) => name.startsWith('countries/') || /(^|\/)(fr|sv)[/-]/.test(name);
  const naming = files.filter((name) => /'sv'|'sv-(?!SE)|'fr-|\bsv:/.test(code(name)) && !isOwn(name));
  expect(naming.filter((name) => !name.startsWith('i18n/messages/')).sort()).toEqual(PER_COUNTRY);
});

test('what waits is grouped, counted and added up by one module, and read from the index', () => {
  const users = (pattern: RegExp) => files.filter((name) => pattern.test(code(name))).sort();
  const author = 'views/queries/causes.ts';
  const deriving = ['ledger/records/ledger-entries.ts', 'search/fill-open.ts', author];
  expect(users(/import \{[^}]*\bworkOf\b/)).toEqual(deriving);
  const adding = users(/\bSignedSums\b/).filter((name) =>
    /\bOpenWork\b|\bwaitsForPerson\b|WAITING_STATES/.test(code(name)),
  );
  expect(adding).toEqual([author]);
  // What lists documents one by one reads them; whoever shows families or groups does not.
  expect(users(/\.find\(\{[^}]*states: [A-Z_]*(?:WAITING|URGENT|OPEN)/)).toEqual(['cli/commands/errors-command.ts']);
});

/** How the methods of the ledger begin that write. */
const WRITES =
  /\bledger\.\w+\.((?:add|admit|archive|begin|choose|close|delay|discard|drop|end|finish|forget|hold|mark|move|open|purge|putBack|record|refuse|request|resolve|restart|seal|stage|switch|undo|use|withdraw)(?=[A-Z(])\w*)\(/;

test('views and the audit call no method of the ledger that writes', () => {
  const shown = files.filter((name) => /^(views|verify|pages)\//.test(name));
  expect(shown.filter((name) => WRITES.test(code(name)))).toEqual([]);
  expect(files.filter((name) => WRITES.test(code(name)))).toContain('runs/write-report.ts');
});

test('every folder of the tree has its rule', () => {
  expect([...new Set(files.map(topOf))].filter((place) => MAY_IMPORT[place] === undefined)).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
  expect(cyclesIn(graphs.files)).toEqual([]);
});

test('no rooms import each other in a circle, inside a stage either', () => {
  expect(cyclesIn(graphs.folders)).toEqual([]);
});

test('the pure half imports no other room of the pipeline, and knows no corrections', () => {
  const pure = files.filter((name) => name.startsWith('pipeline/conversion/'));
  const others = pure.flatMap(importsOf).filter((target) => target.startsWith('pipeline/') && !pure.includes(target));
  expect(pure).not.toEqual([]);
  expect(others).toEqual([]);
  expect(pure.filter((name) => /correct(ion|ed)/i.test(code(name)))).toEqual([]);
});

/** Those of i18n/messages are generated from locales/. */
test(`no file is longer than ${MOST_LINES} lines`, () => {
  const written = files.filter((name) => !name.startsWith('i18n/messages/'));
  const long = written
    .map((name) => ({ name, lines: readFileSync(join(root, name), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  expect(long).toEqual([]);
});

test(`no folder holds more than ${MOST_FILES} files`, () => {
  const full = [...Map.groupBy(files, dirname)].filter(([, own]) => own.length > MOST_FILES);
  expect(full.map(([folder, own]) => `${folder}: ${own.length}`)).toEqual([]);
});

test('a file name is unique in the tree', () => {
  const twice = [...Map.groupBy(files, (name) => basename(name))].filter(([, own]) => own.length > 1);
  expect(twice.map(([, own]) => own)).toEqual([]);
});

test('every file starts by saying what it is', () => {
  const silent = files.filter((name) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(root, name), 'utf8')));
  expect(silent).toEqual([]);
});

test('no drawers without a label', () => {
  const drawers = /(^|\/)(utils?|common|helpers?|types|interfaces|index)(\.ts)?(\/|$)/;
  expect(files.filter((name) => drawers.test(name))).toEqual([]);
});

test('one SHA-256, one calendar, one pattern of file names, one escape, one order of works', () => {
  const having = (pattern: RegExp) => files.filter((name) => pattern.test(code(name)));
  expect(having(/'&lt;'/)).toEqual(['text/escape-xml.ts']);
  expect(having(/from 'yazl'/)).toEqual(['files/write-zip.ts', 'readers/correction-file/write-correction-workbook.ts']);
  expect(having(/import \{ [^}]*\bhtml\b[^}]* \} from 'hono\/html'/)).toEqual(['pages/markup.ts']);
  expect(having(/ = \w+\.catch\(\(\) => undefined\)/)).toEqual(['files/turns.ts']);
  expect(having(/\bcreateHash\(|\bhash\('sha/)).toEqual(['text/sha256.ts']);
  expect(having(/\b31, ?28, ?31\b/)).toEqual(['text/calendar-date.ts']);
  // The second one compares patterns with each other; its test holds it against the first, name by name.
  expect(having(/\[\w+\] === '\*'/)).toEqual(['text/glob-relations.ts', 'text/glob.ts']);
});

test('stages are silent: no log, no clock, no environment', () => {
  const pure = [...STAGES, ...FOUNDATIONS, 'infer'];
  const loud = /\bconsole\.|\bprocess\.(env|stdout|stderr)\b|\bDate\.now\(|new Date\(\)|Math\.random\(/;
  const found = files.filter((name) => pure.includes(topOf(name)) && loud.test(code(name)));
  expect(found).toEqual([]);
});

function code(name: string): string {
  return readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
