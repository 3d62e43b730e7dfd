/** Payload, answers, receipt, facts and related documents of one document: what the ledger has comes in, HTML comes out. */

import { PURGED_PART } from '../../../i18n/messages/cli-views-messages.ts';
import {
  DOCUMENT_CARD,
  DOCUMENT_FACT,
  DOCUMENT_RELATED,
} from '../../../i18n/messages/console/console-document-messages.ts';
import { ATTEMPT_ACT } from '../../../i18n/messages/states-messages.ts';
import type { RecordedAttempt } from '../../../ledger/contract/query-store.ts';
import { isPurged, type LedgerEntry, type Purged, sourceNumberOf } from '../../../model/ledger-entry.ts';
import { CLOSED_IN_SENTENCE, stateInfo } from '../../../model/state.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { indentJson } from '../../../text/indent-json.ts';
import { dayText, localTime } from '../../../text/local-time.ts';
import type { RelatedDocument } from '../../../views/queries/related-documents.ts';
import { withApprover } from '../../../views/wording/approval-words.ts';
import { answerWords, className } from '../../../views/wording/state-words.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { card, definitionList } from '../../shell/parts.ts';
import { documentColumns, documentHref } from './document-lines.ts';

type CardContext = Pick<ScreenContext, 'say' | 'base' | 'language' | 'locale' | 'leadsTo'>;

/** The most characters of one text; the download has all of it. */
const MOST_SHOWN = 20_000;

export function payloadCard(context: CardContext, entry: LedgerEntry, content: string | undefined): Markup {
  const { say } = context;
  const none = isPurged(entry, 'content') ? DOCUMENT_CARD.removed() : DOCUMENT_CARD.noPayload();
  return card({
    id: 'payload',
    title: say(DOCUMENT_CARD.payload()),
    ...(content !== undefined && { note: download(context, entry, 'payload') }),
    body: content === undefined ? note(say(none)) : rawText(context, content),
  });
}

export function answersCard(context: CardContext, entry: LedgerEntry, attempts: readonly RecordedAttempt[]): Markup {
  const { say } = context;
  const asked = attempts.filter(({ act }) => act !== 'resolve').toReversed();
  return card({
    id: 'answers',
    title: say(DOCUMENT_CARD.answers()),
    ...(asked.length > 0 && { note: download(context, entry, 'answers') }),
    body:
      asked.length === 0 ? note(say(DOCUMENT_CARD.noAnswers())) : markup`${asked.map((one) => answer(context, one))}`,
  });
}

function answer(
  context: CardContext,
  { act, n, at, http, code, ms, outcome, requestId, revision, exchange }: RecordedAttempt,
): Markup {
  const { say, locale } = context;
  const facts = definitionList([
    ['HTTP', http === undefined ? undefined : String(http)],
    [say(DOCUMENT_FACT.code()), code === undefined ? undefined : String(code)],
    [say(DOCUMENT_FACT.outcome()), outcome && say(stateInfo(outcome).name)],
    [say(DOCUMENT_FACT.duration()), ms === undefined ? undefined : `${ms} ms`],
    [say(DOCUMENT_FACT.request()), markup`<code>${requestId}</code>`],
    [say(DOCUMENT_FACT.revision()), String(revision)],
  ]);
  const title = say(DOCUMENT_CARD.attempt({ act: ATTEMPT_ACT[act](), n, time: localTime(at, locale) }));
  return markup`<div class="card-body"><h3>${title}</h3>${facts}</div>${answerBody(context, exchange)}`;
}

/** Text only, whatever a service has answered. */
function answerBody(context: CardContext, exchange: RecordedAttempt['exchange']): Markup {
  if (!exchange) return note(context.say(DOCUMENT_CARD.noBody()));
  if ('error' in exchange) return rawText(context, `${exchange.error.code}: ${exchange.error.message}`);
  if (exchange.body === undefined) return note(context.say(DOCUMENT_CARD.notText()));
  return exchange.body === '' ? note(context.say(DOCUMENT_CARD.noBody())) : rawText(context, exchange.body);
}

export function receiptCard(context: CardContext, entry: LedgerEntry, receipt: string): Markup {
  const note = download(context, entry, 'receipt');
  return card({ id: 'receipt', title: context.say(DOCUMENT_CARD.receipt()), note, body: rawText(context, receipt) });
}

function download({ say, base }: CardContext, entry: LedgerEntry, what: 'payload' | 'answers' | 'receipt'): Markup {
  return markup`<a href="${documentHref(base, entry)}/${what}">${say(DOCUMENT_CARD.download())}</a>`;
}

function rawText({ say }: CardContext, text: string): Markup {
  const cut = text.length > MOST_SHOWN ? note(say(DOCUMENT_CARD.cut())) : undefined;
  return markup`<pre class="raw"><code>${indentJson(text, MOST_SHOWN)}</code></pre>${cut}`;
}

function note(text: string): Markup {
  return markup`<p class="card-body dim">${text}</p>`;
}

