/**
 * Functions on dates and on the day of admission: ISO texts in and out. A date-time counts as its day; its time of day
 * is cut off. Faults: `map/no-such-date`, `map/not-a-date`.
 */
import { DAYS, FUNCTION_ARGUMENTS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { withMessage } from '../../model/fault.ts';
import { dateOfDay, dayNumber, isCalendarDay, isoOf, monthEnd, monthsLater } from '../../text/calendar-date.ts';
import {
  type Argument,
  type ArgumentRefusal,
  builtFunction,
  countOf,
  type FunctionEntry,
  fail,
  plainFunction,
} from '../runtime/function-definition.ts';
import { type Context, FAILED, type ReadValue, type Value } from '../runtime/value.ts';
import { compileDateFormat } from '../source/parse-date.ts';

/** Periods in which a French company reports: ten days, a month, two months. */
export const REGIMES = ['decade', 'month', 'two-months'] as const;

/** The manual of each function is its entry; its examples run as tests. */
export const DATE_FUNCTIONS: readonly FunctionEntry[] = [
  builtFunction({
    name: 'DATE',
    syntax: 'DATE(year, month, day) or DATE(text, "pattern", last year)',
    sentence:
      'A date from its three numbers, or from a text written as the pattern says; MMM is a month as a word, in French, Spanish or English. A two-digit year needs the last one that belongs to this century.',
    examples: [
      { formula: 'DATE(2026, 9, 5)', gives: '2026-09-05' },
      { formula: 'DATE("20260905", "yyyyMMdd")', gives: '2026-09-05' },
      { formula: 'DATE("05/09/2026"; "dd/MM/yyyy")', gives: '2026-09-05' },
      { formula: 'DATE("5 sept. 2026"; "d MMM yyyy")', gives: '2026-09-05' },
      { formula: 'DATE("050970"; "ddMMyy"; 69)', gives: '1970-09-05' },
      { formula: 'DATE("46270"; "excel-serial")', gives: '2026-09-05' },
    ],
    takes: ['any', 'any', 'number?'],
    gives: 'date',
    // Two forms: a text with a literal pattern, or three numbers.
    build: (given) => {
      const [year, month, day] = given;
      const isText = day === undefined || (year.kind !== 'number' && typeof month.literal === 'string');
      return isText ? dateOfText(given) : dateOfNumbers([year, month, day]);
    },
  }),
  plainFunction({
    name: 'DAYS',
    syntax: 'DAYS(end, start)',
    sentence: 'How many days lie between two dates; negative when the end comes first.',
    examples: [
      { formula: 'DAYS("2026-10-05", "2026-09-05")', gives: '30' },
      { formula: 'DAYS("2026-02-28", "2026-03-01")', gives: '-1' },
    ],
    takes: ['date', 'date'],
    gives: 'number',
    apply: ([end, start]) => Decimal.from(dayNumber(end) - dayNumber(start)),
  }),
  plainFunction({
    name: 'EDATE',
    syntax: 'EDATE(date, months)',
    sentence: 'The same day some months later, or the last day of a shorter month.',
    examples: [
      { formula: 'EDATE("2026-01-31", 1)', gives: '2026-02-28' },
      { formula: 'EDATE("2026-03-15", -2)', gives: '2026-01-15' },
    ],
    takes: ['date', 'number'],
    gives: 'date',
    apply: ([date, months], context) => inCalendar(context, date, monthsLater(date, countOf(months))),
  }),
  plainFunction({
    name: 'MONTH-END',
    syntax: 'MONTH-END(date, months)',
    sentence: 'The last day of the month, or of the month some months later.',
    examples: [
      { formula: 'MONTH-END("2026-09-05")', gives: '2026-09-30' },
      { formula: 'MONTH-END("2027-12-31", 2)', gives: '2028-02-29' },
    ],
    takes: ['date', 'number?'],
    gives: 'date',
    apply: ([date, months = Decimal.zero], context) => {
      const later = monthsLater(date, countOf(months));
      return inCalendar(context, date, later && monthEnd(later));
    },
  }),
  builtFunction({
    name: 'DUE-DATE',
    syntax: 'DUE-DATE(date, count, "days" or "months", "month-end-after" or "month-end-before")',
    sentence:
      'When a payment is due. "Fin de mois" has two readings, so it is asked for: month-end-after adds first and goes to the end of the month then, month-end-before goes to the end of the month and adds then.',
    examples: [
      { formula: 'DUE-DATE("2026-01-31", 30, "days")', gives: '2026-03-02' },
      { formula: 'DUE-DATE("2026-01-31", 1, "months")', gives: '2026-02-28' },
      { formula: 'DUE-DATE("2026-11-20", 45, "days")', gives: '2027-01-04' },
      { formula: 'DUE-DATE("2026-11-20", 45, "days", "month-end-after")', gives: '2027-01-31' },
      { formula: 'DUE-DATE("2026-11-20", 45, "days", "month-end-before")', gives: '2027-01-14' },
    ],
    takes: ['date', 'number', 'text', 'text?'],
    gives: 'date',
    build: dueDate,
  }),
  builtFunction({
    name: 'REPORT-PERIOD',
    syntax: 'REPORT-PERIOD("decade", "month" or "two-months", date, "start" or "end")',
    sentence:
      'The first or last second, in local time, of the period of a French e-report that a day falls into: ten days of a month (from the 1st, the 11th, the 21st to its end), the month, or two months from January on.',
    examples: [
      { formula: 'REPORT-PERIOD("decade", "2026-11-10", "start")', gives: '2026-11-01T00:00:00' },
      { formula: 'REPORT-PERIOD("decade", "2026-11-10", "end")', gives: '2026-11-10T23:59:59' },
      { formula: 'REPORT-PERIOD("decade", "2028-02-21", "end")', gives: '2028-02-29T23:59:59' },
      { formula: 'REPORT-PERIOD("month", "2026-11-30", "start")', gives: '2026-11-01T00:00:00' },
      { formula: 'REPORT-PERIOD("month", "2026-11-30", "end")', gives: '2026-11-30T23:59:59' },
      { formula: 'REPORT-PERIOD("two-months", "2026-12-01", "start")', gives: '2026-11-01T00:00:00' },
      { formula: 'REPORT-PERIOD("two-months", "2027-01-31", "end")', gives: '2027-02-28T23:59:59' },
    ],
    takes: ['text', 'date', 'text'],
    gives: 'date',
    build: reportPeriod,
  }),
  plainFunction({
    name: 'YEAR',
    syntax: 'YEAR(date)',
    sentence: 'The year of a date.',
    examples: [{ formula: 'YEAR("2026-09-05")', gives: '2026' }],
    takes: ['date'],
    gives: 'number',
    apply: ([date]) => Decimal.from(Number(date.slice(0, 4))),
  }),
  plainFunction({
    name: 'MONTH',
    syntax: 'MONTH(date)',
    sentence: 'The month of a date, from 1 to 12.',
    examples: [{ formula: 'MONTH("2026-09-05")', gives: '9' }],
    takes: ['date'],
    gives: 'number',
    apply: ([date]) => Decimal.from(Number(date.slice(5, 7))),
  }),
  plainFunction({
    name: 'DAY',
    syntax: 'DAY(date)',
    sentence: 'The day of the month.',
    examples: [{ formula: 'DAY("2026-09-05")', gives: '5' }],
    takes: ['date'],
    gives: 'number',
    apply: ([date]) => Decimal.from(Number(date.slice(8, 10))),
  }),
  plainFunction({
    name: 'TODAY',
    asks: 'today',
    syntax: 'TODAY()',
    sentence: 'The date of admission in the time zone of the target; a correction keeps it.',
    examples: [{ formula: 'TODAY()', gives: '2026-09-05' }],
    takes: [],
    gives: 'date',
    apply: (_none, context) => context.facts.today,
  }),
];

/** The result, or `map/no-such-date` where it is outside the calendar. */
function inCalendar(context: Context, date: string, result: string | undefined): Value {
  if (result !== undefined) return result;
  const words = withMessage(DAYS.tooFar({ date }), DAYS.wholeDaysAndMonths());
  return fail(context, { code: 'map/no-such-date', ...words, given: date });
}

/** Checks the day against the calendar: 31 February is a fault, never 3 March. */
function dateOfNumbers(given: readonly [Argument, Argument, Argument]): ReadValue | ArgumentRefusal {
  const strange = given.findIndex((argument) => argument.kind !== 'number' && argument.kind !== 'any');
  if (strange >= 0) {
    return { argument: strange, message: FUNCTION_ARGUMENTS.dateNumbers(), hint: FUNCTION_ARGUMENTS.writeDate() };
  }
  return (context) => {
    const values = given.map((argument) => argument.read(context));
    if (values.includes(FAILED)) return FAILED;
    if (values.includes('')) return '';
    const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = values.map(countOf);
    if (isCalendarDay(year, month, day)) return isoOf(year, month, day);
    const shown = values.map(String).join(', ');
    return fail(context, {
      code: 'map/no-such-date',
      ...withMessage(DAYS.noSuch({ shown })),
      given: shown,
    });
  };
}

/** The pattern is a literal, so that it compiles once and a wrong one is a finding. */
function dateOfText([text, pattern, until]: readonly [Argument, Argument, Argument?]): ReadValue | ArgumentRefusal {
  if (text.kind !== 'text' && text.kind !== 'any') {
    return { argument: 0, message: FUNCTION_ARGUMENTS.dateOfText({ source: text.source }) };
  }
  if (typeof pattern.literal !== 'string') {
    return {
      argument: 1,
      message: FUNCTION_ARGUMENTS.fixedDatePattern(),
      hint: FUNCTION_ARGUMENTS.datePatternExample(),
    };
  }
  const last = until && countOf(until.literal);
  if (last !== undefined && !(last >= 0 && last <= 99)) {
    return {
      argument: 2,
      message: FUNCTION_ARGUMENTS.fixedCentury(),
      hint: FUNCTION_ARGUMENTS.centuryExample(),
    };
  }
  const format = compileDateFormat(pattern.literal, definedOnly({ twoDigitYearsUntil: last }));
  if ('problem' in format) return { argument: 1, ...format.problem };
  return (context) => {
    const value = text.read(context);
    if (value === FAILED || value === '') return value;
    const date = format.read(String(value).trim());
    return typeof date === 'string' ? date : fail(context, date);
  };
}

/** `unit` and the option for month ends are literals; "fin de mois" never has a default. */
function dueDate([date, count, unit, end]: readonly [Argument, Argument, Argument, Argument?]):
  | ReadValue
  | ArgumentRefusal {
  const days = unit.literal === 'days';
  if (!days && unit.literal !== 'months') return { argument: 2, message: FUNCTION_ARGUMENTS.dueUnit() };
  const option = end ? end.literal : '';
  if (option !== '' && option !== 'month-end-after' && option !== 'month-end-before') {
    return { argument: 3, message: FUNCTION_ARGUMENTS.dueOption() };
  }
  return (context) => {
    const from = date.read(context);
    const by = count.read(context);
    if (from === FAILED || by === FAILED) return FAILED;
    if (typeof from !== 'string' || from === '' || !(by instanceof Decimal)) return '';
    const start = option === 'month-end-before' ? monthEnd(from) : from;
    const due = days ? dateOfDay(dayNumber(start) + countOf(by)) : monthsLater(start, countOf(by));
    return inCalendar(context, from, due && option === 'month-end-after' ? monthEnd(due) : due);
  };
}

/** Decades as in the French calendar of e-reporting: three in a month, the last one ends with the month. */
function reportPeriod([given, { read }, end]: readonly [Argument, Argument, Argument]): ReadValue | ArgumentRefusal {
  const regime = REGIMES.find((name) => name === given.literal);
  const side = end.literal;
  if (!regime) return { argument: 0, message: FUNCTION_ARGUMENTS.period() };
  if (side !== 'start' && side !== 'end') return { argument: 2, message: FUNCTION_ARGUMENTS.periodSide() };
  return (context) => {
    const date = read(context);
    if (typeof date !== 'string' || date === '') return date;
    const [first, last] = periodOf(regime, date);
    return side === 'start' ? `${first}T00:00:00` : `${last}T23:59:59`;
  };
}

/** First and last day of the period, as ISO dates; two-month periods begin with odd months. */
function periodOf(regime: (typeof REGIMES)[number], date: string): readonly [first: string, last: string] {
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))];
  if (regime === 'decade') {
    const start = [21, 11].find((first) => day >= first) ?? 1;
    return [isoOf(year, month, start), start === 21 ? monthEnd(date) : isoOf(year, month, start + 9)];
  }
  const start = isoOf(year, regime === 'month' || month % 2 === 1 ? month : month - 1, 1);
  return [start, monthEnd(regime === 'month' ? start : isoOf(year, Number(start.slice(5, 7)) + 1, 1))];
}
