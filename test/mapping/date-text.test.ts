import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/i18n/message.ts';
import { DATE_PATTERNS, DATE_UNITS } from '../../src/i18n/messages/mapping-messages.ts';
import { compileDateWriter } from '../../src/mapping/source/date-pattern.ts';
import { compileDateFormat, type DateOptions } from '../../src/mapping/source/parse-date.ts';
import { dateOfDay, dayNumber, isIsoDate } from '../../src/text/calendar-date.ts';
import { runs } from '../seed.ts';

function read(pattern: string, text: string, options?: DateOptions): string {
  const format = compileDateFormat(pattern, options);
  if ('problem' in format) return format.problem.code;
  const value = format.read(text);
  return typeof value === 'string' ? value : `${value.code}: ${value.message}${value.hint ? ` (${value.hint})` : ''}`;
}

describe('reads', () => {
  it.each([
    ['dd/MM/yyyy', '05/09/2026', '2026-09-05'],
    ['d/M/yyyy', '5/9/2026', '2026-09-05'],
    ['d/M/yyyy', '05/09/2026', '2026-09-05'],
    ['yyyyMMdd', '20260905', '2026-09-05'],
    ['ddMMyyyy', '29022028', '2028-02-29'],
    ['yyyy-MM-dd', '2026-09-05', '2026-09-05'],
    ['MM/dd/yyyy', '09/05/2026', '2026-09-05'],
    ['dd.MM.yyyy', '05.09.2026', '2026-09-05'],
    ['dd/MM/yyyy HH:mm:ss', '05/09/2026 14:30:07', '2026-09-05T14:30:07'],
    ['yyyy-MM-ddTHH:mm', '2026-09-05T08:05', '2026-09-05T08:05:00'],
    ['d/M/yyyy H:mm', '5/9/2026 8:05', '2026-09-05T08:05:00'],
    ['d MMM yyyy', '5 sept. 2026', '2026-09-05'],
    ['d MMM yyyy', '5 Septembre 2026', '2026-09-05'],
    ['d MMMM yyyy', '5 septiembre 2026', '2026-09-05'],
    ['dd-MMM-yyyy', '05-SEP-2026', '2026-09-05'],
    ['ddMMMyyyy', '05SEP2026', '2026-09-05'],
    ['dd.MMM.yyyy', '05.sep.2026', '2026-09-05'],
    ['dd MMM yyyy', '01 févr. 2026', '2026-02-01'],
    ['dd MMM yyyy', '01 AOÛT 2026', '2026-08-01'],
    ['dd MMM yyyy', '01 déc 2026', '2026-12-01'],
    ['dd MMM yyyy', '01 ene 2026', '2026-01-01'],
    ['MMM d, yyyy', 'July 4, 2026', '2026-07-04'],
    ['excel-serial', '46270', '2026-09-05'],
    ['excel-serial', '1', '1900-01-01'],
    ['excel-serial', '59', '1900-02-28'],
    ['excel-serial', '61', '1900-03-01'],
    ['excel-serial', '46270.5', '2026-09-05T12:00:00'],
    ['excel-serial', '46270,75', '2026-09-05T18:00:00'],
    ['excel-serial', '46270.999999', '2026-09-06'],
  ])('%s %s is %s', (pattern, text, iso) => {
    expect(read(pattern, text)).toBe(iso);
    expect(isIsoDate(iso)).toBe(true);
  });

  it('two-digit years only where the century is given', () => {
    expect(read('dd/MM/yy', '05/09/26', { twoDigitYearsUntil: 69 })).toBe('2026-09-05');
    expect(read('dd/MM/yy', '05/09/69', { twoDigitYearsUntil: 69 })).toBe('2069-09-05');
    expect(read('dd/MM/yy', '05/09/70', { twoDigitYearsUntil: 69 })).toBe('1970-09-05');
    expect(read('dd/MM/yyyy', '05/09/0026', { twoDigitYearsUntil: 69 })).toContain('the year 26 is not between');
  });
});

