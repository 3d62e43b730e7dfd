/** What is wrong with a receipt that was moved to decide on its document, in words for somebody in accounting. */

import { type Language, languagesFrom } from '../i18n/message.ts';
import { escapeControls } from '../text/printable.ts';
import type { Languages } from './next-action.ts';

const NOTES = {
  unknown: {
    en: 'This is no receipt of a document that is known here. Nothing was done. Please take it out of this folder.',
    fr: "Ce n'est pas le reçu d'un document connu ici. Rien n'a été fait. Merci de le retirer de ce dossier.",
    es: 'No es el recibo de un documento conocido aquí. No se hizo nada. Por favor, retírelo de esta carpeta.',
  },
  older: {
    en: 'The document has changed since this receipt was written. Nothing was done. Read its newest receipt and use that one; delete this one.',
    fr: "Le document a changé depuis l'écriture de ce reçu. Rien n'a été fait. Lisez son reçu le plus récent et utilisez celui-là ; supprimez celui-ci.",
    es: 'El documento ha cambiado desde que se escribió este recibo. No se hizo nada. Lea su recibo más reciente y use ese; borre este.',
  },
  edited: {
    en: 'This receipt is not as it was written. Nothing was done. Use the receipt in pending/<day>/ or error/<day>/ as it is; delete this one.',
    fr: "Ce reçu n'est pas tel qu'il a été écrit. Rien n'a été fait. Utilisez le reçu de pending/<jour>/ ou error/<jour>/ tel quel ; supprimez celui-ci.",
    es: 'Este recibo no está como se escribió. No se hizo nada. Use el recibo de pending/<día>/ o error/<día>/ tal como está; borre este.',
  },
  contradiction: {
    en: 'Receipts of this document lie in pending/release and in pending/reject. Nothing was done. Decide which one is meant and delete the other.',
    fr: "Des reçus de ce document se trouvent dans pending/release et dans pending/reject. Rien n'a été fait. Choisissez lequel compte et supprimez l'autre.",
    es: 'Hay recibos de este documento en pending/release y en pending/reject. No se hizo nada. Decida cuál vale y borre el otro.',
  },
  'not-allowed': {
    en: 'Only held documents can be released, and only those that are held or to correct can be rejected; this one cannot. Nothing was done. Its receipt is back in its own folder and says what to do; this note goes by itself.',
    fr: "Seuls les documents en attente (held) peuvent être libérés, et seuls ceux en attente ou à corriger peuvent être écartés ; celui-ci ne peut pas l'être. Rien n'a été fait. Son reçu est de nouveau dans son dossier et dit quoi faire ; cette note disparaît d’elle-même.",
    es: 'Solo los documentos retenidos (held) se pueden liberar, y solo los retenidos o por corregir se pueden apartar; este no se puede. No se hizo nada. Su recibo está de nuevo en su carpeta y dice qué hacer; esta nota desaparece sola.',
  },
} as const satisfies { readonly [cause: string]: Languages };

export type NoteCause = keyof typeof NOTES;

/** In all languages, that of the instance first. */
export function noteText(cause: NoteCause, first: Language): string {
  return `${languagesFrom(first)
    .map((language) => NOTES[cause][language])
    .join('\n\n')}\n`;
}

const MAX_NAMES = 100;

const LEFT: Languages = {
  en: 'These are no receipts. They were left as they are; please take them out of this folder:',
  fr: 'Ce ne sont pas des reçus. Rien n’a été fait ; merci de les retirer de ce dossier :',
  es: 'No son recibos. No se hizo nada; por favor, retírelos de esta carpeta:',
};

/** The text changes whenever what is left does, as far as names are shown. */
export function leftText(names: readonly string[], first: Language): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `  ${escapeControls(name)}`);
  const more = names.length > MAX_NAMES ? [`  + ${names.length - MAX_NAMES}`] : [];
  const says = languagesFrom(first).map((language) => LEFT[language]);
  return `${[...says, '', ...shown, ...more].join('\n')}\n`;
}
