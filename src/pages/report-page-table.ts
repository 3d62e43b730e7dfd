/** Tables of the morning report and the style that only this page has. Texts come in, HTML comes out. Pure. */
import type { Language, Message } from '../i18n/message.ts';
import { html, type Markup } from './markup.ts';

/** How the page says things: in one language, on one clock. */
export type ReportWording = {
  readonly say: (message: Message) => string;
  readonly time: (at: string) => string;
  /** Groups the digits of an exact amount, or of a count. */
  readonly amount: (text: string) => string;
  readonly count: (n: number) => string;
  readonly language: Language;
};

type Cell = string | Markup;

export function cells(...texts: readonly Cell[]): readonly Cell[] {
  return texts;
}

/** Amounts in several currencies in one cell: each of them whole, and lines break only between them. */
export function amountLines(texts: readonly string[]): Markup {
  const last = texts.length - 1;
  return html`${texts.map((text, at) => html`<span class="amount">${text}${at < last ? ' ·' : ''}</span> `)}`;
}

/** `numbersFrom`: the first column that is aligned right; the first column is the head of its row. */
export function reportTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { numbersFrom = head.length }: { readonly numbersFrom?: number } = {},
): Markup {
  const titles = head.map((title, at) =>
    title === ''
      ? html`<td></td>`
      : html`<th scope="col"${at >= numbersFrom ? html` class="n"` : html``}>${title}</th>`,
  );
  const lines = rows.map((row) => {
    const parts = row.map((cell, at) => {
      if (at === 0) return html`<th scope="row">${cell}</th>`;
      return html`<td${at >= numbersFrom ? html` class="n"` : html``}>${cell}</td>`;
    });
    return html`<tr>${parts}</tr>
`;
  });
  return html`<div class="wide" tabindex="0" role="group"><table><thead><tr>${titles}</tr></thead><tbody>
${lines}</tbody></table></div>`;
}

/** A word with its sign, so that the color is never alone. */
export function mark(tone: 'ok' | 'look' | 'bad' | 'calm', text: string): Markup {
  const sign = { ok: '✓', look: '!', bad: '✕', calm: '–' }[tone];
  return html`<span class="mark ${tone}"><span aria-hidden="true">${sign}</span> ${text}</span>`;
}

/** Added to the style of all pages. On a telephone tables keep a width and move sideways: narrow columns would break each word. */
export const REPORT_STYLE = `
:root { --look: #7a4300; }
@media (prefers-color-scheme: dark) { :root { --look: #f5b86a; } }
@media print { :root { --look: #7a4300; } @page { margin: 9mm 11mm; }
  body { font-size: 7.6pt !important; line-height: 1.25 !important; max-width: none !important; }
  h2 { margin: .6rem 0 .2rem !important; font-size: 9pt !important; } header.night h1 { font-size: 13pt !important; }
  header { margin-bottom: .3rem !important; padding-bottom: .3rem !important; } footer { margin-top: .6rem !important; padding-top: .2rem !important; }
  .causes { columns: 2; column-gap: 1.2rem; } .causes li { padding: .15rem 0 !important; grid-template-columns: 1.7rem 1fr !important; gap: .4rem !important; }
  .causes .count { font-size: 9pt !important; } .causes li, tr { break-inside: avoid; } th, td { padding-top: .1rem !important; padding-bottom: .1rem !important; }
  .proof { grid-template-columns: 8rem 1fr 8rem 1fr !important; gap: .05rem .6rem !important; }
  .wide { overflow: visible !important; } a { color: inherit; } }
header.night { border-bottom-width: 4px; border-color: var(--good); }
header.night.attention { border-color: var(--look); } header.night.alarm { border-color: var(--bad); }
header.night h1 { font-size: 1.6rem; } section h2 { color: var(--ink); border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
th[scope=row] { color: var(--ink); font-weight: 500; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th.n, td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding: .3rem 0 .3rem .9rem; }
.wide td.n:has(.amount) { white-space: normal; } .amount { display: inline-block; white-space: nowrap; } tbody th[scope=row] { min-width: 8rem; }
thead td { border-bottom: 1px solid var(--ink); } td:first-child { color: inherit; }
.mark { white-space: nowrap; font-weight: 600; } .mark.ok { color: var(--good); } .mark.look { color: var(--look); }
.mark.bad { color: var(--bad); } .mark.calm { color: var(--dim); }
li, header p, footer { overflow-wrap: anywhere; }
.even { color: var(--dim); margin: .5rem 0 0; font-size: .93em; } .uneven { color: var(--bad); }
.causes { list-style: none; margin: 0; padding: 0; }
.causes li { display: grid; grid-template-columns: 3.2rem 1fr; gap: .8rem; padding: .55rem 0; border-bottom: 1px solid var(--line); }
.causes p { margin: 0 0 .15rem; overflow-wrap: anywhere; } .causes .count { font-size: 1.25rem; text-align: right; font-variant-numeric: tabular-nums; }
.causes p:first-child { font-weight: 600; }
.proof { grid-template-columns: minmax(8rem, 13rem) 1fr; } a { color: var(--mark); } .proof .mark, .wide .mark { white-space: normal; } .wide .mark { overflow-wrap: break-word; }
@media screen and (max-width: 40rem) { body { padding: 1.2rem 1rem 2.5rem; } header.night h1 { font-size: 1.2rem; line-height: 1.3; }
  .wide table { min-width: 36rem; } .wide .mark, .wide td, .wide th { overflow-wrap: break-word; } }
@media (max-width: 40rem) { .proof { grid-template-columns: 1fr; } .causes li { grid-template-columns: 2rem 1fr; } }
`;
