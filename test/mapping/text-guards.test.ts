import { describe, expect, test } from 'vitest';
import { compileTextGuard } from '../../src/mapping/source/identifier-damage.ts';

function read(form: string, text: string): string {
  const result = compileTextGuard(form)!(text);
  return typeof result === 'string' ? result : `${result.code} ${result.message}`;
}

describe('text guards', () => {
  test.each([
    ['siren', '123456782', '123456782'],
    ['siren', '732 829 320', '732829320'],
    ['siret', '732 829 320 00074', '73282932000074'],
    ['vat', 'FR 11 123456782', 'FR11123456782'],
    ['nit', '0614-071107-103-0', '06140711071030'],
    ['nit', '00016297-5', '000162975'],
    ['dui', '00016297-5', '00016297-5'],
    ['5 digits', '01000', '01000'],
    ['4-5 digits', '1000', '1000'],
  ])('%s takes %s', (form, text, value) => {
    expect(read(form, text)).toBe(value);
  });

  test.each([
    ['siren', '1,23457E+08', 'map/damaged-text a spreadsheet changed "1,23457E+08": restore the 9 digits'],
    ['siret', '7.32829E+13', 'map/damaged-text a spreadsheet changed "7.32829E+13": restore the 14 digits'],
    ['siren', '123456782.0', 'map/damaged-text a spreadsheet changed "123456782.0": restore the 9 digits'],
    ['5 digits', '1000', 'map/damaged-text "1000" has 4 of 5 digits: leading zeros may be missing'],
    ['siren', '1234567890', 'map/wrong-text "1234567890" is not 9 digits'],
    ['5 digits', '01 000', 'map/wrong-text "01 000" is not 5 digits'],
    ['4-5 digits', '123456', 'map/wrong-text "123456" is not 4 to 5 digits'],
    ['siren', '12345678O', 'map/wrong-text "12345678O" is not 9 digits'],
    ['vat', '1,23E+10', 'map/damaged-text a spreadsheet changed "1,23E+10": restore the VAT number'],
  ])('%s refuses %s', (form, text, fault) => {
    expect(read(form, text)).toBe(fault);
  });

  test.each([
    [
      'siren',
      '5480546',
      '005480546',
      'write 005480546; if a spreadsheet wrote the file, format the column as text there',
    ],
    [
      'siren',
      '5480547',
      undefined,
      'restore the cell; if a spreadsheet wrote the file, format the column as text there',
    ],
    [
      'siren',
      '732.829.320',
      '732829320',
      'write 732829320; otherwise correct the cell, or the type of its column under source',
    ],
    ['siren', '123456782.0', '123456782', 'write 123456782'],
    [
      'siret',
      '732-829-320 00074',
      '73282932000074',
      'write 73282932000074; otherwise correct the cell, or the type of its column under source',
    ],
    ['5 digits', '1000', '01000', 'write 01000; if a spreadsheet wrote the file, format the column as text there'],
    [
      'nit',
      '6140711071030',
      '06140711071030',
      'write 06140711071030; if a spreadsheet wrote the file, format the column as text there',
    ],
    [
      'nit',
      '6140711071031',
      undefined,
      'restore the cell; if a spreadsheet wrote the file, format the column as text there',
    ],
    [
      'dui',
      '000162975',
      '00016297-5',
      'write 00016297-5; otherwise correct the cell, or the type of its column under source',
    ],
    ['dui', '024950463.0', '02495046-3', 'write 02495046-3'],
    ['dui', '12345679', undefined, 'correct the cell, or the type of its column under source'],
    ['5 digits', '10', undefined, 'restore the cell; if a spreadsheet wrote the file, format the column as text there'],
    [
      '4-5 digits',
      '100',
      undefined,
      'restore the cell; if a spreadsheet wrote the file, format the column as text there',
    ],
    [
      'vat',
      'fr44732829320',
      'FR44732829320',
      'write FR44732829320; otherwise correct the cell, or the type of its column under source',
    ],
    [
      'vat',
      '44732829320',
      'FR44732829320',
      'write FR44732829320; otherwise correct the cell, or the type of its column under source',
    ],
    ['vat', '45732829320', undefined, 'correct the cell, or the type of its column under source'],
    ['siren', '1,23457E+08', undefined, undefined],
  ])('%s: %j was most likely %j', (form, text, suggestion, hint) => {
    const problem = compileTextGuard(form)!(text);
    expect(typeof problem).toBe('object');
    expect(problem).toMatchObject({ given: text });
    const { suggestion: offered, hint: says } = problem as { suggestion?: string; hint?: string };
    expect([offered, says]).toEqual([suggestion, hint]);
  });

  test.each(['sirens', '0 digits', '5-4 digits', 'digits', '5 digitss', ''])('"%s" is no form', (form) => {
    expect(compileTextGuard(form)).toBeUndefined();
  });
});
