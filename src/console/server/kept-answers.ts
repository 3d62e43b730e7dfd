/**
 * Answers about a whole ledger for pages that are opened often and by many: they have the same one as long as nothing changes.
 * While a night writes, it is asked for again only when twenty times its own cost has passed; after an act it is new.
 */
import type { InstanceView } from './screen-context.ts';

/** At most a twentieth of the time goes into one answer. */
const TIMES = 20;

/** `key`: what it is about; `version`: of all that it depends on. */
type Question = { readonly key: string; readonly version: unknown };

type Kept<T> = Question & { readonly acts: number; readonly answer: Promise<T>; goodUntil: number };

/** Keeps the last answer by folder of the instance. */
export function keepAnswers<T>() {
  const kept = new Map<string, Kept<T>>();
  return (
    { folder, acts }: { readonly folder: string } & Pick<InstanceView, 'acts'>,
    { key, version }: Question,
    ask: () => Promise<T>,
  ): Promise<T> => {
    const before = kept.get(folder);
    if (before?.key === key && before.acts === acts) {
      if (before.version === version || performance.now() < before.goodUntil) return before.answer;
    }
    const startedAt = performance.now();
    const now: Kept<T> = { key, version, acts, answer: ask(), goodUntil: Number.POSITIVE_INFINITY };
    kept.set(folder, now);
    now.answer.then(
      () => {
        const endedAt = performance.now();
        now.goodUntil = endedAt + TIMES * (endedAt - startedAt);
      },
      () => {
        if (kept.get(folder) === now) kept.delete(folder);
      },
    );
    return now.answer;
  };
}
