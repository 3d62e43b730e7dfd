/** A break that a proof finds: its code, what is not as it should be, and what that means. */

import type { Message } from '../../i18n/message.ts';
import { FOUND, MEANS } from '../../i18n/messages/pipeline-messages.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';

export type BreakCode = keyof typeof MEANS;

export type Break = {
  readonly code: BreakCode;
  /** What is not as it should be, with what was expected. */
  readonly message: Message;
  readonly means: Message;
  /** Number of the document, or the name of its receipt. */
  readonly document?: string;
  /** Below the instance folder. */
  readonly path?: string;
};

export function broken(code: BreakCode, message: Message, about: Pick<Break, 'document' | 'path'> = {}): Break {
  return { code, message, means: MEANS[code](), ...about };
}

/** Another version of the program may convert in another way: that is for the reader to know. */
export function madeBy({ mapping }: SourceFile, says: Message): Message {
  const program = mapping?.program;
  if (program === undefined || program === PROGRAM_VERSION) return says;
  return FOUND.madeBy({ says, program, version: PROGRAM_VERSION });
}

export function short(sha256: string): string {
  return `${sha256.slice(0, 16)}...`;
}

export function shortOrNone(sha256: string | undefined): string | Message {
  return sha256 === undefined ? FOUND.none() : short(sha256);
}
