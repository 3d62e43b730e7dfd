/**
 * One result of `doctor`: English words and their messages, so that a report can show it in another language.
 * The functions here never throw.
 */
import { format, type Language, type Message } from '../i18n/message.ts';

/** Key of the messages in every language: a symbol, so that JSON leaves it out. */
const TEXTS: unique symbol = Symbol('texts');

type Texts = { readonly what: Message; readonly says: Message; readonly hint?: Message };

/** Texts are English; `localizeCheck` gives them in another language. */
export type DoctorCheck = {
  /** What is checked: "disk", "service fr". */
  readonly what: string;
  /** A warning can wait until the morning; an error makes the next night fail. `doctor` exits with 2 for an error. */
  readonly result: 'ok' | 'warning' | 'error';
  readonly says: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly [TEXTS]: Texts;
};

/** A check without a finding. */
export function ok(what: Message, says: Message): DoctorCheck {
  return makeCheck('ok', { what, says });
}

/** A finding that can wait; `hint` is the action that removes it. */
export function warning(what: Message, says: Message, hint: Message): DoctorCheck {
  return makeCheck('warning', { what, says, hint });
}

/** A finding that needs an action before the next run; `hint` is that action. */
export function failed(what: Message, says: Message, hint: Message): DoctorCheck {
  return makeCheck('error', { what, says, hint });
}

function makeCheck(result: DoctorCheck['result'], texts: Texts, language: Language = 'en'): DoctorCheck {
  const { what, says, hint } = texts;
  const words = { what: format(what, language), result, says: format(says, language), [TEXTS]: texts };
  return { ...words, ...(hint && { hint: format(hint, language) }) };
}

/** The same check with its texts in `language`. */
export function localizeCheck({ result, [TEXTS]: texts }: DoctorCheck, language: Language): DoctorCheck {
  return makeCheck(result, texts, language);
}
