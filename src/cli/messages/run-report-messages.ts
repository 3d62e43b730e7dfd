/** What `run` and `watch` say: the table at the end, and lines while they work. */
import { sentence } from '../../i18n/message.ts';

export const NIGHT_TABLE = {
  file: sentence({ en: 'file', fr: 'fichier', es: 'archivo' }),
  docs: sentence({ en: 'docs', fr: 'docs', es: 'docs' }),
  warnings: sentence({ en: 'warnings', fr: 'avertissements', es: 'advertencias' }),
  setAside: sentence({ en: 'set aside', fr: 'écartés', es: 'apartados' }),
  sent: sentence({ en: 'amount sent', fr: 'montant envoyé', es: 'importe enviado' }),
  authorized: sentence({ en: 'authorized', fr: 'autorisés', es: 'autorizados' }),
  toCorrect: sentence({ en: 'to correct', fr: 'à corriger', es: 'por corregir' }),
  numberUsed: sentence({ en: 'number used', fr: 'numéro pris', es: 'número usado' }),
  toVerify: sentence({ en: 'to verify', fr: 'à vérifier', es: 'por verificar' }),
  support: sentence({ en: 'support', fr: 'support', es: 'soporte' }),
  contingency: sentence({ en: 'contingency', fr: 'contingence', es: 'contingencia' }),
  held: sentence({ en: 'held', fr: 'en attente', es: 'retenidos' }),
  queued: sentence({ en: 'queued', fr: 'en file', es: 'en cola' }),
  duplicate: sentence({ en: 'duplicate', fr: 'doublons', es: 'duplicados' }),
  invalidated: sentence({ en: 'invalidated', fr: 'invalidés', es: 'invalidados' }),
};

export const FILE_STATE = {
  loading: sentence({ en: 'loading', fr: 'en lecture', es: 'leyéndose' }),
  admitted: sentence({ en: 'admitted', fr: 'admis', es: 'admitido' }),
  refused: sentence({ en: 'refused', fr: 'refusé', es: 'rechazado' }),
  duplicate: sentence({ en: 'duplicate', fr: 'doublon', es: 'duplicado' }),
};

export const CORRECTIONS_COUNT = {
  corrected: {
    one: sentence({ en: '{count} corrected', fr: '{count} corrigé', es: '{count} corregido' }),
    many: sentence({ en: '{count} corrected', fr: '{count} corrigés', es: '{count} corregidos' }),
  },
  unchanged: {
    one: sentence({ en: '{count} unchanged', fr: '{count} inchangé', es: '{count} sin cambios' }),
    many: sentence({ en: '{count} unchanged', fr: '{count} inchangés', es: '{count} sin cambios' }),
  },
  refused: {
    one: sentence({ en: '{count} refused', fr: '{count} refusé', es: '{count} rechazado' }),
    many: sentence({ en: '{count} refused', fr: '{count} refusés', es: '{count} rechazados' }),
  },
};

export const CORRECTIONS = {
  each: sentence({ en: '{parts}', fr: '{parts}', es: '{parts}' }),
  none: sentence({ en: 'nothing to do', fr: 'rien à faire', es: 'nada que hacer' }),
  told: sentence({
    en: '{file}: a correction file, documents: {parts}',
    fr: '{file} : un fichier de corrections ({parts})',
    es: '{file}: un archivo de correcciones ({parts})',
  }),
  empty: sentence({
    en: '{file}: a correction file, without documents',
    fr: '{file} : un fichier de corrections, sans documents',
    es: '{file}: un archivo de correcciones, sin documentos',
  }),
};

