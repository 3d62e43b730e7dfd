/** What every command that works says when it is asked to end. */
import { sentence } from '../../i18n/message.ts';

export const SESSION = {
  ending: sentence({
    en: 'Ending: documents under way are finished, the rest stays queued.',
    fr: 'Fin demandée : les documents en cours sont terminés, le reste attend en file.',
    es: 'Terminando: los documentos en curso se completan, el resto queda en cola.',
  }),
  mappingWrong: sentence({
    en: 'NOTHING IS TAKEN IN OR SENT until this is corrected: {fault}; see nightpost check',
    fr: 'RIEN N’EST PRIS EN CHARGE NI ENVOYÉ tant que ceci n’est pas corrigé : {fault} ; voyez nightpost check',
    es: 'NO SE TOMA NI SE ENVÍA NADA hasta que se corrija esto: {fault}; véase nightpost check',
  }),
  mappingsWrong: sentence({
    en: 'NOTHING IS TAKEN IN OR SENT until this is corrected: {fault} (and {more} more); see nightpost check',
    fr: 'RIEN N’EST PRIS EN CHARGE NI ENVOYÉ tant que ceci n’est pas corrigé : {fault} (et encore {more}) ; voyez nightpost check',
    es: 'NO SE TOMA NI SE ENVÍA NADA hasta que se corrija esto: {fault} (y {more} más); véase nightpost check',
  }),
  ledgerUnavailable: sentence({
    en: 'the rest stays queued; a document whose answer could not be kept is shown as in doubt by the next run',
    fr: 'le reste attend en file ; un document dont la réponse n’a pu être conservée sera montré comme « à vérifier » au prochain passage',
    es: 'el resto queda en cola; un documento cuya respuesta no se pudo guardar se mostrará como «por verificar» en la próxima ejecución',
  }),
  noLog: sentence({
    en: 'The log {path} cannot be written ({error}): the work goes on without it. Make the folder writable.',
    fr: 'Le journal {path} ne peut être écrit ({error}) : le travail continue sans lui. Rendez le dossier accessible en écriture.',
    es: 'El registro de actividad {path} no se puede escribir ({error}): el trabajo continúa sin él. Permita escribir en la carpeta.',
  }),
  endingUnchanged: sentence({
    en: 'Ending: unless the new ledger has its place already, nothing is changed.',
    fr: 'Fin demandée : sauf si le nouveau registre est déjà en place, rien n’est modifié.',
    es: 'Terminando: salvo que el nuevo registro ya esté en su lugar, no se cambia nada.',
  }),
  unchanged: sentence({
    en: 'Nothing was changed: the ledger is as it was before. Run the command again.',
    fr: 'Rien n’a été modifié : le registre est comme avant. Relancez la commande.',
    es: 'No se cambió nada: el registro está como antes. Ejecute de nuevo el comando.',
  }),
  endingSandbox: sentence({ en: 'Ending.', fr: 'Fin.', es: 'Terminando.' }),
};
