/** Each proof alone: what a form of cells says, what it leaves open, and what it must not believe. */
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { proveDates } from '../../src/infer/analysis/date-evidence.ts';
import { commonMarks, parseSampleNumber, proveNumbers } from '../../src/infer/analysis/number-evidence.ts';
import { namePattern } from '../../src/infer/draft/draft-source.ts';
import { columnReference, scalar } from '../../src/infer/draft/yaml-writer.ts';
import { createNotes, type DraftNotes } from '../../src/infer/findings/draft-findings.ts';
import { findDialect } from '../../src/infer/sample/csv-dialect.ts';
import { detectEncoding } from '../../src/infer/sample/detect-encoding.ts';
import { readRowsText } from '../../src/infer/sample/sample-text.ts';
import { KNOWN_NAMES, matchColumnName } from '../../src/infer/vocabulary/column-dictionary.ts';
import { likelyUnitOf } from '../../src/model/units.ts';

const FRENCH = 'Société Élan & Fils;12 rue de l’Œuvre;livré à Nîmes, 150 € ; façade côté jardin';

const readAsDetected = (bytes: Buffer) => iconv.decode(bytes, detectEncoding(bytes, createNotes()));

function idsOf(notes: DraftNotes): string {
  return notes
    .evidenceAt('source.encoding')
    .map(({ id }) => id)
    .join(' ');
}

describe('encoding', () => {
  it.each(['windows-1252', 'cp850', 'macintosh', 'iso-8859-15'])('is recognized by the letters: %s', (encoding) => {
    const text =
      encoding === 'cp850'
        ? FRENCH.replace('’', "'").replace('Œ', 'OE').replace('€', 'EUR')
        : encoding === 'macintosh'
          ? FRENCH.replace('€', 'EUR')
          : encoding === 'iso-8859-15'
            ? FRENCH.replace('’', "'")
            : FRENCH;
    const notes = createNotes();
    expect(detectEncoding(iconv.encode(text, encoding), notes)).toBe(encoding);
    expect(idsOf(notes)).toMatch(/likely|guess/);
  });

  it.each([
    ["Codo;Tubo de 1 ½'' galvanizado;Unión ½'' España;Niño"],
    ['Peña;½L aceite;¼ kg;1¾ pulgadas;año'],
    ["Codo ½'';Llave ½\u00a0'';Niple ½'' x ¾''"],
  ])('reads the fractions of Windows, not ligatures that begin no word: %s', (text) => {
    expect(readAsDetected(iconv.encode(text, 'windows-1252'))).toBe(text);
  });

  it.each(['Œuvre', "l'œil", 'cœur', 'NŒUD', 'vœux;œillets', 'œdème'])('reads the ligature of %s', (text) => {
    const whole = `Société;${text};côté`;
    expect(readAsDetected(iconv.encode(whole, 'iso-8859-15'))).toBe(whole);
  });

  it.each([
    ['windows-1250', 'Łódź;ul. Świętokrzyska;120 złoty;Gdańsk'],
    ['cp852', 'Poděbrady;Dvořák a synové;Plzeň;Žižkova 5;Třebíč'],
  ])('is none in which the reader would refuse the sample: %s', (encoding, text) => {
    expect(readAsDetected(iconv.encode(text, encoding))).toBe(text);
  });

  it('is certain of UTF-8 and of byte order marks, and gives the bytes back', async () => {
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(FRENCH, 'utf16le')]);
    for (const [bytes, encoding] of [
      [Buffer.from(FRENCH), 'utf-8'],
      [marked, 'utf-16le'],
      [Buffer.from(FRENCH, 'utf16le'), 'utf-16le'],
    ] as const) {
      const notes = createNotes();
      const sample = await readRowsText({ bytes, file: 'a.csv' }, notes);
      expect([sample.encoding, sample.text]).toEqual([encoding, FRENCH]);
      expect(Buffer.from(sample.encode(sample.text))).toEqual(Buffer.from(bytes));
      expect(idsOf(notes)).toMatch(/utf8|byteOrderMark|zeros/);
      expect(notes.questions()).toEqual([]);
    }
  });

  it('asks when no letter decides, and shows the result of the other reading', () => {
    const notes = createNotes();
    expect(detectEncoding(Buffer.from('A;B\r\n1;2\r\n'), notes)).toBe('auto');
    expect(notes.questions()[0]?.at).toBe('source.encoding');
    const legacy = createNotes();
    detectEncoding(iconv.encode('Élan;Noël;Crème brûlée', 'windows-1252'), legacy);
    expect(idsOf(legacy)).toMatch(/otherPage/);
  });
});

