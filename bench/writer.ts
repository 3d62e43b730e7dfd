/**
 * Documents to disk, one JSON text a line, in pieces of about 64 KiB: the same writer for everything compared. Text is
 * gathered as text and encoded by the piece, which is its quickest way; bytes are gathered as bytes.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

const PIECE = 64 * 1024;
const LINE_FEED = 10;

export type Writer = {
  readonly line: (json: string) => void;
  readonly bytes: (json: Uint8Array) => void;
  readonly end: () => void;
};

export function writeTo(path: string): Writer {
  const file = openSync(path, 'w');
  const piece = Buffer.allocUnsafe(2 * PIECE);
  let filled = 0;
  let text = '';
  const flush = () => {
    if (text !== '') writeSync(file, text);
    if (filled > 0) writeSync(file, piece, 0, filled);
    text = '';
    filled = 0;
  };
  return {
    line: (json) => {
      text += json;
      text += '\n';
      if (text.length >= PIECE) flush();
    },
    bytes: (json) => {
      if (filled + json.length >= piece.length) flush();
      if (json.length >= piece.length) writeSync(file, json);
      else {
        piece.set(json, filled);
        filled += json.length;
      }
      piece[filled++] = LINE_FEED;
      if (filled >= PIECE) flush();
    },
    end: () => {
      flush();
      closeSync(file);
    },
  };
}
