/** What is wrong with a file or a correction as a whole, as the line finds it. */
import { sentence } from '../../i18n/message.ts';

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
  kept: sentence({
    en: '{name} was attached to documents of {file} and archived, and this account may not remove it from the inbox',
    fr: '{name} a été joint à des documents de {file} et archivé, et ce compte n’a pas le droit de le supprimer de la boîte de réception (inbox)',
    es: '{name} se adjuntó a documentos de {file} y se archivó, y esta cuenta no puede eliminarlo de la bandeja de entrada (inbox)',
  }),
  secretInside: sentence({
    en: '"{name}" holds a secret of this instance and is not attached',
    fr: '« {name} » contient un secret de cette instance et n’est pas joint',
    es: '«{name}» contiene un secreto de esta instancia y no se adjunta',
  }),
  findOutWho: sentence({
    en: 'nothing of the document was sent; find out who put the file into the inbox, and replace the secret',
    fr: 'rien du document n’a été envoyé ; cherchez qui a déposé ce fichier dans la boîte de réception (inbox), et remplacez le secret',
    es: 'no se envió nada del documento; averigüe quién puso el archivo en la bandeja de entrada (inbox), y cambie el secreto',
  }),
  remove: sentence({
    en: 'remove it if nothing needs it',
    fr: 'supprimez-le si rien n’en a besoin',
    es: 'elimínelo si nada lo necesita',
  }),
};

export const STOPPED = {
  sending: sentence({
    en: 'the program stopped while it was being sent',
    fr: 'le programme s’est arrêté pendant l’envoi',
    es: 'el programa se detuvo mientras se enviaba',
  }),
  nothingToAsk: sentence({
    en: 'the consultation needs a tracking-id and no answer has given one',
    fr: 'la consultation demande un tracking-id et aucune réponse n’en a donné',
    es: 'la consulta necesita un tracking-id y ninguna respuesta lo ha dado',
  }),
};