describe('refuses, and says why', () => {
  const shape = (text: string, pattern = 'dd/MM/yyyy') =>
    `map/not-a-date: "${text}" is not a date (this file writes dates as ${pattern})`;
  it.each([
    ['dd/MM/yyyy', '2026-09-05', shape('2026-09-05')],
    ['d MMM yyyy', '5 sebt 2026', shape('5 sebt 2026', 'd MMM yyyy')],
    ['d MMM yyyy', '5 ju 2026', shape('5 ju 2026', 'd MMM yyyy')],
    ['d MMM yyyy', '5 9 2026', shape('5 9 2026', 'd MMM yyyy')],
    ['dd/MM/yyyy', '5/9/2026', shape('5/9/2026')],
    ['dd/MM/yyyy', '05/09/26', shape('05/09/26')],
    ['dd/MM/yyyy', '05/09/20265', shape('05/09/20265')],
    ['dd/MM/yyyy', '05/09/2026 00:00', shape('05/09/2026 00:00')],
    ['dd/MM/yyyy', '0٥/09/2026', shape('0٥/09/2026')],
    [
      'dd/MM/yyyy',
      '46270',
      `${shape('46270')} (this is the day number that a spreadsheet uses for 05/09/2026: write that, or export the column as a date again)`,
    ],
    ['dd/MM/yyyy', '31/02/2026', 'map/not-a-date: "31/02/2026" is not a date: 02/2026 has no day 31'],
    ['dd/MM/yyyy', '29/02/2100', 'map/not-a-date: "29/02/2100" is not a date: 02/2100 has no day 29'],
    ['dd/MM/yyyy', '00/09/2026', 'map/not-a-date: "00/09/2026" is not a date: 09/2026 has no day 0'],
    ['dd/MM/yyyy', '09/13/2026', 'map/not-a-date: "09/13/2026" is not a date: month 13 does not exist'],
    [
      'dd/MM/yyyy',
      '05/09/0206',
      'map/not-a-date: "05/09/0206" is not a date: the year 206 is not between 1900 and 2199',
    ],
    ['yyyyMMdd', '00000000', 'map/not-a-date: "00000000" is not a date: the year 0 is not between 1900 and 2199'],
    [
      'dd/MM/yyyy HH:mm',
      '05/09/2026 24:00',
      'map/not-a-date: "05/09/2026 24:00" is not a date: the time of day is not valid',
    ],
    ['excel-serial', '60', 'map/not-a-date: "60" is not a date (this file writes dates as spreadsheet day numbers)'],
    [
      'excel-serial',
      '999999',
      'map/not-a-date: "999999" is not a date (this file writes dates as spreadsheet day numbers)',
    ],
    [
      'excel-serial',
      '05/09/2026',
      'map/not-a-date: "05/09/2026" is not a date (this file writes dates as spreadsheet day numbers)',
    ],
  ])('%s %s', (pattern, text, message) => {
    expect(read(pattern, text)).toBe(message);
  });

  it.each([
    ['DD/MM/YYYY', DATE_PATTERNS.unknownPart({ part: 'DD', pattern: 'DD/MM/YYYY' })],
    ['dd/mm/yyyy', DATE_PATTERNS.lacks({ pattern: 'dd/mm/yyyy', unit: DATE_UNITS.month() }), 'monthCapitals'],
    ['dd MMMMM yyyy', DATE_PATTERNS.unknownPart({ part: 'MMMMM', pattern: 'dd MMMMM yyyy' })],
    ['dd/MM', DATE_PATTERNS.lacks({ pattern: 'dd/MM', unit: DATE_UNITS.year() }), 'example'],
    ['dd/dd/yyyy', DATE_PATTERNS.twice({ pattern: 'dd/dd/yyyy', unit: DATE_UNITS.day() })],
    ['dd/MM/yy', DATE_PATTERNS.noCentury({ pattern: 'dd/MM/yy' }), 'fourDigits'],
    ['yyyyMd', DATE_PATTERNS.noEnd({ pattern: 'yyyyMd', unit: DATE_UNITS.month() }), 'example'],
    ['dd/MM/2026', DATE_PATTERNS.digits({ pattern: 'dd/MM/2026' })],
    ['dd/MM/yyyy mm', DATE_PATTERNS.timeStart({ pattern: 'dd/MM/yyyy mm' }), 'timeExample'],
    ['', DATE_PATTERNS.lacks({ pattern: '', unit: DATE_UNITS.day() }), 'example'],
  ] satisfies [string, Message, string?][])('the pattern %s', (pattern, message, hint = 'letters') => {
    const refused = compileDateFormat(pattern);
    const expected = { code: 'map/wrong-pattern', message, hint: { id: `date-patterns.${hint}` } };
    expect(refused).toMatchObject({ problem: expected });
  });
});

it('reads one cell after the other, repeated ones too', () => {
  const format = compileDateFormat('dd/MM/yyyy');
  if ('problem' in format) throw new Error('a pattern');
  const cells = ['05/09/2026', '05/09/2026', '06/09/2026', 'x', 'x', '05/09/2026'].map(format.read);
  expect(cells.map((cell) => (typeof cell === 'string' ? cell.slice(8) : cell.code))).toEqual([
    '05',
    '05',
    '06',
    'map/not-a-date',
    'map/not-a-date',
    '05',
  ]);
});

const day = fc.integer({ min: dayNumber('1900-01-01'), max: dayNumber('2199-12-31') });

