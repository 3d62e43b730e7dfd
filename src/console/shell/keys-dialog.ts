/** The list of keyboard shortcuts, which `?` opens; the keys themselves are in console.js. */
import { CONSOLE_KEY, CONSOLE_PLACE } from '../../i18n/messages/console/console-shell-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { PLACES, type PlaceName } from './page-places.ts';
import type { Say } from './tones.ts';

const KEYS = [
  ['/', CONSOLE_KEY.find],
  ['j', CONSOLE_KEY.next],
  ['k', CONSOLE_KEY.previous],
  ['x', CONSOLE_KEY.select],
  ['o', CONSOLE_KEY.open],
  ['e', CONSOLE_KEY.edit],
  ['Ctrl ↵', CONSOLE_KEY.do],
  ['r', CONSOLE_KEY.again],
  ['u', CONSOLE_KEY.up],
  ['?', CONSOLE_KEY.help],
] as const;

export function keysDialog(places: readonly PlaceName[], say: Say): Markup {
  const ways = places.map((name) => {
    const goTo = CONSOLE_KEY.goTo({ place: CONSOLE_PLACE[name]() });
    return line(
      `g ${PLACES[name].key}`,
      say(goTo),
      markup` data-go="${PLACES[name].key}" data-path="${PLACES[name].path}"`,
    );
  });
  return markup`<dialog id="keys" aria-labelledby="keys-title"><form method="dialog"><h2 id="keys-title">${say(CONSOLE_KEY.title())}</h2>
<dl class="keys">${KEYS.map(([key, words]) => line(key, say(words())))}${ways}</dl>
<button class="button" type="submit">${say(CONSOLE_KEY.close())}</button></form></dialog>`;
}

function line(key: string, words: string, data?: Markup): Markup {
  return markup`<div${data}><dt>${key.split(' ').map((one) => markup`<kbd>${one}</kbd>`)}</dt><dd>${words}</dd></div>`;
}
