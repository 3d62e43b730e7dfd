/**
 * `resumen: { standard: { taxed: $taxed, exempt: $exempt } }`: the summary of a Salvadoran remission note, and the amounts of
 * its lines that have to go with it.
 *
 * How amounts are shown on a document that is no sale is read in four ways, and each of them was accepted somewhere. Lines
 * and summary must follow the same one, so one word chooses for both:
 *
 * - `not-subject` (the default): every amount as not subject to tax, no tax codes;
 * - `taxed`: amounts by their kind, tax code 20 on taxed lines, no tax in the summary;
 * - `taxed-with-vat`: the same, with 13 % of VAT in the summary and in the total;
 * - `zero`: no amounts at all.
 */
import type { Message } from '../../i18n/message.ts';
import { STANDARD_BLOCKS } from '../../i18n/messages/mapping-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { type Diagnostics, suggestionFor, withoutFindings } from '../runtime/diagnostics.ts';
import { asOperand, EACH_GROUP, isBlock, type KeyedBlock, ReadyMade, refuseUnknown } from './standard-block-values.ts';

const AMOUNTS = ['taxed', 'exempt', 'not-subject'] as const;

export const SUMMARY_KEYS = ['variant', ...AMOUNTS, 'line-discount', 'discounts', 'words'];
export const VARIANTS = ['not-subject', 'taxed', 'taxed-with-vat', 'zero'] as const;

type Variant = (typeof VARIANTS)[number];

/** Formula texts by kind of amount. */
type Amounts = { readonly [kind in (typeof AMOUNTS)[number]]?: string };

type Summary = {
  readonly variant: Variant;
  /** Of one row. */
  readonly amounts: Amounts;
  /** Of the whole document. */
  readonly discounts: Amounts;
  readonly lineDiscount: string | undefined;
  readonly words: string | undefined;
};

const VAT = { code: '20', name: 'Impuesto al Valor Agregado 13%', percent: 13 };

/** `path` is that of `standard`. */
export function standardSummary(findings: Diagnostics, given: KeyedBlock, path: YamlPath): object | undefined {
  const summary = summaryOf(findings, given, path);
  if (!summary) return undefined;
  const { variant, lineDiscount, words } = summary;
  const [amounts, discounts] = [placed(summary, summary.amounts), placed(summary, summary.discounts)];
  const total = (kind: keyof Amounts) => (amounts[kind] === undefined ? 0 : `= ROUND(SUM(${amounts[kind]}), 2)`);
  const discount = (kind: keyof Amounts) =>
    discounts[kind] === undefined ? 0 : `= ROUND(IFEMPTY(${discounts[kind]}, 0), 2)`;
  const ofLines = lineDiscount === undefined || variant === 'zero' ? '' : ` + ROUND(SUM(${lineDiscount}), 2)`;
  const vat = `ROUND((@totalGravada - @descuGravada) * ${VAT.percent} / 100, 2)`;
  const withVat = variant === 'taxed-with-vat';
  return definedOnly({
    porcentajeDescuento: 0,
    totalNoSuj: total('not-subject'),
    totalExenta: total('exempt'),
    totalGravada: total('taxed'),
    subTotalVentas: '= @totalNoSuj + @totalExenta + @totalGravada',
    descuNoSuj: discount('not-subject'),
    descuExenta: discount('exempt'),
    descuGravada: discount('taxed'),
    totalDescu: `= @descuNoSuj + @descuExenta + @descuGravada${ofLines}`,
    subTotal: '= @subTotalVentas - @descuNoSuj - @descuExenta - @descuGravada',
    montoTotalOperacion: withVat ? `= @subTotal + ${vat}` : '= @subTotal',
    tributos: withVat
      ? [{ when: '= @totalGravada > 0', codigo: VAT.code, descripcion: VAT.name, valor: `= ${vat}` }]
      : undefined,
    totalLetras: `= AMOUNT-IN-WORDS(@montoTotalOperacion, "es"${words === undefined ? '' : `, "${words.replaceAll('"', '""')}"`})`,
  });
}

