/** What `errors` says around the words of faults: headings, ways out, and that nothing waits. */
import { sentence } from '../../i18n/message.ts';

export const ERRORS = {
  further: sentence({
    en: 'each document counts once, under its first error; other errors of these documents: {causes}',
    fr: 'chaque document compte une fois, sous sa première erreur ; autres erreurs de ces documents : {causes}',
    es: 'cada documento cuenta una vez, por su primer error; otros errores de estos documentos: {causes}',
  }),
  write: sentence({
    en: '{message}: write {suggestion}',
    fr: '{message} ; écrivez {suggestion}',
    es: '{message}; escriba {suggestion}',
  }),
  inErp: sentence({
    en: '{message}: correct it in the ERP and export again',
    fr: '{message} ; faites la correction dans l’ERP et refaites l’export',
    es: '{message}; haga la corrección en el ERP y exporte de nuevo',
  }),
  setAside: sentence({ en: '{by}: {reason}', fr: '{by} : {reason}', es: '{by}: {reason}' }),
  nothing: sentence({ en: 'Nothing waits for you.', fr: 'Rien ne vous attend.', es: 'Nada le espera.' }),
  nothingAsked: sentence({
    en: 'Nothing of what you asked for waits for you; all: nightpost errors',
    fr: 'Rien de ce que vous demandez ne vous attend ; tout : nightpost errors',
    es: 'Nada de lo que pidió le espera; todo: nightpost errors',
  }),
  noCause: sentence({
    en: 'Nothing that waits has the cause "{cause}"; all: nightpost errors --group cause',
    fr: 'Rien de ce qui attend n’a la cause « {cause} » ; toutes : nightpost errors --group cause',
    es: 'Nada de lo que espera tiene la causa «{cause}»; todas: nightpost errors --group cause',
  }),
  noWarnings: sentence({ en: 'No warnings.', fr: 'Aucun avertissement.', es: 'Ninguna advertencia.' }),
  hint: sentence({ en: '{code}: {hint}', fr: '{code} : {hint}', es: '{code}: {hint}' }),
  toCorrectIn: sentence({
    en: 'to correct in {path}: {documents}',
    fr: 'à corriger dans {path} : {documents}',
    es: 'por corregir en {path}: {documents}',
  }),
  noExport: sentence({
    en: 'what is no export at all: nightpost reject FILE --reason "..."',
    fr: 'ce qui n’est pas du tout un export : nightpost reject FICHIER --reason "..."',
    es: 'lo que no es ninguna exportación: nightpost reject ARCHIVO --reason "..."',
  }),
  more: sentence({
    en: '{documents} and {count} more',
    fr: '{documents} et encore {count}',
    es: '{documents} y {count} más',
  }),
};

export const ERRORS_TABLE = {
  document: sentence({ en: 'document', fr: 'document', es: 'documento' }),
  state: sentence({ en: 'state', fr: 'état', es: 'estado' }),
  counterparty: sentence({ en: 'counterparty', fr: 'tiers', es: 'contraparte' }),
  from: sentence({ en: 'from', fr: 'source', es: 'origen' }),
  cause: sentence({ en: 'cause', fr: 'cause', es: 'causa' }),
  count: sentence({ en: 'count', fr: 'nombre', es: 'cantidad' }),
  example: sentence({ en: 'for example', fr: 'par exemple', es: 'por ejemplo' }),
  documents: sentence({ en: 'documents', fr: 'documents', es: 'documentos' }),
  in: sentence({ en: 'in', fr: 'dans', es: 'en' }),
  whatToDo: sentence({ en: 'what to do', fr: 'que faire', es: 'qué hacer' }),
};

