/**
 * What people may have to know about an instance just now, as topics with their words: documents that wait by cause, refused
 * files, missing exports, stopped services, a ledger that may not send, a run that failed or did not begin. Reads only.
 */

import { format, type Language, type Message, verbatimText } from '../i18n/message.ts';
import { NOTICE_LINE } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { RunRecord } from '../ledger/contract/run-record.ts';
import type { Pause } from '../ledger/contract/submission-store.ts';
import { definedItems } from '../model/defined-only.ts';
import { isSourceMissing, type LedgerEntry } from '../model/ledger-entry.ts';
import { stateInfo, URGENT_STATES } from '../model/state.ts';
import { expectedExports } from '../pipeline/intake/expected-exports.ts';
import { localTime } from '../text/local-time.ts';
import { type Family, familiesOf } from '../views/queries/causes.ts';
import { openDocumentsOf } from '../views/queries/find-documents.ts';
import { refusedFiles } from '../views/queries/refused-files.ts';
import { amountTexts } from '../views/wording/amount-texts.ts';
import { causeWithoutValues, describeGroup } from '../views/wording/cause-words.ts';
import { exitWords } from '../views/wording/run-lines.ts';
import { entryIn } from '../views/wording/spoken-faults.ts';
import { alarmTopics } from './alarm-topics.ts';
import type { NoticeDetails, NoticeTopic } from './notice-topic.ts';

/** The end of the run that reports: absent if it is at work. */
export type RunEnding = { readonly run?: string; readonly exit: number; readonly error?: string };

type Place = { readonly instance: Instance; readonly ledger: Ledger };

/** Numbers of documents in a line. */
const MOST_NUMBERS = 10;
/** A pause that ends by itself within this time is not reported. */
const PAUSE_MS = 15 * 60_000;
const FAILED_EXITS: ReadonlySet<number> = new Set([1, 2, 4, 5]);
const NOTHING_MORE = (): readonly Message[] => [];

/** `urgent`: only those that a watch reports at once, without a look at everything that waits. */
export async function readTopics(
  place: Place,
  now: Date,
  { urgent = false, ending, absentMs }: { urgent?: boolean; ending?: RunEnding; absentMs?: number },
): Promise<readonly NoticeTopic[]> {
  return [
    ...(ending ? failureTopics(ending) : []),
    ...(absentMs === undefined ? [] : await absentTopics(place, now, absentMs)),
    ...alarmTopics(await alarmFacts(place, now)),
    ...(await documentTopics(place, urgent)),
    ...(urgent ? [] : await fileTopics(place)),
  ];
}

/** The run failed: exit codes 1, 2, 4 and 5. Also without a ledger. */
export function failureTopics({ run, exit, error }: RunEnding): readonly NoticeTopic[] {
  if (!FAILED_EXITS.has(exit)) return [];
  const code = error ?? `exit-${exit}`;
  const why = { code, exit: String(exit), words: exitWords(exit) };
  const words = () => (run === undefined ? NOTICE_LINE.failedPlain(why) : NOTICE_LINE.failed({ run, ...why }));
  return [
    {
      key: `failed:${code}`,
      kind: 'failed',
      counts: 'failed',
      documents: 0,
      newestAt: '',
      code,
      words,
      more: NOTHING_MORE,
    },
  ];
}

async function absentTopics({ ledger }: Place, now: Date, absentMs: number): Promise<readonly NoticeTopic[]> {
  const [last] = await ledger.runs.list(1);
  const since = last?.startedAt ?? (await ledger.queries.firstUse());
  if (since === undefined || isWatching(last) || now.getTime() - Date.parse(since) < absentMs) return [];
  return [
    {
      key: 'absent:run',
      kind: 'absent',
      counts: 'absent',
      documents: 0,
      newestAt: since,
      code: 'no-run',
      words: (_, reader) => (last ? NOTICE_LINE.absent({ since: localTime(since, reader) }) : NOTICE_LINE.neverRan()),
      more: NOTHING_MORE,
    },
  ];
}

/** A watch works for months, and reports itself. */
function isWatching(last: RunRecord | undefined): boolean {
  return last?.kind === 'watch' && last.outcome === undefined;
}

