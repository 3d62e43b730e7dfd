/**
 * Units of measure as ERPs write them in, codes of UN/ECE Recommendation 20 or of the Salvadoran catalog CAT-014 out;
 * and prices per unit. Faults: `map/no-such-unit`, `map/wrong-argument`.
 */

import { ARGUMENTS, UNITS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { type Unit, unitOf } from '../../model/units.ts';
import { countOf, type FunctionEntry, fail, plainFunction } from '../runtime/function-definition.ts';
import type { Context, Value } from '../runtime/value.ts';

/** Decimals of a price unless the formula gives another count. */
const PRICE_PLACES = Decimal.from(6);

/** The manual of each function is its entry; its examples run as tests. */
export const UNIT_FUNCTIONS: readonly FunctionEntry[] = [
  plainFunction({
    name: 'UNIT-REC20',
    syntax: 'UNIT-REC20(unit, otherwise)',
    sentence:
      'The code of a unit of measure in UN/ECE Recommendation 20, from what ERPs write in French, Spanish or English, or from the code itself. A unit that is not known is a fault, unless the second argument says what it counts as; so is one that means several things, such as ML.',
    examples: [
      { formula: 'UNIT-REC20("Pce")', gives: 'C62' },
      { formula: 'UNIT-REC20("mètre")', gives: 'MTR' },
      { formula: 'UNIT-REC20("m²")', gives: 'MTK' },
      { formula: 'UNIT-REC20("KGM")', gives: 'KGM' },
      { formula: 'UNIT-REC20("vara", "C62")', gives: 'C62' },
    ],
    takes: ['text', 'text?'],
    gives: 'text',
    apply: ([text, otherwise], context) => found(context, text, 'UN/ECE Rec 20', otherwise, (unit) => unit.rec20),
  }),
  plainFunction({
    name: 'UNIT-CAT014',
    syntax: 'UNIT-CAT014(unit, otherwise)',
    sentence:
      'The code of a unit of measure in the Salvadoran catalogue CAT-014, from what ERPs write or from a code of UN/ECE Recommendation 20. A unit that is not known there is a fault, unless the second argument says what it counts as: 99 is "other".',
    examples: [
      { formula: 'UNIT-CAT014("KGM")', gives: '34' },
      { formula: 'UNIT-CAT014("unidad")', gives: '59' },
      { formula: 'UNIT-CAT014("Lb.")', gives: '36' },
      { formula: 'UNIT-CAT014("DZN")', gives: '58' },
      { formula: 'UNIT-CAT014("caja", 99)', gives: '99' },
    ],
    takes: ['text', 'number?'],
    gives: 'number',
    apply: ([text, otherwise], context) =>
      found(context, text, 'CAT-014', otherwise, ({ cat014 }) =>
        cat014 === undefined ? undefined : Decimal.from(cat014),
      ),
  }),
  plainFunction({
    name: 'PRICE-PER-UNIT',
    syntax: 'PRICE-PER-UNIT(price, base quantity, decimals)',
    sentence:
      'The price of one unit where the ERP gives it for several, such as per 1000; rounded to six decimals unless the third argument gives another number. Calculate amounts with the price and its base, ROUND($Qty * $Price / $Base, 2), never with the rounded price of one.',
    examples: [
      { formula: 'PRICE-PER-UNIT(630, 1000)', gives: '0.63' },
      { formula: 'ROUND(1440 * 630 / 1000, 2)', gives: '907.2' },
      { formula: 'PRICE-PER-UNIT(10, 3)', gives: '3.333333' },
      { formula: 'PRICE-PER-UNIT(10, 3, 8)', gives: '3.33333333' },
      { formula: 'PRICE-PER-UNIT($Price, IFEMPTY($Base, 1))', columns: { Price: [3], Base: [''] }, row: 1, gives: '3' },
    ],
    takes: ['number', 'number', 'number?'],
    gives: 'number',
    apply: ([price, base, decimals = PRICE_PLACES], context) => {
      const places = countOf(decimals);
      const counts = base.compare(Decimal.zero) > 0;
      const exact = counts && places >= 0 && places <= 12 ? price.dividedBy(base) : undefined;
      if (exact) return exact.round(places);
      const given = base.toText();
      const message = counts ? ARGUMENTS.priceDecimals() : ARGUMENTS.priceBase({ base: given });
      return fail(context, { code: 'map/wrong-argument', ...withMessage(message), given });
    },
  }),
];

/** The code of the unit, else `otherwise`, else `map/no-such-unit`. `list` names the code list in the message. */
function found<V extends Value>(
  context: Context,
  text: string,
  list: string,
  otherwise: V | undefined,
  pick: (unit: Unit) => V | undefined,
): Value {
  if (text === '') return '';
  const unit = unitOf(text);
  const code = (unit && pick(unit)) ?? otherwise;
  if (code !== undefined) return code;
  const message = unit ? UNITS.noCode({ list, text }) : UNITS.unknown({ text });
  const words = withMessage(message, UNITS.ownTable({ lookup: 'unit: { from: Column, table: units }' }));
  return fail(context, { code: 'map/no-such-unit', ...words, given: text });
}
