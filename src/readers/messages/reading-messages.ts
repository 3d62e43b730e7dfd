/** What is wrong with a file or its rows before any mapping looks at them. */
import { sentence } from '../../i18n/message.ts';

export const TEXT = {
  empty: sentence({ en: 'The file is empty', fr: 'Le fichier est vide', es: 'El archivo está vacío' }),
  runAgain: sentence({
    en: 'The export did not write anything: run it again',
    fr: 'L’export n’a rien écrit : relancez-le',
    es: 'La exportación no escribió nada: ejecútela de nuevo',
  }),
  otherKind: sentence({
    en: 'The file is {kind}, not text',
    fr: 'Le fichier est {kind}, pas du texte',
    es: 'El archivo es {kind}, no texto',
  }),
  workbook: sentence({
    en: 'an Excel workbook or another archive (zip)',
    fr: 'un classeur Excel ou une autre archive (zip)',
    es: 'un libro de Excel u otro archivo comprimido (zip)',
  }),
  oldWorkbook: sentence({
    en: 'an old Excel workbook',
    fr: 'un ancien classeur Excel',
    es: 'un libro de Excel antiguo',
  }),
  pdf: sentence({ en: 'a PDF', fr: 'un PDF', es: 'un PDF' }),
  packed: sentence({
    en: 'compressed (gzip)',
    fr: 'un fichier compressé (gzip)',
    es: 'un archivo comprimido (gzip)',
  }),
  image: sentence({ en: 'an image', fr: 'une image', es: 'una imagen' }),
  exportText: sentence({
    en: 'Export it as CSV or XML (of a workbook: save the sheet as CSV), unpack it first, or take it for what it is: no export',
    fr: 'Exportez-le en CSV ou en XML (un classeur : enregistrez la feuille en CSV), décompressez-le d’abord, ou prenez-le pour ce qu’il est : pas un export',
    es: 'Expórtelo en CSV o XML (un libro: guarde la hoja como CSV), descomprímalo primero, o tómelo por lo que es: ninguna exportación',
  }),
  notRows: sentence({
    en: 'The file is {kind}, not the rows that the mapping reads',
    fr: 'Le fichier est {kind}, pas les lignes que lit le fichier de correspondance',
    es: 'El archivo es {kind}, no las filas que lee el archivo de correspondencias',
  }),
  notXml: sentence({
    en: 'The file is {kind}, not the XML that the mapping reads',
    fr: 'Le fichier est {kind}, pas le XML que lit le fichier de correspondance',
    es: 'El archivo es {kind}, no el XML que lee el archivo de correspondencias',
  }),
  noMarkup: sentence({
    en: 'text without markup',
    fr: 'du texte sans balises',
    es: 'texto sin etiquetas',
  }),
  xml: sentence({ en: 'XML', fr: 'du XML', es: 'XML' }),
  json: sentence({ en: 'JSON', fr: 'du JSON', es: 'JSON' }),
  html: sentence({ en: 'a web page (HTML)', fr: 'une page web (HTML)', es: 'una página web (HTML)' }),
  mapIt: sentence({
    en: 'Write a mapping for it with {setting}, or have the ERP export what the mapping reads; `accepts: files` of the mapping says which files are its own',
    fr: 'Écrivez pour lui un fichier de correspondance avec {setting}, ou faites exporter ce que lit celui-ci ; `accepts: files` dit quels fichiers sont les siens',
    es: 'Escriba para él un archivo de correspondencias con {setting}, o haga exportar lo que lee este; `accepts: files` dice qué archivos son los suyos',
  }),
  exportRows: sentence({
    en: 'Export it as CSV or XML',
    fr: 'Exportez-le en CSV ou en XML',
    es: 'Expórtelo en CSV o XML',
  }),
  exportAgain: sentence({ en: 'Export it again', fr: 'Refaites l’export', es: 'Expórtelo de nuevo' }),
  noMark: sentence({
    en: 'The file is said to be UTF-16, but has no byte order mark that tells which kind',
    fr: 'Le fichier serait en UTF-16, mais n’a pas de marque d’ordre des octets qui dise lequel',
    es: 'El archivo estaría en UTF-16, pero no tiene una marca de orden de bytes que diga cuál',
  }),
  whichUtf16: sentence({
    en: 'Write `encoding: utf-16le` (usual on Windows) or `encoding: utf-16be`',
    fr: 'Écrivez `encoding: utf-16le` (habituel sous Windows) ou `encoding: utf-16be`',
    es: 'Escriba `encoding: utf-16le` (habitual en Windows) o `encoding: utf-16be`',
  }),
  nameIt: sentence({
    en: 'Name its encoding in the mapping, for example {setting}',
    fr: 'Indiquez son encodage dans le fichier de correspondance, par exemple {setting}',
    es: 'Indique su codificación en el archivo de correspondencias, por ejemplo {setting}',
  }),
  checkEncoding: sentence({
    en: 'The file is read as {encoding}: check that it is, or export it again',
    fr: 'Le fichier est lu en {encoding} : vérifiez que c’est le bon encodage, ou refaites l’export',
    es: 'El archivo se lee como {encoding}: compruebe que lo es, o expórtelo de nuevo',
  }),
  isUtf8: sentence({
    en: 'The file is read as {encoding} but written in UTF-8: "{word}" would become "{garbled}"',
    fr: 'Le fichier est lu en {encoding} mais écrit en UTF-8 : « {word} » deviendrait « {garbled} »',
    es: 'El archivo se lee como {encoding} pero está escrito en UTF-8: «{word}» se convertiría en «{garbled}»',
  }),
  writeUtf8: sentence({
    en: 'Write `encoding: utf-8` in the mapping, or export the file in {encoding}',
    fr: 'Écrivez `encoding: utf-8` dans le fichier de correspondance, ou exportez le fichier en {encoding}',
    es: 'Escriba `encoding: utf-8` en el archivo de correspondencias, o exporte el archivo en {encoding}',
  }),
  mostlyUtf8: sentence({
    en: 'The file is read as {encoding} but written mostly in UTF-8: "{word}" would become "{garbled}"; on line {line} stands a character that is no UTF-8',
    fr: 'Le fichier est lu en {encoding} mais écrit en grande partie en UTF-8 : « {word} » deviendrait « {garbled} » ; à la ligne {line} se trouve un caractère qui n’est pas en UTF-8',
    es: 'El archivo se lee como {encoding} pero está escrito en su mayor parte en UTF-8: «{word}» se convertiría en «{garbled}»; en la línea {line} hay un carácter que no está en UTF-8',
  }),
  mixed: sentence({
    en: 'Parts of the file are written in UTF-8, others in {encoding}: "{word}" on line {line} would become "{garbled}", and line {stray} is no UTF-8',
    fr: 'Des parties du fichier sont écrites en UTF-8, d’autres en {encoding} : « {word} » à la ligne {line} deviendrait « {garbled} », et la ligne {stray} n’est pas en UTF-8',
    es: 'Partes del archivo están escritas en UTF-8, otras en {encoding}: «{word}» en la línea {line} se convertiría en «{garbled}», y la línea {stray} no está en UTF-8',
  }),
  exportInOne: sentence({
    en: 'Two exports may have been joined into this file: export each again in one encoding. Where the ERP itself holds such letters, correct them there',
    fr: 'Deux exports ont peut-être été réunis dans ce fichier : refaites chaque export dans un seul encodage. Si l’ERP lui-même contient de telles lettres, corrigez-les là-bas',
    es: 'Quizá se unieron dos exportaciones en este archivo: exporte cada una de nuevo en una sola codificación. Si el propio ERP contiene tales letras, corríjalas allí',
  }),
  oneEncoding: sentence({
    en: 'Correct line {line} in the ERP, export again in one encoding, and name it in the mapping: `encoding: utf-8`',
    fr: 'Corrigez la ligne {line} dans l’ERP, exportez de nouveau dans un seul encodage et indiquez-le dans le fichier de correspondance : `encoding: utf-8`',
    es: 'Corrija la línea {line} en el ERP, exporte de nuevo en una sola codificación e indíquela en el archivo de correspondencias: `encoding: utf-8`',
  }),
  nul: sentence({
    en: 'A NUL character stands on line {line}',
    fr: 'La ligne {line} contient un caractère NUL',
    es: 'La línea {line} contiene un carácter NUL',
  }),
  noNul: sentence({
    en: 'No text file holds one. A file in UTF-16 read as something else looks like this: set `encoding: utf-16le`; otherwise the file was damaged, export it again',
    fr: 'Aucun fichier texte n’en contient. Un fichier en UTF-16 lu autrement a cet aspect : réglez `encoding: utf-16le` ; sinon le fichier a été abîmé, refaites l’export',
    es: 'Ningún archivo de texto lo contiene. Un archivo en UTF-16 leído de otro modo se ve así: ponga `encoding: utf-16le`; si no, el archivo se dañó, expórtelo de nuevo',
  }),
  undecodable: sentence({
    en: 'Byte {bytes} at offset {offset} (line {line}) is not {encoding}',
    fr: 'L’octet {bytes} à la position {offset} (ligne {line}) n’existe pas en {encoding}',
    es: 'El byte {bytes} en la posición {offset} (línea {line}) no existe en {encoding}',
  }),
  lastCut: sentence({
    en: 'The last character is cut: at offset {offset} (line {line}) is not {encoding}',
    fr: 'Le dernier caractère est tronqué : la position {offset} (ligne {line}) n’est pas en {encoding}',
    es: 'El último carácter está cortado: la posición {offset} (línea {line}) no es {encoding}',
  }),
  inPage: sentence({
    en: '{hint}; in windows-1252 this byte is "{character}"',
    fr: '{hint} ; en windows-1252, cet octet est « {character} »',
    es: '{hint}; en windows-1252 este byte es «{character}»',
  }),
};