async function alarmFacts(place: Place, now: Date): Promise<Parameters<typeof alarmTopics>[0]> {
  const { ledger, instance } = place;
  const pauses = await Promise.all(
    instance.destinations.map(async ({ name: service }) => {
      const pause = await ledger.submissions.pauseOf(service);
      return pause && isLong(pause, now) ? { service, ...pause } : undefined;
    }),
  );
  return {
    guard: ledger.guard,
    quarantine: await ledger.intake.quarantine(),
    pauses: definedItems(pauses),
    expected: await expectedExports(place, now),
  };
}

function isLong({ at }: Pause, now: Date): boolean {
  return now.getTime() - Date.parse(at) >= PAUSE_MS;
}

async function fileTopics({ ledger }: Place): Promise<readonly NoticeTopic[]> {
  const files = (await refusedFiles(ledger.queries)).filter((file) => !isSourceMissing(file));
  return files.map(({ id, name, faults, archivedAt, claimedAt }) => ({
    key: `file:${id}`,
    kind: 'attention',
    counts: 'files',
    documents: 0,
    newestAt: archivedAt ?? claimedAt,
    code: faults[0]?.code ?? 'refused',
    words: (details) =>
      details === 'counts' ? NOTICE_LINE.fileRefusedPlain() : NOTICE_LINE.fileRefused({ file: name }),
    more: (details) => (details === 'full' && faults[0] ? [verbatimText(faults[0].message)] : []),
  }));
}

/** A family with the document that its words are about, and numbers of some. */
type Waiting = Family & { readonly first: LedgerEntry; readonly numbers: readonly string[] };

async function documentTopics({ instance, ledger }: Place, urgent: boolean): Promise<readonly NoticeTopic[]> {
  using index = await openDocumentsOf(instance);
  const families = familiesOf(await index.work(urgent ? { states: URGENT_STATES } : {}));
  const named = await ledger.queries.entriesById(families.flatMap(({ ids }) => ids.slice(0, MOST_NUMBERS)));
  const byId = new Map(named.map((entry) => [entry.id, entry]));
  return families.flatMap((family) => {
    const entries = definedItems(family.ids.slice(0, MOST_NUMBERS).map((id) => byId.get(id)));
    const [first] = entries;
    if (!first) return [];
    const numbers = entries.map(({ facts }) => facts.identifier).filter((number) => number !== '');
    return [documentTopic({ ...family, first, numbers })];
  });
}

function documentTopic(group: Waiting): NoticeTopic {
  const { key, state, service, cause, count, newest, numbers, amounts } = group;
  return {
    key,
    kind: 'attention',
    counts: 'documents',
    documents: count,
    newestAt: newest,
    code: cause,
    words: (details, { language }) => {
      if (state === 'in-doubt') return NOTICE_LINE.inDoubt({ count, service });
      if (state === 'invalidated') return NOTICE_LINE.invalidated({ count, service });
      return NOTICE_LINE.documents({
        count,
        state: format(stateInfo(state).name, language).toLowerCase(),
        cause: causeIn(group, details, language),
      });
    },
    more: (details, { language }) => {
      if (details === 'counts') return [];
      const shown = numbers.join(', ');
      const rest = count - numbers.length;
      const texts = rest > 0 ? NOTICE_LINE.andMore({ numbers: shown, count: rest }) : verbatimText(shown);
      const lines = numbers.length > 0 ? [NOTICE_LINE.numbers({ numbers: texts })] : [];
      const sums = amountTexts(amounts, language);
      if (details !== 'full' || sums.length === 0) return lines;
      return [...lines, NOTICE_LINE.amounts({ amounts: sums.join(', ') })];
    },
  };
}

/** A sentence; only with `full` it has values of the export. The code where there are no other words. */
function causeIn(family: Waiting, details: NoticeDetails, language: Language): Message {
  const { first, cause, column } = family;
  const full = details === 'full' ? describeGroup(entryIn(first, language), family, language) : undefined;
  const says = full ?? causeWithoutValues(first, language) ?? cause;
  return column === undefined || says.includes(column)
    ? verbatimText(says)
    : NOTICE_LINE.inColumn({ cause: says, column });
}
