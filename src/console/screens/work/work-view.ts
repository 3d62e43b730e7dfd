/** What a page of the work list shows, read before it is written: the selection, its groups, and the look at an act. Reads only. */

import type { SeenDocument } from '../../../decisions/act.ts';
import type { WorkAct } from '../../../decisions/acts.ts';
import { replacement } from '../../../decisions/plan-fix.ts';
import { type DocumentAct, type ProposedAct, proposeAct } from '../../../decisions/propose-act.ts';
import type { Message } from '../../../i18n/message.ts';
import type { OpenWork } from '../../../model/cause.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import type { LedgerEntry } from '../../../model/ledger-entry.ts';
import type { ReprocessResult } from '../../../pipeline/reprocessing/reread-result.ts';
import { systemClock } from '../../../runs/open-run.ts';
import { groupWork, type WorkGroup } from '../../../views/queries/causes.ts';
import { type MappingProposal, mappingProposals } from '../../../views/queries/mapping-proposals.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { actsOf, documentsFor } from './work-acts.ts';
import { isState, type WorkFilterName, type WorkQuery } from './work-query.ts';

/** Groups of one page, and documents of one page. */
const [GROUPS_SHOWN, PAGE] = [50, 50];
/** Documents that a look tries: it has to come back while a person types. The act takes all. */
const MOST_TRIED = 200;

/** What the act would do to the documents that were tried. */
export type ActLook = {
  /** Of how many documents. */
  readonly tried: number;
  readonly becomes: ReadonlyMap<string, ReprocessResult>;
  readonly passing: number;
  readonly fix?: ProposedAct;
  /** The request fits none of them. */
  readonly refused?: { readonly message: Message; readonly hint?: Message };
};

/** The one group of the selection. */
export type OpenGroup = {
  readonly group: WorkGroup;
  readonly acts: readonly { readonly act: WorkAct; readonly count: number }[];
  readonly act?: WorkAct;
  /** What the act is about, in the version that is shown. */
  readonly documents: readonly SeenDocument[];
  readonly look?: ActLook;
  readonly page: readonly LedgerEntry[];
  /** Index of the first document of the page in the group, and the id after which the next page begins. */
  readonly from: number;
  readonly next?: string;
  readonly proposals: readonly MappingProposal[];
};

export type ShownGroup = { readonly group: WorkGroup; readonly first: LedgerEntry };

export type WorkView = {
  readonly count: number;
  readonly groups: readonly ShownGroup[];
  /** Groups that are not shown. */
  readonly more: number;
  readonly open?: OpenGroup;
  /** Where nothing is selected: the filters with a value that no waiting document has. */
  readonly unmatched: readonly WorkFilterName[];
};

/** A cause is that of a group, as the list shows it, else any that `--cause` takes. */
export async function readWorks(context: Pick<ScreenContext, 'index'>, query: WorkQuery): Promise<readonly OpenWork[]> {
  if (query.refused) return [];
  const index = await context.index();
  const { states, ids, cause, file, mapping, customer, column, run, since } = query;
  const filter = definedOnly({
    states: states.length > 0 ? states.filter(isState) : undefined,
    ids: ids.length > 0 ? ids : undefined,
    ...{ export: file, mapping, customer, column, run, since },
  });
  const works = await index.work(filter);
  if (cause === undefined) return works;
  const own = selections.get(works) ?? new Map<string, readonly OpenWork[]>();
  const group = own.get(cause) ?? worksOf(works, cause);
  if (own.size >= MOST_SELECTIONS) own.clear();
  selections.set(works, own.set(cause, group));
  return group.length > 0 ? group : await index.work({ ...filter, cause });
}

function worksOf(works: readonly OpenWork[], key: string): readonly OpenWork[] {
  const groups = groupWork(works, 'cause').filter((group) => group.key === key);
  const ids = new Set(groups.flatMap((group) => group.ids));
  return works.filter(({ id }) => ids.has(id));
}

/** Documents of groups, as long as nothing changes: each page and each look asks for those of one once more. */
const selections = new WeakMap<readonly OpenWork[], Map<string, readonly OpenWork[]>>();
const MOST_SELECTIONS = 16;

type ViewContext = Pick<ScreenContext, 'index' | 'ledger' | 'instance' | 'may'>;

