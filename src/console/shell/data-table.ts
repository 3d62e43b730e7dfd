/**
 * Lists of the console as tables: columns and rows come in, HTML comes out. A row is opened, selected and read by keys
 * (console.js finds `data-row`); on a narrow screen each row becomes a block with the titles in front of its cells.
 */
import { CONSOLE_LIST } from '../../i18n/messages/console/console-shell-messages.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { icon } from './icons.ts';
import type { Say } from './tones.ts';

type TableColumn<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => Markup | string;
  /** Numbers are aligned to the right, with digits of one width. */
  readonly isNumber?: true;
  /** Words of the console, which never break in the middle, as a long name or address may. */
  readonly isWords?: true;
  /** The cell that names the row. */
  readonly isName?: true;
};

export type TableOptions<Row> = {
  /** What the table shows, for people who do not see it. */
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  /** In place of the table if it has no rows. */
  readonly empty: Markup | string;
  /** Where a row opens. */
  readonly hrefOf?: (row: Row) => string;
  /** Boxes to choose rows with: the name of the parameter, and of each row its value and its name. `form`: id of the form that takes them. */
  readonly choice?: {
    readonly name: string;
    readonly form: string;
    readonly valueOf: (row: Row) => string;
    readonly nameOf: (row: Row) => string;
    readonly isChosen: (row: Row) => boolean;
  };
  /** Addresses of the pages before and after this one, by key and not by number. */
  readonly pager?: { readonly first?: string; readonly next?: string };
  /** Rows of many columns, such as cells of an export: scrolled sideways in place of stacked. */
  readonly isWide?: true;
};

export function dataTable<Row>(options: TableOptions<Row>, say: Say): Markup {
  const { caption, columns, rows, empty, pager, isWide } = options;
  if (rows.length === 0)
    return markup`<div class="empty">${icon('check')}<p>${empty}</p></div>${pagerLinks(pager, say)}`;
  const table = markup`<table class="${isWide ? 'data wide' : 'data stacks'}" role="table"><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${options.choice && markup`<th role="columnheader" scope="col"><span class="unseen">${say(CONSOLE_LIST.choose())}</span></th>`}${columns.map(
    ({ title, isNumber }) =>
      markup`<th role="columnheader" scope="col"${isNumber && markup` class="number"`}>${title}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => tableRow(row, options, say))}</tbody></table>`;
  const framed = isWide
    ? markup`<div class="sideways" role="group" tabindex="0" aria-label="${caption}">${table}</div>`
    : table;
  return markup`${framed}${pagerLinks(pager, say)}`;
}

function tableRow<Row>(row: Row, { columns, hrefOf, choice }: TableOptions<Row>, say: Say): Markup {
  const href = hrefOf?.(row);
  const box = choice && {
    ...choice,
    value: choice.valueOf(row),
    label: say(CONSOLE_LIST.chooseRow({ name: choice.nameOf(row) })),
    checked: choice.isChosen(row) ? markup` checked` : undefined,
  };
  return markup`<tr role="row" data-row${href !== undefined ? markup` data-href="${href}"` : undefined}>${
    box &&
    markup`<td role="cell" class="choice"><input type="checkbox" name="${box.name}" value="${box.value}" form="${box.form}" aria-label="${box.label}"${box.checked}></td>`
  }${columns.map(({ title, cell, isNumber, isWords, isName }) => {
    const content = isName && href !== undefined ? markup`<a href="${href}">${cell(row)}</a>` : cell(row);
    const look = (isNumber && markup` class="number"`) ?? (isWords && markup` class="words"`);
    return isName
      ? markup`<th role="rowheader" scope="row"${look} data-title="${title}">${content}</th>`
      : markup`<td role="cell"${look} data-title="${title}">${content}</td>`;
  })}</tr>`;
}

function pagerLinks(pager: TableOptions<never>['pager'], say: Say): Markup | undefined {
  const { first, next } = pager ?? {};
  if (first === undefined && next === undefined) return undefined;
  return markup`<nav class="pager" aria-label="${say(CONSOLE_LIST.next())}">${first !== undefined ? markup`<a href="${first}">${say(CONSOLE_LIST.first())}</a>` : undefined}
${next !== undefined ? markup`<a class="button" rel="next" href="${next}">${say(CONSOLE_LIST.next())}${icon('arrow')}</a>` : undefined}</nav>`;
}
