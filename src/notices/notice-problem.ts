/** Why a notice was not sent, in words without secrets: no address of a webhook, no answer of a server. */
import { format, type Language, type Message, verbatimText } from '../i18n/message.ts';
import { NOTICE_PROBLEM } from '../i18n/messages/console/console-notices-messages.ts';
import { OperatorError } from '../model/fault.ts';

/** `gone`: the receiver reported that it is gone for good (HTTP 410). */
export class NoticeProblem extends Error {
  readonly says: Message;
  readonly gone: boolean;

  constructor(says: Message, { gone = false }: { readonly gone?: boolean } = {}) {
    super(format(says, 'en'));
    this.name = 'NoticeProblem';
    this.says = says;
    this.gone = gone;
  }
}

/** The words of any error of a try. An unknown one is named by its code alone. */
export function problemWords(error: unknown): Message {
  if (error instanceof NoticeProblem) return error.says;
  if (error instanceof OperatorError) return error.texts.message;
  const code = (error as { readonly code?: unknown })?.code;
  return NOTICE_PROBLEM.other({ code: typeof code === 'string' ? code : nameOf(error) });
}

export function problemText(error: unknown, language: Language): string {
  return format(problemWords(error), language);
}

function nameOf(error: unknown): Message {
  return verbatimText(error instanceof Error ? error.name : 'error');
}
