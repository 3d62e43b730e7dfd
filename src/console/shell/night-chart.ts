/** Nights as bars of one width, in the parts of their documents; the highest is that with the most. SVG, and words for each night. */

import { type Markup, markup } from '../../pages/markup.ts';
import { greatestOf } from '../../text/long-lists.ts';
import type { Tone } from './tones.ts';

export type ChartNight = {
  /** The page of the run. */
  readonly href?: string;
  /** The day as it is written below the bar, such as 22. */
  readonly label: string;
  /** Day, result and counts in one sentence. */
  readonly text: string;
  /** From the bottom to the top. */
  readonly parts: readonly { readonly tone: Tone; readonly count: number }[];
};

const HEIGHT = 44;
const WIDTH = 16;
/** A night with one document is still seen. */
const LOWEST = 2;

/** The oldest night first; each bar has its sentence as its name. */
export function nightChart(nights: readonly ChartNight[], title: string): Markup {
  const sums = nights.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0));
  const most = Math.max(1, greatestOf(sums));
  return markup`<ol class="nights" aria-label="${title}">${nights.map(({ href, label, text, parts }) => {
    const bar = markup`<span class="unseen">${text}</span><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true" focusable="false">${column(parts, most)}</svg><span class="night-day" aria-hidden="true">${label}</span>`;
    return href === undefined
      ? markup`<li><span class="night" title="${text}">${bar}</span></li>`
      : markup`<li><a class="night" href="${href}" title="${text}">${bar}</a></li>`;
  })}</ol>`;
}

function column(parts: ChartNight['parts'], most: number): readonly Markup[] {
  const shown = parts.filter(({ count }) => count > 0);
  if (shown.length === 0)
    return [markup`<rect class="bar-track" y="${HEIGHT - LOWEST}" width="${WIDTH}" height="${LOWEST}"/>`];
  let y = HEIGHT;
  return shown.map(({ tone, count }) => {
    const height = Math.max(LOWEST, (count / most) * (HEIGHT - shown.length * LOWEST));
    y -= height;
    return markup`<rect class="tone-${tone}" y="${y.toFixed(1)}" width="${WIDTH}" height="${height.toFixed(1)}"/>`;
  });
}
