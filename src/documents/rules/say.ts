/** A broken rule in words: the fault that the operator reads. */

import { Decimal } from '../../model/decimal.ts';
import type { JsonObject } from '../../model/draft.ts';
import { type DataFault, says } from '../../model/fault.ts';
import type { Broken, Values } from '../../model/rule.ts';
import { sentence } from '../../model/words.ts';
import { textAt, valueAt } from '../read.ts';
import { shown } from '../shape-faults.ts';
import { suggestedValue } from '../suggest-value.ts';

const SUGGESTION = 'suggestion';
const WRITE = sentence({
  en: 'write {suggestion}; {hint}',
  fr: 'écrivez {suggestion} ; {hint}',
  es: 'escriba {suggestion}; {hint}',
});
const VALUE = sentence({ en: '{value}: {says}', fr: '{value} : {says}', es: '{value}: {says}' });

export function ruleFault({ rule, severity, because, at, values = {} }: Broken, payload: JsonObject): DataFault {
  const value = valueAt(payload, at.split('/').slice(1));
  const given = value instanceof Decimal ? value.toText() : textAt(value);
  const message = { words: rule.says, values };
  const hint = { words: rule.hint, values };
  const suggestion = values[SUGGESTION] ?? suggestedValue(payload, at);
  return {
    code: rule.code,
    rule: rule.id,
    level: severity,
    ...says(
      given === undefined ? message : VALUE({ value: shown(value), says: message }),
      suggestion === undefined ? hint : WRITE({ suggestion, hint }),
    ),
    at,
    ...(given === undefined ? {} : { given }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(because === undefined ? {} : { changed: { from: rule.severity, reason: because } }),
  };
}

/** What a rule knows to be meant, offered in the place of what stands there; nothing where none is certain. */
export function offering(meant: string | undefined): Values | undefined {
  return meant === undefined ? undefined : { [SUGGESTION]: meant };
}

/**
 * A value for a field that is missing, as the end of a hint; nothing where none is certain. No cell stands behind it, so
 * that it cannot be taken over by itself.
 */
export function instead(mended: string | undefined): string {
  return mended ? ` (${mended})` : '';
}
