/** The questions of the API: the objects that `--json` prints, from the functions that make those. Nothing is written. */

import { z } from 'zod';
import { LIST_FILTER } from '../../i18n/messages/cli-views-messages.ts';
import { API_ERROR } from '../../i18n/messages/console/console-api-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { SERVICE_NAMES } from '../../model/document.ts';
import { localize, OperatorError } from '../../model/fault.ts';
import { documentName } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { readCorrections, receiptObject } from '../../pipeline/publishing/publish-results.ts';
import { readDocumentCells } from '../../pipeline/reprocessing/document-cells.ts';
import { systemClock } from '../../runs/open-run.ts';
import type { Locale } from '../../text/local-time.ts';
import { isTypedMoment, typedMoment } from '../../text/typed-moment.ts';
import { GROUPINGS, groupRefusals, groupWork } from '../../views/queries/causes.ts';
import { documentLineage } from '../../views/queries/document-lineage.ts';
import { summarizeFiles } from '../../views/queries/file-summary.ts';
import { CLOSED_CHOICES, findDocuments, isTypedAmount, listDocuments } from '../../views/queries/find-documents.ts';
import { mappingProposals } from '../../views/queries/mapping-proposals.ts';
import { recordedRuns } from '../../views/queries/recorded-runs.ts';
import { refusedFiles } from '../../views/queries/refused-files.ts';
import { selectDocuments } from '../../views/queries/select-documents.ts';
import { describeGroup } from '../../views/wording/cause-words.ts';
import { entryIn, spokenIn } from '../../views/wording/spoken-faults.ts';
import { keptStatus } from '../server/kept-status.ts';
import { keptTotals } from '../server/night-sums.ts';
import { type ScreenContext, ScreenError } from '../server/screen-context.ts';
import { type ApiRoute, apiRoute } from './api-route.ts';
import * as shapes from './api-shapes.ts';

const MOST_DOCUMENTS = 1000;
const text = z.string();
const limit = z.coerce.number().int().min(1);
/** A day or a time, as the options --since and --until take it; `momentOf` has its instant. */
const time = z.string().refine(isTypedMoment);
const momentOf = (given: string | undefined, { zone }: Locale) =>
  given === undefined ? undefined : typedMoment(given, zone);
const day = z.iso.date();
const states = z
  .string()
  .transform((given) => given.split(','))
  .pipe(z.array(shapes.STATE));
const yes = z
  .literal('true')
  .transform(() => true as const)
  .pipe(z.literal(true));

const context = ({ instance, ledger }: ScreenContext) => ({ instance, ledger, clock: systemClock });

/** The entry that the path names: by id, number or name of its receipt. Throws `select/*`. */
async function entryOf({ ledger, params }: ScreenContext) {
  const [entry] = await selectDocuments(ledger.queries, { ids: [params.id ?? ''] }, 'show');
  return must(entry, 'the selected document');
}

const status = apiRoute({
  method: 'GET',
  path: '/status',
  right: 'view',
  says: 'Whether anything waits, for whom, and whether Nightpost may send: status --json.',
  answers: { 200: shapes.STATUS_SHAPE },
  answer: async (asked) => {
    const { instance, ledger, language, say } = asked;
    const { guard, ...found } = await keptStatus(asked);
    return {
      ...found,
      guard: guard.send ? guard : { ...guard, reason: say(guard.reason) },
      mappingFaults: localize(found.mappingFaults, language),
      rules: localize(found.rules, language),
      proposals: await mappingProposals(ledger.queries, () => instance.mappings),
    };
  },
});

const night = apiRoute({
  method: 'GET',
  path: '/night',
  right: 'view',
  says: 'The control totals of a run, by default of the latest: what was read is what was sent, what waits, and what was left out.',
  query: z.strictObject({ run: text.optional() }),
  answers: { 200: shapes.NIGHT },
  answer: async (asked, { query }) => {
    const runs = await recordedRuns(asked, Number.MAX_SAFE_INTEGER);
    const run = query.run === undefined ? runs[0] : runs.find(({ id }) => id === query.run);
    if (!run) throw new ScreenError({ status: 404, message: API_ERROR.noRun() });
    return { run, ...(await keptTotals(asked, run.id)) };
  },
});

