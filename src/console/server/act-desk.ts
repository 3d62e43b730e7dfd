/**
 * Takes acts of people for the console: an act goes on after its answer to the browser, and ends with the console. Keeps
 * what was shown of a selection, so that an act is about what the person has seen. Refusals are thrown as OperatorError.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from '../../instance/instance.ts';
import { OperatorError } from '../../model/fault.ts';
import type { ActName, SeenDocument } from '../../pipeline/decisions/act.ts';
import type { SelectionLook } from '../../pipeline/decisions/propose-act.ts';
import type { WorkOptions } from '../../pipeline/open-run.ts';
import { type SubmittedAct, submitAct } from '../../pipeline/submit-act.ts';
import { sha256Hex } from '../../text/sha256.ts';

export type ActDesk = AsyncDisposable & {
  /** Keeps a selection that is shown. */
  readonly keep: (documents: readonly SeenDocument[]) => SelectionLook;
  /** The documents of a selection; undefined where it was shown too long ago, or by a console before this one. */
  readonly seen: (sha256: string) => readonly SeenDocument[] | undefined;
  /**
   * Resolves once the act is carried out, or after two seconds, while it goes on. Throws the OperatorError that keeps it from
   * being carried out; the refusal of an act is its answer, which stays.
   */
  readonly submit: <Name extends ActName>(instance: Instance, acts: readonly SubmittedAct<Name>[]) => Promise<void>;
};

type DeskParts = {
  readonly tell: WorkOptions['tell'];
  /** Gets an error of an act that no one waits for. */
  readonly report: (error: unknown, number: string) => void;
};

/** Selections of this many documents in all are kept, the latest first. */
const MOST_KEPT = 300_000;
/** Then the page says that it goes on. */
const SOON_MS = 2_000;

export function createActDesk({ tell, report }: DeskParts): ActDesk {
  const kept = new Map<string, readonly SeenDocument[]>();
  const ending = new AbortController();
  const atWork = new Set<Promise<unknown>>();
  let count = 0;

  const drop = (sha256: string) => {
    count -= kept.get(sha256)?.length ?? 0;
    kept.delete(sha256);
  };
  return {
    keep: (documents) => {
      const sha256 = selectionHash(documents);
      drop(sha256);
      kept.set(sha256, documents);
      count += documents.length;
      for (const oldest of kept.keys()) {
        if (count <= MOST_KEPT || oldest === sha256) break;
        drop(oldest);
      }
      return { count: documents.length, sha256 };
    },
    seen: (sha256) => kept.get(sha256),
    submit: async (instance, acts) => {
      let isAwaited = true;
      const options = { stop: ending.signal, tell };
      const carriedOut = Promise.all(acts.map((act) => submitAct(instance, act, options)));
      const settled = carriedOut.then(
        () => undefined,
        (error: unknown) => {
          // The refusal of an act is recorded as its answer.
          if (!isAwaited && !(error instanceof OperatorError)) report(error, acts[0]?.id ?? '');
        },
      );
      atWork.add(settled);
      void settled.then(() => atWork.delete(settled));
      await Promise.race([carriedOut, pause(SOON_MS, undefined, { ref: false })]);
      isAwaited = false;
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await Promise.all(atWork);
    },
  };
}

export function selectionHash(documents: readonly SeenDocument[]): string {
  return sha256Hex(JSON.stringify(documents.map(({ id, revision }) => [id, revision])));
}