export const NIGHT = {
  nothingNew: sentence({
    en: 'Nothing new in the inbox.',
    fr: 'Rien de nouveau dans la boîte de réception (inbox).',
    es: 'Nada nuevo en la bandeja de entrada (inbox).',
  }),
  earlier: sentence({
    en: 'Of earlier runs: {documents}',
    fr: 'De passages antérieurs : {documents}',
    es: 'De ejecuciones anteriores: {documents}',
  }),
  untold: sentence({
    en: 'With what was not told before, since {since}: a run was cut off',
    fr: 'Avec ce qui n’avait pas été signalé depuis {since} : un passage a été interrompu',
    es: 'Con lo que no se había informado desde {since}: una ejecución se interrumpió',
  }),
  number: sentence({ en: '{count}', fr: '{count}', es: '{count}' }),
  warnings: sentence({ en: '{documents}: {command}', fr: '{documents} : {command}', es: '{documents}: {command}' }),
  whatToDo: sentence({
    en: 'What to do stands in each receipt and in {readmes}; list: nightpost errors',
    fr: 'Ce qu’il faut faire se trouve dans chaque reçu et dans {readmes} ; liste : nightpost errors',
    es: 'Lo que hay que hacer está en cada recibo y en {readmes}; lista: nightpost errors',
  }),
  list: sentence({
    en: 'What to do stands in each receipt; list: nightpost errors',
    fr: 'Ce qu’il faut faire se trouve dans chaque reçu ; liste : nightpost errors',
    es: 'Lo que hay que hacer está en cada recibo; lista: nightpost errors',
  }),
  run: sentence({ en: 'Run {run}', fr: 'Passage {run}', es: 'Ejecución {run}' }),
  serviceStopped: sentence({
    en: '{service} stopped ({cause})',
    fr: '{service} arrêté ({cause})',
    es: '{service} detenido ({cause})',
  }),
  mappingStopped: sentence({
    en: 'mapping {mapping} stopped ({cause})',
    fr: 'fichier de correspondance {mapping} arrêté ({cause})',
    es: 'archivo de correspondencias {mapping} detenido ({cause})',
  }),
  queued: sentence({ en: '{count} queued', fr: '{count} en file', es: '{count} en cola' }),
  bothFromBefore: sentence({
    en: 'nothing new for you; {documents} and {files} wait from before: nightpost errors',
    fr: 'rien de nouveau pour vous ; {documents} et {files} attendent depuis plus longtemps : nightpost errors',
    es: 'nada nuevo para usted; {documents} y {files} esperan de antes: nightpost errors',
  }),
  nothingWaits: sentence({ en: 'nothing waits for you', fr: 'rien ne vous attend', es: 'nada le espera' }),
};

