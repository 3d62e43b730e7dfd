/** What is wrong with an XML file, or with one of its rows. */
import { sentence } from '../../i18n/message.ts';

export const ENCODING = {
  conflict: sentence({
    en: 'The file {one}, but {other}',
    fr: 'Le fichier {one}, mais {other}',
    es: 'El archivo {one}, pero {other}',
  }),
  declares: sentence({ en: 'declares {name}', fr: 'annonce {name}', es: 'declara {name}' }),
  written: sentence({ en: 'is written in {found}', fr: 'est écrit en {found}', es: 'está escrito en {found}' }),
  notWritten: sentence({ en: 'is not written in it', fr: 'n’est pas écrit ainsi', es: 'no está escrito así' }),
  mappingSays: sentence({
    en: 'the mapping says {setting}',
    fr: 'le fichier de correspondance indique {setting}',
    es: 'el archivo de correspondencias indica {setting}',
  }),
  correct: sentence({
    en: 'Correct the export, or the `encoding` of the mapping (leave it out to follow the file)',
    fr: 'Corrigez l’export, ou `encoding` dans le fichier de correspondance (sans lui, le fichier fait foi)',
    es: 'Corrija la exportación, o `encoding` en el archivo de correspondencias (sin él, vale lo que diga el archivo)',
  }),
  unknown: sentence({
    en: 'The file declares the encoding "{name}", which is not known here',
    fr: 'Le fichier annonce l’encodage « {name} », inconnu ici',
    es: 'El archivo declara la codificación «{name}», desconocida aquí',
  }),
  exportUtf8: sentence({ en: 'Export it in UTF-8', fr: 'Exportez-le en UTF-8', es: 'Expórtelo en UTF-8' }),
};

