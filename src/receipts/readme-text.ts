/**
 * README.txt of an error folder and of the folders for decisions, for whoever opens it in the morning: what the words in the receipts mean and what to
 * do, in English, French and Spanish, that of the instance first. Its table is made from the states, so it never says less than they do.
 */

import { format, type Language, languagesFrom, type MessageMaker } from '../i18n/message.ts';
import { README } from '../i18n/messages/receipts-texts-messages.ts';
import { DISMISSED, STATE_NAMES, stateInfo } from '../model/state.ts';
import { nextAction, nextSetAsideByAnyone } from './next-action.ts';

export const README_NAME = 'README.txt';

const WIDTH = 78;

export type ReadmeOf = keyof typeof README;

/** All three languages: who opens it may be none of those that the settings are made for. Theirs comes first. */
export function readmeText(of: ReadmeOf, first: Language): string {
  const parts = languagesFrom(first).map((language) => (of === 'error' ? errorPage(language) : page(of, language)));
  return parts.join(`\n${'-'.repeat(WIDTH)}\n\n`);
}

function errorPage(language: Language): string {
  const bullet = (word: string, says: string) =>
    wrap(`${word}${language === 'fr' ? ' :' : ':'} ${says}`, '  * ', '    ');
  const states = STATE_NAMES.filter((state) => stateInfo(state).folder === 'error').map((state) =>
    bullet(`${format(stateInfo(state).words, language)} (${state})`, format(nextAction(state), language)),
  );
  const setAside = bullet(format(DISMISSED.words, language), format(nextSetAsideByAnyone(), language));
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
