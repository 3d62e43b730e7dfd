/** What is wrong with the shape of a document, and with what identifies it. */
import { type Sentence, sentence } from '../../i18n/message.ts';

export const SHAPE = {
  misfit: sentence({ en: '{field}: {value} {says}', fr: '{field} : {value} {says}', es: '{field}: {value} {says}' }),
  document: sentence({ en: 'the document', fr: 'le document', es: 'el documento' }),
  list: sentence({ en: 'a list', fr: 'une liste', es: 'una lista' }),
  block: sentence({ en: 'a block of fields', fr: 'un bloc de champs', es: 'un bloque de campos' }),
  nothing: sentence({ en: 'nothing', fr: 'rien', es: 'nada' }),
  text: sentence({ en: '"{text}"', fr: '« {text} »', es: '«{text}»' }),
  nextNumber: sentence({
    en: 'the next number of sequence "{sequence}"',
    fr: 'le prochain numéro de la séquence « {sequence} »',
    es: 'el siguiente número de la secuencia «{sequence}»',
  }),
  leaveOut: sentence({
    en: 'leave the field out where there is no value',
    fr: 'omettez le champ quand il n’a pas de valeur',
    es: 'omita el campo cuando no tiene valor',
  }),
  unknownAtTop: sentence({
    en: 'there is no field {name} at the top of the document',
    fr: 'il n’y a pas de champ {name} au premier niveau du document',
    es: 'no existe el campo {name} en el primer nivel del documento',
  }),
  unknownIn: sentence({
    en: 'there is no field {name} in {place}',
    fr: 'il n’y a pas de champ {name} dans {place}',
    es: 'no existe el campo {name} en {place}',
  }),
  meant: sentence({
    en: 'did you mean "{meant}"?',
    fr: 'vouliez-vous dire « {meant} » ?',
    es: '¿quiso decir «{meant}»?',
  }),
  fieldsHere: sentence({
    en: 'fields here: {fields}',
    fr: 'champs possibles : {fields}',
    es: 'campos posibles: {fields}',
  }),
};

type Misfit = { readonly says: Sentence; readonly hint: Sentence };

