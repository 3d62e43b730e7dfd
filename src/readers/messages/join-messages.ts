/** What is wrong where two files are joined. */
import { sentence } from '../../i18n/message.ts';

export const JOIN = {
  noColumn: sentence({
    en: '{file} has no column "{name}", by which the two files are joined',
    fr: '{file} n’a pas la colonne « {name} », par laquelle les deux fichiers sont réunis',
    es: '{file} no tiene la columna «{name}», por la que se unen los dos archivos',
  }),
  correctKey: sentence({
    en: 'its columns: {names}; correct join: key in the mapping',
    fr: 'ses colonnes : {names} ; corrigez join: key dans le fichier de correspondance',
    es: 'sus columnas: {names}; corrija join: key en el archivo de correspondencias',
  }),
  nameTwice: sentence({
    en: '"{name}" would be the name of two columns of the joined files',
    fr: '« {name} » serait le nom de deux colonnes des fichiers réunis',
    es: '«{name}» sería el nombre de dos columnas de los archivos unidos',
  }),
  rename: sentence({
    en: 'rename one of them in the export',
    fr: 'renommez l’une d’elles dans l’export',
    es: 'cambie el nombre de una de ellas en la exportación',
  }),
  tooMany: sentence({
    en: 'the header file has more than {most} rows or 64 million characters, which are held in memory',
    fr: 'le fichier d’en-têtes a plus de {most} lignes ou de 64 millions de caractères, gardés en mémoire',
    es: 'el archivo de cabeceras tiene más de {most} filas o de 64 millones de caracteres, que se guardan en memoria',
  }),
  split: sentence({
    en: 'split the export, or have the ERP write header and lines into one file',
    fr: 'découpez l’export, ou faites écrire à l’ERP en-têtes et lignes dans un seul fichier',
    es: 'divida la exportación, o haga que el ERP escriba cabeceras y líneas en un solo archivo',
  }),
  noLines: sentence({
    en: 'no line in {lines} belongs to this header',
    fr: 'aucune ligne de {lines} n’appartient à cet en-tête',
    es: 'ninguna línea de {lines} pertenece a esta cabecera',
  }),
  bothOrNone: sentence({
    en: 'export both files again, together; if it has no lines in the ERP, it is no document',
    fr: 'exportez de nouveau les deux fichiers, ensemble ; s’il n’a pas de lignes dans l’ERP, ce n’est pas un document',
    es: 'exporte de nuevo los dos archivos, juntos; si no tiene líneas en el ERP, no es un documento',
  }),
  emptyKey: sentence({
    en: 'the key cells of this line are empty',
    fr: 'les cellules de clé de cette ligne sont vides',
    es: 'las celdas de clave de esta línea están vacías',
  }),
  noHeader: sentence({
    en: 'no header "{key}" is in {headers}',
    fr: 'l’en-tête « {key} » n’est pas dans {headers}',
    es: 'la cabecera «{key}» no está en {headers}',
  }),
  both: sentence({
    en: 'export both files again, together',
    fr: 'exportez de nouveau les deux fichiers, ensemble',
    es: 'exporte de nuevo los dos archivos, juntos',
  }),
  headerTwice: sentence({
    en: 'the key "{key}" is on rows {first} and {row} of the header file',
    fr: 'la clé « {key} » est aux lignes {first} et {row} du fichier d’en-têtes',
    es: 'la clave «{key}» está en las filas {first} y {row} del archivo de cabeceras',
  }),
  whichHeader: sentence({
    en: 'a line cannot tell which of them it belongs to: correct the export, or add columns to join: key',
    fr: 'une ligne ne peut dire auquel elle appartient : corrigez l’export, ou ajoutez des colonnes à join: key',
    es: 'una línea no puede decir a cuál pertenece: corrija la exportación, o añada columnas a join: key',
  }),
  headerKey: sentence({
    en: 'the key of this header is empty ({key})',
    fr: 'la clé de cet en-tête est vide ({key})',
    es: 'la clave de esta cabecera está vacía ({key})',
  }),
  fillKey: sentence({
    en: 'fill it in: its lines cannot be found without it',
    fr: 'remplissez-la : ses lignes ne peuvent être trouvées sans elle',
    es: 'complétela: sin ella no se pueden encontrar sus líneas',
  }),
};
