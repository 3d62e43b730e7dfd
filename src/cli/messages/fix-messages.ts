/** What `fix` says: which cells it reads otherwise, and why it does not. */
import { sentence } from '../../i18n/message.ts';

export const FIX = {
  cell: sentence({
    en: '{number}: row {row}, {column}: "{from}" -> "{to}"',
    fr: '{number} : ligne {row}, {column}, « {from} » -> « {to} »',
    es: '{number}: fila {row}, {column}, «{from}» -> «{to}»',
  }),
  rowUnreadable: sentence({
    en: 'a row of {document} could not be read, its cells cannot be told apart',
    fr: 'une ligne de {document} n’a pu être lue, ses cellules ne se laissent pas distinguer',
    es: 'una fila de {document} no se pudo leer, sus celdas no se pueden distinguir',
  }),
  correctInErp: sentence({
    en: 'nothing was changed; correct the row in the ERP and export again',
    fr: 'rien n’a été modifié ; corrigez la ligne dans l’ERP et refaites l’export',
    es: 'no se cambió nada; corrija la fila en el ERP y exporte de nuevo',
  }),
  besideBroken: sentence({
    en: 'no cell of {document} gets it out of what is wrong beside it',
    fr: 'aucune cellule de {document} ne remédie à ce qui ne va pas à côté de lui',
    es: 'ninguna celda de {document} remedia lo que está mal a su lado',
  }),
  correctBeside: sentence({
    en: 'nothing was changed; correct that row in the ERP and export again; where the mapping has been mended: nightpost reprocess {document}',
    fr: 'rien n’a été modifié ; corrigez cette ligne dans l’ERP et refaites l’export ; si le fichier de correspondance a été corrigé : nightpost reprocess {document}',
    es: 'no se cambió nada; corrija esa fila en el ERP y exporte de nuevo; si se corrigió el archivo de correspondencias: nightpost reprocess {document}',
  }),
  nothingGiven: sentence({
    en: 'nothing says which cell to correct',
    fr: 'rien ne dit quelle cellule corriger',
    es: 'nada dice qué celda corregir',
  }),
  giveCell: sentence({
    en: 'write COLUMN=VALUE behind the document, or --suggested for what its faults suggest',
    fr: 'écrivez COLONNE=VALEUR après le document, ou --suggested pour ce que proposent ses erreurs',
    es: 'escriba COLUMNA=VALOR después del documento, o --suggested para lo que proponen sus errores',
  }),
  nothingChanges: sentence({
    en: 'the cells of {document} read like this already',
    fr: 'les cellules de {document} contiennent déjà ces valeurs',
    es: 'las celdas de {document} ya contienen esos valores',
  }),
  readAgain: sentence({
    en: 'nothing was changed; to read it again with the mapping of today: nightpost reprocess {document}',
    fr: 'rien n’a été modifié ; pour le relire avec le fichier de correspondance d’aujourd’hui : nightpost reprocess {document}',
    es: 'no se cambió nada; para leerlo de nuevo con el archivo de correspondencias de hoy: nightpost reprocess {document}',
  }),
  notACell: sentence({
    en: '"{text}" is not COLUMN=VALUE',
    fr: '« {text} » n’est pas de la forme COLONNE=VALEUR',
    es: '«{text}» no tiene la forma COLUMNA=VALOR',
  }),
  writeCell: sentence({
    en: 'write the column, = and the new value, in quotes where there are blanks: fix F26-101 "Client=Dupont SA"',
    fr: 'écrivez la colonne, = et la nouvelle valeur, entre guillemets droits s’il y a des espaces : fix F26-101 "Client=Dupont SA"',
    es: 'escriba la columna, = y el valor nuevo, entre comillas rectas si hay espacios: fix F26-101 "Client=Dupont SA"',
  }),
  severalValues: sentence({
    en: '{column} differs between the rows of {document} ({each})',
    fr: '{column} n’est pas identique sur toutes les lignes de {document} ({each})',
    es: '{column} no es igual en todas las filas de {document} ({each})',
  }),
  valueOfRow: sentence({
    en: 'row {row}: "{from}"',
    fr: 'ligne {row} : « {from} »',
    es: 'fila {row}: «{from}»',
  }),
  sayRow: sentence({
    en: 'nothing was changed; say which row: {cell}',
    fr: 'rien n’a été modifié ; dites quelle ligne : {cell}',
    es: 'no se cambió nada; diga qué fila: {cell}',
  }),
  nothingSuggested: sentence({
    en: 'no fault of {document} suggests the value of a cell',
    fr: 'aucune erreur de {document} ne propose de valeur pour une cellule',
    es: 'ningún error de {document} propone un valor para una celda',
  }),
  nameCell: sentence({
    en: 'nothing was changed; name the cell yourself: COLUMN=VALUE',
    fr: 'rien n’a été modifié ; désignez vous-même la cellule : COLONNE=VALEUR',
    es: 'no se cambió nada; nombre usted la celda: COLUMNA=VALOR',
  }),
  noSuchRow: sentence({
    en: 'row {row} is none of {document}',
    fr: 'la ligne {row} n’appartient pas à {document}',
    es: 'la fila {row} no es de {document}',
  }),
  itsRows: sentence({
    en: 'nothing was changed; its rows: {rows}',
    fr: 'rien n’a été modifié ; ses lignes : {rows}',
    es: 'no se cambió nada; sus filas: {rows}',
  }),
  noSuchColumn: sentence({
    en: 'the export has no column "{column}"',
    fr: 'l’export n’a pas de colonne « {column} »',
    es: 'la exportación no tiene la columna «{column}»',
  }),
  itsColumns: sentence({
    en: 'nothing was changed; its columns: {columns}',
    fr: 'rien n’a été modifié ; ses colonnes : {columns}',
    es: 'no se cambió nada; sus columnas: {columns}',
  }),
  didYouMean: sentence({
    en: 'nothing was changed; did you mean {near}?',
    fr: 'rien n’a été modifié ; vouliez-vous dire {near} ?',
    es: 'no se cambió nada; ¿quiso decir {near}?',
  }),
};