export const FILE = {
  unknownVersion: sentence({
    en: 'The file declares XML version {version}; only 1.0 is read, because later versions allow control characters in texts',
    fr: 'Le fichier déclare la version XML {version} ; seule la version 1.0 est lue, car les suivantes admettent des caractères de contrôle dans les textes',
    es: 'El archivo declara la versión XML {version}; solo se lee la 1.0, porque las siguientes permiten caracteres de control en los textos',
  }),
  exportVersion: sentence({
    en: 'Have it exported as XML 1.0; nothing of the file was sent',
    fr: 'Faites-le exporter en XML 1.0 ; rien du fichier n’a été envoyé',
    es: 'Hágalo exportar como XML 1.0; no se envió nada del archivo',
  }),
  malformedName: sentence({
    en: 'The file is not XML at line {line}: "{name}" is no name',
    fr: 'Le fichier n’est pas du XML à la ligne {line} : « {name} » n’est pas un nom',
    es: 'El archivo no es XML en la línea {line}: «{name}» no es un nombre',
  }),
  paddedNamespace: sentence({
    en: 'The namespace "{uri}" on line {line} begins or ends with a blank, and is another namespace for it',
    fr: 'L’espace de noms « {uri} » à la ligne {line} commence ou finit par un blanc, et en est donc un autre',
    es: 'El espacio de nombres «{uri}» en la línea {line} empieza o termina con un espacio, y por eso es otro',
  }),
  twoMarks: sentence({
    en: 'The file begins with two byte order marks',
    fr: 'Le fichier commence par deux marques d’ordre des octets (BOM)',
    es: 'El archivo empieza con dos marcas de orden de bytes (BOM)',
  }),
  exportAgain: sentence({
    en: 'Have the export corrected; nothing of the file was sent',
    fr: 'Faites corriger l’export ; rien du fichier n’a été envoyé',
    es: 'Haga corregir la exportación; no se envió nada del archivo',
  }),
  tooLate: sentence({
    en: 'The value of column "{column}" on line {line} stands after rows that need it',
    fr: 'La valeur de la colonne « {column} » à la ligne {line} vient après des lignes qui en ont besoin',
    es: 'El valor de la columna «{column}» en la línea {line} está después de filas que lo necesitan',
  }),
  setDocument: sentence({
    en: 'Set `document` to the element that holds both, so that its rows wait for the value',
    fr: 'Réglez `document` sur l’élément qui contient les deux, pour que ses lignes attendent la valeur',
    es: 'Ponga en `document` el elemento que contiene ambos, para que sus filas esperen el valor',
  }),
  tooLarge: sentence({
    en: 'The document around line {line} is larger than one document can be',
    fr: 'Le document vers la ligne {line} est plus grand qu’un document ne peut l’être',
    es: 'El documento cerca de la línea {line} es mayor de lo que puede ser un documento',
  }),
  oneDocument: sentence({
    en: 'Set `document` to the element that holds one document: the whole file is taken as one now',
    fr: 'Réglez `document` sur l’élément qui contient un document : tout le fichier est pris pour un seul',
    es: 'Ponga en `document` el elemento que contiene un documento: ahora todo el archivo se toma por uno',
  }),
  wrongRoot: sentence({
    en: 'The root element is <{name}> {within}; the mapping expects {expected} {expected-within}',
    fr: 'L’élément racine est <{name}> {within} ; le fichier de correspondance attend {expected} {expected-within}',
    es: 'El elemento raíz es <{name}> {within}; el archivo de correspondencias espera {expected} {expected-within}',
  }),
  noNamespace: sentence({ en: 'in no namespace', fr: 'sans espace de noms', es: 'sin espacio de nombres' }),
  inNamespace: sentence({
    en: 'in namespace "{uri}"',
    fr: 'dans l’espace de noms « {uri} »',
    es: 'en el espacio de nombres «{uri}»',
  }),
  takeDefaultOut: sentence({
    en: 'Take `default` out of `namespaces` in the mapping',
    fr: 'Retirez `default` de `namespaces` dans le fichier de correspondance',
    es: 'Quite `default` de `namespaces` en el archivo de correspondencias',
  }),
  withoutPrefix: sentence({
    en: 'Write the paths without {prefix} in the mapping',
    fr: 'Écrivez les chemins sans {prefix} dans le fichier de correspondance',
    es: 'Escriba las rutas sin {prefix} en el archivo de correspondencias',
  }),
  declare: sentence({
    en: 'Declare {declaration} in the mapping',
    fr: 'Déclarez {declaration} dans le fichier de correspondance',
    es: 'Declare {declaration} en el archivo de correspondencias',
  }),
  otherMapping: sentence({
    en: 'The file belongs to another mapping, or the paths must be corrected',
    fr: 'Le fichier relève d’une autre correspondance, ou les chemins sont à corriger',
    es: 'El archivo es de otra correspondencia, o hay que corregir las rutas',
  }),
  noRow: sentence({
    en: 'No row {path} is in the file, but <{name}> on line {line}, which the mapping does not read',
    fr: 'Le fichier n’a aucune ligne {path}, mais <{name}> à la ligne {line}, que le fichier de correspondance ne lit pas',
    es: 'El archivo no tiene ninguna fila {path}, pero sí <{name}> en la línea {line}, que el archivo de correspondencias no lee',
  }),
  correctRow: sentence({
    en: 'Correct `row` and `namespaces` in the mapping; if exports without rows are right, set `rows-optional: true`',
    fr: 'Corrigez `row` et `namespaces` dans le fichier de correspondance ; si des exports sans lignes sont normaux, réglez `rows-optional: true`',
    es: 'Corrija `row` y `namespaces` en el archivo de correspondencias; si es correcto que haya exportaciones sin filas, ponga `rows-optional: true`',
  }),
  textTooLong: sentence({
    en: 'On line {line} a text is longer than 32 MiB, or a comment or tag longer than 1 MiB',
    fr: 'À la ligne {line}, un texte dépasse 32 Mio, ou un commentaire ou une balise 1 Mio',
    es: 'En la línea {line}, un texto supera 32 MiB, o un comentario o una etiqueta 1 MiB',
  }),
  doctype: sentence({
    en: 'The file has a DOCTYPE, which ends on line {line}',
    fr: 'Le fichier a un DOCTYPE, qui finit à la ligne {line}',
    es: 'El archivo tiene un DOCTYPE, que termina en la línea {line}',
  }),
  noDoctype: sentence({
    en: 'A DOCTYPE can declare entities that grow without end or read other files: export without it',
    fr: 'Un DOCTYPE peut déclarer des entités qui croissent sans fin ou lisent d’autres fichiers : exportez sans lui',
    es: 'Un DOCTYPE puede declarar entidades que crecen sin fin o leen otros archivos: exporte sin él',
  }),
  tooDeep: sentence({
    en: 'More than {most} elements stand in one another',
    fr: 'Plus de {most} éléments sont imbriqués',
    es: 'Hay más de {most} elementos anidados',
  }),
  tooManyAttributes: sentence({
    en: 'An element has more than {most} attributes',
    fr: 'Un élément a plus de {most} attributs',
    es: 'Un elemento tiene más de {most} atributos',
  }),
  otherFile: sentence({
    en: 'This does not look like an export of documents: look at this line in an editor',
    fr: 'Cela ne ressemble pas à un export de documents : regardez cette ligne dans un éditeur',
    es: 'Esto no parece una exportación de documentos: mire esta línea en un editor',
  }),
};

