/**
 * Decisions without a terminal: the receipt of a held document, moved or copied into pending/release or pending/reject,
 * releases or rejects it like `nightpost resolve`. Only the latest receipt counts, byte for byte: the person has seen
 * the current facts. Any other file gets a note with the cause. A resend has no folder, because it takes words: why it
 * is safe to send again. Errors of disk and ledger are thrown.
 */
import { join } from 'node:path';
import { onceMoreIfGone } from '../../files/write-durable.ts';
import { format, languagesFrom, type Message } from '../../i18n/message.ts';
import { CORRECTION_TEXT } from '../../i18n/messages/pipeline-messages.ts';
import {
  type DecisionFolderScan,
  type MovedReceipt,
  NOTE_ENDING,
  readMovedReceipt,
  scanDecisionFolder,
} from '../../inbox/moved-receipts.ts';
import type { Link } from '../../model/chain-link.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { type Act, allows, mayResolve, type State } from '../../model/state.ts';
import { payloadName, receiptText } from '../../receipts/compose-receipt.ts';
import {
  LEFTOVER_NOTE_NAME,
  prepareDecisionFolder,
  removeDecisionFiles,
  removeNotes,
  restoreReceipt,
  writeDecisionNote,
  writeLeftoverNote,
} from '../../receipts/decision-folders.ts';
import type { NoteCause } from '../../receipts/decision-note.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { isAmountAbove } from '../context/amount-above.ts';
import { findEntry } from '../context/find-entry.ts';
import { mayDo } from '../context/may-do.ts';
import type { RunContext } from '../context/run-context.ts';
import { readCorrections, receiptObject } from '../publishing/publish-results.ts';
import { ownerName } from '../sources/file-owner.ts';

/** What the file asks for can never be done by a file. */
const PUT_BACK: ReadonlySet<string> = new Set<NoteCause>(['not-allowed', 'answered', 'unnamed', 'two-people']);

type Decision = { readonly folder: 'release' | 'reject'; readonly act: Act; readonly as: State };

const DECISIONS: readonly Decision[] = [
  { folder: 'release', act: 'release', as: 'ready' },
  { folder: 'reject', act: 'set-aside', as: 'invalid' },
];

/** In `reject`, an invalidated document is acknowledged: its outcome cannot change, and no number is set free. */
function decisionAbout(decision: Decision, { state }: Pick<LedgerEntry, 'state'>): Decision {
  const isAcknowledged = decision.act === 'set-aside' && allows(state, 'acknowledge');
  return isAcknowledged ? { ...decision, act: 'acknowledge', as: state } : decision;
}

/** Carries out the decisions in both folders, and reports each refused file once. A folder that a person removes is made again. */
export async function takeDecisions(context: RunContext): Promise<void> {
  await onceMoreIfGone(
    () => decideByFolders(context),
    () => mayDo(context, 'receipts'),
  );
}

async function decideByFolders(context: RunContext): Promise<void> {
  const { language } = context.instance.settings.rules;
  const looks = new Map<Decision, DecisionFolderScan>();
  for (const decision of DECISIONS) {
    const path = pathOf(context, decision);
    await prepareDecisionFolder(path, decision.folder, language);
    looks.set(decision, await scanDecisionFolder(path));
  }
  const contradicted = await idsInSeveral(context, looks);
  const rewrites = new Set<string>();
  for (const [decision, look] of looks) {
    const refused = await takeReceipts(context, { decision, look, contradicted, rewrites });
    if (!refused) break;
    const path = pathOf(context, decision);
    await removeNotes(
      path,
      look.notes.filter((note) => note !== LEFTOVER_NOTE_NAME && !refused.has(note.slice(0, -NOTE_ENDING.length))),
    );
    const isNews = await writeLeftoverNote(path, look.left, language);
    reportOnce(context, decision, look, { refused, left: isNews ? look.left : [] });
  }
  if (rewrites.size > 0) await context.ledger.receipts.requestRewrite({ entries: [...rewrites], files: [] });
}