export async function readWorkView(context: ViewContext, query: WorkQuery): Promise<WorkView> {
  const works = await readWorks(context, query);
  const groups = groupWork(works, query.group);
  const shown = groups.slice(0, GROUPS_SHOWN);
  const firsts = await context.ledger.queries.entriesById(shown.flatMap(({ ids }) => ids.slice(0, 1)));
  const byId = new Map(firsts.map((entry) => [entry.id, entry]));
  const read = shown.flatMap((group) => {
    const first = byId.get(group.ids[0] ?? '');
    return first ? [{ group, first }] : [];
  });
  const [only] = groups;
  const open = groups.length === 1 && only ? await readOpenGroup(context, { query, works, group: only }) : undefined;
  const unmatched = works.length === 0 ? await unmatchedBy(context, query) : [];
  return definedOnly({ count: works.length, groups: read, more: groups.length - shown.length, open, unmatched });
}

async function unmatchedBy(context: ViewContext, query: WorkQuery): Promise<readonly WorkFilterName[]> {
  const unmatched: WorkFilterName[] = [];
  for (const name of ['cause', 'file', 'mapping', 'customer', 'column', 'run'] as const) {
    const one = { states: [], ids: [], group: query.group, suggested: false, [name]: query[name] };
    if (query[name] !== undefined && (await readWorks(context, one)).length === 0) unmatched.push(name);
  }
  return unmatched;
}

type Opened = { readonly query: WorkQuery; readonly works: readonly OpenWork[]; readonly group: WorkGroup };

async function readOpenGroup(context: ViewContext, { query, works, group }: Opened): Promise<OpenGroup> {
  const { ledger, instance } = context;
  const acts = context.may('act') ? actsOf(works) : [];
  const act = acts.find((one) => one === query.act) ?? acts[0];
  const documents = act ? documentsFor(act, works) : [];
  const from = query.after === undefined ? 0 : group.ids.indexOf(query.after) + 1;
  const ids = group.ids.slice(from, from + PAGE);
  const last = ids.at(-1);
  const look = act && (await lookAt(context, act, { query, documents }));
  const proposals = act === 'fix' ? await mappingProposals(ledger.queries, () => instance.mappings) : [];
  return definedOnly({
    group,
    acts: acts.map((one) => ({ act: one, count: documentsFor(one, works).length })),
    act,
    documents,
    look,
    page: await ledger.queries.entriesById(ids),
    from,
    next: from + PAGE < group.ids.length ? last : undefined,
    proposals: proposals.filter(
      ({ mapping, column }) => mapping === group.mapping && (!group.column || column === group.column),
    ),
  });
}

type Looking = { readonly query: WorkQuery; readonly documents: readonly SeenDocument[] };

/** Undefined where there is nothing to try yet, or nothing to foresee. */
async function lookAt(
  { ledger, instance }: ViewContext,
  act: WorkAct,
  { query, documents }: Looking,
): Promise<ActLook | undefined> {
  const asked = askedOf(act, query);
  if (!asked) return undefined;
  const entries = await ledger.queries.entriesById(documents.slice(0, MOST_TRIED).map(({ id }) => id));
  const context = { instance, ledger, clock: systemClock };
  try {
    const at = systemClock.now().toISOString();
    const proposed = await proposeAct(context, entries, asked, { foresees: true, at });
    const { foreseen } = proposed;
    const passing = foreseen.filter((one) => 'state' in one && (one.state === 'ready' || one.state === 'held')).length;
    const becomes = new Map(foreseen.map((one) => [one.entry.id, one]));
    return { tried: entries.length, becomes, passing, ...(asked.act === 'fix' && { fix: proposed }) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { tried: entries.length, becomes: new Map(), passing: 0, refused: definedOnly(error.texts) };
  }
}

/** What the form asks for; undefined where there is nothing to foresee, or as long as a part is missing. An empty text is never replaced. */
function askedOf(act: WorkAct, { fix, from = '', to = '', suggested }: WorkQuery): DocumentAct | undefined {
  if (act === 'reprocess') return { act };
  if (act !== 'fix' || !fix) return undefined;
  if (suggested) return { act, request: replacement({ column: fix }) };
  return from === '' || to === '' ? undefined : { act, request: replacement({ column: fix, from, to }) };
}
