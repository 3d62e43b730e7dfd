/** What is wrong with a correction file, or with what it corrects. */
import { sentence } from '../../i18n/message.ts';

export const CORRECTION = {
  fresh: sentence({
    en: 'take a fresh copy of the *.to-fix file in error/, correct it and drop it into inbox/',
    fr: 'prenez une nouvelle copie du fichier *.to-fix dans error/, corrigez-la et déposez-la dans inbox/',
    es: 'tome una copia nueva del archivo *.to-fix en error/, corríjala y deposítela en inbox/',
  }),
  tooLarge: sentence({
    en: 'the correction file is larger than 64 MiB',
    fr: 'le fichier de correction dépasse 64 Mio',
    es: 'el archivo de corrección supera 64 MiB',
  }),
  inParts: sentence({
    en: 'drop it in several parts, each with the header row',
    fr: 'déposez-le en plusieurs parties, chacune avec la ligne d’en-tête',
    es: 'deposítelo en varias partes, cada una con la fila de encabezado',
  }),
  columnLost: sentence({
    en: 'the column {names} is missing',
    fr: 'la colonne {names} manque',
    es: 'falta la columna {names}',
  }),
  both: sentence({ en: '{one} and {other}', fr: '{one} et {other}', es: '{one} y {other}' }),
  noTable: sentence({
    en: 'this correction file cannot be read as a table',
    fr: 'ce fichier de correction ne peut être lu comme un tableau',
    es: 'este archivo de corrección no se puede leer como tabla',
  }),
  exportColumn: sentence({
    en: 'the column {names} of the export is missing',
    fr: 'la colonne {names} de l’export manque',
    es: 'falta la columna {names} de la exportación',
  }),
  exportColumns: sentence({
    en: 'the columns {names} of the export are missing',
    fr: 'les colonnes {names} de l’export manquent',
    es: 'faltan las columnas {names} de la exportación',
  }),
  leaveColumns: sentence({
    en: 'leave all columns of the file as they are, {fresh}',
    fr: 'laissez toutes les colonnes du fichier telles quelles, {fresh}',
    es: 'deje todas las columnas del archivo como están, {fresh}',
  }),
  docEmpty: sentence({ en: '_doc is empty ({rows})', fr: '_doc est vide ({rows})', es: '_doc está vacío ({rows})' }),
  noDocument: sentence({
    en: 'no document has the _doc "{mark}" ({rows})',
    fr: 'aucun document n’a le _doc « {mark} » ({rows})',
    es: 'ningún documento tiene el _doc «{mark}» ({rows})',
  }),
  oneRow: sentence({ en: '1 row', fr: '1 ligne', es: '1 fila' }),
  rows: sentence({ en: '{count} rows', fr: '{count} lignes', es: '{count} filas' }),
  leaveDoc: sentence({
    en: 'leave _doc as it is and add no rows; {fresh}',
    fr: 'laissez _doc tel quel et n’ajoutez pas de lignes ; {fresh}',
    es: 'deje _doc como está y no añada filas; {fresh}',
  }),
  unmarked: sentence({
    en: 'an element stands here without its comment: nothing of it was taken',
    fr: 'un élément se trouve ici sans son commentaire : rien n’en a été pris',
    es: 'hay aquí un elemento sin su comentario: no se tomó nada de él',
  }),
  noRow: sentence({
    en: '{rows} is no row of document {document}, which has {own}',
    fr: '{rows} n’est pas une ligne du document {document}, qui a {own}',
    es: '{rows} no es una fila del documento {document}, que tiene {own}',
  }),
  noRows: sentence({
    en: '{rows} are no rows of document {document}, which has {own}',
    fr: '{rows} ne sont pas des lignes du document {document}, qui a {own}',
    es: '{rows} no son filas del documento {document}, que tiene {own}',
  }),
  leaveRow: sentence({
    en: 'leave _row as it is and add no rows; {fresh}',
    fr: 'laissez _row tel quel et n’ajoutez pas de lignes ; {fresh}',
    es: 'deje _row como está y no añada filas; {fresh}',
  }),
  rowTwice: sentence({
    en: 'row {row} of {document} is in the file twice',
    fr: 'la ligne {row} de {document} est deux fois dans le fichier',
    es: 'la fila {row} de {document} está dos veces en el archivo',
  }),
  keepOne: sentence({
    en: 'keep one of the two rows and drop the file again; nothing of the document was taken',
    fr: 'gardez une des deux lignes et déposez de nouveau le fichier ; rien du document n’a été pris',
    es: 'conserve una de las dos filas y deposite de nuevo el archivo; no se tomó nada del documento',
  }),
  rowMissing: sentence({
    en: 'of document {document} row {rows} is missing',
    fr: 'il manque la ligne {rows} du document {document}',
    es: 'falta la fila {rows} del documento {document}',
  }),
  rowsMissing: sentence({
    en: 'of document {document} rows {rows} are missing',
    fr: 'il manque les lignes {rows} du document {document}',
    es: 'faltan las filas {rows} del documento {document}',
  }),
  allRows: sentence({
    en: 'a document is corrected with all its rows; {fresh}',
    fr: 'un document se corrige avec toutes ses lignes ; {fresh}',
    es: 'un documento se corrige con todas sus filas; {fresh}',
  }),
  rowsGone: sentence({
    en: '{missing} rows of its failed documents are not there any more',
    fr: 'des lignes de ses documents en échec n’y sont plus ({missing})',
    es: 'faltan filas de sus documentos fallidos ({missing})',
  }),
  mappingGone: sentence({
    en: 'the mapping "{mapping}" that read {file} is gone',
    fr: 'le fichier de correspondance « {mapping} » qui a lu {file} n’existe plus',
    es: 'el archivo de correspondencias «{mapping}» que leyó {file} ya no existe',
  }),
  putMappingBack: sentence({
    en: 'put the mapping back into mappings/ under this name, then drop the file again',
    fr: 'remettez le fichier de correspondance dans mappings/ sous ce nom, puis déposez de nouveau le fichier',
    es: 'vuelva a poner el archivo de correspondencias en mappings/ con ese nombre, y deposite de nuevo el archivo',
  }),
  sourceGone: sentence({
    en: '{path} is not there any more',
    fr: '{path} n’existe plus',
    es: '{path} ya no está',
  }),
  restoreArchive: sentence({
    en: 'restore the archive from its backup, or drop a corrected export into inbox/',
    fr: 'restaurez l’archive depuis sa sauvegarde, ou déposez un export corrigé dans inbox/',
    es: 'restaure el archivo histórico desde su copia de seguridad, o deposite una exportación corregida en inbox/',
  }),
  onlyInErp: sentence({
    en: '{document} cannot be corrected in this file: the cells of one of its rows, or of a row beside it, cannot be told apart; nothing of it was taken',
    fr: '{document} ne peut être corrigé dans ce fichier : les cellules d’une de ses lignes, ou d’une ligne voisine, ne se laissent pas distinguer ; rien n’en a été pris',
    es: '{document} no se puede corregir en este archivo: las celdas de una de sus filas, o de una fila contigua, no se pueden distinguir; no se tomó nada de él',
  }),
  exportAgain: sentence({
    en: 'correct the row in the ERP and export again',
    fr: 'corrigez la ligne dans l’ERP et refaites l’export',
    es: 'corrija la fila en el ERP y exporte de nuevo',
  }),
  sameContent: sentence({
    en: '{document} is what was rejected before, in spite of the corrections',
    fr: '{document} est, malgré les corrections, ce qui avait été rejeté',
    es: '{document} es, a pesar de las correcciones, lo que ya se había rechazado',
  }),
  seeAnswer: sentence({
    en: 'the service has rejected just this; see "answer" in its receipt for what it wants changed',
    fr: 'c’est exactement ce que le service a rejeté ; voir « answer » dans son reçu pour ce qu’il faut changer',
    es: 'es justo lo que el servicio rechazó; véase «answer» en su recibo para lo que hay que cambiar',
  }),
  notOpen: sentence({
    en: '{document} is {state} meanwhile, as this file says it: it is left as it is',
    fr: 'entre-temps, {document} est passé à l’état « {state} », tel que ce fichier le donne : il reste tel quel',
    es: 'entretanto, {document} pasó al estado «{state}», tal como lo da este archivo: queda como está',
  }),
  nothingToDo: sentence({ en: 'nothing to do', fr: 'rien à faire', es: 'nada que hacer' }),
  notTaken: sentence({
    en: '{document} is {state} meanwhile, with {column} "{from}": "{to}" was not taken',
    fr: 'entre-temps, {document} est passé à l’état « {state} », avec {column} « {from} » : « {to} » n’a pas été pris en compte',
    es: 'entretanto, {document} pasó al estado «{state}», con {column} «{from}»: «{to}» no se tomó en cuenta',
  }),
  outdated: sentence({
    en: '{document} has changed since this file was written: nothing of it was taken',
    fr: '{document} a changé depuis l’écriture de ce fichier : rien n’en a été pris',
    es: '{document} cambió desde que se escribió este archivo: no se tomó nada de él',
  }),
  damaged: sentence({
    en: '"{to}" is what a spreadsheet made of "{from}" ({damage})',
    fr: '« {to} » est ce qu’un tableur a fait de « {from} » ({damage})',
    es: '«{to}» es lo que una hoja de cálculo hizo de «{from}» ({damage})',
  }),
  putBack: sentence({
    en: 'format the column as text, put "{from}" back wherever it was and drop the file again; where {to} is meant, say so with nightpost fix, or correct it in the ERP',
    fr: 'mettez la colonne au format texte, remettez « {from} » partout où il était et déposez de nouveau le fichier ; si {to} est voulu, dites-le avec nightpost fix, ou corrigez-le dans l’ERP',
    es: 'dé formato de texto a la columna, vuelva a poner «{from}» donde estaba y deposite de nuevo el archivo; si {to} es lo correcto, dígalo con nightpost fix, o corríjalo en el ERP',
  }),
};