/** Of these the number decides the words. */
export const NIGHT_COUNT = {
  left: {
    one: sentence({
      en: '{count} refused in the inbox',
      fr: '{count} refusé dans la boîte de réception (inbox)',
      es: '{count} rechazado en la bandeja de entrada (inbox)',
    }),
    many: sentence({
      en: '{count} refused in the inbox',
      fr: '{count} refusés dans la boîte de réception (inbox)',
      es: '{count} rechazados en la bandeja de entrada (inbox)',
    }),
  },
  notTaken: {
    one: sentence({
      en: '{count} export not taken from the inbox: the system refused',
      fr: '{count} export n’a pas été pris dans la boîte de réception (inbox) : refus du système',
      es: '{count} exportación no se tomó de la bandeja de entrada (inbox): el sistema lo impidió',
    }),
    many: sentence({
      en: '{count} exports not taken from the inbox: the system refused',
      fr: '{count} exports n’ont pas été pris dans la boîte de réception (inbox) : refus du système',
      es: '{count} exportaciones no se tomaron de la bandeja de entrada (inbox): el sistema lo impidió',
    }),
  },
  otherFiles: {
    one: sentence({ en: '{count} other file', fr: '{count} autre fichier', es: '{count} archivo más' }),
    many: sentence({ en: '{count} other files', fr: '{count} autres fichiers', es: '{count} archivos más' }),
  },
  filesRefused: {
    one: sentence({ en: '{count} file refused', fr: '{count} fichier refusé', es: '{count} archivo rechazado' }),
    many: sentence({ en: '{count} files refused', fr: '{count} fichiers refusés', es: '{count} archivos rechazados' }),
  },
  sourcesMissing: {
    one: sentence({
      en: '{count} file missing from processing/',
      fr: '{count} fichier manquant dans processing/',
      es: 'falta {count} archivo en processing/',
    }),
    many: sentence({
      en: '{count} files missing from processing/',
      fr: '{count} fichiers manquants dans processing/',
      es: 'faltan {count} archivos en processing/',
    }),
  },
  correctionsRefused: {
    one: sentence({
      en: '{count} correction refused',
      fr: '{count} correction refusée',
      es: '{count} corrección rechazada',
    }),
    many: sentence({
      en: '{count} corrections refused',
      fr: '{count} corrections refusées',
      es: '{count} correcciones rechazadas',
    }),
  },
  exportsMissing: {
    one: sentence({ en: '{count} export missing', fr: '{count} export manque', es: 'falta {count} exportación' }),
    many: sentence({
      en: '{count} exports missing',
      fr: '{count} exports manquent',
      es: 'faltan {count} exportaciones',
    }),
  },
  fromBefore: {
    one: sentence({
      en: 'nothing new for you; {count} waits from before: nightpost errors',
      fr: 'rien de nouveau pour vous ; {count} attend depuis plus longtemps : nightpost errors',
      es: 'nada nuevo para usted; {count} espera de antes: nightpost errors',
    }),
    many: sentence({
      en: 'nothing new for you; {count} wait from before: nightpost errors',
      fr: 'rien de nouveau pour vous ; {count} attendent depuis plus longtemps : nightpost errors',
      es: 'nada nuevo para usted; {count} esperan de antes: nightpost errors',
    }),
  },
  filesFromBefore: {
    one: sentence({
      en: 'nothing new for you; {count} file waits from before: nightpost errors',
      fr: 'rien de nouveau pour vous ; {count} fichier attend depuis plus longtemps : nightpost errors',
      es: 'nada nuevo para usted; {count} archivo espera de antes: nightpost errors',
    }),
    many: sentence({
      en: 'nothing new for you; {count} files wait from before: nightpost errors',
      fr: 'rien de nouveau pour vous ; {count} fichiers attendent depuis plus longtemps : nightpost errors',
      es: 'nada nuevo para usted; {count} archivos esperan de antes: nightpost errors',
    }),
  },
  itsQueued: {
    one: sentence({
      en: 'its {count} queued document is held; mend the cause, then release it, or drop a corrected export',
      fr: 'son document en file ({count}) est mis en attente ; corrigez la cause, puis libérez-le, ou déposez un export corrigé',
      es: 'su {count} documento en cola se retiene; corrija la causa y libérelo, o deposite una exportación corregida',
    }),
    many: sentence({
      en: 'its {count} queued documents are held; mend the cause, then release them, or drop a corrected export',
      fr: 'ses {count} documents en file sont mis en attente ; corrigez la cause, puis libérez-les, ou déposez un export corrigé',
      es: 'sus {count} documentos en cola se retienen; corrija la causa y libérelos, o deposite una exportación corregida',
    }),
  },
  filesTaken: {
    one: sentence({
      en: '{count} file taken in, {documents}',
      fr: '{count} fichier pris en charge, {documents}',
      es: '{count} archivo tomado, {documents}',
    }),
    many: sentence({
      en: '{count} files taken in, {documents}',
      fr: '{count} fichiers pris en charge, {documents}',
      es: '{count} archivos tomados, {documents}',
    }),
  },
};