export const CSV = {
  wrongDelimiter: sentence({
    en: 'Row {row} has no {delimiter}, but {other}: the file uses another delimiter',
    fr: 'La ligne {row} n’a pas de {delimiter}, mais {other} : le fichier utilise un autre séparateur',
    es: 'La fila {row} no tiene {delimiter}, sino {other}: el archivo usa otro separador',
  }),
  tab: sentence({ en: 'tab', fr: 'tabulation', es: 'tabulación' }),
  writeDelimiter: sentence({
    en: 'Write {setting} in the mapping, or export with {delimiter}',
    fr: 'Écrivez {setting} dans le fichier de correspondance, ou exportez avec {delimiter}',
    es: 'Escriba {setting} en el archivo de correspondencias, o exporte con {delimiter}',
  }),
  noColumn: sentence({
    en: 'The file has no column {which}; it has {names}',
    fr: 'Le fichier n’a pas de colonne {which} ; il a {names}',
    es: 'El archivo no tiene la columna {which}; tiene {names}',
  }),
  numbered: sentence({ en: 'number {column}', fr: 'numéro {column}', es: 'número {column}' }),
  correctColumn: sentence({
    en: 'Correct the name under fill-down or leave-out in the mapping, or export the file with this column',
    fr: 'Corrigez le nom sous fill-down ou leave-out dans le fichier de correspondance, ou exportez le fichier avec cette colonne',
    es: 'Corrija el nombre en fill-down o leave-out del archivo de correspondencias, o exporte el archivo con esa columna',
  }),
  duplicate: sentence({
    en: 'Two columns are named "{name}": column {first} and column {second}',
    fr: 'Deux colonnes s’appellent « {name} » : la colonne {first} et la colonne {second}',
    es: 'Dos columnas se llaman «{name}»: la columna {first} y la columna {second}',
  }),
  renameColumn: sentence({
    en: 'Rename one of them in the export; or leave the header out with skip-rows and give column-names',
    fr: 'Renommez l’une d’elles dans l’export ; ou écartez l’en-tête avec skip-rows et donnez column-names',
    es: 'Cambie el nombre de una de ellas en la exportación; o excluya el encabezado con skip-rows y dé column-names',
  }),
  nothingAbove: sentence({
    en: 'Cell "{column}" is empty and no readable row above has a value for it',
    fr: 'La cellule « {column} » est vide et aucune ligne lisible au-dessus n’a de valeur pour elle',
    es: 'La celda «{column}» está vacía y ninguna fila legible anterior tiene un valor para ella',
  }),
  fillCell: sentence({
    en: 'Fill in the cell, or correct the row above; if the column may be empty, take it out of fill-down',
    fr: 'Remplissez la cellule, ou corrigez la ligne au-dessus ; si la colonne peut être vide, retirez-la de fill-down',
    es: 'Complete la celda, o corrija la fila anterior; si la columna puede estar vacía, quítela de fill-down',
  }),
  ragged: sentence({
    en: 'The row has {cells} where {width} are expected',
    fr: 'La ligne a {cells} au lieu de {width}',
    es: 'La fila tiene {cells} en lugar de {width}',
  }),
  oneCell: sentence({ en: '1 cell', fr: '1 cellule', es: '1 celda' }),
  cells: sentence({ en: '{count} cells', fr: '{count} cellules', es: '{count} celdas' }),
  quoteDelimiter: sentence({
    en: 'A value probably holds the delimiter {delimiter} without quotes around it: quote it',
    fr: 'Une valeur contient sans doute le séparateur {delimiter} sans guillemets autour : mettez-la entre guillemets',
    es: 'Un valor contiene probablemente el separador {delimiter} sin comillas: póngalo entre comillas',
  }),
  quoteComma: sentence({
    en: 'A value probably holds the delimiter {delimiter} or a decimal comma without quotes around it: quote it',
    fr: 'Une valeur contient sans doute le séparateur {delimiter} ou une virgule décimale sans guillemets autour : mettez-la entre guillemets',
    es: 'Un valor contiene probablemente el separador {delimiter} o una coma decimal sin comillas: póngalo entre comillas',
  }),
  cutInTwo: sentence({
    en: 'A line end inside a value without quotes cuts a row in two; or the row is a total: leave it out by a rule',
    fr: 'Un saut de ligne dans une valeur sans guillemets coupe une ligne en deux ; ou la ligne est un total : écartez-la par une règle',
    es: 'Un salto de línea en un valor sin comillas parte una fila en dos; o la fila es un total: exclúyala con una regla',
  }),
  quoteOpen: sentence({
    en: 'A quote opens in row {row} and is never closed',
    fr: 'Un guillemet s’ouvre à la ligne {row} et n’est jamais fermé',
    es: 'En la fila {row} se abren unas comillas que no se cierran',
  }),
  closeQuote: sentence({
    en: 'Close the quote, or export again: the file may be cut. If cells are never quoted, set `quote: none`',
    fr: 'Fermez le guillemet, ou refaites l’export : le fichier est peut-être tronqué. Si les cellules n’ont jamais de guillemets, réglez `quote: none`',
    es: 'Cierre las comillas, o exporte de nuevo: el archivo puede estar cortado. Si las celdas nunca llevan comillas, ponga `quote: none`',
  }),
  textAfterQuote: sentence({
    en: 'In row {row} a quoted cell is followed by more text',
    fr: 'À la ligne {row}, une cellule entre guillemets est suivie d’autre texte',
    es: 'En la fila {row}, una celda entre comillas va seguida de más texto',
  }),
  doubleQuote: sentence({
    en: 'A quote inside a quoted cell is written twice (""); an earlier quote may also be left open in this row',
    fr: 'Un guillemet dans une cellule entre guillemets s’écrit deux fois ("") ; un guillemet précédent est peut-être resté ouvert dans cette ligne',
    es: 'Unas comillas dentro de una celda entre comillas se escriben dos veces (""); también puede haber quedado abierta una comilla anterior de esta fila',
  }),
  quoteInside: sentence({
    en: 'In row {row} a quote stands inside a cell that is not quoted',
    fr: 'À la ligne {row}, un guillemet se trouve dans une cellule sans guillemets',
    es: 'En la fila {row} hay unas comillas dentro de una celda sin comillas',
  }),
  quoteCell: sentence({
    en: 'Quote the whole cell and write the quote inside twice (""); if cells are never quoted, set `quote: none`',
    fr: 'Mettez toute la cellule entre guillemets et doublez le guillemet intérieur ("") ; si les cellules n’ont jamais de guillemets, réglez `quote: none`',
    es: 'Ponga toda la celda entre comillas y escriba dos veces las interiores (""); si las celdas nunca llevan comillas, ponga `quote: none`',
  }),
  tooLong: sentence({
    en: 'Row {row} is longer than 1 MiB',
    fr: 'La ligne {row} dépasse 1 Mio',
    es: 'La fila {row} supera 1 MiB',
  }),
  lookAtRow: sentence({
    en: 'A quote that is never closed, or a file of another kind: look at this row in an editor',
    fr: 'Un guillemet jamais fermé, ou un fichier d’un autre type : regardez cette ligne dans un éditeur',
    es: 'Unas comillas que no se cierran, o un archivo de otro tipo: mire esta fila en un editor',
  }),
  noLineEnd: sentence({
    en: 'The last row has no line end: the file may have been cut',
    fr: 'La dernière ligne n’a pas de fin de ligne : le fichier est peut-être tronqué',
    es: 'La última fila no tiene fin de línea: el archivo puede estar cortado',
  }),
  finish: sentence({
    en: 'Finish the export; if the ERP never writes the last line end, set `final-line-end: optional`',
    fr: 'Terminez l’export ; si l’ERP n’écrit jamais la dernière fin de ligne, réglez `final-line-end: optional`',
    es: 'Termine la exportación; si el ERP nunca escribe el último fin de línea, ponga `final-line-end: optional`',
  }),
  noHeader: sentence({
    en: 'The file ends before row {row}, where {delimiter} should separate the column names',
    fr: 'Le fichier s’arrête avant la ligne {row}, où {delimiter} devrait séparer les noms des colonnes',
    es: 'El archivo termina antes de la fila {row}, donde {delimiter} debería separar los nombres de las columnas',
  }),
  correctHeader: sentence({
    en: 'Correct `header-row` in the mapping, or run the export again',
    fr: 'Corrigez `header-row` dans le fichier de correspondance, ou relancez l’export',
    es: 'Corrija `header-row` en el archivo de correspondencias, o ejecute de nuevo la exportación',
  }),
};

