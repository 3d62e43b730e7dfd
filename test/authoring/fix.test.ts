/** `check --fix`: what it mends, what it leaves to a person, and that nothing else of a file changes. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkInstance, fixInstance, writeFixed } from '../../src/authoring/check-instance.ts';
import { applyEdits, offsetBefore } from '../../src/authoring/text-edits.ts';
import { SALES_MAPPING } from '../night.ts';
import { command } from '../program.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nightpost-fix-'));
  write('nightpost.yaml', 'version: 1\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

const SALES = SALES_MAPPING.trimStart();
const read = (file = 'mappings/sales.yaml') => readFileSync(join(root, file), 'utf8');
const codes = () => checkInstance(root, {}).findings.map(({ code }) => code);

/** Writes the sales mapping with a change, fixes it, and gives the text afterwards. */
function fixed(from: string, to: string): string {
  expect(SALES).toContain(from);
  write('mappings/sales.yaml', SALES.replace(from, to));
  writeFixed(root, fixInstance(root, {}).files);
  return read();
}

describe('mended', () => {
  test.each([
    ['a number that loses zeros', "value: '732829320'", 'value: 0732829320', 'value: "0732829320"'],
    ['a number too long', 'name: $Client', 'name: 12345678901234567890', 'name: "12345678901234567890"'],
    ['a version that loses its zero', 'version: 1', 'version: 1.10  # stays', 'version: "1.10"  # stays'],
    [
      'a formula cut at a comma inside { }',
      'net-amount: $net }',
      'net-amount: = ROUND($net, 2) }   # comment',
      'net-amount: "= ROUND($net, 2)" }   # comment',
    ],
    [
      'a formula with texts, cut at a comma',
      'net-amount: $net }',
      'description: = IF($Lig = "1", "l\'un, l\'autre", ""), net-amount: $net }',
      'description: \'= IF($Lig = "1", "l\'\'un, l\'\'autre", "")\', net-amount: $net }',
    ],
    [
      'a formula whose text holds a number sign',
      'net: = ROUND($Qte * $PU, 2)',
      'net: = ROUND($Qte * $PU, 2)\n  tag: = "n° #" & $Num   # why',
      'net: = ROUND($Qte * $PU, 2)\n  tag: \'= "n° #" & $Num\'   # why',
    ],
    [
      'a formula whose text holds a colon',
      'net: = ROUND($Qte * $PU, 2)',
      'net: = ROUND($Qte * $PU, 2)\n  tag: = "no: " & $Num',
      'net: = ROUND($Qte * $PU, 2)\n  tag: \'= "no: " & $Num\'',
    ],
    ['a column with a hyphen as a value', 'name: $Client', 'name: $Nom-du-Client', 'name: "$[Nom-du-Client]"'],
    ['a quoted column with a hyphen', 'name: $Client', 'name: "$Nom-Client"', 'name: "$[Nom-Client]"'],
    [
      'columns with hyphens in a formula',
      '= ROUND($Qte * $PU, 2)',
      '= $Net-Ligne-1 & $Code-Client & $Qte - 1',
      '= $[Net-Ligne-1] & $[Code-Client] & $Qte - 1',
    ],
    [
      'tabs',
      '  one-per: [Num]\n  class: invoice',
      '\tone-per: [Num]\n\tclass: invoice',
      '  one-per: [Num]\n  class: invoice',
    ],
  ])('%s', (_, from, to, becomes) => {
    expect(fixed(from, to)).toBe(SALES.replace(from, becomes));
    expect(codes().filter((code) => code.startsWith('yaml/') || code.endsWith('-cut'))).toEqual([]);
    expect(fixInstance(root, {}).files).toEqual([]);
  });

  test('in settings and tables too, several files at once, with CRLF, a byte order mark and permissions kept', () => {
    const table = '# companies\r\n"01":\r\n  name: 0042\r\n';
    write('mappings/tables/companies.yaml', `\uFEFF${table}`);
    write(
      'mappings/sales.yaml',
      SALES.replace(/issuer: .*/, 'issuer: { from: Num, table: companies }').replace(
        'calculated-columns:',
        'tables: { companies: { file: mappings/tables/companies.yaml } }\ncalculated-columns:',
      ),
    );
    write('nightpost.yaml', 'version: 1\ncompany: 007\n');
    chmodSync(join(root, 'nightpost.yaml'), 0o600);
    const { files } = fixInstance(root, {});
    expect(files.map(({ file }) => file).sort()).toEqual(['mappings/tables/companies.yaml', 'nightpost.yaml']);
    writeFixed(root, files);
    expect(read('mappings/tables/companies.yaml')).toBe(`\uFEFF${table.replace('0042', '"0042"')}`);
    expect(read('nightpost.yaml')).toBe('version: 1\ncompany: "007"\n');
    expect(statSync(join(root, 'nightpost.yaml')).mode & 0o777).toBe(0o600);
  });
});

