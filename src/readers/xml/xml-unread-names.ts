/**
 * Names of the elements next to the documents that no path reads, once each: a kind of document may be among them.
 * Names in, rows left out for the summary out; nothing throws.
 */
import type { SkippedRow } from '../../model/row.ts';

/** The most names of one file that are reported. */
export const MAX_UNREAD = 100;

/**
 * `drain` returns the new ones since the last call; `first` the first of the file, for the message about a file without
 * rows.
 */
export function collectUnread() {
  const names = new Set<string>();
  let leftOut: SkippedRow[] = [];
  let first: { readonly name: string; readonly line: number } | undefined;
  const add = (name: string, line: number) => {
    if (names.size >= MAX_UNREAD || names.has(name)) return;
    names.add(name);
    first ??= { name, line };
    leftOut.push({ row: line, rule: `no path of the mapping reads <${name}>, first on line ${line}` });
  };
  const drain = () => {
    const batch = leftOut;
    leftOut = [];
    return batch;
  };
  return { add, drain, first: () => first };
}
