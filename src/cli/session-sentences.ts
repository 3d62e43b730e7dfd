/** What every command that works says when it is asked to end. */
import { sentence } from '../model/words.ts';

export const SESSION = {
  ending: sentence({
    en: 'Ending: documents under way are finished, the rest stays queued.',
    fr: 'Fin demandée : les documents en cours sont terminés, le reste attend en file.',
    es: 'Terminando: los documentos en curso se completan, el resto queda en cola.',
  }),
  endingSandbox: sentence({ en: 'Ending.', fr: 'Fin.', es: 'Terminando.' }),
};
