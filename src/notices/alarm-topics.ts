/**
 * Alarms as topics of notices: what keeps documents from being sent now, and what only the report of a night shows, such as
 * exports that came and are not as they should be, or sums that do not agree. Facts come in, topics come out. Pure.
 */
import { type Message, verbatimText } from '../i18n/message.ts';
import { NOTICE_LINE } from '../i18n/messages/console/console-notices-messages.ts';
import { ANSWERS_STATE } from '../i18n/messages/report/report-answers-messages.ts';
import { NIGHT_VERDICT } from '../i18n/messages/report/report-night-messages.ts';
import { NIGHT_TEXT } from '../i18n/messages/report/report-page-messages.ts';
import { haltWords } from '../model/recorded-words.ts';
import { localTime } from '../text/local-time.ts';
import { type AlarmFacts, type AlarmTable, type ExpectedFact, readAlarms } from '../views/queries/alarms.ts';
import { stuckFiles } from '../views/reporting/night-report.ts';
import { isEven } from '../views/reporting/report-balance.ts';
import type { NightReport } from '../views/reporting/report-shape.ts';
import { groupDigits } from '../views/wording/amount-texts.ts';
import { NIGHT_TOPIC } from './digest.ts';
import type { NoticeTopic } from './notice-topic.ts';

/** What keeps documents from being sent, or exports from coming, now. */
export function alarmTopics(
  facts: Pick<AlarmFacts, 'guard' | 'quarantine' | 'pauses' | 'expected'>,
): readonly NoticeTopic[] {
  return readAlarms(facts, topicTable('')).critical;
}

/** Each is reported for the night that it is found in; a later night does not settle it. What is missing is so now too (`alarmTopics`). */
export function nightTopics({
  expected,
  balance,
  proof,
  inbox,
  answers,
  endedAt,
}: NightReport): readonly NoticeTopic[] {
  const facts: AlarmFacts = {
    ...{ answers, expected },
    isUneven: !isEven(balance),
    unaccounted: proof.unaccounted + proof.twice,
    stuck: stuckFiles({ inbox }),
  };
  const { critical, attention } = readAlarms(facts, { ...topicTable(endedAt), 'export-missing': NO_TOPIC });
  return [...critical, ...attention];
}

const NO_TOPIC = () => [];
const HALT = { kind: 'failed', counts: 'noSend', documents: 0, more: NO_TOPIC, newestAt: '' } as const;

/** `at`: when the night ended. Refused files are topics by themselves; a person sees the others in the command that they use. */
function topicTable(at: string): AlarmTable<NoticeTopic> {
  const count = 1;
  const stuck: AlarmTable<NoticeTopic>['not-taken'] = ([files]) => [
    topicOf('inbox', '', NIGHT_VERDICT.notTaken(files)),
  ];
  return {
    'no-send': ([{ code }]) => [{ ...HALT, key: `no-send:${code}`, code, words: () => NOTICE_LINE.noSend({ code }) }],
    quarantine: ([one]) => {
      const key = `quarantine:${one.at}`;
      return [{ ...HALT, key, code: 'quarantine', words: () => NOTICE_LINE.quarantine() }];
    },
    mappings: NO_TOPIC,
    paused: (pauses) =>
      pauses.map(({ service, cause, at: since }) => ({
        ...{
          key: `paused:${service}`,
          kind: 'attention',
          counts: 'paused',
          documents: 0,
          newestAt: since,
          code: service,
        },
        words: (_, reader) => NOTICE_LINE.paused({ service, since: localTime(since, reader), cause: haltWords(cause) }),
        more: NO_TOPIC,
      })),
    halted: NO_TOPIC,
    'inbox-away': NO_TOPIC,
    'export-missing': (missing) => missing.map(missingTopic),
    uneven: () => [topicOf('uneven', at, NIGHT_VERDICT.uneven())],
    unaccounted: ([rows]) => [topicOf('unaccounted', at, NIGHT_VERDICT.unaccounted({ count: rows.count }))],
    'not-taken': stuck,
    'clock-behind': NO_TOPIC,
    stopped: NO_TOPIC,
    'files-refused': NO_TOPIC,
    'files-before': NO_TOPIC,
    'sources-missing': NO_TOPIC,
    'not-plain': stuck,
    'export-refused': NO_TOPIC,
    'export-old': (old) =>
      old.map((one) =>
        exportTopic('old', one, NOTICE_LINE.exportOld({ name: one.name }), NIGHT_VERDICT.exportsOld({ count })),
      ),
    'export-differs': (differing) =>
      differing.map((one) => ({
        ...exportTopic(
          'control',
          one,
          NOTICE_LINE.exportDiffers({ name: one.name }),
          NIGHT_VERDICT.controlsDiffer({ count }),
        ),
        more: controlLines(one),
      })),
    'export-unusual': (found) =>
      found.map((one) => {
        const { name, rows = 0, unusual = '' } = one;
        const named = NOTICE_LINE.exportUnusual({ name, rows, unusual });
        return exportTopic('rows', one, named, NIGHT_VERDICT.exportsUnusual({ count }));
      }),
    'answers-delayed': ([delayed]) => [
      topicOf('answers-delayed', delayed.newestAt, ANSWERS_STATE.delayed({ count: delayed.count })),
    ],
    'answer-fields': ([fields]) => [topicOf('answer-fields', '', ANSWERS_STATE.fields(fields))],
  };
}

function missingTopic({ name, due }: ExpectedFact): NoticeTopic {
  return {
    ...{ key: `export:${name}:${due}`, kind: 'attention', counts: 'exports', documents: 0, newestAt: due, code: name },
    words: (details, reader) => {
      const at = localTime(due, reader);
      return details === 'counts'
        ? NOTICE_LINE.exportMissingPlain({ due: at })
        : NOTICE_LINE.exportMissing({ name, due: at });
    },
    more: NO_TOPIC,
  };
}

function exportTopic(what: string, { name, due }: ExpectedFact, named: Message, plain: Message): NoticeTopic {
  return { ...topicOf(`${what}:${name}`, due, plain), words: (details) => (details === 'counts' ? plain : named) };
}

/** What the control file states and what was read; amounts only with `full`. */
function controlLines({ controls }: ExpectedFact): NoticeTopic['more'] {
  return (details, { language }) => {
    if (details === 'counts' || !controls) return [];
    const { problem, documents, amount } = controls;
    const lines: Message[] = problem === undefined ? [] : [verbatimText(problem)];
    if (documents) {
      const [stated, read] = [documents.stated, documents.read].map((count) => groupDigits(String(count), language));
      lines.push(NIGHT_TEXT.controlDocuments({ stated: stated ?? '', read: read ?? '' }));
    }
    if (amount && details === 'full') {
      const [stated, read] = [amount.stated, amount.read].map((text) => groupDigits(text, language));
      lines.push(NIGHT_TEXT.controlAmount({ stated: stated ?? '', read: read ?? '' }));
    }
    return lines;
  };
}

function topicOf(what: string, newestAt: string, says: Message): NoticeTopic {
  return {
    key: `${NIGHT_TOPIC}${what}`,
    kind: 'attention',
    counts: 'night',
    documents: 0,
    newestAt,
    code: what.split(':', 1)[0] ?? what,
    words: () => says,
    more: NO_TOPIC,
  };
}
