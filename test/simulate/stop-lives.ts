/**
 * One small life at every point where it can stop: two exports, four documents, one decision, a stop at each write of each command,
 * each way of recovery, then the exports again under other names.
 */
import type { LifeEvent } from './life.ts';
import type { Life } from './simulate.ts';

type Stopped = (stop: number) => LifeEvent;

const EXPORTS: readonly LifeEvent[] = [
  {
    do: 'export',
    file: 1,
    lines: [
      { n: 1, quantity: '2' },
      { n: 2, quantity: '2O' },
    ],
  },
  {
    do: 'export',
    file: 2,
    lines: [
      { n: 3, quantity: '1' },
      { n: 4, quantity: '3' },
    ],
  },
];
const AGAIN: readonly LifeEvent[] = [
  { do: 'again', of: 1, file: 3 },
  { do: 'again', of: 2, file: 4 },
];

/** Ways back: what an administrator does after the stop. */
const RECOVERIES: readonly (readonly LifeEvent[])[] = [
  [],
  [{ do: 'restore', age: 0 }, { do: 'end-quarantine' }],
  [{ do: 'lose-ledger' }, { do: 'rebuild' }, { do: 'end-quarantine' }],
  [{ do: 'accept' }],
];

/** Commands that are stopped, with what comes before them, and more writes than each of them has. */
const COMMANDS: readonly {
  readonly before: readonly LifeEvent[];
  readonly stopped: Stopped;
  readonly writes: number;
}[] = [
  { before: EXPORTS, stopped: (stop) => ({ do: 'run', stop }), writes: 400 },
  { before: [...EXPORTS, { do: 'run' }], stopped: (stop) => ({ do: 'fix', n: 2, stop }), writes: 120 },
  { before: [...EXPORTS, { do: 'run' }, { do: 'fix', n: 2 }], stopped: (stop) => ({ do: 'run', stop }), writes: 220 },
  { before: [...EXPORTS, { do: 'run' }], stopped: (stop) => ({ do: 'restore', age: 0, stop }), writes: 70 },
  {
    before: [...EXPORTS, { do: 'run' }, { do: 'lose-ledger' }],
    stopped: (stop) => ({ do: 'rebuild', stop }),
    writes: 90,
  },
];

/** One of `each`, another one for another seed. */
export function* stopLives(seed: number, each: number): Iterable<Life> {
  let n = seed;
  for (const { before, stopped, writes } of COMMANDS) {
    for (let stop = 1; stop <= writes; stop++) {
      for (const recovery of RECOVERIES) {
        if (n++ % each !== 0) continue;
        const events: readonly LifeEvent[] = [
          { do: 'backup' },
          ...before,
          stopped(stop),
          ...recovery,
          { do: 'run' },
          { do: 'fix', n: 2 },
          ...AGAIN,
          { do: 'run' },
        ];
        yield { seed: seed + stop, events };
      }
    }
  }
}
