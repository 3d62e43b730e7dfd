/**
 * What the operator does next, per state, in three languages: the sentence under the state's word in a receipt and the
 * list in the error folder's README. Written for somebody in accounting, not for a programmer.
 */
import type { Evidence } from '../model/ledger-entry.ts';
import type { State } from '../model/state.ts';

export type Languages = { readonly en: string; readonly fr: string; readonly es: string };

export const NEXT = {
  invalid: {
    en: 'Nothing was sent. Correct the cells listed under "faults", in the *.to-fix file beside this receipt or in the ERP, and drop the file into the inbox; or: nightpost fix NUMBER COLUMN=VALUE --reason TEXT. If it is no document, or came again under another number: nightpost reject NUMBER --reason TEXT.',
    fr: "Rien n'a été envoyé. Corrigez les cellules indiquées sous « faults », dans le fichier *.to-fix à côté de ce reçu ou dans l'ERP, puis déposez le fichier dans la boîte de réception (inbox) ; ou : nightpost fix NUMÉRO COLONNE=VALEUR --reason TEXTE. S'il n'est pas un document, ou est revenu sous un autre numéro : nightpost reject NUMÉRO --reason TEXTE.",
    es: 'No se envió nada. Corrija las celdas indicadas en «faults», en el archivo *.to-fix junto a este recibo o en el ERP, y deposite el archivo en la bandeja de entrada (inbox); o: nightpost fix NÚMERO COLUMNA=VALOR --reason TEXTO. Si no es un documento, o volvió con otro número: nightpost reject NÚMERO --reason TEXTO.',
  },
  duplicate: {
    en: 'Nothing to do. The same document was already taken; see "first". It was not sent a second time.',
    fr: "Rien à faire. Le même document a déjà été pris en charge, voir « first ». Il n'a pas été envoyé une seconde fois.",
    es: 'No hay nada que hacer. El mismo documento ya se había recibido, véase «first». No se envió por segunda vez.',
  },
  conflict: {
    en: 'Nothing was sent: the number already belongs to another document, see "first". Give this one a new number (nightpost fix), or correct the earlier one where that is still possible.',
    fr: "Rien n'a été envoyé : ce numéro appartient déjà à un autre document, voir « first ». Attribuez un nouveau numéro (nightpost fix), ou corrigez le premier document si cela est encore possible.",
    es: 'No se envió nada: el número ya pertenece a otro documento, véase «first». Asigne un número nuevo (nightpost fix) o corrija el primero si todavía es posible.',
  },
  held: {
    en: 'It waits for your decision: copy this receipt into pending/release to have it sent, or into pending/reject to set it aside (or: nightpost release NUMBER --reason TEXT, nightpost reject NUMBER --reason TEXT).',
    fr: "Il attend votre décision : copiez ce reçu dans pending/release pour l'envoyer, ou dans pending/reject pour l'écarter (ou : nightpost release NUMÉRO --reason TEXTE, nightpost reject NUMÉRO --reason TEXTE).",
    es: 'Espera su decisión: copie este recibo en pending/release para enviarlo, o en pending/reject para apartarlo (o: nightpost release NÚMERO --reason TEXTO, nightpost reject NÚMERO --reason TEXTO).',
  },
  ready: {
    en: 'Nothing to do. It goes out as soon as the service takes documents.',
    fr: 'Rien à faire. Il part dès que le service accepte des documents.',
    es: 'No hay nada que hacer. Saldrá en cuanto el servicio acepte documentos.',
  },
  sending: {
    en: 'Nothing to do. It is being sent.',
    fr: "Rien à faire. L'envoi est en cours.",
    es: 'No hay nada que hacer. Se está enviando.',
  },
  authorized: {
    en: 'Nothing to do. Keep this receipt.',
    fr: 'Rien à faire. Conservez ce reçu.',
    es: 'No hay nada que hacer. Conserve este recibo.',
  },
  invalidated: {
    en: 'The document has no legal value. Tell the person responsible for taxes before you issue another one.',
    fr: "Le document n'a aucune valeur légale. Prévenez le responsable fiscal avant d'en émettre un autre.",
    es: 'El documento no tiene validez legal. Avise al responsable fiscal antes de emitir otro.',
  },
  rejected: {
    en: 'The service rejected the content, see "answer". Correct it and send it again under the same number: nightpost fix NUMBER COLUMN=VALUE --reason TEXT, or a corrected export.',
    fr: 'Le service a rejeté le contenu, voir « answer ». Corrigez-le et renvoyez-le sous le même numéro : nightpost fix NUMÉRO COLONNE=VALEUR --reason TEXTE, ou un export corrigé.',
    es: 'El servicio rechazó el contenido, véase «answer». Corríjalo y envíelo de nuevo con el mismo número: nightpost fix NÚMERO COLUMNA=VALOR --reason TEXTO, o una exportación corregida.',
  },
  failed: {
    en: 'An error inside the service. Open a ticket with its support; send the document again only after they have answered: nightpost retry NUMBER --reason TEXT.',
    fr: "Erreur interne du service. Ouvrez un ticket auprès de son support ; ne renvoyez le document qu'après sa réponse : nightpost retry NUMÉRO --reason TEXTE.",
    es: 'Error interno del servicio. Abra un caso con su soporte; reenvíe el documento solo cuando le hayan respondido: nightpost retry NÚMERO --reason TEXTO.',
  },
  contingency: {
    en: 'Nothing to do. The service has it and processes it later. Never send it again.',
    fr: "Rien à faire. Le service l'a reçu et le traitera plus tard. Ne le renvoyez jamais.",
    es: 'No hay nada que hacer. El servicio lo recibió y lo procesará más tarde. No lo envíe de nuevo.',
  },
  returned: {
    en: 'Returned before processing. Find out which it is, duplicate, credentials or document type, and ask the service for its state. Do not send it again before that.',
    fr: 'Retourné avant traitement. Déterminez la cause (doublon, identifiants ou type de document) et consultez son état auprès du service. Ne le renvoyez pas avant.',
    es: 'Devuelto antes de procesarse. Averigüe la causa (duplicado, credenciales o tipo de documento) y consulte su estado en el servicio. No lo reenvíe antes.',
  },
  refused: {
    en: 'The service refused the request, see the last line of "attempts". Have the cause mended (often settings or credentials), then send it again: nightpost retry NUMBER --reason TEXT.',
    fr: 'Le service a refusé la requête, voir la dernière ligne de « attempts ». Faites corriger la cause (souvent le paramétrage ou les identifiants), puis renvoyez-le : nightpost retry NUMÉRO --reason TEXTE.',
    es: 'El servicio rechazó la solicitud, véase la última línea de «attempts». Haga corregir la causa (a menudo la configuración o las credenciales) y luego reenvíelo: nightpost retry NÚMERO --reason TEXTO.',
  },
  'in-doubt': {
    en: 'It may have arrived or not. Do not send it again. Ask the service for its state, then record the outcome with the proof: nightpost resolve NUMBER --as authorized --reason TEXT (or another).',
    fr: 'Il est peut-être arrivé, peut-être pas. Ne le renvoyez pas. Consultez son état auprès du service, puis enregistrez le résultat avec la preuve : nightpost resolve NUMÉRO --as authorized --reason TEXTE (ou autre).',
    es: 'Puede haber llegado o no. No lo envíe de nuevo. Consulte su estado en el servicio y luego registre el resultado con la prueba: nightpost resolve NÚMERO --as authorized --reason TEXTO (u otro).',
  },
} as const satisfies Record<State, Languages>;

