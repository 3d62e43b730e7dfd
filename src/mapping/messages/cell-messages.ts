/** What is wrong with a cell: numbers, dates, texts of a known form, codes of tables, values that no field takes. */
import { sentence } from '../../i18n/message.ts';

export const CORRECT = {
  exportAgain: sentence({
    en: 'export the file again, or take the value from the ERP',
    fr: 'refaites l’export, ou reprenez la valeur de l’ERP',
    es: 'exporte de nuevo el archivo, o tome el valor del ERP',
  }),
  write: sentence({ en: 'write {suggestion}', fr: 'écrivez {suggestion}', es: 'escriba {suggestion}' }),
  writeElse: sentence({
    en: 'write {suggestion}; else {otherwise}',
    fr: 'écrivez {suggestion} ; sinon {otherwise}',
    es: 'escriba {suggestion}; si no, {otherwise}',
  }),
  cellOrType: sentence({
    en: 'correct the cell, or the type of its column under source',
    fr: 'corrigez la cellule, ou le type de sa colonne sous source',
    es: 'corrija la celda, o el tipo de su columna en source',
  }),
};

export const NUMBERS = {
  damaged: sentence({
    en: '"{text}" was changed by a spreadsheet: restore all its digits',
    fr: '« {text} » a été modifié par un tableur : rétablissez tous ses chiffres',
    es: 'una hoja de cálculo alteró «{text}»: restablezca todas sus cifras',
  }),
  no: sentence({
    en: '"{text}" is not a number',
    fr: '« {text} » n’est pas un nombre',
    es: '«{text}» no es un número',
  }),
  otherMark: sentence({
    en: '"{text}" is not a number (this file uses "{mark}" for decimals)',
    fr: '« {text} » n’est pas un nombre (le séparateur décimal de ce fichier est « {mark} »)',
    es: '«{text}» no es un número (el separador decimal de este archivo es «{mark}»)',
  }),
  digitsAlone: sentence({
    en: '"{text}" is not a number written as digits alone (its last {places} are decimals)',
    fr: '« {text} » n’est pas un nombre écrit en chiffres seuls (les {places} derniers sont les décimales)',
    es: '«{text}» no es un número escrito solo con cifras (las últimas {places} son los decimales)',
  }),
  addThousands: sentence({
    en: 'correct the cell; if "{mark}" stands between thousands here, add it to numbers: thousands',
    fr: 'corrigez la cellule ; si « {mark} » sépare ici les milliers, ajoutez-le à numbers: thousands',
    es: 'corrija la celda; si «{mark}» separa aquí los miles, añádalo a numbers: thousands',
  }),
  cellOrMark: sentence({
    en: 'correct the cell, or the decimal mark in the mapping if all are written so',
    fr: 'corrigez la cellule, ou le séparateur décimal du fichier de correspondance si tous les nombres sont écrits ainsi',
    es: 'corrija la celda, o el separador decimal del archivo de correspondencias si todos se escriben así',
  }),
  stranger: sentence({
    en: '"{character}" does not belong in a number',
    fr: '« {character} » n’a pas sa place dans un nombre',
    es: '«{character}» no puede estar en un número',
  }),
  currency: sentence({
    en: '"{character}" does not belong in a number; if this export writes it with its amounts, add numbers: currency-sign',
    fr: '« {character} » n’a pas sa place dans un nombre ; si cet export l’écrit avec ses montants, ajoutez numbers: currency-sign',
    es: '«{character}» no puede estar en un número; si esta exportación lo escribe con sus importes, añada numbers: currency-sign',
  }),
  otherCurrency: sentence({
    en: 'amounts of this file are written with "{sign}", and "{character}" is another currency: correct the cell',
    fr: 'les montants de ce fichier s’écrivent avec « {sign} », et « {character} » est une autre devise : corrigez la cellule',
    es: 'los importes de este archivo se escriben con «{sign}», y «{character}» es otra moneda: corrija la celda',
  }),
};

