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

/** English text -> its message. Other issues than those of own checks have no room for more than a text. */
const reported = new Map<string, Message>();

/** The error of a type, a pattern or a union: what is wrong with every other value. */
export function expecting(problem: Message) {
  const error = () => {
    const text = format(problem, 'en');
    reported.set(text, problem);
    return text;
  };
  return { error };
}

/** The message of an issue; undefined if zod worded it. A wrong key has the message of its own check. */
export function problemOfIssue(issue: z.core.$ZodIssue): Message | undefined {
  if (issue.code === 'invalid_key') return issue.issues.map(problemOfIssue).find((one) => one !== undefined);
  if (issue.code !== 'custom') return reported.get(issue.message);
  const { problem } = (issue.params ?? {}) as { readonly problem?: Message };
  return problem;
}
