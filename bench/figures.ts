/** Figures that several groups show. */
import type { Figure, Round } from './group.ts';
import type { Result } from './result.ts';

type Goal = Figure['goal'];

const figure = (says: string, unit: string, of: Figure['of'], goal?: Goal): Figure => ({
  says,
  unit,
  of,
  ...(goal && { goal }),
});

export const rate = (says: string, run: string) =>
  figure(says, '/s', (round) => round[run] && round[run].documents / round[run].seconds);

/** How much faster `run` is, document by document. */
export function speed(says: string, run: string, other: string, goal?: Goal): Figure {
  const secondsOf = (round: Round, name: string) => round[name] && round[name].seconds / round[name].documents;
  return figure(says, 'x', (round) => quotient(secondsOf(round, other), secondsOf(round, run)), goal);
}

/** Processor time against that of another run, document by document. */
export function processorTimes(says: string, run: string, other: string, goal?: Goal): Figure {
  const secondsOf = (round: Round, name: string) => round[name] && round[name].cpuSeconds / round[name].documents;
  return figure(says, 'x', (round) => quotient(secondsOf(round, run), secondsOf(round, other)), goal);
}

/** Time against that of another run. */
export const times = (says: string, run: string, other: string, goal?: Goal) =>
  figure(says, 'x', (round) => quotient(round[run]?.seconds, round[other]?.seconds), goal);

export const processorTime = (says: string, run: string) => each(says, run, ({ cpuSeconds }) => cpuSeconds);

/** Of something that a run counts in seconds, the part of each document. */
export function each(says: string, run: string, seconds: (result: Result) => number | undefined): Figure {
  return figure(says, 'us', (round) => {
    const whole = round[run] && seconds(round[run]);
    return whole && (whole / round[run]!.documents) * 1e6;
  });
}

export const more = (says: string, run: string, name: string, unit: string, goal?: Goal) =>
  figure(says, unit, (round) => round[run]?.more?.[name], goal);

export const peak = (says: string, run: string, goal?: Goal) => figure(says, 'MB', (round) => round[run]?.peakMb, goal);

export const ratio = (says: string, of: Figure['of'], goal?: Goal) => figure(says, 'x', of, goal);

export function quotient(value: number | undefined, by: number | undefined): number | undefined {
  return value && by && value / by;
}

export function thousands(count: number): string {
  return count.toLocaleString('en');
}
