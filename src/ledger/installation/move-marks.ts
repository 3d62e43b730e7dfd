/**
 * The marks in `meta` of two ledgers between which one moves. `moved`: another one continues this ledger, which never sends
 * again. `arriving`: a copy that counts only once the other one is marked. Both have the commit that was copied.
 */
import { z } from 'zod';

export const ENGINES = ['sqlite', 'postgres'] as const;
/** What keeps a ledger: a file of the instance, or a server. */
export type EngineName = (typeof ENGINES)[number];

const MARK = z.object({
  to: z.enum(ENGINES),
  /** The file or the database as people see it. */
  place: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** The commits of the ledger that was copied. */
  generation: z.int(),
});

export type MoveMark = z.infer<typeof MARK>;
export type MoveMarks = { readonly [name in 'moved' | 'arriving']?: MoveMark };

export function readMoveMarks(meta: ReadonlyMap<string, string>): MoveMarks {
  const marks: { -readonly [name in keyof MoveMarks]: MoveMark } = {};
  for (const name of ['moved', 'arriving'] as const) {
    const text = meta.get(name);
    if (text !== undefined) marks[name] = MARK.parse(JSON.parse(text));
  }
  return marks;
}
