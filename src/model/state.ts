/**
 * The life of a document as one table: where its receipt lies, who acts, what may be done, and the operator's words.
 * Selectors, receipts, pages and mails derive from it.
 */

import type { Words } from '../i18n/message.ts';
import type { HoldRule } from './document.ts';

export type Act = 'correct' | 'resend' | 'consult' | 'resolve' | 'release' | 'reject';
export type Folder = 'outbox' | 'pending' | 'error';

export type StateInfo = {
  readonly says: Words;
  /** Undefined: the machine is at work on it and no receipt is due. */
  readonly folder?: Folder;
  readonly actor: 'nobody' | 'machine' | 'finance' | 'support' | 'admin';
  readonly acts: readonly Act[];
  /** Another content under the same identity is taken as a correction of this entry. */
  readonly replaceable: boolean;
  readonly words: Words;
};

const toCorrect = { en: 'To correct', fr: 'À corriger', es: 'Por corregir' };
const toVerify = { en: 'To verify', fr: 'À vérifier', es: 'Por verificar' };
const queued = { en: 'Queued', fr: 'En file', es: 'En cola' };

export const STATES = {
  invalid: {
    says: {
      en: 'Local checks failed; nothing was sent.',
      fr: 'Les contrôles locaux ont échoué ; rien n’a été envoyé.',
      es: 'Los controles locales fallaron; no se envió nada.',
    },
    folder: 'error',
    actor: 'finance',
    acts: ['correct', 'reject'],
    replaceable: true,
    words: toCorrect,
  },
  duplicate: {
    says: {
      en: 'Same identity and same content as an earlier document; nothing was sent.',
      fr: 'Même identité et même contenu qu’un document antérieur ; rien n’a été envoyé.',
      es: 'Misma identidad y mismo contenido que un documento anterior; no se envió nada.',
    },
    folder: 'error',
    actor: 'nobody',
    acts: [],
    replaceable: false,
    words: { en: 'Duplicate', fr: 'Doublon', es: 'Duplicado' },
  },
  conflict: {
    says: {
      en: 'Same identity as an earlier document with other content, which may not be replaced; nothing was sent.',
      fr: 'Même identité qu’un document antérieur avec un autre contenu, qui ne peut pas être remplacé ; rien n’a été envoyé.',
      es: 'Misma identidad que un documento anterior con otro contenido, que no se puede reemplazar; no se envió nada.',
    },
    folder: 'error',
    actor: 'finance',
    acts: ['correct', 'reject'],
    replaceable: true,
    words: { en: 'Number already used', fr: 'Numéro déjà utilisé', es: 'Número ya utilizado' },
  },
  held: {
    says: {
      en: 'A hold rule applies; a person releases or rejects it.',
      fr: 'Une règle de mise en attente s’applique ; une personne le libère ou l’écarte.',
      es: 'Se aplica una regla de retención; una persona lo libera o lo aparta.',
    },
    folder: 'pending',
    actor: 'finance',
    acts: ['release', 'reject'],
    replaceable: false,
    words: { en: 'Held', fr: 'En attente', es: 'Retenido' },
  },
  ready: {
    says: {
      en: 'Admitted, or proven not sent; goes out as soon as its service takes documents.',
      fr: 'Admis, ou assurément non envoyé ; il part dès que son service accepte des documents.',
      es: 'Admitido, o con seguridad no enviado; sale en cuanto su servicio acepte documentos.',
    },
    folder: 'pending',
    actor: 'machine',
    acts: [],
    replaceable: false,
    words: queued,
  },
  sending: {
    says: {
      en: 'The intention to send is recorded; found so after a crash it becomes in-doubt.',
      fr: 'L’intention d’envoyer est enregistrée ; retrouvé ainsi après un arrêt brutal, il devient in-doubt.',
      es: 'La intención de enviar está registrada; si se encuentra así tras una caída, pasa a in-doubt.',
    },
    actor: 'machine',
    acts: [],
    replaceable: false,
    words: queued,
  },
  authorized: {
    says: {
      en: 'Authorized by the service (code 2).',
      fr: 'Autorisé par le service (code 2).',
      es: 'Autorizado por el servicio (código 2).',
    },
    folder: 'outbox',
    actor: 'nobody',
    acts: [],
    replaceable: false,
    words: { en: 'Authorized', fr: 'Autorisé', es: 'Autorizado' },
  },
  invalidated: {
    says: {
      en: 'Invalidated with the tax entity (code 11): the document has no legal value.',
      fr: 'Invalidé auprès de l’administration fiscale (code 11) : le document n’a aucune valeur légale.',
      es: 'Invalidado ante la administración tributaria (código 11): el documento no tiene validez legal.',
    },
    folder: 'error',
    actor: 'nobody',
    acts: [],
    replaceable: false,
    words: { en: 'Invalidated', fr: 'Invalidé', es: 'Invalidado' },
  },
  rejected: {
    says: {
      en: 'Rejected for its content (code 6): correct it and send it again under the same number.',
      fr: 'Rejeté pour son contenu (code 6) : corrigez-le et renvoyez-le sous le même numéro.',
      es: 'Rechazado por su contenido (código 6): corríjalo y reenvíelo con el mismo número.',
    },
    folder: 'error',
    actor: 'finance',
    acts: ['correct'],
    replaceable: true,
    words: toCorrect,
  },
  failed: {
    says: {
      en: 'Error inside the service (code 4): resend by hand once its support has answered.',
      fr: 'Erreur interne du service (code 4) : à renvoyer à la main une fois que son support a répondu.',
      es: 'Error interno del servicio (código 4): se reenvía a mano cuando su soporte haya respondido.',
    },
    folder: 'error',
    actor: 'support',
    acts: ['resend'],
    replaceable: false,
    words: { en: 'Contact support', fr: 'Support à contacter', es: 'Contactar soporte' },
  },
  contingency: {
    says: {
      en: 'Received for contingency processing (code 8): never sent again, consulted later.',
      fr: 'Reçu pour un traitement de contingence (code 8) : jamais renvoyé, consulté plus tard.',
      es: 'Recibido para proceso de contingencia (código 8): nunca se reenvía, se consulta más tarde.',
    },
    folder: 'pending',
    actor: 'nobody',
    acts: ['consult', 'resolve'],
    replaceable: false,
    words: { en: 'In contingency', fr: 'En contingence', es: 'En contingencia' },
  },
  returned: {
    says: {
      en: 'Returned before processing (code 15): duplicate, credentials or document type; find out which.',
      fr: 'Retourné avant traitement (code 15) : doublon, identifiants ou type de document ; déterminez la cause.',
      es: 'Devuelto antes de procesarse (código 15): duplicado, credenciales o tipo de documento; averigüe la causa.',
    },
    folder: 'error',
    actor: 'finance',
    acts: ['consult', 'resolve'],
    replaceable: false,
    words: toVerify,
  },
  refused: {
    says: {
      en: 'Refused by HTTP status without a valid code: mend the cause, then resend by hand.',
      fr: 'Refusé par statut HTTP sans code valable : corrigez la cause, puis renvoyez-le à la main.',
      es: 'Rechazado por estado HTTP sin código válido: corrija la causa y reenvíelo a mano.',
    },
    folder: 'error',
    actor: 'admin',
    acts: ['consult', 'resend', 'resolve'],
    replaceable: false,
    words: toVerify,
  },
  'in-doubt': {
    says: {
      en: 'Its fate is unknown: at least one byte left and no trustworthy answer came back. Never sent again by itself.',
      fr: 'Son sort est inconnu : au moins un octet est parti et aucune réponse fiable n’est revenue. Jamais renvoyé de lui-même.',
      es: 'Su suerte es desconocida: salió al menos un byte y no volvió ninguna respuesta fiable. Nunca se reenvía solo.',
    },
    folder: 'error',
    actor: 'finance',
    acts: ['consult', 'resolve'],
    replaceable: false,
    words: toVerify,
  },
} as const satisfies Record<string, StateInfo>;

