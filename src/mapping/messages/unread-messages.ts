/** What is said of elements of an export that the document does not hold. */
import { sentence } from '../../i18n/message.ts';

export const UNREAD = {
  one: sentence({
    en: 'One element of the file is not in the document: {path}',
    fr: 'Un élément du fichier n’est pas repris dans le document : {path}',
    es: 'Un elemento del archivo no está en el documento: {path}',
  }),
  several: sentence({
    en: '{count} elements of the file are not in the document: {paths}',
    fr: '{count} éléments du fichier ne sont pas repris dans le document : {paths}',
    es: '{count} elementos del archivo no están en el documento: {paths}',
  }),
  andMore: sentence({
    en: '{list} and {more} other paths',
    fr: '{list} et {more} autres chemins',
    es: '{list} y {more} rutas más',
  }),
  otherCurrency: sentence({
    en: '{count} amounts of the file are in {given} and the document is in {own}; the first is {path} ({attribute})',
    fr: '{count} montants du fichier sont en {given} alors que le document est en {own} ; le premier est {path} ({attribute})',
    es: '{count} importes del archivo están en {given} y el documento en {own}; el primero es {path} ({attribute})',
  }),
  oneCurrency: sentence({
    en: 'nothing was sent; have the ERP write all amounts of the document in {own}, or correct the currency of the document, and export it again',
    fr: 'rien n’a été envoyé ; faites écrire par l’ERP tous les montants du document en {own}, ou corrigez la devise du document, puis refaites l’export',
    es: 'no se envió nada; haga que el ERP escriba todos los importes del documento en {own}, o corrija la moneda del documento, y exporte de nuevo',
  }),
  readThem: sentence({
    en: 'check whether the receiver needs them; to carry them, read them in the mapping; if they are not needed, list them under source: ignored-paths',
    fr: 'vérifiez si le destinataire en a besoin ; pour les transmettre, lisez-les dans le mapping ; s’ils sont inutiles, indiquez-les sous source: ignored-paths',
    es: 'compruebe si el receptor los necesita; para transmitirlos, léalos en el mapping; si no hacen falta, indíquelos en source: ignored-paths',
  }),
  refused: sentence({
    en: 'the document would not be whole without them, and nothing was sent: have the export write them otherwise, send the file itself by a mapping with file, or read them in the mapping',
    fr: 'sans eux le document serait incomplet, et rien n’a été envoyé : faites-les écrire autrement par l’export, envoyez le fichier lui-même par un mapping avec file, ou lisez-les dans le mapping',
    es: 'sin ellos el documento estaría incompleto, y no se envió nada: haga que la exportación los escriba de otro modo, envíe el archivo mismo con un mapping con file, o léalos en el mapping',
  }),
};
