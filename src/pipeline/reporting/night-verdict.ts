/**
 * The verdict of a night in one sentence, which is the subject of the mail too: the facts of a report come in, words in all
 * languages and a weight come out. Pure.
 */
import { type Message, wordsOf } from '../../i18n/message.ts';
import { ANSWERS_STATE } from '../../i18n/messages/report/report-answers-messages.ts';
import { NIGHT_VERDICT } from '../../i18n/messages/report/report-night-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { fieldProblems } from '../queries/reported-answers.ts';
import { verdictOf } from '../queries/verdict.ts';
import { isEven, settledCount } from './report-balance.ts';
import type { NightReport } from './report-shape.ts';

type Facts = Pick<
  NightReport,
  'answers' | 'balance' | 'settled' | 'filesRefused' | 'stops' | 'queued' | 'waiting' | 'expected' | 'proof' | 'outcome'
> & {
  /** Documents of the report that wait for a person, and files that stay in the inbox. */
  readonly needing: number;
  readonly notTaken: number;
  /** Refused files of earlier nights that still wait. */
  readonly earlierFiles: number;
};

/** What keeps documents from being sent or exports from coming is an alarm; work for a person needs attention. */
export function nightVerdict(facts: Facts): NightReport['verdict'] {
  const alarms = alarmsOf(facts);
  const work = workOf(facts);
  const says = [...alarms, ...work];
  const levelOfWork = work.length > 0 ? 1 : 0;
  const { weight, sentence } = verdictOf({
    level: alarms.length > 0 ? 2 : levelOfWork,
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

function alarmsOf({ stops, expected, proof, balance, notTaken, outcome }: Facts): readonly Message[] {
  const missing = expected.filter(({ state }) => state === 'missing').length;
  const rows = proof.unaccounted + proof.twice;
  return definedItems([
    ...stops.map(({ service, cause, mapping }) =>
      mapping === undefined ? NIGHT_VERDICT.service({ service, cause }) : NIGHT_VERDICT.mapping({ mapping, cause }),
    ),
    missing > 0 ? NIGHT_VERDICT.exportsMissing({ count: missing }) : undefined,
    isEven(balance) ? undefined : NIGHT_VERDICT.uneven(),
    rows > 0 ? NIGHT_VERDICT.unaccounted({ count: rows }) : undefined,
    notTaken > 0 ? NIGHT_VERDICT.notTaken({ count: notTaken }) : undefined,
    proof.clockBefore === null ? undefined : NIGHT_VERDICT.clockBehind(),
    outcome === 'stopped' ? NIGHT_VERDICT.stopped() : undefined,
  ]);
}

function workOf(facts: Facts): readonly Message[] {
  const { needing, waiting, filesRefused, earlierFiles, expected, answers } = facts;
  const read = documentsOf(facts);
  const earlier = Math.max(0, waiting - needing);
  const counts: readonly (readonly [number, Message])[] = [
    [needing, NIGHT_VERDICT.need({ need: needing, documents: NIGHT_VERDICT.documents({ count: read }) })],
    [needing === 0 ? earlier : 0, NIGHT_VERDICT.earlier({ count: earlier })],
    [filesRefused, NIGHT_VERDICT.filesRefused({ count: filesRefused })],
    [earlierFiles, NIGHT_VERDICT.earlierFiles({ count: earlierFiles })],
  ];
  return [
    ...counts.flatMap(([found, message]) => (found > 0 ? [message] : [])),
    ...exportReasons(expected),
    ...answerReasons(answers),
  ];
}

function answerReasons(answers: NightReport['answers']): readonly Message[] {
  const [delays, fields] = [answers?.delays.length ?? 0, fieldProblems(answers?.fields ?? [])];
  return [
    ...(delays > 0 ? [ANSWERS_STATE.delayed({ count: delays })] : []),
    ...(fields > 0 ? [ANSWERS_STATE.fields({ count: fields })] : []),
  ];
}

/** Exports that came, and are not as they should be. */
export function exportReasons(expected: NightReport['expected']): readonly Message[] {
  const count = (is: (one: NightReport['expected'][number]) => boolean) => expected.filter(is).length;
  const counts = [
    [count(({ state }) => state === 'duplicate'), NIGHT_VERDICT.exportsOld],
    [count(({ controls }) => differsFromControl(controls)), NIGHT_VERDICT.controlsDiffer],
    [count(({ unusual }) => unusual !== undefined), NIGHT_VERDICT.exportsUnusual],
  ] as const;
  return counts.flatMap(([found, message]) => (found > 0 ? [message({ count: found })] : []));
}

/** Also a control file that cannot be read: what it states is not known to be right. */
export function differsFromControl(controls: NightReport['expected'][number]['controls']): boolean {
  if (!controls) return false;
  const { problem, documents, amount } = controls;
  return problem !== undefined || (documents?.difference ?? 0) !== 0 || Number(amount?.difference ?? 0) !== 0;
}
