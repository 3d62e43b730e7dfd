/** What a proof finds broken, and what each break means; read by auditors and by operators who ask. */
import { sentence } from '../../i18n/message.ts';

export const MEANS = {
  'verify/chain-broken': sentence({
    en: 'a link of the chain of receipts was changed, taken out, put in or moved',
    fr: 'un maillon de la chaîne des reçus a été modifié, retiré, ajouté ou déplacé',
    es: 'un eslabón de la cadena de recibos se modificó, se quitó, se añadió o se movió',
  }),
  'verify/head-differs': sentence({
    en: 'the end that was kept elsewhere is not part of this chain: the chain was cut short or made anew',
    fr: 'la fin conservée ailleurs ne fait pas partie de cette chaîne : la chaîne a été raccourcie ou refaite',
    es: 'el final que se guardó en otro lugar no es parte de esta cadena: la cadena se acortó o se rehízo',
  }),
  'verify/link-missing': sentence({
    en: 'a receipt has no link in the chain: the end of the chain was cut off, or the ledger was edited',
    fr: 'un reçu n’a pas de maillon dans la chaîne : la fin de la chaîne a été coupée, ou le registre (ledger) modifié',
    es: 'un recibo no tiene eslabón en la cadena: se cortó el final de la cadena, o se editó el registro (ledger)',
  }),
  'verify/link-unknown': sentence({
    en: 'a link stands behind the last one that its document knows: it was put in, or the ledger was edited',
    fr: 'un maillon suit le dernier que connaît son document : il a été ajouté, ou le registre (ledger) a été modifié',
    es: 'hay un eslabón después del último que conoce su documento: se añadió, o se editó el registro (ledger)',
  }),
  'verify/receipt-missing': sentence({
    en: 'a receipt was deleted or moved away',
    fr: 'un reçu a été supprimé ou déplacé',
    es: 'un recibo se borró o se movió',
  }),
  'verify/receipt-changed': sentence({
    en: 'a receipt is not the one that was written: it was edited, swapped, or put back from an older time',
    fr: 'un reçu n’est pas celui qui a été écrit : il a été modifié, échangé, ou remplacé par un plus ancien',
    es: 'un recibo no es el que se escribió: se editó, se cambió por otro, o se repuso uno anterior',
  }),
  'verify/payload-missing': sentence({
    en: 'the content beside a receipt was deleted or moved away',
    fr: 'le contenu à côté d’un reçu a été supprimé ou déplacé',
    es: 'el contenido junto a un recibo se borró o se movió',
  }),
  'verify/payload-changed': sentence({
    en: 'the content beside a receipt is not the one that was sent',
    fr: 'le contenu à côté d’un reçu n’est pas celui qui a été envoyé',
    es: 'el contenido junto a un recibo no es el que se envió',
  }),
  'verify/file-unknown': sentence({
    en: 'a file lies where the ledger has none: it was moved there or put in',
    fr: 'un fichier se trouve là où le registre (ledger) n’en a pas : il y a été déplacé ou ajouté',
    es: 'hay un archivo donde el registro (ledger) no tiene ninguno: se movió allí o se añadió',
  }),
  'verify/summary-missing': sentence({
    en: 'the summary of an export was deleted or moved away',
    fr: 'le récapitulatif d’un export a été supprimé ou déplacé',
    es: 'el resumen de una exportación se borró o se movió',
  }),
  'verify/summary-changed': sentence({
    en: 'the summary of an export is not the one that was written',
    fr: 'le récapitulatif d’un export n’est pas celui qui a été écrit',
    es: 'el resumen de una exportación no es el que se escribió',
  }),
  'verify/source-missing': sentence({
    en: 'an archived export is gone: what was made of it can no longer be shown; if it was gone before anything was made of it (intake/source-missing): nightpost reject FILE --reason TEXT',
    fr: 'un export archivé a disparu : ce qui en a été tiré ne peut plus être montré ; s’il a disparu avant que rien n’en soit tiré (intake/source-missing) : nightpost reject FICHIER --reason TEXTE',
    es: 'falta una exportación archivada: lo que se hizo de ella ya no se puede mostrar; si desapareció antes de que se hiciera nada de ella (intake/source-missing): nightpost reject ARCHIVO --reason TEXTO',
  }),
  'verify/source-changed': sentence({
    en: 'an archived export is not the one that was taken in',
    fr: 'un export archivé n’est pas celui qui a été pris en charge',
    es: 'una exportación archivada no es la que se tomó',
  }),
  'verify/attachment-differs': sentence({
    en: 'a file that documents carry is missing in the archive, or is another one there',
    fr: 'un fichier joint à des documents manque dans l’archive, ou c’est un autre qui s’y trouve',
    es: 'un archivo adjunto a documentos falta en el archivo histórico, o allí hay otro',
  }),
  'verify/mapping-missing': sentence({
    en: 'the mapping as it was then is not in the archive: what it made can no longer be shown',
    fr: 'le fichier de correspondance d’alors n’est pas dans l’archive : ce qu’il a produit ne peut plus être montré',
    es: 'el archivo de correspondencias de entonces no está en el archivo histórico: lo que produjo ya no se puede mostrar',
  }),
  'verify/mapping-changed': sentence({
    en: 'an archived mapping, or a table of it, is not the one that was used',
    fr: 'un fichier de correspondance archivé, ou une de ses tables, n’est pas celui qui a servi',
    es: 'un archivo de correspondencias archivado, o una de sus tablas, no es el que se usó',
  }),
  'verify/rows-unreadable': sentence({
    en: 'the archived export can no longer be read as it was then',
    fr: 'l’export archivé ne peut plus être lu comme alors',
    es: 'la exportación archivada ya no se puede leer como entonces',
  }),
  'verify/content-differs': sentence({
    en: 'the ledger holds another content than the archived rows give',
    fr: 'le registre (ledger) contient autre chose que ce que donnent les lignes archivées',
    es: 'el registro (ledger) tiene un contenido distinto del que dan las filas archivadas',
  }),
  'verify/document-missing': sentence({
    en: 'the ledger has a document that the archived rows do not give',
    fr: 'le registre (ledger) a un document que les lignes archivées ne donnent pas',
    es: 'el registro (ledger) tiene un documento que las filas archivadas no dan',
  }),
  'verify/document-extra': sentence({
    en: 'the archived rows give a document that the ledger does not have',
    fr: 'les lignes archivées donnent un document que le registre (ledger) n’a pas',
    es: 'las filas archivadas dan un documento que el registro (ledger) no tiene',
  }),
  'verify/answer-differs': sentence({
    en: 'the answer that is stored means something else than what was recorded of it',
    fr: 'la réponse conservée signifie autre chose que ce qui en a été enregistré',
    es: 'la respuesta guardada significa otra cosa que lo que se registró de ella',
  }),
  'verify/state-differs': sentence({
    en: 'the state of a document does not follow from what was tried and decided',
    fr: 'l’état d’un document ne découle pas de ce qui a été tenté et décidé',
    es: 'el estado de un documento no se deduce de lo que se intentó y se decidió',
  }),
  'verify/ledger-differs': sentence({
    en: 'the ledger says something else than the receipt that was written from it',
    fr: 'le registre (ledger) dit autre chose que le reçu qui en a été tiré',
    es: 'el registro (ledger) dice otra cosa que el recibo que se escribió a partir de él',
  }),
};

