/** What `retry`, `release`, `reject` and `resolve` say of each document. */
import { sentence } from '../../i18n/message.ts';

/** Of each command: what it does not do, what it would do, what it did; `{state}` is the word of the state. */
export const WAYS_OF_DECIDING = {
  retry: {
    not: sentence({
      en: '{number}: not sent again, it is "{state}"; {why}',
      fr: '{number} : pas renvoyé, dans l’état « {state} » ; {why}',
      es: '{number}: no se reenvía, está en el estado «{state}»; {why}',
    }),
    would: sentence({
      en: '{number}: "{state}", would be sent again by the next run',
      fr: '{number} : dans l’état « {state} », serait renvoyé au prochain passage',
      es: '{number}: en el estado «{state}», se reenviaría en la próxima ejecución',
    }),
    done: sentence({
      en: '{number}: was "{state}", now sent again by the next run',
      fr: '{number} : était dans l’état « {state} », sera renvoyé au prochain passage',
      es: '{number}: estaba en el estado «{state}», se reenviará en la próxima ejecución',
    }),
  },
  release: {
    not: sentence({
      en: '{number}: not released, it is "{state}"; {why}',
      fr: '{number} : pas libéré, dans l’état « {state} » ; {why}',
      es: '{number}: no se libera, está en el estado «{state}»; {why}',
    }),
    would: sentence({
      en: '{number}: "{state}", would be sent by the next run',
      fr: '{number} : dans l’état « {state} », serait envoyé au prochain passage',
      es: '{number}: en el estado «{state}», se enviaría en la próxima ejecución',
    }),
    done: sentence({
      en: '{number}: was "{state}", now sent by the next run',
      fr: '{number} : était dans l’état « {state} », sera envoyé au prochain passage',
      es: '{number}: estaba en el estado «{state}», se enviará en la próxima ejecución',
    }),
  },
  reject: {
    not: sentence({
      en: '{number}: not rejected, it is "{state}"; {why}',
      fr: '{number} : pas écarté, dans l’état « {state} » ; {why}',
      es: '{number}: no se aparta, está en el estado «{state}»; {why}',
    }),
    would: sentence({
      en: '{number}: "{state}", would be set aside, not sent',
      fr: '{number} : dans l’état « {state} », serait écarté et non envoyé',
      es: '{number}: en el estado «{state}», se apartaría sin enviarse',
    }),
    done: sentence({
      en: '{number}: was "{state}", now set aside, not sent',
      fr: '{number} : était dans l’état « {state} », est maintenant écarté et ne sera pas envoyé',
      es: '{number}: estaba en el estado «{state}», ahora está apartado y no se enviará',
    }),
  },
};

export const REJECT_FILE = {
  would: sentence({
    en: '{file}: refused, would be set aside; nobody would have to act on it',
    fr: '{file} : refusé, serait écarté ; plus personne n’aurait à s’en occuper',
    es: '{file}: rechazado, se apartaría; ya nadie tendría que ocuparse',
  }),
  done: sentence({
    en: '{file}: refused, now set aside; nobody has to act on it',
    fr: '{file} : refusé, est maintenant écarté ; plus personne n’a à s’en occuper',
    es: '{file}: rechazado, ahora está apartado; ya nadie tiene que ocuparse',
  }),
};

export const RETRY = {
  changedMeanwhile: sentence({
    en: 'its state has changed meanwhile',
    fr: 'son état a changé entre-temps',
    es: 'su estado cambió entretanto',
  }),
  onlyReleased: sentence({
    en: 'only held documents can be released',
    fr: 'seuls les documents en attente peuvent être libérés',
    es: 'solo se pueden liberar documentos retenidos',
  }),
  onlyRejected: sentence({
    en: 'only documents that are held or that failed our own checks can be rejected',
    fr: 'seuls les documents en attente ou ayant échoué à nos propres contrôles peuvent être écartés',
    es: 'solo se pueden apartar documentos retenidos o que fallaron nuestros propios controles',
  }),
  asideAlready: sentence({
    en: 'it is set aside already',
    fr: 'il est déjà écarté',
    es: 'ya está apartado',
  }),
  inDoubt: sentence({
    en: 'documents in doubt are never sent again together: each of them may have arrived',
    fr: 'les documents au sort inconnu ne sont jamais renvoyés ensemble : chacun d’eux est peut-être arrivé',
    es: 'los documentos en duda nunca se reenvían juntos: cada uno de ellos puede haber llegado',
  }),
  eachOne: sentence({
    en: 'ask the services with "nightpost consult --state in-doubt", look each up there, and record what you find with "nightpost resolve NUMBER --as ..."',
    fr: 'interrogez les services avec "nightpost consult --state in-doubt", cherchez-y chaque document, et enregistrez ce que vous trouvez avec "nightpost resolve NUMÉRO --as ..."',
    es: 'pregunte a los servicios con "nightpost consult --state in-doubt", busque allí cada documento y registre lo que encuentre con "nightpost resolve NÚMERO --as ..."',
  }),
};

export const RESUME = {
  done: sentence({
    en: '{service} takes documents again: the next run sends one document first, the others when it is accepted',
    fr: '{service} accepte de nouveau des documents : le prochain passage en envoie un seul d’abord, les autres dès qu’il est accepté',
    es: '{service} vuelve a aceptar documentos: la próxima ejecución envía uno solo primero y los demás cuando se haya aceptado',
  }),
  nothing: sentence({
    en: '{service} is not stopped; nothing was changed',
    fr: '{service} n’est pas arrêté ; rien n’a été modifié',
    es: '{service} no está detenido; no se cambió nada',
  }),
  noService: sentence({
    en: 'the settings have no service "{service}"; nothing was changed',
    fr: 'les paramètres n’ont pas de service « {service} » ; rien n’a été modifié',
    es: 'la configuración no tiene el servicio «{service}»; no se cambió nada',
  }),
  services: sentence({
    en: 'the services are: {names}',
    fr: 'les services sont : {names}',
    es: 'los servicios son: {names}',
  }),
};

export const RESOLVE = {
  not: sentence({
    en: '{number}: not recorded, a document that is "{state}" does not allow it',
    fr: '{number} : rien d’enregistré, l’état « {state} » ne le permet pas',
    es: '{number}: no se registró nada, el estado «{state}» no lo permite',
  }),
  done: sentence({
    en: '{number}: "{was}" -> "{is}"',
    fr: '{number} : « {was} » -> « {is} »',
    es: '{number}: «{was}» -> «{is}»',
  }),
};
