/** What `preview` and `diff` say around fields, cells and faults. */
import { sentence } from '../../i18n/message.ts';

export const PREVIEW = {
  notADiff: sentence({
    en: '--against belongs to --format diff',
    fr: '--against va avec --format diff',
    es: '--against va con --format diff',
  }),
  addFormat: sentence({
    en: 'add --format diff',
    fr: 'ajoutez --format diff',
    es: 'añada --format diff',
  }),
  noSuchNumber: sentence({
    en: 'No document of this file has the number {number}.',
    fr: 'Aucun document de ce fichier n’a le numéro {number}.',
    es: 'Ningún documento de este archivo tiene el número {number}.',
  }),
  counted: sentence({
    en: '{documents}, {wrong} with faults; nothing was sent.',
    fr: '{documents}, dont {wrong} avec des erreurs ; rien n’a été envoyé.',
    es: '{documents}, {wrong} con errores; no se envió nada.',
  }),
  noNumber: sentence({ en: '(no number)', fr: '(sans numéro)', es: '(sin número)' }),
  fromRow: sentence({
    en: 'No document of this file is made of row {row}.',
    fr: 'Aucun document de ce fichier n’est tiré de la ligne {row}.',
    es: 'Ningún documento de este archivo se hace con la fila {row}.',
  }),
  feedsNothing: sentence({
    en: 'It feeds no field of its own; conditions, checks and the key of the document may still read it.',
    fr: 'Elle n’alimente aucun champ ; des conditions, des contrôles et la clé du document peuvent pourtant la lire.',
    es: 'No alimenta ningún campo; condiciones, controles y la clave del documento pueden leerla aun así.',
  }),
  refusedNothing: sentence({
    en: 'The document is refused, so none of its fields has a value yet.',
    fr: 'Le document est refusé, aucun de ses champs n’a donc encore de valeur.',
    es: 'El documento está rechazado, así que ninguno de sus campos tiene valor todavía.',
  }),
  inDocument: sentence({
    en: 'in {document}, {class}',
    fr: 'dans {document}, {class}',
    es: 'en {document}, {class}',
  }),
  andMore: sentence({
    en: '{cells} and {count} more',
    fr: '{cells} et encore {count}',
    es: '{cells} y {count} más',
  }),
  nothing: sentence({ en: 'nothing', fr: 'rien', es: 'nada' }),
  noFile: sentence({
    en: 'there is no file {path}',
    fr: 'il n’y a pas de fichier {path}',
    es: 'no hay ningún archivo {path}',
  }),
};

export const PREVIEW_TABLE = {
  field: sentence({ en: 'field', fr: 'champ', es: 'campo' }),
  value: sentence({ en: 'value', fr: 'valeur', es: 'valor' }),
  from: sentence({ en: 'from', fr: 'source', es: 'origen' }),
  mapping: sentence({ en: 'mapping', fr: 'correspondance', es: 'correspondencias' }),
  feeds: sentence({ en: 'feeds', fr: 'alimente', es: 'alimenta' }),
};

export const PREVIEW_SUMMARY = {
  fault: sentence({ en: 'fault', fr: 'erreur', es: 'error' }),
  documents: sentence({ en: 'documents', fr: 'documents', es: 'documentos' }),
  first: sentence({ en: 'the first one', fr: 'la première', es: 'el primero' }),
};

export const CELLS_CUT = {
  one: sentence({
    en: '{count} cell shortened to the width; whole: --format json',
    fr: '{count} cellule abrégée à la largeur ; en entier : --format json',
    es: '{count} celda acortada al ancho; completa: --format json',
  }),
  many: sentence({
    en: '{count} cells shortened to the width; whole: --format json',
    fr: '{count} cellules abrégées à la largeur ; en entier : --format json',
    es: '{count} celdas acortadas al ancho; completas: --format json',
  }),
};

