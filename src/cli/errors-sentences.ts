/** What `errors` adds to the words of a fault. */
import { sentence } from '../model/words.ts';

export const ERRORS = {
  write: sentence({
    en: '{message}: write {suggestion}',
    fr: '{message} ; écrivez {suggestion}',
    es: '{message}; escriba {suggestion}',
  }),
};
