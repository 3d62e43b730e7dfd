/**
 * One walk over the program itself: a watch, or two of them on PostgreSQL, a service on loopback that answers when the walk says so,
 * exports in the inbox, receipts in the folders of decisions, and commands. It has the steps and the judge of a walk over the
 * ledger, except those that stand still between two writes.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seenDocument } from '../../../src/decisions/act.ts';
import type { WireRequest } from '../../../src/delivery/service.ts';
import type { Exchange } from '../../../src/model/answer.ts';
import { OperatorError } from '../../../src/model/fault.ts';
import { firstFileOf, type LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { must } from '../../../src/model/must.ts';
import { isReplaceable } from '../../../src/model/state.ts';
import { receiptFileName } from '../../../src/receipts/compose-receipt.ts';
import { submitAct } from '../../../src/runs/submit-act.ts';
import { sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import type { Fate, Question } from '../sent-again.ts';
import { answerTo, CUT, replyTo, truthOf } from './counting-service.ts';
import { type Decision, judgeArrival, judgeDecision, judgeEnd, judgeRows, judgeUndo, type Seen } from './judge.ts';
import type { ProgramInstance } from './program-instance.ts';
import { type DecidingStep, isOverLimit, type Step } from './step.ts';
import { inTime } from './task.ts';
import type { Walk, WalkDocument } from './walk.ts';

/** A request that the service holds. */
type Held = {
  readonly kind: 'send' | 'ask';
  readonly doc: number;
  readonly request: WireRequest;
  readonly answer: (exchange: Exchange) => void;
  readonly question?: Question;
  readonly truth: number;
};

type StepOf<Name extends Step['do']> = Extract<Step, { readonly do: Name }>;

const QUIET_LOOKS = 2;
const LOOK_MS = 10;
const PATIENCE_MS = 20_000;
const PROBE_MS = 15 * 60_000;
const MOST_ROUNDS = 60;
/** What a command prints that ended with an error of the program. */
const INTERNAL = /\n\s+at |inside Nightpost/;

