/**
 * The shapes of the API, once: requests are checked with them, and the OpenAPI document is made of them. They are the
 * objects that `--json` prints. A shape with a name is a component of the document. Amounts are exact texts, times ISO 8601.
 */
import { z } from 'zod';
import { faultShape, originShape, receiptShape } from '../../receipts/receipt-schema.ts';
import { GROUPINGS } from '../../views/queries/causes.ts';
import { documentShape, stateShape } from '../../views/queries/document-summary.ts';
import { fileShape } from '../../views/queries/file-summary.ts';
import { documentListShape, foundDocumentShape } from '../../views/queries/find-documents.ts';
import { runShape } from '../../views/queries/recorded-runs.ts';
import { WAITS_FOR } from './approval-shapes.ts';
import { ANSWERS_STATUS, EXPECTED_EXPORTS, NOTICES_STATUS, WORKERS_STATUS } from './status-shapes.ts';

/** Names of shapes, which are components of the OpenAPI document. */
export const API_SHAPES = z.registry<{ readonly id: string }>();

export function named<T extends z.ZodType>(id: string, shape: T): T {
  API_SHAPES.add(shape, { id });
  return shape;
}

const text = z.string();
const time = text.describe('ISO 8601, UTC');
const count = z.int().nonnegative();
export const STATE = named('State', stateShape);
const counts = z.partialRecord(STATE, count);
const amounts = z.record(text, text).describe('exact sums by currency');
const FAULT = named('Fault', faultShape);
export const RECEIPT = named('Receipt', receiptShape);

named('Document', documentShape);
export const DOCUMENT_LIST = named('DocumentList', documentListShape);
const FILE = named('File', fileShape);
export const FILE_LIST = named('FileList', z.strictObject({ files: z.array(FILE) }));

const FOUND_DOCUMENT = named('FoundDocument', foundDocumentShape);
export const FOUND_SHAPE = named(
  'Found',
  z.strictObject({ text, documents: z.array(FOUND_DOCUMENT), files: z.array(FILE), more: z.boolean() }),
);

const RUN = named('Run', runShape);
export const RUN_LIST = named('RunList', z.array(RUN));

const places = <T extends z.ZodType>(t: T) => ({
  ...{ sent: t, waiting: t, left: t, setAside: t, skipped: t },
  exportedAgain: t.describe('what a later export has too, with the amount of this one'),
});
export const NIGHT = named(
  'Night',
  z.strictObject({
    run: RUN,
    documents: z.strictObject({ read: count, ...places(count) }),
    currencies: z.array(z.strictObject({ currency: text, read: text, ...places(text) })),
    withoutAmount: z.strictObject(places(count)),
    corrected: count.describe('corrected after the night: their amounts are those of now'),
  }),
);

const PROPOSAL = named(
  'MappingProposal',
  z.strictObject({
    mapping: text,
    column: text,
    from: text,
    to: text,
    files: count,
    lastAt: time,
    file: text,
    under: z.literal('source'),
    line: text,
  }),
);

const pause = z.looseObject({ cause: text, says: text, at: time }).nullable();
export const STATUS_SHAPE = named(
  'Status',
  z.strictObject({
    environment: text,
    guard: z.union([
      z.strictObject({ send: z.literal(true) }),
      z.strictObject({ send: z.literal(false), code: text, reason: text }),
    ]),
    mappingFaults: z.array(FAULT),
    rules: z.array(FAULT).describe('profiles of rules that end, from 45 days before'),
    quarantine: z.strictObject({ at: time, by: text, why: text }).nullable(),
    witnessFolder: text.nullable(),
    inbox: count,
    inboxAway: z.boolean().describe('the inbox cannot be read, as where a share is not mounted'),
    waiting: z.array(z.strictObject({ file: text, for: text })),
    leftInInbox: z
      .array(z.strictObject({ file: text, why: z.enum(['ignored', 'not-asked', 'two-meanings']) }))
      .describe('files that stay in the inbox because of their names, for more than a day'),
    stuck: z
      .strictObject({ files: count, bySystem: count.describe('of them those that cannot be looked at') })
      .describe(
        'exports that no run has taken from the inbox for more than a day, as links and files that are still written',
      ),
    expected: EXPECTED_EXPORTS,
    documents: counts,
    filesRefused: count,
    sourcesMissing: count,
    setAside: count,
    closed: counts,
    warnings: z.strictObject({
      documents: count,
      latest: z.strictObject({ run: text, documents: count }).optional(),
    }),
    services: z.array(
      z.strictObject({
        service: text,
        address: text,
        pause,
        answered: z.boolean(),
        consultation: z.enum(['configured', 'not configured']),
      }),
    ),
    answers: ANSWERS_STATUS,
    notices: NOTICES_STATUS,
    workers: WORKERS_STATUS.optional(),
    head: text.nullable().describe('end of the chain of receipts, N:HASH'),
    lastRun: RUN.nullable(),
    aheadRun: z.strictObject({ id: text, startedAt: text }).optional().describe('its clock was ahead of that of now'),
    proposals: z.array(PROPOSAL),
  }),
);