export function factsCard(context: CardContext, entry: LedgerEntry): Markup {
  const { say, language, locale, base, leadsTo } = context;
  const { facts, file, answer: last, evidence, closed, hold, dueAt } = entry;
  const decided = closed
    ? markup`${say(CLOSED_IN_SENTENCE[closed.as]())}, ${localTime(closed.at, locale)}, ${withApprover(`${closed.by}: ${closed.reason}`, closed, say)}`
    : undefined;
  const proof =
    evidence &&
    markup`${say(stateInfo(evidence.as).name)}, ${localTime(evidence.at, locale)}, ${withApprover(`${evidence.by}: ${evidence.reason}`, evidence, say)}${
      evidence.file === undefined
        ? undefined
        : markup`<br>${evidence.file} <code>sha-256 ${evidence.sha256 ?? ''}</code>`
    }`;
  const mapping =
    file.mapping &&
    (leadsTo('/mappings')
      ? markup`<a href="${base}/mappings/${encodeURIComponent(file.mapping.id)}">${file.mapping.id}</a> ${file.mapping.version}`
      : `${file.mapping.id} ${file.mapping.version}`);
  const purged = [entry.purged, file.purged].filter((one) => one !== undefined);
  const list = definitionList([
    [say(DOCUMENT_FACT.class()), className(entry.class, say)],
    [say(DOCUMENT_FACT.issuer()), facts.issuer],
    [say(DOCUMENT_FACT.customer()), facts.counterparty],
    [say(DOCUMENT_FACT.sourceNumber()), sourceNumberOf(entry.identity.keys, facts.identifier)],
    [say(DOCUMENT_FACT.service()), entry.service],
    [say(DOCUMENT_FACT.answer()), last && answerWords(last, language)],
    [
      say(DOCUMENT_FACT.tracking()),
      last?.trackingId === undefined ? undefined : markup`<code>${last.trackingId}</code>`,
    ],
    [say(DOCUMENT_FACT.held()), hold && `${hold.rule}: ${hold.says}`],
    [say(DOCUMENT_FACT.decision()), decided],
    [say(DOCUMENT_FACT.evidence()), proof],
    [say(DOCUMENT_FACT.next()), dueAt && localTime(dueAt, locale)],
    [say(DOCUMENT_FACT.file()), exportLink(context, file)],
    [say(DOCUMENT_FACT.imported()), markup`${dayText(file.day, language)}<br><span class="dim">${file.run}</span>`],
    [say(DOCUMENT_FACT.encoding()), file.encoding],
    [say(DOCUMENT_FACT.mapping()), mapping],
    [say(DOCUMENT_FACT.id()), markup`<code>${entry.id}</code>`],
    [say(DOCUMENT_FACT.revision()), String(entry.revision)],
    [say(DOCUMENT_FACT.digest()), entry.contentSha256 && markup`<code>${entry.contentSha256}</code>`],
    ...purged.map((one) => [say(DOCUMENT_FACT.purged()), purgedText(context, one)] as const),
  ]);
  return card({ id: 'facts', title: say(DOCUMENT_FACT.title()), body: markup`<div class="card-body">${list}</div>` });
}

/** The page of the export that was read first, or the documents of its name. */
export function exportLink({ base, leadsTo }: CardContext, { id, name, rereads = id }: LedgerEntry['file']): Markup {
  const path = leadsTo('/files')
    ? `/files/${encodeURIComponent(rereads)}`
    : `/documents?file=${encodeURIComponent(name)}`;
  return markup`<a href="${base}${path}">${name}</a>`;
}

function purgedText({ say, locale }: CardContext, { what, at, by, reason }: Purged): string {
  const parts = what.map((part) => say(PURGED_PART[part]())).join(', ');
  return `${parts}: ${localTime(at, locale)}, ${by}: ${reason}`;
}

export function relatedCard(context: CardContext, related: readonly RelatedDocument[]): Markup | undefined {
  if (related.length === 0) return undefined;
  const { say, base } = context;
  const rows = related.map(({ how, document }) => ({ ...document, how }));
  const [name, state, ...others] = documentColumns<(typeof rows)[number]>(context);
  if (!name || !state) return undefined;
  const relation = {
    title: say(DOCUMENT_RELATED.relation()),
    cell: ({ how }: (typeof rows)[number]) => say(RELATION[how]()),
  };
  return card({
    id: 'related',
    title: say(DOCUMENT_RELATED.title()),
    body: dataTable(
      {
        caption: say(DOCUMENT_RELATED.title()),
        columns: [name, relation, state, ...others],
        rows,
        empty: '',
        hrefOf: (row) => documentHref(base, row),
      },
      say,
    ),
  });
}

const RELATION = {
  first: DOCUMENT_RELATED.first,
  named: DOCUMENT_RELATED.named,
  'same-number': DOCUMENT_RELATED.sameNumber,
} as const satisfies Record<RelatedDocument['how'], () => unknown>;
