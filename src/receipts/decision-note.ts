/** What is wrong with a receipt that was moved to decide on its document, in words for somebody in accounting. */

import { format, type Language, languagesFrom } from '../i18n/message.ts';
import { DECISION_NOTE, LEFTOVER_NOTE } from '../i18n/messages/receipts-texts-messages.ts';
import { escapeControls } from '../text/printable.ts';

export type NoteCause = keyof typeof DECISION_NOTE;

/** In all languages, that of the instance first. */
export function noteText(cause: NoteCause, first: Language): string {
  return `${languagesFrom(first)
    .map((language) => format(DECISION_NOTE[cause](), language))
    .join('\n\n')}\n`;
}

const MAX_NAMES = 100;

/** The text changes whenever what is left does, as far as names are shown. */
export function leftoverNoteText(names: readonly string[], first: Language): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `  ${escapeControls(name)}`);
  const more = names.length > MAX_NAMES ? [`  + ${names.length - MAX_NAMES}`] : [];
  const says = languagesFrom(first).map((language) => format(LEFTOVER_NOTE.text(), language));
  return `${[...says, '', ...shown, ...more].join('\n')}\n`;
}
