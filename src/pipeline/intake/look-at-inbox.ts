/** One look at the inbox under some rules: what is ready and what waits comes back, what is refused is reported. */
import type { InboxMemory } from '../../inbox/at-rest.ts';
import type { InboxRules } from '../../inbox/inbox-rules.ts';
import { type InboxScan, scanAfterSettling, scanInbox } from '../../inbox/scan-inbox.ts';
import type { RunContext } from '../context/run-context.ts';

/** A `run` gives young files one settle time to come to rest; a `watch` looks again. */
export type LookMode = 'run' | 'watch';

export async function lookAtInbox(
  { instance, clock, stop, emit }: RunContext,
  { mode, rules, memory }: { readonly mode: LookMode; readonly rules: InboxRules; readonly memory: InboxMemory },
): Promise<InboxScan> {
  const { inbox } = instance.paths;
  const timing = { now: () => clock.now().getTime(), sleep: (ms: number) => clock.sleep(ms, stop) };
  const look =
    mode === 'run'
      ? await scanAfterSettling(inbox, rules, timing, memory)
      : await scanInbox(inbox, rules, timing.now(), memory);
  for (const fault of look.refused) emit({ what: 'inbox-refused', file: fault.origin?.file ?? '', fault });
  return look;
}

/** What a run leaves for the next one; a file that another program holds was reported before. */
export function reportWaiting({ emit }: Pick<RunContext, 'emit'>, waiting: InboxScan['waiting']): void {
  for (const { name, why } of waiting) if (why !== 'held') emit({ what: 'left-waiting', file: name, why });
}
