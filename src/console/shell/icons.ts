/** Pictures of the console: a name comes in, a decorative SVG of one line width comes out; words next to it give the meaning. */
import { type Markup, markup } from '../../pages/markup.ts';

/** Lines on a grid of 16 by 16. */
const LINES = {
  home: 'M2 7.5 8 2.5l6 5M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4',
  work: 'M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  documents: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  files: 'M1.5 3.5h4.5l1.5 2h7v8h-13z',
  runs: 'M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-7M13.5 13.5v-11',
  mappings: 'M2 3.5h4v3H2zM10 9.5h4v3h-4zM6 5h3.5v6h.5',
  health: 'M1.5 8.5h3l1.5-4 3 8 1.5-4h4',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 2.8a2.4 2.4 0 0 1 0 4.4M12.5 9.9c1.3.6 2 1.9 2 3.6',
  find: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.7 10.7 14 14',
  menu: 'M2 4h12M2 8h12M2 12h12',
  person: 'M8 7.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 14.5c0-3 2.5-5 5.5-5s5.5 2 5.5 5',
  check: 'M2.5 8.5 6.2 12l7.3-8',
  pen: 'M2.5 13.5l.8-3.2L10.8 2.8a1.3 1.3 0 0 1 1.9 0l.5.5a1.3 1.3 0 0 1 0 1.9L5.7 12.7z',
  hand: 'M5 8V3.5a1 1 0 0 1 2 0V7M7 7V2.5a1 1 0 0 1 2 0V7M9 7V3.5a1 1 0 0 1 2 0V8M11 6.5a1 1 0 0 1 2 0V10c0 2.5-1.8 4.5-4.5 4.5S4.8 13 3.6 11L2.4 9a1 1 0 0 1 1.7-1L5 9.2',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6',
  alert: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M8 4.5v4.2M8 11.3h.01',
  clock: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M8 4.5V8l2.5 1.8',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  cross: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  minus: 'M3 8h10',
  arrow: 'M2.5 8h11M9.5 4l4 4-4 4',
  info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M8 7.5v4M8 4.7h.01',
} as const;

export type IconName = keyof typeof LINES;

export function icon(name: IconName): Markup {
  return markup`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${LINES[name]}"/></svg>`;
}

/** The mark of Nightpost: an envelope under a moon. */
export const LOGO = markup`<svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
<rect class="logo-paper" x="1" y="6" width="21" height="15" rx="3"/><path class="logo-fold" d="M5 11l6.5 5L18 11"/><circle class="logo-moon" cx="19.5" cy="5.5" r="4"/></svg>`;
