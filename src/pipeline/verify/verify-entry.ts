/**
 * From the content of a document to its receipt: each stored answer is judged again, the state must follow from
 * attempts and decisions, and the receipt in the folder must be that of its link and agree with the ledger. Reads only;
 * differences are breaks.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { boundedAnswer } from '../../delivery/answer-bounds.ts';
import type { Destination, Ours } from '../../delivery/service.ts';
import type { Message } from '../../i18n/message.ts';
import { CONTENT, COURSE, FOUND, RECORDED } from '../../i18n/messages/pipeline-messages.ts';
import type { QueryStore, RecordedAttempt } from '../../ledger/contract/query-store.ts';
import type { ReceiptStore } from '../../ledger/contract/receipt-store.ts';
import { type Answer, type Exchange, isOfNumberOnly, type Verdict } from '../../model/answer.ts';
import type { Link } from '../../model/chain-link.ts';
import type { Correction, LedgerEntry } from '../../model/ledger-entry.ts';
import { allows, type State, stateInfo } from '../../model/state.ts';
import { payloadName, receiptFileName, receiptText } from '../../receipts/compose-receipt.ts';
import { DECISION_FOLDERS } from '../../receipts/decision-folders.ts';
import { DUPLICATES } from '../../receipts/output-folders.ts';
import { type Receipt, receiptShape } from '../../receipts/receipt-schema.ts';
import { appendAll } from '../../text/long-lists.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { receiptObject } from '../publishing/publish-results.ts';
import { numberInContent } from '../submission/send-due.ts';
import { type Break, broken, short, shortOrNone } from './verify-findings.ts';
import type { VerifyContext } from './verify-source.ts';

/** The result for one document. */
export type EntryFound = {
  /** Stored answers that were judged again. */
  readonly judged: number;
  /** Answers known only from receipts, because the ledger was rebuilt from them. */
  readonly hearsay: number;
  /** False if a newer receipt is due: then the one in the folder is not compared with the ledger. */
  readonly settled: boolean;
  readonly breaks: readonly Break[];
};

/** The corrections that the rows of an entry were read with. */
export type CorrectionsOf = (entry: LedgerEntry) => Promise<readonly Correction[]>;

export async function verifyEntry(
  context: VerifyContext,
  entry: LedgerEntry,
  correctionsOf: CorrectionsOf,
): Promise<EntryFound> {
  const { ledger } = context;
  if (entry.purged) return { judged: 0, hearsay: 0, settled: true, breaks: [] };
  const content = await ledger.contentOf(entry.id);
  const tried = await ledger.attemptsOf(entry.id);
  const first = await firstState(ledger, entry);
  const { judged, hearsay, breaks } = judgedAgain(context, entry, { content, tried, first });
  const found = [...contentBreaks(entry, content), ...breaks, ...(await evidenceBreaks(context, entry))];
  const settled = entry.receiptDue === undefined;
  if (settled) appendAll(found, await receiptBreaks(context, entry, await correctionsOf(entry)));
  return { judged, hearsay, settled, breaks: found };
}

