/** Why a sequence gives no number. */
import { sentence } from '../../i18n/message.ts';

export const NUMBER = {
  unknown: sentence({
    en: 'the next number of the sequence {sequence} is not known: {why}',
    fr: 'le prochain numéro de la séquence {sequence} n’est pas connu : {why}',
    es: 'no se conoce el siguiente número de la secuencia {sequence}: {why}',
  }),
  quarantine: sentence({
    en: 'the ledger was {why} on {at}, and numbers may have been given since that it does not know',
    fr: 'le registre (ledger) a été {why} le {at}, et des numéros qu’il ignore ont pu être attribués depuis',
    es: 'el registro (ledger) fue {why} el {at}, y desde entonces pudieron darse números que no conoce',
  }),
  endQuarantine: sentence({
    en: 'compare with the service and end the quarantine (nightpost ledger end-quarantine), then read the documents again: nightpost reprocess --cause ledger/number-unknown',
    fr: 'comparez avec le service et mettez fin à la quarantaine (nightpost ledger end-quarantine), puis relisez les documents : nightpost reprocess --cause ledger/number-unknown',
    es: 'compare con el servicio y termine la cuarentena (nightpost ledger end-quarantine), y vuelva a leer los documentos: nightpost reprocess --cause ledger/number-unknown',
  }),
  rebuilt: sentence({
    en: 'the ledger was made again from receipts on {at}, and none of them tells a number of it',
    fr: 'le registre (ledger) a été refait à partir des reçus le {at}, et aucun n’en donne de numéro',
    es: 'el registro (ledger) se rehízo a partir de los recibos el {at}, y ninguno da un número de ella',
  }),
  sayNext: sentence({
    en: 'look up the last number that was issued and say the next one ({command}), then read the documents again: nightpost reprocess --cause ledger/number-unknown',
    fr: 'cherchez le dernier numéro émis et indiquez le suivant ({command}), puis relisez les documents : nightpost reprocess --cause ledger/number-unknown',
    es: 'busque el último número emitido e indique el siguiente ({command}), y vuelva a leer los documentos: nightpost reprocess --cause ledger/number-unknown',
  }),
};
