/**
 * What happened to a document in one time line, the latest first: read, sent, asked about, decided by people, undone. What
 * the ledger has comes in, HTML comes out.
 */

import { DOCUMENT_STORY } from '../../../i18n/messages/console/console-document-messages.ts';
import { ATTEMPT_ACT } from '../../../i18n/messages/states-messages.ts';
import type { ReportedToErp } from '../../../ledger/contract/answer-store.ts';
import type { RecordedAttempt } from '../../../ledger/contract/query-store.ts';
import {
  CORRECTED_CELL,
  type Correction,
  type HistoryLine,
  type LedgerEntry,
  type SourceFile,
} from '../../../model/ledger-entry.ts';
import { recordedWords } from '../../../model/recorded-words.ts';
import { STATE_NAMES, type State, stateGroup, stateInfo } from '../../../model/state.ts';
import type { Markup } from '../../../pages/markup.ts';
import { markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import { happeningName } from '../../../views/wording/state-words.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { card, type TimeLineEvent, timeLine } from '../../shell/parts.ts';
import { GROUP_TONE, type Tone } from '../../shell/tones.ts';

type StoryContext = Pick<ScreenContext, 'say' | 'language' | 'locale'>;

type Story = {
  readonly entry: LedgerEntry;
  /** The export that was read first. */
  readonly source: SourceFile;
  readonly corrections: readonly Correction[];
  readonly history: readonly HistoryLine[];
  readonly attempts: readonly RecordedAttempt[];
  /** What the ERP got about the document. */
  readonly reported: readonly ReportedToErp[];
};

export function storyCard(context: StoryContext, story: Story): Markup {
  const { history, attempts, corrections, reported } = story;
  const sent = attempts.filter(({ act }) => act !== 'resolve');
  const events = [
    readEvent(context, story),
    ...correctionEvents(context, corrections),
    ...history.filter((line) => !isOfAttempt(line, sent)).map((line) => historyEvent(context, line)),
    ...sent.map((attempt) => attemptEvent(context, attempt)),
    ...reported.map((one) => reportedEvent(context, one)),
  ];
  // What happened at one instant stays in its order; the sort is stable.
  const latestFirst = events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).toReversed();
  return card({
    id: 'story',
    title: context.say(DOCUMENT_STORY.title()),
    body: markup`<div class="card-body">${timeLine(latestFirst)}</div>`,
  });
}

/** The state that an attempt ended with is in the attempt. */
function isOfAttempt({ what, detail }: HistoryLine, attempts: readonly RecordedAttempt[]): boolean {
  const { n } = (detail ?? {}) as { readonly n?: unknown };
  return attempts.some((one) => one.n === n && one.outcome === what);
}

function readEvent({ say, locale }: StoryContext, { entry, source }: Story): TimeLineEvent {
  return {
    at: source.claimedAt,
    time: localTime(source.claimedAt, locale),
    tone: 'queue',
    title: say(DOCUMENT_STORY.read({ file: source.name })),
    ...joined([say(DOCUMENT_STORY.rows(rowsText(entry.rows))), source.owner]),
  };
}

/** Cells that were corrected alike at once are one event. */
function correctionEvents({ say, locale }: StoryContext, corrections: readonly Correction[]): readonly TimeLineEvent[] {
  const alike = Map.groupBy(corrections, ({ row: _, ...same }) => JSON.stringify(same));
  return [...alike.values()].flatMap((own): readonly TimeLineEvent[] => {
    const [first] = own;
    if (!first) return [];
    const { at, by, reason, column, from, to } = first;
    const change = say(DOCUMENT_STORY.cells({ ...rowsText(own.map(({ row }) => row)), column, from, to }));
    const title = happeningName(CORRECTED_CELL, say);
    return [{ at, time: localTime(at, locale), tone: 'fix', title, ...joined([by, change, reason]) }];
  });
}

function rowsText(rows: readonly number[]) {
  return { count: rows.length, rows: `${rows.slice(0, 20).join(', ')}${rows.length > 20 ? '…' : ''}` };
}

function historyEvent({ say, language, locale }: StoryContext, line: HistoryLine): TimeLineEvent {
  const detail = (line.detail ?? {}) as { readonly [name: string]: unknown };
  const reason = typeof detail.reason === 'string' ? recordedWords(detail.reason, line, language) : undefined;
  return {
    at: line.at,
    time: localTime(line.at, locale),
    tone: toneOf(line.what),
    title: happeningName(line.what, say),
    ...joined([line.person, reason]),
  };
}

function attemptEvent({ say, language, locale }: StoryContext, attempt: RecordedAttempt): TimeLineEvent {
  const { act, n, at, http, outcome, requestId } = attempt;
  const reason = attempt.reason === undefined ? undefined : recordedWords(attempt.reason, attempt, language);
  const result = outcome === undefined ? DOCUMENT_STORY.underWay() : stateInfo(outcome).name;
  return {
    at,
    time: localTime(at, locale),
    tone: outcome === undefined ? 'queue' : toneOf(outcome),
    title: say(DOCUMENT_STORY.attempt({ act: ATTEMPT_ACT[act](), n, result })),
    ...joined([http === undefined ? undefined : `HTTP ${http}`, reason, requestId]),
  };
}

function reportedEvent({ say, locale }: StoryContext, { file, state, code }: ReportedToErp): TimeLineEvent {
  const at = file.writtenAt ?? file.at;
  const result = STATE_NAMES.includes(state as State) ? stateInfo(state as State).name : state;
  const title = file.writtenAt ? DOCUMENT_STORY.reported({ result }) : DOCUMENT_STORY.reportWaits({ result });
  return {
    at,
    time: localTime(at, locale),
    tone: 'queue',
    title: say(title),
    ...joined([file.name, code === undefined ? undefined : say(DOCUMENT_STORY.code({ code: String(code) }))]),
  };
}

function toneOf(what: string): Tone {
  return STATE_NAMES.includes(what as State) ? GROUP_TONE[stateGroup(what as State)] : 'queue';
}

function joined(parts: readonly (string | undefined)[]): Pick<TimeLineEvent, 'text'> {
  const text = parts.filter((part) => part !== undefined && part !== '').join(' · ');
  return text === '' ? {} : { text };
}
