/** What becomes of documents that are read again, and of a whole file. */
import { sentence } from '../../i18n/message.ts';

export const BECOMING = {
  staysAsIs: sentence({
    en: '{number}: stays "{state}"',
    fr: '{number} : reste dans l’état « {state} »',
    es: '{number}: sigue en el estado «{state}»',
  }),
  unchanged: sentence({
    en: '{number}: stays "{state}", {why}; nightpost fix corrects a cell',
    fr: '{number} : reste dans l’état « {state} », {why} ; nightpost fix corrige une cellule',
    es: '{number}: sigue en el estado «{state}», {why}; nightpost fix corrige una celda',
  }),
  rejectedBefore: sentence({
    en: 'the service has rejected this very content',
    fr: 'c’est exactement ce contenu que le service a rejeté',
    es: 'es justo el contenido que el servicio rechazó',
  }),
  setAsideBefore: sentence({
    en: 'this very content was set aside',
    fr: 'c’est exactement ce contenu qui a été écarté',
    es: 'es justo el contenido que se apartó',
  }),
  wouldBePart: sentence({
    en: '{number}: was "{state}", its rows would be part of {other}',
    fr: '{number} : dans l’état « {state} », ses lignes feraient partie de {other}',
    es: '{number}: en el estado «{state}», sus filas formarían parte de {other}',
  }),
  isPart: sentence({
    en: '{number}: was "{state}", its rows are now part of {other}',
    fr: '{number} : était dans l’état « {state} », ses lignes font maintenant partie de {other}',
    es: '{number}: estaba en el estado «{state}», sus filas forman ahora parte de {other}',
  }),
  still: sentence({
    en: '{number}: still {parts}',
    fr: '{number} : toujours {parts}',
    es: '{number}: sigue {parts}',
  }),
  would: sentence({
    en: '{number}: {was}, would become {parts}',
    fr: '{number} : {was}, deviendrait {parts}',
    es: '{number}: {was}, pasaría a {parts}',
  }),
  is: sentence({
    en: '{number}: was {was}, is now {parts}',
    fr: '{number} : était {was}, est maintenant {parts}',
    es: '{number}: estaba {was}, ahora está {parts}',
  }),
  andMoreFaults: {
    one: sentence({
      en: 'and {count} more fault',
      fr: 'et encore {count} erreur',
      es: 'y {count} error más',
    }),
    many: sentence({
      en: 'and {count} more faults',
      fr: 'et encore {count} erreurs',
      es: 'y {count} errores más',
    }),
  },
  file: sentence({
    en: '{file}: {state}, {rows}, {documents}',
    fr: '{file} : {state}, {rows}, {documents}',
    es: '{file}: {state}, {rows}, {documents}',
  }),
};

/** What a document becomes: its state first, then these, with commas. */
export const AND_ALSO = {
  state: sentence({ en: '"{state}"', fr: '« {state} »', es: '«{state}»' }),
  held: sentence({ en: '"{state}" ({why})', fr: '« {state} » ({why})', es: '«{state}» ({why})' }),
  sent: sentence({
    en: 'sent by the next run',
    fr: 'envoyé au prochain passage',
    es: 'se envía en la próxima ejecución',
  }),
  as: sentence({ en: 'as {number}', fr: 'sous le numéro {number}', es: 'con el número {number}' }),
  taken: sentence({
    en: 'the number belongs to {first}',
    fr: 'le numéro appartient à {first}',
    es: 'el número pertenece a {first}',
  }),
  more: {
    one: sentence({
      en: 'its rows make {count} more document',
      fr: 'ses lignes font encore {count} document',
      es: 'con sus filas se hace {count} documento más',
    }),
    many: sentence({
      en: 'its rows make {count} more documents',
      fr: 'ses lignes font encore {count} documents',
      es: 'con sus filas se hacen {count} documentos más',
    }),
  },
};

export const WHOLE_FILE = {
  refused: sentence({
    en: '{file} was refused as a whole',
    fr: '{file} a été refusé en entier',
    es: '{file} fue rechazado por completo',
  }),
  preview: sentence({
    en: 'see what would become of it with: nightpost preview {path}',
    fr: 'pour voir ce qu’il deviendrait : nightpost preview {path}',
    es: 'para ver en qué se convertiría: nightpost preview {path}',
  }),
};
