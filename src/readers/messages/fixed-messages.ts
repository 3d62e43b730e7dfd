/** What is wrong with a fixed-width file or its lines. */
import { sentence } from '../../i18n/message.ts';

export const FIXED = {
  length: sentence({
    en: 'The line has {found} characters where {expected} are expected',
    fr: 'La ligne a {found} caractères au lieu de {expected}',
    es: 'La línea tiene {found} caracteres en lugar de {expected}',
  }),
  accentsInTwo: sentence({
    en: 'The export counts bytes and writes accents in two: have it written in one byte each, for example windows-1252',
    fr: 'L’export compte les octets et écrit les accents sur deux : faites-le écrire sur un seul, par exemple en windows-1252',
    es: 'La exportación cuenta bytes y escribe los acentos en dos: haga que se escriban en uno, por ejemplo en windows-1252',
  }),
  short: sentence({
    en: 'A character is missing, so that columns have moved; if only blanks were cut off the end, set `trailing-blanks: cut`',
    fr: 'Il manque un caractère, et les colonnes se sont décalées ; si seuls des espaces finaux ont été coupés, réglez `trailing-blanks: cut`',
    es: 'Falta un carácter y las columnas se han desplazado; si solo se cortaron espacios finales, ponga `trailing-blanks: cut`',
  }),
  long: sentence({
    en: 'A character too many moves the columns; if lines may be longer, correct `line-length`',
    fr: 'Un caractère de trop décale les colonnes ; si les lignes peuvent être plus longues, corrigez `line-length`',
    es: 'Un carácter de más desplaza las columnas; si las líneas pueden ser más largas, corrija `line-length`',
  }),
  tab: sentence({
    en: 'A tab stands in the line, so that nobody can tell at which position its text is',
    fr: 'La ligne contient une tabulation : nul ne peut dire à quelle position se trouve son texte',
    es: 'La línea contiene una tabulación: nadie puede decir en qué posición está su texto',
  }),
  asWritten: sentence({
    en: 'An editor turned blanks into tabs: take the file as the export wrote it',
    fr: 'Un éditeur a changé des espaces en tabulations : reprenez le fichier tel que l’export l’a écrit',
    es: 'Un editor convirtió espacios en tabulaciones: tome el archivo tal como lo escribió la exportación',
  }),
  recordCut: sentence({
    en: 'The last record is shorter than the others: the file was cut, or `line-length` is another',
    fr: 'Le dernier enregistrement est plus court que les autres : le fichier est tronqué, ou `line-length` est différent',
    es: 'El último registro es más corto que los demás: el archivo está cortado, o `line-length` es otro',
  }),
  runAgain: sentence({
    en: 'Run the export again; if the file is whole, correct `line-length`',
    fr: 'Relancez l’export ; si le fichier est complet, corrigez `line-length`',
    es: 'Ejecute de nuevo la exportación; si el archivo está completo, corrija `line-length`',
  }),
  noLastEnd: sentence({
    en: 'The last line has no line end: the file may have been cut',
    fr: 'La dernière ligne n’a pas de fin de ligne : le fichier est peut-être tronqué',
    es: 'La última línea no tiene fin de línea: el archivo puede estar cortado',
  }),
  noLines: sentence({
    en: 'The file ends on line {row}, before any line that could hold data',
    fr: 'Le fichier s’arrête à la ligne {row}, avant toute ligne qui pourrait contenir des données',
    es: 'El archivo termina en la línea {row}, antes de toda línea que pudiera contener datos',
  }),
  correctSkip: sentence({
    en: 'Correct `skip-rows` in the mapping, or run the export again',
    fr: 'Corrigez `skip-rows` dans le fichier de correspondance, ou relancez l’export',
    es: 'Corrija `skip-rows` en el archivo de correspondencias, o ejecute de nuevo la exportación',
  }),
  noLineEnd: sentence({
    en: 'No line end follows within 1 MiB after line {row} begins',
    fr: 'Aucune fin de ligne dans le mégaoctet qui suit le début de la ligne {row}',
    es: 'No hay ningún fin de línea en 1 MiB desde el comienzo de la línea {row}',
  }),
  withoutEnds: sentence({
    en: 'Records that follow one another without line ends are read with `line-ends: none` and `line-length`',
    fr: 'Des enregistrements qui se suivent sans fin de ligne se lisent avec `line-ends: none` et `line-length`',
    es: 'Los registros que se suceden sin fin de línea se leen con `line-ends: none` y `line-length`',
  }),
  gaps: sentence({
    en: 'Text stands where no column is: {places}',
    fr: 'Il y a du texte là où il n’y a pas de colonne : {places}',
    es: 'Hay texto donde no hay columna: {places}',
  }),
  gap: sentence({
    en: '"{sample}" at {span} in line {row} ({beside})',
    fr: '« {sample} » en {span} à la ligne {row} ({beside})',
    es: '«{sample}» en {span} de la línea {row} ({beside})',
  }),
  position: sentence({ en: 'position {start}', fr: 'position {start}', es: 'posición {start}' }),
  positions: sentence({
    en: 'positions {start}-{end}',
    fr: 'positions {start}-{end}',
    es: 'posiciones {start}-{end}',
  }),
  before: sentence({ en: 'before {name}', fr: 'avant {name}', es: 'antes de {name}' }),
  between: sentence({
    en: 'between {before} and {name}',
    fr: 'entre {before} et {name}',
    es: 'entre {before} y {name}',
  }),
  after: sentence({ en: 'after {name}', fr: 'après {name}', es: 'después de {name}' }),
  marker: sentence({ en: 'the marker', fr: 'le marqueur', es: 'el marcador' }),
  correctPositions: sentence({
    en: 'A column may begin or end one off: correct its positions; text that is not needed takes a column of its own, which nothing uses',
    fr: 'Une colonne commence ou finit peut-être une position trop tôt ou trop tard : corrigez ses positions ; un texte inutile prend une colonne à lui, que rien n’utilise',
    es: 'Una columna puede empezar o terminar una posición antes o después: corrija sus posiciones; un texto innecesario toma una columna propia, que nada usa',
  }),
};
