/** Every part of the console in every state on one page, with hostile and long texts: what the look is tested on. */

import { dataTable } from '../../src/console/shell/data-table.ts';
import { actForm, filterForm, terminalLine } from '../../src/console/shell/forms.ts';
import { nightChart } from '../../src/console/shell/night-chart.ts';
import { pageFrame, type Theme } from '../../src/console/shell/page-frame.ts';
import { PLACES, type PlaceName } from '../../src/console/shell/page-places.ts';
import {
  card,
  cellDifference,
  codeCell,
  definitionList,
  notice,
  pageHeading,
  timeLine,
} from '../../src/console/shell/parts.ts';
import { proportionalBar } from '../../src/console/shell/proportional-bar.ts';
import { GROUP_TONE, pill, type Say, statePill, type Tone } from '../../src/console/shell/tones.ts';
import { format, type Language, type Message } from '../../src/i18n/message.ts';
import { STATE_GROUP_NAMES, STATE_GROUPS, STATE_NAMES } from '../../src/model/state.ts';
import { type Markup, markup } from '../../src/pages/markup.ts';

export type GalleryOptions = {
  readonly language: Language;
  readonly theme: Theme;
  readonly environment?: 'production' | 'test' | 'sandbox';
};

/** A name that would run if it were not escaped, one that turns the reading direction, one without a place to break. */
export const HOSTILE = '<img src=x onerror=alert(1)>';
const TURNED = 'F-\u202e2026';
const UNBROKEN = 'F'.repeat(90);
const TONES: readonly Tone[] = ['ok', 'fix', 'verify', 'support', 'wait', 'queue'];

const ROWS = [
  { number: 'F2026-20004', customer: 'Ateliers Brûlé-Cœur SARL', amount: '193.32', before: 'T2O', after: 'T20' },
  { number: HOSTILE, customer: TURNED, amount: '-1 482 310.22', before: '', after: 'a' },
  { number: UNBROKEN, customer: 'Fromagerie de l’Étoile SAS', amount: '284.16', before: '20,00 ', after: '20,00' },
];

export function galleryPage({ language, theme, environment = 'production' }: GalleryOptions): Markup {
  const say: Say = (message: Message) => format(message, language);
  return pageFrame({
    language,
    say,
    base: '',
    asset: (name) => `/static/${name}`,
    address: '/',
    csrf: 'token',
    preferences: { theme, keys: true },
    environment: { kind: environment, name: environment },
    company: 'Exemple SARL',
    person: { name: 'Marie Lefèvre', role: 'operator' },
    places: Object.keys(PLACES) as PlaceName[],
    place: 'work',
    canFind: true,
    waiting: { count: 55, shown: '55' },
    verdict: { tone: 'fix', text: '55 of 615 documents need you, and one export did not come' },
    title: 'Gallery',
    done: { tone: 'ok', title: '40 documents corrected.', text: 'They are sent with the next run.' },
    content: content(say),
  });
}

