/**
 * `/documents/ID`: one document with everything about it. A number of several documents shows the choice. Reads only; that
 * a person saw the payload is recorded.
 */
import { randomUUID } from 'node:crypto';
import { lastReasons } from '../../../decisions/requests/submitted-acts.ts';
import { ACTOR } from '../../../i18n/messages/cli-views-messages.ts';
import {
  DOCUMENT_ACT,
  DOCUMENT_DONE,
  DOCUMENT_FIX,
  DOCUMENT_PAGE,
} from '../../../i18n/messages/console/console-document-messages.ts';
import { DOCUMENTS_PAGE } from '../../../i18n/messages/console/console-documents-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import { isClosed, type LedgerEntry } from '../../../model/ledger-entry.ts';
import { isOfCell } from '../../../model/set-aside-rows.ts';
import { actsFor, allows, stateGroup, stateInfo } from '../../../model/state.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { firstReading } from '../../../pipeline/sources/first-reading.ts';
import { systemClock } from '../../../runs/open-run.ts';
import { SearchNotReadyError } from '../../../search/search-index.ts';
import { dictionary } from '../../../text/dictionary.ts';
import { dayText } from '../../../text/local-time.ts';
import { type CauseNeighbors, causeNeighbors } from '../../../views/queries/cause-neighbors.ts';
import { type DocumentLineage, documentLineage } from '../../../views/queries/document-lineage.ts';
import { summarizeDocument } from '../../../views/queries/document-summary.ts';
import { relatedDocuments } from '../../../views/queries/related-documents.ts';
import { describeCause } from '../../../views/wording/cause-words.ts';
import { entryIn } from '../../../views/wording/spoken-faults.ts';
import { className } from '../../../views/wording/state-words.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { actForm } from '../../shell/forms.ts';
import { card, type NoticeOptions, notice, pageHeading } from '../../shell/parts.ts';
import { GROUP_TONE, statePill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { answersCard, exportLink, factsCard, payloadCard, receiptCard, relatedCard } from './document-cards.ts';
import { currentReceipt } from './document-downloads.ts';
import { documentColumns, documentHref, shownAmount, shownName } from './document-lines.ts';
import { storyCard } from './document-story.ts';
import { documentsCalled } from './find-document.ts';
import { lineageCard } from './lineage-card.ts';
import { showCells, shownVersion } from './lineage-cells.ts';

export const documentScreen: Screen = async (context) => {
  const entries = await documentsCalled(context.ledger.queries, context.params.id ?? '');
  const [entry] = entries;
  if (entry && entries.length === 1) return await documentPage(context, entry);
  return await choicePage(context, entries);
};

async function choicePage(context: ScreenContext, entries: readonly LedgerEntry[]): Promise<Markup> {
  const { say, base, params } = context;
  const title = params.id ?? '';
  const table = dataTable(
    {
      caption: say(DOCUMENTS_PAGE.caption()),
      columns: documentColumns(context),
      rows: entries.map(summarizeDocument),
      empty: '',
      hrefOf: (one) => documentHref(base, one),
    },
    say,
  );
  const content = markup`${pageHeading({ title, about: say(DOCUMENT_PAGE.several({ count: entries.length })) })}
<section class="card" aria-label="${say(DOCUMENTS_PAGE.caption())}">${table}</section>`;
  return await composePage(context, { place: 'documents', title, content });
}

/** What a person has typed, and what became of it. */
type TypedFix = {
  readonly typed: ReadonlyMap<string, string>;
  readonly reason: string;
  readonly outcome?: NoticeOptions;
};

const NOTHING_TYPED: TypedFix = { typed: new Map(), reason: '' };

export async function documentPage(
  context: ScreenContext,
  recorded: LedgerEntry,
  fix = NOTHING_TYPED,
): Promise<Markup> {
  const { ledger, language } = context;
  const entry = entryIn(recorded, language);
  const lineage = await readLineage(context, entry);
  const [history, attempts, reported, content] = [
    await ledger.queries.historyOf(entry.id),
    await ledger.queries.attemptsOf(entry.id),
    await ledger.answers.reportedToErp(entry.id),
    await ledger.queries.contentOf(entry.id),
  ];
  const file = await firstReading(ledger.queries, entry.file);
  const corrections = (await ledger.queries.correctionsOf(file.id)).filter(
    (one) => isOfCell(one) && entry.rows.includes(one.row),
  );
  const related = await relatedDocuments(ledger.queries, entry, 'error' in lineage ? [] : lineage.document.fields);
  const neighbors = isClosed(entry) ? undefined : await readNeighbors(context, entry);
  if (content !== undefined) context.record('payload-seen', { document: entry.id });
  const mayFix = canFix(context, entry) && !('error' in lineage);
  const source =
    'error' in lineage
      ? card({
          id: 'lineage',
          title: context.say(DOCUMENT_PAGE.lineage()),
          body: markup`<div class="card-body">${notice({ tone: 'support', text: lineage.error })}</div>`,
        })
      : lineageCard(context, { lineage, file: entry.file.name, editable: mayFix, typed: fix.typed });
  const page = markup`${heading(context, entry, neighbors)}
${faultNotice(context, entry, neighbors)}
${sections(context, related.length > 0)}
<div class="columns document"><div class="stack">${source}
${relatedCard(context, related)}
${payloadCard(context, entry, content)}
${answersCard(context, entry, attempts)}
${receiptCard(context, entry, await currentReceipt(context, recorded))}</div>
<div class="stack">${mayFix ? await fixCard(context, entry, { ...fix, lineage }) : undefined}
${storyCard(context, { entry, source: file, corrections, history, attempts, reported })}
${factsCard(context, entry)}</div></div>`;
  const done = doneNotice(context) ?? (mayFix ? undefined : fix.outcome);
  return await composePage(context, {
    place: 'documents',
    title: shownName(summarizeDocument(entry)),
    content: page,
    ...(done && { done }),
  });
}

function canFix({ may }: ScreenContext, entry: LedgerEntry): boolean {
  return may('act') && allows(entry.state, 'fix');
}

/** What may still be corrected is read with the mapping that reads it then; what was made, with the mapping that made it. */
async function readLineage(
  { instance, ledger, language, say }: ScreenContext,
  entry: LedgerEntry,
): Promise<DocumentLineage | { readonly error: string }> {
  const mapping = allows(entry.state, 'fix') ? 'now' : 'then';
  try {
    const lineage = await documentLineage({ instance, ledger, clock: systemClock }, entry, { mapping });
    return lineage ?? { error: say(DOCUMENT_PAGE.noLineage()) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message, hint = '' } = error.localized(language);
    return { error: [message, ...error.faults.map((fault) => fault.message), hint].filter(Boolean).join('. ') };
  }
}

/** Undefined while the search index is prepared: the document itself is in the ledger. */
async function readNeighbors({ index }: ScreenContext, entry: LedgerEntry): Promise<CauseNeighbors | undefined> {
  try {
    return await causeNeighbors({ index: await index() }, entry);
  } catch (error) {
    if (error instanceof SearchNotReadyError) return undefined;
    throw error;
  }
}

function heading(context: ScreenContext, entry: LedgerEntry, neighbors: CauseNeighbors | undefined): Markup {
  const { say, base, language } = context;
  const { state, facts, closed, rows } = entry;
  const aside = closed?.as ?? (isClosed(entry) ? 'set-aside' : undefined);
  const { actor } = stateInfo(state);
  const about = [
    className(entry.class, say),
    facts.counterparty,
    shownAmount(facts, { language }),
    facts.date && dayText(facts.date, language),
    aside === undefined && actor !== 'nobody' ? say(DOCUMENT_PAGE.actor({ actor: ACTOR[actor]() })) : undefined,
  ].filter((part) => part !== undefined && part !== '');
  const acts = markup`${actButtons(context, entry, neighbors)}
<a class="button" href="${documentHref(base, entry)}.zip">${say(DOCUMENT_PAGE.dossier())}</a>
${neighborLinks(context, neighbors)}`;
  return pageHeading({
    title: shownName(summarizeDocument(entry)),
    marks: statePill(state, say, aside),
    about: markup`${about.join(' · ')} · ${exportLink(context, entry.file)} ${say(DOCUMENT_PAGE.rows({ count: rows.length, rows: rows.slice(0, 6).join(', ') }))}${rows.length > 6 ? '…' : ''}`,
    acts,
  });
}

/** The acts of its state that this person may do, each with its form on the work list; a cell is corrected here. */
function actButtons(
  { say, may, base, leadsTo }: ScreenContext,
  entry: LedgerEntry,
  neighbors: CauseNeighbors | undefined,
): Markup | undefined {
  if (!may('act') || !leadsTo('/work') || !neighbors) return undefined;
  const buttons = actsFor(entry.state, entry.hold?.rule).map((act) => {
    const search = new URLSearchParams({ id: entry.id, act: act === 'fix' ? 'reprocess' : act }).toString();
    return markup`<a class="button" href="${base}/work?${search}">${say(DOCUMENT_ACT[act]())}</a>`;
  });
  return markup`${buttons}`;
}

function workHref(base: string, { key }: CauseNeighbors): string {
  return `${base}/work?${new URLSearchParams({ cause: key })}`;
}

function neighborLinks({ say, base }: ScreenContext, neighbors: CauseNeighbors | undefined): Markup | undefined {
  if (!neighbors || neighbors.count < 2) return undefined;
  const { previous, next, at, count } = neighbors;
  const link = (id: string | undefined, mark: Markup, text: string) =>
    id === undefined
      ? undefined
      : markup`<a class="button" href="${documentHref(base, { id })}"${mark} aria-label="${text}">`;
  const before = link(previous, markup` rel="prev" data-previous`, say(DOCUMENT_PAGE.previous()));
  const after = link(next, markup` rel="next" data-next`, say(DOCUMENT_PAGE.next()));
  return markup`<span class="neighbors">${before && markup`${before}‹</a>`}${after && markup`${after}›</a>`} <span class="dim">${say(DOCUMENT_PAGE.place({ at, count }))}</span></span>`;
}

/** What is wrong, in one sentence, and how many documents fail alike. */
function faultNotice(
  { say, language, base, leadsTo, may }: ScreenContext,
  entry: LedgerEntry,
  neighbors: CauseNeighbors | undefined,
): Markup | undefined {
  const { state } = entry;
  if (state === 'authorized' || state === 'ready' || state === 'sending') return undefined;
  const others = (neighbors?.count ?? 1) - 1;
  const words = others > 0 ? say(DOCUMENT_PAGE.others({ count: others })) : undefined;
  const together = say((may('act') && allows(state, 'fix') ? DOCUMENT_PAGE.together : DOCUMENT_PAGE.seeAll)());
  const alike =
    words && neighbors && leadsTo('/work')
      ? markup` ${words} <a href="${workHref(base, neighbors)}" data-up>${together}</a>`
      : words && ` ${words}`;
  const text = markup`${say(stateInfo(state).says)}${alike || undefined}`;
  const tone = isClosed(entry) ? 'queue' : GROUP_TONE[stateGroup(state)];
  return notice({ tone, title: asSentence(describeCause(entry, language)), text });
}

/** A phrase with a large letter and a full stop. */
function asSentence(phrase: string): string {
  return `${phrase.slice(0, 1).toLocaleUpperCase()}${phrase.slice(1)}${/[.!?:]$/.test(phrase) ? '' : '.'}`;
}

/** Anchors of the parts below. */
function sections({ say }: ScreenContext, hasRelated: boolean): Markup {
  const parts = [
    'lineage',
    ...(hasRelated ? (['related'] as const) : []),
    'payload',
    'answers',
    'receipt',
    'story',
    'facts',
  ] as const;
  return markup`<nav class="sections" aria-label="${say(DOCUMENT_PAGE.sections())}"><ul>${parts.map(
    (part) => markup`<li><a href="#${part}">${say(DOCUMENT_PAGE[part]())}</a></li>`,
  )}</ul></nav>`;
}

async function fixCard(
  context: ScreenContext,
  entry: LedgerEntry,
  { outcome, reason, lineage }: TypedFix & { readonly lineage: DocumentLineage },
): Promise<Markup> {
  const { say, base, csrf, instance, person } = context;
  const at = documentHref(base, entry);
  const form = actForm(
    {
      id: 'fix',
      action: `${at}/fix`,
      check: `${at}/check`,
      csrf,
      hidden: { key: randomUUID(), version: shownVersion(entry), cells: showCells(entry.id, lineage.rows) },
      does: say(DOCUMENT_FIX.does()),
      reasons: await lastReasons(instance, person.name),
      reason,
      submit: say(DOCUMENT_FIX.submit()),
      second: { name: 'check', value: '1', text: say(DOCUMENT_FIX.check()) },
      ...(outcome && { outcome: notice(outcome) }),
      terminal: `nightpost fix ${entry.id} ${say(DOCUMENT_FIX.command())}`,
    },
    say,
  );
  return card({ id: 'fix-title', title: say(DOCUMENT_FIX.title()), body: form });
}

const DONE = dictionary<{
  readonly tone: NoticeOptions['tone'];
  readonly text: Exclude<keyof typeof DOCUMENT_DONE, 'act'>;
}>({
  corrected: { tone: 'ok', text: 'corrected' },
  'still-wrong': { tone: 'fix', text: 'stillWrong' },
  unchanged: { tone: 'fix', text: 'unchanged' },
  waits: { tone: 'queue', text: 'waits' },
});

/** With the way to the act, where it can be taken back. */
function doneNotice({ say, url, base, leadsTo }: ScreenContext): NoticeOptions | undefined {
  const [name, act] = [url.searchParams.get('done') ?? '', url.searchParams.get('act') ?? ''];
  const done = DONE.get(name);
  const link =
    /^[0-9a-f-]{36}$/.test(act) && leadsTo('/acts/:id')
      ? markup` <a href="${base}/acts/${act}">${say(DOCUMENT_DONE.act())}</a>`
      : undefined;
  return done && { tone: done.tone, text: markup`${say(DOCUMENT_DONE[done.text]())}${link}` };
}
