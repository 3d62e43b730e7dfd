/**
 * README.txt of an error folder and of the folders for decisions, for whoever opens it in the morning: what the words in the receipts mean and what to
 * do, in English, French and Spanish, that of the instance first. Its table is made from the states, so it never says less than they do.
 */

import { type Language, languagesFrom } from '../i18n/message.ts';
import { SET_ASIDE, STATE_NAMES, stateInfo } from '../model/state.ts';
import { type Languages, NEXT, SET_ASIDE_NEXT } from './next-action.ts';

export const README_NAME = 'README.txt';

const WIDTH = 78;

const OPENING: { readonly [language in keyof Languages]: readonly string[] } = {
  en: [
    'Documents that need a person',
    'Each file NAME.receipt.json in this folder is one document that was not authorized. NAME.payload.json beside it, where there is one, is exactly what was or would be sent. A file that ends in .summary.json tells where every row of one export is now; where no document could be made of a whole export, its "faults" say why: mend the export, or what they name, and drop it again. To correct a document, mend it in the ERP, export it again and drop the file into the inbox: what was accepted before is not sent twice. Or, without the ERP: a file that ends in .to-fix.csv (or .to-fix.xml) holds the rows of all failed documents of one export. Copy it, open the copy in a spreadsheet with all columns imported as text, correct the cells that the column _error speaks of, leave _doc and _row as they are, save it as CSV and drop it into the inbox, under any name.',
    'Open a receipt with any text editor. "words" is its state, "next" is what to do, "faults" lists the cells to correct with file, row and column, "answer" is what the tax service said.',
    'Please do not move, rename or delete receipts. When a document is settled, its receipt leaves this folder by itself. Never issue a document a second time to be on the safe side: two documents with legal value are worse than one that is late.',
    'The states:',
  ],
  fr: [
    'Documents qui demandent une intervention',
    "Chaque fichier NOM.receipt.json de ce dossier correspond à un document qui n'a pas été autorisé. NOM.payload.json, s'il existe, contient exactement ce qui a été ou serait envoyé. Un fichier terminé par .summary.json indique où se trouve chaque ligne d'un export ; si aucun document n'a pu être tiré d'un export entier, ses « faults » disent pourquoi : corrigez l'export, ou ce qu'elles nomment, et déposez-le de nouveau. Pour corriger un document, corrigez-le dans l'ERP, exportez-le de nouveau et déposez le fichier dans la boîte de réception (inbox) : ce qui a déjà été accepté n'est pas envoyé deux fois. Ou bien, sans l'ERP : un fichier terminé par .to-fix.csv (ou .to-fix.xml) contient les lignes de tous les documents en échec d'un export. Copiez-le, ouvrez la copie dans un tableur en important toutes les colonnes comme texte, corrigez les cellules dont parle la colonne _error, ne touchez pas à _doc ni à _row, enregistrez en CSV et déposez le fichier dans la boîte de réception (inbox), sous n'importe quel nom.",
    'Ouvrez un reçu avec un éditeur de texte. « words » est son état, « next » dit quoi faire, « faults » indique les cellules à corriger (fichier, ligne, colonne), « answer » est la réponse du service fiscal.',
    "Merci de ne pas déplacer, renommer ni supprimer les reçus. Dès qu'un document est réglé, son reçu quitte ce dossier de lui-même. N'émettez jamais un document une seconde fois par précaution : deux documents ayant valeur légale sont pires qu'un document en retard.",
    'Les états :',
  ],
  es: [
    'Documentos que necesitan a una persona',
    'Cada archivo NOMBRE.receipt.json de esta carpeta es un documento que no fue autorizado. NOMBRE.payload.json, si existe, contiene exactamente lo que se envió o se enviaría. Un archivo terminado en .summary.json indica dónde está cada fila de una exportación; si de una exportación entera no se pudo hacer ningún documento, sus «faults» dicen por qué: corrija la exportación, o lo que nombran, y deposítela de nuevo. Para corregir un documento, corríjalo en el ERP, expórtelo de nuevo y deposite el archivo en la bandeja de entrada (inbox): lo que ya fue aceptado no se envía dos veces. O bien, sin el ERP: un archivo terminado en .to-fix.csv (o .to-fix.xml) contiene las filas de todos los documentos fallidos de una exportación. Cópielo, abra la copia en una hoja de cálculo importando todas las columnas como texto, corrija las celdas de las que habla la columna _error, no toque _doc ni _row, guarde como CSV y deposite el archivo en la bandeja de entrada (inbox), con cualquier nombre.',
    'Abra un recibo con cualquier editor de texto. «words» es su estado, «next» indica qué hacer, «faults» señala las celdas por corregir (archivo, fila y columna) y «answer» es la respuesta del servicio fiscal.',
    'Por favor, no mueva, renombre ni borre los recibos. Cuando un documento queda resuelto, su recibo sale solo de esta carpeta. Nunca emita un documento por segunda vez por precaución: dos documentos con validez legal son peores que uno con retraso.',
    'Los estados:',
  ],
};

export type ReadmeOf = 'error' | 'release' | 'reject';