/** What can be done about a document that came too late to be corrected. */
export const TOO_LATE = {
  ready: sentence({
    en: 'it goes out as it is; where that is wrong, issue a credit note or a corrective, or after a rejection {fresh}',
    fr: 'il part tel quel ; s’il est faux, émettez un avoir ou une facture rectificative, ou après un rejet {fresh}',
    es: 'sale como está; si está mal, emita una nota de crédito o una factura rectificativa, o tras un rechazo {fresh}',
  }),
  sending: sentence({
    en: 'it is on its way; after a rejection {fresh}',
    fr: 'il est en cours d’envoi ; après un rejet {fresh}',
    es: 'se está enviando; tras un rechazo {fresh}',
  }),
  held: sentence({
    en: 'reject it (nightpost reject NUMBER), then take the fresh *.to-fix file in error/; or release it as it is',
    fr: 'écartez-le (nightpost reject NUMÉRO), puis prenez le nouveau fichier *.to-fix dans error/ ; ou libérez-le tel quel',
    es: 'apártelo (nightpost reject NÚMERO), y tome el nuevo archivo *.to-fix en error/; o libérelo como está',
  }),
  inDoubt: sentence({
    en: 'find out first whether it has arrived (nightpost consult, or the portal), then nightpost resolve',
    fr: 'cherchez d’abord s’il est arrivé (nightpost consult, ou le portail), puis nightpost resolve',
    es: 'averigüe primero si llegó (nightpost consult, o el portal), después nightpost resolve',
  }),
  returned: sentence({
    en: 'find out first what the service has made of it (nightpost consult, or the portal), then nightpost resolve',
    fr: 'cherchez d’abord ce que le service en a fait (nightpost consult, ou le portail), puis nightpost resolve',
    es: 'averigüe primero qué hizo con él el servicio (nightpost consult, o el portal), después nightpost resolve',
  }),
  contingency: sentence({
    en: 'the service has it and will decide; after a rejection it can be corrected',
    fr: 'le service l’a et décidera ; après un rejet, il pourra être corrigé',
    es: 'el servicio lo tiene y decidirá; tras un rechazo se podrá corregir',
  }),
  failed: sentence({
    en: 'its support has to say first whether it was issued (nightpost resolve)',
    fr: 'son support doit d’abord dire s’il a été émis (nightpost resolve)',
    es: 'su soporte debe decir primero si se emitió (nightpost resolve)',
  }),
  refused: sentence({
    en: 'the request was refused, not its content: mend the cause and send it again (nightpost retry)',
    fr: 'c’est la requête qui a été refusée, non son contenu : réparez la cause et renvoyez-le (nightpost retry)',
    es: 'se rechazó la petición, no su contenido: corrija la causa y reenvíelo (nightpost retry)',
  }),
  issued: sentence({
    en: 'it was issued as it is: where it is wrong, issue a credit note or a corrective',
    fr: 'il a été émis tel quel : s’il est faux, émettez un avoir ou une facture rectificative',
    es: 'se emitió como está: si está mal, emita una nota de crédito o una factura rectificativa',
  }),
};

