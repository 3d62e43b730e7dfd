/**
 * Rules of deliveries, periods and attachments of a French invoice. Each rule names its source; `passes` and `fails`
 * are examples that a test runs and the manual shows.
 */
import type { Json } from '../../../model/draft.ts';
import { ATTACHMENT_KINDS, READABLE } from '../../code-lists/attachment-kinds.ts';
import { dayAt, listAt, textAt } from '../../content/json-pointer.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { TaxView } from '../views/line-view.ts';
import type { TotalsView } from '../views/totals-view.ts';

const COUNTRY = 'country';
const ADDRESS = ['street', 'city', 'postal-code', COUNTRY];

/**
 * Supplies within the Union: how the treatment may be written (the contract shows only "standard"), and its VATEX code.
 */
const WITHIN_UNION = /^(?:K|intra-?community(?:-supply)?)$/;
const VATEX_UNION = 'VATEX-EU-IC';

/** The two ends of a period, as types of further dates. */
const START = /\b(?:start|begin|from)\b/i;
const END = /\b(?:end|to)\b/i;

/** Addresses and days of deliveries, supplies within the Union, and the order of periods. */
const deliveries: readonly Rule<InvoiceView>[] = [
  {
    // A warning: the rules of the portal in force at its start ask for the country alone, those announced for all four.
    id: 'FR-DEL-1',
    code: 'fr-invoice/delivery-address',
    severity: 'warning',
    at: ['/logistics/*/address'],
    formula: 'country alone, or all of street, city, postal-code, country',
    source: 'DGFiP G6.16, of the rules announced for later ("cible"), not of those in force at the start',
    profiles: ['fr-2026'],
    unless: { part: ['FR-DEL-1b'] },
    passes: { set: { '/logistics': [{ type: 'delivery', address: { country: 'DE' } }] } },
    fails: { set: { '/logistics': [{ type: 'delivery', address: { city: 'Lyon', country: 'FR' } }] } },
    test: ({ logistics }, broken) =>
      logistics.forEach((one, i) => {
        if (textAt(one, 'type') !== 'delivery') return;
        const lacking = ADDRESS.filter((name) => textAt(one, 'address', name) === undefined);
        const isCountryAlone = lacking.length === ADDRESS.length - 1 && !lacking.includes(COUNTRY);
        if (lacking.length > 0 && lacking.length < ADDRESS.length && !isCountryAlone) {
          broken(`/logistics/${i}/address`, { missing: lacking.join(', ') });
        }
      }),
  },
  {
    id: 'FR-DEL-1b',
    code: 'fr-invoice/delivery-address',
    severity: 'error',
    at: ['/logistics/*/address/country'],
    source: 'EN 16931 BR-57',
    profiles: ['fr-2026'],
    passes: { set: { '/logistics': [{ type: 'delivery', address: { country: 'FR' } }] } },
    fails: { set: { '/logistics': [{ type: 'delivery', address: { street: '1 rue', city: 'Lyon' } }] } },
    test: ({ logistics }, broken) =>
      logistics.forEach((one, i) => {
        if (textAt(one, 'type') !== 'delivery' || textAt(one, 'address', COUNTRY) !== undefined) return;
        if (ADDRESS.some((name) => textAt(one, 'address', name) !== undefined)) {
          broken(`/logistics/${i}/address/country`);
        }
      }),
  },
  {
    id: 'FR-DEL-2',
    code: 'fr-invoice/no-delivery',
    severity: 'error',
    at: ['/logistics'],
    formula:
      'treatment K or intra-community, or reason VATEX-EU-IC: a delivery with country, and with its date or the start or end of a period',
    source: 'EN 16931 BR-IC-11, BR-IC-12',
    profiles: ['fr-2026'],
    passes: {
      set: {
        '/lines/0/taxes/0/subtype': 'intra-community',
        '/logistics': [{ 'additional-dates': period('2026-10-01', '2026-10-31'), address: { country: 'DE' } }],
      },
    },
    fails: { set: { '/lines/0/taxes/0/subtype': 'intra-community' } },
    test: ({ lines, totals, logistics }, broken) => {
      const isWithin = lines.some(({ taxes }) => taxes.some(isWithinUnion));
      if (!isWithin && !namesUnion(totals)) return;
      const isStated = logistics.some((one) => hasDay(one) && textAt(one, 'address', 'country') !== undefined);
      if (!isStated) broken('/logistics');
    },
  },
  {
    // Types of further dates are not shown: two that differ only in start and end make a period.
    id: 'FR-PER-1',
    code: 'fr-invoice/period-order',
    severity: 'error',
    at: ['/logistics/*/additional-dates/*/value', '/lines/*/additional-dates/*/value'],
    formula: 'end > start, of two dates whose types differ only in start and end',
    source: 'DGFiP G6.25',
    profiles: ['fr-2026'],
    unless: { field: ['FR-DAT-1'] },
    passes: { set: { '/logistics': [{ 'additional-dates': period('2026-10-01', '2026-10-02') }] } },
    fails: { set: { '/logistics': [{ 'additional-dates': period('2026-10-01', '2026-10-01') }] } },
    test: ({ logistics, lines }, broken) => {
      logistics.forEach((one, i) => {
        periods(listAt(one, 'additional-dates'), `/logistics/${i}`, broken);
      });
      for (const line of lines) if (line.dates.length > 1) periods(line.dates, line.at, broken);
    },
  },
];