const documents = apiRoute({
  method: 'GET',
  path: '/documents',
  right: 'view',
  says: 'Documents under filters, the newest first, a page at a time: list --json.',
  query: z.strictObject({
    state: states.optional(),
    day: day.optional(),
    since: time.optional(),
    until: time.optional(),
    customer: text.optional(),
    file: text.optional(),
    mapping: text.optional(),
    service: z.enum(SERVICE_NAMES).optional(),
    amount: text.refine(isTypedAmount).optional(),
    run: text.optional(),
    night: text.optional(),
    closed: z.enum(CLOSED_CHOICES).optional(),
    warnings: yes.optional(),
    limit: limit.max(MOST_DOCUMENTS).optional(),
    after: text.optional(),
  }),
  answers: { 200: shapes.DOCUMENT_LIST },
  answer: async ({ index, ledger, locale }, { query: { state, limit: most = 50, after, ...filter } }) => {
    if (after !== undefined && (await ledger.queries.entriesById([after])).length === 0) {
      throw new OperatorError('list/unknown-document', LIST_FILTER.unknownDocument({ value: after }), {
        hint: LIST_FILTER.afterHint(),
      });
    }
    const [since, until] = [momentOf(filter.since, locale), momentOf(filter.until, locale)];
    const chosen = definedOnly({ ...filter, since, until, states: state });
    return await listDocuments({ index: await index(), ledger }, chosen, { limit: most, after });
  },
});

const document = apiRoute({
  method: 'GET',
  path: '/documents/:id',
  right: 'view',
  says: 'The receipt of a document as the ledger has it now: show --json.',
  answers: { 200: shapes.RECEIPT },
  answer: async (asked) => {
    const entry = await entryOf(asked);
    return receiptObject(asked.instance, entry, await readCorrections(asked.ledger.queries)(entry));
  },
});

const lineage = apiRoute({
  method: 'GET',
  path: '/documents/:id/lineage',
  right: 'view',
  says: 'Every field of the document with the cells and the line of the mapping that it comes from, also where the mapping failed.',
  query: z.strictObject({ mapping: z.enum(['then', 'now']).optional().describe('then: the mapping that made it') }),
  answers: { 200: shapes.LINEAGE },
  answer: async (asked, { query }) => {
    const found = await documentLineage(context(asked), await entryOf(asked), { mapping: query.mapping ?? 'then' });
    if (!found) throw new ScreenError({ status: 404, message: API_ERROR.noLineage() });
    const faults = localize(found.document.faults, asked.language);
    return { ...found, document: { ...found.document, faults } };
  },
});

const cells = apiRoute({
  method: 'GET',
  path: '/documents/:id/cells',
  right: 'view',
  says: 'The rows of the document as the export has them, with all corrections so far.',
  answers: { 200: shapes.CELLS },
  answer: async (asked) => ({ rows: await readDocumentCells(context(asked), await entryOf(asked)) }),
});

const payload = apiRoute({
  method: 'GET',
  path: '/documents/:id/payload',
  right: 'view',
  says: 'The exact content as it is sent, byte by byte: show --payload. 204 if there is none. The look is recorded.',
  answers: { 200: 'application/json', 204: 'none' },
  answer: async (asked) => {
    const { id } = await entryOf(asked);
    const content = await asked.ledger.queries.contentOf(id);
    if (content === undefined) return new Response(null, { status: 204 });
    asked.record('payload-seen', { document: id });
    return new Response(content, { headers: { 'content-type': 'application/json' } });
  },
});

const attempts = apiRoute({
  method: 'GET',
  path: '/documents/:id/attempts',
  right: 'view',
  says: 'Each request about the document with its raw answer.',
  answers: { 200: shapes.ATTEMPTS },
  answer: async (asked) => {
    const { id } = await entryOf(asked);
    asked.record('answers-seen', { document: id });
    return { attempts: await asked.ledger.queries.attemptsOf(id) };
  },
});

const history = apiRoute({
  method: 'GET',
  path: '/documents/:id/history',
  right: 'view',
  says: 'What happened to the document, oldest first.',
  answers: { 200: shapes.HISTORY },
  answer: async (asked) => ({ history: await asked.ledger.queries.historyOf((await entryOf(asked)).id) }),
});

