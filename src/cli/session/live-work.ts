/**
 * One live line at the bottom of a terminal while a command works: what it does, how far it is, for how long. Work comes
 * in, its result comes out, and the line is gone. On a pipe, with --quiet and with --json there is none.
 */
import type { Message } from '../../i18n/message.ts';
import { durationText } from '../../text/duration-text.ts';
import type { CommandOutput } from './command-session.ts';

/** How many are done, of how many if that is known. */
export type Step = (done: number, all?: number) => void;

/** Milliseconds after which the time is written again where the work reports no step. */
const EVERY_MS = 1000;

/** Milliseconds between two counts. */
const STEP_MS = 100;

/** Seconds of work that are not worth a number. */
const SOON = 2;

/** `what` is in lower case: "reading documents". The line is drawn at once, because some work lets no timer run. */
export async function withLiveLine<T>(
  { terminal, options, say }: Pick<CommandOutput, 'terminal' | 'options' | 'say'>,
  what: Message,
  work: (step: Step) => T | Promise<T>,
): Promise<T> {
  if (!terminal.isLive || options.quiet || options.json) return await work(() => {});
  const startedMs = performance.now();
  const words = say(what);
  let counted = '';
  let drawnMs = startedMs;
  const draw = () => {
    drawnMs = performance.now();
    const seconds = (drawnMs - startedMs) / 1000;
    const time = seconds < SOON ? '' : durationText(seconds);
    terminal.live(`  ${[words, counted, time].filter(Boolean).join('  ')}`);
  };
  draw();
  const timer = setInterval(draw, EVERY_MS);
  try {
    return await work((done, all) => {
      // A step may be one of many thousands in a second.
      if (performance.now() - drawnMs < STEP_MS) return;
      counted = all === undefined ? String(done) : `${done}/${all}`;
      draw();
    });
  } finally {
    clearInterval(timer);
    terminal.live('');
  }
}
