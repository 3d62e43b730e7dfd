/** What stands in the column `_error` beside the faults. */
import { sentence } from '../i18n/message.ts';

export const TO_FIX = {
  elsewhere: sentence({
    en: '{file} row {row}',
    fr: '{file} ligne {row}',
    es: '{file} fila {row}',
  }),
  setAside: sentence({
    en: 'set aside by {by}: {reason}',
    fr: 'écarté par {by} : {reason}',
    es: 'apartado por {by}: {reason}',
  }),
  numberTaken: sentence({
    en: 'the number already belongs to another document, see {name}',
    fr: 'le numéro appartient déjà à un autre document, voir {name}',
    es: 'el número ya pertenece a otro documento, véase {name}',
  }),
};
