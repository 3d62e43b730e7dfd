/**
 * Prints events of a run and keeps the live line: `812/1204 67%  authorized 795  to correct 15  to verify 2  9.8/s`.
 * Events of the pipeline come in; text on stderr comes out.
 */

import { decimalText, format, type Language, type Message } from '../../i18n/message.ts';
import {
  CORRECTIONS,
  CORRECTIONS_COUNT,
  LEFT_IN_INBOX,
  PROGRESS,
  PROGRESS_COUNT,
  REPORT_COUNT,
} from '../../i18n/messages/cli-report-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import { showFaultIn } from '../../model/fault.ts';
import { haltWords } from '../../model/recorded-words.ts';
import { SET_ASIDE_INFO, STATE_GROUPS, type State, stateGroup, stateInfo } from '../../model/state.ts';
import type { PipelineEvent } from '../../pipeline/context/run-context.ts';
import type { CorrectionTally } from '../../pipeline/reprocessing/correction-results.ts';
import { durationText } from '../../text/duration-text.ts';
import { type Locale, localTime } from '../../text/local-time.ts';
import { escapeControls } from '../../text/printable.ts';
import { fieldMessages } from '../../views/queries/reported-answers.ts';
import { mappingsWrong } from '../../views/wording/mapping-words.ts';
import { differingWords } from '../../views/wording/setup-words.ts';
import type { Log } from '../session/log-file.ts';
import { bar, type Terminal } from '../session/terminal.ts';
import { withMore } from './counted-words.ts';
import { expectedLines } from './expected-export-lines.ts';

/** Columns of a terminal from which the live line has a bar. */
const FULL_WIDTH = 100;

/** `listenerWith` gives the listener of a run, which also writes the log; `end` removes the live line. */
export type Progress = {
  readonly listenerWith: (log: Log) => (event: PipelineEvent, run: string) => void;
  readonly end: () => void;
};

/** After so long without an event, what a watch does next is other work, with a rate of its own. */
const QUIET_MS = 60_000;

/**
 * `reported`: a report at the end lists missing exports, so events about them print nothing. `endless`: a watch, whose last
 * count in a journal would be that of some moment, so without a terminal it prints none.
 */
export function followProgress(
  terminal: Terminal,
  locale: Locale,
  { reported = false, endless = false } = {},
): Progress {
  const { language } = locale;
  const answersSaid = new Map<string, string>();
  const speak = (event: PipelineEvent) => {
    if (isSaid(answersSaid, event)) return;
    for (const line of spoken(event, reported, locale)) terminal.talk(escapeControls(line));
  };
  let startedMs = performance.now();
  let lastMs = startedMs;
  const counts = new Map<string, number>();
  let documents = 0;
  let done = 0;
  let files = 0;
  let waits = '';
  const line = () => {
    const seconds = Math.max((performance.now() - startedMs) / 1000, 0.001);
    const rate = done / seconds;
    const left = documents - done;
    const words = [...counts].map(([word, count]) => `${word} ${count}`).join('  ');
    const head = terminal.isLive && terminal.columns >= FULL_WIDTH ? `${bar(done, documents)}  ` : '';
    if (waits !== '') return waits;
    if (done === 0) {
      return format(
        REPORT_COUNT.filesImported({ count: files, documents: COUNT.document({ count: documents }) }),
        language,
      );
    }
    const total = Math.max(documents, done);
    return `${head}${done}/${total} ${Math.floor((done / total) * 100)}%  ${words}  ${format(decimalText(rate.toFixed(1)), language)}/s${etaText(seconds, left / rate)}`;
  };
  const show = terminal.isLive || !endless ? () => terminal.live(line) : () => {};
  const countAgainAfterQuiet = () => {
    const quietMs = performance.now() - lastMs;
    lastMs += quietMs;
    if (!endless || quietMs <= QUIET_MS) return;
    startedMs = lastMs;
    documents = Math.max(0, documents - done);
    [done, files] = [0, 0];
    counts.clear();
  };
  const onEvent = (event: PipelineEvent) => {
    waits = event.what === 'consultation-waits' ? consultationText(event, language) : '';
    if (event.what === 'file-admitted') {
      files++;
      documents += event.documents;
      speak(event);
    } else if (event.what === 'queued') documents += event.documents;
    else if (event.what === 'mapping-held') {
      documents -= event.documents;
      speak(event);
    } else if (event.what === 'document' && event.state !== 'ready') {
      done++;
      const word = wordOf(event.state, language);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    } else speak(event);
    show();
  };
  return {
    listenerWith: (log) => (event, run) => {
      log(event, run);
      countAgainAfterQuiet();
      onEvent(event);
    },
    end: () => terminal.live(''),
  };
}