/** Kinds, names and contents of attachments. */
const attachments: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-ATT-1',
    code: 'fr-invoice/attachment-kind',
    severity: 'error',
    at: ['/attachments/*/type'],
    source: 'BR-FR-17; which field carries it is not shown',
    profiles: ['fr-2026'],
    passes: { set: { '/attachments': [{ type: 'RIB', filename: 'rib.pdf' }] } },
    fails: { set: { '/attachments': [{ type: 'facture', filename: 'f.pdf' }] } },
    test: ({ attachments }, broken) =>
      attachments.forEach((one, i) => {
        const kind = textAt(one, 'type');
        if (kind !== undefined && !ATTACHMENT_KINDS.includes(kind)) {
          broken(`/attachments/${i}/type`, { kinds: ATTACHMENT_KINDS.join(', ') });
        }
      }),
  },
  {
    id: 'FR-ATT-2',
    code: 'fr-invoice/attachment-not-base64',
    severity: 'error',
    at: ['/attachments/*/content'],
    formula: 'RFC 4648 section 4: A-Z a-z 0-9 + / in groups of four, filled up with =',
    source: 'french-invoicing 2.2: format says how the content is encoded',
    profiles: ['wire', 'fr-2026'],
    passes: { set: { '/attachments': [{ type: 'RIB', format: 'base64', content: 'JVBERi0xLjQK' }] } },
    fails: { set: { '/attachments': [{ type: 'RIB', format: 'base64', content: 'pasdubase64!' }] } },
    test: ({ attachments }, broken) => {
      attachments.forEach((one, i) => {
        const content = textAt(one, 'format')?.toLowerCase() === 'base64' ? textAt(one, 'content') : undefined;
        if (content !== undefined && !isBase64(content)) broken(`/attachments/${i}/content`);
      });
    },
  },
  {
    id: 'FR-ATT-1b',
    code: 'fr-invoice/two-readable-pictures',
    severity: 'error',
    at: ['/attachments/*/type'],
    source: 'BR-FR-18',
    profiles: ['fr-2026'],
    passes: { set: { '/attachments': [{ type: 'LISIBLE' }, { type: 'RIB' }] } },
    fails: { set: { '/attachments': [{ type: 'LISIBLE' }, { type: 'LISIBLE' }] } },
    test: ({ attachments }, broken) => {
      const readable = attachments.flatMap((one, i) => (textAt(one, 'type') === READABLE ? [i] : []));
      for (const i of readable.slice(1)) broken(`/attachments/${i}/type`);
    },
  },
];

/** Both lists, in the order of the document. */
export const deliveryRules: readonly Rule<InvoiceView>[] = [...deliveries, ...attachments];

function isWithinUnion({ subtype }: TaxView): boolean {
  return subtype !== undefined && subtype !== 'standard' && WITHIN_UNION.test(subtype);
}

/** A delivery has its own day, or one of the ends of a period. */
function hasDay(one: Json): boolean {
  if (dayAt(one, 'date') !== undefined) return true;
  return listAt(one, 'additional-dates').some((date) => {
    const type = textAt(date, 'type') ?? '';
    return (START.test(type) || END.test(type)) && dayAt(date, 'value') !== undefined;
  });
}

function namesUnion({ subtotals }: TotalsView): boolean {
  return subtotals.some(({ nested }) => nested.some(({ reason }) => textAt(reason, 'identifier') === VATEX_UNION));
}

/** Pairs the dates by their types without start and end: period-start and period-end. */
function periods(dates: readonly Json[], at: string, broken: Report): void {
  if (dates.length < 2) return;
  const starts = new Map<string, string>();
  for (const one of dates) {
    const [type = '', day] = [textAt(one, 'type'), dayAt(one, 'value')];
    if (START.test(type) && day !== undefined) starts.set(type.replace(START, ''), day);
  }
  dates.forEach((one, i) => {
    const [type = '', day] = [textAt(one, 'type'), dayAt(one, 'value')];
    const start = END.test(type) ? starts.get(type.replace(END, '')) : undefined;
    if (start !== undefined && day !== undefined && day <= start) {
      broken(`${at}/additional-dates/${i}/value`, { start });
    }
  });
}

function period(start: string, end: string): readonly object[] {
  return [
    { type: 'period-start', value: start },
    { type: 'period-end', value: end },
  ];
}

/** RFC 4648, section 4, in groups of four; line ends inside are not accepted. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
