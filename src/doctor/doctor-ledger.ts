/**
 * Checks the ledger: whether it may send, is sound, and is in use by a run. Input: an instance. Output: checks; an
 * OperatorError of the ledger becomes a failed check, any other error is thrown.
 */
import { type Message, verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_LEDGER, DOCTOR_POSTGRES } from '../i18n/messages/doctor-messages.ts';
import { QUARANTINE_CAUSE } from '../i18n/messages/ledger-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import type { Quarantine } from '../ledger/contract/intake-store.ts';
import type { SendGuard } from '../ledger/contract/ledger.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import type { RecordedWorker } from '../ledger/contract/worker-store.ts';
import { inspectLedger } from '../ledger/ledger-health.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import { differenceBetween, leadOf } from '../pipeline/context/other-setup.ts';
import { ledgerPlaceOf, lookIntoLedgerOf } from '../runs/open-run.ts';
import { appendAll } from '../text/long-lists.ts';
import { differingWords } from '../views/wording/setup-words.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

/**
 * `busy`: a run holds the lock. `isRead`: the ledger could be opened. `lastAt`: when it was last written (ISO 8601); undefined
 * without documents.
 */
export type LedgerChecks = {
  readonly checks: readonly DoctorCheck[];
  readonly busy: boolean;
  readonly isRead: boolean;
  readonly lastAt?: string;
};

/** Reads only, so it is safe while a run works. `deep` reads every page of the database. */
export async function ledgerChecks(instance: Instance, options: { readonly deep: boolean }): Promise<LedgerChecks> {
  try {
    const site = ledgerSiteOf(instance);
    const { busy, problems, lastAt } = await inspectLedger(ledgerPlaceOf(instance), options);
    await using ledger = await lookIntoLedgerOf(instance);
    const { guard } = ledger;
    const quarantine = await ledger.intake.quarantine();
    const checks = [guardCheck(guard)];
    if (quarantine) checks.push(quarantineCheck(quarantine));
    checks.push(witnessElsewhere(instance));
    if (site.postgres) {
      appendAll(checks, [
        ...(await serverChecks(site.postgres, problems)),
        ...workerChecks(await ledger.workers.list()),
      ]);
    } else if (problems) checks.push(integrity(problems));
    checks.push(ok(DOCTOR_CHECK.run(), busy ? DOCTOR_LEDGER.atWork() : DOCTOR_LEDGER.noneAtWork()));
    return definedOnly({ checks, busy, isRead: true, lastAt });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const check = failed(
      DOCTOR_CHECK.ledger(),
      DOCTOR_LEDGER.problem({ code: error.code, text: error.texts.message }),
      error.texts.hint ?? DOCTOR_LEDGER.problemHint(),
    );
    return { checks: [check], busy: false, isRead: false };
  }
}

/** Loads the driver of the server only where the settings name one. */
async function serverChecks(
  postgres: NonNullable<LedgerSite['postgres']>,
  problems: readonly Message[] | undefined,
): Promise<readonly DoctorCheck[]> {
  const { pagesCheck, postgresChecks } = await import('./doctor-postgres.ts');
  const place = await postgres();
  return [...(problems ? [await pagesCheck(place, problems)] : []), ...(await postgresChecks(place))];
}

/** A ledger in no-send mode is an error: its guard gives code and reason. */
function guardCheck(guard: SendGuard): DoctorCheck {
  if (guard.send) return ok(DOCTOR_CHECK.ledger(), guard.rebinds ?? DOCTOR_LEDGER.maySend());
  const { code, reason } = guard;
  return failed(DOCTOR_CHECK.ledger(), DOCTOR_LEDGER.noSend({ code, reason }), DOCTOR_LEDGER.noSendHint());
}

function quarantineCheck({ at, by, why }: Quarantine): DoctorCheck {
  const says = DOCTOR_LEDGER.quarantine({ at, by, why: QUARANTINE_CAUSE[why]() });
  return warning(DOCTOR_CHECK.quarantine(), says, DOCTOR_LEDGER.quarantineHint());
}

/**
 * A tool that puts old bytes into the same files leaves no trace on this machine: only a witness elsewhere detects it.
 */
function witnessElsewhere({ settings }: Instance): DoctorCheck {
  const folder = settings.ledger['witness-folder'];
  if (folder !== undefined) return ok(DOCTOR_CHECK.witness(), verbatimText(folder));
  return warning(DOCTOR_CHECK.witness(), DOCTOR_LEDGER.noWitness(), DOCTOR_LEDGER.noWitnessHint());
}

/** The problems that SQLite reports for its pages. */
function integrity(problems: readonly Message[]): DoctorCheck {
  if (problems.length === 0) return ok(DOCTOR_CHECK.pages(), DOCTOR_LEDGER.sound());
  return failed(DOCTOR_CHECK.pages(), DOCTOR_LEDGER.damaged({ problems }), DOCTOR_LEDGER.damagedHint());
}

/** Watches that share the ledger: each that takes no files, because it differs from the one that writes receipts. */
function workerChecks(workers: readonly RecordedWorker[]): readonly DoctorCheck[] {
  const what = DOCTOR_CHECK.workers();
  const lead = leadOf(workers);
  const living = workers.filter(({ goneMs }) => goneMs === undefined);
  const waiting = living.flatMap((one) => {
    const differs = lead && differenceBetween(one, lead);
    if (!differs) return [];
    const { host, pid } = one;
    const says = DOCTOR_POSTGRES.workerWaits({ host, pid: String(pid), what: differingWords(differs) });
    return [warning(what, says, DOCTOR_POSTGRES.workerWaitsHint())];
  });
  return waiting.length > 0 ? waiting : [ok(what, DOCTOR_POSTGRES.workersAlike({ count: living.length }))];
}