/** The reason that is recorded where a person decided by moving a receipt. */
export const MOVED_TO = sentence({
  en: 'receipt moved to {folder}',
  fr: 'reçu déplacé dans {folder}',
  es: 'recibo movido a {folder}',
});

/** What became of a row of a correction file, in its summary. */
export const ROW_RULE = {
  corrected: sentence({
    en: 'corrected: its document is read again',
    fr: 'corrigée : son document est relu',
    es: 'corregida: su documento se lee de nuevo',
  }),
  held: sentence({
    en: 'corrected: its document is held for a person',
    fr: 'corrigée : son document est en attente d’une décision',
    es: 'corregida: su documento está retenido hasta que alguien decida',
  }),
  stillWrong: sentence({
    en: 'corrected, but its document still has faults: see its receipt',
    fr: 'corrigée, mais son document a encore des erreurs : voir son reçu',
    es: 'corregida, pero su documento todavía tiene errores: véase su recibo',
  }),
  unchanged: sentence({
    en: 'unchanged: nothing to do',
    fr: 'inchangée : rien à faire',
    es: 'sin cambios: nada que hacer',
  }),
  refused: sentence({
    en: 'refused: see faults',
    fr: 'refusée : voir « faults »',
    es: 'rechazada: véase «faults»',
  }),
  late: sentence({
    en: 'its document has changed since this file was written: nothing was done',
    fr: 'son document a changé depuis l’écriture de ce fichier : rien n’a été fait',
    es: 'su documento cambió desde que se escribió este archivo: no se hizo nada',
  }),
};

/** The reason that is recorded for the cells that a correction file corrects. */
export const BY_FILE = sentence({
  en: 'correction file {file}',
  fr: 'fichier de corrections {file}',
  es: 'archivo de correcciones {file}',
});
