/** What `consult` says: what it asked the services for, what not, and why. */
import { sentence } from '../../i18n/message.ts';

export const CONSULT = {
  notConfigured: sentence({
    en: 'no service has a consultation configured: the contracts do not show one',
    fr: 'aucun service n’a de consultation dans les réglages : les contrats n’en montrent pas',
    es: 'ningún servicio tiene una consulta en los ajustes: los contratos no muestran ninguna',
  }),
  configure: sentence({
    en: 'set services.<name>.consultation once the provider has told how (docs/contracts.md)',
    fr: 'réglez services.<nom>.consultation dès que le fournisseur aura dit comment (docs/contracts.md)',
    es: 'ajuste services.<nombre>.consultation cuando el proveedor haya dicho cómo (docs/contracts.md)',
  }),
  notAsked: sentence({
    en: '{number}: not asked for, it is "{state}"; {why}',
    fr: '{number} : pas de consultation, dans l’état « {state} » ; {why}',
    es: '{number}: no se consulta, está en el estado «{state}»; {why}',
  }),
  stopped: sentence({
    en: '{service}: stopped, {why}',
    fr: '{service} : arrêté, {why}',
    es: '{service}: detenido, {why}',
  }),
  nothingToAsk: sentence({
    en: '{service}: nothing to ask',
    fr: '{service} : rien à demander',
    es: '{service}: nada que preguntar',
  }),
  nothingBefore: sentence({
    en: '{service}: nothing due before {at}; documents that are named are asked for at once',
    fr: '{service} : rien à demander avant le {at} ; les documents nommés sont consultés aussitôt',
    es: '{service}: nada que preguntar antes del {at}; los documentos que se nombran se consultan enseguida',
  }),
  firstTime: sentence({
    en: 'first of two times; ask again in an hour (a remission note: on another day)',
    fr: 'première des deux fois ; redemandez dans une heure (note de remise : un autre jour)',
    es: 'primera de dos veces; vuelva a preguntar dentro de una hora (nota de remisión: otro día)',
  }),
  wouldAsk: {
    one: sentence({
      en: '{service}: would ask for {count} document',
      fr: '{service} : demanderait ce qu’est devenu {count} document',
      es: '{service}: preguntaría por {count} documento',
    }),
    many: sentence({
      en: '{service}: would ask for {count} documents',
      fr: '{service} : demanderait ce que sont devenus {count} documents',
      es: '{service}: preguntaría por {count} documentos',
    }),
  },
  asked: {
    one: sentence({
      en: '{service}: asked for {count} document',
      fr: '{service} : consulté pour {count} document',
      es: '{service}: consultado por {count} documento',
    }),
    many: sentence({
      en: '{service}: asked for {count} documents',
      fr: '{service} : consulté pour {count} documents',
      es: '{service}: consultado por {count} documentos',
    }),
  },
  noConsultation: sentence({
    en: 'the service {service} has no consultation in the settings: look it up in its portal',
    fr: 'le service {service} n’a pas de consultation dans les réglages : cherchez le document sur son portail',
    es: 'el servicio {service} no tiene consulta en los ajustes: busque el documento en su portal',
  }),
};

/** States of which a service could not tell more than is known. */
export const INSTEAD = {
  invalid: sentence({
    en: 'it was not sent; correct it (the *.to-fix file in error/, or nightpost fix)',
    fr: 'il n’a pas été envoyé ; corrigez-le (le fichier *.to-fix dans error/, ou nightpost fix)',
    es: 'no se envió; corríjalo (el archivo *.to-fix en error/, o nightpost fix)',
  }),
  duplicate: sentence({
    en: 'it was not sent; the document that was first tells its outcome (nightpost show)',
    fr: 'il n’a pas été envoyé ; c’est le premier document qui dit l’issue (nightpost show)',
    es: 'no se envió; el primer documento dice el resultado (nightpost show)',
  }),
  conflict: sentence({
    en: 'it was not sent; correct it, its number belongs to another document (nightpost show)',
    fr: 'il n’a pas été envoyé ; corrigez-le, son numéro appartient à un autre document (nightpost show)',
    es: 'no se envió; corríjalo, su número pertenece a otro documento (nightpost show)',
  }),
  held: sentence({
    en: 'it was not sent; decide with nightpost release or nightpost reject',
    fr: 'il n’a pas été envoyé ; décidez avec nightpost release ou nightpost reject',
    es: 'no se envió; decida con nightpost release o nightpost reject',
  }),
  ready: sentence({
    en: 'it waits to be sent; the next run sends it',
    fr: 'il attend d’être envoyé ; le prochain passage l’enverra',
    es: 'espera a ser enviado; lo enviará la próxima ejecución',
  }),
  sending: sentence({
    en: 'it is on its way; the next run settles it',
    fr: 'il est en cours d’envoi ; le prochain passage dira ce qu’il en est',
    es: 'se está enviando; la próxima ejecución dirá qué fue de él',
  }),
  authorized: sentence({ en: 'its outcome is known', fr: 'son issue est connue', es: 'su resultado se conoce' }),
  invalidated: sentence({ en: 'its outcome is known', fr: 'son issue est connue', es: 'su resultado se conoce' }),
  rejected: sentence({
    en: 'its outcome is known; correct it (the *.to-fix file in error/, or nightpost fix)',
    fr: 'son issue est connue ; corrigez-le (le fichier *.to-fix dans error/, ou nightpost fix)',
    es: 'su resultado se conoce; corríjalo (el archivo *.to-fix en error/, o nightpost fix)',
  }),
  failed: sentence({
    en: 'its outcome is known; ask the support of the service, then nightpost retry',
    fr: 'son issue est connue ; voyez avec le support du service, puis nightpost retry',
    es: 'su resultado se conoce; consulte al soporte del servicio, y luego nightpost retry',
  }),
};
