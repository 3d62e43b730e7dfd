/** What is wrong with rows, with a document as a whole, and with the header of a file. */
import { sentence } from '../../i18n/message.ts';

export const ROWS = {
  blank: sentence({
    en: 'row {row} is empty but for its delimiters',
    fr: 'la ligne {row} ne contient que des séparateurs',
    es: 'la fila {row} solo contiene separadores',
  }),
  leaveBlankOut: sentence({
    en: 'leave such rows out: source: leave-out: {rule}',
    fr: 'écartez ces lignes : source: leave-out: {rule}',
    es: 'excluya esas filas: source: leave-out: {rule}',
  }),
  noKey: sentence({
    en: 'row {row} does not say which document it belongs to: its key cells are empty',
    fr: 'la ligne {row} n’indique pas à quel document elle appartient : ses cellules de clé sont vides',
    es: 'la fila {row} no indica a qué documento pertenece: sus celdas de clave están vacías',
  }),
  fillElementIn: sentence({
    en: 'fill them in; if the element is no document leave it out with keep, if its path is wrong correct it under source: columns',
    fr: 'remplissez-les ; si l’élément n’est pas un document, écartez-le avec keep ; si son chemin est faux, corrigez-le sous source: columns',
    es: 'complételas; si el elemento no es un documento, exclúyalo con keep; si su ruta es errónea, corríjala en source: columns',
  }),
  fillKeyIn: sentence({
    en: 'fill them in; if a CSV export writes them once per document use fill-down, if the row is no document leave it out with keep',
    fr: 'remplissez-les ; si un export CSV ne les écrit qu’une fois par document, utilisez fill-down ; si la ligne n’est pas un document, écartez-la avec keep',
    es: 'complételas; si una exportación CSV las escribe una vez por documento, use fill-down; si la fila no es un documento, exclúyala con keep',
  }),
  besideBroken: sentence({
    en: 'row {row} beside this document cannot be placed: it may be a line of it',
    fr: 'la ligne {row}, à côté de ce document, ne peut être attribuée : elle en fait peut-être partie',
    es: 'la fila {row}, junto a este documento, no se puede asignar: puede ser una línea suya',
  }),
  mayBelong: sentence({
    en: 'row {row} cannot be placed: it may be a line of this document',
    fr: 'la ligne {row} ne peut être attribuée à aucun document : elle fait peut-être partie de celui-ci',
    es: 'la fila {row} no se puede asignar a ningún documento: puede ser una línea de este',
  }),
  correctRowOfAny: sentence({
    en: 'correct row {row}; until then no document is sent that the row may belong to',
    fr: 'corrigez la ligne {row} ; d’ici là, aucun document auquel elle peut appartenir n’est envoyé',
    es: 'corrija la fila {row}; hasta entonces no se envía ningún documento al que pueda pertenecer',
  }),
  exportRowOfAny: sentence({
    en: 'correct row {row} in the ERP and export again; until then no document is sent that the row may belong to',
    fr: 'corrigez la ligne {row} dans l’ERP et refaites l’export ; d’ici là, aucun document auquel elle peut appartenir n’est envoyé',
    es: 'corrija la fila {row} en el ERP y exporte de nuevo; hasta entonces no se envía ningún documento al que pueda pertenecer',
  }),
  correctRow: sentence({
    en: 'correct row {row}; until then nothing is sent of the documents before and after it',
    fr: 'corrigez la ligne {row} ; d’ici là, rien n’est envoyé des documents qui la précèdent et la suivent',
    es: 'corrija la fila {row}; hasta entonces no se envía nada de los documentos anterior y posterior',
  }),
  exportRow: sentence({
    en: 'correct row {row} in the ERP and export again; until then nothing is sent of the documents before and after it',
    fr: 'corrigez la ligne {row} dans l’ERP et refaites l’export ; d’ici là, rien n’est envoyé des documents qui la précèdent et la suivent',
    es: 'corrija la fila {row} en el ERP y exporte de nuevo; hasta entonces no se envía nada de los documentos anterior y posterior',
  }),
  exportAgain: sentence({
    en: '{hint}; its cells cannot be corrected here: correct the row in the ERP and export again',
    fr: '{hint} ; ses cellules ne peuvent être corrigées ici : corrigez la ligne dans l’ERP et refaites l’export',
    es: '{hint}; sus celdas no se pueden corregir aquí: corrija la fila en el ERP y exporte de nuevo',
  }),
  totalsBeside: sentence({
    en: 'it looks like a totals row: leave it out with leave-out, or documents: keep',
    fr: 'elle ressemble à une ligne de totaux : écartez-la avec leave-out, ou documents: keep',
    es: 'parece una fila de totales: exclúyala con leave-out, o documents: keep',
  }),
  notTogether: sentence({
    en: 'the rows of "{key}" do not stand together: more of them come later in the file',
    fr: 'les lignes de « {key} » ne se suivent pas : d’autres viennent plus loin dans le fichier',
    es: 'las filas de «{key}» no están juntas: hay más adelante en el archivo',
  }),
  cameBack: sentence({
    en: '"{key}" began on row {row} and comes back here, after other documents',
    fr: '« {key} » commence à la ligne {row} et revient ici, après d’autres documents',
    es: '«{key}» empieza en la fila {row} y vuelve a aparecer aquí, después de otros documentos',
  }),
  sortExport: sentence({
    en: 'sort the export by document, or set documents: rows: anywhere',
    fr: 'triez l’export par document, ou réglez documents: rows: anywhere',
    es: 'ordene la exportación por documento, o ponga documents: rows: anywhere',
  }),
  tooManyAnywhere: sentence({
    en: 'rows: anywhere keeps the whole file in memory, and it has more than {most} rows or {mebi} MiB of text',
    fr: 'rows: anywhere garde tout le fichier en mémoire, et il a plus de {most} lignes ou de {mebi} Mio de texte',
    es: 'rows: anywhere guarda todo el archivo en memoria, y tiene más de {most} filas o de {mebi} MiB de texto',
  }),
  tooLarge: sentence({
    en: 'the document is too large: it has {count} rows; at most {most} rows and {mebi} MiB of text are allowed',
    fr: 'le document est trop volumineux : il a {count} lignes ; au plus {most} lignes et {mebi} Mio de texte sont admis',
    es: 'el documento es demasiado grande: tiene {count} filas; se admiten como máximo {most} filas y {mebi} MiB de texto',
  }),
  tooManyElements: sentence({
    en: 'the document is too large: it has {count} rows and {elements} elements; at most {most} rows, {most-elements} elements and {mebi} MiB of text are allowed',
    fr: 'le document est trop volumineux : il a {count} lignes et {elements} éléments ; au plus {most} lignes, {most-elements} éléments et {mebi} Mio de texte sont admis',
    es: 'el documento es demasiado grande: tiene {count} filas y {elements} elementos; se admiten como máximo {most} filas, {most-elements} elementos y {mebi} MiB de texto',
  }),
  sortOrSplit: sentence({
    en: 'sort the export by document and set documents: rows: adjacent, or split the file',
    fr: 'triez l’export par document et réglez documents: rows: adjacent, ou découpez le fichier',
    es: 'ordene la exportación por documento y ponga documents: rows: adjacent, o divida el archivo',
  }),
  keyOrSplit: sentence({
    en: 'check documents: one-per in the mapping; if the document is right, raise documents: max-rows or max-size in the settings',
    fr: 'vérifiez documents: one-per dans le fichier de correspondance ; si le document est juste, augmentez documents: max-rows ou max-size dans les réglages',
    es: 'compruebe documents: one-per en el archivo de correspondencias; si el documento es correcto, aumente documents: max-rows o max-size en los ajustes',
  }),
  totals: sentence({
    en: 'row {row} looks like a totals row ("{text}"), and no rule leaves it out',
    fr: 'la ligne {row} ressemble à une ligne de totaux (« {text} »), et aucune règle ne l’écarte',
    es: 'la fila {row} parece una fila de totales («{text}»), y ninguna regla la excluye',
  }),
  leaveTotalsOut: sentence({
    en: 'leave it out: source: leave-out: {rule}, or documents: keep',
    fr: 'écartez-la : source: leave-out: {rule}, ou documents: keep',
    es: 'exclúyala: source: leave-out: {rule}, o documents: keep',
  }),
  notTheSame: sentence({
    en: 'several values in one document ({one}, {other})',
    fr: 'plusieurs valeurs dans un même document ({one}, {other})',
    es: 'varios valores en un mismo documento ({one}, {other})',
  }),
  onRow: sentence({ en: '"{text}" on row {row}', fr: '« {text} » à la ligne {row}', es: '«{text}» en la fila {row}' }),
  identical: sentence({
    en: 'row {row} is the same as row {first} in every column',
    fr: 'la ligne {row} est identique à la ligne {first} dans toutes les colonnes',
    es: 'la fila {row} es idéntica a la fila {first} en todas las columnas',
  }),
  moreIdentical: sentence({
    en: '{message}; further rows like this: {count}',
    fr: '{message} ; lignes de plus dans ce cas : {count}',
    es: '{message}; otras filas así: {count}',
  }),
  whichIdentical: sentence({
    en: 'see in the ERP whether the line is there twice; where such lines are usual the mapping says so: documents: identical-rows: allowed (or error, to stop them)',
    fr: 'voyez dans l’ERP si la ligne s’y trouve deux fois ; si de telles lignes sont habituelles, le fichier de correspondance le dit : documents: identical-rows: allowed (ou error, pour les arrêter)',
    es: 'vea en el ERP si la línea está dos veces; si tales líneas son habituales, el archivo de correspondencias lo dice: documents: identical-rows: allowed (o error, para detenerlas)',
  }),
  andOneRow: sentence({
    en: '{message}; the same on row {row}',
    fr: '{message} ; de même à la ligne {row}',
    es: '{message}; lo mismo en la fila {row}',
  }),
  andMoreRows: sentence({
    en: '{message}; the same on {count} more rows',
    fr: '{message} ; de même sur {count} autres lignes',
    es: '{message}; lo mismo en {count} filas más',
  }),
  fillDown: sentence({
    en: 'if a CSV export writes this cell once per document, list the column under fill-down',
    fr: 'si un export CSV n’écrit cette cellule qu’une fois par document, ajoutez la colonne à fill-down',
    es: 'si una exportación CSV escribe esta celda una vez por documento, añada la columna a fill-down',
  }),
  cellOrEach: sentence({
    en: 'correct the cell, or use the column inside each: row',
    fr: 'corrigez la cellule, ou utilisez la colonne dans each: row',
    es: 'corrija la celda, o use la columna dentro de each: row',
  }),
  damagedList: sentence({
    en: 'the items of {list} cannot be read',
    fr: 'les éléments de {list} sont illisibles',
    es: 'no se pueden leer los elementos de {list}',
  }),
  writeList: sentence({
    en: 'a corrected list is written as it was found: {sample}',
    fr: 'une liste corrigée s’écrit comme elle a été trouvée : {sample}',
    es: 'una lista corregida se escribe como se encontró: {sample}',
  }),
};

