/** YAML that people write: what is refused before it is read, and where a fault is shown. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { connection } from '../../src/delivery/service-settings.ts';
import { settingsShape } from '../../src/instance/settings-shape.ts';
import { mappingShape } from '../../src/mapping/file/mapping-shape.ts';
import { localize } from '../../src/model/fault.ts';
import { csvOptions } from '../../src/readers/csv/csv-options.ts';
import { fixedOptions } from '../../src/readers/fixed-width/fixed-options.ts';
import { xmlOptions } from '../../src/readers/xml/xml-options.ts';
import { checkShape, readYaml, showMarked } from '../../src/yaml/yaml-document.ts';

function codesOf(text: string): readonly string[] {
  const read = readYaml(text, 'm.yaml');
  return 'faults' in read ? read.faults.map(({ code }) => code) : [];
}

test('keys without end on one line are reported on that line', () => {
  const read = readYaml(`x: 1\ny:\n  ${'a: '.repeat(20_000)}1\nz: 1\n`, 'm.yaml');
  expect(read).toMatchObject({ faults: [{ code: 'yaml/too-deep', mark: { line: 3, column: 1 } }] });
});

test.each([
  ['brackets without end', `a: ${'['.repeat(40)}`, ['yaml/too-deep']],
  ['brackets in a quoted text', `a: "${'{'.repeat(40)}"\n`, []],
  ['brackets behind an escaped quote', `a: {b: "\\"${'{'.repeat(40)}"}\n`, []],
  ['brackets in a comment with an apostrophe', `# it's ${'['.repeat(40)}\na: 1\n`, []],
  ['an apostrophe inside a word', `a: d'acier # ${'['.repeat(40)}\n`, []],
  ['an alias of itself', '&a [*a]', ['yaml/cycle']],
  [
    'aliases that grow',
    `a: &a [1, 1, 1, 1]\n${'bcdefgh'
      .split('')
      .map((n, i) => `${n}: &${n} [${'*'}${'abcdefg'[i]}, *${'abcdefg'[i]}, *${'abcdefg'[i]}, *${'abcdefg'[i]}]`)
      .join('\n')}\n`,
    ['yaml/too-many-aliases'],
  ],
  ['an alias of a value', 'a: &x 1\nb: *x\n', []],
  ['an alias of nothing', 'a: *x\n', ['yaml/syntax']],
  ['a tag on a value', 'a: !date 2026-01-01\n', ['yaml/tag']],
  ['a merge key', 'a: {<<: 1}', ['yaml/merge-key']],
  ['a key twice', 'a: 1\na: 2\n', ['yaml/key-twice']],
  ['lost zeros', 'a: 00012\n', ['yaml/number-changes']],
  ['an exponent', 'a: 1e5\n', ['yaml/number-changes']],
  ['an exponent as a program writes it', 'a: 1e-7\nb: -1.5e-7\nc: 1e+21\n', Array(3).fill('yaml/number-changes')],
  ['an exponent in a key', '1e-7: a\n', ['yaml/number-changes']],
  ['a decimal that a program writes with an exponent', 'a: 0.0000001\n', ['yaml/number-changes']],
  ['digits beyond a double', 'a: 12345678901234567890\n', ['yaml/number-changes']],
  ['a plain number', 'a: 20.0\nb: 5.50\nc: 200\nd: -0.10\ne: 0\nf: 0.0\n', []],
  ['words that old YAML took for booleans', 'a: NO\nb: on\n', []],
  ['more than 256 KiB', `a: ${'x'.repeat(262_142)}`, ['yaml/too-large']],
])('%s', (_, text, codes) => {
  expect(codesOf(text)).toEqual(codes);
});

const shape = z.strictObject({
  mapping: z.string(),
  source: z.strictObject({ delimiter: z.string().optional(), size: z.number().optional() }).optional(),
});

function shown(text: string): readonly string[] {
  const read = readYaml(text, 'm.yaml');
  if ('faults' in read) throw new Error(read.faults[0]!.message);
  const checked = checkShape(read.yaml, shape, 'map');
  return 'faults' in checked ? checked.faults.map(showMarked) : [];
}

test('an unknown key is underlined, with what was meant', () => {
  expect(shown('mapping: x\nsource:\n  delimeter: ";"\n')).toEqual([
    'm.yaml:3:3  error map/unknown-key  unknown key "delimeter"\n  3 |   delimeter: ";"\n    |   ^^^^^^^^^ did you mean "delimiter"?',
  ]);
});

test('a misspelled key that is missing elsewhere is one fault, not two', () => {
  expect(shown('maping: x\n')).toHaveLength(1);
});

test('all wrong values at once, each at its place', () => {
  expect(shown('mapping: 7\nsource: { size: big }\n').map((text) => text.split('\n')[0])).toEqual([
    'm.yaml:1:10  error map/wrong-value  "mapping": expected a text, found a number (7)',
    'm.yaml:2:17  error map/wrong-value  "source.size": expected a number, found "big"',
  ]);
});

test.each([
  ['a: 00012\n', "l’écrire entre guillemets\u00a0: '00012'", "escríbalo entre comillas: '00012'"],
  ['a: @Total\n', 'écrire "= @Total" pour cette valeur de la sortie', 'escriba "= @Total" para ese valor de la salida'],
  ['a: 1\na: 2\n', 'garder l’une des deux', 'conserve una de las dos'],
])('a fault of YAML has its hint in French and Spanish: %j', (text, french, spanish) => {
  const read = readYaml(text, 'm.yaml');
  const faults = 'faults' in read ? read.faults : [];
  expect([...localize(faults, 'fr'), ...localize(faults, 'es')].map(({ hint }) => hint)).toEqual([french, spanish]);
});

test('a wrong value has its message in French and Spanish', () => {
  const read = readYaml('mapping: 7\n', 'm.yaml');
  const checked = 'yaml' in read ? checkShape(read.yaml, shape, 'map') : read;
  const faults = 'faults' in checked ? checked.faults : [];
  expect([...localize(faults, 'fr'), ...localize(faults, 'es')].map(({ message }) => message)).toEqual([
    '«\u00a0mapping\u00a0»\u00a0: attendu\u00a0: un texte\u00a0; trouvé\u00a0: un nombre (7)',
    '"mapping": se esperaba un texto, se encontró un número (7)',
  ]);
});

test.each([
  [
    csvOptions,
    'header-row: none\n',
    '«\u00a0column-names\u00a0»\u00a0: un fichier sans ligne d’en-tête a besoin de column-names',
    '"column-names": un archivo sin fila de encabezado necesita column-names',
  ],
  [
    fixedOptions,
    'columns: { A: 1-5, B: 4-9 }\n',
    '«\u00a0columns.B\u00a0»\u00a0: «\u00a0B\u00a0» (positions 4-9) chevauche «\u00a0A\u00a0» (positions 1-5)',
    '"columns.B": «B» (posiciones 4-9) se superpone a «A» (posiciones 1-5)',
  ],
  [
    z.strictObject({ connection }),
    'connection: { cert-file: a.pem }\n',
    '«\u00a0connection.key-file\u00a0»\u00a0: cert-file et key-file vont ensemble',
    '"connection.key-file": cert-file y key-file van juntos',
  ],
  [
    mappingShape.pick({ checks: true }),
    'checks: [{ that: "= A", else: error, say: {} }]\n',
    '«\u00a0checks.0.say\u00a0»\u00a0: donnez un texte pour en, fr ou es',
    '"checks.0.say": indique un texto para en, fr o es',
  ],
  [
    settingsShape.pick({ keep: true }),
    'keep: { archive: 3 years }\n',
    '«\u00a0keep.archive\u00a0»\u00a0: un âge tel que 90d (jours) ou 10y (années) est attendu',
    '"keep.archive": se espera una antigüedad como 90d (días) o 10y (años)',
  ],
  [
    settingsShape.pick({ inbox: true }),
    'inbox: { settle: 5 }\n',
    '«\u00a0inbox.settle\u00a0»\u00a0: une durée telle que 5s, 2m ou 1h est attendue',
    '"inbox.settle": se espera una duración como 5s, 2m o 1h',
  ],
  [
    settingsShape.pick({ run: true }),
    'run: { hold: { over: { euros: 50 } } }\n',
    '«\u00a0run.hold.over.euros\u00a0»\u00a0: une devise telle que EUR est attendue',
    '"run.hold.over.euros": se espera una moneda como EUR',
  ],
  [
    settingsShape.pick({ expect: true }),
    'expect: [{ name: sales, files: "*.csv", by: "02:00", on: monday }]\n',
    '«\u00a0expect.0.on\u00a0»\u00a0: l’une de ces formes est attendue\u00a0: daily, weekdays, [mon, thu], { monthly: 5 }',
    '"expect.0.on": se espera una de estas formas: daily, weekdays, [mon, thu], { monthly: 5 }',
  ],
  [
    fixedOptions,
    'columns: { A: first }\n',
    '«\u00a0columns.A\u00a0»\u00a0: des positions telles que 1-10 (premier et dernier caractère, à partir de 1) ou { start: 1, length: 10 } sont attendues',
    '"columns.A": se esperan posiciones como 1-10 (primer y último carácter, a partir de 1) o { start: 1, length: 10 }',
  ],
  [
    xmlOptions,
    'row: Invoice\ncolumns: { A: a }\n',
    '«\u00a0row\u00a0»\u00a0: le chemin doit commencer par «\u00a0/\u00a0», ou être relatif au chemin de document',
    '"row": la ruta debe empezar por «/», o ser relativa a la ruta de document',
  ],
  [
    mappingShape.pick({ mapping: true }),
    'mapping: my sales\n',
    '«\u00a0mapping\u00a0»\u00a0: le nom d’un modèle de conversion se compose de lettres, de chiffres et de traits d’union',
    '"mapping": el nombre de una plantilla de conversión se compone de letras, cifras y guiones',
  ],
])('a check of a shape has its message in French and Spanish: %#', (checkedBy: z.ZodType, text, french, spanish) => {
  const read = readYaml(text, 'm.yaml');
  const checked = 'yaml' in read ? checkShape(read.yaml, checkedBy, 'map') : read;
  const faults = 'faults' in checked ? checked.faults : [];
  expect([...localize(faults, 'fr'), ...localize(faults, 'es')].map(({ message }) => message)).toEqual([
    french,
    spanish,
  ]);
});

test('a marked fault keeps its three lines, whatever a key, a line and the name of a file contain', () => {
  const foreign = 'a\u001b[31m\nforged';
  const mark = { file: `${foreign}.yaml`, line: 1, column: 2, length: 1, text: '\u001bb' };
  const shown = showMarked({ level: 'error', code: 'map/unknown-key', message: foreign, hint: foreign, mark });
  expect(shown).not.toContain('\u001b');
  const [, line = '', under = '', ...others] = shown.split('\n');
  expect(others).toEqual([]);
  expect(line.indexOf('b', line.indexOf('}'))).toBe(under.indexOf('^'));
});