export const INTAKE = {
  noRows: sentence({
    en: 'the file has no data rows, so no document was made of it',
    fr: 'le fichier n’a pas de lignes de données, aucun document n’en a été tiré',
    es: 'el archivo no tiene filas de datos, no se hizo ningún documento de él',
  }),
  quietDay: sentence({
    en: 'nothing to do on a day without sales; else export it again',
    fr: 'rien à faire un jour sans ventes ; sinon refaites l’export',
    es: 'nada que hacer en un día sin ventas; si no, expórtelo de nuevo',
  }),
  allLeftOut: sentence({
    en: 'no document was made of this file: all {rows} of its rows are left out by rules of the mapping',
    fr: 'aucun document n’a été tiré de ce fichier : des règles du fichier de correspondance écartent toutes ses lignes ({rows})',
    es: 'no se hizo ningún documento de este archivo: las reglas del archivo de correspondencias excluyen todas sus filas ({rows})',
  }),
  someLeftOut: sentence({
    en: 'no document was made of this file: {rows} of its rows are left out by rules of the mapping',
    fr: 'aucun document n’a été tiré de ce fichier : des règles du fichier de correspondance en écartent des lignes ({rows})',
    es: 'no se hizo ningún documento de este archivo: las reglas del archivo de correspondencias excluyen filas suyas ({rows})',
  }),
  checkRules: sentence({
    en: 'check leave-out and documents: keep',
    fr: 'vérifiez leave-out et documents: keep',
    es: 'compruebe leave-out y documents: keep',
  }),
  ourMistake: sentence({
    en: 'the program made a mistake while it read this file ({error})',
    fr: 'le programme a commis une erreur en lisant ce fichier ({error})',
    es: 'el programa cometió un error al leer este archivo ({error})',
  }),
  reportIt: sentence({
    en: 'nothing of the file was sent; report the mistake with the file, then drop the file again with a newer version',
    fr: 'rien du fichier n’a été envoyé ; signalez l’erreur avec le fichier, puis déposez-le de nouveau avec une version plus récente',
    es: 'no se envió nada del archivo; informe del error con el archivo, y deposítelo de nuevo con una versión más reciente',
  }),
  diedTwice: sentence({
    en: 'the program died {times} times while it read this file: it ran out of memory, crashed or was killed',
    fr: 'le programme s’est arrêté brutalement {times} fois en lisant ce fichier : mémoire épuisée, plantage ou arrêt forcé',
    es: 'el programa terminó de golpe {times} veces al leer este archivo: se quedó sin memoria, falló o lo mataron',
  }),
  readOnceMore: sentence({
    en: 'nothing of the file was sent, and the other files go on; look at the size of its documents (one-per of the mapping) and at the memory of the machine; to have it read once more: {command}',
    fr: 'rien du fichier n’a été envoyé, et les autres fichiers suivent leur cours ; vérifiez la taille de ses documents (one-per du fichier de correspondance) et la mémoire de la machine ; pour le faire relire : {command}',
    es: 'no se envió nada del archivo, y los demás archivos siguen; revise el tamaño de sus documentos (one-per del archivo de correspondencias) y la memoria de la máquina; para que se lea otra vez: {command}',
  }),
  sourceMissing: sentence({
    en: 'the private copy of this file is no longer in processing/, and it is not in the archive either',
    fr: 'la copie privée de ce fichier n’est plus dans processing/, et elle n’est pas non plus dans l’archive',
    es: 'la copia privada de este archivo ya no está en processing/, y tampoco está en el archivo histórico',
  }),
  documentsStay: sentence({
    en: 'its documents keep their states and nothing is sent twice; find out what deletes or changes files in processing/, then drop the same export again: its bytes are archived and no document is made of it a second time',
    fr: 'ses documents gardent leur état et rien n’est envoyé deux fois ; cherchez ce qui supprime ou modifie des fichiers dans processing/, puis déposez de nouveau le même export : ses octets sont archivés et aucun document n’en est tiré une seconde fois',
    es: 'sus documentos conservan su estado y no se envía nada dos veces; averigüe qué borra o modifica archivos en processing/, y deposite de nuevo la misma exportación: sus bytes se archivan y no se hace ningún documento por segunda vez',
  }),
  notRead: sentence({
    en: 'no document was made of it and nothing was sent; find out what deletes or changes files in processing/, then drop the export again',
    fr: 'aucun document n’en a été tiré et rien n’a été envoyé ; cherchez ce qui supprime ou modifie des fichiers dans processing/, puis déposez de nouveau l’export',
    es: 'no se hizo ningún documento de él y no se envió nada; averigüe qué borra o modifica archivos en processing/, y deposite de nuevo la exportación',
  }),
  foreignCopy: sentence({
    en: 'this file was in processing/ in the place of the private copy of another export',
    fr: 'ce fichier était dans processing/ à la place de la copie privée d’un autre export',
    es: 'este archivo estaba en processing/ en el lugar de la copia privada de otra exportación',
  }),
  nothingOfIt: sentence({
    en: 'no document was made of it; it is kept in the archive. Find out who changes files in processing/; if it is an export, drop it into the inbox',
    fr: 'aucun document n’en a été tiré ; il est conservé dans l’archive. Cherchez qui modifie des fichiers dans processing/ ; si c’est un export, déposez-le dans la boîte de réception (inbox)',
    es: 'no se hizo ningún documento de él; se conserva en el archivo histórico. Averigüe quién modifica archivos en processing/; si es una exportación, deposítela en la bandeja de entrada (inbox)',
  }),
  several: sentence({
    en: 'several mappings accept this file: {mappings}',
    fr: 'plusieurs fichiers de correspondance acceptent ce fichier : {mappings}',
    es: 'varios archivos de correspondencias aceptan este archivo: {mappings}',
  }),
  noneFits: sentence({
    en: 'mappings accept this name, but none of them its columns: {mappings}',
    fr: 'des fichiers de correspondance acceptent ce nom, mais aucun n’accepte ses colonnes : {mappings}',
    es: 'hay archivos de correspondencias que aceptan este nombre, pero ninguno acepta sus columnas: {mappings}',
  }),
  tellApart: sentence({
    en: 'make the accepts blocks of these mappings (files, columns) tell the files apart, or let all of them share it (shares: true), then drop the file again',
    fr: 'distinguez les fichiers dans les blocs accepts de ces fichiers de correspondance (files, columns), ou laissez-les le partager (shares: true), puis déposez de nouveau le fichier',
    es: 'distinga los archivos en los bloques accepts de esos archivos de correspondencias (files, columns), o deje que lo compartan (shares: true), y deposite de nuevo el archivo',
  }),
  draft: sentence({
    en: 'the mapping {mapping} is a draft: {count} of its values are still placeholders, the first on line {line}',
    fr: 'le fichier de correspondance {mapping} est une ébauche, valeurs encore à remplir : {count}, la première à la ligne {line}',
    es: 'el archivo de correspondencias {mapping} es un borrador, valores aún por rellenar: {count}, el primero en la línea {line}',
  }),
  fillDraftIn: sentence({
    en: 'fill in {mapping} (nightpost check lists them all), then have the file read again: nightpost reprocess {file} --reason "..."',
    fr: 'remplissez {mapping} (nightpost check les liste toutes), puis faites relire le fichier : nightpost reprocess {file} --reason "..."',
    es: 'rellene {mapping} (nightpost check los lista todos) y haga leer de nuevo el archivo: nightpost reprocess {file} --reason "..."',
  }),
  noMapping: sentence({
    en: 'no mapping accepts a file of this name',
    fr: 'aucun fichier de correspondance n’accepte un fichier de ce nom',
    es: 'ningún archivo de correspondencias acepta un archivo con este nombre',
  }),
  acceptedNames: sentence({
    en: 'accepted names: {names}; rename the file or add the name to accepts.files of a mapping, then drop it again',
    fr: 'noms acceptés : {names} ; renommez le fichier ou ajoutez le nom à accepts.files d’un fichier de correspondance, puis déposez-le de nouveau',
    es: 'nombres aceptados: {names}; cambie el nombre del archivo o añádalo a accepts.files de un archivo de correspondencias, y deposítelo de nuevo',
  }),
  noneThere: sentence({
    en: 'none, there is no mapping',
    fr: 'aucun, il n’y a pas de fichier de correspondance',
    es: 'ninguno, no hay archivo de correspondencias',
  }),
  partnerMissing: sentence({
    en: 'the other file of this pair, {partner}, did not arrive',
    fr: 'l’autre fichier de cette paire, {partner}, n’est pas arrivé',
    es: 'el otro archivo de este par, {partner}, no llegó',
  }),
  exportBoth: sentence({
    en: 'nothing of it was sent; have both files exported, then drop both into the inbox',
    fr: 'rien n’en a été envoyé ; faites exporter les deux fichiers, puis déposez-les dans la boîte de réception (inbox)',
    es: 'no se envió nada de él; haga exportar los dos archivos, y deposítelos en la bandeja de entrada (inbox)',
  }),
  partnerRefused: sentence({
    en: 'the other file of this pair, {partner}, was refused',
    fr: 'l’autre fichier de cette paire, {partner}, a été refusé',
    es: 'el otro archivo de este par, {partner}, fue rechazado',
  }),
  correctBoth: sentence({
    en: 'nothing of it was sent; correct what its summary says, then drop both files into the inbox',
    fr: 'rien n’en a été envoyé ; corrigez ce que dit son récapitulatif, puis déposez les deux fichiers dans la boîte de réception (inbox)',
    es: 'no se envió nada de él; corrija lo que dice su resumen, y deposite los dos archivos en la bandeja de entrada (inbox)',
  }),
};

