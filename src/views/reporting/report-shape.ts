/**
 * The shape of the morning report, version 1: what `run --json`, `nightpost report --json` and `reports/DAY/RUN.report.json`
 * have, and what the page, the mail, the webhook and the console are made of. Programs rely on it.
 */
import { z } from 'zod';
import type { Exact } from '../../model/defined-only.ts';
import { STATE_NAMES, type State } from '../../model/state.ts';
import { faultShape } from '../../receipts/receipt-schema.ts';

const text = z.string();
const time = text.describe('ISO 8601, UTC');
const count = z.int().nonnegative();
const words = z.strictObject({ en: text, fr: text, es: text });
const state = z.enum(STATE_NAMES as [State, ...State[]]);
const counts = z.partialRecord(state, count);
const amounts = z.record(text, text).describe('exact sums by currency; credit notes subtract');
const actor = z.enum(['nobody', 'machine', 'finance', 'support', 'admin']);
function list<T extends z.ZodType>(shape: T) {
  return z.array(shape);
}

const outcomes = <T extends z.ZodType>(shape: T) => ({
  sent: shape.describe('authorized by the service'),
  waiting: shape.describe('for a person, for a service, or to be sent'),
  setAside: shape.describe('a person has closed them'),
  skipped: shape.describe('duplicates, and what was invalidated'),
});
/** What was read is in one of four places; `difference` is what was read less these, and has to be 0. */
const places = <T extends z.ZodType>(shape: T) => ({
  read: shape.describe('counted in the account of the export, not as the sum of the others'),
  ...outcomes(shape),
});

const balanceShape = z.strictObject({
  documents: z.strictObject({ ...places(count), difference: z.int() }),
  currencies: list(z.strictObject({ currency: text, ...places(text), difference: text })).describe(
    'exact amounts; credit notes subtract',
  ),
  withoutAmount: z.strictObject(places(count)).describe('documents without a readable amount: they are in no amount'),
});
export type Balance = Exact<z.infer<typeof balanceShape>>;

const settledShape = z.strictObject({
  documents: z.strictObject(outcomes(count)),
  currencies: list(z.strictObject({ currency: text, ...outcomes(text) })).describe(
    'exact amounts; credit notes subtract',
  ),
  withoutAmount: z.strictObject(outcomes(count)),
});
/** What happened to documents of exports that an earlier run read. */
export type Settled = Exact<z.infer<typeof settledShape>>;

const fileLine = z.strictObject({
  id: text,
  file: text,
  state: z.enum(['loading', 'admitted', 'refused', 'duplicate']),
  documents: count.describe('documents of this export that are new or changed'),
  rows: count,
  corrections: z
    .strictObject({ corrected: count, readAgain: count, unchanged: count, refused: count })
    .optional()
    .describe('only for a correction file: its documents are in the lines of their exports'),
  counts: counts.describe('without documents that a person has set aside'),
  warnings: count.describe('of these, documents that passed the checks with warnings'),
  setAside: count,
  sent: amounts.describe('final amounts of authorized documents'),
  faults: list(faultShape),
  balance: balanceShape.optional().describe('of what was read from it; absent if nothing of it was read now'),
});
export type FileLine = Exact<z.infer<typeof fileLine>>;

const expected = z.strictObject({
  name: text,
  files: text.describe('pattern of its file name'),
  due: time.describe('the hour that was last'),
  since: time.describe('the hour before it: a file counts from then on'),
  until: time
    .optional()
    .describe('until when a file counts, once the export has come: later ones belong to the next hour'),
  state: z.enum(['arrived', 'missing', 'refused', 'duplicate', 'waived', 'not-due']),
  file: text.optional().describe('the latest file that counts'),
  by: text.optional(),
  reason: text.optional(),
  arrivedAt: time.optional(),
  lateSeconds: count.optional().describe('how long after its hour it arrived; absent if it was in time'),
  rows: count.optional().describe('of all files that count'),
  usual: z
    .strictObject({ min: count.optional(), max: count.optional(), from: z.enum(['settings', 'earlier-files']) })
    .optional()
    .describe('how many rows are usual, by the settings or by the middle 90 % of earlier files'),
  unusual: z.enum(['few', 'many']).optional().describe('fewer or more rows than usual'),
  controls: z
    .strictObject({
      files: list(text),
      problem: text.optional().describe('why a control file does not count'),
      documents: z.strictObject({ stated: count, read: count, difference: z.int() }).optional(),
      amount: z.strictObject({ stated: text, read: text, difference: text }).optional(),
    })
    .optional()
    .describe('what control files of the ERP state about the exports that arrived'),
});

const causeShape = z.strictObject({
  cause: text.describe('as --cause takes it'),
  state: state.describe('of its oldest document'),
  count,
  amounts,
  responsible: actor,
  says: words.describe('what is wrong'),
  todo: words.describe('what to do'),
  command: text,
  link: text.optional().describe('the page of the console, where it has an address for other machines'),
  documents: list(text).describe('numbers of the first documents'),
});

