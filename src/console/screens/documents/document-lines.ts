/** Documents in the lines of tables of the console: their names, amounts and addresses. Summaries come in, HTML comes out. */
import { DOCUMENTS_COLUMN, DOCUMENTS_PAGE } from '../../../i18n/messages/console/console-documents-messages.ts';
import { markup } from '../../../pages/markup.ts';
import { dayText, localTime } from '../../../text/local-time.ts';
import type { DocumentSummary } from '../../../views/queries/document-summary.ts';
import { groupDigits } from '../../../views/wording/amount-texts.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import type { TableOptions } from '../../shell/data-table.ts';
import { statePill } from '../../shell/tones.ts';

type LineContext = Pick<ScreenContext, 'say' | 'base' | 'language' | 'locale'>;

/** The number; the receipt name where another document has the number, or none has one. */
export function shownName({ number, receipt, state }: Pick<DocumentSummary, 'number' | 'receipt' | 'state'>): string {
  return state === 'conflict' || state === 'duplicate' ? receipt : number || receipt;
}

export function documentHref(base: string, { id }: { readonly id: string }): string {
  return `${base}/documents/${encodeURIComponent(id)}`;
}

export function shownAmount(
  { amount, currency = '' }: { readonly amount?: string | undefined; readonly currency?: string | undefined },
  { language }: Pick<ScreenContext, 'language'>,
): string {
  return amount === undefined ? '' : `${groupDigits(amount, language)} ${currency}`.trim();
}

/** Columns of every list of documents; the name opens the document. */
export function documentColumns<Row extends DocumentSummary>(context: LineContext): TableOptions<Row>['columns'] {
  const { say, language, locale } = context;
  return [
    { title: say(DOCUMENTS_COLUMN.document()), cell: shownName, isName: true },
    {
      title: say(DOCUMENTS_COLUMN.state()),
      cell: ({ state, closed, warnings }) => {
        const warned = warnings > 0 ? say(DOCUMENTS_PAGE.warnings({ count: warnings })) : undefined;
        return markup`${statePill(state, say, closed)}${warned && markup` <span class="dim">${warned}</span>`}`;
      },
    },
    { title: say(DOCUMENTS_COLUMN.customer()), cell: ({ counterparty = '' }) => counterparty },
    { title: say(DOCUMENTS_COLUMN.date()), cell: ({ date }) => (date === undefined ? '' : dayText(date, language)) },
    { title: say(DOCUMENTS_COLUMN.amount()), cell: (row) => shownAmount(row, context), isNumber: true },
    { title: say(DOCUMENTS_COLUMN.file()), cell: ({ file }) => file.name },
    {
      title: say(DOCUMENTS_COLUMN.since()),
      cell: ({ since }) => markup`<time datetime="${since}">${localTime(since, locale)}</time>`,
    },
  ];
}