/**
 * Warnings about a mapping, not about a night: a missing optional element would be reported every night. `preview`
 * shows them, and the summary keeps them.
 */
const FOR_THE_CONSULTANT: ReadonlySet<string> = new Set(['xml/path-not-found', 'fixed/text-between-columns']);

/** A watch looks at its folders for answers every few minutes: it prints what is new. */
function isSaid(said: Map<string, string>, event: PipelineEvent): boolean {
  if (event.what === 'answers-written') said.delete(event.folder);
  if (event.what !== 'answers-delayed') return false;
  const { folder, path, code, says } = event;
  const before = said.get(path);
  said.set(path, `${folder} ${code} ${says}`);
  return before === said.get(path);
}

/** Why a run that has sent everything does not end: services allow few consultations a minute. */
function consultationText(
  { service, count, ms }: Extract<PipelineEvent, { what: 'consultation-waits' }>,
  language: Language,
): string {
  return format(PROGRESS_COUNT.consultations({ service, count, time: durationText(ms / 1000) }), language);
}

/** The lines of an event; events that the live line counts have none. */
function spoken(event: PipelineEvent, reported: boolean, locale: Locale): readonly string[] {
  const { language } = locale;
  const say = (phrase: Message) => format(phrase, language);
  switch (event.what) {
    case 'inbox-refused':
    case 'source-missing':
      return [showFaultIn(event.fault, language)];
    case 'file-admitted':
      return event.faults
        .filter(({ code }) => !FOR_THE_CONSULTANT.has(code))
        .map((fault) => showFaultIn(fault, language));
    case 'file-refused':
      return event.faults.map((fault) => showFaultIn(fault, language));
    case 'file-duplicate':
      return [say(PROGRESS.sameBytes(event))];
    case 'file-waits': {
      const { file, for: partner, untilMs } = event;
      return [say(PROGRESS.waitsFor({ file, partner, until: localTime(untilMs, locale) }))];
    }
    case 'left-in-folder':
      return [say(leftInFolder(event))];
    case 'corrections':
      return [...event.faults.map((fault) => showFaultIn(fault, language)), say(correctionsMessage(event))];
    case 'no-to-fix':
      return [say(PROGRESS.noToFix(event))];
    case 'no-workbook':
      return [say(PROGRESS.noWorkbook(event))];
    case 'service-waits':
      return [say(PROGRESS.nextTry({ ...event, time: durationText(event.ms / 1000) }))];
    case 'service-stopped':
      return [say(PROGRESS.stopped({ ...event, cause: haltWords(event.cause) }))];
    case 'mapping-held':
      return [say(PROGRESS.mappingHeld(event)), `  ${say(REPORT_COUNT.queuedOnHold({ count: event.documents }))}`];
    case 'export-missing':
      if (reported) return [];
      return expectedLines([{ ...event, state: 'missing' }], locale);
    case 'left-waiting': {
      const { file, why } = event;
      const words = why === 'ignored' || why === 'not-asked' ? PROGRESS.staysInInbox : PROGRESS.leftInInbox;
      return [say(words({ file, why: LEFT_IN_INBOX[why]() }))];
    }
    case 'mappings-changed':
      return mappingsChanged(event).map(say);
    case 'ledger-bound':
      return [event.says];
    case 'answers-delayed':
      return [say(ANSWERS_STATE.delayedBy(event))];
    case 'answers-incomplete':
      return fieldMessages(event.fields).map(say);
    case 'answers-failed':
      // Of one export: its folder is delayed at the end of the round.
      return event.file === undefined ? [say(ANSWERS_STATE.failed(event))] : [];
    case 'recovered':
      return [say(recoveredWords(event))];
    case 'conversion-waits':
      return [say(conversionWaits(event))];
    case 'conversion-goes-on':
      return [say(PROGRESS.conversionGoesOn())];
    case 'written-again':
      return [say(PROGRESS.writtenAgain(event))];
    default:
      return [];
  }
}

