/** The ledger: may it send, is it sound, does a run work with it now. */
import { type Message, verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_LEDGER } from '../i18n/messages/doctor-messages.ts';
import { QUARANTINE_CAUSE } from '../i18n/messages/ledger-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { inspectLedger } from '../ledger/ledger-health.ts';
import { definedOnly } from '../model/defined-only.ts';
import { OperatorError } from '../model/fault.ts';
import { lookIntoLedgerOf } from '../pipeline/open-run.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

export type LedgerChecks = {
  readonly checks: readonly DoctorCheck[];
  readonly busy: boolean;
  readonly lastAt?: string;
};

/** Only looks, so that it may be asked while a run works. */
export async function ledgerChecks(instance: Instance, options: { readonly deep: boolean }): Promise<LedgerChecks> {
  try {
    const { busy, problems, lastAt } = inspectLedger(instance.folder, options);
    await using ledger = await lookIntoLedgerOf(instance);
    const { guard } = ledger;
    const quarantine = await ledger.quarantine();
    const checks = [
      guard.send
        ? ok(DOCTOR_CHECK.ledger(), DOCTOR_LEDGER.maySend())
        : failed(
            DOCTOR_CHECK.ledger(),
            DOCTOR_LEDGER.noSend({ code: guard.code, reason: guard.reason }),
            DOCTOR_LEDGER.noSendHint(),
          ),
      ...(quarantine
        ? [
            warning(
              DOCTOR_CHECK.quarantine(),
              DOCTOR_LEDGER.quarantine({ ...quarantine, why: QUARANTINE_CAUSE[quarantine.why]() }),
              DOCTOR_LEDGER.quarantineHint(),
            ),
          ]
        : []),
      witnessElsewhere(instance),
      ...(problems === undefined ? [] : [integrity(problems)]),
      ok(DOCTOR_CHECK.run(), busy ? DOCTOR_LEDGER.atWork() : DOCTOR_LEDGER.noneAtWork()),
    ];
    return definedOnly({ checks, busy, lastAt });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const check = failed(
      DOCTOR_CHECK.ledger(),
      DOCTOR_LEDGER.problem({ code: error.code, text: error.texts.message }),
      error.texts.hint ?? DOCTOR_LEDGER.problemHint(),
    );
    return { checks: [check], busy: false };
  }
}

/** A tool that writes old bytes into the same files leaves no trace on this machine that a change of owner does not leave too. */
function witnessElsewhere({ settings }: Instance): DoctorCheck {
  const folder = settings.ledger['witness-folder'];
  return folder === undefined
    ? warning(DOCTOR_CHECK.witness(), DOCTOR_LEDGER.noWitness(), DOCTOR_LEDGER.noWitnessHint())
    : ok(DOCTOR_CHECK.witness(), verbatimText(folder));
}

function integrity(problems: readonly Message[]): DoctorCheck {
  return problems.length === 0
    ? ok(DOCTOR_CHECK.pages(), DOCTOR_LEDGER.sound())
    : failed(DOCTOR_CHECK.pages(), DOCTOR_LEDGER.damaged({ problems }), DOCTOR_LEDGER.damagedHint());
}