export const DOCUMENT = {
  empty: sentence({
    en: 'every value of this document is empty',
    fr: 'toutes les valeurs de ce document sont vides',
    es: 'todos los valores de este documento están vacíos',
  }),
  fillIn: sentence({
    en: 'fill in its cells, or leave such rows out with keep',
    fr: 'remplissez ses cellules, ou écartez ces lignes avec keep',
    es: 'complete sus celdas, o excluya esas filas con keep',
  }),
  noClass: sentence({
    en: 'the document has no class',
    fr: 'le document n’a pas de classe',
    es: 'el documento no tiene clase',
  }),
  unknownClass: sentence({
    en: '"{name}" is no class of {kind}',
    fr: '« {name} » n’est pas une classe de {kind}',
    es: '«{name}» no es una clase de {kind}',
  }),
  classes: sentence({ en: 'classes: {classes}', fr: 'classes : {classes}', es: 'clases: {classes}' }),
  noIdentity: sentence({
    en: 'every value of never-twice is empty, so the document cannot be told from others',
    fr: 'toutes les valeurs de never-twice sont vides : rien ne distingue ce document des autres',
    es: 'todos los valores de never-twice están vacíos: nada distingue este documento de los demás',
  }),
  fillNumberIn: sentence({
    en: 'fill in its number',
    fr: 'renseignez son numéro',
    es: 'indique su número',
  }),
  /** The sentence of a check stays as the mapping has it. */
  check: sentence({ en: '{says}', fr: '{says}', es: '{says}' }),
  checkWith: sentence({ en: '{says} ({sides})', fr: '{says} ({sides})', es: '{says} ({sides})' }),
  cellIs: sentence({ en: '{name} is "{text}"', fr: '{name} vaut « {text} »', es: '{name} es «{text}»' }),
  valueIs: sentence({ en: '{name} is {text}', fr: '{name} vaut {text}', es: '{name} es {text}' }),
  valueEmpty: sentence({ en: '{name} is empty', fr: '{name} est vide', es: '{name} está vacío' }),
  inRow: sentence({ en: 'in row {row} {cells}', fr: 'à la ligne {row} : {cells}', es: 'en la fila {row}: {cells}' }),
  moreFaults: sentence({
    en: '{count} more faults in this document are not listed',
    fr: 'ce document a encore d’autres défauts ({count}), qui ne sont pas listés',
    es: 'este documento tiene más defectos ({count}), que no se muestran',
  }),
  correctFirst: sentence({
    en: 'correct the first ones; the others are told when the file is read again',
    fr: 'corrigez les premiers ; les autres seront signalés quand le fichier sera relu',
    es: 'corrija los primeros; los demás se indicarán cuando se vuelva a leer el archivo',
  }),
};

