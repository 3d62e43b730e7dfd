/** What is wrong with a file or a correction as a whole, as the line finds it. */
import { sentence } from '../model/words.ts';

export const COMPANION = {
  tooLarge: sentence({
    en: '"{name}" has {size} MiB, at most {most} MiB are attached',
    fr: '« {name} » fait {size} Mio, {most} Mio au plus peuvent être joints',
    es: '«{name}» tiene {size} MiB, se adjuntan {most} MiB como máximo',
  }),
  makeSmaller: sentence({
    en: 'have it made smaller, then drop the export again',
    fr: 'faites réduire ce fichier, puis déposez de nouveau l’export',
    es: 'haga reducir el archivo, y deposite de nuevo la exportación',
  }),
  growing: sentence({
    en: '"{name}" is still being written',
    fr: '« {name} » est encore en cours d’écriture',
    es: '«{name}» todavía se está escribiendo',
  }),
  waitForIt: sentence({
    en: 'drop the export again when the file is complete',
    fr: 'déposez de nouveau l’export quand le fichier sera complet',
    es: 'deposite de nuevo la exportación cuando el archivo esté completo',
  }),
  unreadable: sentence({
    en: '"{name}" cannot be attached: {why}',
    fr: '« {name} » ne peut être joint : {why}',
    es: '«{name}» no se puede adjuntar: {why}',
  }),
  unknownTrouble: sentence({ en: 'unknown trouble', fr: 'cause inconnue', es: 'causa desconocida' }),
  noPlainFile: sentence({
    en: 'it is no plain file',
    fr: 'ce n’est pas un fichier ordinaire',
    es: 'no es un archivo normal',
  }),
  empty: sentence({ en: 'it is empty', fr: 'il est vide', es: 'está vacío' }),
  putReadable: sentence({
    en: 'put a readable file of this name into the inbox, then drop the export again',
    fr: 'déposez un fichier lisible de ce nom dans la boîte de réception (inbox), puis de nouveau l’export',
    es: 'deposite un archivo legible con ese nombre en la bandeja de entrada (inbox), y de nuevo la exportación',
  }),
  stays: sentence({
    en: '{name} was attached to documents of {file}, and another file lies in its place now',
    fr: '{name} a été joint à des documents de {file}, et un autre fichier est maintenant à sa place',
    es: '{name} se adjuntó a documentos de {file}, y ahora hay otro archivo en su lugar',
  }),
  remove: sentence({
    en: 'remove it if nothing needs it',
    fr: 'supprimez-le si rien n’en a besoin',
    es: 'elimínelo si nada lo necesita',
  }),
};