it('agrees with the calendar of the runtime, both ways', () => {
  fc.assert(
    fc.property(day, (number) => {
      const iso = new Date(number * 86_400_000).toISOString().slice(0, 10);
      expect(dateOfDay(number)).toBe(iso);
      expect(dayNumber(iso)).toBe(number);
      if (number + 25_569 > 60) expect(read('excel-serial', String(number + 25_569))).toBe(iso);
    }),
    { numRuns: runs(500) },
  );
});

it('reads what TEXT writes', () => {
  const pattern = fc.constantFrom('dd/MM/yyyy', 'yyyyMMdd', 'd.M.yyyy', 'yyyy-MM-ddTHH:mm:ss', 'dd/MM/yyyy H:mm');
  fc.assert(
    fc.property(day, pattern, (number, shape) => {
      const iso = dateOfDay(number)!;
      const write = compileDateWriter(shape);
      if (typeof write !== 'function') throw new Error('a pattern');
      expect(read(shape, write(iso)).slice(0, 10)).toBe(iso);
    }),
    { numRuns: runs(300) },
  );
});

it('knows ISO dates', () => {
  for (const good of ['2026-09-05', '2028-02-29', '2026-09-05T23:59:59']) expect(isIsoDate(good), good).toBe(true);
  for (const bad of ['2026-9-5', '2026-02-29', '2026-09-05T24:00:00', '1899-12-31', '2026-09-05Z', ' 2026-09-05']) {
    expect(isIsoDate(bad), bad).toBe(false);
  }
});

describe('a day count of a spreadsheet where a date is asked', () => {
  const offered = (text: string, pattern: string, twoDigitYearsUntil?: number) => {
    const format = compileDateFormat(pattern, twoDigitYearsUntil === undefined ? {} : { twoDigitYearsUntil });
    if ('problem' in format) throw new Error(format.problem.message.id);
    const problem = format.read(text);
    if (typeof problem === 'string') throw new Error(problem);
    return [problem.code, problem.suggestion];
  };

  it.each([
    ['46338', 'dd/MM/yyyy', '12/11/2026'],
    ['46338', 'yyyy-MM-dd', '2026-11-12'],
    ['46338', 'd/M/yyyy', '12/11/2026'],
    ['46338', 'dd/MM/yyyy HH:mm', '12/11/2026 00:00'],
    ['46338,5', 'dd/MM/yyyy HH:mm', '12/11/2026 12:00'],
    ['46338', 'ddMMyyyy', '12112026'],
    ['46338', 'yyyyMMdd', '20261112'],
    ['46338', 'MMddyyyy', '11122026'],
  ])('%s as %s: %s is offered', (text, pattern, suggestion) => {
    expect(offered(text, pattern)).toEqual(['map/not-a-date', suggestion]);
  });

  it.each([
    ['a time that the pattern has no place for', '46338,5', 'dd/MM/yyyy'],
    ['a date without its first zero', '50926', 'ddMMyyyy'],
    ['a date of this century without its first zero', '51231', 'yyyyMMdd'],
    ['a month that is written as a word', '46338', 'd MMM yyyy'],
    ['a year of no document', '20926', 'dd/MM/yyyy'],
    ['no number of five digits', '4633', 'dd/MM/yyyy'],
  ])('nothing is offered for %s', (_, text, pattern) => {
    expect(offered(text, pattern)).toEqual(['map/not-a-date', undefined]);
  });

  it('two digits of a year are offered within their century alone', () => {
    expect(offered('46338', 'dd/MM/yy', 69)).toEqual(['map/not-a-date', '12/11/26']);
    expect(offered('46338', 'dd/MM/yy', 20)).toEqual(['map/not-a-date', undefined]);
  });
});

describe('xsd-date', () => {
  const format = compileDateFormat('xsd-date');
  const day = (text: string) => {
    const read = 'read' in format ? format.read(text) : '';
    return typeof read === 'string' ? read : read.code;
  };

  it.each(['2016-04-04', '2016-04-04+01:00', '2016-04-04-14:00', '2016-04-04Z'])('the day that %s states', (text) => {
    expect(day(text)).toBe('2016-04-04');
  });

  it.each(['2016-02-30Z', '2016-04-04+1:00', '2016-04-04+15:00', '2016-04-04+01:60', '2016-04-04z', '04/04/2016'])(
    '%s is none',
    (text) => {
      expect(day(text)).toBe('map/not-a-date');
    },
  );

  it('another pattern takes no zone', () => {
    const plain = compileDateFormat('yyyy-MM-dd');
    expect('read' in plain && plain.read('2016-04-04Z')).toMatchObject({ code: 'map/not-a-date' });
  });
});
