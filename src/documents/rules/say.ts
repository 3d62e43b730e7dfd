/** A broken rule in words: the fault that the operator reads, in the language of the settings. */

import { Decimal } from '../../model/decimal.ts';
import type { JsonObject } from '../../model/draft.ts';
import type { Fault } from '../../model/fault.ts';
import type { Broken, Language, Values } from '../../model/rule.ts';
import { textAt, valueAt } from '../read.ts';
import { shown } from '../shape-faults.ts';
import { suggestedValue } from '../suggest-value.ts';

const SUGGESTION = 'suggestion';
const WRITE: { readonly [L in Language]: string } = { en: 'write', fr: 'écrivez', es: 'escriba' };

export function ruleFault(
  { rule, severity, because, at, values }: Broken,
  payload: JsonObject,
  language: Language,
): Fault {
  const value = valueAt(payload, at.split('/').slice(1));
  const given = value instanceof Decimal ? value.toText() : textAt(value);
  const says = filled(rule.says[language], values);
  const hint = filled(rule.hint[language], values);
  const suggestion = values?.[SUGGESTION] ?? suggestedValue(payload, at);
  return {
    code: rule.code,
    rule: rule.id,
    level: severity,
    message: given === undefined ? says : `${shown(value)}: ${says}`,
    at,
    ...(given === undefined ? {} : { given }),
    ...(suggestion === undefined ? { hint } : { hint: `${WRITE[language]} ${suggestion}; ${hint}`, suggestion }),
    ...(because === undefined ? {} : { changed: { from: rule.severity, reason: because } }),
  };
}

/** What a rule knows to be meant, offered in the place of what stands there; nothing where none is certain. */
export function offering(meant: string | undefined): Values | undefined {
  return meant === undefined ? undefined : { [SUGGESTION]: meant };
}

/** A value for a field that is missing, as the end of a hint; nothing where none is certain. */
export function instead(mended: string | undefined): string {
  return mended ? ` → ${mended}` : '';
}

function filled(words: string, values: Values | undefined): string {
  return values === undefined ? words : words.replace(/\{([a-z-]+)\}/g, (all, name: string) => values[name] ?? all);
}
