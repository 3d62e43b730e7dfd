/**
 * `totals: { standard: { net: $net, rate: $rate } }` written out: net of the lines, tax per rate, and their sum.
 *
 * The blocks are the very ones a consultant would write; nothing is computed here. VAT is rounded per rate on the sum
 * of the rounded line nets (EN 16931 BR-CO-17), which the three arithmetic regimes of the tax side accept; with `gross`
 * it is the gross amount minus the net, so that the document adds up to the amount that the ERP charged.
 */

import type { Message } from '../../i18n/message.ts';
import { STANDARD_BLOCKS } from '../../i18n/messages/mapping-messages.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { singleColumn } from '../runtime/column-name.ts';
import { type Diagnostics, withoutFindings } from '../runtime/diagnostics.ts';
import { asOperand, isBlock, type KeyedBlock, refuseUnknown } from './standard-block-values.ts';

export const TOTALS_KEYS = [
  'net',
  'gross',
  'rate',
  'currency',
  'tax-type',
  'subtype',
  'order',
  'discount',
  'charge',
  'alternate',
];

/** An output whose totals take the VAT from amounts with tax: the final amount is the one that the ERP charged. */
export function isTaxFromGross(output: unknown): boolean {
  const totals = isBlock(output) ? output.totals : undefined;
  const standard = isBlock(totals) ? totals.standard : undefined;
  return isBlock(standard) && standard.gross !== undefined;
}

/** `path` is that of `standard`. */
export function standardTotals(findings: Diagnostics, given: KeyedBlock, path: YamlPath): object | undefined {
  refuseUnknown(findings, given, TOTALS_KEYS, path);
  const amounts = amountsOf(findings, given, path);
  const discount = adjustment(findings, given.discount, [...path, 'discount'], 'negative');
  const charge = adjustment(findings, given.charge, [...path, 'charge'], 'positive');
  if (!amounts || discount === null || charge === null) return undefined;
  return writtenOut({ ...amounts, discount, charge, exchange: undefined }, given);
}

/**
 * The same totals in another currency: `alternate: { currency: EUR, rate: $Taux }` next to `net`. The rate is what one
 * unit of the document's currency is worth.
 */
export function alternateTotals(findings: Diagnostics, given: KeyedBlock, path: YamlPath): object | undefined {
  const at = [...path, 'alternate'];
  const { alternate } = given;
  const exchange = isBlock(alternate) ? asOperand(alternate.rate) : undefined;
  if (!isBlock(alternate) || typeof alternate.currency !== 'string' || exchange === undefined) {
    const hint = STANDARD_BLOCKS.alternateRate();
    findings.add(at, { code: 'map/wrong-value', message: STANDARD_BLOCKS.alternateForm(), hint });
    return undefined;
  }
  refuseUnknown(findings, alternate, ['currency', 'rate'], at);
  const silent = withoutFindings(findings);
  const amounts = amountsOf(silent, given, path);
  const discount = adjustment(silent, given.discount, path, 'negative');
  const charge = adjustment(silent, given.charge, path, 'positive');
  if (!amounts || discount === null || charge === null) return undefined;
  return writtenOut({ ...amounts, discount, charge, exchange }, { ...given, currency: alternate.currency });
}

type Amounts = { readonly net: string | undefined; readonly gross: string | undefined; readonly rate: string };

function amountsOf(findings: Diagnostics, given: KeyedBlock, path: YamlPath): Amounts | undefined {
  const [net, gross] = [asOperand(given.net), asOperand(given.gross)];
  const rate = typeof given.rate === 'string' ? singleColumn(given.rate) : undefined;
  const wrong = (key: string, message: Message, hint?: Message) =>
    findings.add([...path, key], { code: 'map/wrong-value', message, hint });
  const lacks = net === undefined && (gross === undefined || given.net !== undefined);
  const odd = gross === undefined && given.gross !== undefined;
  if (lacks) wrong('net', STANDARD_BLOCKS.amountPerLine({ key: 'net' }), STANDARD_BLOCKS.useGross());
  if (odd) wrong('gross', STANDARD_BLOCKS.amountWithTax({ key: 'gross' }));
  if (rate === undefined) wrong('rate', STANDARD_BLOCKS.rate(), STANDARD_BLOCKS.calculateRate());
  const mixed = gross !== undefined && (given.discount !== undefined || given.charge !== undefined);
  if (mixed) wrong('gross', STANDARD_BLOCKS.grossWithAdjustment(), STANDARD_BLOCKS.useNet());
  return lacks || odd || mixed || rate === undefined ? undefined : { net, gross, rate };
}

