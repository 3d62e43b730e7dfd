/**
 * The events of the ledger, compared with the lines that links of the chain have of them, and the corrections that repeat
 * what an event says. Reads only; events of a run that works now may have no link yet.
 */
import type { Message } from '../i18n/message.ts';
import { RECORDED } from '../i18n/messages/pipeline-messages.ts';
import {
  type EventSeal,
  eventSha256,
  type RecordedEvent,
  readSealLines,
  type SealedEvent,
  sealLine,
} from '../ledger/contract/recorded-event.ts';
import { CORRECTED_CELL, type Correction, documentName } from '../model/ledger-entry.ts';
import { findEntry } from '../pipeline/context/find-entry.ts';
import { yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { appendAll } from '../text/long-lists.ts';
import { beginSha256, sha256Hex } from '../text/sha256.ts';
import { type Break, type BreakCode, broken, short } from './verify-findings.ts';
import type { VerifyContext } from './verify-source.ts';

/** How many events links cover; of them, those that had no link when they were recorded. */
export type EventsFound = { readonly events: number; readonly upgraded: number; readonly breaks: readonly Break[] };

/** The most breaks that are reported: more of them add nothing. */
const MAX_REPORTED = 100;
const PAGE = 1000;

/** What is compared once all events were read. */
type Collected = {
  readonly breaks: Break[];
  /** The events of corrections, by file. */
  readonly cells: Map<string, RecordedEvent[]>;
  readonly withoutDetail: Map<number, RecordedEvent>;
  /** Numbers of events whose detail a purge removed. */
  readonly purged: Set<number>;
};

export async function verifyEvents(context: VerifyContext): Promise<EventsFound> {
  const { ledger } = context;
  const found: Collected = { breaks: [], cells: new Map(), withoutDetail: new Map(), purged: new Set() };
  const { breaks } = found;
  const covered = await provenBySeals(context, found);
  await provenByNumber(context, covered.events, found);
  for (const event of await ledger.receipts.strayEvents()) breaks.push(await added(context, event));
  for (const event of found.withoutDetail.values()) {
    if (!found.purged.has(event.n ?? 0)) breaks.push(await changed(context, event, event));
  }
  appendAll(breaks, await correctionBreaks(context, found.cells));
  return { ...covered, breaks: breaks.slice(0, MAX_REPORTED) };
}

async function provenBySeals(context: VerifyContext, found: Collected): Promise<Omit<EventsFound, 'breaks'>> {
  const { ledger, stop } = context;
  let upgraded = 0;
  let last = 0;
  for await (const seal of yieldingBetween(ledger.receipts.eventSeals(), stop, 1)) {
    // Of a ledger that was upgraded and not written since.
    if (seal.link === 0) continue;
    if (seal.first !== last + 1) {
      const says = RECORDED.sealGone({ from: last + 1, to: seal.first - 1 });
      found.breaks.push(broken('verify/link-missing', says));
    }
    if (seal.lines !== undefined) await provenByLines(context, seal, seal.lines, found);
    else {
      upgraded += seal.last - seal.first + 1;
      await provenTogether(context, seal, found);
    }
    last = seal.last;
    if (found.breaks.length >= MAX_REPORTED) break;
  }
  return { events: last, upgraded };
}

/** Events since the last link have at least their number. */
async function provenByNumber(context: VerifyContext, after: number, found: Collected): Promise<void> {
  // Read before the events: those up to it are committed.
  const count = await context.ledger.receipts.eventCount();
  for (let first = after + 1; first <= count && found.breaks.length < MAX_REPORTED; first += PAGE) {
    await withoutSeal(context, { first, last: Math.min(count, first + PAGE - 1) }, found);
  }
}

/** Events that have a line each: what differs has a name. */
async function provenByLines(context: VerifyContext, seal: EventSeal, lines: string, found: Collected): Promise<void> {
  const { breaks } = found;
  const { first, last } = seal;
  appendAll(breaks, await sealBreaks(context, seal, sha256Hex(lines)));
  const named = readSealLines(lines);
  const open = Map.groupBy(named, ({ n }) => n);
  const strange: RecordedEvent[] = [];
  for (const event of await context.ledger.receipts.eventsBetween(first, last)) {
    collect(event, found);
    const ofNumber = open.get(event.n ?? 0) ?? [];
    const hash = eventSha256(event);
    const at = ofNumber.findIndex(({ sha256 }) => sha256 === hash);
    if (at < 0) strange.push(event);
    else ofNumber.splice(at, 1);
  }
  for (const event of strange) {
    const line = open.get(event.n ?? 0)?.pop();
    breaks.push(line ? await changed(context, event, line) : await added(context, event));
  }
  for (const line of [...open.values()].flat()) breaks.push(await missing(context, line, seal.link));
  appendAll(breaks, numberBreaks(named, first, last));
}

/** A number that was given twice, or left out, when the link was made: the events were edited before it. */
function numberBreaks(named: readonly SealedEvent[], first: number, last: number): readonly Break[] {
  const times = new Map<number, number>();
  for (const { n } of named) times.set(n, (times.get(n) ?? 0) + 1);
  const breaks: Break[] = [];
  for (let n = first; n <= last; n++) {
    const given = times.get(n) ?? 0;
    if (given === 0) breaks.push(missingUnnamed(n));
    if (given > 1) breaks.push({ ...broken('verify/event-added', RECORDED.numberTwice({ n })), event: n });
  }
  return breaks;
}

/** Events from before events had links: one hash covers all of them. */
async function provenTogether(context: VerifyContext, seal: EventSeal, found: Collected): Promise<void> {
  const hash = beginSha256();
  for (let first = seal.first; first <= seal.last; first += PAGE) {
    const last = Math.min(seal.last, first + PAGE - 1);
    for (const event of await context.ledger.receipts.eventsBetween(first, last)) {
      collect(event, found);
      hash.update(sealLine(event));
    }
  }
  appendAll(found.breaks, await sealBreaks(context, seal, hash.digest('hex')));
}

/** Events since the last link: their numbers have no gap, and none occurs twice. */
async function withoutSeal(
  context: VerifyContext,
  { first, last }: { readonly first: number; readonly last: number },
  found: Collected,
): Promise<void> {
  let next = first;
  for (const event of await context.ledger.receipts.eventsBetween(first, last)) {
    collect(event, found);
    const n = event.n ?? 0;
    if (n < next) found.breaks.push(await added(context, event));
    for (; next < n; next++) found.breaks.push(missingUnnamed(next));
    next = Math.max(next, n + 1);
  }
  for (; next <= last; next++) found.breaks.push(missingUnnamed(next));
}

function collect(event: RecordedEvent, { cells, withoutDetail, purged }: Collected): void {
  const { what, file, detail } = event;
  if (what === CORRECTED_CELL && file !== null) cells.set(file, [...(cells.get(file) ?? []), event]);
  if (detail === null && event.detailSha256 !== null) withoutDetail.set(event.n ?? 0, event);
  if (what === 'purged') for (const n of (detailOf(event).events ?? []) as readonly number[]) purged.add(n);
}

async function sealBreaks(
  { ledger }: VerifyContext,
  { link: n, first, last, lines }: EventSeal,
  found: string,
): Promise<readonly Break[]> {
  const link = await ledger.receipts.linkAt(n);
  if (!link) return [broken('verify/link-missing', RECORDED.sealNotInChain({ n, first, last }))];
  if (link.what === 'event' && link.id === `${first}-${last}` && link.sha256 === found) return [];
  const hashes = { n, first, last, found: short(found), hash: short(link.sha256) };
  const says = lines === undefined ? RECORDED.upgradedDiffer(hashes) : RECORDED.linesDiffer(hashes);
  return [broken('verify/event-changed', says)];
}

/** `was` has the entry or file of the line, if there is one: the row may have another one now. */
async function changed(context: VerifyContext, event: RecordedEvent, was: SealedEvent | RecordedEvent): Promise<Break> {
  const about = 'about' in was ? was.about : (was.entry ?? was.file ?? '-');
  const says = RECORDED.eventChanged({ n: event.n ?? 0, what: was.what, now: textOf(event) });
  return await breakAbout(context, 'verify/event-changed', says, { about, event: event.n });
}

async function added(context: VerifyContext, event: RecordedEvent): Promise<Break> {
  const says = RECORDED.eventAdded({ id: event.id, now: textOf(event) });
  return await breakAbout(context, 'verify/event-added', says, {
    about: event.entry ?? event.file ?? '-',
    event: event.n,
  });
}

async function missing(context: VerifyContext, { n, what, about }: SealedEvent, link: number): Promise<Break> {
  return await breakAbout(context, 'verify/event-missing', RECORDED.eventGone({ n, what, link }), { about, event: n });
}

function missingUnnamed(n: number): Break {
  return { ...broken('verify/event-missing', RECORDED.unlinkedGone({ n })), event: n };
}

async function breakAbout(
  { ledger }: VerifyContext,
  code: BreakCode,
  says: Message,
  { about, event }: { readonly about: string; readonly event: number | null },
): Promise<Break> {
  const entry = await findEntry(ledger.queries, about);
  const document = entry ? documentName(entry) : (await ledger.queries.sourceFile(about))?.name;
  return { ...broken(code, says, document === undefined ? {} : { document }), ...(event !== null && { event }) };
}

/** What the row says now, in one line. */
function textOf({ at, what, person, detail }: RecordedEvent): string {
  return [at, what, person, detail].filter((part) => part !== null).join(' ');
}

/** Each correction of a file repeats the event of its number. */
async function correctionBreaks(
  { ledger, stop }: VerifyContext,
  cells: ReadonlyMap<string, readonly RecordedEvent[]>,
): Promise<readonly Break[]> {
  const breaks: Break[] = [];
  const seen = new Map<string, number>();
  for await (const { file, n, correction } of yieldingBetween(ledger.queries.allCorrections(), stop, 256)) {
    const place = (seen.get(file) ?? 0) + 1;
    seen.set(file, place);
    const event = cells.get(file)?.[place - 1];
    if (event && n === place && isRepeated(correction, event)) continue;
    const { row, column } = correction;
    const says = event
      ? RECORDED.correctionDiffers({ n, row, column, event: event.n ?? 0, was: textOf(event) })
      : RECORDED.correctionAdded({ n, row, column });
    breaks.push(await correctionBreak(ledger, file, says, event));
  }
  for (const [file, events] of cells) {
    for (const event of events.slice(seen.get(file) ?? 0)) {
      const says = RECORDED.correctionGone({ event: event.n ?? 0, was: textOf(event) });
      breaks.push(await correctionBreak(ledger, file, says, event));
    }
  }
  return breaks;
}

async function correctionBreak(
  ledger: VerifyContext['ledger'],
  file: string,
  says: Message,
  event: RecordedEvent | undefined,
): Promise<Break> {
  const document = (await ledger.queries.sourceFile(file))?.name ?? file;
  const n = event?.n ?? undefined;
  return { ...broken('verify/correction-differs', says, { document }), ...(n !== undefined && { event: n }) };
}

/** A purge empties both: the person and the time stay. */
function isRepeated({ row, column, from, to, by, at, reason }: Correction, event: RecordedEvent): boolean {
  if (event.person !== by || event.at !== at) return false;
  if (event.detail === null) return from === '' && to === '';
  const said = detailOf(event);
  return said.row === row && said.column === column && said.from === from && said.to === to && said.reason === reason;
}

function detailOf({ detail }: RecordedEvent): { readonly [key: string]: unknown } {
  try {
    return (JSON.parse(detail ?? '{}') ?? {}) as { readonly [key: string]: unknown };
  } catch {
    // Reported as changed.
    return {};
  }
}
