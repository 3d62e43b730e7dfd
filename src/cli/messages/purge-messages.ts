/** What `purge` says is removed, or would be. */
import { sentence } from '../../i18n/message.ts';

export const PURGE = {
  noSubject: sentence({
    en: '--subject is empty; nothing was removed',
    fr: '--subject est vide ; rien n’a été supprimé',
    es: '--subject está vacío; no se eliminó nada',
  }),
  ending: sentence({
    en: 'Ending: what was begun is finished, the rest stays.',
    fr: 'Fin demandée : ce qui est commencé est terminé, le reste demeure.',
    es: 'Terminando: se completa lo empezado, el resto queda.',
  }),
  stopped: sentence({
    en: 'Ended before everything was removed ({documents} documents so far). The next purge goes on.',
    fr: 'Arrêté avant d’avoir tout supprimé ({documents} documents jusqu’ici). La prochaine purge continue.',
    es: 'Terminó antes de eliminarlo todo ({documents} documentos hasta ahora). La próxima depuración continúa.',
  }),
  nameIt: sentence({ en: 'name the counterparty', fr: 'nommez le tiers', es: 'nombre la contraparte' }),
  wouldRemove: sentence({ en: 'Would be removed:', fr: 'Serait supprimé :', es: 'Se eliminaría:' }),
  removed: sentence({ en: 'Removed:', fr: 'Supprimé :', es: 'Eliminado:' }),
  /** What, and how old it has to be. */
  aged: sentence({ en: '{what} ({age})', fr: '{what} ({age})', es: '{what} ({age})' }),
  withAttachments: sentence({
    en: '{exports} with {attachments}',
    fr: '{exports} avec {attachments}',
    es: '{exports} con {attachments}',
  }),
  forEver: sentence({
    en: 'kept for ever: keep.{part} is not set',
    fr: 'conservation illimitée : keep.{part} n’est pas réglé',
    es: 'se conserva para siempre: keep.{part} no está ajustado',
  }),
  olderThan: sentence({ en: 'older than {day}', fr: 'antérieur au {day}', es: 'anterior al {day}' }),
  andMore: sentence({ en: 'and {count} more', fr: 'et encore {count}', es: 'y {count} más' }),
};

export const PURGE_COUNT = {
  receipts: {
    one: sentence({
      en: '{count} receipt with payload',
      fr: '{count} reçu avec contenu envoyé (payload)',
      es: '{count} recibo con contenido enviado (payload)',
    }),
    many: sentence({
      en: '{count} receipts with payload',
      fr: '{count} reçus avec contenu envoyé (payload)',
      es: '{count} recibos con contenido enviado (payload)',
    }),
  },
  contents: {
    one: sentence({
      en: '{count} content in the ledger',
      fr: '{count} contenu dans le registre (ledger)',
      es: '{count} contenido en el registro (ledger)',
    }),
    many: sentence({
      en: '{count} contents in the ledger',
      fr: '{count} contenus dans le registre (ledger)',
      es: '{count} contenidos en el registro (ledger)',
    }),
  },
  summaries: {
    one: sentence({ en: '{count} summary', fr: '{count} récapitulatif', es: '{count} resumen' }),
    many: sentence({ en: '{count} summaries', fr: '{count} récapitulatifs', es: '{count} resúmenes' }),
  },
  exports: {
    one: sentence({ en: '{count} export', fr: '{count} export', es: '{count} exportación' }),
    many: sentence({ en: '{count} exports', fr: '{count} exports', es: '{count} exportaciones' }),
  },
  attachments: {
    one: sentence({ en: '{count} attachment', fr: '{count} pièce jointe', es: '{count} archivo adjunto' }),
    many: sentence({ en: '{count} attachments', fr: '{count} pièces jointes', es: '{count} archivos adjuntos' }),
  },
  logs: {
    one: sentence({ en: '{count} log', fr: '{count} journal', es: '{count} registro diario (log)' }),
    many: sentence({ en: '{count} logs', fr: '{count} journaux', es: '{count} registros diarios (logs)' }),
  },
  waiting: {
    one: sentence({
      en: '{count} document stays: somebody still has to act on it',
      fr: '{count} document reste : quelqu’un doit encore s’en occuper',
      es: '{count} documento se queda: alguien todavía tiene que ocuparse de él',
    }),
    many: sentence({
      en: '{count} documents stay: somebody still has to act on them',
      fr: '{count} documents restent : quelqu’un doit encore s’en occuper',
      es: '{count} documentos se quedan: alguien todavía tiene que ocuparse de ellos',
    }),
  },
};
