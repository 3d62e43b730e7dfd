/**
 * The six colors of the console, each with its picture: a group of states comes in, what shows it comes out. Color never
 * stands alone, a word and a picture say the same.
 */
import type { Message } from '../../i18n/message.ts';
import { CLOSED_WORD, type State, type StateGroupName, stateGroup, stateInfo } from '../../model/state.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { type IconName, icon } from './icons.ts';

export type Tone = 'ok' | 'fix' | 'verify' | 'support' | 'wait' | 'queue';

/** Makes a text of a message in the language of the person. */
export type Say = (message: Message) => string;

const TONE_ICON = {
  ok: 'check',
  fix: 'pen',
  verify: 'eye',
  support: 'alert',
  wait: 'hand',
  queue: 'clock',
} as const satisfies Record<Tone, IconName>;

export const GROUP_TONE = {
  'to-correct': 'fix',
  'to-approve': 'wait',
  'to-verify': 'verify',
  'with-support': 'support',
  'under-way': 'queue',
  done: 'ok',
} as const satisfies Record<StateGroupName, Tone>;

/** Done, and no success: not green. */
const OWN_TONE: { readonly [state in State]?: Tone } = { duplicate: 'queue', invalidated: 'support' };

function toneOfState(state: State): Tone {
  return OWN_TONE[state] ?? GROUP_TONE[stateGroup(state)];
}

/** A short word with its color and picture. */
export function pill({ tone, text }: { readonly tone: Tone; readonly text: string }): Markup {
  return markup`<span class="pill tone-${tone}">${icon(TONE_ICON[tone])}${text}</span>`;
}

/** The state of a document; `closed`: a person has set it aside or acknowledged it. */
export function statePill(state: State, say: Say, closed?: keyof typeof CLOSED_WORD): Markup {
  if (closed) return pill({ tone: 'queue', text: say(CLOSED_WORD[closed]()) });
  return pill({ tone: toneOfState(state), text: say(stateInfo(state).words) });
}

/** The picture of a tone in its square, for headings. */
export function toneMark(tone: Tone): Markup {
  return markup`<span class="tone-mark tone-${tone}">${icon(TONE_ICON[tone])}</span>`;
}

/** The picture of a tone alone, where words next to it say the same. */
export function toneIcon(tone: Tone): Markup {
  return markup`<span class="tone-ink tone-${tone}">${icon(TONE_ICON[tone])}</span>`;
}
