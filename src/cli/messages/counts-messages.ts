/** Things that are counted, and who acts: words that several commands say. */

import { type Phrase, type Sentence, sentence } from '../../i18n/message.ts';
import { type State, stateInfo } from '../../model/state.ts';

export const COUNT = {
  document: {
    one: sentence({ en: '{count} document', fr: '{count} document', es: '{count} documento' }),
    many: sentence({ en: '{count} documents', fr: '{count} documents', es: '{count} documentos' }),
  },
  file: {
    one: sentence({ en: '{count} file', fr: '{count} fichier', es: '{count} archivo' }),
    many: sentence({ en: '{count} files', fr: '{count} fichiers', es: '{count} archivos' }),
  },
  row: {
    one: sentence({ en: '{count} row', fr: '{count} ligne', es: '{count} fila' }),
    many: sentence({ en: '{count} rows', fr: '{count} lignes', es: '{count} filas' }),
  },
  passedWithWarnings: {
    one: sentence({
      en: '{count} document passed the checks with warnings',
      fr: '{count} document avec avertissements a passé les contrôles',
      es: '{count} documento con advertencias pasó los controles',
    }),
    many: sentence({
      en: '{count} documents passed the checks with warnings',
      fr: '{count} documents avec avertissements ont passé les contrôles',
      es: '{count} documentos con advertencias pasaron los controles',
    }),
  },
};

/** Several documents in a state, where its word is another one then. */
const MANY: { readonly [S in State]?: Sentence<'count'> } = {
  duplicate: sentence({ en: '{count} duplicates', fr: '{count} doublons', es: '{count} duplicados' }),
  conflict: sentence({
    en: '{count} numbers already used',
    fr: '{count} numéros déjà utilisés',
    es: '{count} números ya utilizados',
  }),
  held: sentence({ en: '{count} held', fr: '{count} en attente', es: '{count} retenidos' }),
  authorized: sentence({ en: '{count} authorized', fr: '{count} autorisés', es: '{count} autorizados' }),
  invalidated: sentence({ en: '{count} invalidated', fr: '{count} invalidés', es: '{count} invalidados' }),
};

/** One or several in a state whose word is no adjective. */
const FAILED: Sentence<'count'> = sentence({
  en: '{count} contact support',
  fr: '{count} à voir avec le support',
  es: '{count} por consultar con soporte',
});

const IN_STATE = sentence({ en: '{count} {state}', fr: '{count} {state}', es: '{count} {state}' });

/** "1 to correct", "2 numbers already used". */
export function stateCount(count: number, state: State): Phrase {
  if (state === 'failed') return FAILED({ count });
  const many = count === 1 ? undefined : MANY[state];
  return many ? many({ count }) : IN_STATE({ count, state: wordOfState(state) });
}

/** The operator's word, in lower case inside a sentence. */
export function wordOfState(state: State): Phrase {
  const { en, fr, es } = stateInfo(state).words;
  return { words: { en: en.toLowerCase(), fr: fr.toLowerCase(), es: es.toLowerCase() }, values: {} };
}

type Counted = { readonly [n in 'one' | 'many']: Sentence<'count'> };

/** "1 document", "2 documents", in the language it is said in; of none French speaks in the singular. */
export function countOf({ one, many }: Counted, count: number): Phrase {
  if (count !== 0) return (count === 1 ? one : many)({ count });
  return { words: { ...many.words, fr: one.words.fr }, values: { count } };
}

const ROWS = {
  row: sentence({ en: 'row {rows}', fr: 'ligne {rows}', es: 'fila {rows}' }),
  rows: sentence({ en: 'rows {rows}', fr: 'lignes {rows}', es: 'filas {rows}' }),
};

/** "row 2", "rows 2, 3". */
export function rowsText(rows: readonly number[]): Phrase {
  return (rows.length === 1 ? ROWS.row : ROWS.rows)({ rows: rows.join(', ') });
}
