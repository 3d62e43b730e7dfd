/** `consult`: asks the services what became of documents, those that are due or those named. */
import type { Command } from 'commander';
import { format, type Message, type MessageMaker } from '../../i18n/message.ts';
import { CONSULT, NOT_CONSULTED } from '../../i18n/messages/cli-decisions-messages.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { consult } from '../../pipeline/decide.ts';
import { lookIntoLedgerOf, openLedgerOf, openWork } from '../../pipeline/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { followProgress, wordOf } from '../output/progress.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session, stopOnSignals } from '../session/command-session.ts';
import { isEmpty, SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';
import { exitCodeOf } from '../session/exit-codes.ts';
import { openLog } from '../session/log-file.ts';

/** Of those that are due, per service; the others stay due. */
const AT_MOST = 1000;

export const consultCommand: CommandModule = { run: consultServices, values: SELECTOR_VALUES };

async function consultServices(
  names: string[],
  given: SelectorOptions & { readonly dryRun?: boolean },
  command: Command,
): Promise<void> {
  const session = openSession(command);
  const { terminal, instance } = session;
  const able = instance.destinations.filter((destination) => destination.consult !== undefined);
  if (able.length === 0) {
    throw new OperatorError('consult/not-configured', CONSULT.notConfigured(), { hint: CONSULT.configure() });
  }
  if (given.dryRun) {
    await using ledger = await lookIntoLedgerOf(instance);
    const wanted = await documentsOf(session, ledger, names, given);
    show(session, [...wanted].map(plain), await notAsked(session, ledger, names, given, wanted), true);
    return;
  }
  await using ledger = await openLedgerOf(instance);
  const stopping = stopOnSignals(terminal, instance.settings.rules.language);
  const progress = followProgress(terminal, instance.settings.rules.language);
  await using work = await openWork(instance, ledger, {
    stop: stopping.signal,
    tell: progress.tellWith(openLog(instance)),
  });
  const wanted = await documentsOf(session, ledger, names, given);
  const others = await notAsked(session, ledger, names, given, wanted);
  const outcomes = await consult(work, wanted);
  progress.end();
  stopping.release();
  const told: Asked[] = [];
  for (const { service, asked, stopped } of outcomes) {
    const documents: Asked['documents'][number][] = [];
    const ids = wanted
      .get(service)!
      .slice(0, asked)
      .map(({ id }) => id);
    for await (const entry of ledger.find({ ids })) documents.push(askedOf(entry));
    const next = await ledger.nextConsult(service);
    const nextAt = next === undefined ? {} : { nextAt: new Date(next).toISOString() };
    told.push(definedOnly({ service, documents, ...nextAt, stopped: stopped?.message }));
  }
  show(session, told, others, false);
  const stops = outcomes.flatMap(({ stopped }) => (stopped ? [{ cause: stopped.why }] : []));
  const signal = stopping.received();
  process.exitCode = exitCodeOf(definedOnly({ stops, needPeople: 0, signal: signal ? signal : undefined }));
}

type Asked = {
  readonly service: string;
  /** `state` is what the document is in after the answer; absent where nobody asked yet. */
  readonly documents: readonly {
    readonly number: string;
    readonly state?: State;
    /** What the service answered. */
    readonly says?: string;
    /** How often it has said that it does not know the document (code 18). */
    readonly notFound?: number;
  }[];
  /** When the next document of the service is due; ISO 8601. */
  readonly nextAt?: string;
  readonly stopped?: string;
};

function askedOf({ facts, state, attempts, notFound }: LedgerEntry): Asked['documents'][number] {
  const last = attempts.findLast(({ act }) => act === 'consult');
  return definedOnly({
    number: facts.identifier,
    state,
    says: last?.reason === undefined ? undefined : last.reason,
    notFound: notFound && last?.code === 18 ? notFound.times : undefined,
  });
}

/** Service -> the documents that are due, or those that were named and may be asked for. */
async function documentsOf(
  { instance }: Session,
  ledger: Awaited<ReturnType<typeof openLedgerOf>>,
  names: readonly string[],
  given: SelectorOptions,
): Promise<ReadonlyMap<string, readonly DueDocument[]>> {
  const selector = selectorOf(names, given);
  const found = new Map<string, readonly DueDocument[]>();
  for (const { name, consult: able } of instance.destinations) {
    if (!able) continue;
    if (isEmpty(selector)) {
      found.set(name, await ledger.consultDue(name, Date.now(), AT_MOST));
      continue;
    }
    const due: DueDocument[] = [];
    for await (const entry of ledger.find({ ...selector, service: name })) {
      if (!(stateInfo(entry.state).acts as readonly string[]).includes('consult')) continue;
      const { id, revision, kind, service, class: documentClass, facts, file } = entry;
      const mapping = file.mapping!;
      due.push({ id, revision, kind, service, class: documentClass, identifier: facts.identifier, mapping, tries: 0 });
    }
    found.set(name, due);
  }
  return found;
}

type NotAsked = { readonly number: string; readonly state: State; readonly why: string };

/** Of what was named, the documents that nobody asks for, and what to do instead. */
async function notAsked(
  { instance }: Session,
  ledger: Awaited<ReturnType<typeof openLedgerOf>>,
  names: readonly string[],
  given: SelectorOptions,
  wanted: ReadonlyMap<string, readonly DueDocument[]>,
): Promise<readonly NotAsked[]> {
  if (names.length === 0) return [];
  const { language } = instance.settings.rules;
  const asked = new Set([...wanted.values()].flatMap((due) => due.map(({ id }) => id)));
  const others: NotAsked[] = [];
  for await (const { id, state, facts, name, service } of ledger.find(selectorOf(names, given))) {
    if (asked.has(id)) continue;
    const instead: MessageMaker | undefined = (NOT_CONSULTED as { readonly [state in State]?: MessageMaker })[state];
    const why = format(instead ? instead() : CONSULT.noConsultation({ service }), language);
    others.push({ number: facts.identifier || name, state, why });
  }
  return others;
}

/** Day and time on this machine. */
function localTime(at: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const when = new Date(at);
  const day = `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
  return `${day} ${two(when.getHours())}:${two(when.getMinutes())}`;
}

function plain([service, due]: readonly [string, readonly DueDocument[]]): Asked {
  return { service, documents: due.map(({ identifier }) => ({ number: identifier })) };
}

function show(
  { options, terminal, instance }: Session,
  asked: readonly Asked[],
  others: readonly NotAsked[],
  dryRun: boolean,
): void {
  if (options.json) {
    terminal.out(JSON.stringify({ dryRun, asked, notAsked: others }, null, 2));
    return;
  }
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => escapeControls(format(phrase, language));
  for (const { number, state, why } of others) {
    terminal.out(`  ${say(CONSULT.notConsulted({ number, state: stateInfo(state).inSentence, why }))}`);
  }
  for (const { service, documents, stopped, nextAt } of asked) {
    if (others.length > 0 && documents.length === 0 && stopped === undefined) continue;
    if (stopped !== undefined) terminal.out(`  ${say(CONSULT.stopped({ service, why: stopped }))}`);
    if (options.quiet) continue;
    terminal.out(`  ${say(headOf(service, documents.length, dryRun, nextAt))}`);
    for (const { number, state, says, notFound } of documents) {
      const word = state ? `  ${wordOf(state, language)}` : '';
      const answer = says === undefined ? '' : `  ${escapeControls(says)}`;
      const again = notFound === 1 ? `  ${say(CONSULT.firstTime())}` : '';
      terminal.out(`    ${escapeControls(number)}${word}${answer}${again}`);
    }
  }
}

function headOf(service: string, count: number, dryRun: boolean, nextAt: string | undefined): Message {
  if (count === 0 && nextAt !== undefined) return CONSULT.nothingBefore({ service, at: localTime(nextAt) });
  if (count === 0) return CONSULT.nothingDue({ service });
  return (dryRun ? CONSULT.wouldConsult : CONSULT.consulted)({ service, count });
}
