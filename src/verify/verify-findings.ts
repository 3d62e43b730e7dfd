/** A break that a proof finds: its code, the difference, and what it means for the operator. Plain data. */

import type { Message } from '../i18n/message.ts';
import { FOUND, MEANS } from '../i18n/messages/pipeline-messages.ts';
import { documentName, type SourceFile } from '../model/ledger-entry.ts';
import { PROGRAM_BUILD } from '../model/program.ts';

/** `verify/...`, as in docs/reference/faults.md. */
export type BreakCode = keyof typeof MEANS;

/** One difference; a proof reports all of them and continues. */
export type Break = {
  readonly code: BreakCode;
  /** The difference, with the expected value. */
  readonly message: Message;
  readonly means: Message;
  /** Number of the document, or the name of its receipt. */
  readonly document?: string;
  /** Below the instance folder. */
  readonly path?: string;
  /** Number of the event. */
  readonly event?: number;
};

/** A break with the meaning of its code. */
export function broken(code: BreakCode, message: Message, about: Pick<Break, 'document' | 'path'> = {}): Break {
  return { code, message, means: MEANS[code](), ...about };
}

/** Whether another version or build of the program read the file: it may convert and refuse in another way. */
export function isOfOtherProgram({ mapping }: SourceFile): boolean {
  return mapping !== undefined && mapping.program !== PROGRAM_BUILD;
}

/** Adds the version of the program if it is another one. */
export function madeBy(file: SourceFile, says: Message): Message {
  const { program = '' } = file.mapping ?? {};
  return isOfOtherProgram(file) ? FOUND.madeBy({ says, program, version: PROGRAM_BUILD }) : says;
}

/** The first 16 digits, enough to compare by eye. */
export function short(sha256: string): string {
  return `${sha256.slice(0, 16)}...`;
}

export function shortOrNone(sha256: string | undefined): string | Message {
  return sha256 === undefined ? FOUND.none() : short(sha256);
}

/** The document that a break is about. */
export function aboutOf(document: Parameters<typeof documentName>[0]): { readonly document: string } {
  return { document: documentName(document) };
}
