/** How a ledger came into quarantine: the word that its mark keeps, as people read it. */
import { sentence } from '../i18n/message.ts';

export const HOW = {
  restored: sentence({ en: 'restored', fr: 'restauré', es: 'restaurado' }),
  rebuilt: sentence({ en: 'rebuilt', fr: 'reconstruit', es: 'reconstruido' }),
  accepted: sentence({ en: 'accepted', fr: 'accepté', es: 'aceptado' }),
};

export type QuarantineCause = keyof typeof HOW;
