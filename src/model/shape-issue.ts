/**
 * Problems that a shape of settings or mappings finds by its own checks: issues of zod that keep their message, so that
 * it can be shown in each language. Nothing is formatted before a value is wrong.
 */
import type { z } from 'zod';
import { format, type Message } from '../i18n/message.ts';

/** A problem of a value; `path` leads from the checked value to the key to correct. */
export type ShapeProblem = { readonly path: readonly (string | number)[]; readonly problem: Message };

/** Adds the problem as an issue, for `superRefine`. Its message is English; `problemOfIssue` returns all languages. */
export function addProblem(context: z.core.$RefinementCtx, problem: Message, path: ShapeProblem['path'] = []): void {
  context.addIssue({ code: 'custom', path: [...path], message: format(problem, 'en'), params: { problem } });
}

/** The second argument of `refine`: the check reports the problem, at `path` if it is not about the whole value. */
export function refusedWith(problem: Message, path: ShapeProblem['path'] = []) {
  return { path: [...path], error: () => format(problem, 'en'), params: { problem } };
}

/** The message of an issue; undefined if the check has a text alone. */
export function problemOfIssue(issue: z.core.$ZodIssue): Message | undefined {
  if (issue.code !== 'custom') return undefined;
  const { problem } = (issue.params ?? {}) as { readonly problem?: Message };
  return problem;
}