export const REPROCESS = {
  cannotRead: sentence({
    en: 'the rows of {document} cannot be read again',
    fr: 'les lignes de {document} ne peuvent être relues',
    es: 'las filas de {document} no se pueden leer de nuevo',
  }),
  nothingChanged: sentence({
    en: 'nothing was changed',
    fr: 'rien n’a été modifié',
    es: 'no se cambió nada',
  }),
  cannotTake: sentence({
    en: '{file} cannot be taken again',
    fr: '{file} ne peut être repris',
    es: '{file} no se puede tomar de nuevo',
  }),
  noColumn: sentence({
    en: '{by} corrected column {column} on row {row}, and with the mapping of today the file has no such column',
    fr: '{by} a corrigé la colonne {column} à la ligne {row}, et avec le fichier de correspondance d’aujourd’hui le fichier n’a plus cette colonne',
    es: '{by} corrigió la columna {column} en la fila {row}, y con el archivo de correspondencias de hoy el archivo no tiene esa columna',
  }),
  correctSource: sentence({
    en: 'columns: {columns}; correct source in the mapping, or drop a corrected copy of the export',
    fr: 'colonnes : {columns} ; corrigez source dans le fichier de correspondance, ou déposez une copie corrigée de l’export',
    es: 'columnas: {columns}; corrija source en el archivo de correspondencias, o deposite una copia corregida de la exportación',
  }),
  sourceMissing: sentence({
    en: '{path} is not there any more, and the rows cannot be read again without it',
    fr: '{path} n’existe plus, et sans lui les lignes ne peuvent être relues',
    es: '{path} ya no está, y sin él no se pueden volver a leer las filas',
  }),
  restoreOrDrop: sentence({
    en: 'restore the archive from its backup, or drop a corrected export into the inbox',
    fr: 'restaurez l’archive depuis sa sauvegarde, ou déposez un export corrigé dans la boîte de réception (inbox)',
    es: 'restaure el archivo histórico desde su copia de seguridad, o deposite una exportación corregida en la bandeja de entrada (inbox)',
  }),
  sourceChanged: sentence({
    en: '{path} was changed since it was read: its SHA-256 is {found}..., it was {before}...',
    fr: '{path} a été modifié depuis sa lecture : son SHA-256 est {found}…, il était {before}…',
    es: '{path} se modificó desde que se leyó: su SHA-256 es {found}..., antes era {before}...',
  }),
  findOut: sentence({
    en: 'find out who changed the archive and restore the file from its backup; nothing is made of other bytes',
    fr: 'cherchez qui a modifié l’archive et restaurez le fichier depuis sa sauvegarde ; rien n’est tiré d’autres octets',
    es: 'averigüe quién modificó el archivo histórico y restaure el archivo desde su copia; no se hace nada con otros bytes',
  }),
  mappingGone: sentence({
    en: 'there is no mapping "{mapping}" any more',
    fr: 'le fichier de correspondance « {mapping} » n’existe plus',
    es: 'ya no existe el archivo de correspondencias «{mapping}»',
  }),
  notTaken: sentence({
    en: 'no mapping has taken this file so far',
    fr: 'aucun fichier de correspondance n’a encore pris ce fichier',
    es: 'ningún archivo de correspondencias ha tomado todavía este archivo',
  }),
  putMappingBack: sentence({
    en: 'put the mapping back into mappings/ under this name, or drop a copy of the export into the inbox',
    fr: 'remettez le fichier de correspondance dans mappings/ sous ce nom, ou déposez une copie de l’export dans la boîte de réception (inbox)',
    es: 'vuelva a poner el archivo de correspondencias en mappings/ con ese nombre, o deposite una copia de la exportación en la bandeja de entrada (inbox)',
  }),
  rowsDiffer: sentence({
    en: 'its rows ({own}) now belong together with those of another document ({rows})',
    fr: 'ses lignes ({own}) vont maintenant avec celles d’un autre document ({rows})',
    es: 'sus filas ({own}) van ahora con las de otro documento ({rows})',
  }),
  checkNumber: sentence({
    en: 'check the number; if it is right, drop a corrected export into the inbox',
    fr: 'vérifiez le numéro ; s’il est juste, déposez un export corrigé dans la boîte de réception (inbox)',
    es: 'compruebe el número; si es correcto, deposite una exportación corregida en la bandeja de entrada (inbox)',
  }),
  noDocument: sentence({
    en: 'the mapping of today makes no document of its rows',
    fr: 'le fichier de correspondance d’aujourd’hui ne tire aucun document de ses lignes',
    es: 'el archivo de correspondencias de hoy no hace ningún documento de sus filas',
  }),
  staysAsItIs: sentence({
    en: 'check leave-out and documents: keep in the mapping; if they are none, set it aside: nightpost reject',
    fr: 'vérifiez leave-out et documents: keep dans le fichier de correspondance ; s’il n’y en a pas, écartez-le : nightpost reject',
    es: 'compruebe leave-out y documents: keep en el archivo de correspondencias; si no hay ninguno, apártelo: nightpost reject',
  }),
  notCorrectable: sentence({
    en: 'it is {state} ({words}), and then its content stays as it is',
    fr: 'il est dans l’état {state} ({words}), et son contenu reste alors tel quel',
    es: 'está en el estado {state} ({words}), y entonces su contenido queda como está',
  }),
  retry: sentence({
    en: 'it goes out again as it is, once the cause is mended: nightpost retry',
    fr: 'il repart tel quel, une fois la cause réparée : nightpost retry',
    es: 'sale de nuevo como está, una vez corregida la causa: nightpost retry',
  }),
  consult: sentence({
    en: 'find out what became of it first: nightpost consult, then nightpost resolve',
    fr: 'cherchez d’abord ce qu’il est devenu : nightpost consult, puis nightpost resolve',
    es: 'averigüe primero qué fue de él: nightpost consult, después nightpost resolve',
  }),
  ownDocument: sentence({
    en: 'what has been issued is corrected by a document of its own: a credit note, a corrective',
    fr: 'ce qui a été émis se corrige par un document à part : un avoir, une facture rectificative',
    es: 'lo emitido se corrige con un documento propio: una nota de crédito, una factura rectificativa',
  }),
};

