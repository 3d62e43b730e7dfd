/** Why documents wait in a ledger that took the place of another, or that a person has accepted. */
import { sentence } from '../model/words.ts';

export const LEDGER_HOLD = {
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
