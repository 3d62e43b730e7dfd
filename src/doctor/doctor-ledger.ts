/** The ledger: may it send, is it sound, does a run work with it now. */
import type { Instance } from '../instance/instance.ts';
import { ledgerHealth } from '../ledger/ledger-health.ts';
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
    const { busy, problems, lastAt } = ledgerHealth(instance.folder, options);
    await using ledger = await lookIntoLedgerOf(instance);
    const { guard } = ledger;
    const quarantine = await ledger.quarantine();
    const checks = [
      guard.send
        ? ok('ledger', 'may send')
        : failed('ledger', `nothing is sent (${guard.code}): ${guard.reason}`, 'docs/how-to/admin/no-send-mode.md'),
      ...(quarantine
        ? [
            warning(
              'ledger, quarantine',
              `${quarantine.why} on ${quarantine.at} by ${quarantine.by}; all documents are held`,
              'compare with the service, then: nightpost ledger end-quarantine REASON',
            ),
          ]
        : []),
      witnessElsewhere(instance),
      ...(problems === undefined ? [] : [integrity(problems)]),
      ok('run', busy ? 'one is at work now' : 'none is at work'),
    ];
    return { checks, busy, ...(lastAt === undefined ? {} : { lastAt }) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const check = failed(
      'ledger',
      `${error.code}: ${error.message}`,
      error.hint ?? 'docs/how-to/admin/backup-and-move.md',
    );
    return { checks: [check], busy: false };
  }
}

/** A tool that writes old bytes into the same files leaves no trace on this machine that a change of owner does not leave too. */
function witnessElsewhere({ settings }: Instance): DoctorCheck {
  const folder = settings.ledger['witness-folder'];
  return folder === undefined
    ? warning(
        'ledger, witness elsewhere',
        'none: a restored snapshot, or rsync --inplace over the whole folder, is not noticed',
        'set ledger.witness-folder to a folder on another machine (docs/how-to/admin/backup-and-move.md)',
      )
    : ok('ledger, witness elsewhere', folder);
}

function integrity(problems: readonly string[]): DoctorCheck {
  return problems.length === 0
    ? ok('ledger, every page', 'sound')
    : failed(
        'ledger, every page',
        problems.join('; '),
        'keep the file as it is and restore the latest backup of state/',
      );
}
