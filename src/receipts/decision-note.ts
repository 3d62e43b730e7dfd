/**
 * Texts of the notes in pending/release and pending/reject: a cause or file names in, plain text in all languages out,
 * the language of the instance first. They explain to an accountant why a file there has no effect.
 */

import { format, type Language, languagesFrom } from '../i18n/message.ts';
import { DECISION_NOTE, LEFTOVER_NOTE } from '../i18n/messages/receipts-texts-messages.ts';
import { escapeControls } from '../text/printable.ts';

/** Why a moved receipt decides nothing: a key of `decisionNote` in locales/<language>/receipts-texts.yaml. */
export type NoteCause = keyof typeof DECISION_NOTE;

/** One paragraph per language with an empty line between them, and a line end at the end. */
export function noteText(cause: NoteCause, first: Language): string {
  return `${languagesFrom(first)
    .map((language) => format(DECISION_NOTE[cause](), language))
    .join('\n\n')}\n`;
}

/** Names that a note shows; it counts the others. */
const MAX_NAMES = 100;

/**
 * Lists the files that are no receipts. The text changes when the first 100 names or the count change: so the caller
 * sees by comparison whether there is anything new to report.
 */
export function leftoverNoteText(names: readonly string[], first: Language): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `  ${escapeControls(name)}`);
  const more = names.length > MAX_NAMES ? [`  + ${names.length - MAX_NAMES}`] : [];
  const says = languagesFrom(first).map((language) => format(LEFTOVER_NOTE.text(), language));
  return `${[...says, '', ...shown, ...more].join('\n')}\n`;
}