/** Links, hashes and files. */
export const FOUND = {
  linkGone: sentence({
    en: 'link {n} is not there, the next one is {next}',
    fr: 'le maillon {n} n’existe pas, le suivant est {next}',
    es: 'el eslabón {n} no está, el siguiente es {next}',
  }),
  linkNames: sentence({
    en: 'link {n} names {named} as the hash of the link before it, which is {is}',
    fr: 'le maillon {n} donne {named} comme empreinte du maillon précédent, qui est {is}',
    es: 'el eslabón {n} da {named} como huella del eslabón anterior, que es {is}',
  }),
  none: sentence({ en: 'none', fr: 'aucune', es: 'ninguna' }),
  headKept: sentence({
    en: '{kept} was kept, and {found}',
    fr: '{kept} a été conservé, et {found}',
    es: 'se guardó {kept}, y {found}',
  }),
  chainEnds: sentence({
    en: 'the chain ends at {n}',
    fr: 'la chaîne se termine à {n}',
    es: 'la cadena termina en {n}',
  }),
  linkIs: sentence({ en: 'link {n} is {hash}', fr: 'le maillon {n} est {hash}', es: 'el eslabón {n} es {hash}' }),
  strayReceipt: sentence({
    en: 'link {n} is of a receipt that {id} does not know',
    fr: 'le maillon {n} est celui d’un reçu que {id} ne connaît pas',
    es: 'el eslabón {n} es de un recibo que {id} no conoce',
  }),
  straySummary: sentence({
    en: 'link {n} is of a summary that {id} does not know',
    fr: 'le maillon {n} est celui d’un récapitulatif que {id} ne connaît pas',
    es: 'el eslabón {n} es de un resumen que {id} no conoce',
  }),
  notThere: sentence({ en: '{path} is not there', fr: '{path} n’existe pas', es: '{path} no está' }),
  hashDiffers: sentence({
    en: 'its SHA-256 is {found}, it was {before}',
    fr: 'son SHA-256 est {found}, il était {before}',
    es: 'su SHA-256 es {found}, antes era {before}',
  }),
  linkHas: sentence({
    en: 'its SHA-256 is {found}, link {n} has {hash}',
    fr: 'son SHA-256 est {found}, le maillon {n} a {hash}',
    es: 'su SHA-256 es {found}, el eslabón {n} tiene {hash}',
  }),
  summaryLinkGone: sentence({
    en: 'link {n} of the summary of {file} is not in the chain',
    fr: 'le maillon {n} du récapitulatif de {file} n’est pas dans la chaîne',
    es: 'el eslabón {n} del resumen de {file} no está en la cadena',
  }),
  stranger: sentence({
    en: '{path} belongs to no document and no export of the ledger',
    fr: '{path} n’appartient à aucun document ni export du registre (ledger)',
    es: '{path} no es de ningún documento ni de ninguna exportación del registro (ledger)',
  }),
  notArchived: sentence({
    en: '{file} is not in the archive',
    fr: '{file} n’est pas dans l’archive',
    es: '{file} no está en el archivo histórico',
  }),
  attachmentGone: sentence({
    en: '{name}, which documents of {file} carry, is not in the archive',
    fr: '{name}, joint à des documents de {file}, n’est pas dans l’archive',
    es: '{name}, adjunto a documentos de {file}, no está en el archivo histórico',
  }),
  attachmentDiffers: sentence({
    en: 'its SHA-256 is {found}, documents of {file} carry {before}',
    fr: 'son SHA-256 est {found}, des documents de {file} portent {before}',
    es: 'su SHA-256 es {found}, documentos de {file} llevan {before}',
  }),
  mappingUnusable: sentence({
    en: 'this program makes nothing of the mapping of then: {why}',
    fr: 'ce programme ne tire rien du fichier de correspondance d’alors : {why}',
    es: 'este programa no saca nada del archivo de correspondencias de entonces: {why}',
  }),
  mappingNotWhole: sentence({
    en: 'the mapping {hash} is not whole: {why}',
    fr: 'le fichier de correspondance {hash} n’est pas entier : {why}',
    es: 'el archivo de correspondencias {hash} no está completo: {why}',
  }),
  said: sentence({ en: '{text}', fr: '{text}', es: '{text}' }),
  unreadable: sentence({ en: 'it cannot be read', fr: 'il ne peut être lu', es: 'no se puede leer' }),
  madeBy: sentence({
    en: '{says} (made by Nightpost {program}; this is {version}, which may convert in another way)',
    fr: '{says} (produit par Nightpost {program} ; celui-ci est {version}, qui convertit peut-être autrement)',
    es: '{says} (hecho por Nightpost {program}; este es {version}, que puede convertir de otra manera)',
  }),
};

