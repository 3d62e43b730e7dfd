/**
 * One walk over a ledger: documents with numbers of their own, and the functions of the program that send, ask, decide and take
 * decisions from folders, each of which may stand still before a write while others work. What is right, the judge says.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type PersonAct, seenDocument } from '../../../src/decisions/act.ts';
import { carryOut } from '../../../src/decisions/carry-out.ts';
import type { WireRequest } from '../../../src/delivery/service.ts';
import { BusyIdentityError } from '../../../src/ledger/contract/busy-identity.ts';
import type { DocumentOutcome } from '../../../src/model/document.ts';
import { OperatorError } from '../../../src/model/fault.ts';
import { type Evidence, firstFileOf, type LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { must } from '../../../src/model/must.ts';
import { isReplaceable } from '../../../src/model/state.ts';
import { findEntry } from '../../../src/pipeline/context/find-entry.ts';
import type { RunContext } from '../../../src/pipeline/context/run-context.ts';
import { chainEndOf } from '../../../src/pipeline/publishing/publish-summaries.ts';
import { takeDecisions } from '../../../src/pipeline/reprocessing/folder-decisions.ts';
import { consultDue } from '../../../src/pipeline/submission/consult-due.ts';
import { sendDue } from '../../../src/pipeline/submission/send-due.ts';
import { receiptFileName } from '../../../src/receipts/compose-receipt.ts';
import { writeReceipts } from '../../../src/receipts/write-receipts.ts';
import { settleInterrupted } from '../../../src/runs/recover-run.ts';
import { sha256Hex } from '../../../src/text/sha256.ts';
import { ADMITTED, documentOf, faulty, newFile } from '../../ledger/make.ts';
import { answerTo, readSubmission, replyTo, truthOf } from './counting-service.ts';
import { judgeArrival, judgeDecision, judgeEnd, judgeRows, judgeUndo, type Seen } from './judge.ts';
import { verifyDocument, writeDueReceipts } from './ledger-end.ts';
import { type DecidingStep, FAULTY, isOverLimit, type Step } from './step.ts';
import { type Notes, openTask, type Task } from './task.ts';
import type { Walk, WalkClock, WalkDocument } from './walk.ts';
import type { WalkInstance } from './walk-instance.ts';
import { lineIn, watchedWork } from './watched-work.ts';

type StepOf<Name extends Step['do']> = Extract<Step, { readonly do: Name }>;

const PROOF = { file: 'proof.txt', sha256: 'ab'.repeat(32) };
/** Of each export. */
const ROWS: readonly number[] = [2, 3];
const FOLDERS = ['release', 'reject'] as const;
const MOST_ROUNDS = 60;
const _MOST_DUE = 100;
const LOST = 'ledger/lease-lost';

