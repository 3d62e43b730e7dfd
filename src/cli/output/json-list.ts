/** One JSON list on standard output, written item by item, because it may be larger than memory. */
import type { Terminal } from '../session/terminal.ts';

/** `close` completes the list, also an empty one. Where an error ends the command before, only a list that is begun is completed. */
export type JsonList = { readonly add: (item: object) => void; readonly close: () => void } & Disposable;

/** Prints each item on a line of its own. */
export function openJsonList({ data }: Pick<Terminal, 'data'>): JsonList {
  let separator = '[';
  let isClosed = false;
  const close = () => {
    isClosed = true;
    data(separator === '[' ? '[]' : ']');
  };
  return {
    add: (item) => {
      data(separator + JSON.stringify(item));
      separator = ',';
    },
    close,
    [Symbol.dispose]: () => {
      if (!isClosed && separator !== '[') close();
    },
  };
}
