/** What `show` says beside names, codes, times and what was recorded. */
import { sentence } from '../../i18n/message.ts';

/** What stands before each line: a noun, short. */
export const SHOW_LABEL = {
  id: sentence({ en: 'id', fr: 'id', es: 'id' }),
  source: sentence({ en: 'source', fr: 'source', es: 'origen' }),
  mapping: sentence({ en: 'mapping', fr: 'correspondance', es: 'correspondencias' }),
  answer: sentence({ en: 'answer', fr: 'réponse', es: 'respuesta' }),
  tracking: sentence({ en: 'tracking', fr: 'suivi', es: 'rastreo' }),
  first: sentence({ en: 'first', fr: 'premier', es: 'primero' }),
  purged: sentence({ en: 'purged', fr: 'purgé', es: 'depurado' }),
  held: sentence({ en: 'held by', fr: 'retenu par', es: 'retenido' }),
  evidence: sentence({ en: 'recorded', fr: 'constaté', es: 'constatado' }),
  next: sentence({ en: 'next', fr: 'ensuite', es: 'después' }),
};

export const SHOW = {
  revision: sentence({ en: 'revision {revision}', fr: 'révision {revision}', es: 'revisión {revision}' }),
  noSuch: sentence({
    en: 'no document is known by the id, number or receipt name "{name}"',
    fr: 'aucun document n’a l’id, le numéro ou le nom de reçu « {name} »',
    es: 'ningún documento tiene el id, el número o el nombre de recibo «{name}»',
  }),
  underWay: sentence({ en: 'under way', fr: 'en cours', es: 'en curso' }),
  corrected: sentence({ en: 'corrected', fr: 'corrigé', es: 'corregido' }),
  cell: sentence({ en: 'row {row}, {column}', fr: 'ligne {row}, {column}', es: 'fila {row}, {column}' }),
  said: sentence({ en: '{by}: {reason}', fr: '{by} : {reason}', es: '{by}: {reason}' }),
  by: sentence({ en: '{by}', fr: '{by}', es: '{by}' }),
  evidence: sentence({
    en: '{by}: {reason}, evidence {file} (sha-256 {hash})',
    fr: '{by} : {reason}, preuve {file} (sha-256 {hash})',
    es: '{by}: {reason}, prueba {file} (sha-256 {hash})',
  }),
  byPerson: sentence({
    en: 'A person recorded this outcome; no answer of the service told it.',
    fr: 'Une personne a constaté cette issue ; aucune réponse du service ne l’a dite.',
    es: 'Una persona constató este resultado; ninguna respuesta del servicio lo dijo.',
  }),
  history: sentence({ en: 'history', fr: 'historique', es: 'historial' }),
  removed: sentence({
    en: '{parts} removed {at} by {by}: {reason}; its identity stays',
    fr: 'suppression le {at} par {by} ({reason}) : {parts} ; son identité reste',
    es: 'eliminación el {at} por {by} ({reason}): {parts}; su identidad queda',
  }),
};

export const PURGED = {
  archive: sentence({ en: 'its export', fr: 'son export', es: 'su exportación' }),
  summary: sentence({
    en: 'the summary of its export',
    fr: 'le récapitulatif de son export',
    es: 'el resumen de su exportación',
  }),
  receipts: sentence({
    en: 'receipt and payload',
    fr: 'reçu et contenu envoyé (payload)',
    es: 'recibo y contenido enviado (payload)',
  }),
  content: sentence({
    en: 'content, names, amounts and answers',
    fr: 'contenu, noms, montants et réponses',
    es: 'contenido, nombres, importes y respuestas',
  }),
};
