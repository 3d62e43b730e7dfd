/**
 * One small life at every point where it can stop: two exports, four documents, one decision, a stop at each write of each command,
 * each way of recovery, then the exports again under other names.
 */
import type { LifeEvent } from './life.ts';
import type { Life } from './simulate.ts';

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

/** Commands that are stopped, with the events before each of them. */
const COMMANDS: readonly { readonly before: readonly LifeEvent[]; readonly stopped: LifeEvent }[] = [
  { before: EXPORTS, stopped: { do: 'run' } },
  { before: [...EXPORTS, { do: 'run' }], stopped: { do: 'fix', n: 2 } },
  { before: [...EXPORTS, { do: 'run' }, { do: 'fix', n: 2 }], stopped: { do: 'run' } },
  { before: [...EXPORTS, { do: 'run' }], stopped: { do: 'restore', age: 0 } },
  { before: [...EXPORTS, { do: 'run' }, { do: 'lose-ledger' }], stopped: { do: 'rebuild' } },
];

/** One of `each`, another one for another seed. `writesOf`: how often the command of each event of a life writes. */
export async function* stopLives(
  seed: number,
  each: number,
  writesOf: (life: Life) => Promise<readonly number[]>,
): AsyncIterable<Life> {
  let n = seed;
  for (const { before, stopped } of COMMANDS) {
    const begin: readonly LifeEvent[] = [{ do: 'backup' }, ...before];
    const writes = (await writesOf({ seed, events: [...begin, stopped] })).at(-1) ?? 0;
    for (let stop = 1; stop <= writes; stop++) {
      for (const recovery of RECOVERIES) {
        if (n++ % each !== 0) continue;
        const after: readonly LifeEvent[] = [{ do: 'run' }, { do: 'fix', n: 2 }, ...AGAIN, { do: 'run' }];
        yield { seed, events: [...begin, { ...stopped, stop } as LifeEvent, ...recovery, ...after] };
      }
    }
  }
}
