/** One result of `doctor`: its words, and the messages to show them in another language. */
import { format, type Language, type Message } from '../i18n/message.ts';

/** In every language. A symbol, so that JSON never holds it. */
const TEXTS: unique symbol = Symbol('texts');

type Texts = { readonly what: Message; readonly says: Message; readonly hint?: Message };

/** English, until `localizeCheck` words it in another language. */
export type DoctorCheck = {
  /** The thing: "disk", "service fr". */
  readonly what: string;
  /** A warning can wait for the morning; with an error the next night goes wrong. */
  readonly result: 'ok' | 'warning' | 'error';
  readonly says: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly [TEXTS]: Texts;
};

export function ok(what: Message, says: Message): DoctorCheck {
  return makeCheck('ok', { what, says });
}

export function warning(what: Message, says: Message, hint: Message): DoctorCheck {
  return makeCheck('warning', { what, says, hint });
}

export function failed(what: Message, says: Message, hint: Message): DoctorCheck {
  return makeCheck('error', { what, says, hint });
}

function makeCheck(result: DoctorCheck['result'], texts: Texts, language: Language = 'en'): DoctorCheck {
  const { what, says, hint } = texts;
  const words = { what: format(what, language), result, says: format(says, language), [TEXTS]: texts };
  return { ...words, ...(hint && { hint: format(hint, language) }) };
}

/** The check in a language. */
export function localizeCheck({ result, [TEXTS]: texts }: DoctorCheck, language: Language): DoctorCheck {
  return makeCheck(result, texts, language);
}
