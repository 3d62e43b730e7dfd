/**
 * `consult`: asks the services for the outcome of documents, those that are due or those selected. Output: each
 * document with its state after the answer. Exit codes as of a run; `consult/not-configured` if no service can be
 * asked.
 */
import type { Command } from 'commander';
import { type SeenDocument, seenDocument } from '../../decisions/act.ts';
import type { ServiceConsulted } from '../../decisions/act-result.ts';
import { CONSULTED_AT_MOST } from '../../decisions/decide.ts';
import { format, type Language, type Message, type MessageMaker } from '../../i18n/message.ts';
import { CONSULT, NOT_CONSULTED } from '../../i18n/messages/cli-decisions-messages.ts';
import { accountName } from '../../model/account-name.ts';
import { STATE_BY_CODE } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { documentName, type LedgerEntry, type Selector } from '../../model/ledger-entry.ts';
import { recordedWords } from '../../model/recorded-words.ts';
import { allows, type State, stateInfo } from '../../model/state.ts';
import { lookIntoLedgerOf } from '../../runs/open-run.ts';
import { appendAll } from '../../text/long-lists.ts';
import { escapeControls } from '../../text/printable.ts';
import { refuseUnknownSelection } from '../../views/queries/list-values.ts';
import { isEmpty } from '../../views/queries/select-documents.ts';
import { answerWords, namesCode, wordsOfState } from '../../views/wording/state-words.ts';
import { followProgress } from '../output/progress.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../session/document-selection.ts';
import { exitCodeOf } from '../session/exit-codes.ts';
import { openLog } from '../session/log-file.ts';
import { submitDecision } from '../session/operator-decision.ts';

export const consultCommand: CommandModule = { run: consultServices, values: SELECTOR_VALUES };

type Options = SelectorOptions & { readonly dryRun?: boolean };
type Ledger = Awaited<ReturnType<typeof lookIntoLedgerOf>>;
/** Service -> the numbers of its documents. */
type DueDocuments = ReadonlyMap<string, readonly string[]>;

/** Without names or filters the documents that are due are chosen when the services are asked. */
async function consultServices(names: string[], given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const { terminal, instance, language } = session;
  if (instance.destinations.every((destination) => destination.consult === undefined)) {
    throw new OperatorError('consult/not-configured', CONSULT.notConfigured(), { hint: CONSULT.configure() });
  }
  await using ledger = await lookIntoLedgerOf(instance);
  const { due, documents, notConsulted } = await selectDue(session, ledger, { names, given });
  if (given.dryRun) {
    const consulted = [...due].map(([service, numbers]) => {
      return { service, documents: numbers.map((number) => ({ number })) };
    });
    return show(session, { dryRun: true, consulted, notConsulted });
  }
  const progress = followProgress(terminal, session.locale);
  const by = { by: accountName(), reason: '', at: new Date().toISOString() };
  const act = definedOnly({ act: 'consult' as const, documents });
  const log = progress.listenerWith(openLog(instance));
  const answered = new Set<string>();
  const onEvent: typeof log = (event, run) => {
    if (event.what === 'document') answered.add(event.id);
    log(event, run);
  };
  const result = documents?.length === 0 ? noneAsked(due) : await submitDecision(session, act, by, { onEvent });
  progress.end();
  const ids = [...answered, ...(documents ?? []).map(({ id }) => id)];
  const services = result?.services ?? (await consultedSince(ledger, ids, by.at));
  const consulted: Consultation[] = [];
  for (const outcome of services) consulted.push(await consultationOf({ ledger, language }, outcome));
  show(session, { dryRun: false, consulted, notConsulted });
  // The exit code is that of the signal.
  if (!result) return;
  const all = consulted.flatMap(({ documents }) => documents);
  const stay = all.every(({ state }) => state !== undefined && needsPerson(state)) ? all.length : 0;
  const stops = services.flatMap(({ stopped }) => (stopped ? [{ cause: stopped.cause }] : []));
  process.exitCode = exitCodeOf({ stops, needPeople: stay });
}

/** What a signal has left of the result: the documents (ids) that were consulted since `at` (ISO 8601). */
async function consultedSince(
  ledger: Ledger,
  ids: readonly string[],
  at: string,
): Promise<readonly ServiceConsulted[]> {
  const asked = new Map<string, string[]>();
  if (ids.length === 0) return [];
  for await (const { id, service, attempts } of ledger.queries.find({ ids })) {
    if (!attempts.some((one) => one.act === 'consult' && one.at >= at)) continue;
    asked.set(service, [...(asked.get(service) ?? []), id]);
  }
  return [...asked].map(([service, own]) => ({ service, asked: own }));
}

/** The result where no document was selected. */
function noneAsked(due: DueDocuments): { readonly services: readonly ServiceConsulted[] } {
  return { services: [...due.keys()].map((service) => ({ service, asked: [] })) };
}

/** The result for one service, as --json prints it. */
type Consultation = {
  readonly service: string;
  /** `state`: after the response; absent with --dry-run. */
  readonly documents: readonly {
    readonly number: string;
    readonly state?: State;
    /** The reason of the service. */
    readonly says?: string;
    /** The code of the response. */
    readonly code?: number;
    /** How many responses in a row do not know the document (code 18). */
    readonly notFound?: number;
    /** When the next consultation is due by itself; ISO 8601. */
    readonly nextAt?: string;
  }[];
  /** When the next document of the service is due; ISO 8601. */
  readonly nextAt?: string;
  readonly stopped?: string;
};

