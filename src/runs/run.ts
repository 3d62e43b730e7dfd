/**
 * One pass: settle what a stop left, ingest what arrived, send what is due, consult about documents without an outcome,
 * publish everything. Intake and sending run in parallel; the first failure ends both and is thrown.
 */

import { refuseRequests } from '../decisions/requests/refuse-requests.ts';
import { serveRequests } from '../decisions/requests/serve-requests.ts';
import { createTurns } from '../files/turns.ts';
import { reportLastAnswers } from '../pipeline/answers/report-answers.ts';
import { endingTogether } from '../pipeline/context/end-together.ts';
import { type Intake, openIntake } from '../pipeline/context/intake-signal.ts';
import type { RunContext, ServiceHalt } from '../pipeline/context/run-context.ts';
import { reportMissingExports } from '../pipeline/intake/expected-exports.ts';
import { ingestAll, ingestSuspects } from '../pipeline/intake/ingest-all.ts';
import { takeControlFiles } from '../pipeline/intake/take-control-files.ts';
import { startReceiptWriter } from '../pipeline/publishing/publish-results.ts';
import { withPublishing, withWakeUps } from '../pipeline/publishing/with-publishing.ts';
import { takeDecisions } from '../pipeline/reprocessing/folder-decisions.ts';
import { consultDue } from '../pipeline/submission/consult-due.ts';
import { holdQueuedOfMapping } from '../pipeline/submission/hold-queued-documents.ts';
import { sendDue } from '../pipeline/submission/send-due.ts';
import { assertMaySend } from './recover-run.ts';
import { settleLeftovers } from './take-over.ts';

export type RunOptions = {
  /** Paths of files to take at once, whatever their age; absent: everything the inbox holds. */
  readonly files?: readonly string[];
  /** Convert and admit, but send nothing. */
  readonly ingestOnly?: boolean;
  /**
   * A report follows, and then `closeReportWindow`: until then the ledger keeps the time of the first unreported run.
   */
  readonly reported?: boolean;
};

/** One night: ends when everything that can be done now is done. Returns the services, or mappings, that stopped. */
export async function run(context: RunContext, options: RunOptions = {}): Promise<readonly ServiceHalt[]> {
  await refuseRequests(context);
  if (options.reported)
    await assertMaySend(context).ledger.maintenance.openReportWindow(context.startedAt.toISOString());
  await settleLeftovers(assertMaySend(context));
  const { ready = 0 } = await context.ledger.queries.counts({ states: ['ready'] });
  if (ready > 0) context.emit({ what: 'queued', documents: ready });
  // Before a receipt is written or a document sent: a person has moved receipts as they were then.
  await takeDecisions(context);
  const { own, failed, throwFailure } = endingTogether(context);
  const receipts = startReceiptWriter(context, failed);
  const intake = openIntake();
  const halted = await withPublishing(context, receipts, async () => {
    const hearing = withWakeUps(own, receipts.wake, intake.admitted);
    const turn = createTurns();
    let isAsked = false;
    const done = () => {
      isAsked = true;
      intake.admitted();
    };
    await using requests = serveRequests(hearing, { turn, done, failed, tries: 0 });
    const ingested = ingestAll(hearing, 'run', { files: options.files, between: intake.letSend, turn })
      .then(async () => await takeControlFiles(own, 'run'))
      .then(async () => await reportMissingExports(own, new Set()))
      .catch(failed)
      .finally(intake.ended);
    const send = async () => (options.ingestOnly ? [] : await sendEverything(own, receipts.wake, intake));
    const stops = (await send().catch(failed)) ?? [];
    await ingested;
    throwFailure();
    const more = (await ingestSuspects(hearing, turn)) ? await send() : [];
    await requests[Symbol.asyncDispose]();
    // What people asked for is carried out, and sent by this run too. A service that stopped is not waited for again.
    const late = isAsked && stops.length + more.length === 0 ? await send() : [];
    throwFailure();
    const others = [...more, ...late].filter(
      ({ service, cause }) => !stops.some((one) => one.service === service && one.cause === cause),
    );
    return [...stops, ...others, ...(await heldLate(context))];
  });
  await reportLastAnswers(context);
  return halted;
}

/** Services in parallel: one that is closed does not delay the other. */
async function sendEverything(context: RunContext, wake: () => void, intake: Intake): Promise<readonly ServiceHalt[]> {
  const { run: settings } = context.instance.settings;
  const following = withWakeUps(context, wake, undefined, intake.sent);
  const stops = await Promise.all(
    [...context.services.values()].map(async (runtime) => {
      const stop = await sendDue(following, runtime, settings['give-up-after'], intake.follow());
      if (stop) context.emit({ what: 'service-stopped', ...stop });
      await consultDue(following, runtime, settings['consult-per-minute']);
      return stop ?? [];
    }),
  );
  return stops.flat();
}

/** Documents that came after their mapping was held; and each held mapping, for the end of the run. */
async function heldLate(context: RunContext): Promise<readonly ServiceHalt[]> {
  const stops: ServiceHalt[] = [];
  for (const { commonCause: sameCause } of context.services.values()) {
    for (const kept of sameCause.allKept()) {
      await holdQueuedOfMapping(context, kept);
      const { due, documents } = kept;
      const { says } = kept.hold;
      const [service, mapping] = [due.service, due.mapping.id];
      if (documents > 0) context.emit({ what: 'mapping-held', service, mapping, says, documents });
      stops.push({ service, cause: 'same-cause', mapping, says });
    }
  }
  return stops;
}
