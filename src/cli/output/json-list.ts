/** One JSON list on standard output, written item by item, because it may be larger than memory. */
import type { Terminal } from '../session/terminal.ts';

/** `close` completes the list, also an empty one. */
export type JsonList = { readonly add: (item: object) => void; readonly close: () => void };

/** Prints each item on a line of its own. */
export function openJsonList({ data }: Pick<Terminal, 'data'>): JsonList {
  let separator = '[';
  return {
    add: (item) => {
      data(separator + JSON.stringify(item));
      separator = ',';
    },
    close: () => data(separator === '[' ? '[]' : ']'),
  };
}
