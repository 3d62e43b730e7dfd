/**
 * The frame of every page: places, search, environment, person, and the region that reports what happened. Values come
 * in, a whole page comes out; it works without script and fits 390 pixels.
 */
import type { Language } from '../../i18n/message.ts';
import {
  CONSOLE_ENVIRONMENT,
  CONSOLE_FRAME,
  CONSOLE_PLACE,
  CONSOLE_SWITCH,
  CONSOLE_THEME,
} from '../../i18n/messages/console/console-shell-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import type { ViewPreferences } from '../server/view-preferences.ts';
import { icon, LOGO } from './icons.ts';
import { keysDialog } from './keys-dialog.ts';
import { PLACES, type PlaceName } from './page-places.ts';
import { type NoticeOptions, notice } from './parts.ts';
import { type Say, type Tone, toneIcon } from './tones.ts';

const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What a person chose for this browser. */

export type FrameOptions = {
  readonly language: Language;
  readonly say: Say;
  /** Every address begins with it. */
  readonly base: string;
  readonly asset: (name: string) => string;
  /** Path and search of this page below the base: a form of preferences leads back to it. */
  readonly address: string;
  readonly csrf: string;
  readonly preferences: ViewPreferences;
  /** Which of three colors it has: what counts, what is tried, what is imitated on this machine. `name` is the setting. */
  readonly environment: { readonly kind: keyof typeof CONSOLE_ENVIRONMENT; readonly name: string };
  readonly company: string;
  readonly person: { readonly name: string; readonly role: string };
  /** What this person may see, in the order of the menu. */
  readonly places: readonly PlaceName[];
  readonly place?: PlaceName;
  /** Whether there is a page that searches. */
  readonly canFind: boolean;
  /** Documents that wait for a person, as a number and as people read it. */
  readonly waiting: { readonly count: number; readonly shown: string };
  /** The verdict about the instance in one sentence. */
  readonly verdict: { readonly tone: Tone; readonly text: string };
  readonly title: string;
  /** What the last act did. */
  readonly done?: NoticeOptions;
  readonly content: Markup;
};

export function pageFrame(options: FrameOptions): Markup {
  const { language, say, base, asset, title, content, done, preferences, company } = options;
  return markup`<!doctype html>
<html lang="${language}" data-theme="${preferences.theme}" data-keys="${preferences.keys ? 'on' : 'off'}" data-base="${base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${company} · Nightpost</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('console.css')}">
<script type="module" src="${asset('console.js')}"></script>
</head>
<body>
<a class="skip" href="#main">${say(CONSOLE_FRAME.skip())}</a>
${topBar(options)}
${placesMenu(options)}
<main id="main" tabindex="-1">
<div id="status" role="status" data-changed="${say(CONSOLE_FRAME.changed())}" data-changed-documents="${say(CONSOLE_FRAME.changedDocuments())}">${done && notice(done)}</div>
${content}
</main>
${keysDialog(options.places, say)}
</body>
</html>`;
}

function topBar(options: FrameOptions): Markup {
  const { say, base, environment, person, place } = options;
  const { kind, name } = environment;
  // Another one, such as `staging`, is shown by its name.
  const shown = kind === 'test' && name !== 'default' ? name : say(CONSOLE_ENVIRONMENT[kind]());
  return markup`<header class="top">
<button class="quiet menu-button" type="button" popovertarget="menu" aria-label="${say(CONSOLE_FRAME.menu())}">${icon('menu')}</button>
<a class="brand" href="${base}/">${LOGO}<span>Nightpost</span></a>
${options.canFind ? findForm(base, say) : undefined}
${place === 'home' ? undefined : verdictLine(options)}
<strong class="environment environment-${kind}">${shown}</strong>
<button class="quiet person-button" type="button" popovertarget="person">${icon('person')}<span>${person.name}</span><span class="unseen">${say(CONSOLE_FRAME.you())}</span></button>
${personMenu(options)}
</header>`;
}

