/** What `ledger receipts` says of the files that it writes again. */
import { sentence } from '../../i18n/message.ts';

export const MEND = {
  missing: sentence({ en: 'missing', fr: 'manquant', es: 'falta' }),
  damaged: sentence({ en: 'damaged', fr: 'abîmé', es: 'dañado' }),
  nothing: sentence({ en: 'Nothing is missing.', fr: 'Rien ne manque.', es: 'No falta nada.' }),
  would: {
    one: sentence({
      en: '{count} file would be written again',
      fr: '{count} fichier serait réécrit',
      es: 'se volvería a escribir {count} archivo',
    }),
    many: sentence({
      en: '{count} files would be written again',
      fr: '{count} fichiers seraient réécrits',
      es: 'se volverían a escribir {count} archivos',
    }),
  },
  done: {
    one: sentence({
      en: '{count} file written again',
      fr: '{count} fichier réécrit',
      es: '{count} archivo escrito de nuevo',
    }),
    many: sentence({
      en: '{count} files written again',
      fr: '{count} fichiers réécrits',
      es: '{count} archivos escritos de nuevo',
    }),
  },
};
