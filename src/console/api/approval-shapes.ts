/** Shapes of the API for acts that wait for another person. Times are ISO 8601 in UTC, amounts exact texts. */
import { z } from 'zod';

const text = z.string();

/** A document for which another person has to approve the act. */
export const WAITS_FOR = z.strictObject({
  id: text,
  number: text,
  why: z.enum(['in-doubt', 'amount']),
  amount: text.optional(),
  currency: text.optional(),
});

export const APPROVAL_LIST = z.strictObject({
  acts: z.array(
    z.strictObject({
      ...{ id: text, act: text, by: text, reason: text, at: z.iso.datetime(), expires: z.iso.datetime() },
      documents: z.int().nonnegative(),
      waitsFor: z.array(WAITS_FOR),
    }),
  ),
});
