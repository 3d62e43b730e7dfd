/**
 * README.txt of an error folder, for whoever opens it in the morning: what the words in the receipts mean and what to
 * do, in English, French and Spanish. Its table is made from the states, so it never says less than they do.
 */
import { STATE_NAMES, stateInfo } from '../model/state.ts';
import { type Languages, NEXT } from './next.ts';

export const README_NAME = 'README.txt';

const WIDTH = 78;

const OPENING: { readonly [language in keyof Languages]: readonly string[] } = {
  en: [
    'Documents that need a person',
    'Each file NAME.receipt.json in this folder is one document that was not authorized. NAME.payload.json beside it, where there is one, is exactly what was or would be sent. A file that ends in .summary.json tells where every row of one export is now; where no document could be made of a whole export, its "faults" say why: mend the export, or what they name, and drop it again. To correct a document, mend it in the ERP and export it again, or mend a copy of the export, and drop the file into the inbox: what was accepted before is not sent twice.',
    'Open a receipt with any text editor. "words" is its state, "next" is what to do, "faults" lists the cells to correct with file, row and column, "answer" is what the tax service said.',
    'Please do not move, rename or delete receipts. When a document is settled, its receipt leaves this folder by itself. Never issue a document a second time to be on the safe side: two documents with legal value are worse than one that is late.',
    'The states:',
  ],
  fr: [
    'Documents qui demandent une intervention',
    "Chaque fichier NOM.receipt.json de ce dossier correspond à un document qui n'a pas été autorisé. NOM.payload.json, s'il existe, contient exactement ce qui a été ou serait envoyé. Un fichier terminé par .summary.json indique où se trouve chaque ligne d'un export ; si aucun document n'a pu être tiré d'un export entier, ses « faults » disent pourquoi : corrigez l'export, ou ce qu'elles nomment, et déposez-le de nouveau. Pour corriger un document, corrigez-le dans l'ERP et exportez-le de nouveau, ou corrigez une copie de l'export, puis déposez le fichier dans la boîte de réception (inbox) : ce qui a déjà été accepté n'est pas envoyé deux fois.",
    'Ouvrez un reçu avec un éditeur de texte. « words » est son état, « next » dit quoi faire, « faults » indique les cellules à corriger (fichier, ligne, colonne), « answer » est la réponse du service fiscal.',
    "Merci de ne pas déplacer, renommer ni supprimer les reçus. Dès qu'un document est réglé, son reçu quitte ce dossier de lui-même. N'émettez jamais un document une seconde fois par précaution : deux documents ayant valeur légale sont pires qu'un document en retard.",
    'Les états :',
  ],
  es: [
    'Documentos que necesitan a una persona',
    'Cada archivo NOMBRE.receipt.json de esta carpeta es un documento que no fue autorizado. NOMBRE.payload.json, si existe, contiene exactamente lo que se envió o se enviaría. Un archivo terminado en .summary.json indica dónde está cada fila de una exportación; si de una exportación entera no se pudo hacer ningún documento, sus «faults» dicen por qué: corrija la exportación, o lo que nombran, y deposítela de nuevo. Para corregir un documento, corríjalo en el ERP y expórtelo de nuevo, o corrija una copia de la exportación, y deposite el archivo en la bandeja de entrada (inbox): lo que ya fue aceptado no se envía dos veces.',
    'Abra un recibo con cualquier editor de texto. «words» es su estado, «next» indica qué hacer, «faults» señala las celdas por corregir (archivo, fila y columna) y «answer» es la respuesta del servicio fiscal.',
    'Por favor, no mueva, renombre ni borre los recibos. Cuando un documento queda resuelto, su recibo sale solo de esta carpeta. Nunca emita un documento por segunda vez por precaución: dos documentos con validez legal son peores que uno con retraso.',
    'Los estados:',
  ],
};

export function readmeText(): string {
  const parts = (['en', 'fr', 'es'] as const).map((language) => section(language));
  return parts.join(`\n${'-'.repeat(WIDTH)}\n\n`);
}

function section(language: keyof Languages): string {
  const [title, ...paragraphs] = OPENING[language];
  const states = STATE_NAMES.filter((state) => stateInfo(state).folder === 'error').map((state) =>
    wrap(
      `${stateInfo(state).words[language]} (${state})${language === 'fr' ? ' :' : ':'} ${NEXT[state][language]}`,
      '  * ',
      '    ',
    ),
  );
  return [title!.toUpperCase(), ...paragraphs.map((text) => wrap(text)), states.join('\n')].join('\n\n').concat('\n');
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