const waitingDocument = z.strictObject({
  id: text,
  number: text,
  state,
  since: time,
  responsible: actor,
  service: text,
  file: text,
  nextAt: time.optional().describe('contingency: when Nightpost consults the service next'),
});

export const nightReportShape = z.strictObject({
  report: z.literal(1).describe('version of this shape'),
  run: text,
  kind: z.enum(['run', 'watch']),
  outcome: z.enum(['completed', 'stopped']).describe('stopped: a signal ended it'),
  exit: z.int().optional().describe('exit code; absent while a watch goes on'),
  environment: text,
  company: text.optional(),
  program: text,
  startedAt: time,
  endedAt: time,
  since: time.describe('what happened from this instant on is in the report'),
  untoldSince: time.optional().describe('begin of interrupted runs before this one that reported nothing'),
  seconds: z.number().nonnegative(),
  verdict: z.strictObject({
    weight: z.enum(['good', 'attention', 'alarm']),
    sentence: words.describe('the subject of the mail too'),
  }),
  needPeople: count.describe('documents of this report that wait for a person, and files without documents'),
  files: list(fileLine),
  filesRefused: count.describe('the same bytes count once'),
  balance: balanceShape.describe('of all files that were read'),
  settled: settledShape
    .optional()
    .describe('where documents of exports of earlier runs are now, if this run did something with them'),
  stops: list(
    z.strictObject({
      service: text,
      cause: z.enum([
        'credentials',
        'unreachable',
        'paused',
        'foreign-echo',
        'errors',
        'not-configured',
        'no-send',
        'same-cause',
      ]),
      mapping: text.optional(),
      says: text,
    }),
  ),
  queued: count.describe('documents of any run that wait to be sent'),
  waiting: count.describe('documents of any run that wait for a person'),
  waitingFiles: count.describe('refused files of any run that no one has replaced or set aside'),
  causes: list(causeShape).describe('what waits in any run, by cause, most documents first'),
  oldest: list(waitingDocument).describe('the 10 documents that need a person most: in doubt first, then by age'),
  earlier: counts.describe('documents of earlier runs by the state that consultations found'),
  decisions: list(z.strictObject({ what: text, person: text, count })).describe('acts of people since the last report'),
  inbox: list(faultShape).describe('entries of the inbox that cannot be imported'),
  rules: list(faultShape).optional().describe('profiles of rules that end, from 45 days before; absent without one'),
  expected: list(expected),
  folders: list(text).describe('folders of days with receipts and summaries that wait for a person'),
  changes: z.strictObject({
    program: text.optional().describe('the version before'),
    mappings: list(z.strictObject({ id: text, was: text, is: text })),
    settings: list(z.strictObject({ path: text, was: text.optional(), is: text.optional() })),
    pauses: list(z.strictObject({ service: text, cause: text, at: time, says: text })).describe(
      'services that do not send',
    ),
  }),
  proof: z.strictObject({
    files: count,
    rows: count,
    unaccounted: count.describe('has to be 0'),
    twice: count.describe('has to be 0'),
    guard: z.strictObject({ send: z.boolean(), code: text.optional() }),
    quarantine: z.boolean(),
    backupAt: time.nullable().describe('newest copy in backups/'),
    disk: z.strictObject({ free: count, all: count }).nullable().describe('bytes of the disk of the instance'),
    clockBefore: time.nullable().describe('not null: the ledger has later times than the clock of the machine'),
    longestAnswerMs: z.number().nullable(),
    documentsPerSecond: z.number().nullable().describe('authorized documents of this report by its duration'),
  }),
  answers: z
    .strictObject({
      documents: count.describe('with a change that the ERP did not get'),
      files: count.describe('that are not in their folder'),
      delays: list(z.strictObject({ folder: text, path: text, since: time, tries: count, code: text, says: text })),
      fields: list(
        z.strictObject({ answers: text, field: text, why: z.enum(['no-value', 'too-wide', 'letter']), count }),
      ).describe('fields of the answer files of the last day that are empty or lack a letter'),
      left: list(z.strictObject({ mapping: text, documents: count }))
        .optional()
        .describe('mappings that are gone while documents wait for their answers; absent without one'),
    })
    .optional()
    .describe('answers to the ERP; absent if no mapping has any, and none wait'),
  notices: z
    .strictObject({
      waiting: count.describe('to be sent, without those of this report'),
      failed: count.describe('after six tries'),
      off: list(z.strictObject({ channel: text, since: time })).describe('channels whose receiver is gone (HTTP 410)'),
    })
    .optional()
    .describe('mail and webhooks; absent without a channel'),
  head: text.nullable().describe('end of the chain of receipts before this report, N:HASH, to be kept elsewhere'),
  previous: z
    .strictObject({ id: text, sha256: text, link: z.int() })
    .nullable()
    .describe('the report before this one, with the hash of its JSON file'),
});

/** The morning report as plain data; amounts are exact texts, times ISO 8601 in UTC. */
export type NightReport = Exact<z.infer<typeof nightReportShape>>;
