/**
 * Fail-overs of a PostgreSQL server, in turn: killed and promoted, killed and started again, with commits that stop waiting for
 * the standby, and without waiting at all. What was sent is never ready again, or the witness shows that the ledger is behind.
 */
import { type FailOver, failOver } from '../ledger/postgres/fail-over.ts';
import { failOverOfProgram } from '../ledger/postgres/whole-fail-over.ts';
import type { TimeLimit } from './limit.ts';
import { randomFrom } from './random.ts';

const KINDS: readonly {
  readonly name: string;
  readonly how: Pick<FailOver, 'synchronous' | 'cancels' | 'restarts'>;
}[] = [
  { name: 'asynchronous', how: { synchronous: false } },
  { name: 'synchronous', how: { synchronous: true } },
  { name: 'cancelled', how: { synchronous: true, cancels: true } },
  { name: 'restarted', how: { synchronous: false, restarts: true } },
];

type Plan = {
  readonly overs: number;
  readonly seed: number;
  readonly limit: TimeLimit;
  readonly report: (figures: FailOvers) => void;
};

export type FailOvers = {
  readonly overs: number;
  /** By kind: documents sent, and those of them that the new primary would send again. */
  readonly sent: { readonly [kind: string]: number };
  readonly forgotten: { readonly [kind: string]: number };
  readonly faults: readonly string[];
};

export async function failOverAgain({ overs, seed, limit, report }: Plan): Promise<FailOvers> {
  const random = randomFrom(seed);
  const [sent, forgotten, faults]: [{ [kind: string]: number }, { [kind: string]: number }, string[]] = [{}, {}, []];
  const figures = (done: number): FailOvers => ({ overs: done, sent, forgotten, faults });
  let done = 0;
  for (; done < overs && !limit.isOver(done); done++) {
    const { name, how } = KINDS[done % KINDS.length]!;
    const [delayMs, sends] = [100 + random.below(300), 40 + random.below(120)];
    const result = await failOver({ ...how, delayMs, sends });
    sent[name] = (sent[name] ?? 0) + result.sent;
    forgotten[name] = (forgotten[name] ?? 0) + result.forgotten;
    if (result.forgotten > 0 && !(name === 'asynchronous' && result.found)) {
      faults.push(`seed ${seed}, ${name} ${done + 1}: ${result.forgotten} of ${result.sent} sent are ready again`);
    }
    report(figures(done + 1));
  }
  // A standby that is behind has to lose some: otherwise this rig shows nothing.
  if (done > 0 && forgotten.asynchronous === 0) faults.push(`seed ${seed}: no asynchronous fail-over forgot anything`);
  // The program itself, each time at other work.
  faults.push(...(await failOverOfProgram(seed % 2 === 0 ? 'run' : 'watch')));
  return figures(done);
}
