/** What goes wrong in a formula with the values of some rows; what a consultant meets while writing it stays English. */
import { sentence } from '../../i18n/message.ts';

export const KINDS = {
  text: sentence({ en: 'a text', fr: 'un texte', es: 'un texto' }),
  number: sentence({ en: 'a number', fr: 'un nombre', es: 'un número' }),
  date: sentence({ en: 'a date', fr: 'une date', es: 'una fecha' }),
  boolean: sentence({ en: 'TRUE or FALSE', fr: 'TRUE ou FALSE', es: 'TRUE o FALSE' }),
  any: sentence({ en: 'a value', fr: 'une valeur', es: 'un valor' }),
  theNumber: sentence({ en: 'the number {value}', fr: 'le nombre {value}', es: 'el número {value}' }),
  theText: sentence({ en: 'the text "{value}"', fr: 'le texte « {value} »', es: 'el texto «{value}»' }),
  needs: sentence({
    en: '{source} is "{given}", and {taker} needs {kind}',
    fr: '{source} vaut « {given} », et {taker} demande {kind}',
    es: '{source} es «{given}», y {taker} necesita {kind}',
  }),
  notCompared: sentence({
    en: '{left} and {right} cannot be compared: {one} and {other}',
    fr: '{left} et {right} ne sont pas comparables : {one} et {other}',
    es: '{left} y {right} no se pueden comparar: {one} y {other}',
  }),
  differ: sentence({
    en: '{name} met values of different kinds: {one} and {other}',
    fr: '{name} a rencontré des valeurs de types différents : {one} et {other}',
    es: '{name} encontró valores de tipos distintos: {one} y {other}',
  }),
  notWritten: sentence({
    en: '"{given}" cannot be written as "{pattern}"',
    fr: '« {given} » ne peut s’écrire sous la forme « {pattern} »',
    es: '«{given}» no se puede escribir como «{pattern}»',
  }),
};

export const ARITHMETIC = {
  byZero: sentence({
    en: '{value} is divided by {divisor}, which is 0',
    fr: '{value} est divisé par {divisor}, qui vaut 0',
    es: '{value} se divide entre {divisor}, que es 0',
  }),
  sayThen: sentence({
    en: '{formula} says what is meant then',
    fr: '{formula} dit ce qu’il faut alors comprendre',
    es: '{formula} dice qué se entiende entonces',
  }),
  empty: sentence({
    en: '{source} is empty, and {formula} needs both numbers',
    fr: '{source} est vide, et {formula} demande les deux nombres',
    es: '{source} está vacío, y {formula} necesita los dos números',
  }),
  fillIn: sentence({
    en: 'fill in the cell; {formula} says what an empty one counts as',
    fr: 'remplissez la cellule ; {formula} dit ce que vaut une cellule vide',
    es: 'complete la celda; {formula} dice cuánto vale una vacía',
  }),
  nothingAtPath: sentence({
    en: 'nothing in this file so far stands at the path of {column} ({path}): correct the path under source',
    fr: 'rien jusqu’ici dans ce fichier ne se trouve au chemin de {column} ({path}) : corrigez le chemin sous source',
    es: 'nada hasta aquí en este archivo está en la ruta de {column} ({path}): corrija la ruta en source',
  }),
  tooLong: sentence({
    en: 'the formula makes a number of more than {most} digits',
    fr: 'la formule donne un nombre de plus de {most} chiffres',
    es: 'la fórmula da un número de más de {most} cifras',
  }),
  textTooLong: sentence({
    en: 'the formula makes a text of {length} characters, at most {most} are allowed',
    fr: 'la formule donne un texte de {length} caractères, {most} au plus sont admis',
    es: 'la fórmula da un texto de {length} caracteres, se admiten {most} como máximo',
  }),
};

export const DAYS = {
  tooFar: sentence({
    en: 'no date between 1900 and 2199 lies that far from {date}',
    fr: 'aucune date entre 1900 et 2199 n’est à cette distance du {date}',
    es: 'ninguna fecha entre 1900 y 2199 está a esa distancia de {date}',
  }),
  wholeDays: sentence({
    en: 'days are counted in whole numbers',
    fr: 'les jours se comptent en nombres entiers',
    es: 'los días se cuentan en números enteros',
  }),
  wholeDaysAndMonths: sentence({
    en: 'days and months are counted in whole numbers',
    fr: 'les jours et les mois se comptent en nombres entiers',
    es: 'los días y los meses se cuentan en números enteros',
  }),
  noSuch: sentence({
    en: 'there is no date of year, month, day {shown}',
    fr: 'il n’existe pas de date d’année, mois, jour {shown}',
    es: 'no existe la fecha de año, mes, día {shown}',
  }),
};

