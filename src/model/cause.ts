/**
 * Why documents wait, in one word that every command accepts (`--cause`): a fault code or the rule of a hold; a failed
 * check with its place, as each is a cause of its own; a code of a service; or that a person set them aside.
 */
import type { Mark } from './fault.ts';

export const SET_ASIDE_CAUSE = 'set-aside';

export type Cause =
  | { readonly of: 'fault'; readonly code: string; readonly mark?: Pick<Mark, 'file' | 'line'> }
  | { readonly of: 'answer'; readonly service: string; readonly code: string }
  | { readonly of: 'person' };

/** `map/check-failed:mappings/sales.yaml:26`. */
export function faultCause(code: string, { file, line }: Pick<Mark, 'file' | 'line'>): string {
  return `${code}:${file}:${line}`;
}

/** `fr:6`. */
export function answerCause(service: string, code: number): string {
  return `${service}:${code}`;
}

/** A text of no other form is a code: an unknown code finds no document. */
export function readCause(text: string): Cause {
  if (text === SET_ASIDE_CAUSE) return { of: 'person' };
  const [, service, answer = ''] = /^([a-z]+):(\d+)$/.exec(text) ?? [];
  if (service !== undefined) return { of: 'answer', service, code: answer };
  const [, code, file = '', line] = /^([^:]+):(.+):(\d+)$/.exec(text) ?? [];
  return code === undefined ? { of: 'fault', code: text } : { of: 'fault', code, mark: { file, line: Number(line) } };
}
