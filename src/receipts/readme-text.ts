/**
 * README.txt of an error folder and of the folders for decisions: what the words in receipts mean and what to do, in
 * English, French and Spanish, the language of the instance first. Its list comes from the table of states.
 */

import { format, type Language, languagesFrom, type MessageMaker } from '../i18n/message.ts';
import { README } from '../i18n/messages/receipts-texts-messages.ts';
import { SET_ASIDE_INFO, STATE_NAMES, stateInfo } from '../model/state.ts';
import { nextAction, nextSetAsideByAnyone } from './next-action.ts';

/** The same name in each folder, so that it is written once. */
export const README_NAME = 'README.txt';

/** Characters of a line: the text fits a terminal of 80 columns. */
const WIDTH = 78;

/** The folder that a README explains: a key of `readme` in locales/<language>/receipts-texts.yaml. */
export type ReadmeOf = keyof typeof README;

/** In all three languages, because a reader may not read the language of the settings; that language comes first. */
export function readmeText(of: ReadmeOf, first: Language): string {
  const compose = of === 'error' ? errorPage : (language: Language) => page(of, language);
  const parts = languagesFrom(first).map(compose);
  return parts.join(`\n${'-'.repeat(WIDTH)}\n\n`);
}

function errorPage(language: Language): string {
  const colon = language === 'fr' ? ' :' : ':';
  const bullet = (word: string, text: string) => wrap(`${word}${colon} ${text}`, '  * ', '    ');
  const states = STATE_NAMES.filter((state) => stateInfo(state).folder === 'error').map((state) =>
    bullet(`${format(stateInfo(state).words, language)} (${state})`, format(nextAction(state), language)),
  );
  const setAside = bullet(format(SET_ASIDE_INFO.words, language), format(nextSetAsideByAnyone(), language));
  return `${page('error', language)}\n${[...states, setAside].join('\n')}\n`;
}

/** A title and paragraphs; of pending/release and pending/reject no states, because few of them come there. */
function page(of: ReadmeOf, language: Language): string {
  const { title, ...paragraphs } = README[of] as { readonly [name: string]: MessageMaker } & {
    readonly title: MessageMaker;
  };
  const texts = Object.values(paragraphs).map((text) => wrap(format(text(), language)));
  return [format(title(), language).toUpperCase(), ...texts].join('\n\n').concat('\n');
}

function wrap(text: string, first = '', rest = ''): string {
  const lines: string[] = [];
  let line = first;
  let hasWord = false;
  // French sets spaces inside quotation marks and before colons where no line may end.
  const glued = text.replaceAll('« ', '«\u00a0').replaceAll(/ ([»:;?!])/g, '\u00a0$1');
  for (const word of glued.split(' ')) {
    if (hasWord && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = rest;
      hasWord = false;
    }
    line += (hasWord ? ' ' : '') + word;
    hasWord = true;
  }
  return [...lines, line].join('\n');
}