export const RECORDS = {
  or: sentence({ en: '{one} or {other}', fr: '{one} ou {other}', es: '{one} o {other}' }),
  noLines: sentence({
    en: 'The header record has no lines under it',
    fr: 'L’enregistrement d’en-tête n’est suivi d’aucune ligne',
    es: 'El registro de cabecera no tiene líneas debajo',
  }),
  withLines: sentence({
    en: 'Export it again with its lines; if documents without lines are right, set `lines-optional: true`',
    fr: 'Exportez-le de nouveau avec ses lignes ; si des documents sans lignes sont normaux, réglez `lines-optional: true`',
    es: 'Expórtelo de nuevo con sus líneas; si es correcto que haya documentos sin líneas, ponga `lines-optional: true`',
  }),
  noHeader: sentence({
    en: 'Record "{type}" stands before any record {header} it could belong to',
    fr: 'L’enregistrement « {type} » précède tout enregistrement {header} auquel il pourrait appartenir',
    es: 'El registro «{type}» está antes de todo registro {header} al que pudiera pertenecer',
  }),
  ownOrder: sentence({
    en: 'The export lost its header record, or is sorted: export it again in its own order',
    fr: 'L’export a perdu son enregistrement d’en-tête, ou a été trié : refaites-le dans son ordre d’origine',
    es: 'La exportación perdió su registro de cabecera, o está ordenada: expórtela de nuevo en su propio orden',
  }),
  unknown: sentence({
    en: '"{type}" is no record type of this mapping (known: {known})',
    fr: '« {type} » n’est pas un type d’enregistrement de ce fichier de correspondance (types connus : {known})',
    es: '«{type}» no es un tipo de registro de este archivo de correspondencias (tipos conocidos: {known})',
  }),
  tooLarge: sentence({
    en: 'The document has more than {records} records or {size} MiB of text, and its lists cannot be kept',
    fr: 'Le document compte plus de {records} enregistrements ou de {size} Mio de texte, et ses listes ne peuvent être conservées',
    es: 'El documento tiene más de {records} registros o de {size} MiB de texto, y sus listas no se pueden conservar',
  }),
  oneHeaderEach: sentence({
    en: 'Check that every document of the export begins with its header record',
    fr: 'Vérifiez que chaque document de l’export commence par son enregistrement d’en-tête',
    es: 'Compruebe que cada documento de la exportación empieza por su registro de cabecera',
  }),
  addType: sentence({
    en: 'Add it to record-types, or leave such records out by a leave-out rule',
    fr: 'Ajoutez-le à record-types, ou écartez ces enregistrements par une règle leave-out',
    es: 'Añádalo a record-types, o excluya esos registros con una regla leave-out',
  }),
  width: sentence({
    en: 'Record "{type}" has {cells} where {width} are expected',
    fr: 'L’enregistrement « {type} » a {cells} au lieu de {width}',
    es: 'El registro «{type}» tiene {cells} en lugar de {width}',
  }),
  tooWide: sentence({
    en: 'A value probably holds the delimiter without quotes around it; or the mapping lacks column names',
    fr: 'Une valeur contient sans doute le séparateur sans guillemets autour ; ou il manque des noms de colonnes au fichier de correspondance',
    es: 'Un valor contiene probablemente el separador sin comillas; o al archivo de correspondencias le faltan nombres de columnas',
  }),
  tooNarrow: sentence({
    en: 'A line end inside a value without quotes cuts a record in two; or the mapping names too many columns',
    fr: 'Un saut de ligne dans une valeur sans guillemets coupe un enregistrement en deux ; ou le fichier de correspondance nomme trop de colonnes',
    es: 'Un salto de línea en un valor sin comillas parte un registro en dos; o el archivo de correspondencias nombra demasiadas columnas',
  }),
};

export const WHOLE = {
  tooLarge: sentence({
    en: 'The file has more than {limit} bytes',
    fr: 'Le fichier a plus de {limit} octets',
    es: 'El archivo tiene más de {limit} bytes',
  }),
  makeSmaller: sentence({
    en: 'Make it smaller, or raise `max-bytes` in the mapping if the service takes it',
    fr: 'Réduisez-le, ou augmentez `max-bytes` dans le fichier de correspondance si le service l’accepte',
    es: 'Redúzcalo, o aumente `max-bytes` en el archivo de correspondencias si el servicio lo acepta',
  }),
};
