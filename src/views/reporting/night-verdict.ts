/**
 * The verdict of a night in one sentence, which is the subject of the mail too: the facts of a report come in, words in all
 * languages and a weight come out. Pure.
 */
import { type Message, wordsOf } from '../../i18n/message.ts';
import { STATUS_CHECK } from '../../i18n/messages/cli-views-messages.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import { NIGHT_VERDICT } from '../../i18n/messages/report/report-night-messages.ts';
import { haltWords } from '../../model/recorded-words.ts';
import { type AlarmFacts, type AlarmTable, readAlarms } from '../queries/alarms.ts';
import { verdictOf } from '../queries/verdict.ts';
import { isEven, settledCount } from './report-balance.ts';
import type { NightReport } from './report-shape.ts';

type Facts = Pick<
  NightReport,
  'answers' | 'balance' | 'settled' | 'filesRefused' | 'stops' | 'queued' | 'waiting' | 'expected' | 'proof' | 'outcome'
> & {
  /** Documents of the report that wait for a person. */
  readonly needing: number;
  /** Files that stay in the inbox. */
  readonly stuck: NonNullable<AlarmFacts['stuck']>;
  /** Of the instance, when the night ends. */
  readonly guard: NonNullable<AlarmFacts['guard']>;
  readonly pauses: NonNullable<AlarmFacts['pauses']>;
  /** Refused files of earlier nights that still wait. */
  readonly earlierFiles: number;
};

/** What keeps documents from being sent or exports from coming is an alarm; work for a person needs attention. */
export function nightVerdict(facts: Facts): NightReport['verdict'] {
  const { critical, attention } = readAlarms(alarmFacts(facts), WORDS);
  const work = [...documentReasons(facts), ...attention];
  const says = [...critical, ...work];
  const levelOfWork = work.length > 0 ? 1 : 0;
  const { weight, sentence } = verdictOf({
    level: critical.length > 0 ? 2 : levelOfWork,
    says: says.length > 0 ? says : [allWell(facts)],
  });
  return { weight, sentence: wordsOf(sentence) };
}

/** Documents that were read or settled now. */
function documentsOf({ balance, settled }: Pick<Facts, 'balance' | 'settled'>): number {
  return balance.documents.read + settledCount(settled);
}

function allWell(facts: Facts): Message {
  const { balance, settled, queued } = facts;
  const waiting = balance.documents.waiting + (settled?.documents.waiting ?? 0);
  const documents = documentsOf(facts);
  if (queued > 0) return NIGHT_VERDICT.queued({ count: queued });
  if (waiting > 0) return NIGHT_VERDICT.underWay({ count: waiting });
  return documents === 0 ? NIGHT_VERDICT.goodEmpty() : NIGHT_VERDICT.good({ documents });
}

function alarmFacts(facts: Facts): AlarmFacts {
  const { stops, proof, balance, outcome, earlierFiles, answers, expected, stuck, filesRefused, guard } = facts;
  const halted = new Set(stops.flatMap(({ service, mapping }) => (mapping === undefined ? [service] : [])));
  return {
    ...{ expected, stuck, filesRefused, answers, guard },
    // A service that stopped in this night has its own words.
    pauses: facts.pauses.filter(({ service }) => !halted.has(service)),
    quarantine: proof.quarantine ? { at: '' } : null,
    halts: stops,
    isUneven: !isEven(balance),
    unaccounted: proof.unaccounted + proof.twice,
    isClockBehind: proof.clockBefore !== null,
    isStopped: outcome === 'stopped',
    filesBefore: earlierFiles,
  };
}

const NOT_OF_A_NIGHT = () => [];

/** A run does not begin with a wrong mapping, or without its inbox; a refused export is among the refused files. */
const WORDS: AlarmTable<Message> = {
  'no-send': ([{ code }]) => [STATUS_CHECK.nothingSent({ code })],
  quarantine: () => [STATUS_CHECK.quarantine()],
  mappings: NOT_OF_A_NIGHT,
  paused: (pauses) => pauses.map(({ service, cause }) => STATUS_CHECK.paused({ service, cause: haltWords(cause) })),
  halted: (halts) =>
    halts.map(({ service, cause, mapping }) =>
      mapping === undefined
        ? NIGHT_VERDICT.service({ service, cause: haltWords(cause) })
        : NIGHT_VERDICT.mapping({ mapping, cause: haltWords(cause) }),
    ),
  'inbox-away': NOT_OF_A_NIGHT,
  'export-missing': (missing) => [NIGHT_VERDICT.exportsMissing({ count: missing.length })],
  uneven: () => [NIGHT_VERDICT.uneven()],
  unaccounted: ([{ count }]) => [NIGHT_VERDICT.unaccounted({ count })],
  'not-taken': ([{ count }]) => [NIGHT_VERDICT.notTaken({ count })],
  'clock-behind': () => [NIGHT_VERDICT.clockBehind()],
  stopped: () => [NIGHT_VERDICT.stopped()],
  'files-refused': ([{ count }]) => [NIGHT_VERDICT.filesRefused({ count })],
  'files-before': ([{ count }]) => [NIGHT_VERDICT.earlierFiles({ count })],
  'sources-missing': NOT_OF_A_NIGHT,
  'not-plain': ([{ count }]) => [NIGHT_VERDICT.notTaken({ count })],
  'export-refused': NOT_OF_A_NIGHT,
  'export-old': (old) => [NIGHT_VERDICT.exportsOld({ count: old.length })],
  'export-differs': (differing) => [NIGHT_VERDICT.controlsDiffer({ count: differing.length })],
  'export-unusual': (unusual) => [NIGHT_VERDICT.exportsUnusual({ count: unusual.length })],
  'answers-delayed': ([{ count }]) => [ANSWERS_STATE.delayed({ count })],
  'answer-fields': ([{ count }]) => [ANSWERS_STATE.fields({ count })],
};

function documentReasons(facts: Facts): readonly Message[] {
  const { needing, waiting } = facts;
  const earlier = Math.max(0, waiting - needing);
  if (needing > 0) {
    return [NIGHT_VERDICT.need({ need: needing, documents: NIGHT_VERDICT.documents({ count: documentsOf(facts) }) })];
  }
  return earlier > 0 ? [NIGHT_VERDICT.earlier({ count: earlier })] : [];
}

/** Exports that came, and are not as they should be. */
export function exportReasons(expected: NightReport['expected']): readonly Message[] {
  return readAlarms({ expected }, WORDS).attention;
}
