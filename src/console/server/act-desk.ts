/**
 * The one way by which an act of a person leaves the console, from a form or the API: it is queued, goes on after its answer
 * to the browser, and ends with the console. Keeps what was shown of a selection. The refusal of an act is its answer; what
 * keeps an act from being handed in is thrown as OperatorError.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ActName, PersonAct, SeenDocument } from '../../decisions/act.ts';
import type { ActAnswer } from '../../decisions/act-result.ts';
import { lookOf, type SelectionLook } from '../../decisions/seen-look.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { WorkOptions } from '../../runs/open-run.ts';
import { type ApprovalAnswer, answerApproval, type SubmittedAnswer, submitAct } from '../../runs/submit-act.ts';
import type { People } from '../people/people.ts';
import type { ConsolePerson } from '../people/person.ts';
import { whyNoAct } from './act-halt.ts';

/** An act as a person hands it in. `id`: made when the form was shown, so that a second click is the same act. */
export type HandedAct = {
  readonly id: string;
  readonly act: PersonAct;
  readonly reason: string;
  /** What the person has seen of a selection. */
  readonly look?: SelectionLook | undefined;
};

/** `waits`: it is queued, and the run at work carries it out, or another person has to approve it first. */
export type HandedAnswer = ActAnswer | { readonly waits: 'run' | 'approval' };

/** Who asks, and what the console knows of it. */
type ActAsker = {
  readonly instance: Instance;
  readonly ledger: Ledger;
  readonly person: ConsolePerson;
  readonly people: Pick<People, 'keysOf'>;
  readonly session?: string;
  readonly record: (what: string, detail?: object) => void;
};

export type ActDesk = AsyncDisposable & {
  /** Keeps a selection that is shown. */
  readonly keep: (documents: readonly SeenDocument[]) => SelectionLook;
  /** The documents of a selection; undefined where it was shown too long ago, or by a console before this one. */
  readonly seen: (sha256: string) => readonly SeenDocument[] | undefined;
  /**
   * Hands in acts, each one once for its id, and adds them to the history of people. Resolves once they are answered, or after
   * two seconds, while they go on. Throws the OperatorError that keeps the console from taking an act.
   */
  readonly submit: (asker: ActAsker, acts: readonly HandedAct[]) => Promise<readonly HandedAnswer[]>;
  /** Says what the person thinks of an act that waits for approval. `ended`: it is refused or withdrawn. */
  readonly approve: (
    asker: ActAsker,
    id: string,
    said: { readonly as: 'approved' | 'refused'; readonly reason: string },
  ) => Promise<HandedAnswer | { readonly ended: OperatorError }>;
};

type DeskParts = {
  readonly onEvent: WorkOptions['onEvent'];
  /** Gets an error of an act that no one waits for. */
  readonly report: (error: unknown, number: string) => void;
};

/** Selections of this many documents in all are kept, the latest first. */
const MOST_KEPT = 300_000;
/** Then the page says that it goes on. */
const SOON_MS = 2_000;

export function createActDesk({ onEvent, report }: DeskParts): ActDesk {
  const kept = new Map<string, readonly SeenDocument[]>();
  const ending = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  let count = 0;

  const drop = (sha256: string) => {
    count -= kept.get(sha256)?.length ?? 0;
    kept.delete(sha256);
  };
  const one = async (
    { instance, person, people, session }: ActAsker,
    { id, act, reason, look }: HandedAct,
  ): Promise<HandedAnswer> => {
    const decision = { by: person.name, reason, at: new Date().toISOString() };
    const keys = people.keysOf(person);
    const request = definedOnly({ id, act, decision, session, look, keys });
    return await soon(id, submitAct(instance, request, options).then(answered, refused));
  };
  const options = { stop: ending.signal, onEvent };
  const soon = async <T>(id: string, handed: Promise<T>): Promise<T | { readonly waits: 'run' }> => {
    let isAwaited = true;
    const settled = handed.then(
      () => undefined,
      (error: unknown) => {
        if (!isAwaited) report(error, id);
      },
    );
    atWork.add(settled);
    void settled.then(() => atWork.delete(settled));
    const early = await Promise.race([handed, pause(SOON_MS, undefined, { ref: false })]);
    isAwaited = false;
    return early ?? { waits: 'run' };
  };
  return {
    keep: (documents) => {
      const look = lookOf(documents);
      drop(look.sha256);
      kept.set(look.sha256, documents);
      count += documents.length;
      for (const oldest of kept.keys()) {
        if (count <= MOST_KEPT || oldest === look.sha256) break;
        drop(oldest);
      }
      return look;
    },
    seen: (sha256) => kept.get(sha256),
    submit: async (asker, acts) => {
      const why = await whyNoAct(asker);
      if (why) throw why;
      for (const { id, act, look } of acts) asker.record('act', { id, act: act.act, ...look });
      return await Promise.all(acts.map((act) => one(asker, act)));
    },
    approve: async (asker, id, { as, reason }) => {
      const { instance, person, people } = asker;
      const why = await whyNoAct(asker);
      if (why) throw why;
      asker.record('approval', { id, as });
      const keys = people.keysOf(person);
      const verdict = { as, by: person.name, keys, at: new Date().toISOString(), reason };
      const given = answerApproval(instance, id, verdict, options);
      return await soon(
        id,
        given.then((answer) => ('ended' in answer ? answer : answered(answer)), refused),
      );
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await Promise.all(atWork);
    },
  };
}

function answered(
  answer: SubmittedAnswer<ActName> | Exclude<ApprovalAnswer, { readonly ended: unknown }>,
): HandedAnswer {
  if ('approval' in answer) return { waits: 'approval' };
  return 'accepted' in answer ? { waits: 'run' } : answer;
}

function refused(error: unknown): { readonly error: OperatorError } {
  if (error instanceof OperatorError) return { error };
  throw error;
}
