/** Small parts of pages: facts, notices, cells and their differences, time lines, cards. Values come in, HTML comes out. */
import { CONSOLE_DIFFERENCE, CONSOLE_LIST } from '../../i18n/messages/console/console-shell-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { type Say, type Tone, toneIcon, toneMark } from './tones.ts';

/** The exact text of a cell, in a font in which 0 and O differ; spaces are kept. */
export function codeCell(text: string): Markup {
  return markup`<code class="cell">${text}</code>`;
}

/** What a cell had and gets: signs that differ are marked. */
export function cellDifference(before: string, after: string, say: Say): Markup {
  const { start, from, to, end } = differingPart(before, after);
  const { before: was, after: becomes } = CONSOLE_DIFFERENCE;
  return markup`<span class="difference"><del><span class="unseen">${say(CONSOLE_LIST.chip({ name: say(was()) }))} </span><code class="cell">${start}${marked(from)}${end}</code></del>
<ins><span class="unseen">${say(CONSOLE_LIST.chip({ name: say(becomes()) }))} </span><code class="cell">${start}${marked(to)}${end}</code></ins></span>`;
}

function marked(text: string): Markup | undefined {
  return text === '' ? undefined : markup`<mark>${text}</mark>`;
}

const SIGNS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Between what both begin with and what both end with, by signs as people see them. */
function differingPart(before: string, after: string) {
  const [a, b] = [before, after].map((text) => [...SIGNS.segment(text)].map(({ segment }) => segment)) as [
    string[],
    string[],
  ];
  const shorter = Math.min(a.length, b.length);
  let first = 0;
  while (first < shorter && a[first] === b[first]) first++;
  let last = 0;
  while (last < shorter - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  return {
    start: a.slice(0, first).join(''),
    from: a.slice(first, a.length - last).join(''),
    to: b.slice(first, b.length - last).join(''),
    end: last === 0 ? '' : a.slice(-last).join(''),
  };
}

/** Facts by name; a fact without a value is left out. */
export function definitionList(
  facts: readonly (readonly [name: string, value: Markup | string | undefined])[],
): Markup {
  const known = facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]));
  return markup`<dl class="facts">${known.map(({ name, value }) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export type NoticeOptions = { readonly tone: Tone; readonly title?: string; readonly text: Markup | string };

/** What a person has to know before going on. */
export function notice({ tone, title, text }: NoticeOptions): Markup {
  return markup`<div class="notice tone-${tone}">${toneIcon(tone)}<p>${title !== undefined ? markup`<strong>${title}</strong> ` : undefined}${text}</p></div>`;
}

export type TimeLineEvent = {
  /** ISO 8601, and as people read it. */
  readonly at: string;
  readonly time: string;
  readonly tone: Tone;
  readonly title: string;
  readonly text?: Markup | string;
};

/** What happened, in the order given. */
export function timeLine(events: readonly TimeLineEvent[]): Markup {
  return markup`<ol class="time-line">${events.map(
    ({ at, time, tone, title, text }) =>
      markup`<li>${toneMark(tone)}<div><strong>${title}</strong><p class="dim"><time datetime="${at}">${time}</time>${text === undefined ? undefined : markup` · ${text}`}</p></div></li>`,
  )}</ol>`;
}

export type CardOptions = {
  readonly id: string;
  readonly title: string;
  /** Next to the title. */
  readonly note?: Markup | string;
  readonly body: Markup;
};

/** A part of a page with its heading. */
export function card({ id, title, note, body }: CardOptions): Markup {
  return markup`<section class="card" aria-labelledby="${id}"><header class="card-head"><h2 id="${id}">${title}</h2>${note === undefined ? undefined : markup`<span class="dim">${note}</span>`}</header>${body}</section>`;
}

/** The heading of a page, with what it is about and what can be done with all of it. */
export function pageHeading({
  title,
  about,
  marks,
  acts,
}: {
  readonly title: string;
  readonly about?: Markup | string;
  readonly marks?: Markup;
  readonly acts?: Markup;
}): Markup {
  return markup`<header class="page-head"><div><h1 id="title" tabindex="-1">${title}${marks === undefined ? undefined : markup` ${marks}`}</h1>${about === undefined ? undefined : markup`<p class="about">${about}</p>`}</div>${acts && markup`<div class="page-acts">${acts}</div>`}</header>`;
}
