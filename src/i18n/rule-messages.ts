/** What a broken rule says and what to do about it, worded by the id of the rule (locales/<language>/rules-*.yaml). */
import type { Message, MessageValues } from './message.ts';

export function ruleMessage(rule: string, values: MessageValues = {}): Message {
  return { id: `rule.${rule}.message`, values };
}

/** The ids of both, for pages that show them without values. */
export function ruleTexts(rule: string): readonly [message: string, hint: string] {
  return [`rule.${rule}.message`, `rule.${rule}.hint`];
}

export function ruleHint(rule: string, values: MessageValues = {}): Message {
  return { id: `rule.${rule}.hint`, values };
}