/** The lines with what the summary adds up; undefined where something is wrong with either. */
export function withAmounts(findings: Diagnostics, lines: unknown, given: unknown, path: YamlPath): object | undefined {
  const summary = isBlock(given) ? summaryOf(withoutFindings(findings), given, path) : undefined;
  if (!summary) return undefined;
  if (!isBlock(lines) || !isBlock(lines.make)) {
    const hint = STANDARD_BLOCKS.writeLines();
    findings.add(path, { code: 'map/wrong-value', message: STANDARD_BLOCKS.needsLines(), hint });
    return undefined;
  }
  const { variant, lineDiscount } = summary;
  const { make } = lines;
  const amounts = placed(summary, summary.amounts);
  // A line that is made of a group of rows is the sum of its rows; any other has one row or one item.
  const isOfGroups = EACH_GROUP.test(String(lines.each).trim());
  const amountOf = (formula: string) => (isOfGroups ? `SUM(${formula})` : `IFEMPTY(${formula}, 0)`);
  const ofLine = (formula: string | undefined) => (formula === undefined ? 0 : `= ${amountOf(formula)}`);
  const discountOfLine = () => {
    if (variant === 'zero') return 0;
    if (lineDiscount !== undefined) return ofLine(lineDiscount);
    // A discount that the mapping writes by itself stays.
    return make.montoDescu === undefined ? 0 : undefined;
  };
  const written: { [field: string]: unknown } = definedOnly({
    precioUni: variant === 'zero' ? 0 : undefined,
    montoDescu: discountOfLine(),
    ventaNoSuj: ofLine(amounts['not-subject']),
    ventaExenta: ofLine(amounts.exempt),
    ventaGravada: ofLine(amounts.taxed),
    tributos: amounts.taxed === undefined ? undefined : [`= IF(${amountOf(amounts.taxed)} > 0, "${VAT.code}", "")`],
  });
  for (const field of ['ventaNoSuj', 'ventaExenta', 'ventaGravada', 'tributos', ...Object.keys(written)]) {
    if (make[field] === undefined || (field in written && make[field] === written[field])) continue;
    findings.add(path, {
      code: 'map/wrong-value',
      message: STANDARD_BLOCKS.fieldOfSummary({ field }),
      hint: STANDARD_BLOCKS.removeField({ field }),
    });
    return undefined;
  }
  const added = Object.entries(written).map(([field, value]) => [field, new ReadyMade(value, path)]);
  return { ...lines, make: { ...make, ...Object.fromEntries(added) } };
}

/** Where the amounts go in this variant. */
function placed({ variant }: Summary, given: Amounts): Amounts {
  if (variant === 'zero') return {};
  if (variant !== 'not-subject') return given;
  const all = AMOUNTS.flatMap((kind) => given[kind] ?? []);
  return all.length === 0 ? {} : { 'not-subject': all.join(' + ') };
}

function summaryOf(findings: Diagnostics, given: KeyedBlock, path: YamlPath): Summary | undefined {
  refuseUnknown(findings, given, SUMMARY_KEYS, path);
  const wrong = (key: string, message: Message, hint?: Message): undefined => {
    findings.add(key in given ? [...path, key] : path, { code: 'map/wrong-value', message, hint });
    return undefined;
  };
  const { variant = 'not-subject', words } = given;
  if (!isVariant(variant))
    return wrong(
      'variant',
      STANDARD_BLOCKS.notVariant({ variant: String(variant) }),
      suggestionFor(String(variant), VARIANTS),
    );
  if (words !== undefined && typeof words !== 'string') return wrong('words', STANDARD_BLOCKS.words());
  const lineDiscount = asOperand(given['line-discount']);
  if (given['line-discount'] !== undefined && lineDiscount === undefined)
    return wrong('line-discount', STANDARD_BLOCKS.amountPerLine({ key: 'line-discount' }));
  const amounts = amountsOf(given, 8);
  if (typeof amounts === 'string') return wrong(amounts, STANDARD_BLOCKS.amountWithoutVat({ key: amounts }));
  if (variant !== 'zero' && Object.keys(amounts).length === 0)
    return wrong('taxed', STANDARD_BLOCKS.needsAmounts(), STANDARD_BLOCKS.nameOne({ names: AMOUNTS }));
  const discounts = isBlock(given.discounts ?? {}) ? amountsOf((given.discounts ?? {}) as KeyedBlock, 2) : 'taxed';
  if (typeof discounts === 'string') return wrong('discounts', STANDARD_BLOCKS.documentDiscounts());
  return { variant, amounts, discounts, lineDiscount, words };
}

/** The key of the first one that is no operand. */
function amountsOf(given: KeyedBlock, places: number): Amounts | string {
  const amounts: { -readonly [kind in keyof Amounts]: string } = {};
  for (const kind of AMOUNTS) {
    if (given[kind] === undefined) continue;
    const operand = asOperand(given[kind]);
    if (operand === undefined) return kind;
    amounts[kind] = `ROUND(${operand}, ${places})`;
  }
  return amounts;
}

function isVariant(value: unknown): value is Variant {
  return (VARIANTS as readonly unknown[]).includes(value);
}
