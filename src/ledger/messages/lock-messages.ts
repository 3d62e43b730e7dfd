/** Two programs at a time in one instance: the second does nothing. */
import { sentence } from '../../i18n/message.ts';

export const LOCKED = {
  other: sentence({
    en: 'Another run is working in this instance folder.',
    fr: 'Un autre passage travaille dans ce dossier d’instance.',
    es: 'Otra ejecución está trabajando en esta carpeta de instancia.',
  }),
  wait: sentence({
    en: 'Wait until it has ended, or stop it; the lock goes with its process.',
    fr: 'Attendez qu’il soit terminé, ou arrêtez-le ; le verrou disparaît avec son processus.',
    es: 'Espere a que termine, o deténgala; el bloqueo desaparece con su proceso.',
  }),
};