/** What a mapping of today makes of a document that the ledger has. */
export const AGAINST_LEDGER = {
  same: sentence({ en: 'the same', fr: 'identique', es: 'igual' }),
  changed: sentence({ en: 'changed', fr: 'modifié', es: 'cambiado' }),
  new: sentence({ en: 'not in the ledger', fr: 'absent du registre (ledger)', es: 'no está en el registro (ledger)' }),
  'now-refused': sentence({
    en: 'refused now, it was made then',
    fr: 'refusé maintenant, accepté alors',
    es: 'rechazado ahora, aceptado entonces',
  }),
  'now-valid': sentence({
    en: 'made now, it was refused then',
    fr: 'accepté maintenant, refusé alors',
    es: 'aceptado ahora, rechazado entonces',
  }),
  'still-refused': sentence({
    en: 'refused, as it was then',
    fr: 'refusé, comme alors',
    es: 'rechazado, como entonces',
  }),
};

/** The same, counted. */
export const COUNTED_AGAINST_LEDGER = {
  same: {
    one: sentence({ en: '{count} the same', fr: '{count} identique', es: '{count} igual' }),
    many: sentence({ en: '{count} the same', fr: '{count} identiques', es: '{count} iguales' }),
  },
  changed: {
    one: sentence({ en: '{count} changed', fr: '{count} modifié', es: '{count} cambiado' }),
    many: sentence({ en: '{count} changed', fr: '{count} modifiés', es: '{count} cambiados' }),
  },
  new: {
    one: sentence({
      en: '{count} not in the ledger',
      fr: '{count} absent du registre (ledger)',
      es: '{count} que no está en el registro (ledger)',
    }),
    many: sentence({
      en: '{count} not in the ledger',
      fr: '{count} absents du registre (ledger)',
      es: '{count} que no están en el registro (ledger)',
    }),
  },
  'now-refused': {
    one: sentence({
      en: '{count} refused now, it was made then',
      fr: '{count} refusé maintenant et accepté alors',
      es: '{count} rechazado ahora y aceptado entonces',
    }),
    many: sentence({
      en: '{count} refused now, they were made then',
      fr: '{count} refusés maintenant et acceptés alors',
      es: '{count} rechazados ahora y aceptados entonces',
    }),
  },
  'now-valid': {
    one: sentence({
      en: '{count} made now, it was refused then',
      fr: '{count} accepté maintenant et refusé alors',
      es: '{count} aceptado ahora y rechazado entonces',
    }),
    many: sentence({
      en: '{count} made now, they were refused then',
      fr: '{count} acceptés maintenant et refusés alors',
      es: '{count} aceptados ahora y rechazados entonces',
    }),
  },
  'still-refused': {
    one: sentence({
      en: '{count} refused as it was then',
      fr: '{count} refusé comme alors',
      es: '{count} rechazado como entonces',
    }),
    many: sentence({
      en: '{count} refused as they were then',
      fr: '{count} refusés comme alors',
      es: '{count} rechazados como entonces',
    }),
  },
};

export const DIFFERENCES = {
  summary: sentence({
    en: 'Against the ledger: {counts}.',
    fr: 'Par rapport au registre (ledger) : {counts}.',
    es: 'Respecto al registro (ledger): {counts}.',
  }),
  none: sentence({
    en: 'No such document in this file.',
    fr: 'Pas de tel document dans ce fichier.',
    es: 'No hay tal documento en este archivo.',
  }),
  recorded: sentence({
    en: '{state}, by {mapping}',
    fr: '{state}, par {mapping}',
    es: '{state}, por {mapping}',
  }),
  noMapping: sentence({
    en: 'no mapping',
    fr: 'aucun fichier de correspondance',
    es: 'ningún archivo de correspondencias',
  }),
};

/** What another version of a mapping makes of a document. */
export const BETWEEN_VERSIONS = {
  same: sentence({ en: 'the same', fr: 'identique', es: 'igual' }),
  changed: sentence({ en: 'changed', fr: 'modifié', es: 'cambiado' }),
  added: sentence({ en: 'added', fr: 'ajouté', es: 'añadido' }),
  removed: sentence({ en: 'no longer made', fr: 'n’est plus produit', es: 'ya no se produce' }),
  refused: sentence({
    en: 'refused by the new version',
    fr: 'refusé par la nouvelle version',
    es: 'rechazado por la versión nueva',
  }),
  mended: sentence({
    en: 'refused by the old version only',
    fr: 'refusé par l’ancienne version seulement',
    es: 'rechazado solo por la versión antigua',
  }),
};