export const HEADER = {
  other: sentence({
    en: '{has} {there} of the {count} columns that the mapping uses; where the header should be stands: {shown}',
    fr: '{has} : {there} des {count} colonnes qu’utilise le fichier de correspondance ; à la place de l’en-tête se trouve {shown}',
    es: '{has}: {there} de las {count} columnas que usa el archivo de correspondencias; en el lugar del encabezado está {shown}',
  }),
  fileHas: sentence({ en: '{file} has', fr: '{file}', es: '{file}' }),
  filesHave: sentence({
    en: '{first} and {second} have',
    fr: '{first} et {second}',
    es: '{first} y {second}',
  }),
  none: sentence({ en: 'none', fr: 'aucune', es: 'ninguna' }),
  only: sentence({ en: 'only {count}', fr: 'seulement {count}', es: 'solo {count}' }),
  correctHeader: sentence({
    en: 'correct header-row (or skip-rows), give column-names if there is no header, or the file belongs to another mapping',
    fr: 'corrigez header-row (ou skip-rows), donnez column-names s’il n’y a pas d’en-tête, ou le fichier relève d’une autre correspondance',
    es: 'corrija header-row (o skip-rows), dé column-names si no hay encabezado, o el archivo es de otra correspondencia',
  }),
  elsewhere: sentence({
    en: 'Row {row} looks like the header: it has the names of the columns, and row {header} has not',
    fr: 'la ligne {row} ressemble à l’en-tête : elle porte les noms des colonnes, et la ligne {header} non',
    es: 'la fila {row} parece el encabezado: tiene los nombres de las columnas, y la fila {header} no',
  }),
  moveHeader: sentence({
    en: 'write header-row: {row} in the mapping, or have the export begin with its header in row {header}',
    fr: 'écrivez header-row: {row} dans le fichier de correspondance, ou faites commencer l’export par son en-tête à la ligne {header}',
    es: 'escriba header-row: {row} en el archivo de correspondencias, o haga que la exportación empiece con su encabezado en la fila {header}',
  }),
  noColumn: sentence({
    en: '{has} no column "{name}"',
    fr: 'la colonne « {name} » manque dans {has}',
    es: 'falta la columna «{name}» en {has}',
  }),
  columnTwice: sentence({
    en: '{file} has {times} columns named "{name}"',
    fr: '{file} a {times} colonnes nommées « {name} »',
    es: '{file} tiene {times} columnas llamadas «{name}»',
  }),
  rename: sentence({
    en: 'rename one of them in the export',
    fr: 'renommez l’une d’elles dans l’export',
    es: 'cambie el nombre de una de ellas en la exportación',
  }),
  empty: sentence({
    en: 'the file has no header',
    fr: 'le fichier n’a pas d’en-tête',
    es: 'el archivo no tiene encabezado',
  }),
  meant: sentence({
    en: 'did you mean "{near}"?',
    fr: 'vouliez-vous dire « {near} » ?',
    es: '¿quiso decir «{near}»?',
  }),
  its: sentence({ en: 'its columns: {names}', fr: 'ses colonnes : {names}', es: 'sus columnas: {names}' }),
};

