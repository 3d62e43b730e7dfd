/** What every command that works says when it is asked to end. */
import { sentence } from '../model/words.ts';

export const SESSION = {
  ending: sentence({
    en: 'Ending: documents under way are finished, the rest stays queued.',
    fr: 'Fin demandée : les documents en cours sont terminés, le reste attend en file.',
    es: 'Terminando: los documentos en curso se completan, el resto queda en cola.',
  }),
  mappingWrong: sentence({
    en: 'NOTHING IS TAKEN IN OR SENT until this is corrected: {fault}; see: nightpost check',
    fr: 'RIEN N’EST PRIS EN CHARGE NI ENVOYÉ tant que ceci n’est pas corrigé : {fault} ; voyez : nightpost check',
    es: 'NO SE TOMA NI SE ENVÍA NADA hasta que se corrija esto: {fault}; véase: nightpost check',
  }),
  mappingsWrong: sentence({
    en: 'NOTHING IS TAKEN IN OR SENT until this is corrected: {fault} (and {more} more); see: nightpost check',
    fr: 'RIEN N’EST PRIS EN CHARGE NI ENVOYÉ tant que ceci n’est pas corrigé : {fault} (et encore {more}) ; voyez : nightpost check',
    es: 'NO SE TOMA NI SE ENVÍA NADA hasta que se corrija esto: {fault} (y {more} más); véase: nightpost check',
  }),
  endingSandbox: sentence({ en: 'Ending.', fr: 'Fin.', es: 'Terminando.' }),
};
