/** Why documents wait: for the ledger took the place of another, a person has accepted it, or a number is there twice in a file. */
import { sentence } from '../../i18n/message.ts';

export const LEDGER_HOLD = {
  numberTwice: sentence({
    en: 'the same file has another document under this number with other content; rows of one document may be in both of them',
    fr: 'le même fichier contient un autre document sous ce numéro, avec un autre contenu ; les lignes d’un seul document sont peut-être réparties entre les deux',
    es: 'el mismo archivo tiene otro documento con este número y otro contenido; puede que las líneas de un solo documento estén repartidas entre los dos',
  }),
  and: sentence({ en: '{one}; {other}', fr: '{one} ; {other}', es: '{one}; {other}' }),
  taken: sentence({
    en: 'the ledger was {why} on {at}; the document may have been sent since, and the ledger would not know',
    fr: 'le registre (ledger) a été {why} le {at} ; le document a pu être envoyé depuis, et le registre n’en saurait rien',
    es: 'el registro (ledger) fue {why} el {at}; el documento pudo enviarse desde entonces, y el registro no lo sabría',
  }),
  accepted: sentence({
    en: 'this ledger was accepted by a person, and the document may have been sent from elsewhere',
    fr: 'ce registre (ledger) a été accepté par une personne, et le document a pu être envoyé d’ailleurs',
    es: 'una persona aceptó este registro (ledger), y el documento pudo enviarse desde otro lugar',
  }),
};
