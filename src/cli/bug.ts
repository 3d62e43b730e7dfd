/** An error that is a bug of ours, for the report of it: message and places, without the properties that may hold secrets. */
import { printable } from '../model/printable.ts';

/** The message on its own line, whatever is in it, then where it happened. */
export function bugText(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const places = (error.stack ?? '').split('\n').filter((line) => /^ {4}at [^\s]/.test(line));
  return [`${error.name}: ${printable(error.message)}`, ...places].join('\n');
}