function content(say: Say): Markup {
  return markup`${pageHeading({
    title: 'F2026-20004',
    about: 'Invoice · Ateliers Brûlé-Cœur SARL · 193.32 EUR',
    marks: statePill('invalid', say),
    acts: markup`<a class="button" href="#form" data-again>Set aside…</a><a class="button primary" href="#form">Start</a>`,
  })}
${card({ id: 'bar', title: 'Bar', note: '615', body: markup`<div class="card-body">${bar([558, 51, 2, 3, 1, 0])}${bar([0])}${bar([300_000, 1, 1, 1, 1, 1])}</div>` })}
${card({ id: 'states', title: 'States', body: markup`<div class="card-body">${STATE_NAMES.map((state) => markup`${statePill(state, say)} `)}${statePill('invalid', say, 'set-aside')}<p>${STATE_GROUP_NAMES.map((group) => markup`${pill({ tone: GROUP_TONE[group], text: say(STATE_GROUPS[group].words) })} `)}</p><p>${TONES.map((tone) => pill({ tone, text: tone }))}</p></div>` })}
${TONES.map((tone) => notice({ tone, title: 'T2O is not in table vat.', text: markup`Nothing was sent. <a href="#states">39 others</a> fail alike.` }))}
${filterForm(
  {
    action: '/work',
    fields: [
      { name: 'state', label: 'State', value: 'invalid', choices: [{ value: 'invalid', text: 'To correct' }] },
      { name: 'customer', label: 'Customer', value: HOSTILE },
      { name: 'since', label: 'Since', value: '', isDay: true },
    ],
    without: (name = 'all') => `/work?without=${name}`,
  },
  say,
)}
${card({ id: 'list', title: 'List', body: markup`${form(say)}${list(say)}` })}
${card({ id: 'none', title: 'Nothing', body: dataTable({ caption: 'Nothing', columns: [], rows: [], empty: 'Nothing waits for you.' }, say) })}
${card({ id: 'wide', title: 'Source', body: wideList(say) })}
<div class="columns">${card({
    id: 'facts',
    title: 'Facts',
    body: markup`<div class="card-body">${definitionList([
      ['Mapping', 'sage-invoices 1'],
      ['Source', codeCell('155de09e4bfdac21')],
      ['Empty', undefined],
      ['Long', UNBROKEN],
    ])}</div>`,
  })}
${card({
  id: 'time',
  title: 'History',
  body: markup`<div class="card-body">${timeLine([
    {
      at: '2026-11-22T01:37:55Z',
      time: '2026-11-22 01:37',
      tone: 'fix',
      title: 'Stopped before sending',
      text: '1 check failed',
    },
    { at: '2026-11-22T01:37:54Z', time: '2026-11-22 01:37', tone: 'queue', title: 'Read from FAC_20261120.csv' },
  ])}</div>`,
})}</div>
${card({ id: 'nights', title: '14 nights', body: markup`<div class="card-body">${nightChart(nights(), '14 nights')}</div>` })}
${terminalLine(`nightpost errors --cause 'map/not-in-table CodeTVA=T2O'`, say)}`;
}

function bar(counts: readonly number[]): Markup {
  const tones = Object.values(GROUP_TONE);
  return proportionalBar(
    counts.map((count, n) => ({
      tone: tones.at(n - 1)!,
      count,
      shown: String(count),
      text: tones.at(n - 1)!,
      href: '#states',
    })),
  );
}

function form(say: Say): Markup {
  return actForm(
    {
      id: 'form',
      action: '/acts',
      csrf: 'token',
      hidden: { look: 'abc' },
      does: 'Replaces the cell in 40 documents.',
      fields: markup`<p class="field"><label for="to">write</label><input id="to" name="to" type="text" data-edit></p>`,
      reasons: ['letter O instead of zero', HOSTILE],
      submit: 'Correct 40 documents',
      second: { name: 'send', value: 'now', text: 'Correct and send now' },
      outcome: notice({ tone: 'ok', text: 'All 40 would pass every check.' }),
      terminal: `nightpost fix --cause map/not-in-table CodeTVA:T2O=T20 --reason "..."`,
    },
    say,
  );
}

function list(say: Say): Markup {
  return dataTable(
    {
      caption: 'Documents',
      columns: [
        { title: 'Document', cell: ({ number }) => number, isName: true },
        { title: 'Customer', cell: ({ customer }) => customer },
        { title: 'Amount', cell: ({ amount }) => amount, isNumber: true },
        { title: 'Cell', cell: ({ before, after }) => cellDifference(before, after, say) },
        { title: 'Then', cell: () => statePill('ready', say) },
      ],
      rows: ROWS,
      empty: '',
      hrefOf: ({ number }) => `#${encodeURIComponent(number)}`,
      choice: {
        name: 'document',
        form: 'form',
        valueOf: ({ number }) => number,
        nameOf: ({ number }) => number,
        isChosen: () => true,
      },
      pager: { first: '#first', next: '#next' },
    },
    say,
  );
}

function wideList(say: Say): Markup {
  const columns = Array.from({ length: 24 }, (_, n) => ({ title: `Column${n}`, cell: () => `value ${n}` }));
  return dataTable({ caption: 'Source', columns, rows: [1, 2], empty: '', isWide: true }, say);
}

function nights() {
  return Array.from({ length: 14 }, (_, n) => ({
    href: `#night-${n}`,
    label: String(n + 9),
    text: `Night ${n}`,
    parts: [
      { tone: 'ok' as const, count: n * 40 },
      { tone: 'fix' as const, count: n % 3 === 0 ? 0 : n * 4 },
    ],
  }));
}