/** Files that a person names to `run`. */
export const NAMED_FILE = {
  notThere: sentence({
    en: 'there is no file {path}',
    fr: 'il n’y a pas de fichier {path}',
    es: 'no hay ningún archivo {path}',
  }),
  nothingTaken: sentence({ en: 'nothing was taken', fr: 'rien n’a été pris', es: 'no se tomó nada' }),
  nameTaken: sentence({
    en: 'the inbox already holds a file named {file}',
    fr: 'la boîte de réception (inbox) contient déjà un fichier nommé {file}',
    es: 'la bandeja de entrada (inbox) ya contiene un archivo llamado {file}',
  }),
  cannotCopy: sentence({
    en: '{path} cannot be copied into the inbox',
    fr: '{path} ne peut être copié dans la boîte de réception (inbox)',
    es: '{path} no se puede copiar en la bandeja de entrada (inbox)',
  }),
  letRun: sentence({
    en: 'let a run take it first, or rename one of them',
    fr: 'laissez d’abord un passage le prendre, ou renommez l’un des deux',
    es: 'deje que una ejecución lo tome primero, o cambie el nombre de uno de los dos',
  }),
  checkPath: sentence({
    en: 'check the path and its permissions',
    fr: 'vérifiez le chemin et ses droits d’accès',
    es: 'compruebe la ruta y sus permisos',
  }),
};
