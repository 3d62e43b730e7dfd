/**
 * From the content of a document to its receipt: its course must follow from attempts and decisions, and the receipt in the folder must be that of its link and agree with the ledger. Reads only;
 * differences are breaks.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plainBytes } from '../files/read-plain.ts';
import { CONTENT, COURSE, FOUND, RECORDED } from '../i18n/messages/pipeline-messages.ts';
import type { QueryStore } from '../ledger/contract/query-store.ts';
import type { ReceiptStore } from '../ledger/contract/receipt-store.ts';
import type { Link } from '../model/chain-link.ts';
import { type Correction, isPurged, type LedgerEntry } from '../model/ledger-entry.ts';
import { type State, stateInfo } from '../model/state.ts';
import { receiptObject } from '../pipeline/publishing/publish-results.ts';
import { payloadName, receiptFileName, receiptText } from '../receipts/compose-receipt.ts';
import { DECISION_FOLDERS } from '../receipts/decision-folders.ts';
import { DUPLICATES } from '../receipts/output-folders.ts';
import { type Receipt, receiptShape } from '../receipts/receipt-schema.ts';
import { appendAll } from '../text/long-lists.ts';
import { sha256Hex } from '../text/sha256.ts';
import { type CourseFound, judgedAgain, lateAnswers } from './verify-course.ts';
import { aboutOf, type Break, broken, short, shortOrNone } from './verify-findings.ts';
import type { VerifyContext } from './verify-source.ts';

/** The result for one document. */
export type EntryFound = CourseFound & {
  /** False if a newer receipt is due: then the one in the folder is not compared with the ledger. */
  readonly settled: boolean;
};

/** The corrections that the rows of an entry were read with. */
export type CorrectionsOf = (entry: LedgerEntry) => Promise<readonly Correction[]>;

export async function verifyEntry(
  context: VerifyContext,
  entry: LedgerEntry,
  correctionsOf: CorrectionsOf,
): Promise<EntryFound> {
  const { ledger } = context;
  if (isPurged(entry, 'content'))
    return { judged: 0, hearsay: 0, settled: true, breaks: await breaksOfForgotten(context, entry) };
  // Asked at once: a ledger on another machine is waited for once.
  const [content, tried, first] = await Promise.all([
    ledger.queries.contentOf(entry.id),
    ledger.queries.attemptsOf(entry.id),
    firstState(ledger.queries, entry),
  ]);
  const late = await lateAnswers(ledger.queries, entry, tried);
  const { judged, hearsay, breaks } = judgedAgain(context, entry, { content, tried, first, late });
  const found = [...contentBreaks(entry, content), ...breaks, ...(await evidenceBreaks(context, entry))];
  const settled = entry.receiptDue === undefined;
  if (settled && !isPurged(entry, 'receipts'))
    appendAll(found, await receiptBreaks(context, entry, await correctionsOf(entry)));
  return { judged, hearsay, settled, breaks: found };
}

function contentBreaks(entry: LedgerEntry, content: string | undefined): readonly Break[] {
  const found = content === undefined ? undefined : sha256Hex(content);
  if (found === entry.contentSha256) return [];
  const says = CONTENT.hash({ found: shortOrNone(found), before: shortOrNone(entry.contentSha256) });
  return [broken('verify/content-differs', says, aboutOf(entry))];
}

/** The event of the decision repeats it. A ledger that learned the decision from a receipt has no event of it. */
async function evidenceBreaks({ ledger }: VerifyContext, entry: LedgerEntry): Promise<readonly Break[]> {
  const { evidence } = entry;
  if (!evidence) return [];
  const events = (await ledger.queries.historyOf(entry.id)).filter(
    ({ at, what, person }) => at === evidence.at && what === evidence.as && person !== undefined,
  );
  const says = (reason: unknown) => typeof reason === 'string' && reason === evidence.reason;
  const isRepeated = events.some(({ person, detail }) => person === evidence.by && says(readReason(detail)));
  if (events.length === 0 || isRepeated) return [];
  const message = RECORDED.evidenceDiffers({ by: evidence.by, reason: evidence.reason });
  return [broken('verify/evidence-differs', message, aboutOf(entry))];
}

function readReason(detail: object | undefined): unknown {
  return (detail as { readonly reason?: unknown } | undefined)?.reason;
}

async function firstState(ledger: QueryStore, entry: LedgerEntry): Promise<State> {
  for await (const one of ledger.revisionsOf(entry.file.id, entry.rows.slice(0, 1))) {
    if (one.entry === entry.id && one.revision === entry.revision) return one.outcome;
  }
  return entry.state;
}

async function receiptBreaks(
  { instance, ledger }: VerifyContext,
  now: LedgerEntry,
  corrections: readonly Correction[],
): Promise<readonly Break[]> {
  const about = aboutOf(now);
  const place = now.receipt;
  const link = place?.link && (await ledger.receipts.linkAt(place.link.n));
  const entry = link ? withoutQuestionsSince(now, link) : now;
  if (!place || !link) {
    const says = place?.link ? COURSE.linkNotInChain({ n: place.link.n }) : COURSE.noReceipt();
    return [broken('verify/link-missing', says, about)];
  }
  const breaks: Break[] = [];
  const wanted = stateInfo(entry.state).folder;
  if (!isOf(link, entry) || place.folder !== wanted || !isDayOf(entry, place.day)) {
    const says = COURSE.linkSays({
      ...{ n: link.n, revision: link.revision, state: link.state, attempts: link.attempts },
      ...{ place: `${place.folder}/${place.day}`, own: entry.revision, is: entry.state },
      ...{ tries: entry.attempts.length, wanted: `${wanted}/${entry.file.day}` },
    });
    breaks.push(broken('verify/ledger-differs', says, about));
  }
  const folder = `${place.folder}/${place.day}`;
  const text = await provenReceipt({ instance, ledger }, entry, { link, folder });
  if (typeof text !== 'string') breaks.push(text);
  else appendAll(breaks, saysOtherwise(receiptObject(instance, entry, corrections), link, text, about));
  return [...breaks, ...(await payloadBreaks(instance.folder, folder, entry))];
}