/** Documents, held against the rows they come from. */
export const CONTENT = {
  hash: sentence({
    en: 'the content has the SHA-256 {found}, recorded is {before}',
    fr: 'le contenu a le SHA-256 {found}, l’enregistrement dit {before}',
    es: 'el contenido tiene el SHA-256 {found}, lo registrado es {before}',
  }),
  extra: sentence({
    en: 'row {row} of {file} begins a document that is in no revision',
    fr: 'la ligne {row} de {file} commence un document qui n’est dans aucune révision',
    es: 'la fila {row} de {file} empieza un documento que no está en ninguna revisión',
  }),
  missing: sentence({
    en: 'rows of {file} that do not give it: {rows}',
    fr: 'lignes de {file} qui ne le donnent pas : {rows}',
    es: 'filas de {file} que no lo dan: {rows}',
  }),
  otherRows: sentence({
    en: 'revision {revision} is of rows {rows}, the export gives it rows {given}',
    fr: 'la révision {revision} vient des lignes {rows}, l’export lui donne les lignes {given}',
    es: 'la revisión {revision} es de las filas {rows}, la exportación le da las filas {given}',
  }),
  noValid: sentence({
    en: 'revision {revision} was {outcome}, its rows give no valid document',
    fr: 'la révision {revision} était à l’état {outcome}, ses lignes ne donnent pas de document valable',
    es: 'la revisión {revision} estaba en el estado {outcome}, sus filas no dan ningún documento válido',
  }),
  otherRefusal: sentence({
    en: 'revision {revision} was refused for something else than its rows show',
    fr: 'la révision {revision} a été refusée pour autre chose que ce que montrent ses lignes',
    es: 'la revisión {revision} se rechazó por otra cosa que la que muestran sus filas',
  }),
  validNow: sentence({
    en: 'revision {revision} was refused, its rows give a valid document',
    fr: 'la révision {revision} a été refusée, ses lignes donnent un document valable',
    es: 'la revisión {revision} se rechazó, sus filas dan un documento válido',
  }),
  otherDigest: sentence({
    en: 'the content of revision {revision} has the digest {before}, its rows give {given}',
    fr: 'le contenu de la révision {revision} a l’empreinte {before}, ses lignes donnent {given}',
    es: 'el contenido de la revisión {revision} tiene la huella {before}, sus filas dan {given}',
  }),
  otherContent: sentence({
    en: 'the content of revision {revision} is not the one that its rows give',
    fr: 'le contenu de la révision {revision} n’est pas celui que donnent ses lignes',
    es: 'el contenido de la revisión {revision} no es el que dan sus filas',
  }),
  otherFacts: sentence({
    en: 'what the ledger shows of revision {revision} (number, date, amount, counterparty) is not what its rows give',
    fr: 'ce que le registre (ledger) montre de la révision {revision} (numéro, date, montant, tiers) n’est pas ce que donnent ses lignes',
    es: 'lo que el registro (ledger) muestra de la revisión {revision} (número, fecha, importe, contraparte) no es lo que dan sus filas',
  }),
};