/** Documents named for one group. */
const NAMED = 3;

const causes = apiRoute({
  method: 'GET',
  path: '/causes',
  right: 'view',
  says: 'Documents that wait for people, by cause, column, customer or file, and refused files: errors --group --json without the next step.',
  query: z.strictObject({
    group: z.enum(GROUPINGS).optional(),
    state: states.optional(),
    cause: text.optional(),
    mapping: text.optional(),
    file: text.optional().describe('id of a file'),
  }),
  answers: { 200: shapes.CAUSES_SHAPE },
  answer: async ({ instance, ledger, index, language }, { query: { group: by = 'cause', state, ...filter } }) => {
    const work = await (await index()).work(definedOnly({ ...filter, states: state }));
    const found = groupWork(work, by).map(({ ids, ...group }) => ({ ...group, named: ids.slice(0, NAMED) }));
    const entries = await ledger.queries.entriesById(found.flatMap(({ named }) => named));
    const byId = new Map(entries.map((entry) => [entry.id, entryIn(entry, language)]));
    const groups = found.flatMap(({ named, actor, differs, ...group }) => {
      const own = named.flatMap((id) => byId.get(id) ?? []);
      const [first] = own;
      if (!first) return [];
      const known = own.map((entry) => ({ id: entry.id, number: documentName(entry) }));
      return [
        {
          ...group,
          responsible: actor,
          message: describeGroup(first, { ...group, differs }, language),
          documents: known,
        },
      ];
    });
    const files = (await refusedFiles(ledger.queries)).map((one) => spokenIn(one, language));
    const refusals = groupRefusals(files).map(({ file: { id, name, day: taken }, first, ...refusal }) =>
      definedOnly({ ...refusal, file: { id, name, day: taken }, message: first.message, hint: first.hint }),
    );
    return { by, groups, files: refusals, proposals: await mappingProposals(ledger.queries, () => instance.mappings) };
  },
});

const files = apiRoute({
  method: 'GET',
  path: '/files',
  right: 'view',
  says: 'Files that were taken in, the latest first, each with its documents and what a person has to do with it.',
  query: z.strictObject({ run: text.optional(), since: time.optional(), limit: limit.max(MOST_DOCUMENTS).optional() }),
  answers: { 200: shapes.FILE_LIST },
  answer: async ({ ledger, language, locale }, { query: { run, since, limit: most = 50 } }) => {
    const taken = await ledger.queries.files(
      definedOnly({ run, since: momentOf(since, locale), limit: most, whole: true as const }),
    );
    return {
      files: await summarizeFiles(
        ledger.queries,
        taken.map((file) => spokenIn(file, language)),
      ),
    };
  },
});

const runs = apiRoute({
  method: 'GET',
  path: '/runs',
  right: 'view',
  says: 'The latest runs first: runs --json.',
  query: z.strictObject({ last: limit.max(MOST_DOCUMENTS).optional() }),
  answers: { 200: shapes.RUN_LIST },
  answer: async ({ instance, ledger }, { query }) => await recordedRuns({ instance, ledger }, query.last ?? 20),
});

const find = apiRoute({
  method: 'GET',
  path: '/find',
  right: 'view',
  says: 'Documents and files by a number or a part of it, a name, an amount, an id or a file name: find --json.',
  query: z.strictObject({ q: text, limit: limit.max(MOST_DOCUMENTS).optional() }),
  answers: { 200: shapes.FOUND_SHAPE },
  answer: async ({ index, ledger, language }, { query: { q, limit: most = 20 } }) => {
    const found = await findDocuments({ index: await index(), ledger }, q, most);
    const inWords = found.files.map((file) => {
      const [fault] = file.fault ? localize([{ level: 'error', ...file.fault }], language) : [];
      return definedOnly({
        ...file,
        fault: fault && definedOnly({ code: fault.code, message: fault.message, hint: fault.hint }),
      });
    });
    return { text: q, ...found, files: inWords };
  },
});

export const READ_ROUTES: readonly ApiRoute[] = [
  ...[status, night, documents, document, lineage, cells, payload, attempts, history],
  ...[causes, files, runs, find],
];