export const WHILE_RUNNING = {
  sameBytes: sentence({
    en: '{file}: the same bytes were taken before as {first}; nothing is sent twice',
    fr: '{file} : les mêmes octets ont déjà été pris en charge sous le nom {first} ; rien n’est envoyé deux fois',
    es: '{file}: los mismos bytes ya se tomaron antes como {first}; nada se envía dos veces',
  }),
  waitsFor: sentence({
    en: '{file} waits in the inbox for {partner}, until {until}',
    fr: '{file} attend {partner} dans la boîte de réception (inbox), jusqu’à {until}',
    es: '{file} espera a {partner} en la bandeja de entrada (inbox), hasta {until}',
  }),
  noToFix: sentence({
    en: '{file}: no correction file (*.to-fix) was written: {why}',
    fr: '{file} : aucun fichier de corrections *.to-fix n’a été écrit ({why})',
    es: '{file}: no se escribió ningún archivo de correcciones *.to-fix ({why})',
  }),
  nextTry: sentence({
    en: '{service}: {says}; next try in {time}',
    fr: '{service} : {says} ; prochain essai dans {time}',
    es: '{service}: {says}; próximo intento en {time}',
  }),
  stopped: sentence({
    en: '{service}: stopped ({cause}): {says}',
    fr: '{service} : arrêté ({cause}), {says}',
    es: '{service}: detenido ({cause}), {says}',
  }),
  mappingHeld: sentence({ en: '{service}: {says}', fr: '{service} : {says}', es: '{service}: {says}' }),
  leftWaiting: sentence({
    en: '{file}: left in the inbox, {why}; a later run takes it',
    fr: '{file} : laissé dans la boîte de réception (inbox), {why} ; un passage ultérieur le prendra',
    es: '{file}: se deja en la bandeja de entrada (inbox), {why}; lo tomará una ejecución posterior',
  }),
  recovered: sentence({
    en: 'An earlier run was cut off: files taken up again: {files}, documents in doubt: {documents}',
    fr: 'Un passage antérieur a été interrompu : fichiers repris : {files}, documents au sort inconnu : {documents}',
    es: 'Una ejecución anterior se interrumpió: archivos retomados: {files}, documentos en duda: {documents}',
  }),
  decidesNothing: sentence({
    en: '{folder}: these files decide nothing, see their notes there: {files}',
    fr: '{folder} : ces fichiers ne décident rien, voyez leurs notes sur place ({files})',
    es: '{folder}: estos archivos no deciden nada, véanse allí sus notas ({files})',
  }),
  ofFile: sentence({ en: '{file}: {told}', fr: '{file} : {told}', es: '{file}: {told}' }),
  takenIn: sentence({
    en: 'taken in, {documents}',
    fr: 'pris en charge, {documents}',
    es: 'tomado, {documents}',
  }),
  list: sentence({ en: 'list: nightpost errors', fr: 'liste : nightpost errors', es: 'lista: nightpost errors' }),
  mappingsChanged: sentence({
    en: 'Changed since this watch began: {files}; it goes on with what it read then, restart it to use them as they are now',
    fr: 'Modifiés depuis le début de cette surveillance : {files} ; elle continue avec ce qu’elle a lu alors, redémarrez-la pour les utiliser tels qu’ils sont',
    es: 'Cambiaron desde que empezó esta vigilancia: {files}; sigue con lo que leyó entonces, reiníciela para usarlos como están ahora',
  }),
  mappingsAsBefore: sentence({
    en: 'The mappings are again as they were when this watch began',
    fr: 'Les fichiers de correspondance sont de nouveau tels qu’au début de cette surveillance',
    es: 'Los archivos de correspondencias vuelven a estar como cuando empezó esta vigilancia',
  }),
  noNewStart: sentence({
    en: 'once this watch ends: {fault}',
    fr: 'une fois cette surveillance terminée : {fault}',
    es: 'cuando termine esta vigilancia: {fault}',
  }),
  watching: sentence({
    en: 'Watching {folder} (Ctrl+C ends)',
    fr: 'Surveillance de {folder} (Ctrl+C pour terminer)',
    es: 'Vigilando {folder} (Ctrl+C para terminar)',
  }),
};

/** Why a file stays in the inbox for now. */
export const LEFT_WAITING = {
  young: sentence({
    en: 'it has only just arrived',
    fr: 'il vient seulement d’arriver',
    es: 'acaba de llegar',
  }),
  growing: sentence({ en: 'it is still growing', fr: 'il grandit encore', es: 'todavía crece' }),
  empty: sentence({ en: 'it is still empty', fr: 'il est encore vide', es: 'todavía está vacío' }),
  'no-marker': sentence({
    en: 'its marker file is not there',
    fr: 'son fichier témoin n’est pas là',
    es: 'su archivo marcador no está',
  }),
  held: sentence({ en: 'it could not be taken', fr: 'il n’a pas pu être pris', es: 'no se pudo tomar' }),
};