export const MISFITS = {
  'not-text': {
    says: sentence({ en: 'is not text', fr: 'n’est pas un texte', es: 'no es un texto' }),
    hint: sentence({
      en: 'identifiers and codes are text, even where they look like numbers',
      fr: 'les identifiants et les codes sont des textes, même quand ils ressemblent à des nombres',
      es: 'los identificadores y códigos son textos, aunque parezcan números',
    }),
  },
  'not-a-number': {
    says: sentence({ en: 'is not a number', fr: 'n’est pas un nombre', es: 'no es un número' }),
    hint: sentence({
      en: 'declare its column as number in the mapping, or correct the cell',
      fr: 'déclarez sa colonne comme number dans le fichier de correspondance, ou corrigez la cellule',
      es: 'declare su columna como number en el archivo de correspondencias, o corrija la celda',
    }),
  },
  'not-an-integer': {
    says: sentence({ en: 'is not a whole number', fr: 'n’est pas un nombre entier', es: 'no es un número entero' }),
    hint: sentence({
      en: 'this field takes no decimals and no text',
      fr: 'ce champ n’accepte ni décimales ni texte',
      es: 'este campo no admite decimales ni texto',
    }),
  },
  'not-true-or-false': {
    says: sentence({
      en: 'is neither true nor false',
      fr: 'n’est ni true ni false',
      es: 'no es true ni false',
    }),
    hint: sentence({
      en: 'write true or false, without quotes',
      fr: 'écrivez true ou false, sans guillemets',
      es: 'escriba true o false, sin comillas',
    }),
  },
  'not-a-date': {
    says: sentence({
      en: 'is not a date of the calendar',
      fr: 'n’est pas une date du calendrier',
      es: 'no es una fecha del calendario',
    }),
    hint: sentence({
      en: 'a date reads YYYY-MM-DD: declare its column as date in the mapping, or correct the cell',
      fr: 'une date s’écrit AAAA-MM-JJ : déclarez sa colonne comme date dans le fichier de correspondance, ou corrigez la cellule',
      es: 'una fecha se escribe AAAA-MM-DD: declare su columna como date en el archivo de correspondencias, o corrija la celda',
    }),
  },
  'not-a-date-time': {
    says: sentence({
      en: 'is not a date with its time',
      fr: 'n’est pas une date avec son heure',
      es: 'no es una fecha con su hora',
    }),
    hint: sentence({
      en: 'it reads YYYY-MM-DDThh:mm:ss, and a zone such as Z or +02:00 may follow',
      fr: 'elle s’écrit AAAA-MM-JJThh:mm:ss, éventuellement suivie d’un fuseau comme Z ou +02:00',
      es: 'se escribe AAAA-MM-DDThh:mm:ss, y puede seguir una zona como Z o +02:00',
    }),
  },
  'not-a-local-date-time': {
    says: sentence({
      en: 'is not a date with its time, without zone',
      fr: 'n’est pas une date avec son heure, sans fuseau',
      es: 'no es una fecha con su hora, sin zona',
    }),
    hint: sentence({
      en: 'it reads YYYY-MM-DDThh:mm:ss with nothing after it',
      fr: 'elle s’écrit AAAA-MM-JJThh:mm:ss, sans rien après',
      es: 'se escribe AAAA-MM-DDThh:mm:ss, sin nada después',
    }),
  },
  'not-base64': {
    says: sentence({ en: 'is not Base64', fr: 'n’est pas du Base64', es: 'no es Base64' }),
    hint: sentence({
      en: 'give the content of the file with data: = FILE-CONTENT()',
      fr: 'donnez le contenu du fichier avec data: = FILE-CONTENT()',
      es: 'dé el contenido del archivo con data: = FILE-CONTENT()',
    }),
  },
  'not-json': {
    says: sentence({
      en: 'holds what JSON cannot carry',
      fr: 'contient ce que JSON ne peut pas transporter',
      es: 'contiene lo que JSON no puede llevar',
    }),
    hint: sentence({
      en: 'give texts, numbers, true or false, lists and blocks of these, without NUL characters',
      fr: 'donnez des textes, des nombres, true ou false, des listes et des blocs de ceux-ci, sans caractère NUL',
      es: 'dé textos, números, true o false, listas y bloques de ellos, sin caracteres NUL',
    }),
  },
  'not-a-list': {
    says: sentence({ en: 'is not a list', fr: 'n’est pas une liste', es: 'no es una lista' }),
    hint: sentence({
      en: 'write the entries of this field as a list, each with a leading "-"',
      fr: 'écrivez les entrées de ce champ en liste, chacune précédée de « - »',
      es: 'escriba las entradas de este campo como lista, cada una precedida de «-»',
    }),
  },
  'not-an-object': {
    says: sentence({
      en: 'is not a block of fields',
      fr: 'n’est pas un bloc de champs',
      es: 'no es un bloque de campos',
    }),
    hint: sentence({
      en: 'this field has fields of its own: indent them below it',
      fr: 'ce champ a ses propres champs : indentez-les au-dessous',
      es: 'este campo tiene campos propios: sángrelos debajo de él',
    }),
  },
  'not-text-or-object': {
    says: sentence({
      en: 'is neither text nor a block of fields',
      fr: 'n’est ni un texte ni un bloc de champs',
      es: 'no es un texto ni un bloque de campos',
    }),
    hint: sentence({
      en: 'give a text, or fields of its own',
      fr: 'donnez un texte, ou des champs',
      es: 'dé un texto, o campos propios',
    }),
  },
  'unusable-text': {
    says: sentence({
      en: 'holds a character that no document can carry',
      fr: 'contient un caractère qu’aucun document ne peut porter',
      es: 'contiene un carácter que ningún documento puede llevar',
    }),
    hint: sentence({
      en: 'look for damaged characters in the cell; the encoding of the file may be declared wrongly',
      fr: 'cherchez des caractères abîmés dans la cellule ; l’encodage du fichier est peut-être mal déclaré',
      es: 'busque caracteres dañados en la celda; la codificación del archivo puede estar mal declarada',
    }),
  },
} satisfies { readonly [word: string]: Misfit };

export const DRAFT = {
  nothing: sentence({
    en: 'the mapping made no field of this document: there is nothing to send',
    fr: 'le fichier de correspondance n’a produit aucun champ de ce document : il n’y a rien à envoyer',
    es: 'el archivo de correspondencias no produjo ningún campo de este documento: no hay nada que enviar',
  }),
  lookAtPreview: sentence({
    en: 'look at the output of preview for these rows: are their columns empty?',
    fr: 'regardez ce que donne preview pour ces lignes : leurs colonnes sont-elles vides ?',
    es: 'mire lo que da preview para esas filas: ¿están vacías sus columnas?',
  }),
  unknownClass: sentence({
    en: '"{given}" is not a class of {kind}',
    fr: '« {given} » n’est pas une classe de {kind}',
    es: '«{given}» no es una clase de {kind}',
  }),
  classes: sentence({ en: 'classes: {classes}', fr: 'classes : {classes}', es: 'clases: {classes}' }),
  fileNotAccepted: sentence({
    en: '{kind} is sent as fields only, not as an encoded file',
    fr: '{kind} s’envoie en champs seulement, et non comme fichier encodé',
    es: '{kind} se envía solo como campos, no como archivo codificado',
  }),
  takeFileOut: sentence({
    en: 'take content: file out of the mapping',
    fr: 'retirez content: file du fichier de correspondance',
    es: 'quite content: file del archivo de correspondencias',
  }),
  noData: sentence({
    en: 'data is missing: the encoded file has no content',
    fr: 'data manque : le fichier encodé n’a pas de contenu',
    es: 'falta data: el archivo codificado no tiene contenido',
  }),
  isItEmpty: sentence({
    en: 'is the file in the inbox empty?',
    fr: 'le fichier de la boîte de réception (inbox) est-il vide ?',
    es: '¿está vacío el archivo de la bandeja de entrada (inbox)?',
  }),
  placeholder: sentence({
    en: '{field} still holds the placeholder "{text}" of the draft',
    fr: '{field} contient encore « {text} », le texte provisoire du brouillon',
    es: '{field} todavía contiene «{text}», el texto provisional del borrador',
  }),
  formula: sentence({
    en: '{field} is a formula of a spreadsheet, not a text: "{text}"',
    fr: '{field} est une formule de tableur, et non un texte : « {text} »',
    es: '{field} es una fórmula de hoja de cálculo, no un texto: «{text}»',
  }),
  writeShown: sentence({
    en: 'write the text that the cell showed, in the ERP or in the export: the receiver gets the formula as it stands, and a spreadsheet that opens it may run it',
    fr: 'écrivez le texte que la cellule affichait, dans l’ERP ou dans l’export : le destinataire reçoit la formule telle quelle, et un tableur qui l’ouvre peut l’exécuter',
    es: 'escriba el texto que mostraba la celda, en el ERP o en la exportación: el receptor recibe la fórmula tal cual, y una hoja de cálculo que la abra puede ejecutarla',
  }),
  fillIn: sentence({
    en: 'fill it in in the mapping: put the real value in place of the placeholder',
    fr: 'renseignez-le dans le fichier de correspondance : mettez la vraie valeur à la place du texte provisoire',
    es: 'complételo en el archivo de correspondencias: ponga el valor real en lugar del texto provisional',
  }),
};

