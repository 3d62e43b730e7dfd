/** Why a document waits for a person. */
import { sentence } from '../../i18n/message.ts';

export const HOLD = {
  newMapping: sentence({
    en: 'nobody has released a document of version {version} of the mapping {mapping} yet',
    fr: 'personne n’a encore libéré de document de la version {version} du fichier de correspondance {mapping}',
    es: 'nadie ha liberado todavía un documento de la versión {version} del archivo de correspondencias {mapping}',
  }),
  amount: sentence({
    en: 'its amount of {amount} {currency} is over the limit of {limit} {currency}',
    fr: 'son montant de {amount} {currency} dépasse la limite de {limit} {currency}',
    es: 'su importe de {amount} {currency} supera el límite de {limit} {currency}',
  }),
  receiver: sentence({
    en: 'no document was ever authorized for the receiver {name} ({receiver})',
    fr: 'aucun document n’a jamais été autorisé pour le destinataire {name} ({receiver})',
    es: 'nunca se autorizó un documento para el receptor {name} ({receiver})',
  }),
  issuer: sentence({
    en: 'nothing was ever sent for the issuer {name} ({issuer})',
    fr: 'rien n’a jamais été envoyé pour l’émetteur {name} ({issuer})',
    es: 'nunca se envió nada del emisor {name} ({issuer})',
  }),
  restored: sentence({
    en: 'the ledger was {why} on {at} and may not know all that was sent; a person has to end its quarantine',
    fr: 'le registre (ledger) a été {why} le {at} et peut ignorer une partie des envois ; une personne doit mettre fin à sa quarantaine',
    es: 'el registro (ledger) fue {why} el {at} y puede no conocer todo lo enviado; una persona debe terminar su cuarentena',
  }),
  and: sentence({ en: '{one}; {other}', fr: '{one} ; {other}', es: '{one}; {other}' }),
  sameCause: sentence({
    en: '{count} documents in a row of the mapping {mapping} were {state} for the same cause: {answer}',
    fr: '{count} documents de suite du fichier de correspondance {mapping} ont reçu l’état {state} pour la même cause : {answer}',
    es: '{count} documentos seguidos del archivo de correspondencias {mapping} recibieron el estado {state} por la misma causa: {answer}',
  }),
};
