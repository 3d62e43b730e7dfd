/** Documents to disk, one JSON text a line, in pieces of about 64 KiB: the same writer for everything compared. */
import { closeSync, openSync, writeSync } from 'node:fs';

const PIECE = 64 * 1024;

export type Writer = { readonly line: (json: string) => void; readonly end: () => void };

export function writeTo(path: string): Writer {
  const file = openSync(path, 'w');
  let text = '';
  const flush = () => {
    writeSync(file, text);
    text = '';
  };
  return {
    line: (json) => {
      text += json;
      text += '\n';
      if (text.length >= PIECE) flush();
    },
    end: () => {
      flush();
      closeSync(file);
    },
  };
}
