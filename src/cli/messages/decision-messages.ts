/** What commands share by which a person decides: which documents are meant, why nothing was done, the question before. */
import { sentence } from '../../i18n/message.ts';

export const DONE = {
  nothing: sentence({ en: 'Nothing was changed.', fr: 'Rien n’a été modifié.', es: 'No se cambió nada.' }),
  dryRun: sentence({
    en: 'Nothing was changed (--dry-run).',
    fr: 'Rien n’a été modifié (--dry-run).',
    es: 'No se cambió nada (--dry-run).',
  }),
  noneMeant: sentence({
    en: 'No document is meant: nothing was changed.',
    fr: 'Aucun document n’est concerné : rien n’a été modifié.',
    es: 'No se trata de ningún documento: no se cambió nada.',
  }),
};

export const DECIDE = {
  noReason: sentence({
    en: 'a decision needs a reason in words, and somebody who decides',
    fr: 'une décision demande un motif en clair et quelqu’un qui décide',
    es: 'una decisión necesita un motivo en palabras y alguien que decida',
  }),
  writeReason: sentence({
    en: 'nothing was changed; write what you found out and where: --reason "..."',
    fr: 'rien n’a été modifié ; écrivez ce que vous avez constaté, et où : --reason "..."',
    es: 'no se cambió nada; escriba qué averiguó y dónde: --reason "..."',
  }),
  printedReason: sentence({
    en: '"{text}" is what the program prints in place of a reason',
    fr: '« {text} » est ce que le programme affiche à la place d’un motif',
    es: '«{text}» es lo que el programa muestra en lugar de un motivo',
  }),
  printedValue: sentence({
    en: '"{text}" is what the program prints in place of a value',
    fr: '« {text} » est ce que le programme affiche à la place d’une valeur',
    es: '«{text}» es lo que el programa muestra en lugar de un valor',
  }),
  writeValue: sentence({
    en: 'nothing was changed; write the value itself after the =',
    fr: 'rien n’a été modifié ; écrivez la valeur elle-même après le signe =',
    es: 'no se cambió nada; escriba el valor mismo después del signo =',
  }),
  noEvidence: sentence({
    en: 'the evidence {path} cannot be read',
    fr: 'la preuve {path} ne peut être lue',
    es: 'la prueba {path} no se puede leer',
  }),
  checkPath: sentence({
    en: 'nothing was changed; check the path',
    fr: 'rien n’a été modifié ; vérifiez le chemin',
    es: 'no se cambió nada; compruebe la ruta',
  }),
  /** Where nobody can be asked. */
  sayYes: sentence({
    en: 'nothing was changed; look with --dry-run, then say it with --yes',
    fr: 'rien n’a été modifié ; regardez avec --dry-run, puis confirmez avec --yes',
    es: 'no se cambió nada; mire con --dry-run y confirme con --yes',
  }),
};

export const MANY_DOCUMENTS = {
  one: sentence({
    en: 'this means {count} document',
    fr: 'cela concerne {count} document',
    es: 'se trata de {count} documento',
  }),
  many: sentence({
    en: 'this means {count} documents',
    fr: 'cela concerne {count} documents',
    es: 'se trata de {count} documentos',
  }),
};

/** Asked on a terminal; behind it stands how to answer. */
export const QUESTION = {
  retry: {
    one: sentence({
      en: 'Send {count} document again?',
      fr: 'Renvoyer {count} document ?',
      es: '¿Reenviar {count} documento?',
    }),
    many: sentence({
      en: 'Send {count} documents again?',
      fr: 'Renvoyer {count} documents ?',
      es: '¿Reenviar {count} documentos?',
    }),
  },
  release: {
    one: sentence({
      en: 'Release {count} document?',
      fr: 'Libérer {count} document ?',
      es: '¿Liberar {count} documento?',
    }),
    many: sentence({
      en: 'Release {count} documents?',
      fr: 'Libérer {count} documents ?',
      es: '¿Liberar {count} documentos?',
    }),
  },
  reject: {
    one: sentence({
      en: 'Set {count} document aside?',
      fr: 'Écarter {count} document ?',
      es: '¿Apartar {count} documento?',
    }),
    many: sentence({
      en: 'Set {count} documents aside?',
      fr: 'Écarter {count} documents ?',
      es: '¿Apartar {count} documentos?',
    }),
  },
  reprocess: {
    one: sentence({
      en: 'Read {count} document again?',
      fr: 'Relire {count} document ?',
      es: '¿Leer de nuevo {count} documento?',
    }),
    many: sentence({
      en: 'Read {count} documents again?',
      fr: 'Relire {count} documents ?',
      es: '¿Leer de nuevo {count} documentos?',
    }),
  },
};

/** No is the answer where nothing is typed. */
export const ANSWER = sentence({ en: '[y/N]', fr: '[o/N]', es: '[s/N]' });

export const SELECT = {
  nothingNamed: sentence({
    en: '{command} has to know which documents',
    fr: '{command} doit savoir quels documents',
    es: '{command} tiene que saber qué documentos',
  }),
  nameThem: sentence({
    en: 'name them by id, number or receipt name (- reads names from standard input), or with --state, --cause, --mapping, --run, --since',
    fr: 'désignez-les par id, numéro ou nom de reçu (- lit les noms sur l’entrée standard), ou avec --state, --cause, --mapping, --run, --since',
    es: 'nómbrelos por id, número o nombre de recibo (- lee los nombres de la entrada estándar), o con --state, --cause, --mapping, --run, --since',
  }),
  noSuch: sentence({
    en: 'no document is called "{name}"',
    fr: 'aucun document ne s’appelle « {name} »',
    es: 'ningún documento se llama «{name}»',
  }),
  nothingChangedList: sentence({
    en: 'nothing was changed; list documents with: nightpost errors, or nightpost status',
    fr: 'rien n’a été modifié ; pour la liste des documents : nightpost errors, ou nightpost status',
    es: 'no se cambió nada; para la lista de documentos: nightpost errors, o nightpost status',
  }),
  list: sentence({
    en: 'list documents with: nightpost errors, or nightpost status',
    fr: 'pour la liste des documents : nightpost errors, ou nightpost status',
    es: 'para la lista de documentos: nightpost errors, o nightpost status',
  }),
  several: sentence({
    en: '{count} documents are called "{name}": {each}',
    fr: '{count} documents s’appellent « {name} » : {each}',
    es: '{count} documentos se llaman «{name}»: {each}',
  }),
  severalFiles: sentence({
    en: '{count} refused files are called "{name}": {each}',
    fr: '{count} fichiers refusés s’appellent « {name} » : {each}',
    es: '{count} archivos rechazados se llaman «{name}»: {each}',
  }),
  nameFile: sentence({
    en: 'nothing was changed; name the one you mean by its id',
    fr: 'rien n’a été modifié ; désignez le vôtre par son id',
    es: 'no se cambió nada; nombre el suyo por su id',
  }),
  nameOne: sentence({
    en: 'nothing was changed; name the one you mean by its id, or add --state',
    fr: 'rien n’a été modifié ; désignez le vôtre par son id, ou ajoutez --state',
    es: 'no se cambió nada; nombre el suyo por su id, o añada --state',
  }),
};