/** The ways out of a cause; `{fix}` and its kin are commands as a person types them. */
export const WAY = {
  value: sentence({ en: 'VALUE', fr: 'VALEUR', es: 'VALOR' }),
  column: sentence({ en: 'COLUMN', fr: 'COLONNE', es: 'COLUMNA' }),
  besideCell: sentence({
    en: '{hint}: {fix}, or in its to-fix file, and the others are read again with it; if the row is no document: {reject}, then {again}',
    fr: '{hint} : {fix}, ou dans son fichier to-fix, et les autres sont relus avec elle ; si la ligne n’est pas un document : {reject}, puis {again}',
    es: '{hint}: {fix}, o en su archivo to-fix, y los demás se leen de nuevo con ella; si la fila no es un documento: {reject}, después {again}',
  }),
  besideRow: sentence({
    en: '{hint}; then: {again}',
    fr: '{hint} ; puis : {again}',
    es: '{hint}; después: {again}',
  }),
  onlyInErp: sentence({
    en: 'correct it in the ERP and export it again, nothing alters it here: nightpost explain {rule}',
    fr: 'faites la correction dans l’ERP et refaites l’export, rien ne peut la remplacer ici : nightpost explain {rule}',
    es: 'haga la corrección en el ERP y exporte de nuevo, aquí nada la sustituye: nightpost explain {rule}',
  }),
  onlyInErpThenAside: sentence({
    en: 'correct it in the ERP and export it again, nothing alters it here: nightpost explain {rule}; its rows tell no number that the new export could settle it by, so set it aside then: {reject}',
    fr: 'faites la correction dans l’ERP et refaites l’export, rien ne peut la remplacer ici (nightpost explain {rule}) ; ses lignes ne donnent aucun numéro par lequel le nouvel export pourrait le régler, alors écartez-le ensuite : {reject}',
    es: 'haga la corrección en el ERP y exporte de nuevo, aquí nada la sustituye (nightpost explain {rule}); sus filas no dan ningún número con el que la nueva exportación pudiera resolverlo, así que apártelo después: {reject}',
  }),
  lacking: sentence({
    en: '{hint}; where the export has it, the mapping {mapping} has to take it over, then {again}; where it has not, correct it in the ERP and export again',
    fr: '{hint} ; si l’export le contient, le fichier de correspondance {mapping} doit le reprendre, puis {again} ; sinon, corrigez-le dans l’ERP et refaites l’export',
    es: '{hint}; si la exportación lo contiene, el archivo de correspondencias {mapping} debe tomarlo, y luego {again}; si no, corríjalo en el ERP y exporte de nuevo',
  }),
  totalsRow: sentence({
    en: 'no cell cures this: it is no document; in the mapping {mapping} {hint}; then set it aside: {reject}',
    fr: 'aucune cellule n’y remédie, ce n’est pas un document ; dans le fichier de correspondance {mapping}, {hint} ; puis écartez-le avec {reject}',
    es: 'ninguna celda lo remedia, no es un documento; en el archivo de correspondencias {mapping}, {hint}; después apártelo con {reject}',
  }),
  cells: sentence({
    en: 'correct the cells in {path}, or in the ERP, and drop the file into the inbox',
    fr: 'corrigez les cellules dans {path}, ou dans l’ERP, et déposez le fichier dans la boîte de réception (inbox)',
    es: 'corrija las celdas en {path}, o en el ERP, y deposite el archivo en la bandeja de entrada (inbox)',
  }),
  cellsInErp: sentence({
    en: 'correct the cells in the ERP and export again',
    fr: 'corrigez les cellules dans l’ERP et refaites l’export',
    es: 'corrija las celdas en el ERP y exporte de nuevo',
  }),
  toFixFiles: sentence({
    en: 'the *.to-fix files that nightpost errors names',
    fr: 'les fichiers *.to-fix que nomme nightpost errors',
    es: 'los archivos *.to-fix que nombra nightpost errors',
  }),
  allOfFile: sentence({
    en: 'all {count} documents of {file} fail like this, so look at the mapping {mapping} first; once it is mended: {again}',
    fr: 'les {count} documents de {file} échouent tous ainsi, voyez d’abord le fichier de correspondance {mapping} ; une fois corrigé : {again}',
    es: 'los {count} documentos de {file} fallan todos así, mire primero el archivo de correspondencias {mapping}; una vez corregido: {again}',
  }),
  oneByOne: sentence({
    en: '{way}; one by one: {fix}',
    fr: '{way} ; un par un : {fix}',
    es: '{way}; uno por uno: {fix}',
  }),
  others: sentence({
    en: '{whole}; the others: {others}',
    fr: '{whole} ; les autres : {others}',
    es: '{whole}; los demás: {others}',
  }),
  table: sentence({
    en: 'add what is missing to the table of the mapping, then {again}; or correct the cell: {fix}',
    fr: 'ajoutez ce qui manque à la table du fichier de correspondance, puis {again} ; ou corrigez la cellule : {fix}',
    es: 'agregue lo que falta a la tabla del archivo de correspondencias, y luego {again}; o corrija la celda: {fix}',
  }),
  noSuchClass: sentence({
    en: '{hint}; after a change of the mapping: {again}; what is no invoice: {reject}',
    fr: '{hint} ; après un changement du fichier de correspondance : {again} ; ce qui n’est pas une facture : {reject}',
    es: '{hint}; después de un cambio del archivo de correspondencias: {again}; lo que no es una factura: {reject}',
  }),
  newNumber: sentence({
    en: 'the number is taken, see nightpost show {first}: give this document a number of its own in the ERP and export it again, then set this one aside: {reject}; what went out is corrected by a credit note or a corrective',
    fr: 'le numéro est pris, voyez nightpost show {first} : donnez à ce document son propre numéro dans l’ERP et refaites l’export, puis écartez celui-ci avec {reject} ; ce qui est parti se corrige par un avoir ou une facture rectificative',
    es: 'el número está tomado, véase nightpost show {first}: dé a este documento un número propio en el ERP y expórtelo de nuevo, y después aparte este con {reject}; lo ya enviado se corrige con una nota de crédito o un documento rectificativo',
  }),
  rowsAnywhere: sentence({
    en: 'no cell cures this: set documents: rows: anywhere in the mapping {mapping}, then {again}; or sort the export by document',
    fr: 'aucune cellule n’y remédie : réglez documents: rows: anywhere dans le fichier de correspondance {mapping}, puis {again} ; ou triez l’export par document',
    es: 'ninguna celda lo remedia: ponga documents: rows: anywhere en el archivo de correspondencias {mapping}, y luego {again}; u ordene la exportación por documento',
  }),
  fillIn: sentence({
    en: 'no cell cures this: fill {field} in in the mapping {mapping}, then {again}',
    fr: 'aucune cellule n’y remédie : remplissez {field} dans le fichier de correspondance {mapping}, puis {again}',
    es: 'ninguna celda lo remedia: complete {field} en el archivo de correspondencias {mapping}, y luego {again}',
  }),
  rowTwice: sentence({
    en: '{message}; where the line was exported twice, export the document again with it once; where both are meant, give each a number of its own in the ERP',
    fr: '{message} ; si la ligne a été exportée deux fois, refaites l’export du document avec elle une seule fois ; si les deux sont voulues, donnez à chacune son numéro dans l’ERP',
    es: '{message}; si la línea se exportó dos veces, exporte de nuevo el documento con ella una sola vez; si ambas son correctas, dé a cada una su número en el ERP',
  }),
  compare: sentence({
    en: 'compare with the document itself, {number}: {values}; any cell behind these values may be the wrong one, not only the total; {way}',
    fr: 'comparez avec le document lui-même, {number} : {values} ; toute cellule à l’origine de ces valeurs peut être fausse, pas seulement le total ; {way}',
    es: 'compare con el documento mismo, {number}: {values}; cualquier celda de la que vienen estos valores puede ser la errónea, no solo el total; {way}',
  }),
  release: sentence({
    en: 'nightpost show {number}, then {release}, or {reject}',
    fr: 'nightpost show {number}, puis {release}, ou {reject}',
    es: 'nightpost show {number}, y luego {release}, o {reject}',
  }),
  releaseCompared: sentence({
    en: 'compare with the service first, it may have been sent already (nightpost show {number}); only if the service does not have it: {release}; else {reject}',
    fr: 'comparez d’abord avec le service, il a peut-être déjà été envoyé (nightpost show {number}) ; seulement si le service ne l’a pas : {release} ; sinon {reject}',
    es: 'compare primero con el servicio, puede que ya se haya enviado (nightpost show {number}); solo si el servicio no lo tiene: {release}; si no, {reject}',
  }),
  support: sentence({
    en: 'open a ticket with the support of the service; only after they have answered: {retry}',
    fr: 'ouvrez un ticket auprès du support du service ; seulement après sa réponse : {retry}',
    es: 'abra un caso con el soporte del servicio; solo cuando le hayan respondido: {retry}',
  }),
  resend: sentence({
    en: 'mend the cause, then {retry}',
    fr: 'corrigez la cause, puis {retry}',
    es: 'corrija la causa, y luego {retry}',
  }),
  resolve: sentence({
    en: '{consult}; look it up at the service, then {resolve}',
    fr: '{consult} ; cherchez-le auprès du service, puis {resolve}',
    es: '{consult}; búsquelo en el servicio, y luego {resolve}',
  }),
};
