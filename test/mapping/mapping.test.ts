import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { EXAMPLE, HEADER } from './example.ts';
import { FILES, findingsOf, loaded, NOTE, worldOf } from './world.ts';

/** The example with one text replaced; fails where the text is not in it. */
function changed(from: string, to: string): string {
  expect(EXAMPLE).toContain(from);
  return EXAMPLE.replace(from, to);
}

function findings(from: string, to: string, files: { readonly [path: string]: string } = FILES) {
  return findingsOf(changed(from, to), files).map((finding) => finding.replace(/^\d+:/, ''));
}

function hints(from: string, to: string, files: { readonly [path: string]: string } = FILES) {
  return loadMapping(changed(from, to), 'm.yaml', worldOf(files)).faults.map((fault) => fault.hint);
}

describe('a mapping that is right', () => {
  const { mapping, faults } = loadMapping(EXAMPLE, 'mappings/sage.yaml', worldOf(FILES));

  test('says what the program wants to know of it', () => {
    expect(faults).toEqual([]);
    expect(mapping).toMatchObject({
      id: 'sage-factures-fr',
      version: '4',
      file: 'mappings/sage.yaml',
      target: 'fr-invoice',
      accepts: { files: ['FAC_*.csv'], columns: ['NumFac', 'NumLig', 'CodeTVA'] },
      source: { format: 'csv', options: { encoding: 'windows-1252', delimiter: ';', 'header-row': 1 } },
      rows: 'adjacent',
    });
    expect(HEADER.split(';')).toEqual(expect.arrayContaining([...(mapping?.columns ?? [])]));
    expect(mapping?.acceptsName('fac_0905.CSV')).toBe(true);
    expect(mapping?.acceptsName('FAC_0905.csv.part')).toBe(false);
    expect(mapping?.tests).toHaveLength(2);
  });

  test('has a digest of its text and its tables', () => {
    const digest = (text: string, files: { readonly [path: string]: string }) => loaded(text, files).sha256;
    expect(digest(EXAMPLE, FILES)).toBe(mapping?.sha256);
    expect(digest(`${EXAMPLE}# note\n`, FILES)).not.toBe(mapping?.sha256);
    expect(digest(EXAMPLE, { ...FILES, 'tables/units.csv': 'erp;api\nM;MTR\n' })).not.toBe(mapping?.sha256);
  });
});

describe('binding to a header', () => {
  test('names the missing columns with the nearest one and the line that uses it', () => {
    const bound = loaded(EXAMPLE, FILES).bind({ file: 'f.csv', columns: HEADER.replace('PUHT', 'PU_HT').split(';') });
    expect('faults' in bound && bound.faults).toMatchObject([
      {
        code: 'map/no-such-column',
        message: 'f.csv has no column "PUHT"',
        hint: 'did you mean "PU_HT"?',
        mark: { text: '  net: = ROUND($Qte * $PUHT, 2)' },
      },
    ]);
    const fault = 'faults' in bound ? bound.faults[0] : undefined;
    expect(fault?.mark?.text.slice((fault.mark.column ?? 0) - 1)).toMatch(/^PUHT/);
  });

  test('refuses a column that is there twice', () => {
    const bound = loaded(EXAMPLE, FILES).bind({ file: 'f.csv', columns: [...HEADER.split(';'), 'Qte'] });
    expect('faults' in bound && bound.faults.map((fault) => fault.code)).toEqual(['map/column-twice']);
  });
});