export const DATES = {
  impossible: sentence({
    en: '"{text}" is not a date: {why}',
    fr: '« {text} » n’est pas une date : {why}',
    es: '«{text}» no es una fecha: {why}',
  }),
  year: sentence({
    en: 'the year {year} is not between {first} and {last}',
    fr: 'l’année {year} n’est pas comprise entre {first} et {last}',
    es: 'el año {year} no está entre {first} y {last}',
  }),
  month: sentence({
    en: 'there is no month {month}',
    fr: 'le mois {month} n’existe pas',
    es: 'no existe el mes {month}',
  }),
  day: sentence({
    en: 'there is no day {day} in {month}',
    fr: 'il n’y a pas de jour {day} en {month}',
    es: 'no existe el día {day} en {month}',
  }),
  time: sentence({
    en: 'there is no such time of day',
    fr: 'cette heure n’existe pas',
    es: 'esa hora no existe',
  }),
  otherPattern: sentence({
    en: '"{text}" is not a date (this file writes dates as {pattern})',
    fr: '« {text} » n’est pas une date (dans ce fichier, les dates s’écrivent {pattern})',
    es: '«{text}» no es una fecha (en este archivo las fechas se escriben {pattern})',
  }),
  noSerial: sentence({
    en: '"{text}" is not a date (this file writes dates as a spreadsheet counts days)',
    fr: '« {text} » n’est pas une date (ce fichier compte les jours comme un tableur)',
    es: '«{text}» no es una fecha (este archivo cuenta los días como una hoja de cálculo)',
  }),
  serialOf: sentence({
    en: 'this is how a spreadsheet counts days, and it stands for {suggestion}: write that, or export the column as a date again',
    fr: 'c’est ainsi qu’un tableur compte les jours, et cela correspond à {suggestion} : écrivez cette date, ou exportez de nouveau la colonne comme date',
    es: 'así cuenta los días una hoja de cálculo, y corresponde a {suggestion}: escriba esa fecha, o exporte de nuevo la columna como fecha',
  }),
  serial: sentence({
    en: 'this is how a spreadsheet counts days: export the column as a date again',
    fr: 'c’est ainsi qu’un tableur compte les jours : exportez de nouveau la colonne comme date',
    es: 'así cuenta los días una hoja de cálculo: exporte de nuevo la columna como fecha',
  }),
};

export const FORMS = {
  digits: sentence({ en: '{count} digits', fr: '{count} chiffres', es: '{count} dígitos' }),
  someDigits: sentence({
    en: '{least} to {most} digits',
    fr: '{least} à {most} chiffres',
    es: '{least} a {most} dígitos',
  }),
  lostZeros: sentence({
    en: '"{text}" has {count} of {wanted}: a spreadsheet may have dropped zeros at its start',
    fr: '« {text} » n’a que {count} des {wanted} attendus : un tableur a pu supprimer des zéros au début',
    es: '«{text}» solo tiene {count} de {wanted}: una hoja de cálculo pudo quitar ceros al principio',
  }),
  restoreCell: sentence({
    en: 'format the column as text in the spreadsheet and restore the cell',
    fr: 'mettez la colonne au format texte dans le tableur et rétablissez la cellule',
    es: 'dé formato de texto a la columna en la hoja de cálculo y restablezca la celda',
  }),
  writeAndFormat: sentence({
    en: 'write {suggestion}, and format the column as text in the spreadsheet',
    fr: 'écrivez {suggestion}, et mettez la colonne au format texte dans le tableur',
    es: 'escriba {suggestion}, y dé formato de texto a la columna en la hoja de cálculo',
  }),
  notDigits: sentence({
    en: '"{text}" is not {wanted}',
    fr: '« {text} » n’est pas formé de {wanted}',
    es: '«{text}» no consta de {wanted}',
  }),
  noVat: sentence({
    en: '"{text}" is not a VAT number (two capital letters, then up to 13 letters and digits)',
    fr: '« {text} » n’est pas un numéro de TVA (deux majuscules, puis 13 lettres et chiffres au plus)',
    es: '«{text}» no es un número de IVA (dos mayúsculas y hasta 13 letras y cifras)',
  }),
  noDui: sentence({
    en: '"{text}" is not a DUI (8 digits, a hyphen and a check digit)',
    fr: '« {text} » n’est pas un DUI (8 chiffres, un tiret et un chiffre de contrôle)',
    es: '«{text}» no es un DUI (8 dígitos, un guion y un dígito verificador)',
  }),
  damagedDigits: sentence({
    en: '"{text}" was changed by a spreadsheet: restore the {wanted}',
    fr: '« {text} » a été modifié par un tableur : rétablissez les {wanted}',
    es: 'una hoja de cálculo alteró «{text}»: restablezca los {wanted}',
  }),
  damagedVat: sentence({
    en: '"{text}" was changed by a spreadsheet: restore the VAT number',
    fr: '« {text} » a été modifié par un tableur : rétablissez le numéro de TVA',
    es: 'una hoja de cálculo alteró «{text}»: restablezca el número de IVA',
  }),
  damagedDui: sentence({
    en: '"{text}" was changed by a spreadsheet: restore the DUI',
    fr: '« {text} » a été modifié par un tableur : rétablissez le DUI',
    es: 'una hoja de cálculo alteró «{text}»: restablezca el DUI',
  }),
};

