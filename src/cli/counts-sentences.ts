/** Things that are counted, and who acts: words that several commands say. */
import { type Phrase, type Sentence, sentence } from '../model/words.ts';

export const COUNT = {
  document: {
    one: sentence({ en: '{count} document', fr: '{count} document', es: '{count} documento' }),
    many: sentence({ en: '{count} documents', fr: '{count} documents', es: '{count} documentos' }),
  },
};

/** "1 document", "2 documents", in the language it is said in. */
export function countOf({ one, many }: { readonly [n in 'one' | 'many']: Sentence<'count'> }, count: number): Phrase {
  return (count === 1 ? one : many)({ count });
}
