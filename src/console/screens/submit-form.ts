/**
 * An act that a form sends: its id makes it one act however often it is sent, its reason is kept. Throws ScreenError 400 for a
 * form that is not whole, and 409 with the words of the refusal.
 */
import { ACT_FORM } from '../../i18n/messages/console/console-files-messages.ts';
import { OperatorError } from '../../model/fault.ts';
import type { ActName, ActOf } from '../../pipeline/decisions/act.ts';
import { type SubmittedAnswer, submitAct } from '../../pipeline/submit-act.ts';
import { type ScreenContext, ScreenError } from '../server/screen-context.ts';

/** An answer that takes longer waits for the run at work. */
const WAIT_MS = 2000;
const ID = /^[\w-]{8,64}$/;
const MOST_SIGNS = 500;

/** The text of a field, not empty. */
export function requiredField({ form }: Pick<ScreenContext, 'form'>, name: string): string {
  const value = form.get(name);
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MOST_SIGNS) return value.trim();
  throw new ScreenError({ status: 400, message: ACT_FORM.incomplete() });
}

/** Reads `id` and `reason` of the form. `accepted`: the run at work carries it out later. */
export async function submitForm<Name extends ActName>(
  context: ScreenContext,
  act: ActOf<Name>,
): Promise<SubmittedAnswer<Name>> {
  const { instance, person } = context;
  const [key, reason] = [requiredField(context, 'id'), requiredField(context, 'reason')];
  if (!ID.test(key)) throw new ScreenError({ status: 400, message: ACT_FORM.incomplete() });
  const decision = { by: person.name, reason, at: new Date().toISOString() };
  // A browser that leaves does not end what a person has decided.
  const options = { tell: () => {}, stop: new AbortController().signal, waitMs: WAIT_MS };
  try {
    return await submitAct(instance, { id: `${person.id}-${key}`, act, decision }, options);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message, hint } = error.texts;
    throw new ScreenError({ status: 409, message, ...(hint && { hint }) });
  }
}
