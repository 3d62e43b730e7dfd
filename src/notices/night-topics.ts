/**
 * What only the report of a night shows: exports that came and are not as they should be, sums that do not agree, files that
 * stay in the inbox, answers that the ERP does not get. The report comes in, topics come out. Pure.
 */
import { type Message, verbatimText } from '../i18n/message.ts';
import { NOTICE_LINE } from '../i18n/messages/console/console-notices-messages.ts';
import { ANSWERS_STATE } from '../i18n/messages/report/report-answers-messages.ts';
import { NIGHT_VERDICT } from '../i18n/messages/report/report-night-messages.ts';
import { NIGHT_TEXT } from '../i18n/messages/report/report-page-messages.ts';
import { isError } from '../model/fault.ts';
import { fieldProblems } from '../pipeline/queries/reported-answers.ts';
import { differsFromControl } from '../pipeline/reporting/night-verdict.ts';
import { isEven } from '../pipeline/reporting/report-balance.ts';
import type { NightReport } from '../pipeline/reporting/report-shape.ts';
import { groupDigits } from '../pipeline/wording/amount-texts.ts';
import { NIGHT_TOPIC } from './digest.ts';
import type { NoticeTopic } from './waiting-topics.ts';

type Exported = NightReport['expected'][number];

/** Each is reported for the night that it is found in; a later night does not settle it. */
export function nightTopics({
  expected,
  balance,
  proof,
  inbox,
  answers,
  endedAt,
}: NightReport): readonly NoticeTopic[] {
  const rows = proof.unaccounted + proof.twice;
  const stuck = inbox.filter(isError).length;
  const latestDelay = answers?.delays
    .map(({ since }) => since)
    .sort()
    .at(-1);
  const [delays, fields] = [answers?.delays.length ?? 0, fieldProblems(answers?.fields ?? [])];
  return [
    ...expected.flatMap(exportTopics),
    ...(isEven(balance) ? [] : [topicOf('uneven', endedAt, NIGHT_VERDICT.uneven())]),
    ...(rows > 0 ? [topicOf('unaccounted', endedAt, NIGHT_VERDICT.unaccounted({ count: rows }))] : []),
    ...(stuck > 0 ? [topicOf('inbox', '', NIGHT_VERDICT.notTaken({ count: stuck }))] : []),
    ...(delays > 0 ? [topicOf('answers-delayed', latestDelay ?? '', ANSWERS_STATE.delayed({ count: delays }))] : []),
    ...(fields > 0 ? [topicOf('answer-fields', '', ANSWERS_STATE.fields({ count: fields }))] : []),
  ];
}

function exportTopics(one: Exported): readonly NoticeTopic[] {
  const { name, due, state, unusual, rows = 0, controls } = one;
  const of = (what: string, named: Message, plain: Message): NoticeTopic => ({
    ...topicOf(`${what}:${name}`, due, plain),
    words: (details) => (details === 'counts' ? plain : named),
  });
  const count = 1;
  return [
    ...(state === 'duplicate' ? [of('old', NOTICE_LINE.exportOld({ name }), NIGHT_VERDICT.exportsOld({ count }))] : []),
    ...(unusual === undefined
      ? []
      : [of('rows', NOTICE_LINE.exportUnusual({ name, rows, unusual }), NIGHT_VERDICT.exportsUnusual({ count }))]),
    ...(differsFromControl(controls)
      ? [
          {
            ...of('control', NOTICE_LINE.exportDiffers({ name }), NIGHT_VERDICT.controlsDiffer({ count })),
            more: controlLines(one),
          },
        ]
      : []),
  ];
}

/** What the control file states and what was read; amounts only with `full`. */
function controlLines({ controls }: Exported): NoticeTopic['more'] {
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
    more: () => [],
  };
}
