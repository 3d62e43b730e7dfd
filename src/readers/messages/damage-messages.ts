/** What a spreadsheet has done to a cell. */
import { sentence } from '../../i18n/message.ts';

export const DAMAGE = {
  error: sentence({
    en: 'a formula that failed',
    fr: 'une formule en erreur',
    es: 'una fórmula con error',
  }),
  garbled: sentence({
    en: 'letters that were read in the wrong encoding',
    fr: 'des lettres lues dans un mauvais encodage',
    es: 'letras leídas con una codificación equivocada',
  }),
  exponent: sentence({ en: 'scientific notation', fr: 'notation scientifique', es: 'notación científica' }),
  codeAsNumber: sentence({
    en: 'a code with an E in it, read as a number',
    fr: 'un code contenant un E, lu comme un nombre',
    es: 'un código con una E, leído como número',
  }),
  zerosGone: sentence({
    en: 'the zeros at its start are gone',
    fr: 'les zéros du début ont disparu',
    es: 'los ceros del principio han desaparecido',
  }),
  rounded: sentence({
    en: 'more than 15 digits, the last ones are zeros now',
    fr: 'plus de 15 chiffres, les derniers sont devenus des zéros',
    es: 'más de 15 cifras, las últimas son ahora ceros',
  }),
  turned: sentence({
    en: 'a date with day and month exchanged',
    fr: 'une date dont le jour et le mois sont inversés',
    es: 'una fecha con el día y el mes cambiados',
  }),
  dateAgain: sentence({
    en: 'a date written another way',
    fr: 'une date écrite autrement',
    es: 'una fecha escrita de otro modo',
  }),
  serial: sentence({
    en: 'a date as the number of its day',
    fr: 'une date donnée par son numéro de jour',
    es: 'una fecha como número de su día',
  }),
  madeDate: sentence({
    en: 'a code that was taken for a date',
    fr: 'un code pris pour une date',
    es: 'un código tomado por una fecha',
  }),
  timeAgain: sentence({
    en: 'a time written another way',
    fr: 'une heure écrite autrement',
    es: 'una hora escrita de otro modo',
  }),
  truth: sentence({
    en: 'true or false in another language or in capitals',
    fr: 'vrai ou faux dans une autre langue ou en majuscules',
    es: 'verdadero o falso en otro idioma o en mayúsculas',
  }),
  plusGone: sentence({
    en: 'the plus sign of a telephone number is gone',
    fr: 'le signe plus d’un numéro de téléphone a disparu',
    es: 'el signo más de un número de teléfono ha desaparecido',
  }),
  apostrophe: sentence({
    en: 'an apostrophe that a spreadsheet writes for text',
    fr: 'une apostrophe qu’un tableur écrit pour un texte',
    es: 'un apóstrofo que una hoja de cálculo escribe para un texto',
  }),
  marks: sentence({
    en: 'other quotation marks or dashes',
    fr: 'd’autres guillemets ou tirets',
    es: 'otras comillas o guiones',
  }),
  formula: sentence({
    en: 'a value that was run as a formula',
    fr: 'une valeur exécutée comme une formule',
    es: 'un valor ejecutado como fórmula',
  }),
  brackets: sentence({
    en: 'a number in brackets, read as negative',
    fr: 'un nombre entre parenthèses, lu comme négatif',
    es: 'un número entre paréntesis, leído como negativo',
  }),
  minusBehind: sentence({
    en: 'a minus sign that stood behind its number',
    fr: 'un signe moins qui suivait son nombre',
    es: 'un signo menos que estaba detrás de su número',
  }),
  percentage: sentence({ en: 'a percentage', fr: 'un pourcentage', es: 'un porcentaje' }),
  currency: sentence({
    en: 'a sign of a currency was added',
    fr: 'un symbole de monnaie a été ajouté',
    es: 'se añadió un símbolo de moneda',
  }),
  decimalGone: sentence({
    en: 'the decimal sign is gone',
    fr: 'le séparateur décimal a disparu',
    es: 'el separador decimal ha desaparecido',
  }),
  thousands: sentence({
    en: 'blanks between thousands',
    fr: 'des espaces entre les milliers',
    es: 'espacios entre los miles',
  }),
  otherDecimal: sentence({
    en: 'another decimal sign, or zeros at the end of a number',
    fr: 'un autre séparateur décimal, ou des zéros à la fin d’un nombre',
    es: 'otro separador decimal, o ceros al final de un número',
  }),
  lessPrecise: sentence({
    en: 'a number that was rounded',
    fr: 'un nombre qui a été arrondi',
    es: 'un número que se redondeó',
  }),
  fraction: sentence({
    en: 'a fraction that was worked out',
    fr: 'une fraction qui a été calculée',
    es: 'una fracción que se calculó',
  }),
  cutOff: sentence({
    en: 'the end of a long text was cut off',
    fr: 'la fin d’un long texte a été coupée',
    es: 'se cortó el final de un texto largo',
  }),
  blanks: sentence({ en: 'blanks inside it', fr: 'des espaces à l’intérieur', es: 'espacios en su interior' }),
  replaced: sentence({
    en: 'letters the encoding does not have',
    fr: 'des lettres que l’encodage n’a pas',
    es: 'letras que la codificación no tiene',
  }),
};