export const ROW = {
  several: sentence({
    en: 'Column "{name}" has more than one value, the second on line {line}',
    fr: 'La colonne « {name} » a plus d’une valeur, la seconde à la ligne {line}',
    es: 'La columna «{name}» tiene más de un valor, el segundo en la línea {line}',
  }),
  chooseOne: sentence({
    en: 'Choose one by an attribute or child, as in {one} or {other}, read all of them as a list (lists), or make the repeated element the row',
    fr: 'Choisissez-en une par un attribut ou un sous-élément, comme dans {one} ou {other}, lisez-les toutes comme une liste (lists), ou faites de l’élément répété la ligne',
    es: 'Elija uno por un atributo o subelemento, como en {one} o {other}, léalos todos como una lista (lists), o haga del elemento repetido la fila',
  }),
  elementsInside: sentence({
    en: 'Column "{name}" leads to an element that holds other elements (line {line}), not a text',
    fr: 'La colonne « {name} » mène à un élément qui contient d’autres éléments (ligne {line}), et non un texte',
    es: 'La columna «{name}» lleva a un elemento que contiene otros elementos (línea {line}), no un texto',
  }),
  continuePath: sentence({
    en: 'Continue the path down to the element that holds the text',
    fr: 'Prolongez le chemin jusqu’à l’élément qui contient le texte',
    es: 'Prolongue la ruta hasta el elemento que contiene el texto',
  }),
  noRow: sentence({
    en: 'The element that starts on line {line} (level {level}) holds no row',
    fr: 'L’élément qui commence à la ligne {line} (niveau {level}) ne contient aucune ligne',
    es: 'El elemento que empieza en la línea {line} (nivel {level}) no contiene ninguna fila',
  }),
  withLines: sentence({
    en: 'Export it with its lines; if documents without lines are right, set `rows-optional: true`',
    fr: 'Exportez-le avec ses lignes ; si des documents sans lignes sont normaux, réglez `rows-optional: true`',
    es: 'Expórtelo con sus líneas; si es correcto que haya documentos sin líneas, ponga `rows-optional: true`',
  }),
};

export const PATH = {
  notFound: sentence({
    en: 'The path of column {column} ({written}) is found nowhere in this file',
    fr: 'Le chemin de la colonne {column} ({written}) ne se trouve nulle part dans ce fichier',
    es: 'La ruta de la columna {column} ({written}) no está en ninguna parte de este archivo',
  }),
  otherwise: sentence({
    en: 'correct the path under source; if its element is optional, nothing has to be done',
    fr: 'corrigez le chemin sous source ; si son élément est facultatif, il n’y a rien à faire',
    es: 'corrija la ruta en source; si su elemento es opcional, no hay nada que hacer',
  }),
  noAttribute: sentence({
    en: 'no such element has an attribute {attribute}; {otherwise}',
    fr: 'aucun de ces éléments n’a d’attribut {attribute} ; {otherwise}',
    es: 'ningún elemento así tiene un atributo {attribute}; {otherwise}',
  }),
  noElement: sentence({
    en: 'no <{name}> stands there; {otherwise}',
    fr: 'il n’y a pas de <{name}> à cet endroit ; {otherwise}',
    es: 'no hay ningún <{name}> ahí; {otherwise}',
  }),
  meantElse: sentence({
    en: 'did you mean "{near}"? Else {otherwise}',
    fr: 'vouliez-vous dire « {near} » ? Sinon, {otherwise}',
    es: '¿quiso decir «{near}»? Si no, {otherwise}',
  }),
  meantBare: sentence({
    en: 'did you mean "{near}"? <{name}> is in no namespace, so its path takes no prefix',
    fr: 'vouliez-vous dire « {near} » ? <{name}> n’a pas d’espace de noms, et son chemin pas de préfixe',
    es: '¿quiso decir «{near}»? <{name}> no tiene espacio de nombres, y su ruta no lleva prefijo',
  }),
  declarePrefix: sentence({
    en: '<{name}> is in namespace "{uri}": declare a prefix for it under namespaces',
    fr: '<{name}> est dans l’espace de noms « {uri} » : déclarez-lui un préfixe sous namespaces',
    es: '<{name}> está en el espacio de nombres «{uri}»: declare un prefijo para él en namespaces',
  }),
  meant: sentence({
    en: 'did you mean "{near}"?',
    fr: 'vouliez-vous dire « {near} » ?',
    es: '¿quiso decir «{near}»?',
  }),
};

