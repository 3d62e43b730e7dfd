/** Why an attempt ended as it did. What the service and the network say themselves stays as it came. */
import { sentence } from '../i18n/message.ts';

export const REASON = {
  notSent: sentence({ en: 'not sent: {error}', fr: 'non envoyé : {error}', es: 'no enviado: {error}' }),
  noAnswer: sentence({
    en: 'sent, then no whole answer: {error}',
    fr: 'envoyé, puis pas de réponse complète : {error}',
    es: 'enviado, y después ninguna respuesta completa: {error}',
  }),
  status: sentence({
    en: 'HTTP {status} with {why}',
    fr: 'HTTP {status} avec {why}',
    es: 'HTTP {status} con {why}',
  }),
  freshToken: sentence({
    en: '{reason}, with a fresh token too',
    fr: '{reason}, avec un nouveau jeton aussi',
    es: '{reason}, también con un token nuevo',
  }),
  code: sentence({ en: 'code {code}', fr: 'code {code}', es: 'código {code}' }),
  codeNamed: sentence({ en: 'code {code} {name}', fr: 'code {code} {name}', es: 'código {code} {name}' }),
  neverShould: sentence({
    en: 'the service answered {code}, which it never should',
    fr: 'le service a répondu {code}, ce qu’il ne devrait jamais faire',
    es: 'el servicio respondió {code}, lo que nunca debería hacer',
  }),
  contradict: sentence({
    en: 'code {code} under HTTP {status}, which contradict each other',
    fr: 'code {code} sous HTTP {status}, qui se contredisent',
    es: 'código {code} con HTTP {status}, que se contradicen',
  }),
  noEcho: sentence({
    en: 'code {code} without the echo of our request',
    fr: 'code {code} sans l’écho de notre requête',
    es: 'código {code} sin el eco de nuestra petición',
  }),
};

export const CONSULTED = {
  failed: sentence({
    en: 'the consultation failed: {error}',
    fr: 'la consultation a échoué : {error}',
    es: 'la consulta falló: {error}',
  }),
  status: sentence({
    en: 'the consultation gave HTTP {status} and {why}',
    fr: 'la consultation a donné HTTP {status} et {why}',
    es: 'la consulta dio HTTP {status} y {why}',
  }),
  doubt: sentence({
    en: 'the consultation gave {doubt}',
    fr: 'la consultation a donné {doubt}',
    es: 'la consulta dio {doubt}',
  }),
  notKnown: sentence({
    en: 'the service does not know the document (code 18)',
    fr: 'le service ne connaît pas le document (code 18)',
    es: 'el servicio no conoce el documento (código 18)',
  }),
  unknownCode: sentence({
    en: 'the consultation gave the unknown code {code}',
    fr: 'la consultation a donné le code inconnu {code}',
    es: 'la consulta dio el código desconocido {code}',
  }),
  ofNumberOnly: sentence({
    en: 'the service has a document with this number: {code} ({found}); ours was only answered with code 15, so this may be another one: compare the two, then record the outcome (nightpost resolve)',
    fr: 'le service a un document portant ce numéro : {code} ({found}) ; le nôtre n’a reçu que le code 15, il peut donc s’agir d’un autre : comparez les deux, puis enregistrez le résultat (nightpost resolve)',
    es: 'el servicio tiene un documento con este número: {code} ({found}); el nuestro solo recibió el código 15, así que puede ser otro: compare los dos y registre el resultado (nightpost resolve)',
  }),
  found: sentence({
    en: 'tracking id {trackingId}, date {date}, amount {amount}',
    fr: 'identifiant de suivi {trackingId}, date {date}, montant {amount}',
    es: 'identificador de seguimiento {trackingId}, fecha {date}, importe {amount}',
  }),
  told: sentence({ en: 'consulted: {code}', fr: 'consulté : {code}', es: 'consultado: {code}' }),
};

/** What kind of answer cannot be trusted. */
export const ANSWER = {
  compressed: sentence({ en: 'a compressed answer', fr: 'une réponse compressée', es: 'una respuesta comprimida' }),
  notText: sentence({
    en: 'an answer that is not UTF-8 text',
    fr: 'une réponse qui n’est pas un texte UTF-8',
    es: 'una respuesta que no es texto UTF-8',
  }),
  notJson: sentence({
    en: 'an answer that is not JSON',
    fr: 'une réponse qui n’est pas du JSON',
    es: 'una respuesta que no es JSON',
  }),
  twoCodes: sentence({
    en: 'an answer with two status codes',
    fr: 'une réponse à deux codes de statut',
    es: 'una respuesta con dos códigos de estado',
  }),
  noCode: sentence({
    en: 'an answer without a status code',
    fr: 'une réponse sans code de statut',
    es: 'una respuesta sin código de estado',
  }),
  noInteger: sentence({
    en: 'an answer whose status code is not an integer',
    fr: 'une réponse dont le code de statut n’est pas un entier',
    es: 'una respuesta cuyo código de estado no es un entero',
  }),
  otherEcho: sentence({
    en: 'the answer to another request or document: {name} is "{given}", expected "{expected}" ({at})',
    fr: 'la réponse à une autre requête ou à un autre document : {name} vaut « {given} » au lieu de « {expected} » ({at})',
    es: 'la respuesta a otra petición o a otro documento: {name} es «{given}» y se esperaba «{expected}» ({at})',
  }),
  echoedTwice: sentence({
    en: 'an answer that gives {name} more than once, expected "{expected}" once ({at})',
    fr: 'une réponse qui donne {name} plusieurs fois ; « {expected} » est attendu une seule fois ({at})',
    es: 'una respuesta que da {name} más de una vez; se esperaba «{expected}» una sola vez ({at})',
  }),
};
