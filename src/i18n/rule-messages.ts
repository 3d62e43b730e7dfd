/**
 * Message and hint of a broken rule, by the id of the rule (locales/<language>/rules-*.yaml). An unknown id fails when
 * the message is formatted.
 */
import type { Message, MessageValues } from './message.ts';

/** The message of the rule: which requirement is broken, with `values` from the document. */
export function ruleMessage(rule: string, values: MessageValues = {}): Message {
  return { id: `rule.${rule}.message`, values };
}

/** The ids of message and hint, for pages that show them without values. */
export function ruleTexts(rule: string): readonly [message: string, hint: string] {
  return [`rule.${rule}.message`, `rule.${rule}.hint`];
}

/** The hint of the rule: what to do. */
export function ruleHint(rule: string, values: MessageValues = {}): Message {
  return { id: `rule.${rule}.hint`, values };
}
