/**
 * The context that a task of a walk works in: its ledger stands still before a write and shows what people decide, its service
 * answers when the walk says so, and what is remembered of a service is its own.
 */
import type { WireRequest } from '../../../src/delivery/service.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import type { UndoOutcome } from '../../../src/ledger/contract/submission-store.ts';
import type { Exchange } from '../../../src/model/answer.ts';
import type { Evidence } from '../../../src/model/ledger-entry.ts';
import { must } from '../../../src/model/must.ts';
import type { Clock, RunContext, ServiceRuntime } from '../../../src/pipeline/context/run-context.ts';
import { createCanaryPolicy } from '../../../src/pipeline/service-state/canary-release.ts';
import { createCircuitBreaker } from '../../../src/pipeline/service-state/circuit-breaker.ts';
import { createCommonCauseDetector } from '../../../src/pipeline/service-state/common-cause-stop.ts';
import { createRateController } from '../../../src/pipeline/service-state/rate-controller.ts';
import type { Task } from './task.ts';

export type Watching = {
  readonly decided: (task: Task, id: string, evidence: Evidence) => Promise<void>;
  readonly undone: (id: string) => void;
  readonly answerRecorded: (task: Task) => void;
  readonly onWire: (task: Task, request: WireRequest) => Promise<Exchange>;
};

/** More than a walk leaves in any state. */
const MANY = 1000;

export function watchedWork(work: RunContext, task: Task, watching: Watching): RunContext {
  const { clock } = work;
  const line = lineOf(work, (request) => watching.onWire(task, request));
  return {
    ...work,
    ledger: watchedLedger(work.ledger, task, watching),
    services: new Map([[line.destination.name, line]]),
    stop: task.stop,
    clock: { ...clock, sleep: async () => task.noMoreTime() } satisfies Clock,
    random: () => 0.5,
  };
}

/** The one service of a context that `watchedWork` has made. */
export function lineIn({ services: lines }: RunContext): ServiceRuntime {
  return must([...lines.values()][0], 'the service of a walk');
}

function lineOf(work: RunContext, http: ServiceRuntime['http']): ServiceRuntime {
  const line = lineIn(work);
  const { run } = work.instance.settings;
  const { monotonic } = work.clock;
  const usual = { name: undefined, tokens: { get: async () => 'token', drop: () => {}, retryAt: () => 0 } };
  return {
    ...line,
    http,
    accounts: {
      usual,
      of: async () => usual,
      refuse: () => false,
      withoutRefused: async (due) => due,
      refused: () => undefined,
      forgive: () => {},
    },
    breaker: createCircuitBreaker({ maxErrors: run['max-errors'], monotonic }),
    canary: createCanaryPolicy(0, work.ledger.intake.hasSeen, () => work.day),
    commonCause: createCommonCauseDetector(run['same-cause']),
    rate: createRateController({ ...line.destination.pacing, monotonic }),
    consultRate: createRateController({ concurrency: 1, adaptive: false, spacingMs: 0, monotonic }),
  };
}

type Deciding = ReturnType<Ledger['steps']['stepsOf']>;

function watchedLedger(ledger: Ledger, task: Task, { decided, undone, answerRecorded }: Watching): Ledger {
  const still =
    <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await task.beforeWrite();
      return await write(...args);
    };
  const watched = ({ submissions, corrections }: Deciding) => ({
    recordEvent: still(corrections.recordEvent),
    withdraw: still(submissions.withdraw),
    resolve: still(async (...args: Parameters<Ledger['submissions']['resolve']>): Promise<boolean> => {
      const [id, evidence] = args;
      const isDone = await submissions.resolve(...args);
      if (isDone) await decided(task, id, evidence);
      return isDone;
    }),
    undo: still(async (...args: Parameters<Ledger['submissions']['undo']>): Promise<UndoOutcome> => {
      const outcome = await submissions.undo(...args);
      if (outcome === 'undone') undone(args[0]);
      return outcome;
    }),
  });
  const withWatched = <Given extends Deciding>(given: Given) => {
    const { recordEvent, ...submissions } = watched(given);
    return {
      submissions: { ...given.submissions, ...submissions },
      corrections: { ...given.corrections, recordEvent },
    };
  };
  const { submissions, corrections } = withWatched(ledger);
  return {
    ...ledger,
    corrections: { ...ledger.corrections, ...corrections },
    steps: { ...ledger.steps, stepsOf: (request, seen) => withWatched(ledger.steps.stepsOf(request, seen)) },
    submissions: {
      ...ledger.submissions,
      ...submissions,
      // One document is sent, and the walk itself waits for others.
      due: async (service, nowMs, _, options) =>
        (await ledger.submissions.due(service, nowMs, MANY, options)).filter(({ id }) => id === task.notes.id),
      nextDue: async () => undefined,
      begin: still(ledger.submissions.begin),
      finishWithExchange: still(async (...args: Parameters<Ledger['submissions']['finishWithExchange']>) => {
        await ledger.submissions.finishWithExchange(...args);
        answerRecorded(task);
      }),
      beginConsult: still(async (...args: Parameters<Ledger['submissions']['beginConsult']>) => {
        task.notes.askedMs = Date.parse(args[1].at);
        return await ledger.submissions.beginConsult(...args);
      }),
      finishConsult: still(async (...args: Parameters<Ledger['submissions']['finishConsult']>) => {
        const effect = await ledger.submissions.finishConsult(...args);
        answerRecorded(task);
        return effect;
      }),
    },
  };
}