export const CONTROLS = {
  documents: sentence({ en: 'documents', fr: 'nombre de documents', es: 'número de documentos' }),
  rows: sentence({ en: 'rows', fr: 'nombre de lignes', es: 'número de filas' }),
  sum: sentence({ en: 'sum of {name}', fr: 'somme de {name}', es: 'suma de {name}' }),
  missing: sentence({
    en: 'the file does not hold the control total "{says}" that the mapping expects',
    fr: 'le fichier ne contient pas le total de contrôle « {says} » attendu par le fichier de correspondance',
    es: 'el archivo no contiene el total de control «{says}» que espera el archivo de correspondencias',
  }),
  cut: sentence({
    en: 'the file may be cut: {held}; export it again, or correct controls in the mapping',
    fr: 'le fichier est peut-être tronqué : {held} ; refaites l’export, ou corrigez controls dans le fichier de correspondance',
    es: 'el archivo puede estar cortado: {held}; expórtelo de nuevo, o corrija controls en el archivo de correspondencias',
  }),
  held: sentence({
    en: 'nothing of this file is sent',
    fr: 'rien de ce fichier n’est envoyé',
    es: 'no se envía nada de este archivo',
  }),
  twice: sentence({
    en: 'the control total "{says}" is on row {row} and again on row {again}',
    fr: 'le total de contrôle « {says} » est à la ligne {row} et de nouveau à la ligne {again}',
    es: 'el total de control «{says}» está en la fila {row} y otra vez en la fila {again}',
  }),
  joined: sentence({
    en: 'two exports may have been joined: {held}; drop them one by one, or make where: in controls narrower',
    fr: 'deux exports ont peut-être été réunis : {held} ; déposez-les un par un, ou précisez where: dans controls',
    es: 'quizá se unieron dos exportaciones: {held}; deposítelas una por una, o precise where: en controls',
  }),
  notANumber: sentence({
    en: 'the control total "{says}" is "{text}", which is not a number',
    fr: 'le total de contrôle « {says} » est « {text} », ce qui n’est pas un nombre',
    es: 'el total de control «{says}» es «{text}», que no es un número',
  }),
  correctValue: sentence({
    en: '{held}; correct value: in controls, or how the mapping reads numbers',
    fr: '{held} ; corrigez value: dans controls, ou la lecture des nombres dans le fichier de correspondance',
    es: '{held}; corrija value: en controls, o la lectura de números en el archivo de correspondencias',
  }),
  notChecked: sentence({
    en: 'row {row} cannot be read, so "{says}" cannot be held against the {expected} on row {at}',
    fr: 'la ligne {row} est illisible : « {says} » ne peut être comparé à {expected}, donné à la ligne {at}',
    es: 'no se puede leer la fila {row}: «{says}» no se puede comparar con {expected}, dado en la fila {at}',
  }),
  untilRight: sentence({
    en: '{held} until row {row} is right: correct it and drop the file again',
    fr: '{held} tant que la ligne {row} n’est pas corrigée : corrigez-la et déposez de nouveau le fichier',
    es: '{held} hasta que la fila {row} esté bien: corríjala y deposite de nuevo el archivo',
  }),
  differs: sentence({
    en: 'row {row} says {says}: {expected}, but the file has {total}',
    fr: 'la ligne {row} indique {says} : {expected}, mais le fichier donne {total}',
    es: 'la fila {row} indica {says}: {expected}, pero el archivo da {total}',
  }),
  compare: sentence({
    en: '{held}: rows are missing or too many, or the export is wrong; compare with the ERP and export it again',
    fr: '{held} : des lignes manquent ou sont en trop, ou l’export est faux ; comparez avec l’ERP et refaites l’export',
    es: '{held}: faltan o sobran filas, o la exportación está mal; compare con el ERP y exporte de nuevo',
  }),
};