export async function startProgramWalk(
  instance: ProgramInstance,
  { name, count }: { readonly name: string; readonly count: number },
): Promise<Walk> {
  const { scene, clock, ledger } = instance;
  const opened = (number: string): WalkDocument => {
    return { number, dossier: { arrivals: [], questions: [], decisions: [] }, looks: new Map() };
  };
  const documents = Array.from({ length: count }, (_, n) => opened(`${name}-${n}`));
  const complaints: string[] = [];
  const held: Held[] = [];
  const seenBy = new WeakMap<LedgerEntry, Seen>();
  const texts = new Map<string, number>();
  const asking = new Set<Promise<unknown>>();
  let order = 0;
  const docOf = (n: number) => must(documents[n], 'the document of a step');
  const complain = (doc: WalkDocument, found: readonly string[]) => {
    for (const one of found) complaints.push(`document ${documents.indexOf(doc)}: ${one}`);
  };
  /** Everything that arrives is cut, and the service may have taken it in. */
  let cutting: Pick<StepOf<'restart'>, 'fate'> | undefined;
  const serve = async (request: WireRequest): Promise<Exchange> => {
    const at = ++order;
    await lookAtParts();
    const text = `${request.url} ${request.body ?? ''}`;
    // The number of what was split from a document begins with that of the document, and comes after it in the walk.
    const doc = documents.findLastIndex(({ number }) => text.includes(number));
    if (doc < 0) complaints.push(`a request about no document of the walk: ${request.url} ${request.body ?? ''}`);
    const { dossier } = docOf(doc);
    const { promise, resolve: answer } = Promise.withResolvers<Exchange>();
    if (request.body === undefined) {
      const question: Question = { asked: at, askedMs: clock.now().getTime() };
      dossier.questions.push(question);
      held.push({ kind: 'ask', doc, request, answer, question, truth: truthOf(dossier) });
    } else {
      for await (const sent of ledger().queries.find({ ids: [docOf(doc).number], states: ['sending'] })) {
        const rows = { of: firstFileOf(sent), numbers: sent.rows };
        dossier.arrivals.push({ text: textSent(request.body), at, rows });
      }
      const others = documents.filter((one) => one.dossier !== dossier);
      complain(docOf(doc), [
        ...judgeArrival(dossier),
        ...judgeRows(
          dossier,
          others.map((one) => one.dossier),
        ),
      ]);
      held.push({ kind: 'send', doc, request, answer, truth: 0 });
    }
    if (cutting) await cutAll(cutting);
    return await promise;
  };

  const textOfEntry = async ({ id, contentSha256 = '' }: LedgerEntry): Promise<number> => {
    const content = texts.has(contentSha256) ? undefined : await ledger().queries.contentOf(id);
    if (content !== undefined) texts.set(contentSha256, textOf(JSON.parse(content).payload));
    return texts.get(contentSha256) ?? -1;
  };
  const look = async (doc: WalkDocument) => {
    if (doc.entry) doc.entry = must((await ledger().queries.entriesById([doc.entry.id]))[0], 'the entry of a document');
    else for await (const entry of ledger().queries.find({ ids: [doc.number] })) doc.entry ??= entry;
    const { entry } = doc;
    if (!entry) return;
    const ended = doc.dossier.arrivals.filter(({ said }) => said !== undefined).length;
    const { revision, state, hold } = entry;
    seenBy.set(entry, { revision, state, hold: hold?.rule, text: await textOfEntry(entry), ended });
  };
  /** What was split from a document is one of the walk once it counts. */
  const lookAtParts = async () => {
    for (const { part } of [...documents]) {
      if (part === undefined || documents.some(({ number }) => number === part)) continue;
      const doc = opened(part);
      await look(doc);
      if (doc.entry) documents.push(doc);
    }
  };
  const isDue = ({ state, dueAt }: LedgerEntry) =>
    state === 'ready' && (dueAt === undefined || Date.parse(dueAt) <= clock.now().getTime());
  const isBusy = async (): Promise<boolean> => {
    const asked = held.filter(({ kind }) => kind === 'ask').length;
    const isSending = held.some(({ kind }) => kind === 'send');
    // Questions of people go out one at a time, next to the sender, which takes up nothing new until what it sent or asked is answered.
    const senderWaits = isSending || asked > Math.min(1, asking.size);
    const isInWork = ({ entry }: WalkDocument, doc: number) =>
      entry?.state === 'sending' && !held.some((one) => one.kind === 'send' && one.doc === doc);
    return (
      (asking.size > 0 && asked === 0) ||
      ['inbox', 'processing'].some((folder) => scene.files(folder).length > 0) ||
      documents.some(isInWork) ||
      (!senderWaits && documents.some(({ entry }) => entry && isDue(entry))) ||
      (!senderWaits && ((await ledger().submissions.nextConsult('fr')) ?? Infinity) <= clock.now().getTime())
    );
  };
  /** Until nothing moves any more but what waits for the service or for the clock. */
  const quiet = async () => {
    let untilMs = performance.now() + PATIENCE_MS;
    let mayBePaused = true;
    for (let still = 0, before = ''; still < QUIET_LOOKS; ) {
      await wait(LOOK_MS);
      await lookAtParts();
      for (const doc of documents) await look(doc);
      const now = JSON.stringify(documents.map(({ entry }) => [entry?.state, entry?.revision, entry?.attempts.length]));
      still = now !== before || (await isBusy()) ? 0 : still + 1;
      before = now;
      if (performance.now() < untilMs) continue;
      // A watch tries one document every 15 minutes where a service is paused.
      if (mayBePaused && held.length === 0) {
        mayBePaused = false;
        clock.pass(PROBE_MS);
        untilMs = performance.now() + PATIENCE_MS;
        continue;
      }
      complaints.push(`still busy: ${now} ${JSON.stringify(tasks())} ${scene.files('inbox').join(' ')}`);
      return;
    }
  };
  const release = (one: Held, exchange: Exchange) => {
    held.splice(held.indexOf(one), 1);
    one.answer(exchange);
  };
  const answer = async ({ doc, said: wished, fate }: StepOf<'answer'>): Promise<boolean> => {
    const one = held.find(({ kind, doc: of }) => kind === 'send' && of === doc);
    if (!one) return false;
    // A connection that is there cannot be refused any more.
    const said = wished === 'closed' ? 'lost' : wished;
    release(one, answerTo(one.request, said, fate, must(docOf(doc).dossier.arrivals.at(-1), 'an arrival')));
    return true;
  };
  const reply = async ({ doc, nth, said }: StepOf<'reply'>): Promise<boolean> => {
    const asked = held.filter(({ kind, doc: of }) => kind === 'ask' && of === doc);
    const one = asked[nth % asked.length];
    if (!one?.question) return false;
    const { exchange, code } = replyTo(docOf(doc).number, said, one.truth);
    if (code !== undefined) one.question.answer = { code, at: ++order };
    release(one, exchange);
    await quiet();
    one.question.recorded = { at: ++order, ms: clock.now().getTime() };
    return true;
  };
  const ask = async ({ doc, by }: StepOf<'ask'>): Promise<boolean> => {
    const { entry } = docOf(doc);
    if (!entry || by === 'watch') return false;
    const decision = { by: 'ana', reason: 'asked', at: clock.now().toISOString() };
    const act = { act: 'consult' as const, documents: [seenDocument(entry)] };
    const asked = submitAct(scene.instance(), { id: randomUUID(), act, decision }, { ...QUIETLY, clock })
      .catch((error: unknown) => {
        if (!(error instanceof OperatorError) || error.code === 'act/failed') complaints.push(`ask: ${error}`);
      })
      .finally(() => asking.delete(asked));
    asking.add(asked);
    return true;
  };
  /** The program refused the decision: what it has sent since was not decided. */
  const forget = (doc: WalkDocument, decision: Decision) => {
    const { arrivals, decisions } = doc.dossier;
    decisions.splice(decisions.indexOf(decision), 1);
    if (arrivals.some(({ at }) => at > decision.at)) complain(doc, judgeArrival(doc.dossier));
  };
  const decide = async (step: DecidingStep): Promise<boolean> => {
    const doc = docOf(step.doc);
    const { entry } = doc;
    if (!entry || step.fromEarlier) return false;
    const as = step.as && ['--as', step.as];
    const evidence = step.proof && step.act !== 'undo' ? ['--evidence', instance.proof] : [];
    const line = [step.act, entry.id, ...(as ?? []), ...evidence, '--reason', `because ${++order}`];
    const seen = must(seenBy.get(entry), 'what a person saw');
    const decision: Decision = { act: step.act, as: asOf(step), seen, at: ++order };
    // A watch may send before the command ends.
    if (step.act !== 'undo') doc.dossier.decisions.push(decision);
    const { code, err, out } = await commandIn(scene, ...line);
    if (INTERNAL.test(err) || ![0, 2, 3].includes(Number(code)))
      complaints.push(`${line.join(' ')}: ${code} ${err}${out}`);
    await look(doc);
    if (step.act === 'undo') {
      if (code === 0) complain(doc, judgeUndo(doc.dossier));
    } else if (code !== 0) forget(doc, decision);
    else {
      const now = must(doc.entry && seenBy.get(doc.entry), 'what a person sees now');
      complain(doc, judgeDecision(doc.dossier, decision, now, evidence.length > 0));
    }
    return true;
  };
  /** A person gives the last row of a document a number of its own. */
  const split = async ({ doc: n }: StepOf<'split'>): Promise<boolean> => {
    const doc = docOf(n);
    const { entry } = doc;
    const row = entry?.rows.at(-1);
    if (!entry || doc.part || entry.rows.length < 2 || !isReplaceable(entry.state, entry.hold?.rule)) return false;
    const part = `${doc.number}-part`;
    const line = ['fix', entry.id, `Num@${row}=${part}`, '--reason', `because ${++order}`];
    doc.part = part;
    const { code, err, out } = await commandIn(scene, ...line);
    if (INTERNAL.test(err) || ![0, 2, 3].includes(Number(code)))
      complaints.push(`${line.join(' ')}: ${code} ${err}${out}`);
    await lookAtParts();
    if (!documents.some(({ number }) => number === part)) delete doc.part;
    return true;
  };
  /** A person copies the receipt of a held document into a folder, and the watch decides by it. */
  const move = async ({ doc: n, to }: StepOf<'move'>): Promise<boolean> => {
    const doc = docOf(n);
    const { entry } = doc;
    if (entry?.state !== 'held' || entry.receiptDue || !entry.receipt) return false;
    const file = receiptFileName(entry.name);
    const folder = join(scene.root, 'pending', to);
    const path = join(scene.root, entry.receipt.folder, entry.receipt.day, file);
    if (!existsSync(path) || !existsSync(folder)) return false;
    const seen = must(seenBy.get(entry), 'what a person saw');
    const as = to === 'release' ? 'ready' : 'invalid';
    const decision: Decision = { act: to, as, seen, at: ++order };
    doc.dossier.decisions.push(decision);
    copyFileSync(path, join(folder, file));
    for (let looks = 0; looks < 200 && existsSync(join(folder, file)); looks++) await wait(LOOK_MS);
    await look(doc);
    const isDone = !existsSync(join(folder, file)) && doc.entry?.state !== 'held';
    if (!isDone) forget(doc, decision);
    for (const left of readdirSync(folder)) if (!left.startsWith('README')) rmSync(join(folder, left), { force: true });
    return true;
  };
  const cutAll = async ({ fate }: { readonly fate?: Fate }) => {
    for (const one of [...held]) {
      if (one.kind === 'send') await answer({ do: 'answer', doc: one.doc, said: 'lost', ...(fate && { fate }) });
      else release(one, CUT);
    }
  };
  const restart = async (step: StepOf<'restart'>): Promise<true> => {
    cutting = step;
    await cutAll(step);
    // Without a watch a command would do its work, and hold the lock.
    await Promise.all(asking);
    await instance.endFirst();
    cutting = undefined;
    await instance.beginOne();
    return true;
  };
  const takes: { readonly [Name in Step['do']]?: (step: StepOf<Name>) => Promise<boolean> } = {
    export: async ({ doc, text }) => {
      scene.drop(`ventes-${++order}.csv`, sales([docOf(doc).number], String(quantityOf(text))));
      return true;
    },
    split,
    answer,
    ask,
    reply,
    becomes: async ({ doc, fate }) => {
      const last = docOf(doc).dossier.arrivals.findLast((one) => one.fate !== undefined);
      const isOpen = last?.fate === 8 && last.said !== undefined;
      if (isOpen) last.fate = fate;
      return isOpen;
    },
    decide,
    move,
    clock: async ({ ms }) => {
      clock.pass(ms);
      return true;
    },
    restart,
  };
  const take = async (step: Step): Promise<boolean> => {
    const does = takes[step.do] as ((one: Step) => Promise<boolean>) | undefined;
    // What was split from another document may not be there.
    if (!does || ('doc' in step && !documents[step.doc])) return false;
    return (
      (await orComplain(step.do, async () => {
        const isDone = await inTime(step.do, does(step));
        if (isDone) await quiet();
        return isDone;
      })) ?? true
    );
  };
  const orComplain = async <T>(what: string, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      complaints.push(`${what}: ${(error as Error).stack}`);
      // A command that does not end keeps what is printed.
      Object.assign(process.stdout, OUTPUT.out);
      Object.assign(process.stderr, OUTPUT.err);
      return undefined;
    }
  };
  const tasks = () => held.map(({ kind, doc }) => ({ kind, doc, waits: () => 'service' as const }));
  const finish = async () => {
    for (let rounds = 0; complaints.length === 0; rounds++) {
      for (const { dossier, entry } of documents) {
        const last = dossier.arrivals.at(-1);
        if (last && (truthOf(dossier) === 8 || entry?.state === 'contingency')) last.fate = 2;
      }
      for (const { kind, doc } of [...held]) {
        if (kind === 'send') await take({ do: 'answer', doc, said: 'authorized' });
        else await take({ do: 'reply', doc, nth: 0, said: 'truth' });
      }
      const next = Math.min(
        (await ledger().submissions.nextDue('fr')) ?? Infinity,
        (await ledger().submissions.nextConsult('fr')) ?? Infinity,
      );
      if (next === Infinity && held.length === 0) break;
      if (rounds > MOST_ROUNDS) complaints.push('due again and again');
      // No request leaves before the end of a wait that the service asked for.
      const limit = (await ledger().submissions.pauseOf('fr'))?.untilMs ?? 0;
      if (next !== Infinity) clock.pass(Math.max(0, Math.max(next, limit) - clock.now().getTime()) + 1);
      await quiet();
    }
    for (const doc of documents) if (doc.entry) complain(doc, judgeEnd(doc.dossier, doc.entry));
    await orComplain('end', async () => {
      await instance.end();
      const { code, out, err } = await inTime('verify', commandIn(scene, 'verify'));
      if (code !== 0) complaints.push(`verify ends with ${code}: ${out}${err}`);
    });
  };
  await instance.begin({
    answer: serve,
    failed: (error) => complaints.push(`the watch ended: ${error.stack}`),
    over: async () => {
      cutting = {};
      await cutAll({});
    },
  });
  return { documents, tasks, complaints, take, finish };
}

const OUTPUT = { out: { write: process.stdout.write }, err: { write: process.stderr.write } };
const QUIETLY = { stop: new AbortController().signal, onEvent: () => {} };

/** The state that a decision gives, as the judge knows it. */
function asOf({ act, as }: DecidingStep): Decision['as'] {
  if (act === 'resolve') return as ?? 'rejected';
  if (act === 'acknowledge') return 'invalidated';
  return act === 'set-aside' ? 'invalid' : 'ready';
}

/** Texts differ in their quantity. */
function quantityOf(text: number): number {
  return isOverLimit(text) ? 1000 + text : 2 + text;
}

type Payload = { readonly lines?: readonly { readonly quantity?: string | number }[] };

function textOf({ lines }: Payload): number {
  const quantity = Number(lines?.[0]?.quantity);
  return quantity >= 1000 ? quantity - 1000 : quantity - 2;
}

function textSent(body: string): number {
  return textOf(
    (JSON.parse(body) as { readonly action: { readonly content: { readonly payload: Payload } } }).action.content
      .payload,
  );
}
