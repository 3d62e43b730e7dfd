/**
 * `/documents.csv` and `/documents.json`: all documents of a filter, streamed a page at a time, each page in a look of its
 * own. CSV is for a spreadsheet of the language: its separator, decimal sign and words; a cell that a spreadsheet may run as
 * a formula is guarded. JSON has the documents of `list --json`. A filter that cannot be read is 400.
 */
import type { Message } from '../../../i18n/message.ts';
import { DOCUMENTS_COLUMN, DOCUMENTS_PAGE } from '../../../i18n/messages/console/console-documents-messages.ts';
import { guardFormula } from '../../../model/correction.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { stateInfo } from '../../../model/state.ts';
import { localTime } from '../../../text/local-time.ts';
import type { DocumentSummary } from '../../../views/queries/document-summary.ts';
import { type DocumentListFilter, listDocuments } from '../../../views/queries/find-documents.ts';
import { className } from '../../../views/wording/state-words.ts';
import { type ScreenContext, ScreenError } from '../../server/screen-context.ts';
import { readDocumentFilter } from './document-filter.ts';

/** Documents of one look. */
const PAGE = 500;

export async function exportDocumentsCsv(context: ScreenContext): Promise<Response> {
  return await download(context, 'csv', csvOf(context));
}

export async function exportDocumentsJson(context: ScreenContext): Promise<Response> {
  return await download(context, 'json', {
    begin: '{"documents":[',
    page: (documents, isFirst) =>
      `${isFirst || documents.length === 0 ? '' : ','}\n${documents.map((one) => JSON.stringify(one)).join(',\n')}`,
    end: '\n],"next":null}\n',
  });
}

type Writing = {
  readonly begin: string;
  readonly page: (documents: readonly DocumentSummary[], isFirst: boolean) => string;
  readonly end: string;
};

const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

async function download(context: ScreenContext, ending: keyof typeof TYPES, writing: Writing): Promise<Response> {
  const asked = readDocumentFilter(context.url.searchParams, context.locale.zone);
  if ('refused' in asked) {
    throw new ScreenError({ status: 400, message: asked.refused, hint: DOCUMENTS_PAGE.nothingListed() });
  }
  context.record('documents-exported', { format: ending, filter: asked.filter });
  const encoder = new TextEncoder();
  const pages = pagesOf(context, asked.filter, writing);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pages.return(undefined);
    },
  });
  const disposition = `attachment; filename="documents.${ending}"`;
  return new Response(stream, { headers: { 'content-type': TYPES[ending], 'content-disposition': disposition } });
}

async function* pagesOf(
  { look, signal }: ScreenContext,
  filter: DocumentListFilter,
  { begin, page, end }: Writing,
): AsyncGenerator<string, void, undefined> {
  yield begin;
  let after: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const range = { limit: PAGE, after };
    const { documents, next } = await look(async ({ index, ledger }) =>
      listDocuments({ index: await index(), ledger }, filter, range),
    );
    yield page(documents, after === undefined);
    if (next === null) break;
    after = next;
  }
  yield end;
}

type CsvColumn = readonly [title: Message, cell: (document: DocumentSummary) => string | number | undefined];

/** In French a semicolon and a decimal comma, as spreadsheets there read a file; else a comma and a point. */
function csvOf({ say, language, locale }: ScreenContext): Writing {
  const isFrench = language === 'fr';
  const separator = isFrench ? ';' : ',';
  const columns: readonly CsvColumn[] = [
    [DOCUMENTS_COLUMN.document(), ({ number, receipt }) => number || receipt],
    [DOCUMENTS_COLUMN.state(), ({ state }) => say(stateInfo(state).name)],
    [DOCUMENTS_COLUMN.since(), ({ since }) => localTime(since, locale)],
    [DOCUMENTS_COLUMN.customer(), ({ counterparty }) => counterparty],
    [DOCUMENTS_COLUMN.class(), (one) => className(one.class, say)],
    [DOCUMENTS_COLUMN.date(), ({ date }) => date],
    [DOCUMENTS_COLUMN.amount(), ({ amount }) => (isFrench ? amount?.replace('.', ',') : amount)],
    [DOCUMENTS_COLUMN.currency(), ({ currency }) => currency],
    [DOCUMENTS_COLUMN.sourceNumber(), ({ sourceNumber }) => sourceNumber],
    [DOCUMENTS_COLUMN.file(), ({ file }) => file.name],
    [DOCUMENTS_COLUMN.rows(), ({ rows }) => rows.join(' ')],
    [DOCUMENTS_COLUMN.imported(), ({ day }) => day],
    [DOCUMENTS_COLUMN.service(), ({ service }) => service],
    [DOCUMENTS_COLUMN.mapping(), ({ mapping }) => mapping],
    [DOCUMENTS_COLUMN.run(), ({ run }) => run],
    [DOCUMENTS_COLUMN.trackingId(), ({ trackingId }) => trackingId],
    [DOCUMENTS_COLUMN.requestId(), ({ requestId }) => requestId],
    [DOCUMENTS_COLUMN.warnings(), ({ warnings }) => warnings],
    [DOCUMENTS_COLUMN.id(), ({ id }) => id],
  ];
  const line = (cells: readonly string[]) => `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
  return definedOnly({
    // The mark by which spreadsheets know UTF-8.
    begin: `\u{feff}${line(columns.map(([title]) => say(title)))}`,
    page: (documents: readonly DocumentSummary[]) =>
      documents.map((one) => line(columns.map(([, cell]) => String(cell(one) ?? '')))).join(''),
    end: '',
  });
}

/** RFC 4180; a cell that a spreadsheet may run is guarded. */
function csvCell(text: string, separator: string): string {
  const cell = guardFormula(text);
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
