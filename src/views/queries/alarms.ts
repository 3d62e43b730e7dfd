/**
 * What is wrong with an instance or a night: the one list of alarms, in the order in which people see them. Facts come in,
 * alarms come out; `status --check`, the verdict of a night and notices have words for each of them, by its code. Documents
 * that wait are no alarms (causes.ts). Pure.
 */

/** What keeps documents from being sent or exports from coming, or makes a night wrong: status 2 of a check. */
type Critical = {
  readonly 'no-send': { readonly code: string };
  readonly quarantine: { readonly at: string };
  readonly mappings: object;
  /** Now, until a person or the service ends it. */
  readonly paused: { readonly service: string; readonly cause: string; readonly at: string };
  /** In this run; with a mapping only its documents. */
  readonly halted: { readonly service: string; readonly cause: string; readonly mapping?: string };
  readonly 'inbox-away': object;
  readonly 'export-missing': ExpectedFact;
  readonly uneven: object;
  /** Rows without a place, or in two. */
  readonly unaccounted: { readonly count: number };
  /** Files that stay in the inbox, where the system refused at least one. */
  readonly 'not-taken': { readonly count: number };
  readonly 'clock-behind': object;
  readonly stopped: object;
};

/** Work that waits for a person besides documents. */
type Attention = {
  readonly 'files-refused': { readonly count: number };
  /** Of earlier nights. */
  readonly 'files-before': { readonly count: number };
  readonly 'sources-missing': { readonly count: number };
  /** Files that stay in the inbox for what they are, such as a link. */
  readonly 'not-plain': { readonly count: number };
  readonly 'export-refused': ExpectedFact;
  /** Only with bytes that were taken before. */
  readonly 'export-old': ExpectedFact;
  readonly 'export-differs': ExpectedFact;
  readonly 'export-unusual': ExpectedFact;
  readonly 'answers-delayed': { readonly count: number; readonly newestAt: string };
  readonly 'answer-fields': { readonly count: number };
};

type Details = Critical & Attention;
type AlarmCode = keyof Details;

export type ExpectedFact = {
  readonly name: string;
  readonly due: string;
  readonly state: string;
  readonly rows?: number;
  /** How many rows are usual, where these are not. */
  readonly unusual?: string;
  readonly controls?: ControlFact;
};

type ControlFact = {
  readonly problem?: string;
  readonly documents?: { readonly stated: number; readonly read: number; readonly difference: number };
  readonly amount?: { readonly stated: string; readonly read: string; readonly difference: string };
};

/** As far as they are known: an instance has a guard and pauses, a night has sums. */
export type AlarmFacts = {
  readonly guard?: { readonly send: true } | { readonly send: false; readonly code: string };
  readonly quarantine?: { readonly at: string } | null | undefined;
  readonly mappingFaults?: readonly unknown[];
  readonly pauses?: readonly Details['paused'][];
  readonly halts?: readonly Details['halted'][];
  readonly inboxAway?: boolean;
  readonly expected?: readonly ExpectedFact[];
  readonly isUneven?: boolean;
  readonly unaccounted?: number;
  /** In the inbox: all, and those of them that the system refused. */
  readonly stuck?: { readonly files: number; readonly bySystem: number };
  readonly isClockBehind?: boolean;
  readonly isStopped?: boolean;
  readonly filesRefused?: number;
  readonly filesBefore?: number;
  readonly sourcesMissing?: number;
  readonly answers?:
    | { readonly delays: readonly { readonly since: string }[]; readonly fields: readonly { readonly count: number }[] }
    | undefined;
};

const CRITICAL: { readonly [Code in keyof Critical]: (facts: AlarmFacts) => readonly Critical[Code][] } = {
  'no-send': ({ guard }) => (guard && !guard.send ? [guard] : []),
  quarantine: ({ quarantine }) => (quarantine ? [quarantine] : []),
  mappings: ({ mappingFaults = [] }) => once(mappingFaults.length > 0),
  paused: ({ pauses = [] }) => pauses,
  halted: ({ halts = [] }) => halts,
  'inbox-away': ({ inboxAway }) => once(inboxAway),
  'export-missing': exportsThat(({ state }) => state === 'missing'),
  uneven: ({ isUneven }) => once(isUneven),
  unaccounted: ({ unaccounted }) => counted(unaccounted),
  'not-taken': ({ stuck }) => (stuck?.bySystem ? counted(stuck.files) : []),
  'clock-behind': ({ isClockBehind }) => once(isClockBehind),
  stopped: ({ isStopped }) => once(isStopped),
};

const ATTENTION: { readonly [Code in keyof Attention]: (facts: AlarmFacts) => readonly Attention[Code][] } = {
  'files-refused': ({ filesRefused }) => counted(filesRefused),
  'files-before': ({ filesBefore }) => counted(filesBefore),
  'sources-missing': ({ sourcesMissing }) => counted(sourcesMissing),
  'not-plain': ({ stuck }) => (stuck?.bySystem ? [] : counted(stuck?.files)),
  'export-refused': exportsThat(({ state }) => state === 'refused'),
  'export-old': exportsThat(({ state }) => state === 'duplicate'),
  'export-differs': exportsThat(({ controls }) => differsFromControl(controls)),
  'export-unusual': exportsThat(({ unusual }) => unusual !== undefined),
  'answers-delayed': ({ answers: { delays = [] } = {} }) => {
    const newestAt =
      delays
        .map(({ since }) => since)
        .sort()
        .at(-1) ?? '';
    return counted(delays.length).map(({ count }) => ({ count, newestAt }));
  },
  'answer-fields': ({ answers: { fields = [] } = {} }) => counted(fields.reduce((sum, { count }) => sum + count, 0)),
};

type Found<D> = readonly [D, ...(readonly D[])];

/** What the alarms of a code are for a reader. */
export type AlarmTable<T> = {
  readonly [Code in AlarmCode]: (found: Found<Details[Code]>) => readonly T[];
};

/** Both lists are empty where all is well. A table with a code too few does not compile. */
export function readAlarms<T>(
  facts: AlarmFacts,
  table: AlarmTable<T>,
): { readonly critical: readonly T[]; readonly attention: readonly T[] } {
  const read = <Code extends AlarmCode>(
    found: { readonly [Of in Code]: (facts: AlarmFacts) => readonly Details[Of][] },
  ) =>
    (Object.keys(found) as Code[]).flatMap((code) => {
      const [first, ...others] = found[code](facts);
      return first === undefined ? [] : table[code]([first, ...others]);
    });
  return { critical: read(CRITICAL), attention: read(ATTENTION) };
}

/** Also a control file that cannot be read: what it states is not known to be right. */
export function differsFromControl(controls: ControlFact | undefined): boolean {
  if (!controls) return false;
  const { problem, documents, amount } = controls;
  return problem !== undefined || (documents?.difference ?? 0) !== 0 || Number(amount?.difference ?? 0) !== 0;
}

function exportsThat(is: (one: ExpectedFact) => boolean): (facts: AlarmFacts) => readonly ExpectedFact[] {
  return ({ expected = [] }) => expected.filter(is);
}

function once(isTrue: boolean | undefined): readonly object[] {
  return isTrue ? [{}] : [];
}

function counted(count = 0): readonly { readonly count: number }[] {
  return count > 0 ? [{ count }] : [];
}