describe('numbers', () => {
  it.each([
    [['12,5', '3', '1 234,50'], ',', [' ']],
    [['1,234.50', '12.00'], '.', [',']],
    [['1.234.567', '12'], ',', ['.']],
    [['000012,000', '3,9500'], ',', []],
    [["1'250.00", '3'], '.', ["'"]],
    [['2,000-', '(3,50)'], ',', []],
  ])('%j has the decimal mark %s', (cells, decimal, thousands) => {
    expect(commonMarks([proveNumbers(cells)!])).toEqual({ decimal, thousands });
  });

  it('is not sure of one mark before three digits, and another column decides', () => {
    const unclear = proveNumbers(['3,335', '1,250'])!;
    expect([unclear.unclear, commonMarks([unclear])]).toEqual([['3,335', '1,250'], undefined]);
    expect(commonMarks([unclear, proveNumbers(['8.40'])!])?.decimal).toBe('.');
  });

  it('takes no texts, dates or damaged cells for numbers', () => {
    for (const cell of ['F-12', '05/09/2026', '1,23457E+08', '12,5 kg', '1-2', ''])
      expect(proveNumbers([cell]), cell).toBeUndefined();
  });

  it('reads any amount back that it has written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.constantFrom(',' as const, '.' as const),
        (cents, decimal) => {
          const plain = `${Math.trunc(Math.abs(cents) / 100)}${decimal}${String(Math.abs(cents) % 100).padStart(2, '0')}`;
          const read = parseSampleNumber(`${cents < 0 ? '-' : ''}${plain}`, decimal);
          expect(read?.toText(2)).toBe(`${cents < 0 ? '-' : ''}${plain.replace(',', '.')}`);
        },
      ),
    );
  });
});

describe('dates', () => {
  it.each([
    [['05/09/2026', '31/10/2026'], ['dd/MM/yyyy']],
    [['09/05/2026', '10/31/2026'], ['MM/dd/yyyy']],
    [
      ['05/09/2026', '06/10/2026'],
      ['dd/MM/yyyy', 'MM/dd/yyyy'],
    ],
    [['5.9.2026', '31.10.2026'], ['d.M.yyyy']],
    [['2026-09-05'], ['yyyy-MM-dd']],
    [['20260905', '20261231'], ['yyyyMMdd']],
    [['05092026', '31122026'], ['ddMMyyyy']],
    [['31/12/26'], ['dd/MM/yy']],
    [['2026-09-05 14:05:00'], ['yyyy-MM-dd HH:mm:ss']],
    [['31/12/2026 9:05', '30/12/2026 14:05'], ['dd/MM/yyyy H:mm']],
  ])('%j is %j', (cells, patterns) => {
    expect(proveDates(cells)?.patterns).toEqual(patterns);
  });

  it('shows its proof, and says which order is likelier without calling it proven', () => {
    expect(proveDates(['05/09/2026', '31/10/2026'])?.says).toMatchObject({ values: { value: 31, rows: 1 } });
    const open = proveDates(['09/01/2026', '09/02/2026', '09/03/2026'])!;
    expect([open.patterns.length, open.likely?.pattern]).toEqual([2, 'MM/dd/yyyy']);
    expect(proveDates(['01/01/2026', '02/02/2026'])?.likely).toBeUndefined();
  });

  it('takes nothing else for dates', () => {
    for (const cells of [
      ['12345678'],
      ['31/31/2026'],
      ['13/05/2026', '05/13/2026'],
      ['2026-13-01'],
      ['5/9'],
      ['05/09/2026', '05-09-2026'],
    ]) {
      expect(proveDates(cells), String(cells)).toBeUndefined();
    }
  });
});