describe('found by check, with its place', () => {
  test('a misspelled field of the target', () => {
    expect(findings('date-due: $Echeance', 'due-date: $Echeance')).toEqual([
      '5 map/no-such-field "document" has no field "due-date"',
    ]);
    expect(hints('postal-code: $CP', 'postcode: $CP')).toEqual(['did you mean "postal-code"?']);
  });

  test('every mistake at once', () => {
    const text = changed('table: class }\n  never', 'table: klass }\n  never').replace(
      'quantity: $Qte',
      'quantity: $Designation',
    );
    expect(findingsOf(text, FILES).map((finding) => finding.split(' ')[1])).toEqual([
      'map/no-such-table',
      'map/text-in-number-field',
    ]);
  });

  test.each([
    ['target: fr-invoice', 'target: fr-invoce', 'map/no-such-target'],
    ['format: csv', 'format: csw', 'map/no-such-format'],
    ['delimiter: ";"', 'delimeter: ";"', 'map/unknown-key'],
    ['one-per: [Societe, Type, NumFac]', 'one-perr: [Societe]', 'map/unknown-key'],
    ['Qte: number', 'Qte: numbr', 'map/unknown-column-type'],
    ['5 digits', '5 digit5', 'map/unknown-column-type'],
    ['  dates: dd/MM/yyyy\n', '', 'map/no-date-pattern'],
    ['key: erp', 'key: erb', 'map/no-such-table-column'],
    ['tables/units.csv', 'tables/unit.csv', 'map/no-such-file'],
    ['tables/units.csv', '../units.csv', 'map/table-outside'],
    ['tables/units.csv', '/etc/units.csv', 'map/table-outside'],
    ['FA: invoice', 'FA: bill', 'map/unknown-class'],
    ['class: { from: Type, table: class }', 'class: bill', 'map/unknown-class'],
    ['each: rows by rate', 'each: rate', 'map/wrong-value'],
    ['when: = $Type = "AV"', 'when: = $Type', 'map/not-a-condition'],
    ['net: = ROUND($Qte * $PUHT, 2)', 'net: = $net + 1', 'map/cycle'],
    ['final-amount: = SUM(@subtotals.amount)', 'final-amount: = @final-amount', 'map/cycle'],
    ['quantity: $Qte', 'quantity: "5"', 'map/text-in-number-field'],
    ['before-taxes: true', 'before-taxes: "yes"', 'map/not-true-or-false'],
    ['name: $NomClient', 'name: { a: b }', 'map/wrong-shape'],
    ['name: $NomClient', 'name: [a]', 'map/wrong-shape'],
    ['name: $NomClient', 'name:', 'map/not-a-value'],
    ['name: $NomClient', 'name: $Nom Client', 'map/not-a-value'],
    ['name: $NomClient', 'name: { from: Societe, table: companies }', 'map/wrong-shape'],
    ['references:\n    - when', 'references:\n      when', 'map/wrong-shape'],
    ['unit: { from: Unite, table: units }', 'unit: { from: Unite, table: units, els: x }', 'map/unknown-key'],
    ['number: $NumLig', 'number: $NumLig\n      lines: { each: row }', 'map/no-such-field'],
    ['language: fr', 'language: { sequence: s }', ''],
    ['that: = $Echeance >= $DateFac', 'that: = $Echeance', 'map/not-a-condition'],
    ['net: = ROUND', 'Qte: = ROUND', 'map/column-twice'],
    ['receiver:\n', 'receiver:\n    constructor: x\n', 'map/wrong-field-name'],
    ['version: 4\n', '', 'map/missing'],
    ['version: 4\n', 'version: 1.10\n', 'map/number-for-text'],
    ['version: 4\n', 'version: 1.1\n', ''],
    ['language: fr', 'language: 5.50', 'map/number-for-text'],
    ['percent: $rate, amount', 'percent: 5.50, amount', ''],
  ])('%s -> %s: %s', (from, to, code) => {
    const codes = findings(from, to).map((finding) => finding.split(' ')[1]);
    if (code === '') expect(codes).toEqual([]);
    else expect(codes).toContain(code);
  });

  test('another YAML file next to the mappings is one fault', () => {
    const { mapping, faults } = loadMapping('"01":\n  name: Exemple\n"02":\n  name: Autre\n', 'm.yaml', worldOf(FILES));
    expect(mapping).toBeUndefined();
    expect(faults.map(({ code, mark }) => [code, mark?.line, mark?.text])).toEqual([['map/not-a-mapping', 1, '"01":']]);
  });

  test('a formula is underlined inside its YAML text', () => {
    const { faults } = loadMapping(
      changed('amount: "= ROUND($net', 'amount: "= ROUNDD($net'),
      'm.yaml',
      worldOf(FILES),
    );
    const mark = faults[0]?.mark;
    expect(mark?.text.slice(mark.column - 1)).toMatch(/^ROUNDD\(/);
    expect(mark?.length).toBeGreaterThanOrEqual(6);
    expect(mark?.length).toBeLessThan(40);
    expect(faults[0]?.hint).toContain('ROUND');
  });

  test('a formula that YAML cut at a comma, in the output and in a check', () => {
    const cut = ['map/formula-cut'];
    const codes = (text: string) => loadMapping(text, 'm.yaml', worldOf(FILES)).faults.map((fault) => fault.code);
    expect(codes(changed('"= ROUND($net * $rate / 100, 2)" }', '= ROUND($net * $rate / 100, 2) }'))).toEqual(cut);
    expect(codes(changed('that: = $Echeance >= $DateFac', 'that: = AND($Echeance >= $DateFac, TRUE)'))).toEqual(cut);
    expect(codes(changed('"= ROUND($net * $rate / 100, 2)" }', '= ROUND($net * $rate / 100; 2) }'))).toEqual([]);
  });

  test('names in quotes that look like the pieces of a formula are none', () => {
    const quoted = changed('source:', 'source:\n  ignore: ["=(", ")"]');
    const codes = loadMapping(quoted, 'm.yaml', worldOf(FILES)).faults.map((fault) => fault.code);
    expect(codes).not.toContain('map/formula-cut');
  });

  test('a column of the wrong type in a formula, with what to declare', () => {
    const { faults } = loadMapping(changed(' Qte: number,', ''), 'm.yaml', worldOf(FILES));
    expect(faults.map((fault) => fault.mark?.text.trim())).toContain('net: = ROUND($Qte * $PUHT, 2)');
  });

  test('a table block that does not fit its place, once, in its own file', () => {
    const { faults } = loadMapping(
      EXAMPLE,
      'm.yaml',
      worldOf({ ...FILES, 'tables/companies.yaml': '"01": { nam: x }\n' }),
    );
    expect(faults).toMatchObject([
      { code: 'map/no-such-field', hint: 'did you mean "name"?', mark: { file: 'tables/companies.yaml', line: 1 } },
    ]);
  });

  test('a date field fed with text is a warning', () => {
    const { mapping, faults } = loadMapping(changed('date: $DateFac', 'date: $NumFac'), 'm.yaml', worldOf(FILES));
    expect(mapping).toBeDefined();
    expect(faults.map(({ code, level }) => `${level} ${code}`)).toEqual(['warning map/undeclared-date']);
  });

  test('codes of a table that the column can never hold are a warning', () => {
    expect(findings('DateFac: date', 'DateFac: date, CodeTVA: number')).toEqual([
      expect.stringContaining(
        'map/unreachable-key table vat has codes that CodeTVA never contains: "T20", "T20S", "T55"',
      ),
    ]);
    expect(findings('DateFac: date', 'DateFac: date, Societe: { text: 2 digits }')).toEqual([]);
    expect(findings('DateFac: date', 'DateFac: date, Societe: { text: 3 digits }')).toHaveLength(1);
  });

  test('columns of a format that lists them are known beforehand', () => {
    const text = changed(
      EXAMPLE.slice(EXAMPLE.indexOf('source:'), EXAMPLE.indexOf('tables:')),
      'source: { format: xml, row: r, columns: { NumFac: n, Qtee: q }, types: { Qte: number, PUHT: number } }\n',
    );
    const found = loadMapping(text, 'm.yaml', worldOf(FILES)).faults;
    expect(
      found.filter((fault) => fault.code === 'map/no-such-column' && fault.hint === 'did you mean "Qtee"?'),
    ).toHaveLength(1);
  });
});

describe('hostile files', () => {
  const refused = (text: string) => {
    const { mapping, faults } = loadMapping(text, 'm.yaml', worldOf(FILES));
    expect(mapping).toBeUndefined();
    return faults.map((fault) => fault.code);
  };

  test.each(['__proto__', 'constructor', 'prototype', 'a b', 'a/b', '0x', 'é'])('field name %s', (name) => {
    expect(refused(changed('    identifier: $NumFac\n', `    identifier: $NumFac\n    "${name}": x\n`))).not.toEqual(
      [],
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('__proto__ as a block, a table, a column or a key of a table block leaves objects as they were', () => {
    const hostile = '"__proto__": { polluted: yes }';
    const places = ['output:\n', 'tables:\n', 'calculated-columns:\n', '  receiver:\n'];
    for (const place of places) {
      const indent = place.startsWith(' ') ? '    ' : '  ';
      expect(refused(changed(place, `${place}${indent}${hostile}\n`))).toEqual(['map/wrong-field-name']);
    }
    const table = `"01": { name: x, ${hostile} }\n`;
    const { faults } = loadMapping(EXAMPLE, 'm.yaml', worldOf({ ...FILES, 'tables/companies.yaml': table }));
    expect(faults.map((fault) => fault.code)).toEqual(['map/no-such-field']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('deep nesting, alias bombs, circles of aliases', () => {
    expect(refused(changed('output:\n', `output:\n  notes: ${'['.repeat(500)}${']'.repeat(500)}\n`))).toEqual([
      'yaml/too-deep',
    ]);
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((c, n) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[n]}`)}]`),
    ];
    expect(refused(bomb.join('\n'))).toEqual(['yaml/too-many-aliases']);
    expect(refused('a: &a\n  b: *a\n')).not.toEqual([]);
  });

  test('a chain of calculated columns as long as the file allows', () => {
    const chain = Array.from({ length: 40 }, (_, n) => `  c${n}: = $c${n + 1} + $c${n + 1}\n`).join('');
    const text = changed('calculated-columns:\n', `calculated-columns:\n${chain}  c40: = $Qte\n`).replace(
      'quantity: $Qte',
      'quantity: $c0',
    );
    expect(loadMapping(text, 'm.yaml', worldOf(FILES))).toMatchObject({ faults: [], mapping: { file: 'm.yaml' } });
  });
});

describe('numbers of a sequence', () => {
  const note = (documents: string, field = '{ sequence: notes, per: [k] }') => `mapping: n
version: 1
target: ${NOTE.name}
accepts: { files: "*" }
source: { format: csv }
documents: { one-per: k${documents} }
output: { NumeroSecuencial: ${field}, tipoMoneda: USD, Adjuntos: [], extension: {} }
`;

  test('need to know what makes a document the same', () => {
    expect(findingsOf(note(''))).toEqual([expect.stringContaining('map/no-never-twice')]);
    expect(findingsOf(note(', never-twice: [k]'))).toEqual([]);
  });

  test('are one number of one sequence', () => {
    const two = note(', never-twice: [k]').replace('tipoMoneda: USD', 'tipoMoneda: { sequence: other }');
    expect(findingsOf(two)).toEqual([expect.stringContaining('map/two-sequences')]);
  });
});

describe('documents that are files', () => {
  const pdf = (documents: string, more = '') => `mapping: p
version: 1
target: fr-invoice
accepts: { files: "*.pdf" }
source: { format: csv }
documents: { one-per: file, class: invoice${documents} }
file: { format: pdf, filename: = FILE-NAME(), transport: base64, data: = FILE-CONTENT() }
${more}`;

  test('need an identity of their own unless the document itself is there too', () => {
    expect(findingsOf(pdf(''))).toEqual([expect.stringContaining('map/no-never-twice')]);
    expect(findingsOf(pdf(', never-twice: [= FILE-STEM()]'))).toEqual([]);
    expect(findingsOf(pdf('', 'output: { document: { identifier: "= FILE-STEM()" } }\n'))).toEqual([]);
  });

  test('only where the target takes files', () => {
    const text = pdf(', never-twice: [= FILE-STEM()]')
      .replace('fr-invoice', NOTE.name)
      .replace('class: invoice', 'class: remission-note');
    expect(findingsOf(text)).toEqual([expect.stringContaining('map/no-file-allowed')]);
  });
});

test('a defect of the program is a fault of its mapping alone', () => {
  const formats = new (class extends Map<string, never> {
    override get(): never {
      throw new TypeError('not a function');
    }
  })();
  const { mapping, faults } = loadMapping(EXAMPLE, 'm.yaml', { ...worldOf(FILES), formats });
  expect(mapping).toBeUndefined();
  expect(faults).toMatchObject([{ code: 'map/internal-error', level: 'error', mark: { file: 'm.yaml', line: 1 } }]);
  const unreadable = { ...worldOf(FILES), readText: () => readFileSync('/nowhere/tables.csv', 'utf8') };
  expect(() => loadMapping(EXAMPLE, 'm.yaml', unreadable)).toThrow('ENOENT');
});