export const COMPANIONS = {
  notAllowed: sentence({
    en: '"{name}" is no name of a companion file (accepts.companions: {patterns})',
    fr: '« {name} » n’est pas un nom de fichier joint (accepts.companions : {patterns})',
    es: '«{name}» no es un nombre de archivo adjunto (accepts.companions: {patterns})',
  }),
  notPlain: sentence({
    en: '"{name}" is no plain file name, without folder',
    fr: '« {name} » n’est pas un simple nom de fichier, sans dossier',
    es: '«{name}» no es un simple nombre de archivo, sin carpeta',
  }),
  correctName: sentence({
    en: 'correct the cell; a path is cut down to its name with a formula',
    fr: 'corrigez la cellule ; une formule réduit un chemin au nom du fichier',
    es: 'corrija la celda; una fórmula reduce una ruta al nombre del archivo',
  }),
  missing: sentence({
    en: 'the file "{name}" does not lie beside the export',
    fr: 'le fichier « {name} » n’est pas à côté de l’export',
    es: 'el archivo «{name}» no está junto a la exportación',
  }),
  dropFirst: sentence({
    en: 'put it into the inbox first, then the export (or its to-fix file) again',
    fr: 'déposez-le d’abord dans la boîte de réception (inbox), puis de nouveau l’export (ou son fichier to-fix)',
    es: 'deposítelo primero en la bandeja de entrada (inbox), y después otra vez la exportación (o su archivo to-fix)',
  }),
};
