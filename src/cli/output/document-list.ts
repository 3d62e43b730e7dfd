/** Documents in the lines of `find` and `list`: a table that fits the screen, and one document in short. */
import { format, type Language, type Message } from '../../i18n/message.ts';
import { SEARCH, SEARCH_LABEL, SEARCH_MATCH, SEARCH_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { CLOSED_IN_SENTENCE, SET_ASIDE_INFO, stateInfo } from '../../model/state.ts';
import { dayText } from '../../text/local-time.ts';
import { greatestOf } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import type { DocumentSummary } from '../../views/queries/document-summary.ts';
import type { FoundDocument } from '../../views/queries/find-documents.ts';
import { groupDigits } from '../../views/wording/amount-texts.ts';
import { className } from '../../views/wording/state-words.ts';
import { type Column, table } from '../layout/layout.ts';
import { bold, dim } from '../session/terminal.ts';
import { rowsInWords } from './counted-words.ts';

/** Where a table is printed: a width of Infinity shortens nothing. */
type Screen = { readonly language: Language; readonly width: number };

/** One line each, without more columns than the screen has. */
export function summaryTable(documents: readonly DocumentSummary[], screen: Screen): string {
  return tableOf(documents, screen, []);
}

/** The same with the value that has the text, in the order of the match. */
export function foundTable(documents: readonly FoundDocument[], screen: Screen): string {
  const found = documents.map(({ match }) => format(SEARCH_MATCH[match](), screen.language));
  return tableOf(documents, screen, found);
}

function tableOf(documents: readonly DocumentSummary[], { language, width }: Screen, found: readonly string[]): string {
  const title = (of: () => Message) => ({ title: format(of(), language) });
  const columns: Column[] = [
    { ...title(SEARCH_TABLE.document), fit: 'whole' },
    { ...title(SEARCH_TABLE.state), fit: 'whole' },
    { ...title(SEARCH_TABLE.date), fit: 'whole' },
    { ...title(SEARCH_TABLE.amount), align: 'right', fit: 'whole' },
    title(SEARCH_TABLE.counterparty),
  ];
  if (found.length > 0) columns.push(title(SEARCH_TABLE.found));
  const rows = documents.map((document, at) => [
    nameOf(document),
    stateOf(document, language),
    document.date === undefined ? '' : dayText(document.date, language),
    amountOf(document, language),
    document.counterparty ?? '',
    ...found.slice(at, at + 1),
  ]);
  return table(columns, rows, width);
}

/** What recognizes it, in a few lines, and the command that shows the rest. */
export function documentInShort(document: DocumentSummary, say: (message: Message) => string, language: Language) {
  const { id, sourceNumber, file, rows, trackingId, requestId, date, counterparty, state, closed } = document;
  const { says } = closed === 'set-aside' ? SET_ASIDE_INFO : stateInfo(state);
  const labeled: readonly (readonly [label: Message, text: string | undefined])[] = [
    [SEARCH_LABEL.sourceNumber(), sourceNumber],
    [SEARCH_LABEL.source(), `${file.name}   ${say(rowsInWords(rows))}`],
    [SEARCH_LABEL.tracking(), trackingId],
    [SEARCH_LABEL.request(), requestId],
  ];
  const shown = labeled.flatMap(([label, text]) => (text === undefined ? [] : [[say(label), text] as const]));
  const width = greatestOf(shown.map(([label]) => label.length)) + 3;
  const head = [date && dayText(date, language), counterparty, amountOf(document, language)]
    .filter(Boolean)
    .join('   ');
  return [
    bold(`  ${escapeControls(nameOf(document))}   ${className(document.class, say)}   ${stateOf(document, language)}`),
    ...(head === '' ? [] : [`  ${escapeControls(head)}`]),
    `  ${say(says)}`,
    ...shown.map(([label, text]) => `  ${label.padEnd(width)}${escapeControls(text)}`),
    dim(`  ${say(SEARCH.details({ command: `nightpost show ${id}` }))}`),
  ].join('\n');
}

/** The number; the receipt name where another document has the number, or none has one. */
function nameOf({ number, receipt, state }: DocumentSummary): string {
  return state === 'conflict' || state === 'duplicate' ? receipt : number || receipt;
}

function stateOf({ state, closed }: DocumentSummary, language: Language): string {
  return format(closed ? CLOSED_IN_SENTENCE[closed]() : stateInfo(state).inSentence, language);
}

function amountOf({ amount, currency = '' }: DocumentSummary, language: Language): string {
  return amount === undefined ? '' : `${groupDigits(amount, language)} ${currency}`.trim();
}