const CAUSE_GROUP = named(
  'CauseGroup',
  z.strictObject({
    key: text.describe('as the filter cause takes it, where by is cause'),
    by: z.enum(GROUPINGS),
    cause: text,
    kind: text.optional(),
    mapping: text.optional(),
    column: text.optional(),
    value: text.optional(),
    customer: text.optional(),
    suggestion: text.optional(),
    count,
    amounts,
    responsible: z.enum(['nobody', 'machine', 'finance', 'support', 'admin']),
    message: text,
    documents: z.array(z.strictObject({ id: text, number: text })).describe('the first of them'),
  }),
);
export const CAUSES_SHAPE = named(
  'Causes',
  z.strictObject({
    by: z.enum(GROUPINGS),
    groups: z.array(CAUSE_GROUP),
    files: z.array(
      z.strictObject({
        code: text,
        column: text.optional(),
        count,
        file: z.strictObject({ id: text, name: text, day: text }),
        message: text,
        hint: text.optional(),
      }),
    ),
    proposals: z.array(PROPOSAL),
  }),
);

export const ROW = named(
  'Row',
  z.strictObject({
    row: z.int(),
    columns: z.array(text),
    places: z.array(text).optional().describe('path of each cell, where it differs from its column'),
    cells: z.array(text),
    broken: FAULT.optional(),
  }),
);
export const CELLS = named('Cells', z.strictObject({ rows: z.array(ROW) }));

export const FIELD = named(
  'Field',
  z.strictObject({
    at: text.describe('JSON pointer into the payload'),
    value: text,
    from: z.array(originShape).describe('the cells that it is made of'),
    rule: z.strictObject({ file: text, line: z.int() }).optional().describe('the line of the mapping'),
    failed: z.literal(true).optional(),
  }),
);
const PREVIEW = named(
  'Preview',
  z.strictObject({
    identifier: text,
    class: text,
    kind: text,
    mapping: text,
    rows: z.array(z.int()),
    fields: z.array(FIELD),
    faults: z.array(FAULT),
    valid: z.boolean(),
    content: text.optional(),
  }),
);
export const LINEAGE = named(
  'Lineage',
  z.strictObject({
    document: PREVIEW,
    rows: z.array(ROW),
    mapping: z.strictObject({ id: text, version: text, isCurrent: z.boolean() }),
  }),
);

const ATTEMPT = named(
  'Attempt',
  z.strictObject({
    n: z.int(),
    act: z.enum(['submit', 'consult', 'resolve']),
    run: text,
    requestId: text,
    at: time,
    ms: z.number().optional(),
    http: z.int().optional(),
    code: z.int().optional(),
    outcome: STATE.optional(),
    reason: text.optional(),
    answer: z.looseObject({ code: z.int() }).optional().describe('as Nightpost read it'),
    revision: z.int(),
    exchange: z.looseObject({ sent: z.boolean() }).optional().describe('as it came, without secrets'),
  }),
);
export const ATTEMPTS = named('Attempts', z.strictObject({ attempts: z.array(ATTEMPT) }));

export const HISTORY = named(
  'History',
  z.strictObject({
    history: z.array(
      z.strictObject({
        at: time,
        what: text,
        person: text.optional(),
        run: text.optional(),
        detail: z.looseObject({}).optional(),
      }),
    ),
  }),
);

/** One document of an act: what became of it, or would. */
const ACTED = named(
  'ActedDocument',
  z.strictObject({
    id: text,
    number: text,
    was: STATE,
    is: STATE.optional(),
    done: z.boolean().optional(),
    why: z.enum(['not-allowed', 'changed-meanwhile']).optional(),
    becomes: z
      .union([STATE, z.literal('unchanged')])
      .nullable()
      .optional(),
    as: text.optional(),
    amount: text.nullable().optional(),
    first: text.nullable().optional(),
    more: count.optional(),
    hold: text.nullable().optional(),
    faults: z.array(FAULT).optional(),
  }),
);
const leftOut = z.array(z.strictObject({ id: text, number: text, state: STATE, code: text.optional(), why: text }));
export const LOOK_SHAPE = named(
  'Look',
  z.strictObject({ look: text, count, sha256: text, documents: z.array(ACTED), leftOut }),
);
export const ACT_STATE = named(
  'Act',
  z.strictObject({
    id: text,
    state: z.enum(['done', 'waiting', 'approval', 'refused']),
    expires: time.optional(),
    waitsFor: z.array(WAITS_FOR).optional(),
    act: text.optional(),
    code: text.optional(),
    says: text.optional(),
    documents: z.array(ACTED).optional(),
    leftOut: leftOut.optional(),
    files: z
      .array(z.strictObject({ name: text, state: text, rows: count, faults: z.array(FAULT), documents: count }))
      .optional(),
    services: z
      .array(
        z.strictObject({
          service: text,
          asked: z.array(text),
          stopped: z.strictObject({ cause: text, says: text }).optional(),
        }),
      )
      .optional(),
    outcome: text.optional(),
    is: STATE.optional(),
    decision: text.optional(),
    done: z.literal(true).optional(),
    due: time.optional(),
    resumed: z.boolean().optional(),
  }),
);

/** RFC 9457. */
export const PROBLEM = named(
  'Problem',
  z.strictObject({
    type: text,
    status: z.int(),
    code: text.optional().describe('code of the manual'),
    detail: text,
    hint: text.optional(),
    faults: z.array(FAULT).optional(),
    errors: z
      .array(z.strictObject({ at: text, message: text }))
      .optional()
      .describe('parts of a request that do not fit'),
  }),
);

export const OPENAPI = z.looseObject({ openapi: z.literal('3.1.1') });
