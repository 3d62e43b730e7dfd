/**
 * Turns a broken rule into the fault that the operator reads. A break and the payload come in; a fault with code, rule
 * id, severity, messages, the value and a suggestion comes out.
 */

import { decimalText, type Message } from '../../i18n/message.ts';
import { RULE_FAULTS_TEXT } from '../../i18n/messages/documents-messages.ts';
import { ruleHint, ruleMessage } from '../../i18n/rule-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { JsonObject } from '../../model/draft.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Broken, Values } from '../../model/rule.ts';
import { textAt, valueAt } from '../content/json-pointer.ts';
import { shownValue } from '../schema/shape-faults.ts';
import { suggestedValue } from '../schema/suggest-repair.ts';

/** The name under which a rule passes what was meant. */
const SUGGESTION = 'suggestion';

/**
 * `changed` is set only if the settings or a consequence change the severity. The suggestion never changes the payload.
 */
export function ruleFault({ rule, severity, because, at, values = {} }: Broken, payload: JsonObject): DataFault {
  const value = valueAt(payload, at.split('/').slice(1));
  const given = value instanceof Decimal ? value.toText() : textAt(value);
  const worded = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, spokenValue(name, text)]));
  const message = ruleMessage(rule.id, worded);
  const hint = ruleHint(rule.id, worded);
  const suggestion = values[SUGGESTION] ?? suggestedValue(payload, at);
  return definedOnly({
    code: rule.code,
    rule: rule.id,
    level: severity,
    ...withMessage(
      given === undefined ? message : RULE_FAULTS_TEXT.value({ value: shownValue(value), says: message }),
      suggestion === undefined ? hint : RULE_FAULTS_TEXT.write({ suggestion, hint }),
    ),
    at,
    given,
    suggestion,
    changed: because === undefined ? undefined : { from: rule.severity, reason: because },
  });
}

/** Values that a rule calculates or names: they get the signs of the language. Texts of a document stay as they are. */
const NUMBERS: ReadonlySet<string> = new Set(['expected', 'found', 'has', 'gross', 'total', 'percent']);

function spokenValue(name: string, text: string): string | Message {
  if (name === 'rates') return { words: { en: text, fr: frenchList(text), es: text } };
  return NUMBERS.has(name) && /\d\.\d/.test(text) ? decimalText(text) : text;
}

/** With commas inside its numbers, a list needs another sign between them. */
function frenchList(text: string): string {
  return text
    .split(', ')
    .map((one) => one.replace('.', ','))
    .join(' ; ');
}

/** The value that was certainly meant, as a suggestion; undefined if none is certain. */
export function offering(meant: string | undefined): Values | undefined {
  return meant === undefined ? undefined : { [SUGGESTION]: meant };
}

/**
 * A value for a field that is missing, as the end of a hint; nothing where none is certain. It comes from no cell,
 * so `fix --suggested` cannot apply it.
 */
export function instead(mended: string | undefined): string {
  return mended ? ` (${mended})` : '';
}