/** The same, counted. */
export const COUNTED_BETWEEN_VERSIONS = {
  same: COUNTED_AGAINST_LEDGER.same,
  changed: COUNTED_AGAINST_LEDGER.changed,
  added: {
    one: sentence({ en: '{count} added', fr: '{count} ajouté', es: '{count} añadido' }),
    many: sentence({ en: '{count} added', fr: '{count} ajoutés', es: '{count} añadidos' }),
  },
  removed: {
    one: sentence({ en: '{count} no longer made', fr: '{count} n’est plus produit', es: '{count} ya no se produce' }),
    many: sentence({
      en: '{count} no longer made',
      fr: '{count} ne sont plus produits',
      es: '{count} ya no se producen',
    }),
  },
  refused: {
    one: sentence({
      en: '{count} refused by the new version',
      fr: '{count} refusé par la nouvelle version',
      es: '{count} rechazado por la versión nueva',
    }),
    many: sentence({
      en: '{count} refused by the new version',
      fr: '{count} refusés par la nouvelle version',
      es: '{count} rechazados por la versión nueva',
    }),
  },
  mended: {
    one: sentence({
      en: '{count} refused by the old version only',
      fr: '{count} refusé par l’ancienne version seulement',
      es: '{count} rechazado solo por la versión antigua',
    }),
    many: sentence({
      en: '{count} refused by the old version only',
      fr: '{count} refusés par l’ancienne version seulement',
      es: '{count} rechazados solo por la versión antigua',
    }),
  },
};

export const DIFF = {
  head: sentence({
    en: '{files}; documents: {counts}',
    fr: '{files} ; documents : {counts}',
    es: '{files}; documentos: {counts}',
  }),
  none: sentence({ en: 'none', fr: 'aucun', es: 'ninguno' }),
  readNow: sentence({ en: 'read now', fr: 'lu maintenant', es: 'se lee ahora' }),
  refusedNow: sentence({ en: 'refused now', fr: 'refusé maintenant', es: 'rechazado ahora' }),
  refused: sentence({ en: 'refused', fr: 'refusé', es: 'rechazado' }),
  was: sentence({ en: 'was {number}', fr: 'était {number}', es: 'era {number}' }),
};

export const DIFF_TABLE = {
  documents: sentence({ en: 'documents', fr: 'documents', es: 'documentos' }),
  field: sentence({ en: 'field', fr: 'champ', es: 'campo' }),
  example: sentence({ en: 'for example', fr: 'par exemple', es: 'por ejemplo' }),
  fault: sentence({ en: 'fault', fr: 'erreur', es: 'error' }),
  appears: sentence({ en: 'appears', fr: 'apparaît', es: 'aparece' }),
  disappears: sentence({ en: 'disappears', fr: 'disparaît', es: 'desaparece' }),
};

export const DIFF_COUNT = {
  files: {
    one: sentence({ en: '{count} file', fr: '{count} fichier', es: '{count} archivo' }),
    many: sentence({ en: '{count} files', fr: '{count} fichiers', es: '{count} archivos' }),
  },
  onlyNew: {
    one: sentence({
      en: '{count} file is read by the new version only',
      fr: '{count} fichier n’est lu que par la nouvelle version',
      es: '{count} archivo solo lo lee la versión nueva',
    }),
    many: sentence({
      en: '{count} files are read by the new version only',
      fr: '{count} fichiers ne sont lus que par la nouvelle version',
      es: '{count} archivos solo los lee la versión nueva',
    }),
  },
  refusedByNew: {
    one: sentence({
      en: '{count} file is refused by the new version only',
      fr: '{count} fichier n’est refusé que par la nouvelle version',
      es: '{count} archivo solo lo rechaza la versión nueva',
    }),
    many: sentence({
      en: '{count} files are refused by the new version only',
      fr: '{count} fichiers ne sont refusés que par la nouvelle version',
      es: '{count} archivos solo los rechaza la versión nueva',
    }),
  },
  refusedByBoth: {
    one: sentence({
      en: '{count} file is refused by both',
      fr: '{count} fichier est refusé par les deux',
      es: '{count} archivo lo rechazan las dos',
    }),
    many: sentence({
      en: '{count} files are refused by both',
      fr: '{count} fichiers sont refusés par les deux',
      es: '{count} archivos los rechazan las dos',
    }),
  },
};