/** A discount or charge of the whole document. Which words its subtotal takes no contract shows: they are given. */
type Adjustment = { readonly amount: string; readonly subtotal: KeyedBlock };

const ADJUSTMENT_KEYS = ['amount', 'type', 'class', 'sign', 'reason', 'tag'];

/** Null where it is wrong. */
function adjustment(
  findings: Diagnostics,
  given: unknown,
  path: YamlPath,
  sign: string,
): Adjustment | undefined | null {
  if (given === undefined) return undefined;
  const amount = isBlock(given) ? asOperand(given.amount) : undefined;
  if (!isBlock(given) || amount === undefined || typeof given.type !== 'string') {
    const hint = STANDARD_BLOCKS.adjustmentType();
    findings.add(path, { code: 'map/wrong-value', message: STANDARD_BLOCKS.adjustment(), hint });
    return null;
  }
  refuseUnknown(findings, given, ADJUSTMENT_KEYS, path);
  const { amount: _, ...subtotal } = given;
  return { amount: `IFEMPTY(${amount}, 0)`, subtotal: { sign, ...subtotal, 'before-taxes': true } };
}

type Parts = Amounts & {
  readonly discount: Adjustment | undefined;
  readonly charge: Adjustment | undefined;
  readonly exchange: string | undefined;
};

function writtenOut(parts: Parts, given: KeyedBlock): object {
  const { discount, charge, exchange } = parts;
  const { currency = '= @document.currency', 'tax-type': taxType = 'vat', subtype = 'standard', order } = given;
  const rate = `$[${parts.rate.replaceAll(']', ']]')}]`;
  /** In the currency of these totals. */
  const valued = (formula: string) => (exchange ? `ROUND((${formula}) * (${exchange}), 2)` : formula);
  const adjusted = (one: Adjustment | undefined) =>
    one ? [{ when: `= ${one.amount} <> 0`, ...one.subtotal, amount: `= ${valued(one.amount)}` }] : [];
  const { taxable, tax } = formulasOf(parts, rate);
  // Without nets of the lines the net is what the rates add up to, in their currency already.
  const net = parts.net === undefined ? 'SUM(@subtotals.subtotals.taxable-amount)' : valued(`SUM(${parts.net})`);
  const signed = definedItems([
    net,
    discount ? `- ${valued(discount.amount)}` : undefined,
    charge ? `+ ${valued(charge.amount)}` : undefined,
  ]);
  return {
    'final-amount':
      signed.length === 1 ? '= SUM(@subtotals.amount)' : `= ${signed.join(' ')} + SUM(@subtotals.subtotals.amount)`,
    currency,
    subtotals: [
      {
        type: 'lines-net-amount',
        class: 'net',
        'before-taxes': true,
        sign: 'positive',
        amount: `= ${net}`,
      },
      ...adjusted(discount),
      ...adjusted(charge),
      {
        type: 'tax',
        class: taxType,
        'before-taxes': false,
        sign: 'positive',
        amount: '= SUM(@subtotals.amount)',
        subtotals: definedOnly({
          each: `rows by ${rate}`,
          order,
          make: {
            type: 'tax',
            class: taxType,
            subtype,
            percent: rate,
            'taxable-amount': `= ${valued(taxable)}`,
            amount: `= ${valued(tax)}`,
          },
        }),
      },
    ],
  };
}

/** What is taxed in a group of one rate, and its tax. */
function formulasOf(
  { net, gross, discount, charge }: Parts,
  rate: string,
): { readonly taxable: string; readonly tax: string } {
  if (gross !== undefined) {
    const taxable = net === undefined ? `NET-OF(SUM(${gross}), ${rate})` : `SUM(${net})`;
    return { taxable, tax: `SUM(${gross}) - ${taxable}` };
  }
  const sum = `SUM(${net})`;
  const share = (one: Adjustment | undefined, sign: string) => (one ? ` ${sign} ALLOCATE(${one.amount}, ${sum})` : '');
  const taxable = `${sum}${share(discount, '-')}${share(charge, '+')}`;
  const base = discount || charge ? `(${taxable})` : sum;
  return { taxable, tax: `ROUND(${base} * ${rate} / 100, 2)` };
}