/** Without the content the ledger cannot say what a receipt says, but its link has the hash of it. */
async function breaksOfForgotten(context: VerifyContext, entry: LedgerEntry): Promise<readonly Break[]> {
  const place = isPurged(entry, 'receipts') ? undefined : entry.receipt;
  const link = place?.link && (await context.ledger.receipts.linkAt(place.link.n));
  if (!place || !link) return [];
  const folder = `${place.folder}/${place.day}`;
  const text = await provenReceipt(context, entry, { link, folder });
  const breaks = await payloadBreaks(context.instance.folder, folder, entry);
  return typeof text === 'string' ? breaks : [text, ...breaks];
}

/** The receipt as its link has it, or how it differs. */
async function provenReceipt(
  { instance, ledger }: Pick<VerifyContext, 'instance' | 'ledger'>,
  entry: LedgerEntry,
  { link, folder }: { readonly link: Link; readonly folder: string },
): Promise<string | Break> {
  const path = `${folder}/${receiptFileName(entry.name)}`;
  const text = plainBytes(join(instance.folder, path)) ?? (await waiting(instance.folder, entry));
  if (text === undefined)
    return broken('verify/receipt-missing', FOUND.notThere({ path }), { ...aboutOf(entry), path });
  const found = sha256Hex(text);
  return found === link.sha256 ? text.toString('utf8') : await changed(ledger.receipts, entry, { found, link, path });
}

/** A consultation that has no answer yet, or was cut off before it, makes no receipt due. */
function withoutQuestionsSince(entry: LedgerEntry, { attempts }: Link): LedgerEntry {
  const since = entry.attempts.length - attempts;
  const open = entry.attempts.filter(({ act, outcome }) => act === 'consult' && outcome === undefined);
  if (since <= 0 || open.length < since) return entry;
  const left = new Set(open.slice(-since));
  return { ...entry, attempts: entry.attempts.filter((one) => !left.has(one)) };
}

/** A held document waits for a decision, for which a person moves its receipt: there it is looked for too. */
async function waiting(folder: string, { state, name }: LedgerEntry): Promise<Buffer | undefined> {
  if (state !== 'held') return undefined;
  for (const decision of DECISION_FOLDERS) {
    const found = plainBytes(join(folder, 'pending', decision, receiptFileName(name)));
    if (found) return found;
  }
  return undefined;
}

/** Earlier versions wrote the receipts of duplicates next to the others. */
function isDayOf({ state, file }: LedgerEntry, day: string): boolean {
  return day === file.day || (state === 'duplicate' && day === `${file.day}/${DUPLICATES}`);
}

function isOf(link: Link, entry: LedgerEntry): boolean {
  return (
    link.what === 'receipt' &&
    link.id === entry.id &&
    link.revision === entry.revision &&
    link.state === entry.state &&
    link.attempts === entry.attempts.length &&
    link.payloadSha256 === entry.contentSha256
  );
}

async function changed(
  ledger: ReceiptStore,
  entry: LedgerEntry,
  { found, link, path }: { readonly found: string; readonly link: Link; readonly path: string },
): Promise<Break> {
  const older = (await ledger.linksOf(entry.id)).find(({ sha256: hash }) => hash === found);
  const says = older
    ? COURSE.olderReceipt({ older: older.n, state: older.state, at: older.at, n: link.n })
    : FOUND.linkHas({ found: short(found), n: link.n, hash: short(link.sha256) });
  return broken('verify/receipt-changed', says, { ...aboutOf(entry), path });
}

/** Words and hints depend on the version of the program; everything else must be that of the ledger. */
function saysOtherwise(
  fromLedger: Receipt,
  link: Link,
  text: string,
  about: { readonly document: string },
): readonly Break[] {
  if (sha256Hex(receiptText(fromLedger)) === link.sha256) return [];
  // With what older versions did not write yet, as it is read.
  const read = receiptShape.safeParse(JSON.parse(text));
  const [written, now] = [read.success ? read.data : JSON.parse(text), JSON.parse(JSON.stringify(fromLedger))] as [
    Receipt,
    Receipt,
  ];
  const keys = [...new Set([...Object.keys(written), ...Object.keys(now)])] as (keyof Receipt)[];
  const differ = keys.filter((key) => key !== 'words' && key !== 'next' && !isDeepStrictEqual(written[key], now[key]));
  if (differ.length === 0) return [];
  return [broken('verify/ledger-differs', COURSE.differIn({ keys: differ }), about)];
}

async function payloadBreaks(root: string, folder: string, entry: LedgerEntry): Promise<readonly Break[]> {
  if (entry.contentSha256 === undefined) return [];
  const path = `${folder}/${payloadName(entry.name)}`;
  const about = { ...aboutOf(entry), path };
  const content = plainBytes(join(root, path));
  if (content === undefined) return [broken('verify/payload-missing', FOUND.notThere({ path }), about)];
  const found = sha256Hex(content);
  if (found === entry.contentSha256) return [];
  const says = FOUND.hashDiffers({ found: short(found), before: shortOrNone(entry.contentSha256) });
  return [broken('verify/payload-changed', says, about)];
}