function aboutOf({ facts, name }: LedgerEntry): { readonly document: string } {
  return { document: facts.identifier || name };
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
  const events = (await ledger.historyOf(entry.id)).filter(
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

/** What the ledger has of an entry: its content, its attempts and the state in which it was admitted. */
type Recorded = {
  readonly content: string | undefined;
  readonly tried: readonly RecordedAttempt[];
  readonly first: State;
};

type Course = { state: State; answer: Answer | undefined; tries: number };

/** Walks through everything that was tried, in its order, and says where it ends elsewhere than the ledger. */
function judgedAgain(
  { instance }: VerifyContext,
  entry: LedgerEntry,
  { content, tried, first }: Recorded,
): Pick<EntryFound, 'judged' | 'hearsay' | 'breaks'> {
  const destination = instance.destinations.find(({ name }) => name === entry.service);
  const breaks: Break[] = [];
  const course: Course = { state: first, answer: undefined, tries: 0 };
  let judged = 0;
  let hearsay = 0;
  let revision = 0;
  for (const one of tried) {
    if (one.revision !== revision) {
      Object.assign(course, { state: one.revision === entry.revision ? first : 'ready', answer: undefined, tries: 0 });
      revision = one.revision;
    }
    const { exchange, outcome } = one;
    if (destination && exchange && outcome !== undefined) {
      judged++;
      const number = one.revision === entry.revision ? numberInContent(content, entry.facts.identifier) : {};
      const verdicts = verdictsOf(destination, { ...one, exchange }, course, { class: entry.class, ...number });
      if (!verdicts.some((verdict) => isRecorded(verdict, one))) {
        const [verdict] = verdicts;
        const recorded = outcomeText(outcome, one.code);
        const means = outcomeText(verdict.state, verdict.answer?.code);
        const says = COURSE.recordedAs({ act: one.act, n: one.n, recorded, again: means });
        breaks.push(broken('verify/answer-differs', says, aboutOf(entry)));
      }
    }
    if (isHearsay(one)) hearsay++;
    goOn(course, one);
  }
  if (revision !== entry.revision) Object.assign(course, { state: first, answer: undefined });
  return { judged, hearsay, breaks: [...breaks, ...courseBreaks(entry, course, hearsay > 0)] };
}

/** A code that came without anything that could have carried it. */
function isHearsay({ act, code, exchange }: RecordedAttempt): boolean {
  return act !== 'resolve' && code !== undefined && exchange === undefined;
}

/** A verdict also depends on whether the token had been renewed, which is not recorded: both are possible. */
function verdictsOf(
  destination: Destination,
  { act, exchange, requestId, at, n }: RecordedAttempt & { readonly exchange: Exchange },
  { state, tries }: Course,
  document: Pick<Ours, 'class' | 'identifier'>,
): readonly [Verdict, Verdict] {
  const ours = { ...document, requestId, now: new Date(at), random: () => 0.5 };
  if (act === 'consult') {
    const asked = { ...ours, tokenRenewed: false, tries: n - 1 };
    // In older versions a consultation also decided about a document that was only returned.
    const judge = (onlyReturned: boolean) => destination.judgeConsultation(exchange, { ...asked, onlyReturned }, state);
    return [judge(false), judge(true)];
  }
  const judge = (tokenRenewed: boolean) => destination.judge(exchange, { ...ours, tokenRenewed, tries });
  return [judge(false), judge(true)];
}

function isRecorded({ state, answer }: Verdict, one: RecordedAttempt): boolean {
  return state === one.outcome && answer?.code === one.code && isSameAnswer(answer, one.answer);
}

/** What older versions of the program did not keep of an answer. */
const KEPT_LATER = [
  'documentType',
  'contentInto',
  'file',
  'pagination',
  'date',
  'amount',
] as const satisfies readonly (keyof Answer)[];

/** An answer that an older version recorded is compared by what that version kept, and as long as it kept it. */
function isSameAnswer(again: Answer | undefined, recorded: Answer | undefined): boolean {
  const now = plain(again);
  if (isDeepStrictEqual(now, recorded)) return true;
  if (!now || !recorded || KEPT_LATER.some((name) => recorded[name] !== undefined)) return false;
  const then = Object.fromEntries(
    Object.entries(now).filter(([name]) => !(KEPT_LATER as readonly string[]).includes(name)),
  );
  return isDeepStrictEqual(then, boundedAnswer(recorded));
}

/** As the ledger gives it back. */
function plain(answer: Answer | undefined): Answer | undefined {
  return answer && (JSON.parse(JSON.stringify(answer)) as Answer);
}

function goOn(course: Course, { act, outcome, answer }: RecordedAttempt): void {
  if (act === 'submit') {
    course.state = outcome ?? 'sending';
    course.answer = answer;
    if (outcome === 'ready') course.tries++;
    return;
  }
  if (outcome === undefined) return;
  if (act === 'resolve') {
    course.state = outcome;
    course.tries = 0;
    return;
  }
  // A consultation changes nothing once a person has recorded the outcome.
  if (!allows(course.state, 'consult')) return;
  course.state = outcome;
  if (answer === undefined || answer.code === 18 || isOfNumberOnly(outcome, answer)) return;
  const { trackingId } = course.answer ?? {};
  course.answer = trackingId === undefined ? answer : { trackingId, ...answer };
}

/** An accepted ledger has held what was queued, without an attempt; a hold sends nothing. */
const HELD_OR_SENT: ReadonlySet<State> = new Set(['ready', 'held']);

function courseBreaks(entry: LedgerEntry, course: Course, hasHearsay: boolean): readonly Break[] {
  if (entry.state === 'sending') return [];
  const breaks: Break[] = [];
  const isHold = HELD_OR_SENT.has(entry.state) && HELD_OR_SENT.has(course.state);
  if (entry.state !== course.state && !isHold) {
    const says = COURSE.endsIn({ state: entry.state, course: course.state });
    breaks.push(broken('verify/state-differs', says, aboutOf(entry)));
  }
  if (!hasHearsay && !isDeepStrictEqual(entry.answer, course.answer)) {
    const says = COURSE.otherAnswer({ answer: answerText(entry.answer), last: answerText(course.answer) });
    breaks.push(broken('verify/answer-differs', says, aboutOf(entry)));
  }
  return breaks;
}

function outcomeText(state: State, code: number | undefined): Message {
  if (code === undefined) return COURSE.outcome({ state });
  return COURSE.outcomeWithCode({ state, code });
}

function answerText(answer: Answer | undefined): Message {
  if (!answer) return FOUND.none();
  return COURSE.answer({ code: answer.code, message: answer.message ?? answer.name ?? '' });
}

async function receiptBreaks(
  { instance, ledger }: VerifyContext,
  entry: LedgerEntry,
  corrections: readonly Correction[],
): Promise<readonly Break[]> {
  const about = aboutOf(entry);
  const place = entry.receipt;
  const link = place?.link && (await ledger.linkAt(place.link.n));
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
  const path = `${folder}/${receiptFileName(entry.name)}`;
  const text = (await readFile(join(instance.folder, path)).catch(notThere)) ?? (await waiting(instance.folder, entry));
  if (text === undefined) breaks.push(broken('verify/receipt-missing', FOUND.notThere({ path }), { ...about, path }));
  else if (sha256Hex(text) !== link.sha256)
    breaks.push(await changed(ledger, entry, { found: sha256Hex(text), link, path }));
  else
    appendAll(breaks, saysOtherwise(receiptObject(instance, entry, corrections), link, text.toString('utf8'), about));
  if (entry.contentSha256 !== undefined) {
    appendAll(breaks, await payloadBreaks(instance.folder, `${folder}/${payloadName(entry.name)}`, entry));
  }
  return breaks;
}

/** A held document waits for a decision, for which a person moves its receipt: there it is looked for too. */
async function waiting(folder: string, { state, name }: LedgerEntry): Promise<Buffer | undefined> {
  if (state !== 'held') return undefined;
  for (const decision of DECISION_FOLDERS) {
    const found = await readFile(join(folder, 'pending', decision, receiptFileName(name))).catch(notThere);
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

async function payloadBreaks(folder: string, path: string, entry: LedgerEntry): Promise<readonly Break[]> {
  const about = { ...aboutOf(entry), path };
  const content = await readFile(join(folder, path)).catch(notThere);
  if (content === undefined) return [broken('verify/payload-missing', FOUND.notThere({ path }), about)];
  const found = sha256Hex(content);
  if (found === entry.contentSha256) return [];
  const says = FOUND.hashDiffers({ found: short(found), before: shortOrNone(entry.contentSha256) });
  return [broken('verify/payload-changed', says, about)];
}

function notThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
