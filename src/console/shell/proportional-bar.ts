/** A bar of parts, each as wide as its count, with a legend of counts and words: counts come in, HTML comes out. */
import { type Markup, markup } from '../../pages/markup.ts';
import type { Tone } from './tones.ts';

export type BarPart = {
  readonly tone: Tone;
  readonly count: number;
  /** `count` as people read it: 1 482. */
  readonly shown: string;
  readonly text: string;
  /** The list of these documents. */
  readonly href?: string;
};

/** Units of the whole bar. */
const WIDTH = 1000;
/** Units: one document of many is still seen. */
const NARROWEST = 7;
const GAP = 2;

/** Parts without documents are left out; a bar without any is one empty track. */
export function proportionalBar(parts: readonly BarPart[]): Markup {
  const shown = parts.filter(({ count }) => count > 0);
  return markup`<div class="proportions">
<svg class="bar" viewBox="0 0 ${WIDTH} 12" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-track" width="${WIDTH}" height="12"/>${spans(shown)}</svg>
<ul class="legend">${shown.map(
    ({ tone, shown: count, text, href }) =>
      markup`<li><strong>${count}</strong> <span class="legend-word"><span class="swatch tone-${tone}"></span>${href === undefined ? text : markup`<a href="${href}">${text}</a>`}</span></li>`,
  )}</ul>
</div>`;
}

/** What narrow parts get in addition, the others give in proportion. */
function spans(parts: readonly BarPart[]): readonly Markup[] {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const wanted = parts.map(({ count }) => Math.max(NARROWEST, (count / all) * WIDTH));
  const scale = WIDTH / wanted.reduce((sum, one) => sum + one, 0);
  let x = 0;
  return parts.map(({ tone }, n) => {
    const width = (wanted[n] ?? 0) * scale;
    const gap = n === parts.length - 1 ? 0 : GAP;
    const span = markup`<rect class="tone-${tone}" x="${x.toFixed(2)}" width="${(width - gap).toFixed(2)}" height="12"/>`;
    x += width;
    return span;
  });
}
