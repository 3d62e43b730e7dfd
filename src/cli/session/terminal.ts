/**
 * What a person sees: lines wrapped at the width of the terminal, a live line, plain whole lines elsewhere. Data is
 * printed on stdout, everything else on stderr. Text for people passes a filter for secrets and control characters.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { SHORTEST_IN_DATA, scrubRevealed } from '../../instance/secrets.ts';
import { stripTerminalControls } from '../../text/printable.ts';
import { cutEnd, wrapped } from '../layout/layout.ts';
import { asInvoked } from './command-name.ts';

/** The output of a command. Each method adds the line end, except `live`. */
export type Terminal = {
  /** Text for people: lines wider than the terminal are wrapped. */
  readonly out: (text: string) => void;
  /** Data for programs on any output, such as JSON: never wrapped. */
  readonly data: (text: string) => void;
  /** Byte by byte for a pipe or a file, such as a payload; filtered on a screen. */
  readonly exactly: (text: string) => void;
  readonly talk: (text: string) => void;
  /** The live line at the bottom, made where it is shown; an empty text removes it. On a pipe: at most one line per 10 s. */
  readonly live: (text: string | (() => string)) => void;
  /** Columns of the live line. */
  readonly columns: number;
  /** Columns for tables and lines on stdout; Infinity for a pipe, a file, JSON and --full. */
  readonly width: number;
  readonly isLive: boolean;
};

/** Columns of a terminal that does not report its own. */
const USUAL_WIDTH = 80;

/** Milliseconds between two live lines on a terminal, and between two plain lines elsewhere. */
const LIVE_EVERY_MS = 100;
const PLAIN_EVERY_MS = 10_000;

/** The last filter before a screen or a pipe: removes revealed secrets and characters that control a terminal. */
export function shownSafely(text: string): string {
  return stripTerminalControls(scrubRevealed(text));
}

/** The same for data, where a short secret would match parts of numbers and words. */
function dataSafely(text: string): string {
  return stripTerminalControls(scrubRevealed(text, SHORTEST_IN_DATA));
}

type TerminalOptions = {
  readonly quiet?: boolean;
  /** Programs read the output: commands in it stay as they are. */
  readonly json?: boolean;
  /** Nothing is wrapped nor shortened, on a terminal either. */
  readonly full?: boolean;
  readonly now?: () => number;
};

let hasPrinted = false;

/** Whether the command has printed data; a second JSON object after it could not be read. False for the next command. */
export function takePrinted(): boolean {
  const was = hasPrinted;
  hasPrinted = false;
  return was;
}

/** `now` gives milliseconds. With `quiet`, `talk` and `live` print nothing; data is printed always. */
export function openTerminal(options: TerminalOptions = {}): Terminal {
  const now = options.now ?? Date.now;
  // One without a width is no screen: a container that has a terminal for its log, for example.
  const columns = process.stderr.columns ?? 100;
  const isLive = process.stderr.isTTY === true && process.env.TERM !== 'dumb' && columns > 0;
  const isWhole = options.full === true || options.json === true;
  const widthOn = (stream: NodeJS.WriteStream) =>
    isWhole || stream.isTTY !== true ? Number.POSITIVE_INFINITY : stream.columns || USUAL_WIDTH;
  const width = widthOn(process.stdout);
  let shown = '';
  // The first plain line waits a full interval: a short run prints nothing but its result.
  let lastMs = isLive ? 0 : now();
  const clear = () => {
    if (shown !== '') process.stderr.write('\r\u001b[2K');
    shown = '';
  };
  const talk = (text: string) => {
    if (options.quiet) return;
    clear();
    process.stderr.write(`${shownSafely(wrapped(asInvoked(text), widthOn(process.stderr)))}\n`);
  };
  hasPrinted = false;
  const print = (text: string) => {
    hasPrinted = true;
    process.stdout.write(text);
  };
  return {
    isLive,
    columns,
    width,
    talk,
    out: (text) => {
      clear();
      print(`${dataSafely(options.json ? text : wrapped(asInvoked(text), width))}\n`);
    },
    data: (text) => {
      clear();
      print(`${dataSafely(text)}\n`);
    },
    exactly: (text) => {
      clear();
      print(`${process.stdout.isTTY ? dataSafely(text) : text}\n`);
    },
    live: (text) => {
      if (options.quiet) return;
      if (text === '') return clear();
      if (now() - lastMs < (isLive ? LIVE_EVERY_MS : PLAIN_EVERY_MS)) return;
      lastMs = now();
      const line = typeof text === 'string' ? text : text();
      if (!isLive) return void process.stderr.write(`${shownSafely(stripVTControlCharacters(line))}\n`);
      clear();
      shown = shownSafely(cutEnd(line, columns - 1));
      process.stderr.write(shown);
    },
  };
}

/** A bar of `width` characters; full for a total of 0. */
export function bar(done: number, total: number, width = 24): string {
  const full = total === 0 ? width : Math.round((done / total) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}

export const dim = (text: string): string => styleText('dim', text, { stream: process.stdout });
export const bold = (text: string): string => styleText('bold', text, { stream: process.stdout });
export const red = (text: string): string => styleText('red', text, { stream: process.stderr });
export const green = (text: string): string => styleText('green', text, { stream: process.stdout });
export const yellow = (text: string): string => styleText('yellow', text, { stream: process.stdout });
