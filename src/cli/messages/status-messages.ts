/** What `status` says beside names, codes and numbers. */
import { sentence } from '../../i18n/message.ts';

export const STATUS = {
  environment: sentence({ en: 'environment', fr: 'environnement', es: 'entorno' }),
  inInbox: sentence({
    en: '{count} in the inbox',
    fr: '{count} dans la boîte de réception (inbox)',
    es: '{count} en la bandeja de entrada (inbox)',
  }),
  noDocuments: sentence({
    en: 'No documents yet.',
    fr: 'Pas encore de documents.',
    es: 'Todavía no hay documentos.',
  }),
  warnings: sentence({
    en: '{documents}, {latest} of the latest run: {command}',
    fr: '{documents}, dont {latest} lors du dernier passage : {command}',
    es: '{documents}, {latest} de ellos en la última ejecución: {command}',
  }),
  waits: sentence({
    en: '{file} waits in the inbox for {partner}',
    fr: '{file} attend {partner} dans la boîte de réception (inbox)',
    es: '{file} espera a {partner} en la bandeja de entrada (inbox)',
  }),
  service: sentence({
    en: '{service}: {state}; consultation {consultation}',
    fr: '{service} : {state} ; consultation {consultation}',
    es: '{service}: {state}; consulta {consultation}',
  }),
  stopped: sentence({
    en: 'stopped {at} ({cause}): {says}',
    fr: 'arrêté {at} ({cause}) : {says}',
    es: 'detenido {at} ({cause}): {says}',
  }),
  takes: sentence({ en: 'takes documents', fr: 'accepte des documents', es: 'acepta documentos' }),
  configured: sentence({ en: 'configured', fr: 'configurée', es: 'configurada' }),
  notConfigured: sentence({ en: 'not configured', fr: 'non configurée', es: 'no configurada' }),
  receiptsEnd: sentence({
    en: 'receipts end in {head}',
    fr: 'les reçus se terminent par {head}',
    es: 'los recibos terminan en {head}',
  }),
  quarantine: sentence({
    en: 'IN QUARANTINE: the ledger was {why} on {at} by {by}; documents are held until: nightpost ledger end-quarantine REASON',
    fr: 'EN QUARANTAINE : le registre (ledger) a été {why} le {at} par {by} ; les documents restent en attente jusqu’à la commande nightpost ledger end-quarantine RAISON',
    es: 'EN CUARENTENA: el registro (ledger) fue {why} el {at} por {by}; los documentos se retienen hasta la orden nightpost ledger end-quarantine MOTIVO',
  }),
  noWitness: sentence({
    en: 'no ledger.witness-folder: a snapshot, or rsync --inplace over the whole folder, goes back unnoticed (docs/operating.md)',
    fr: 'pas de ledger.witness-folder : le retour à un instantané, ou rsync --inplace sur tout le dossier, passe inaperçu (docs/operating.md)',
    es: 'sin ledger.witness-folder: la vuelta a una instantánea, o rsync --inplace sobre toda la carpeta, pasa inadvertida (docs/operating.md)',
  }),
  nothingSent: sentence({
    en: 'NOTHING IS SENT ({code}): {reason}',
    fr: 'RIEN N’EST ENVOYÉ ({code}) : {reason}',
    es: 'NO SE ENVÍA NADA ({code}): {reason}',
  }),
};

/** Of these the number decides the words. */
export const STATUS_COUNT = {
  filesRefused: {
    one: sentence({
      en: '{count} refused file waits for you: nightpost errors',
      fr: '{count} fichier refusé vous attend : nightpost errors',
      es: '{count} archivo rechazado lo espera: nightpost errors',
    }),
    many: sentence({
      en: '{count} refused files wait for you: nightpost errors',
      fr: '{count} fichiers refusés vous attendent : nightpost errors',
      es: '{count} archivos rechazados lo esperan: nightpost errors',
    }),
  },
  sourcesMissing: {
    one: sentence({
      en: '{count} export is missing from processing/ and from the archive: nightpost errors',
      fr: '{count} export manque dans processing/ et dans l’archive : nightpost errors',
      es: 'Falta {count} exportación en processing/ y en el archivo histórico: nightpost errors',
    }),
    many: sentence({
      en: '{count} exports are missing from processing/ and from the archive: nightpost errors',
      fr: '{count} exports manquent dans processing/ et dans l’archive : nightpost errors',
      es: 'Faltan {count} exportaciones en processing/ y en el archivo histórico: nightpost errors',
    }),
  },
};

export const STATUS_TABLE = {
  state: sentence({ en: 'state', fr: 'état', es: 'estado' }),
  documents: sentence({ en: 'documents', fr: 'documents', es: 'documentos' }),
  whoActs: sentence({ en: 'who acts', fr: 'qui agit', es: 'quién actúa' }),
  folder: sentence({ en: 'folder', fr: 'dossier', es: 'carpeta' }),
};

export const ACTOR = {
  machine: sentence({ en: 'machine', fr: 'machine', es: 'máquina' }),
  finance: sentence({ en: 'finance', fr: 'comptabilité', es: 'contabilidad' }),
  support: sentence({ en: 'support', fr: 'support', es: 'soporte' }),
  admin: sentence({ en: 'admin', fr: 'administrateur', es: 'administrador' }),
};

/** Exports that are expected and not there as they should be. */
export const EXPECTED = {
  when: sentence({
    en: 'since {since}, expected by {due}',
    fr: 'depuis {since}, attendu pour {due}',
    es: 'desde {since}, esperado para {due}',
  }),
  missing: sentence({
    en: 'MISSING  {name}: no file {files} {when}',
    fr: 'MANQUE  {name} : pas de fichier {files} {when}',
    es: 'FALTA  {name}: ningún archivo {files} {when}',
  }),
  refused: sentence({
    en: '{name}: {file} arrived, but was refused ({when})',
    fr: '{name} : {file} est arrivé, mais a été refusé ({when})',
    es: '{name}: {file} llegó, pero fue rechazado ({when})',
  }),
  duplicate: sentence({
    en: '{name}: {file} arrived, but with the same bytes as before ({when})',
    fr: '{name} : {file} est arrivé, mais avec les mêmes octets qu’auparavant ({when})',
    es: '{name}: {file} llegó, pero con los mismos bytes que antes ({when})',
  }),
};
