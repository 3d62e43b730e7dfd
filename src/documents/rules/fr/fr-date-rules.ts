/**
 * Rules of the dates of a French invoice: present, plausible, in their order. Only days that the calendar has are
 * compared; the shape reports others.
 */
import type { Json } from '../../../model/draft.ts';
import { isAdvance } from '../../code-lists/document-types.ts';
import { dayAt, decimalAt, listAt, textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const TERM_DATES = '/agreements/*/terms/*/date-due';
const HEADER_DATES = ['date', 'date-due', 'date-taxes'] as const;

/** Calls `visit` with each day that the calendar has, and how to point at it. */
type VisitDay = (day: string, at: () => string) => void;

/** Classes that ask for money. */
const INVOICES: readonly string[] = ['invoice', 'corrective'];

/** Days are compared as text (YYYY-MM-DD), never through a time zone. */
export const dateRules: readonly Rule<InvoiceView>[] = [
  {
    // That the day exists is a matter of the shape.
    id: 'FR-DAT-1',
    code: 'fr-invoice/year-out-of-range',
    severity: 'error',
    at: [
      ...HEADER_DATES.map((name) => `/document/${name}`),
      '/references/*/date',
      '/logistics/*/date',
      '/logistics/*/additional-dates/*/value',
      '/lines/*/additional-dates/*/value',
      TERM_DATES,
    ],
    formula: '2000 ≤ year ≤ 2099',
    source: 'BR-FR-03; DGFiP G1.36',
    profiles: ['fr-2026'],
    passes: { set: { '/document/date-taxes': '2000-01-01' } },
    fails: { set: { '/document/date-taxes': '1999-12-31' } },
    test: (view, broken) =>
      everyDay(view, (day, at) => {
        if (!day.startsWith('20')) broken(at());
      }),
  },
  {
    id: 'FR-DAT-2',
    code: 'fr-invoice/date-in-future',
    severity: 'error',
    at: ['/document/date'],
    formula: 'date ≤ today in Europe/Paris',
    source: 'DGFiP G1.07, which compares with the current date; the direction is an inference',
    profiles: ['fr-2026'],
    unless: { field: ['FR-DAT-1'] },
    passes: { set: { '/document/date': '2026-11-20' }, today: '2026-11-20' },
    fails: { set: { '/document/date': '2026-11-21' }, today: '2026-11-20' },
    test: ({ header: { date }, today }, broken) => {
      if (date !== undefined && date > today) broken('/document/date', { today });
    },
  },
  {
    id: 'FR-DAT-3',
    code: 'fr-invoice/due-before-date',
    severity: 'error',
    at: ['/document/date-due', TERM_DATES],
    formula: 'due date ≥ date; not for types 386, 500, 503 and frames B2, S2, M2',
    source: 'BR-FR-CO-07',
    profiles: ['fr-2026'],
    unless: { block: ['FR-DAT-1'], document: ['FR-DAT-2'] },
    passes: { set: { '/document/date-due': '2026-11-05' } },
    fails: { set: { '/document/date-due': '2026-11-04' } },
    test: (view, broken) => {
      const { date, due, type, isPaid } = view.header;
      if (date === undefined || isPaid || isAdvance(type)) return;
      if (due !== undefined && due < date) broken('/document/date-due', { date });
      termDays(view, (day, at) => {
        if (day < date) broken(at(), { date });
      });
    },
  },
  {
    id: 'FR-DAT-4',
    code: 'fr-invoice/no-due-date',
    severity: 'error',
    at: ['/document/date-due'],
    formula:
      'invoice or corrective with something to pay (payable-amount, else final-amount less prepaid-amount): date-due or a term of payment',
    source: 'Code de commerce, article L441-9; EXTENDED-CTC-FR BR-CO-25',
    profiles: ['fr-2026'],
    passes: {
      set: {
        '/document/date-due': null,
        '/agreements': [{ type: 'payment', terms: [{ duration: { value: 30, unit: 'days' } }] }],
      },
    },
    fails: { set: { '/document/date-due': null } },
    test: (view, broken) => {
      const { header, payload, agreements } = view;
      if (!INVOICES.includes(view.class) || header.isPaid || !isPositive(view)) return;
      if (textAt(payload, 'document', 'date-due') !== undefined) return;
      if (agreements.some(hasTerms)) return;
      broken('/document/date-due');
    },
  },
];

/** Whether anything is left to pay. */
function isPositive({ totals: { due } }: InvoiceView): boolean {
  return due !== undefined && due.units > 0;
}

/** Visits every day of the document: header, references, logistics, lines, terms. */
function everyDay(view: InvoiceView, visit: VisitDay): void {
  const { payload, logistics } = view;
  for (const name of HEADER_DATES) {
    const day = dayAt(payload, 'document', name);
    if (day !== undefined) visit(day, () => `/document/${name}`);
  }
  for (const { date, at } of view.originals) if (date !== undefined) visit(date, () => `${at}/date`);
  logistics.forEach((one, i) => {
    const day = dayAt(one, 'date');
    if (day !== undefined) visit(day, () => `/logistics/${i}/date`);
    furtherDays(listAt(one, 'additional-dates'), `/logistics/${i}`, visit);
  });
  for (const line of view.lines) if (line.dates.length > 0) furtherDays(line.dates, line.at, visit);
  termDays(view, visit);
}

function furtherDays(dates: readonly Json[], at: string, visit: VisitDay): void {
  dates.forEach((one, i) => {
    const day = dayAt(one, 'value');
    if (day !== undefined) visit(day, () => `${at}/additional-dates/${i}/value`);
  });
}

function termDays({ agreements }: InvoiceView, visit: VisitDay): void {
  agreements.forEach((agreement, i) => {
    listAt(agreement, 'terms').forEach((term, j) => {
      const day = dayAt(term, 'date-due');
      if (day !== undefined) visit(day, () => `/agreements/${i}/terms/${j}/date-due`);
    });
  });
}

/** Terms of payment, as data or in words: one that gives neither a day nor a length does not show when to pay. */
function hasTerms(agreement: Json): boolean {
  const isTerm = (one: Json) =>
    (textAt(one, 'date-due') ?? textAt(one, 'description') ?? decimalAt(one, 'duration', 'value')) !== undefined;
  return listAt(agreement, 'terms').some(isTerm) || textAt(agreement, 'description') !== undefined;
}