describe('left to a person', () => {
  test.each([
    ['a misspelt column', 'net-amount: $net', 'net-amount: $nett'],
    ['a misspelt field', 'currency: EUR }\n  issuer', 'curency: EUR }\n  issuer'],
    ['a column minus a word', '= ROUND($Qte * $PU, 2)', '= $Qte - PU'],
    ['a column minus a number', 'name: $Client', 'name: $Client-'],
    ['a misspelt function', '= ROUND(', '= RUOND('],
    ['a number where the field wants a number', 'quantity: $Qte', 'quantity: 010'],
    ['a key that is given twice', 'version: 1', 'version: 1\nversion: 2'],
    ['tabs that leave the nesting open', '  one-per: [Num]\n  class: invoice', '\tone-per: [Num]\n\t\tclass: invoice'],
  ])('%s', (_, from, to) => {
    expect(fixed(from, to)).toBe(SALES.replace(from, to));
    expect(codes()).not.toEqual([]);
  });

  test('a file that is not UTF-8 is not written again', () => {
    const bytes = Buffer.from(SALES.replace("value: '732829320'", 'value: 0732829320 # \u00e9'), 'latin1');
    write('mappings/sales.yaml', bytes);
    expect(fixInstance(root, {}).files).toEqual([]);
  });

  test('a file that another program saves in the meantime', () => {
    write('mappings/sales.yaml', SALES.replace("value: '732829320'", 'value: 0732829320'));
    const { files } = fixInstance(root, {});
    write('mappings/sales.yaml', SALES);
    expect(() => writeFixed(root, files)).toThrow(expect.objectContaining({ code: 'tools/changed-meanwhile' }));
    expect(read()).toBe(SALES);
  });
});

test('the command shows each line before and after; --dry-run writes nothing', async () => {
  const broken = SALES.replace('version: 1', 'version: 1.10').replace('$net }', '$nett }');
  write('mappings/sales.yaml', broken);
  const dry = await command(['-C', root, 'check', '--fix', '--dry-run']);
  expect(dry.out).toContain('mappings/sales.yaml:2\n- version: 1.10\n+ version: "1.10"\n');
  expect(dry.err).toContain('1 line could be fixed');
  expect(read()).toBe(broken);
  const done = await command(['-C', root, '--json', 'check', '--fix']);
  expect(done.code).toBe(2);
  expect(JSON.parse(done.out)).toMatchObject({
    errors: 1,
    fixed: [{ file: 'mappings/sales.yaml', line: 2, before: 'version: 1.10', after: 'version: "1.10"' }],
    findings: [{ code: 'map/text-in-number-field' }],
  });
  expect(read()).toBe(broken.replace('1.10', '"1.10"'));
  expect((await command(['-C', root, 'check', '--dry-run'])).err).toContain('check/dry-run-alone');
});

test('an offset after edits leads back to the same character before them', () => {
  const text = 'abcdefghij'.repeat(5);
  const edits = fc
    .uniqueArray(fc.tuple(fc.nat(15), fc.nat(2), fc.string({ maxLength: 4 })), { selector: ([at]) => at })
    .map((all) => all.map(([at, length, replaced]) => ({ start: at * 3, end: at * 3 + length, text: replaced })));
  fc.assert(
    fc.property(edits, fc.nat(49), (all, offset) => {
      fc.pre(!all.some(({ start, end }) => start <= offset && offset < Math.max(end, start + 1)));
      const before = applyEdits(
        text.slice(0, offset),
        all.filter(({ end }) => end <= offset),
      ).length;
      return offsetBefore(all, before) === offset;
    }),
  );
});

test('placeholders of a draft are found with their line; comments that speak of them are none', () => {
  const drafted = 'name: FILL IN - legal name, address: { postal-code: "00000", city: FILL IN }, # FILL IN\n   ';
  write('mappings/sales.yaml', SALES.replace('name: Exemple SARL,', drafted).replace('732829320', '000000000'));
  const found = checkInstance(root, {}).findings.filter(({ code }) => code === 'map/not-filled-in');
  expect(found.map(({ mark }) => mark!.text.slice(mark!.column - 1, mark!.column - 1 + mark!.length))).toEqual([
    'FILL IN - legal name',
    '"00000"',
    'FILL IN',
    "'000000000'",
  ]);
  write('mappings/sales.yaml', SALES.replace('make: { number', 'make: # FILL IN\n      { number'));
  expect(codes()).toEqual([]);
});
