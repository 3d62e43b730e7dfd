/**
 * The notices of a console that no watch works next to: urgent topics, such as that no run began or that nothing is sent, and what waits in the outbox.
 * It takes the lock of the instance only when there is something to record, and never while another program has it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { lookIntoLedgerOf, openLedgerOf } from '../runs/open-run.ts';
import { channelsOf } from './channel.ts';
import { composeReports } from './compose-notices.ts';
import { deliverDue } from './deliver-notices.ts';
import { openDirectNotices } from './direct-notices.ts';

const LOOK_MS = 60_000;

/** Until `stop`. `read` gives the instance with the settings of now. */
export async function followFromConsole(read: () => Instance, stop: AbortSignal): Promise<void> {
  const lookOnce = consoleLook(read);
  while (!stop.aborted) {
    await sleep(LOOK_MS, undefined, { signal: stop, ref: false }).catch(() => undefined);
    if (stop.aborted) return;
    // Settings that cannot be read, a ledger in use or away: the next look may find them.
    await lookOnce(new Date(), stop).catch(() => undefined);
  }
}

/** A function for one look, and what follows from it. It throws what keeps it from looking. */
export function consoleLook(read: () => Instance): (at: Date, stop: AbortSignal) => Promise<void> {
  const direct = openDirectNotices();
  return async (at, stop) => await lookOnce(read(), direct, at, stop);
}

async function lookOnce(
  instance: Instance,
  direct: ReturnType<typeof openDirectNotices>,
  at: Date,
  stop: AbortSignal,
): Promise<void> {
  if (channelsOf(instance).length === 0) return;
  const now = () => at;
  const reportsOf = (ledger: Ledger) => composeReports({ instance, ledger }, { scope: 'now', now: at });
  {
    await using look = await lookIntoLedgerOf(instance);
    if (!look.guard.send) return void (await direct({ instance, ledger: look }, at));
    const waiting = await look.notices.channelsDue(now().getTime());
    if (waiting.length === 0 && (await reportsOf(look)).length === 0) return;
  }
  await using ledger = await openLedgerOf(instance);
  const reports = await reportsOf(ledger);
  if (reports.length > 0) await ledger.notices.addNotices(reports);
  await deliverDue({ instance, ledger, now, stop });
}
