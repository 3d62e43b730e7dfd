/** What `verify` says of what it went through. */
import { sentence } from '../../i18n/message.ts';

export const VERIFY = {
  allOrSome: sentence({
    en: '--all and documents are asked for at once',
    fr: '--all et des documents sont demandés à la fois',
    es: 'se pidió --all y documentos a la vez',
  }),
  leaveOneOut: sentence({ en: 'leave one out', fr: 'retirez l’un des deux', es: 'quite uno de los dos' }),
  noSuch: sentence({
    en: 'no document is known by what was asked for',
    fr: 'aucun document ne correspond à ce qui est demandé',
    es: 'ningún documento corresponde a lo que se pidió',
  }),
  documents: sentence({
    en: '{count} gone through, in {seconds} s',
    fr: '{count} parcourus, en {seconds} s',
    es: '{count} recorridos, en {seconds} s',
  }),
  proven: sentence({
    en: 'proven so far: {documents}',
    fr: 'déjà prouvé : {documents}',
    es: 'probado hasta ahora: {documents}',
  }),
  endsIn: sentence({
    en: '{links}, ends in {head}',
    fr: '{links}, se termine par {head}',
    es: '{links}, termina en {head}',
  }),
  withMappings: sentence({
    en: '{exports}, with {mappings}',
    fr: '{exports}, avec {mappings}',
    es: '{exports}, con {mappings}',
  }),
  hearsay: sentence({
    en: '{answers}, {count} known from receipts alone: the ledger was made again from them',
    fr: '{answers}, {count} connues par les seuls reçus : le registre (ledger) en a été refait',
    es: '{answers}, {count} conocidas solo por los recibos: el registro (ledger) se rehízo a partir de ellos',
  }),
  purged: sentence({
    en: '{count} documents and exports: who, when and why tells nightpost show',
    fr: '{count} documents et exports : qui, quand et pourquoi, voir nightpost show',
    es: '{count} documentos y exportaciones: quién, cuándo y por qué lo dice nightpost show',
  }),
  givenUp: sentence({
    en: '{count}: gone before anything was made of them, and set aside by a person (nightpost reject)',
    fr: '{count} : disparus avant que rien n’en soit tiré, et écartés par une personne (nightpost reject)',
    es: '{count}: desaparecidas antes de que se hiciera nada de ellas, y apartadas por una persona (nightpost reject)',
  }),
  notSettled: sentence({
    en: '{count}: a run has not finished them yet',
    fr: '{count} : pas encore terminés par un passage',
    es: '{count}: una ejecución aún no los terminó',
  }),
  ending: sentence({
    en: 'Ending: what is left is not looked at.',
    fr: 'Fin demandée : le reste n’est pas examiné.',
    es: 'Terminando: el resto no se examina.',
  }),
  stopped: sentence({
    en: 'Ended before everything was looked at: this is no proof. Run the command again.',
    fr: 'Arrêté avant d’avoir tout examiné : ceci n’est pas une preuve. Relancez la commande.',
    es: 'Terminó antes de examinarlo todo: esto no es una prueba. Ejecute de nuevo el comando.',
  }),
  whole: sentence({
    en: 'Everything belongs together.',
    fr: 'Tout concorde.',
    es: 'Todo concuerda.',
  }),
};

/** Before each line. */
export const VERIFY_LABEL = {
  chain: sentence({ en: 'chain', fr: 'chaîne', es: 'cadena' }),
  exports: sentence({ en: 'exports', fr: 'exports', es: 'exportaciones' }),
  contents: sentence({ en: 'contents', fr: 'contenus', es: 'contenidos' }),
  answers: sentence({ en: 'answers', fr: 'réponses', es: 'respuestas' }),
  documents: sentence({ en: 'documents', fr: 'documents', es: 'documentos' }),
  purged: sentence({ en: 'purged', fr: 'purgés', es: 'depurados' }),
  givenUp: sentence({ en: 'given up', fr: 'abandonnés', es: 'abandonadas' }),
  notSettled: sentence({ en: 'not settled', fr: 'en suspens', es: 'sin asentar' }),
};

export const VERIFY_COUNT = {
  links: {
    one: sentence({ en: '{count} link', fr: '{count} maillon', es: '{count} eslabón' }),
    many: sentence({ en: '{count} links', fr: '{count} maillons', es: '{count} eslabones' }),
  },
  exports: {
    one: sentence({
      en: '{count} read again by its hash',
      fr: '{count} relu d’après son empreinte',
      es: '{count} leída de nuevo según su huella',
    }),
    many: sentence({
      en: '{count} read again by their hash',
      fr: '{count} relus d’après leur empreinte',
      es: '{count} leídas de nuevo según su huella',
    }),
  },
  contents: {
    one: sentence({
      en: '{count} made again from its rows, the same as recorded',
      fr: '{count} refait à partir de ses lignes, identique à l’enregistrement',
      es: '{count} rehecho a partir de sus filas, igual a lo registrado',
    }),
    many: sentence({
      en: '{count} made again from their rows, the same as recorded',
      fr: '{count} refaits à partir de leurs lignes, identiques à l’enregistrement',
      es: '{count} rehechos a partir de sus filas, iguales a lo registrado',
    }),
  },
  answers: {
    one: sentence({ en: '{count} judged again', fr: '{count} jugée de nouveau', es: '{count} juzgada de nuevo' }),
    many: sentence({ en: '{count} judged again', fr: '{count} jugées de nouveau', es: '{count} juzgadas de nuevo' }),
  },
  mappings: {
    one: sentence({
      en: '{count} mapping version',
      fr: '{count} version de fichier de correspondance',
      es: '{count} versión de archivo de correspondencias',
    }),
    many: sentence({
      en: '{count} mapping versions',
      fr: '{count} versions de fichiers de correspondance',
      es: '{count} versiones de archivos de correspondencias',
    }),
  },
  breaks: {
    one: sentence({
      en: '{count} break: what it means and what to do: nightpost explain CODE',
      fr: '{count} rupture ; ce qu’elle signifie et que faire : nightpost explain CODE',
      es: '{count} ruptura; qué significa y qué hacer: nightpost explain CÓDIGO',
    }),
    many: sentence({
      en: '{count} breaks: what they mean and what to do: nightpost explain CODE',
      fr: '{count} ruptures ; ce qu’elles signifient et que faire : nightpost explain CODE',
      es: '{count} rupturas; qué significan y qué hacer: nightpost explain CÓDIGO',
    }),
  },
};