export function startLedgerWalk(
  instance: WalkInstance,
  clock: WalkClock,
  { name, count }: { readonly name: string; readonly count: number },
): Walk {
  const opened = (number: string): WalkDocument => {
    return { number, dossier: { arrivals: [], questions: [], decisions: [] }, looks: new Map() };
  };
  const documents = Array.from({ length: count }, (_, n) => opened(`${name}-${n}`));
  const complaints: string[] = [];
  const texts = new Map<string, number>();
  const seenBy = new WeakMap<LedgerEntry, Seen>();
  let tasks: Task[] = [];
  let order = 0;
  const leader = () => must(instance.programs()[0], 'the program that sends');
  const complain = (doc: WalkDocument, found: readonly string[]) => {
    for (const one of found) complaints.push(`document ${documents.indexOf(doc)}: ${one}`);
  };
  const docOf = (n: number) => must(documents[n], 'the document of a step');
  const shownOf = ({ revision, state, hold, contentSha256 = '' }: LedgerEntry) => {
    return { revision, state, hold: hold?.rule, text: texts.get(contentSha256) ?? -1 };
  };
  const look = async (doc: WalkDocument) => {
    if (!doc.entry) return;
    const entry = must(await findEntry(leader().ledger.queries, doc.entry.id), 'the entry of a document');
    const ended = doc.dossier.arrivals.filter(({ said }) => said !== undefined).length;
    seenBy.set(entry, { ...shownOf(entry), ended });
    doc.entry = entry;
  };
  const seenOf = (entry: LedgerEntry) => must(seenBy.get(entry), 'what a person saw');

  const outcomeOf = ({ number }: Pick<WalkDocument, 'number'>, text: number, rows = ROWS): DocumentOutcome => {
    const content = JSON.stringify({ payload: { document: { identifier: number }, text } });
    texts.set(sha256Hex(content), text);
    const wish = { number, identifier: number, keys: [`walk ${number}`], content };
    const document = { ...documentOf(wish), rows };
    if (text === FAULTY) return { ...faulty(wish), rows };
    return { document, ...(isOverLimit(text) && { hold: { rule: 'amount-over', says: 'above the limit' } }) };
  };
  /** In a file, or with the document from which it was split: others wait for that. */
  const isBeingRead = (doc: WalkDocument) =>
    doc.staged !== undefined || documents.some(({ staged, part }) => staged && part === doc.number);
  const stage = async (doc: WalkDocument, text: number, worker = 0): Promise<boolean> => {
    const programs = instance.programs();
    const program = must(programs[worker % programs.length], 'the program that reads');
    if (isBeingRead(doc)) return false;
    const { ledger } = program;
    const file = `${doc.number}-${++order}.csv`;
    const { id } = await ledger.intake.openFile(newFile({ name: file, sha256: sha256Hex(file) }));
    await ledger.intake.stage(id, [outcomeOf(doc, text)]);
    doc.staged = { file: id, program };
    return true;
  };
  const admit = async (doc: WalkDocument): Promise<boolean> => {
    const { staged } = doc;
    if (!staged) return false;
    delete doc.staged;
    await staged.program.ledger.intake.admit(staged.file, ADMITTED);
    if (!doc.entry) for await (const entry of leader().ledger.queries.find({ ids: [doc.number] })) doc.entry ??= entry;
    return true;
  };
  /** What becomes of a document and of others when the rows of its source are read again. */
  type Corrected = {
    readonly text: number;
    /** Its rows, if they are not those of before. */
    readonly rows?: readonly number[];
    readonly absorbs?: readonly LedgerEntry[];
    readonly others?: readonly DocumentOutcome[];
    readonly waits?: true | undefined;
  };
  const correct = async (
    doc: WalkDocument,
    { text, rows, absorbs = [], others = [], waits }: Corrected,
  ): Promise<boolean> => {
    const { entry } = doc;
    if (!entry || isBeingRead(doc) || !isCorrectable(entry)) return false;
    const program = leader();
    const { ledger } = program;
    const { id, revision } = entry;
    const at = clock.now().toISOString();
    const decided = { by: 'person 0', reason: `because ${++order}`, claimedAt: at, day: at.slice(0, 10), run: 'run-1' };
    const ids = absorbs.map((one) => one.id);
    const { id: reading } = await ledger.corrections.openReprocess(firstFileOf(entry), {
      ...decided,
      entries: [id, ...ids],
      corrections: [],
    });
    const outcome = outcomeOf(doc, text, rows ?? entry.rows);
    await ledger.corrections.stageRevisions(reading, [{ entry: id, revision, outcome, absorbs: ids }]);
    await ledger.intake.stage(reading, others);
    if (waits) doc.staged = { file: reading, program };
    else await ledger.intake.admit(reading, ADMITTED);
    return true;
  };
  const isCorrectable = ({ state, hold, rows }: LedgerEntry) => isReplaceable(state, hold?.rule) && rows.length > 0;
  const split = async ({ doc: n, text, waits }: StepOf<'split'>): Promise<boolean> => {
    const doc = docOf(n);
    const part = `${doc.number}-part`;
    const rows = doc.entry?.rows ?? [];
    if (doc.part || rows.length !== ROWS.length) return false;
    const others = [outcomeOf({ number: part }, text === FAULTY ? 0 : text, rows.slice(1))];
    if (!(await correct(doc, { text, rows: rows.slice(0, 1), others, waits }))) return false;
    doc.part = part;
    return true;
  };
  const rejoin = async ({ doc: n, text, waits }: StepOf<'join'>): Promise<boolean> => {
    const doc = docOf(n);
    const part = documents.find(({ number }) => number === doc.part);
    const { entry } = doc;
    if (!entry || !part?.entry || isBeingRead(part) || !isCorrectable(part.entry)) return false;
    if (firstFileOf(entry) !== firstFileOf(part.entry)) return false;
    const rows = [...new Set([...entry.rows, ...part.entry.rows])].sort((a, b) => a - b);
    const isDone = await correct(doc, { text, rows, absorbs: [part.entry], waits });
    if (isDone) await look(part);
    return isDone;
  };
  /** What was split from a document is one of the walk once it counts; what becomes of one may concern the other. */
  const lookAtParts = async () => {
    for (const doc of documents) if (doc.part || documents.some(({ part }) => part === doc.number)) await look(doc);
    for (const { part } of [...documents]) {
      if (part === undefined || documents.some(({ number }) => number === part)) continue;
      const doc = opened(part);
      for await (const entry of leader().ledger.queries.find({ ids: [part] })) doc.entry ??= entry;
      if (!doc.entry) continue;
      documents.push(doc);
      await look(doc);
    }
  };
  const hold = async ({ rule }: StepOf<'hold'>): Promise<true> => {
    const at = clock.now().toISOString();
    await leader().ledger.submissions.holdReady(
      { service: 'fr', mapping: ADMITTED.mapping.id },
      { rule, says: rule },
      at,
    );
    for (const doc of documents) await look(doc);
    return true;
  };
  const startOver = async (doc: WalkDocument): Promise<boolean> => {
    const { staged } = doc;
    delete doc.staged;
    delete doc.part;
    await staged?.program.ledger.intake.refuseFile(staged.file, { faults: [], rows: 0, leftOut: [] });
    return staged !== undefined;
  };

  const byId = (id: string) => documents.find(({ entry }) => entry?.id === id);
  const watching = {
    decided: async ({ notes }: Task, id: string, { as, file }: Evidence) => {
      const doc = must(byId(id), 'the document of a decision');
      const seen = must(notes.seen ?? doc.moved, 'what a person decided about');
      const now = must(await findEntry(leader().ledger.queries, id), 'the entry of a decision');
      const decision = { act: notes.act ?? (as === 'ready' ? 'release' : 'set-aside'), as, seen, at: ++order };
      complain(doc, judgeDecision(doc.dossier, decision, shownOf(now), file !== undefined));
      doc.dossier.decisions.push(decision);
    },
    undone: (id: string) => {
      const doc = must(byId(id), 'the document of a decision');
      complain(doc, judgeUndo(doc.dossier));
    },
    answerRecorded: ({ notes: { question, arrival, isTakenOver } }: Task) => {
      if (question) question.recorded = { at: ++order, ms: clock.now().getTime() };
      if (arrival && isTakenOver) arrival.cameLate = ++order;
    },
    onWire: async (task: Task, request: WireRequest) => {
      const doc = docOf(must(task.doc, 'the document on the wire'));
      const { arrivals, questions } = doc.dossier;
      const at = ++order;
      if (request.body === undefined) {
        task.notes.truth = truthOf(doc.dossier);
        task.notes.question = { asked: at, askedMs: task.notes.askedMs ?? 0 };
        questions.push(task.notes.question);
      } else {
        const { number, text } = readSubmission(request);
        if (number !== doc.number) complain(doc, [`${number} was sent in its place`]);
        const sent = must(await findEntry(leader().ledger.queries, doc.entry?.id ?? ''), 'the entry on the wire');
        task.notes.arrival = { text, at, rows: { of: firstFileOf(sent), numbers: sent.rows } };
        arrivals.push(task.notes.arrival);
        const others = documents.filter((one) => one !== doc).map(({ dossier }) => dossier);
        complain(doc, [...judgeArrival(doc.dossier), ...judgeRows(doc.dossier, others)]);
      }
      return await task.http(request);
    },
  };

  const run = async (task: Task, going: () => Promise<void>): Promise<true> => {
    try {
      await going();
    } catch (error) {
      const isRefusal = error instanceof BusyIdentityError || (error instanceof OperatorError && error.code !== LOST);
      if (!isRefusal)
        complaints.push(
          `${task.kind} ended with an error: ${(error as Error).stack?.split('\n').slice(0, 2).join('')}`,
        );
    }
    tasks = [...tasks.filter((one) => one !== task), ...(task.waits() ? [task] : [])];
    if (task.kind !== 'take') return true;
    if (!task.waits()) emptyFolders();
    for (const doc of documents) await look(doc);
    return true;
  };
  type Beginning = { readonly doc?: number; readonly pauses?: number | undefined; readonly notes: Notes };
  const begin = async (
    kind: Task['kind'],
    { doc, pauses, notes }: Beginning,
    does: (work: RunContext) => Promise<unknown>,
  ): Promise<true> => {
    const task = openTask(kind, doc, notes, pauses);
    const work = watchedWork(leader().work, task, watching);
    return await run(task, () => task.start(() => does(work)));
  };
  const onWireOf = (kind: Task['kind'], doc: number) =>
    tasks.filter((one) => one.kind === kind && one.doc === doc && one.waits() === 'service');

  const send = async ({ doc: n, pauses }: StepOf<'send'>): Promise<boolean> => {
    const { entry } = docOf(n);
    if (entry?.state !== 'ready') return false;
    return await begin('send', { doc: n, pauses, notes: { id: entry.id } }, (work) => sendDue(work, lineIn(work), 1));
  };
  const answer = async ({ doc: n, said, fate }: StepOf<'answer'>): Promise<boolean> => {
    const [task] = onWireOf('send', n);
    if (!task) return false;
    const { arrivals } = docOf(n).dossier;
    const { arrival, isTakenOver } = task.notes;
    if (isTakenOver && said === 'closed') return false;
    const exchange = answerTo(must(task.request(), 'a request'), said, fate, must(arrival, 'an arrival'));
    if (said === 'closed') arrivals.pop();
    return await run(task, () => task.goOn(exchange));
  };
  const takeOver = async ({ doc: n, fate }: StepOf<'take-over'>): Promise<boolean> => {
    const sending = tasks.filter(({ kind, notes }) => kind === 'send' && !notes.isTakenOver);
    if (instance.programs().length > 1 || !sending.some(({ doc }) => doc === n)) return false;
    await settleInterrupted(leader().work);
    for (const { notes } of sending) {
      notes.isTakenOver = true;
      const { arrival } = notes;
      if (arrival && arrival.said === undefined) Object.assign(arrival, { said: 'cut', fate });
    }
    for (const doc of documents) await look(doc);
    return true;
  };
  const ask = async ({ doc: n, by, pauses }: StepOf<'ask'>): Promise<boolean> => {
    const { entry } = docOf(n);
    if (!entry) return false;
    const notes: Notes = {};
    if (by === 'person') {
      const request = requestOf({ act: 'consult', documents: [seenDocument(entry)] }, 0);
      return await begin('ask', { doc: n, pauses, notes }, (work) => carryOut(work, request));
    }
    const due = (await leader().ledger.submissions.consultDue('fr', clock.now().getTime(), 1000)).filter(
      ({ id }) => id === entry.id,
    );
    if (due.length === 0) return false;
    return await begin('ask', { doc: n, pauses, notes }, (work) => consultDue(work, lineIn(work), 1, due));
  };
  const reply = async ({ doc: n, nth, said }: StepOf<'reply'>): Promise<boolean> => {
    const asked = onWireOf('ask', n);
    const task = asked[nth % asked.length];
    if (!task) return false;
    const { notes } = task;
    const { exchange, code } = replyTo(docOf(n).number, said, notes.truth ?? 18);
    if (code !== undefined && notes.question) notes.question.answer = { code, at: ++order };
    return await run(task, () => task.goOn(exchange));
  };
  const requestOf = (act: PersonAct, person: number) => {
    const at = clock.now().toISOString();
    return { id: `${name} ${++order}`, act, decision: { by: `person ${person}`, reason: `because ${order}`, at } };
  };
  const decide = async ({ doc: n, person, act: of, as, ...step }: DecidingStep): Promise<boolean> => {
    const doc = docOf(n);
    const entry = step.fromEarlier ? doc.looks.get(person) : doc.entry;
    if (!entry) return false;
    const document = seenDocument(entry);
    const more = { ...(as && { as }), ...(step.proof && { evidence: PROOF }) };
    const act = (of === 'undo' ? { act: of, document } : { act: of, documents: [document], ...more }) as PersonAct;
    const request = requestOf(act, person);
    const notes = { act: of, seen: seenOf(entry) };
    return await begin('decide', { doc: n, pauses: step.pauses, notes }, (work) => carryOut(work, request));
  };

  const folderOf = (to: (typeof FOLDERS)[number]) => join(leader().work.instance.paths.pending, to);
  const emptyFolders = () => {
    for (const folder of FOLDERS.map(folderOf))
      for (const file of existsSync(folder) ? readdirSync(folder) : []) rmSync(join(folder, file));
    for (const doc of documents) delete doc.moved;
  };
  /** A person copies the latest receipt of a held document into a folder of decisions. */
  const move = async ({ doc: n, to }: StepOf<'move'>): Promise<boolean> => {
    const doc = docOf(n);
    if (doc.entry?.state !== 'held' || doc.moved || tasks.some(({ kind }) => kind === 'take')) return false;
    const { work, ledger } = leader();
    const { folder, settings } = work.instance;
    if (doc.entry.receiptDue) {
      const payload = (await ledger.queries.contentOf(doc.entry.id)) ?? '';
      const written = await writeReceipts(folder, [{ entry: doc.entry, payload }], settings, await chainEndOf(work));
      await ledger.receipts.recordReceipts(written);
      await look(doc);
    }
    const file = receiptFileName(doc.entry.name);
    const { receipt } = doc.entry;
    const path = join(folder, receipt?.folder ?? '', receipt?.day ?? '', file);
    if (!existsSync(path)) return false;
    mkdirSync(folderOf(to), { recursive: true });
    doc.moved = seenOf(doc.entry);
    copyFileSync(path, join(folderOf(to), file));
    return true;
  };
  const take = async ({ pauses }: StepOf<'take'>): Promise<boolean> => {
    if (documents.every(({ moved }) => !moved) || tasks.some(({ kind }) => kind === 'take')) return false;
    return await begin('take', { pauses, notes: {} }, takeDecisions);
  };

  const restart = async ({ fate }: StepOf<'restart'>): Promise<true> => {
    for (const task of tasks) task.end();
    tasks = [];
    for (const doc of documents) {
      for (const arrival of doc.dossier.arrivals)
        if (arrival.said === undefined) Object.assign(arrival, { said: 'cut', fate });
    }
    emptyFolders();
    await instance.restart();
    for (const doc of documents) {
      delete doc.staged;
      await look(doc);
    }
    return true;
  };

  const takes: { readonly [Name in Step['do']]: (step: StepOf<Name>) => Promise<boolean> } = {
    export: async ({ doc: n, text }) => (await stage(docOf(n), text)) && (await admit(docOf(n))),
    stage: async ({ doc: n, text, worker }) => await stage(docOf(n), text, worker),
    admit: async ({ doc: n }) => await admit(docOf(n)),
    fix: async ({ doc: n, text }) => await correct(docOf(n), { text }),
    split,
    join: rejoin,
    hold,
    'start-over': async ({ doc: n }) => await startOver(docOf(n)),
    send,
    answer,
    'take-over': takeOver,
    ask,
    reply,
    becomes: async ({ doc: n, fate }) => {
      const last = docOf(n).dossier.arrivals.findLast((one) => one.fate !== undefined);
      const isOpen = last?.fate === 8 && last.said !== undefined;
      if (isOpen) last.fate = fate;
      return isOpen;
    },
    look: async ({ doc: n, person }) => {
      const { entry, looks } = docOf(n);
      if (entry) looks.set(person, entry);
      return entry !== undefined;
    },
    decide,
    move,
    take,
    'go-on': async ({ nth }) => {
      const standing = tasks.filter((one) => one.waits() === 'walk');
      const task = standing[nth % standing.length];
      if (!task) return false;
      await run(task, () => task.goOn());
      if (task.doc !== undefined) await look(docOf(task.doc));
      return true;
    },
    clock: async ({ ms }) => {
      clock.pass(ms);
      return true;
    },
    restart,
  };
  const takeStep = async (step: Step): Promise<boolean> => {
    const does = takes[step.do] as (one: Step) => Promise<boolean>;
    // What was split from another document may not be there.
    if ('doc' in step && !documents[step.doc]) return false;
    const isDone = await does(step);
    if (isDone && 'doc' in step) await look(docOf(step.doc));
    if (isDone) await lookAtParts();
    return isDone;
  };

  /** Everything that is under way comes to its end. */
  const settle = async () => {
    for (let steps = 0; tasks.length > 0 && steps < MOST_ROUNDS; steps++) {
      const [task] = tasks;
      const n = task?.doc ?? 0;
      if (task?.waits() === 'walk') await takeStep({ do: 'go-on', nth: 0 });
      else if (task?.kind === 'send') await takeStep({ do: 'answer', doc: n, said: 'authorized' });
      else await takeStep({ do: 'reply', doc: n, nth: 0, said: 'truth' });
    }
  };
  /** False once nothing is due. */
  const goOn = async (): Promise<boolean> => {
    for (const [doc, { entry, dossier }] of documents.entries()) {
      const last = dossier.arrivals.at(-1);
      if (last && (truthOf(dossier) === 8 || entry?.state === 'contingency')) last.fate = 2;
      await takeStep({ do: 'send', doc });
      await settle();
      await takeStep({ do: 'ask', doc, by: 'watch' });
      await settle();
    }
    // Of these documents only: an earlier walk over the same ledger can leave one that stays due for ever.
    const due = Math.min(...documents.map(({ entry }) => Date.parse(entry?.dueAt ?? '') || Infinity));
    const isReady = documents.some(({ entry }) => entry?.state === 'ready');
    if (due === Infinity && !isReady) return false;
    // No request leaves before the end of a wait that the service asked for.
    const limit = (await leader().ledger.submissions.pauseOf('fr'))?.untilMs ?? 0;
    const nowMs = clock.now().getTime();
    if (due === Infinity && limit <= nowMs) return false;
    clock.pass(Math.max(0, (due === Infinity ? 0 : due) - nowMs, limit - nowMs) + 1);
    return true;
  };
  const finish = async () => {
    await settle();
    for (const doc of documents) if (await admit(doc)) await look(doc);
    let rounds = 0;
    while (complaints.length === 0 && (await goOn())) {
      if (++rounds <= MOST_ROUNDS) continue;
      // A contingency that a person has recorded of a document that never arrived: no service can ever answer for it.
      const due = documents.filter(({ entry }) => entry?.dueAt !== undefined);
      if (due.every(({ entry, dossier }) => entry?.state === 'contingency' && dossier.arrivals.length === 0)) break;
      const left = documents.map(({ entry }) => `${entry?.state} ${entry?.dueAt ?? ''}`).join(', ');
      complaints.push(`due again and again: ${left}`);
    }
    await writeDueReceipts(leader());
    for (const doc of documents) {
      if (doc.entry && complaints.length === 0)
        complain(doc, [...judgeEnd(doc.dossier, doc.entry), ...(await verifyDocument(leader(), clock, doc))]);
    }
    if (documents.some(({ moved }) => moved)) emptyFolders();
  };
  return { documents, tasks: () => tasks, complaints, take: takeStep, finish };
}
