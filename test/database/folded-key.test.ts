/** Spellings of one number fold to one key, numbers that differ do not. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldKey, numberInKey } from '../../src/database/folded-key.ts';
import { identityChecksum } from '../../src/database/identity-index.ts';
import { MIGRATIONS } from '../../src/database/migrations.ts';
import { migrate } from '../../src/database/open-database.ts';
import { storedKey } from '../../src/database/stored-key.ts';
import { temporaryFolder } from '../ledger/folder.ts';

const KEY = 'fr|siren:732829320|invoice|V|FV26-2|2026';

test.each([
  'FV-26-0002',
  'fv-26-0002',
  ' FV-26-0002',
  'FV - 26 - 0002',
  'FV\u201326\u22120002',
  'F\u200bV-26-0002',
  '\uff26V-26-0002',
  'FV-26-2',
  'FV-026-002',
  'FV/26/0002',
  'FV 26-0002',
  'FV26-0002',
  "'FV-26-0002",
  "'fv/26/2'",
])('one number: %j', (number) => {
  expect(foldKey(`fr|siren:732829320|invoice|v|${number}|2026`)).toBe(KEY);
});

test('what is spelled so already is the same text; an accent in one or two characters is one', () => {
  expect(foldKey(KEY)).toBe(KEY);
  expect(foldKey('nt|sv-remission-note|e\u0301-1')).toBe('nt|sv-remission-note|\u00c91');
});

test.each([
  'fr|siren:732829320|invoice|V|FV-26-20|2026',
  'fr|siren:732829320|invoice|V|FV-2-62|2026',
  'fr|siren:732829320|invoice|V|FV-262|2026',
  'fr|siren:732829320|invoice|V|FV-260002|2026',
  'fr|siren:732829320|invoice||VFV-26-0002|2026',
  'fr|siren:732829320|credit-note|V|FV-26-0002|2026',
  'fr|SIREN:732829320|invoice|V|FV-26-0002|2026',
])('another number: %s', (key) => {
  expect(foldKey(key)).not.toBe(KEY);
});

test.each([
  ['000123', '123'],
  ['12,00', '12'],
  ['0012.00', '12'],
  ["'12,0'", '12'],
  ['0', '0'],
  ['000', '0'],
  ['0,00', '0'],
  ["'", "'"],
  ['12,50', '12,50'],
  ['1-01', '1-1'],
  ['10-1', '10-1'],
  ['1-23', '1-23'],
  ['12/3', '12-3'],
  ['2026-001', '2026-1'],
  ['A-00-1', 'A0-1'],
  ['AB-C1', 'AB-C1'],
  ['-5', '-5'],
  ['F.1,00', 'F.1,0'],
  ['1.05', '1.05'],
  ['10,05', '10,05'],
  ['-01.0050', '-1.0050'],
  ['2026.01.02', '2026.1.2'],
  ['F1.05', 'F1.5'],
])('%j folds to %j, as a number and in never-twice', (number, folded) => {
  expect(foldKey(`fr|a|invoice||${number}|2026`)).toBe(`fr|a|invoice||${folded}|2026`);
  expect(foldKey(`nt|k|${number}|x`)).toBe(`nt|k|${folded}|X`);
});

const numbers = fc.array(
  fc.constantFrom('0', '00', '1', '20', '7', '-', '/', '.', ',', "'", 'A', 'b', ' ', '\u2013', '\\|'),
  {
    minLength: 1,
    maxLength: 8,
  },
);
const keyOf = (number: string) => `fr|a|invoice||${number}|2026`;
/** The runs of digits of a number, each without its leading zeros. */
const runsOf = (number: string) => (number.match(/\d+/g) ?? []).map((run) => run.replace(/^0+(?=.)/, ''));
/** The same, except that decimals are as they are. */
const runsWithDecimals = (number: string) =>
  number.split('|').flatMap((part) => {
    const [, whole, decimals] = /^-?(\d+)[.,](\d+)$/.exec(part) ?? [];
    return whole === undefined || decimals === undefined ? runsOf(part) : [...runsOf(whole), decimals];
  });

test('folding twice is folding once, and the parts stay parts', () => {
  fc.assert(
    fc.property(numbers, (signs) => {
      const folded = foldKey(keyOf(signs.join('')));
      expect(foldKey(folded)).toBe(folded);
      expect(folded.split(/(?<!\\)\|/)).toHaveLength(6);
    }),
  );
});

test('no run of digits vanishes, grows or joins another', () => {
  fc.assert(
    fc.property(numbers, (signs) => {
      // A blank is left out, as it always was; decimals of zeros alone are no run.
      const number = signs.join('').replaceAll(' ', '');
      const folded = foldKey(keyOf(number)).slice(keyOf('').indexOf('||') + 2, -'|2026'.length);
      const bare = number.replace(/^'+(?=.)|(?<=.)'+$/g, '').replace(/^(\d+)[.,]0+$/, '$1');
      expect(runsWithDecimals(folded)).toEqual(runsWithDecimals(bare.replaceAll('/', '-')));
    }),
  );
});

test('a bar inside of an issuer or a number parts nothing', () => {
  expect(foldKey('fr|a\\|b|invoice||f\\|1|2026')).toBe('fr|a\\|b|invoice||F\\|1|2026');
  expect(numberInKey('fr|a\\|b|invoice||f\\|1|2026')).toBe('f|1, 2026');
  expect(numberInKey('nt|sv-remission-note|nr-5')).toBe('nr-5');
});

test.each(['folded TEXT', 'folded = NULL'])(
  'a ledger from before %s knows the spellings of its numbers after the upgrade',
  (step) => {
    const file = join(temporaryFolder(), 'old.sqlite');
    const before = MIGRATIONS.findIndex((statements) => statements.some((one) => one.includes(step)));
    using db = new DatabaseSync(file);
    db.exec('PRAGMA foreign_keys = OFF');
    db.exec('PRAGMA synchronous = OFF');
    for (const statement of MIGRATIONS.slice(0, before).flat()) db.exec(statement);
    const insert = db.prepare('INSERT INTO identity (key, entry, file, proof) VALUES (?, ?, ?, ?)');
    const spelled = ['FA', 'fa', 'FA-', 'FA-00'];
    const keys = Array.from({ length: 6000 }, (_, n) => `fr|a|invoice||${spelled[n % 4]}${n + 1}|2026`);
    const long = `nt|k|${'x'.repeat(2000)}|007`;
    db.exec('BEGIN');
    for (const key of [...keys, long]) insert.run(key, 'e', 'f', identityChecksum({ key, entry: 'e', file: 'f' }));
    // What an earlier version has folded.
    if (step === 'folded = NULL') db.exec("UPDATE identity SET folded = 'x' || key WHERE key LIKE '%fa%'");
    db.exec('COMMIT');
    migrate(db, before);
    const rows = db.prepare('SELECT key, whole, folded FROM identity').all();
    expect(rows).toHaveLength(6001);
    for (const { key, whole, folded } of rows) {
      const form = foldKey(String(whole ?? key));
      expect(folded).toBe(form === (whole ?? key) ? null : storedKey(form));
    }
    expect(rows.filter(({ folded }) => folded === null)).toHaveLength(1500);
    const plan = db
      .prepare(
        'EXPLAIN QUERY PLAN SELECT key FROM identity WHERE folded = ? UNION ALL SELECT key FROM identity WHERE key = ?',
      )
      .all('x', 'x');
    expect(JSON.stringify(plan)).toContain('identity_folded');
    expect(JSON.stringify(plan)).not.toContain('SCAN');
  },
);