/** What was tried, answered and decided, held against the ledger; the receipt, held against its link. */
export const COURSE = {
  recordedAs: sentence({
    en: '{act} {n} is recorded as {recorded}; what came back means {again}',
    fr: '{act} {n} est enregistré comme {recorded} ; ce qui est revenu signifie {again}',
    es: '{act} {n} está registrado como {recorded}; lo que volvió significa {again}',
  }),
  outcome: sentence({ en: '{state}', fr: '{state}', es: '{state}' }),
  outcomeWithCode: sentence({
    en: '{state} with code {code}',
    fr: '{state} avec le code {code}',
    es: '{state} con el código {code}',
  }),
  endsIn: sentence({
    en: 'it is {state}; what was tried and decided ends in {course}',
    fr: 'il est à l’état {state} ; ce qui a été tenté et décidé se termine par {course}',
    es: 'está en el estado {state}; lo que se intentó y se decidió termina en {course}',
  }),
  otherAnswer: sentence({
    en: 'its answer is {answer}; the last one that was stored is {last}',
    fr: 'sa réponse est {answer} ; la dernière qui a été conservée est {last}',
    es: 'su respuesta es {answer}; la última que se guardó es {last}',
  }),
  answer: sentence({ en: 'code {code} {message}', fr: 'code {code} {message}', es: 'código {code} {message}' }),
  linkNotInChain: sentence({
    en: 'link {n} is not in the chain',
    fr: 'le maillon {n} n’est pas dans la chaîne',
    es: 'el eslabón {n} no está en la cadena',
  }),
  noReceipt: sentence({
    en: 'it has no receipt that is in the chain',
    fr: 'il n’a pas de reçu qui soit dans la chaîne',
    es: 'no tiene ningún recibo que esté en la cadena',
  }),
  linkSays: sentence({
    en: 'link {n} is of revision {revision}, {state}, attempts: {attempts}, in {place}; the ledger has revision {own}, {is}, attempts: {tries}, for {wanted}',
    fr: 'le maillon {n} est de la révision {revision}, {state}, tentatives {attempts}, dans {place} ; le registre (ledger) a la révision {own}, {is}, tentatives {tries}, pour {wanted}',
    es: 'el eslabón {n} es de la revisión {revision}, {state}, intentos {attempts}, en {place}; el registro (ledger) tiene la revisión {own}, {is}, intentos {tries}, para {wanted}',
  }),
  olderReceipt: sentence({
    en: 'it is the receipt of link {older} ({state}, {at}); the last one is that of link {n}',
    fr: 'c’est le reçu du maillon {older} ({state}, {at}) ; le dernier est celui du maillon {n}',
    es: 'es el recibo del eslabón {older} ({state}, {at}); el último es el del eslabón {n}',
  }),
  differIn: sentence({
    en: 'the receipt and the ledger differ in: {keys}',
    fr: 'le reçu et le registre (ledger) diffèrent sur : {keys}',
    es: 'el recibo y el registro (ledger) difieren en: {keys}',
  }),
};