/** Refused receipts by name, with the cause; undefined if the run is stopped before the last of them. */
async function takeReceipts(context: RunContext, scan: Scan): Promise<ReadonlyMap<string, string> | undefined> {
  const { language } = context.instance.settings.rules;
  const { decision, look } = scan;
  const path = pathOf(context, decision);
  const refused = new Map<string, string>();
  for (const name of look.receipts) {
    if (context.stop.aborted) return undefined;
    const moved = await readMovedReceipt(path, name);
    const cause = moved ? await decide(context, { ...scan, moved }) : 'not readable';
    if (!moved) await writeDecisionNote(path, `${name}${NOTE_ENDING}`, 'unknown', language);
    if (cause) refused.set(name, cause);
  }
  return refused;
}

function pathOf({ instance }: RunContext, { folder }: Decision): string {
  return join(instance.paths.pending, folder);
}

/** Documents that are in both folders: people have to settle which decision they mean. */
async function idsInSeveral(
  context: RunContext,
  looks: ReadonlyMap<Decision, DecisionFolderScan>,
): Promise<ReadonlySet<unknown>> {
  const seen = new Map<unknown, Decision>();
  const several = new Set<unknown>();
  if ([...looks.values()].some(({ receipts }) => receipts.length === 0)) return several;
  for (const [decision, look] of looks) {
    for (const name of look.receipts) {
      const moved = await readMovedReceipt(pathOf(context, decision), name);
      const id = moved && saidBy(moved.bytes).id;
      if (typeof id !== 'string') continue;
      if (seen.has(id) && seen.get(id) !== decision) several.add(id);
      seen.set(id, decision);
    }
  }
  return several;
}

type Scan = {
  readonly decision: Decision;
  readonly look: DecisionFolderScan;
  readonly contradicted: ReadonlySet<unknown>;
  /** Ids whose receipt is requested after the scan: a request takes the link that the other copies are compared with. */
  readonly rewrites: Set<string>;
};

type Asked = Scan & { readonly moved: MovedReceipt };

/** Resolves to the cause if the decision is refused, else to undefined. */
async function decide(context: RunContext, asked: Asked): Promise<string | undefined> {
  const { moved, contradicted } = asked;
  const entry = await entryOf(context, moved.bytes);
  if (!entry) return await refuse(context, asked, 'unknown');
  const decision = decisionAbout(asked.decision, entry);
  const link = entry.receipt?.link && (await context.ledger.receipts.linkAt(entry.receipt.link.n));
  const isLatest = link !== undefined && sha256Hex(moved.bytes) === link.sha256;
  const state = contradicted.has(entry.id) ? 'contradiction' : causeAgainst({ decision, moved, entry, isLatest });
  const cause = state ?? (isUnnamed(context, moved) ? 'unnamed' : undefined) ?? needsApproval(context, entry);
  if (!cause) return await carryOut(context, asked, entry);
  // Done before a crash kept the file from being removed.
  if (cause === 'older' && isDone(context, decision, entry)) return await removeMoved(context, asked, entry);
  await refuse(context, asked, cause);
  if (!link) return cause;
  // It may have been moved here from where it belongs.
  const isBack = await putReceiptBack(context, entry, link, isLatest ? moved.bytes.toString('utf8') : undefined);
  if (!isBack) asked.rewrites.add(entry.id);
  // Exactly this receipt is where it belongs again; the note stays for a night.
  if (PUT_BACK.has(cause)) await removeMoved(context, asked, entry);
  return cause;
}

/** A moved file stays that of the program: only a copy names the person, and the settings may require that. */
function isUnnamed({ instance }: RunContext, { uid }: MovedReceipt): boolean {
  return instance.settings.decisions['require-name'] && uid === process.geteuid?.();
}

/** A file in a folder is the decision of one person. Documents in doubt have no folder that decides about them. */
function needsApproval({ instance }: RunContext, { facts }: LedgerEntry): 'two-people' | undefined {
  return isAmountAbove(facts, instance.settings.decisions['two-people'].above) ? 'two-people' : undefined;
}

async function refuse({ instance }: RunContext, { decision, moved }: Asked, cause: NoteCause): Promise<NoteCause> {
  const folder = join(instance.paths.pending, decision.folder);
  await writeDecisionNote(folder, `${moved.name}${NOTE_ENDING}`, cause, instance.settings.rules.language);
  return cause;
}