export const ARGUMENTS = {
  decimals: sentence({
    en: 'decimals must be a whole number from {least} to {most}, not {given}',
    fr: 'le nombre de décimales doit être un entier de {least} à {most}, et non {given}',
    es: 'los decimales deben ser un número entero de {least} a {most}, no {given}',
  }),
  taxInAmount: sentence({
    en: 'a tax of {rate} % cannot be part of an amount',
    fr: 'une taxe de {rate} % ne peut faire partie d’un montant',
    es: 'un impuesto de {rate} % no puede ser parte de un importe',
  }),
  tooLargeForWords: sentence({
    en: '{amount} is too large to be written in words',
    fr: '{amount} est trop grand pour être écrit en lettres',
    es: '{amount} es demasiado grande para escribirse en letras',
  }),
  priceDecimals: sentence({
    en: 'a price has 0 to 12 decimals',
    fr: 'un prix a de 0 à 12 décimales',
    es: 'un precio tiene de 0 a 12 decimales',
  }),
  priceBase: sentence({
    en: '{base} cannot be the quantity of a price',
    fr: '{base} ne peut être la quantité d’un prix',
    es: '{base} no puede ser la cantidad de un precio',
  }),
  filler: sentence({
    en: 'PAD-LEFT fills with one character, not with "{filler}"',
    fr: 'PAD-LEFT complète avec un seul caractère, et non avec « {filler} »',
    es: 'PAD-LEFT rellena con un solo carácter, no con «{filler}»',
  }),
  position: sentence({
    en: 'a position or count must be a whole number from {least}, not {given}',
    fr: 'une position ou un nombre de caractères est un entier à partir de {least}, et non {given}',
    es: 'una posición o cantidad debe ser un número entero desde {least}, no {given}',
  }),
};

export const UNITS = {
  noCode: sentence({
    en: '{list} has no code for the unit "{text}"',
    fr: '{list} n’a pas de code pour l’unité « {text} »',
    es: '{list} no tiene código para la unidad «{text}»',
  }),
  unknown: sentence({
    en: '"{text}" is no unit that is known',
    fr: '« {text} » n’est pas une unité connue',
    es: '«{text}» no es una unidad conocida',
  }),
  ownTable: sentence({
    en: 'put it into a table of your own: {lookup}; or name the code for every other unit as the second argument',
    fr: 'ajoutez-la à une table à vous : {lookup} ; ou donnez en second argument le code de toute autre unité',
    es: 'añádala a una tabla propia: {lookup}; o dé como segundo argumento el código de toda otra unidad',
  }),
};

export const IDENTIFIERS = {
  noSirenSiretVat: sentence({
    en: '"{text}" is no SIREN, SIRET or French VAT number',
    fr: '« {text} » n’est ni un SIREN, ni un SIRET, ni un numéro de TVA français',
    es: '«{text}» no es un SIREN, un SIRET ni un número de IVA francés',
  }),
  noSirenSiret: sentence({
    en: '"{text}" is no SIREN or SIRET',
    fr: '« {text} » n’est ni un SIREN ni un SIRET',
    es: '«{text}» no es un SIREN ni un SIRET',
  }),
  sirenDigits: sentence({
    en: 'correct the cell: a SIREN has 9 digits, a SIRET 14, a French VAT number FR and 11 digits',
    fr: 'corrigez la cellule : un SIREN a 9 chiffres, un SIRET 14, un numéro de TVA français FR et 11 chiffres',
    es: 'corrija la celda: un SIREN tiene 9 dígitos, un SIRET 14, un número de IVA francés FR y 11 dígitos',
  }),
  duiDigits: sentence({
    en: 'correct the cell: a DUI has 8 digits, a hyphen and a check digit',
    fr: 'corrigez la cellule : un DUI a 8 chiffres, un tiret et un chiffre de contrôle',
    es: 'corrija la celda: un DUI tiene 8 dígitos, un guion y un dígito verificador',
  }),
  noDui: sentence({ en: '"{text}" is no DUI', fr: '« {text} » n’est pas un DUI', es: '«{text}» no es un DUI' }),
};

export const SHARES = {
  noRow: sentence({
    en: 'ALLOCATE gives the part of one row or group, and there is none here',
    fr: 'ALLOCATE donne la part d’une ligne ou d’un groupe, et il n’y en a pas ici',
    es: 'ALLOCATE da la parte de una fila o un grupo, y aquí no hay ninguno',
  }),
  useInside: sentence({
    en: 'use it inside each: row or each: rows by Column, or in a calculated column and add that up with SUM',
    fr: 'utilisez-la dans each: row ou each: rows by Colonne, ou dans une colonne calculée que SUM additionne',
    es: 'úsela dentro de each: row o each: rows by Columna, o en una columna calculada que SUM sume',
  }),
  tooFine: sentence({
    en: '{total} cannot be shared out in parts of {places} decimals',
    fr: '{total} ne peut être réparti en parts de {places} décimales',
    es: '{total} no se puede repartir en partes de {places} decimales',
  }),
  roundTotal: sentence({
    en: 'round the total first',
    fr: 'arrondissez d’abord le total',
    es: 'redondee primero el total',
  }),
  nothing: sentence({
    en: '{total} cannot be shared out: the weights add up to 0',
    fr: '{total} ne peut être réparti : la somme des poids est 0',
    es: '{total} no se puede repartir: los pesos suman 0',
  }),
  correctWeights: sentence({
    en: 'correct the weights, or say with IF what is meant then',
    fr: 'corrigez les poids, ou dites avec IF ce qu’il faut alors comprendre',
    es: 'corrija los pesos, o diga con IF qué se entiende entonces',
  }),
};