/** Of the folders pending/release and pending/reject: no states, because few of them come here. */
const DECISIONS: { readonly [of in Exclude<ReadmeOf, 'error'>]: typeof OPENING } = {
  release: {
    en: [
      'Release held documents',
      'A document is held when a person has to look at it before it is sent; its receipt NAME.receipt.json lies in pending, in the folder of the day, and says why under "hold". To have it sent, copy or move its receipt into this folder (a copy keeps your name as the one who decided). The next run sends the document and removes the receipt from here.',
      'The receipt must be the newest one, as it was written. Where something is wrong, nothing is done and a note NAME.note.txt appears beside it. Anything else in this folder is left alone.',
      'To reject a document instead, use the folder reject.',
    ],
    fr: [
      'Libérer des documents en attente',
      "Un document est en attente quand une personne doit le voir avant son envoi ; son reçu NOM.receipt.json se trouve dans pending, dans le dossier du jour, et indique pourquoi sous « hold ». Pour qu'il soit envoyé, copiez ou déplacez son reçu dans ce dossier (une copie conserve votre nom comme décideur). Le prochain passage envoie le document et retire le reçu d'ici.",
      "Le reçu doit être le plus récent, tel qu'il a été écrit. Si quelque chose ne va pas, rien n'est fait et une note NOM.note.txt apparaît à côté. Tout autre fichier de ce dossier est laissé tel quel.",
      'Pour écarter un document, utilisez le dossier reject.',
    ],
    es: [
      'Liberar documentos retenidos',
      'Un documento está retenido cuando una persona debe verlo antes de su envío; su recibo NOMBRE.receipt.json está en pending, en la carpeta del día, e indica el motivo en «hold». Para que se envíe, copie o mueva su recibo a esta carpeta (una copia conserva su nombre como quien decidió). La próxima ejecución envía el documento y retira el recibo de aquí.',
      'El recibo debe ser el más reciente, tal como se escribió. Si algo no está bien, no se hace nada y aparece al lado una nota NOMBRE.note.txt. Cualquier otro archivo de esta carpeta se deja como está.',
      'Para apartar un documento, use la carpeta reject.',
    ],
  },
  reject: {
    en: [
      'Reject documents that are held or to correct',
      'A held document waits in pending, in the folder of the day, with its receipt NAME.receipt.json. To keep it from being sent, copy or move its receipt into this folder (a copy keeps your name as the one who decided). The next run sets it aside: its receipt then lies in error, and it can be corrected there. A document in error that failed our own checks and that nobody will correct, such as a row that was exported again with its document, is set aside likewise: "words" in its receipt then says so, and nobody waits for it any more.',
      'The receipt must be the newest one, as it was written. Where something is wrong, nothing is done and a note NAME.note.txt appears beside it. Anything else in this folder is left alone.',
      'To have a document sent, use the folder release.',
    ],
    fr: [
      'Écarter des documents en attente ou à corriger',
      "Un document en attente se trouve dans pending, dans le dossier du jour, avec son reçu NOM.receipt.json. Pour qu'il ne soit pas envoyé, copiez ou déplacez son reçu dans ce dossier (une copie conserve votre nom comme décideur). Le prochain passage le met de côté : son reçu se trouve alors dans error, où il peut être corrigé. Un document de error qui a échoué à nos propres contrôles et que personne ne corrigera, comme une ligne exportée de nouveau avec son document, s'écarte de même : « words » le dit alors dans son reçu, et plus personne ne l'attend.",
      "Le reçu doit être le plus récent, tel qu'il a été écrit. Si quelque chose ne va pas, rien n'est fait et une note NOM.note.txt apparaît à côté. Tout autre fichier de ce dossier est laissé tel quel.",
      'Pour faire envoyer un document, utilisez le dossier release.',
    ],
    es: [
      'Apartar documentos retenidos o por corregir',
      'Un documento retenido espera en pending, en la carpeta del día, con su recibo NOMBRE.receipt.json. Para que no se envíe, copie o mueva su recibo a esta carpeta (una copia conserva su nombre como quien decidió). La próxima ejecución lo aparta: su recibo queda entonces en error, donde se puede corregir. Un documento de error que falló nuestros propios controles y que nadie corregirá, como una fila que se exportó de nuevo con su documento, se aparta igual: «words» lo dice entonces en su recibo, y ya nadie lo espera.',
      'El recibo debe ser el más reciente, tal como se escribió. Si algo no está bien, no se hace nada y aparece al lado una nota NOMBRE.note.txt. Cualquier otro archivo de esta carpeta se deja como está.',
      'Para que un documento se envíe, use la carpeta release.',
    ],
  },
};

/** All three languages: who opens it may be none of those that the settings are made for. Theirs comes first. */
export function readmeText(of: ReadmeOf, first: Language): string {
  const parts = languagesFrom(first).map((language) =>
    of === 'error' ? section(language) : page(DECISIONS[of][language]),
  );
  return parts.join(`\n${'-'.repeat(WIDTH)}\n\n`);
}

function section(language: Language): string {
  const bullet = (word: string, says: string) =>
    wrap(`${word}${language === 'fr' ? ' :' : ':'} ${says}`, '  * ', '    ');
  const states = STATE_NAMES.filter((state) => stateInfo(state).folder === 'error').map((state) =>
    bullet(`${stateInfo(state).words[language]} (${state})`, NEXT[state][language]),
  );
  const setAside = bullet(SET_ASIDE.words[language], SET_ASIDE_NEXT[language]);
  return `${page(OPENING[language])}\n${[...states, setAside].join('\n')}\n`;
}

function page([title, ...paragraphs]: readonly string[]): string {
  return [title!.toUpperCase(), ...paragraphs.map((text) => wrap(text))].join('\n\n').concat('\n');
}

function wrap(text: string, first = '', rest = ''): string {
  const lines: string[] = [];
  let line = first;
  let hasWord = false;
  // French sets spaces inside quotation marks and before colons where no line may end.
  const glued = text.replaceAll('« ', '«\u00a0').replaceAll(/ ([»:;?!])/g, '\u00a0$1');
  for (const word of glued.split(' ')) {
    if (hasWord && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest;
      hasWord = false;
    }
    line += (hasWord ? ' ' : '') + word;
    hasWord = true;
  }
  return [...lines, line].join('\n');
}
