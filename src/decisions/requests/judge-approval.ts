/**
 * The two-person rule when a program carries an act out, whatever the settings were when it was asked for: the act may
 * go on with the name of its approver, has to wait, or ends. What a person said is recorded for each document that needed it.
 */
import { APPROVAL } from '../../i18n/messages/pipeline-messages.ts';
import {
  type ApprovalVerdict,
  isSamePerson,
  mayBeOnePerson,
  type PersonKeys,
  type WaitingDocument,
} from '../../ledger/contract/approval.ts';
import type { QueuedRequest } from '../../ledger/contract/request-queue.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { ApprovedBy } from '../../model/ledger-entry.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import type { ReprocessContext } from '../../pipeline/reprocessing/reconvert-source.ts';
import type { PersonAct } from '../act.ts';
import { foreseeAct } from '../fix-documents.ts';
import { documentsUnderRule, hasTwoPeopleRule, needingApproval, needingApprovalThen } from '../two-people.ts';

/** `waitsFor`: documents for which the act has to wait. */
type Judged = { readonly approved: ApprovedBy } | { readonly waitsFor: readonly WaitingDocument[] };

type Asked = Pick<QueuedRequest, 'person' | 'keys'>;

/** Who asked. A request of an earlier version has the name alone. */
export function keysOf({ person, keys }: Asked): PersonKeys {
  return keys === undefined ? { names: [person] } : (JSON.parse(keys) as PersonKeys);
}

const ENDED = { refused: 'approval/refused', withdrawn: 'approval/withdrawn' } as const;

/** Throws `approval/refused`, `approval/withdrawn`, `approval/expired` or `approval/same-person`: the act is not done. */
export async function judgeApproval(context: RunContext, request: QueuedRequest, act: PersonAct): Promise<Judged> {
  const { person, expires, verdict: said } = request;
  const about = request.about === undefined ? [] : (JSON.parse(request.about) as readonly WaitingDocument[]);
  const verdict = said === undefined ? undefined : (JSON.parse(said) as ApprovalVerdict);
  if (!verdict && expires !== undefined) {
    await recordVerdict(context, { request, act, about, what: 'approval-expired' });
    throw new OperatorError('approval/expired', APPROVAL.expired({ at: expires }), { hint: APPROVAL.askAgain() });
  }
  if (verdict && verdict.as !== 'approved') {
    await recordVerdict(context, { request, act, about, what: `approval-${verdict.as}`, verdict });
    const message = APPROVAL[verdict.as]({ by: verdict.by, reason: verdict.reason });
    throw new OperatorError(ENDED[verdict.as], message, { hint: APPROVAL.nothingDone() });
  }
  if (verdict) {
    // The queue is a file: what it has is checked once more where it counts.
    refuseOnePerson(request, { ...verdict, by: person });
    refuseOtherMapping(context, about);
    await recordVerdict(context, { request, act, about, what: 'act-approved', verdict });
    return { approved: { approvedBy: verdict.by, approvedAt: verdict.at } };
  }
  const waitsFor = (await isBegun(context, request, act)) ? [] : await documentsThatWait(context, act);
  return waitsFor.length > 0 ? { waitsFor } : { approved: {} };
}

/** What it has taken back would be the correction to take back. */
async function isBegun({ ledger }: RunContext, { id }: QueuedRequest, { act }: PersonAct): Promise<boolean> {
  return act === 'undo' && (await ledger.steps.stepsMade(id)).size > 0;
}

/** By the settings and the documents of now. */
export async function documentsThatWait(
  context: ReprocessContext,
  act: PersonAct,
): Promise<readonly WaitingDocument[]> {
  const { instance, ledger, clock } = context;
  const rule = instance.settings.decisions['two-people'];
  const documents = act.act === 'undo' ? [act.document] : documentsUnderRule(act);
  if (!hasTwoPeopleRule(rule) || documents.length === 0) return [];
  const found = new Map(
    (await ledger.queries.entriesById(documents.map(({ id }) => id))).map((entry) => [entry.id, entry]),
  );
  // In the order in which the act reads them again: of a pair, the second file is read with the corrections of the first one.
  const entries = documents.flatMap(({ id }) => found.get(id) ?? []);
  const now = needingApproval(rule, act, entries);
  if (!READS_AGAIN.has(act.act)) return now;
  const small = entries.filter(({ id }) => !now.some((one) => one.id === id));
  const hasLimit = Object.keys(rule.above).length > 0 && small.length > 0;
  const made = hasLimit ? await foreseeAct(context, act, small, clock.now().toISOString()) : [];
  const waiting = [...now, ...needingApprovalThen(rule, made)];
  const mappingOf = new Map(entries.map(({ id, file }) => [id, currentOf(instance, file.mapping?.id)]));
  return waiting.map((one) => definedOnly({ ...one, mapping: mappingOf.get(one.id) }));
}

/** Acts that make a document again, with the mapping of the moment. */
const READS_AGAIN: ReadonlySet<string> = new Set(['fix', 'replace-cells', 'reprocess', 'undo']);

function currentOf({ mappings }: RunContext['instance'], id: string | undefined): string | undefined {
  return mappings.find((mapping) => mapping.id === id)?.sha256;
}

/** Throws `approval/other-mapping`: what was looked at and approved is not what this mapping makes. */
function refuseOtherMapping({ instance }: RunContext, about: readonly WaitingDocument[]): void {
  const known = new Set(instance.mappings.map(({ sha256 }) => sha256));
  const changed = about.find(({ mapping }) => mapping !== undefined && !known.has(mapping));
  if (!changed) return;
  const { number } = changed;
  throw new OperatorError('approval/other-mapping', APPROVAL.otherMapping({ number }), { hint: APPROVAL.askAgain() });
}

/** Throws `approval/same-person`, also for an account that one of both can have signed in to. */
export function refuseOnePerson(asked: Asked, { by, keys }: Pick<ApprovalVerdict, 'by' | 'keys'>): void {
  const asking = keysOf(asked);
  if (!mayBeOnePerson(asking, keys)) return;
  const isSame = isSamePerson(asking, keys);
  const says = isSame ? APPROVAL.samePerson({ name: by }) : APPROVAL.madeByOther({ one: asked.person, other: by });
  throw new OperatorError('approval/same-person', says, { hint: APPROVAL.anotherPerson() });
}

type Recording = {
  readonly request: QueuedRequest;
  readonly act: PersonAct;
  readonly about: readonly WaitingDocument[];
  readonly what: string;
  readonly verdict?: ApprovalVerdict;
};

/** Each document once for a request, also after a stop. */
async function recordVerdict(
  { ledger, clock }: RunContext,
  { request, act, about, what, verdict }: Recording,
): Promise<void> {
  const { corrections } = ledger.steps.stepsOf(request.id);
  const at = verdict?.at ?? clock.now().toISOString();
  const reason = verdict?.reason ?? '';
  const detail = { act: act.act, request: request.id, asked: request.person, reason };
  for (const { id } of about) {
    await corrections.recordEvent({ what, entry: id, at, detail, person: verdict?.by ?? request.person });
  }
}