export const IDENTITY = {
  emptyNumber: sentence({
    en: 'the document has no number: the cell it is taken from is empty',
    fr: 'le document n’a pas de numéro : la cellule d’où il vient est vide',
    es: 'el documento no tiene número: la celda de donde se toma está vacía',
  }),
  emptyDate: sentence({
    en: 'the document has no date: the cell it is taken from is empty',
    fr: 'le document n’a pas de date : la cellule d’où elle vient est vide',
    es: 'el documento no tiene fecha: la celda de donde se toma está vacía',
  }),
  fillCell: sentence({ en: 'fill in the cell', fr: 'remplissez la cellule', es: 'complete la celda' }),
  asFile: sentence({
    en: 'a document sent as a file shows no number',
    fr: 'un document envoyé comme fichier ne montre pas de numéro',
    es: 'un documento enviado como archivo no muestra número',
  }),
  fromSequence: sentence({
    en: 'the number comes from a sequence',
    fr: 'le numéro vient d’une séquence',
    es: 'el número viene de una secuencia',
  }),
  sentTwice: sentence({
    en: '{why}, so nothing would keep the same rows from being sent twice',
    fr: '{why} : rien n’empêcherait d’envoyer deux fois les mêmes lignes',
    es: '{why}: nada impediría enviar dos veces las mismas filas',
  }),
  neverTwice: sentence({
    en: 'list the columns that identify the document under never-twice in the mapping',
    fr: 'indiquez sous never-twice, dans le fichier de correspondance, les colonnes qui identifient le document',
    es: 'indique en never-twice, en el archivo de correspondencias, las columnas que identifican el documento',
  }),
  issuer: sentence({
    en: 'nothing says who issues the document: without it nothing would keep it from being sent twice',
    fr: 'rien ne dit qui émet le document : sans cela, rien n’empêcherait de l’envoyer deux fois',
    es: 'nada dice quién emite el documento: sin ello nada impediría enviarlo dos veces',
  }),
  number: sentence({
    en: 'the document has no number: without it nothing would keep it from being sent twice',
    fr: 'le document n’a pas de numéro : sans lui, rien n’empêcherait de l’envoyer deux fois',
    es: 'el documento no tiene número: sin él nada impediría enviarlo dos veces',
  }),
  date: sentence({
    en: 'the document has no date, and numbers may restart every year: without it nothing would keep it from being sent twice',
    fr: 'le document n’a pas de date, et les numéros peuvent recommencer chaque année : sans elle, rien n’empêcherait de l’envoyer deux fois',
    es: 'el documento no tiene fecha, y los números pueden reiniciarse cada año: sin ella nada impediría enviarlo dos veces',
  }),
  fillField: sentence({
    en: 'fill {field}, or {otherwise}',
    fr: 'renseignez {field}, ou {otherwise}',
    es: 'complete {field}, o {otherwise}',
  }),
  twoSequences: sentence({
    en: 'a second sequence "{sequence}": a document takes its number from one',
    fr: 'une seconde séquence « {sequence} » : un document ne prend son numéro que d’une',
    es: 'una segunda secuencia «{sequence}»: un documento toma su número de una sola',
  }),
  oneSequence: sentence({
    en: 'use one sequence for every place of the number',
    fr: 'utilisez une seule séquence partout où figure le numéro',
    es: 'use una sola secuencia en todos los lugares del número',
  }),
};
