/** Why a document does not go out again as it is, and what to do instead. */
import { sentence } from '../../i18n/message.ts';

export const NOT_REPEATED = {
  invalid: sentence({
    en: 'it was never sent; correct it: nightpost fix, or mend the mapping: nightpost reprocess',
    fr: 'il n’a jamais été envoyé ; corrigez-le (nightpost fix), ou faites corriger le fichier de correspondance (puis nightpost reprocess)',
    es: 'nunca se envió; corríjalo (nightpost fix), o haga corregir el archivo de correspondencias (y luego nightpost reprocess)',
  }),
  duplicate: sentence({
    en: 'the same document was taken before, and that one counts',
    fr: 'le même document a été pris en charge auparavant, et c’est celui-là qui compte',
    es: 'el mismo documento se tomó antes, y ese es el que cuenta',
  }),
  conflict: sentence({
    en: 'its number belongs to another document; correct it: nightpost fix',
    fr: 'son numéro appartient à un autre document ; corrigez-le : nightpost fix',
    es: 'su número pertenece a otro documento; corríjalo: nightpost fix',
  }),
  held: sentence({
    en: 'decide: nightpost release, or nightpost reject',
    fr: 'décidez avec nightpost release ou nightpost reject',
    es: 'decida con nightpost release o nightpost reject',
  }),
  ready: sentence({
    en: 'the next run sends it',
    fr: 'le prochain passage l’enverra',
    es: 'lo enviará la próxima ejecución',
  }),
  sending: sentence({
    en: 'the next run settles it',
    fr: 'le prochain passage dira ce qu’il en est',
    es: 'la próxima ejecución dirá qué fue de él',
  }),
  authorized: sentence({
    en: 'a second one would be a second document',
    fr: 'un second envoi ferait un second document',
    es: 'un segundo envío sería un segundo documento',
  }),
  invalidated: sentence({
    en: 'a new document needs a number of its own',
    fr: 'un nouveau document demande un numéro à lui',
    es: 'un documento nuevo necesita un número propio',
  }),
  rejected: sentence({
    en: 'the same content would be rejected again; correct it: nightpost fix',
    fr: 'le même contenu serait rejeté de nouveau ; corrigez-le : nightpost fix',
    es: 'el mismo contenido se rechazaría de nuevo; corríjalo: nightpost fix',
  }),
  contingency: sentence({
    en: 'the service has it and processes it later',
    fr: 'le service l’a et le traitera plus tard',
    es: 'el servicio lo tiene y lo procesará más tarde',
  }),
};

export const IN_DOUBT = {
  twoDays: sentence({
    en: 'on two local days',
    fr: 'à deux jours locaux différents',
    es: 'en dos días locales distintos',
  }),
  anHour: sentence({ en: 'an hour apart', fr: 'à une heure d’intervalle', es: 'con una hora de diferencia' }),
  nobodyKnows: sentence({
    en: 'nobody knows whether it arrived; ask (nightpost consult), look it up there and record what you find (nightpost resolve --as ...). It may go out again once two consultations {apart} did not know it; so far: {times}',
    fr: 'personne ne sait s’il est arrivé ; interrogez le service (nightpost consult), cherchez-y le document et enregistrez ce que vous trouvez (nightpost resolve --as ...). Il pourra repartir quand deux consultations {apart} ne l’auront pas connu ; jusqu’ici : {times}',
    es: 'nadie sabe si llegó; pregunte al servicio (nightpost consult), busque allí el documento y registre lo que encuentre (nightpost resolve --as ...). Podrá salir de nuevo cuando dos consultas {apart} no lo conozcan; hasta ahora: {times}',
  }),
  addProof: sentence({
    en: 'two consultations did not know it; now add the proof that it did not arrive: --evidence FILE',
    fr: 'deux consultations ne l’ont pas connu ; ajoutez maintenant la preuve qu’il n’est pas arrivé : --evidence FICHIER',
    es: 'dos consultas no lo conocieron; añada ahora la prueba de que no llegó: --evidence ARCHIVO',
  }),
};