/** In place of the words of `invalid` where a person has decided that the document is not sent, nor corrected. */
export const SET_ASIDE: Pick<StateInfo, 'says' | 'words'> = {
  words: { en: 'Set aside', fr: 'Écarté', es: 'Apartado' },
  says: {
    en: 'A person has set it aside; nothing was sent, and nobody has to act.',
    fr: 'Une personne l’a écarté ; rien n’a été envoyé, et il n’y a rien à faire.',
    es: 'Una persona lo apartó; no se envió nada y no hay nada que hacer.',
  },
};

export type State = keyof typeof STATES;

export const STATE_NAMES = Object.keys(STATES) as readonly State[];

export function stateInfo(state: State): StateInfo {
  return STATES[state];
}

/** What these hold may have gone out from elsewhere: other content under its number would be a second document. */
const MAY_BE_OUT = new Set<HoldRule>(['restored', 'ledger-accepted']);

export function mayBeOut(hold: HoldRule | undefined): boolean {
  return hold === undefined || MAY_BE_OUT.has(hold);
}

/** Other content under the same identity is a correction. `hold` is the rule of a held one: most hold what was never sent. */
export function isReplaceable(state: State, hold?: HoldRule): boolean {
  return stateInfo(state).replaceable || (state === 'held' && !mayBeOut(hold));
}
