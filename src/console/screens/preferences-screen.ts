/** Keeps the language of the person, and colors and keys of this browser; leads back to the page that sent the form. */
import type { Language } from '../../i18n/message.ts';
import { pathBelow, type Screen, seeOther } from '../server/screen-context.ts';
import { preferencesCookie, preferencesOf } from '../server/view-preferences.ts';

const LANGUAGES: readonly Language[] = ['en', 'fr', 'es'];

export const preferencesScreen: Screen = async ({ form, base, people, person }) => {
  const language = LANGUAGES.find((one) => one === form.get('language'));
  if (language && language !== person.language) people.setLanguage(person.id, language);
  const answer = seeOther({ base }, pathBelow(form.get('back')));
  answer.headers.append('set-cookie', preferencesCookie(preferencesOf(form), base));
  return answer;
};