export const BROKEN = {
  at: sentence({
    en: 'Line {line}, column {column}: {what}',
    fr: 'Ligne {line}, colonne {column} : {what}',
    es: 'Línea {line}, columna {column}: {what}',
  }),
  bareAmpersand: sentence({
    en: 'Line {line}: "{shown}" holds a bare &',
    fr: 'Ligne {line} : « {shown} » contient un & seul',
    es: 'Línea {line}: «{shown}» contiene un & suelto',
  }),
  cut: sentence({
    en: 'The file may be cut: run the export again',
    fr: 'Le fichier est peut-être tronqué : relancez l’export',
    es: 'El archivo puede estar cortado: ejecute de nuevo la exportación',
  }),
  escape: sentence({
    en: 'Write &amp; for & and &lt; for < inside texts, or put the text into a CDATA section',
    fr: 'Écrivez &amp; pour & et &lt; pour < dans les textes, ou mettez le texte dans une section CDATA',
    es: 'Escriba &amp; por & y &lt; por < en los textos, o ponga el texto en una sección CDATA',
  }),
  export: sentence({
    en: 'The export writes broken XML: have it corrected at its source',
    fr: 'L’export écrit un XML incorrect : faites-le corriger à la source',
    es: 'La exportación escribe un XML incorrecto: hágala corregir en su origen',
  }),
  joined: sentence({
    en: 'Two exports were joined: keep one',
    fr: 'Deux exports ont été réunis : gardez-en un',
    es: 'Se unieron dos exportaciones: conserve una',
  }),
  unclosed: sentence({
    en: 'the element <{name}> is never closed',
    fr: 'l’élément <{name}> n’est jamais fermé',
    es: 'el elemento <{name}> no se cierra',
  }),
  noElement: sentence({
    en: 'there is no element in it',
    fr: 'il ne contient aucun élément',
    es: 'no contiene ningún elemento',
  }),
  middle: sentence({
    en: 'it ends in the middle of an element',
    fr: 'il s’arrête au milieu d’un élément',
    es: 'termina en medio de un elemento',
  }),
  crossed: sentence({
    en: 'an element is closed while another one inside it is still open',
    fr: 'un élément est fermé alors qu’un autre, à l’intérieur, est encore ouvert',
    es: 'se cierra un elemento mientras otro dentro de él sigue abierto',
  }),
  unopened: sentence({
    en: '</{name}> closes an element that was never opened',
    fr: '</{name}> ferme un élément qui n’a jamais été ouvert',
    es: '</{name}> cierra un elemento que nunca se abrió',
  }),
  secondRoot: sentence({
    en: 'there is a second root element',
    fr: 'il y a un second élément racine',
    es: 'hay un segundo elemento raíz',
  }),
  outside: sentence({
    en: 'there is text outside the root element',
    fr: 'il y a du texte hors de l’élément racine',
    es: 'hay texto fuera del elemento raíz',
  }),
  unknownEntity: sentence({
    en: 'an entity is used that XML does not know',
    fr: 'une entité utilisée n’existe pas en XML',
    es: 'se usa una entidad que XML no conoce',
  }),
  noEntity: sentence({
    en: 'an & begins no entity',
    fr: 'un & n’ouvre aucune entité',
    es: 'un & no inicia ninguna entidad',
  }),
  malformedTag: sentence({
    en: 'a < or a tag is malformed',
    fr: 'un < ou une balise est mal formé',
    es: 'un < o una etiqueta está mal formado',
  }),
  disallowed: sentence({
    en: 'a character stands there that XML does not allow',
    fr: 'il y a là un caractère que XML n’admet pas',
    es: 'hay un carácter que XML no admite',
  }),
  attributeTwice: sentence({
    en: 'the attribute {name} is given twice',
    fr: 'l’attribut {name} est donné deux fois',
    es: 'el atributo {name} se da dos veces',
  }),
  unboundPrefix: sentence({
    en: 'the namespace prefix {name} is not declared',
    fr: 'le préfixe d’espace de noms {name} n’est pas déclaré',
    es: 'el prefijo de espacio de nombres {name} no está declarado',
  }),
  /** What the parser says in other words than those above. */
  said: sentence({ en: '{said}', fr: '{said}', es: '{said}' }),
};

/** At the top of a correction file; people must keep the comments. */
export const TO_FIX = {
  head: sentence({
    en: 'Correct the values below and drop this file into inbox/. Leave the comments with _doc, _row and _error.',
    fr: 'Corrigez les valeurs ci-dessous et déposez ce fichier dans inbox/. Laissez les commentaires avec _doc, _row et _error.',
    es: 'Corrija los valores de abajo y deposite este archivo en inbox/. Deje los comentarios con _doc, _row y _error.',
  }),
};