/** Of a document that may have gone out without the knowledge of the ledger: a release would send it twice. */
export const NEXT_COMPARED: Languages = {
  en: `Compare with the service first: it may have been sent already. Only if the service does not have it may it be released. ${NEXT.held.en}`,
  fr: `Comparez d'abord avec le service : il a peut-être déjà été envoyé. Ne le libérez que si le service ne l'a pas. ${NEXT.held.fr}`,
  es: `Compare primero con el servicio: puede que ya se haya enviado. Libérelo solo si el servicio no lo tiene. ${NEXT.held.es}`,
};

/** In place of what `invalid` says, where a person has set a held document aside: who, when, why, and the way back. */
export function nextSetAside({ by, at, reason }: Evidence): Languages {
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    en: `${by} set it aside on ${when} ("${reason}"). Nothing was sent, and nobody has to act. ${BACK.en}`,
    fr: `${by} l'a écarté le ${when} (« ${reason} »). Rien n'a été envoyé, et il n'y a rien à faire. ${BACK.fr}`,
    es: `${by} lo apartó el ${when} («${reason}»). No se envió nada y no hay nada que hacer. ${BACK.es}`,
  };
}

const BACK: Languages = {
  en: 'To bring it back, correct it (nightpost fix NUMBER COLUMN=VALUE --reason TEXT, or a corrected export): it is then checked like any other, and held where a rule says so.',
  fr: 'Pour le reprendre, corrigez-le (nightpost fix NUMÉRO COLONNE=VALEUR --reason TEXTE, ou un export corrigé) : il est alors contrôlé comme tout autre, et mis en attente si une règle le demande.',
  es: 'Para recuperarlo, corríjalo (nightpost fix NÚMERO COLUMNA=VALOR --reason TEXTO, o una exportación corregida): entonces se controla como cualquier otro, y se retiene si una regla lo pide.',
};

/** The same for the README of a folder, where nobody is named. */
export const SET_ASIDE_NEXT: Languages = {
  en: `A person has decided so; "evidence" says who, when and why. Nothing was sent, and nobody has to act. ${BACK.en}`,
  fr: `Une personne en a décidé ainsi ; « evidence » dit qui, quand et pourquoi. Rien n'a été envoyé, et il n'y a rien à faire. ${BACK.fr}`,
  es: `Una persona lo decidió así; «evidence» dice quién, cuándo y por qué. No se envió nada y no hay nada que hacer. ${BACK.es}`,
};