async function carryOut(context: RunContext, asked: Asked, entry: LedgerEntry): Promise<string | undefined> {
  const { ledger, instance, clock } = context;
  const { moved } = asked;
  const decision = decisionAbout(asked.decision, entry);
  const reason = format(reasonFor(decision), instance.settings.rules.language);
  const evidence = { as: decision.as, by: ownerName(moved.uid), at: clock.now().toISOString(), reason };
  const { revision, state, since } = entry;
  // The document changed since it was looked at: the next look has a newer receipt to compare with.
  if (!(await ledger.submissions.resolve(entry.id, evidence, { seen: { revision, state, since } })))
    return await refuse(context, asked, 'older');
  const { id, facts } = entry;
  // What no person has seen yet holds it at once.
  const { state: is } = (await findEntry(ledger.queries, id)) ?? entry;
  const isHeld = decision.as === 'ready' && is === 'held';
  context.emit({ what: 'document', id, identifier: facts.identifier, state: isHeld ? is : decision.as, reason });
  return await removeMoved(context, asked, entry);
}

async function removeMoved({ instance }: RunContext, { decision, moved, look }: Asked, { name }: LedgerEntry) {
  const payload = payloadName(name);
  const also = look.payloads.includes(payload) ? [payload] : [];
  await removeDecisionFiles(join(instance.paths.pending, decision.folder), [moved.name, ...also]);
  return undefined;
}

function isDone({ instance }: RunContext, decision: Decision, { evidence, closed }: LedgerEntry): boolean {
  const reasons = languagesFrom(instance.settings.rules.language).map((one) => format(reasonFor(decision), one));
  const isRecorded = evidence?.as === decision.as && reasons.includes(evidence.reason);
  return isRecorded || (decision.folder === 'reject' && closed !== undefined && reasons.includes(closed.reason));
}

function reasonFor({ folder }: Decision): Message {
  return CORRECTION_TEXT.movedTo({ folder: `pending/${folder}` });
}

/**
 * Resolves to false if another version of the program wrote other words: the ledger cannot give the same bytes, so the
 * caller requests a new receipt.
 */
async function putReceiptBack(
  { instance, ledger }: RunContext,
  entry: LedgerEntry,
  link: Link,
  latest: string | undefined,
): Promise<boolean> {
  const text = latest ?? receiptText(receiptObject(instance, entry, await readCorrections(ledger.queries)(entry)));
  if (sha256Hex(text) !== link.sha256) return false;
  await restoreReceipt(instance.folder, entry, text, entry.contentSha256 && (await ledger.queries.contentOf(entry.id)));
  return true;
}

type DecisionCase = {
  readonly decision: Decision;
  readonly moved: MovedReceipt;
  readonly entry: LedgerEntry;
  readonly isLatest: boolean;
};

function causeAgainst({ decision, moved, entry, isLatest }: DecisionCase): NoteCause | undefined {
  if (!isLatest) return isOlder(moved.bytes, entry) ? 'older' : 'edited';
  // To send again what the service has answered about takes words, as every resend does.
  if (decision.act === 'release' && mayResolve(entry.state, entry.hold?.rule)) return 'answered';
  return allows(entry.state, decision.act) ? undefined : 'not-allowed';
}

type Said = { readonly id?: unknown; readonly revision?: unknown; readonly state?: unknown; readonly since?: unknown };

function saidBy(bytes: Buffer): Said {
  try {
    return (JSON.parse(bytes.toString('utf8')) as Said | null) ?? {};
  } catch {
    return {};
  }
}

function isOlder(bytes: Buffer, { revision, state, since, receipt }: LedgerEntry): boolean {
  const said = saidBy(bytes);
  return !receipt?.link || said.revision !== revision || said.state !== state || said.since !== since;
}

async function entryOf({ ledger }: RunContext, bytes: Buffer): Promise<LedgerEntry | undefined> {
  const { id } = saidBy(bytes);
  return typeof id === 'string' ? await findEntry(ledger.queries, id) : undefined;
}

/** Each file once: one that was reported before has its note. */
function reportOnce(
  context: RunContext,
  { folder }: Decision,
  { notes }: DecisionFolderScan,
  { refused, left }: { readonly refused: ReadonlyMap<string, string>; readonly left: readonly string[] },
): void {
  const found = [...refused].filter(([name]) => !notes.includes(`${name}${NOTE_ENDING}`));
  const count = found.length + left.length;
  if (count === 0) return;
  const files = [...found.slice(0, 5).map(([name, cause]) => `${name} (${cause})`), ...left.slice(0, 5)];
  context.emit({ what: 'left-in-folder', folder: `pending/${folder}`, files, count });
}