/** On every page but the home page, which says it as its heading. */
function verdictLine({ base, verdict }: FrameOptions): Markup {
  return markup`<a class="verdict-line" href="${base}/">${toneIcon(verdict.tone)}<span>${verdict.text}</span></a>`;
}

function findForm(base: string, say: Say): Markup {
  return markup`<form class="find" action="${base}/find" role="search"><label class="unseen" for="find">${say(CONSOLE_FRAME.find())}</label>${icon('find')}
<input id="find" name="q" type="search" autocomplete="off" spellcheck="false" placeholder="${say(CONSOLE_FRAME.findWhat())}"><kbd class="on-keys">/</kbd></form>`;
}

function placesMenu({ say, base, places, place, waiting, verdict, company }: FrameOptions): Markup {
  return markup`<nav id="menu" class="places" popover aria-label="${say(CONSOLE_FRAME.places())}">
<a class="brand" href="${base}/">${LOGO}<span>Nightpost</span></a>
<ul>${places.map((name) => {
    const current = name === place ? markup` aria-current="page"` : undefined;
    const words = name === 'work' && waiting.count > 0 ? CONSOLE_FRAME.waiting({ count: waiting.count }) : undefined;
    const badge = words && markup`<span class="badge" title="${say(words)}">${waiting.shown}</span>`;
    return markup`<li><a href="${base}${PLACES[name].path}"${current}>${icon(name)}<span>${say(CONSOLE_PLACE[name]())}</span>${badge}</a></li>`;
  })}</ul>
<p class="places-foot"><strong>${company}</strong><a href="${base}/">${toneIcon(verdict.tone)}${verdict.text}</a></p>
</nav>`;
}

export const LANGUAGE_NAMES = { en: 'English', fr: 'Français', es: 'Español' } as const satisfies Record<
  Language,
  string
>;

type PreferenceForm = Pick<FrameOptions, 'say' | 'base' | 'language' | 'preferences' | 'csrf' | 'address'>;

/** One form, so that it works without script: language, colors, keys. */
export function preferenceForm({ say, base, language, preferences, csrf, address }: PreferenceForm): Markup {
  const languages = Object.entries(LANGUAGE_NAMES).map(([value, text]) => ({ value, text, lang: value }));
  const themes = THEMES.map((value) => ({ value, text: say(CONSOLE_THEME[value]()) }));
  const switches = (['on', 'off'] as const).map((value) => ({ value, text: say(CONSOLE_SWITCH[value]()) }));
  return markup`<form method="post" action="${base}/preferences" data-preferences><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="back" value="${address}">
${choice({ name: 'language', title: say(CONSOLE_FRAME.language()), of: languages, chosen: language })}
${choice({ name: 'theme', title: say(CONSOLE_FRAME.theme()), of: themes, chosen: preferences.theme })}
${choice({ name: 'keys', title: say(CONSOLE_FRAME.keyboard()), of: switches, chosen: preferences.keys ? 'on' : 'off' })}
<p class="act-buttons"><button class="button" type="submit">${say(CONSOLE_FRAME.save())}</button></p></form>`;
}

function personMenu(options: FrameOptions): Markup {
  const { say, base, person, csrf } = options;
  return markup`<div id="person" class="person-menu" popover>
<p><strong>${person.name}</strong><br><span class="dim">${person.role}</span></p>
${preferenceForm(options)}
<p><a href="${base}/account">${say(CONSOLE_FRAME.account())}</a></p>
<form method="post" action="${base}/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet" type="submit">${say(CONSOLE_FRAME.signOut())}</button></form>
</div>`;
}

type Choice = {
  readonly name: string;
  readonly title: string;
  readonly of: readonly { readonly value: string; readonly text: string; readonly lang?: string }[];
  readonly chosen: string;
};

function choice({ name, title, of, chosen }: Choice): Markup {
  return markup`<fieldset class="choice-row"><legend>${title}</legend>${of.map(
    ({ value, text, lang }) =>
      markup`<label${lang === undefined ? undefined : markup` lang="${lang}"`}><input type="radio" name="${name}" value="${value}"${value === chosen ? markup` checked` : undefined}><span>${text}</span></label>`,
  )}</fieldset>`;
}
