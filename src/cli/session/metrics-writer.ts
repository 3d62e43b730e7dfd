/**
 * Keeps the metrics of a run or a watch: counts while it works, writes the file of the settings at the end, or each minute.
 * A failure is reported once on standard error; it changes neither a document nor an exit code.
 */

import { createTurns } from '../../files/turns.ts';
import { MONITOR } from '../../i18n/messages/cli-session-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { mayDo } from '../../pipeline/context/may-do.ts';
import { openRunMeters, type RunMeters } from '../../runs/run-meters.ts';
import { escapeControls } from '../../text/printable.ts';
import type { Session } from './command-session.ts';

export type MetricsWriter = {
  readonly meters: RunMeters;
  /** Never rejects; one at a time. */
  readonly write: (ledger: Ledger) => Promise<void>;
};

/** Undefined where the settings ask for no metrics: then nothing is counted. */
export function openMetricsWriter({ instance, terminal, say }: Session): MetricsWriter | undefined {
  if (!wantsMetrics(instance)) return undefined;
  const meters = openRunMeters(instance.folder);
  let reported: string | undefined;
  const inTurn = createTurns();
  const write = async (ledger: Ledger) => {
    // Of several watches one writes the file, with what the ledger has of all of them.
    if (!mayDo({ ledger }, 'receipts')) return;
    try {
      const { publishMetrics } = await import('../../runs/textfile.ts');
      await publishMetrics({ instance, ledger, now: new Date() }, meters);
      reported = undefined;
    } catch (error) {
      const { code, message, path = '' } = error as NodeJS.ErrnoException;
      const why = code === undefined ? message : `${code} ${escapeControls(path)}`.trim();
      if (why !== reported) terminal.talk(`  ${say(MONITOR.notWritten({ why }))}`);
      reported = why;
    }
  };
  return {
    meters,
    write: (ledger) => inTurn(() => write(ledger)),
  };
}

function wantsMetrics({ settings }: Instance): boolean {
  return settings.metrics.textfile !== undefined || settings.serve.metrics !== undefined;
}