/** A `watch` keeps its mappings: it reports a change, and the first error if a new start would fail. */
function mappingsChanged({ files, faults }: Extract<PipelineEvent, { what: 'mappings-changed' }>): readonly Message[] {
  if (files.length === 0) return [PROGRESS.mappingsUnchanged()];
  const changed = PROGRESS.mappingsChanged({ files });
  if (faults.length === 0) return [changed];
  return [changed, PROGRESS.noNewStart({ fault: mappingsWrong(faults) })];
}

/** Names the first files and counts the others. */
function conversionWaits(event: Extract<PipelineEvent, { what: 'conversion-waits' }>): Message {
  const { host, pid } = event;
  return PROGRESS.conversionWaits({ host, pid: String(pid), what: differingWords(event) });
}

/** Of what an interrupted run left, or a watch that is gone. */
export function recoveredWords({ files, inDoubt, worker }: Omit<Recovered, 'what'>): Message {
  const counts = { files, documents: inDoubt };
  if (!worker) return PROGRESS.recovered(counts);
  return PROGRESS.takenOver({ ...counts, host: worker.host, pid: String(worker.pid) });
}

type Recovered = Extract<PipelineEvent, { what: 'recovered' }>;

function leftInFolder({ folder, files, count }: Extract<PipelineEvent, { what: 'left-in-folder' }>): Message {
  const named = files.map(escapeControls).join(', ');
  return PROGRESS.ignoredInFolder({ folder, files: withMore(named, count - files.length) });
}

function correctionsMessage({ file, ...tally }: Extract<PipelineEvent, { what: 'corrections' }>): Message {
  const parts = correctionCounts(tally);
  if (!parts) return CORRECTIONS.empty({ file });
  return CORRECTIONS.ofFile({ file, parts });
}

/** "1 corrected, 2 refused"; undefined if all counts are zero. */
export function correctionCounts(tally: CorrectionTally): Message | undefined {
  const found = (['corrected', 'readAgain', 'unchanged', 'refused'] as const).filter((what) => tally[what] > 0);
  if (found.length === 0) return undefined;
  return CORRECTIONS.each({ parts: found.map((what) => CORRECTIONS_COUNT[what]({ count: tally[what] })) });
}

/** With two spaces before it; empty if nothing is left, and without a time in the first second. */
function etaText(seconds: number, leftSeconds: number): string {
  if (leftSeconds <= 0) return '';
  if (seconds < 1) return '  ETA ...';
  return `  ETA ${durationText(leftSeconds)}`;
}

/**
 * The word of a state for people, in lower case for use inside a sentence: what to do, such as "to verify"; of documents
 * that are done what became of them.
 */
export function wordOf(
  state: State,
  language: Language = 'en',
  options: { readonly isSetAside: boolean } = { isSetAside: false },
): string {
  if (options.isSetAside) return format(SET_ASIDE_INFO.inSentence, language);
  const group = stateGroup(state);
  return format(group === 'done' ? stateInfo(state).name : STATE_GROUPS[group].inSentence, language);
}