/** Reads the documents again, because the ledger has their new states. */
async function consultationOf(
  { ledger, language }: { readonly ledger: Ledger; readonly language: Language },
  { service, asked, stopped }: ServiceConsulted,
): Promise<Consultation> {
  const documents: Consultation['documents'][number][] = [];
  if (asked.length > 0) {
    for await (const entry of ledger.queries.find({ ids: asked })) documents.push(answerOf(entry, language));
  }
  const next = await ledger.submissions.nextConsult(service);
  const nextAt = next === undefined ? undefined : new Date(next).toISOString();
  return definedOnly({ service, documents, nextAt, stopped: stopped && format(stopped.says, language) });
}

/** Code 18: the service does not know the document. */
function answerOf(
  { facts, state, attempts, notFound, dueAt, answer }: LedgerEntry,
  language: Language,
): Consultation['documents'][number] {
  const last = attempts.findLast(({ act }) => act === 'consult');
  const isAnswer = answer !== undefined && answer.code === last?.code && STATE_BY_CODE.has(answer.code);
  const times = last?.code === 18 ? notFound?.times : undefined;
  return definedOnly({
    number: facts.identifier,
    state,
    says: isAnswer ? answerWords(answer, language) : last?.reason && recordedWords(last.reason, last, language),
    code: last?.code,
    notFound: times,
    nextAt: dueAt,
  });
}

/** Whether a person still has to act, after the answer. */
function needsPerson(state: State): boolean {
  const { actor } = stateInfo(state);
  return actor !== 'nobody' && actor !== 'machine';
}

/** A named document that is not consulted, and what to do instead. */
type NotConsulted = { readonly number: string; readonly state: State; readonly why: string };

/** Due documents per service; with a selection, all selected documents whose state allows a consultation (`documents`). */
async function selectDue(
  session: Session,
  ledger: Ledger,
  { names, given }: { readonly names: readonly string[]; readonly given: SelectorOptions },
): Promise<{
  readonly due: DueDocuments;
  readonly documents?: SeenDocument[];
  readonly notConsulted: readonly NotConsulted[];
}> {
  const selector = selectorOf(names, given, session.locale.zone);
  await refuseUnknownSelection({ instance: session.instance, ledger }, selector);
  const able = session.instance.destinations.filter((one) => one.consult).map(({ name }) => name);
  const due = new Map<string, string[]>(able.map((service) => [service, []]));
  if (isEmpty(selector)) {
    for (const [service, numbers] of due) {
      const found = await ledger.submissions.consultDue(service, Date.now(), CONSULTED_AT_MOST);
      appendAll(
        numbers,
        found.map(({ identifier }) => identifier),
      );
    }
    return { due, notConsulted: [] };
  }
  const documents: SeenDocument[] = [];
  const others: LedgerEntry[] = [];
  for await (const entry of ledger.queries.find(selector)) {
    const numbers = allows(entry.state, 'consult') ? due.get(entry.service) : undefined;
    numbers?.push(entry.facts.identifier);
    if (numbers) documents.push(seenDocument(entry));
    else others.push(entry);
  }
  return { due, documents, notConsulted: notConsultedOf(session, selector, others) };
}

function notConsultedOf({ say }: Session, selector: Selector, others: readonly LedgerEntry[]): readonly NotConsulted[] {
  // A filter names no document: only those are listed that would be consulted if their service could be.
  const meant = others.filter(({ state }) => selector.ids !== undefined || allows(state, 'consult'));
  return meant.map((entry) => {
    const { state, service } = entry;
    const reason = (NOT_CONSULTED as { readonly [state in State]?: MessageMaker })[state];
    return { number: documentName(entry), state, why: say(reason?.() ?? CONSULT.noConsultation({ service })) };
  });
}

type Shown = {
  readonly dryRun: boolean;
  readonly consulted: readonly Consultation[];
  readonly notConsulted: readonly NotConsulted[];
};

function show({ options, terminal, say, time }: Session, { dryRun, consulted, notConsulted }: Shown): void {
  if (options.json) {
    terminal.out(JSON.stringify({ dryRun, asked: consulted, notAsked: notConsulted }, null, 2));
    return;
  }
  const print = (message: Message) => terminal.out(`  ${escapeControls(say(message))}`);
  for (const { number, state, why } of notConsulted) {
    print(CONSULT.notConsulted({ number, state: stateInfo(state).inSentence, why }));
  }
  for (const consultation of consulted) {
    const { service, documents, stopped } = consultation;
    if (notConsulted.length > 0 && documents.length === 0 && stopped === undefined) continue;
    if (stopped !== undefined) print(CONSULT.stopped({ service, why: stopped }));
    if (options.quiet) continue;
    print(headOf(consultation, { dryRun, time }));
    for (const document of documents) terminal.out(`    ${escapeControls(answerLine(document, { say, time }))}`);
  }
}

function answerLine(
  { number, state, code, says, notFound, nextAt }: Consultation['documents'][number],
  { say, time }: Pick<Session, 'say' | 'time'>,
): string {
  const parts = [
    number,
    state && wordsOfState(state, say),
    code === undefined || (says !== undefined && namesCode(says, code))
      ? undefined
      : say(CONSULT.code({ code: String(code) })),
    says,
    notFound === undefined || notFound < 2 ? undefined : say(CONSULT.times({ count: notFound })),
    notFound === 1 ? say(CONSULT.firstTime()) : undefined,
    nextAt === undefined ? undefined : say(CONSULT.nextAt({ at: time(nextAt) })),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}

/** The line of a service: consulted, nothing due, or nothing due before a time. */
function headOf(
  { service, documents, nextAt }: Consultation,
  { dryRun, time }: { readonly dryRun: boolean; readonly time: Session['time'] },
): Message {
  const count = documents.length;
  if (count > 0) return (dryRun ? CONSULT.wouldConsult : CONSULT.consulted)({ service, count });
  if (nextAt === undefined) return CONSULT.nothingDue({ service });
  return CONSULT.nothingBefore({ service, at: time(nextAt) });
}