export const TABLES = {
  notIn: sentence({
    en: '"{given}" is not in table {table} (known: {known})',
    fr: '« {given} » n’est pas dans la table {table} (codes connus : {known})',
    es: '«{given}» no está en la tabla {table} (códigos conocidos: {known})',
  }),
  codes: sentence({ en: '... {count} codes', fr: '… {count} codes', es: '… {count} códigos' }),
  cellOrTable: sentence({
    en: 'correct the cell, or add the code to the table',
    fr: 'corrigez la cellule, ou ajoutez le code à la table',
    es: 'corrija la celda, o añada el código a la tabla',
  }),
  noSuchClass: sentence({
    en: 'correct the cell if it is wrong; a pro forma, a debit note, an order, a delivery note or a statement is no invoice: keep it out of the export, or leave its rows out in the mapping; a kind of invoice or credit note that the table lacks needs its own entry, with the class that it really has',
    fr: 'corrigez la cellule si elle est fausse ; une facture pro forma, une note de débit, une commande, un bon de livraison ou un relevé n’est pas une facture : retirez-le de l’export, ou écartez ses lignes dans le mapping ; un type de facture ou d’avoir absent de la table demande sa propre entrée, avec la classe qui est réellement la sienne',
    es: 'corrija la celda si está mal; una factura proforma, una nota de débito, un pedido, una nota de entrega o un extracto no es una factura: déjelo fuera de la exportación, o excluya sus filas en el mapping; un tipo de factura o de nota de crédito que falta en la tabla necesita su propia entrada, con la clase que realmente tiene',
  }),
  meant: sentence({
    en: 'did you mean "{near}"? Else add the code to the table',
    fr: 'vouliez-vous dire « {near} » ? Sinon, ajoutez le code à la table',
    es: '¿quiso decir «{near}»? Si no, añada el código a la tabla',
  }),
  noDate: sentence({
    en: 'table {table} has validity dates, and the date for "{given}" is empty',
    fr: 'la table {table} a des dates de validité, et la date pour « {given} » est vide',
    es: 'la tabla {table} tiene fechas de vigencia, y la fecha de «{given}» está vacía',
  }),
  notThen: sentence({
    en: '"{given}" has no value in table {table} on {day} (it has: {periods})',
    fr: '« {given} » n’a pas de valeur dans la table {table} au {day} (périodes connues : {periods})',
    es: '«{given}» no tiene valor en la tabla {table} el {day} (periodos conocidos: {periods})',
  }),
  dateOrRow: sentence({
    en: 'correct the date, or add a row for that time to the table',
    fr: 'corrigez la date, ou ajoutez à la table une ligne pour cette période',
    es: 'corrija la fecha, o añada a la tabla una fila para ese periodo',
  }),
};

export const FIELDS = {
  notWhole: sentence({
    en: '"{name}" takes whole numbers, found {given}',
    fr: '« {name} » n’accepte que des nombres entiers, la valeur est {given}',
    es: '«{name}» solo admite números enteros, el valor es {given}',
  }),
  roundIt: sentence({
    en: 'round it: = ROUND(..., 0)',
    fr: 'arrondissez-la : = ROUND(..., 0)',
    es: 'redondéelo: = ROUND(..., 0)',
  }),
  notTrueOrFalse: sentence({
    en: '"{name}" is true or false, found "{given}"',
    fr: '« {name} » vaut true ou false, la valeur est « {given} »',
    es: '«{name}» es true o false, el valor es «{given}»',
  }),
  writeTruth: sentence({
    en: 'write true or false without quotes, or a comparison',
    fr: 'écrivez true ou false sans guillemets, ou une comparaison',
    es: 'escriba true o false sin comillas, o una comparación',
  }),
  notAText: sentence({
    en: '"{name}" is a text, found {given}',
    fr: '« {name} » est un texte, la valeur est {given}',
    es: '«{name}» es un texto, el valor es {given}',
  }),
  chooseText: sentence({
    en: 'use IF(..., "text", "other text")',
    fr: 'utilisez IF(..., "texte", "autre texte")',
    es: 'use IF(..., "texto", "otro texto")',
  }),
  textInNumber: sentence({
    en: '"{name}" is a number, and this gives a text',
    fr: '« {name} » est un nombre, et la valeur est un texte',
    es: '«{name}» es un número, y el valor es un texto',
  }),
  calculatedNumber: sentence({
    en: 'let the calculated column {column} give a number',
    fr: 'faites donner un nombre à la colonne calculée {column}',
    es: 'haga que la columna calculada {column} dé un número',
  }),
  declareColumn: sentence({
    en: 'declare the column: {declaration}',
    fr: 'déclarez la colonne : {declaration}',
    es: 'declare la columna: {declaration}',
  }),
  numbersInTable: sentence({
    en: 'let table {table} give numbers: without quotes, or with type: number for a CSV file',
    fr: 'faites donner des nombres à la table {table} : sans guillemets, ou avec type: number pour un fichier CSV',
    es: 'haga que la tabla {table} dé números: sin comillas, o con type: number para un archivo CSV',
  }),
  makeNumber: sentence({
    en: 'make a number of it: NUMBER(...)',
    fr: 'convertissez-la en nombre : NUMBER(...)',
    es: 'conviértalo en número: NUMBER(...)',
  }),
  noQuotes: sentence({
    en: 'write the number without quotes',
    fr: 'écrivez le nombre sans guillemets',
    es: 'escriba el número sin comillas',
  }),
};