describe('dialect', () => {
  const dialect = (text: string) => findDialect(text, createNotes());

  it('takes the character that cuts the lines evenly, not the commonest', () => {
    expect(dialect('A;B;C\n1,5;2,5;3,5\n1,1;2,2;3,3\n').delimiter).toBe(';');
    expect(dialect('A,B\n"x; y; z",2\n"a; b; c",3\n').delimiter).toBe(',');
    expect(dialect('sep=|\nA|B;C\n1|2\n').delimiter).toBe('|');
  });

  it('sees quotes that mean inches, and a missing last line end', () => {
    expect(dialect('A;B\n3/4" tube;1\n1/2" tube;2\n').quote).toBe('none');
    expect(dialect('A;B\n"3/4"" tube; long";1\n').quote).toBe('"');
    expect([dialect('A;B\n1;2').finalLineEnd, dialect('A;B\n1;2\n\x1a').finalLineEnd]).toEqual([false, true]);
  });
});

describe('names of columns', () => {
  it.each([
    ['NumFac', 'number'],
    ['N° facture', 'number'],
    ['NUM_FACTURE', 'number'],
    ['Nro. Factura', 'number'],
    ['DO_Piece', 'number'],
    ['DATECH', 'due'],
    ['Fecha de vencimiento', 'due'],
    ['RaisonSociale', 'customer.name'],
    ['PrecioUnitario', 'price'],
    ['PUHT', 'price'],
    ['Qté', 'quantity'],
    ['CANTIDAD', 'quantity'],
    ['TotalHT', 'totalNet'],
    ['Net à payer', 'totalGross'],
    ['Code TVA', 'vatCode'],
    ['% IVA', 'vatRate'],
    ['LIBART', 'description'],
    ['NRC', 'nrc'],
  ])('%s -> %s', (name, concept) => {
    expect(matchColumnName([name]).concepts[0]).toBe(concept);
  });

  it('knows several hundred spellings, and whose value an XML element holds', () => {
    expect(KNOWN_NAMES).toBeGreaterThan(800);
    expect(matchColumnName(['Invoice', 'AccountingSupplierParty', 'Party', 'PostalAddress', 'CityName'])).toMatchObject(
      {
        party: 'issuer',
      },
    );
    expect(matchColumnName(['Frobnication']).strength).toBe(0);
  });
});

describe('writing', () => {
  it('names columns so that formulas read them, and keeps texts texts', () => {
    expect([
      columnReference('Qte'),
      columnReference('PU HT'),
      columnReference('a]b'),
      columnReference('Qte-Rem'),
    ]).toEqual(['$Qte', '$[PU HT]', '$[a]]b]', '$[Qte-Rem]']);
    expect([scalar('EUR'), scalar('yes'), scalar('007'), scalar('a: b')]).toEqual(['EUR', '"yes"', '"007"', '"a: b"']);
  });

  it('makes a pattern of the name of the sample', () => {
    expect(['FAC_0905.csv', 'EBP_Export_17092026.csv', 'ventes.csv', '0905.csv', 'a'].map(namePattern)).toEqual([
      'FAC_*.csv',
      'EBP_Export_*.csv',
      'ventes*.csv',
      '0905*.csv',
      'a*',
    ]);
  });

  it('knows units of three languages', () => {
    expect([
      likelyUnitOf('Pce.'),
      likelyUnitOf('unidad')?.cat014,
      likelyUnitOf('mètre')?.rec20,
      likelyUnitOf('xyz'),
    ]).toEqual([{ rec20: 'C62', cat014: 59 }, 59, 'MTR', undefined]);
  });
});
