/**
 * An act that a form with the hidden fields `key` and `reason` sends: its key makes it one act however often it is sent. Throws
 * ScreenError 400 for a form that is not whole, and 409 with the words of the refusal.
 */

import type { PersonAct } from '../../decisions/act.ts';
import { ACT_FORM } from '../../i18n/messages/console/console-files-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import type { HandedAnswer } from '../server/act-desk.ts';
import { type ScreenContext, ScreenError } from '../server/screen-context.ts';

const KEY = /^[\w-]{8,64}$/;
const MOST_SIGNS = 500;

/** The text of a field, not empty. */
export function requiredField({ form }: Pick<ScreenContext, 'form'>, name: string): string {
  const value = form.get(name);
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MOST_SIGNS) return value.trim();
  throw new ScreenError({ status: 400, message: ACT_FORM.incomplete() });
}

/** Resolves to the result, or to what the act waits for. */
export async function submitForm(
  context: ScreenContext,
  act: PersonAct,
): Promise<Exclude<HandedAnswer, { readonly error: unknown }>> {
  const [key, reason] = [requiredField(context, 'key'), requiredField(context, 'reason')];
  if (!KEY.test(key)) throw new ScreenError({ status: 400, message: ACT_FORM.incomplete() });
  const handed = { id: `${context.person.id}-${key}`, act, reason };
  const [answer = { waits: 'run' as const }] = await context.desk.submit(context, [handed]).catch(refused);
  return 'error' in answer ? refused(answer.error) : answer;
}

function refused(error: unknown): never {
  if (!(error instanceof OperatorError)) throw error;
  const { message, hint } = error.texts;
  throw new ScreenError({ status: 409, message, ...(hint && { hint }) });
}
