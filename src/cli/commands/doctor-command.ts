/** `doctor`: is everything in place for tonight; one line per check, nothing is sent but a request for a token. */

import type { Command } from 'commander';
import { profileEnds } from '../../authoring/profile-expiry.ts';
import {
  backupChecks,
  checkWritableFolders,
  diskChecks,
  inboxChecks,
  leftoverChecks,
  permissionChecks,
  secretChecks,
} from '../../doctor/doctor-folders.ts';
import { ledgerChecks } from '../../doctor/doctor-ledger.ts';
import { clockChecks, environmentChecks, versionChecks } from '../../doctor/doctor-machine.ts';
import { serviceChecks } from '../../doctor/doctor-services.ts';
import { type DoctorCheck, failed, ok, warning } from '../../doctor/run-doctor.ts';
import { format } from '../../i18n/message.ts';
import { type Instance, makeFolders } from '../../instance/instance.ts';
import { accountName } from '../../model/account-name.ts';
import { OperatorError } from '../../model/fault.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';
import { acceptLedgerOf } from '../../pipeline/maintenance/restore-instance.ts';
import { mappingsWrong, openSessionToLook } from '../session/command-session.ts';
import { refusePrintedReason } from '../session/printed-placeholders.ts';
import { counted, green, red, table, yellow } from '../session/terminal.ts';

type Options = {
  readonly offline?: boolean;
  readonly deep?: boolean;
  readonly acceptLedger?: string;
  readonly hold?: boolean;
};

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .option('--offline', 'do not connect to the services')
    .option('--deep', 'read every page of the ledger')
    .option(
      '--accept-ledger <reason>',
      'a person confirms: this ledger, here and with these settings, is the one to go on with',
    )
    .option('--hold', 'with --accept-ledger: hold what is queued, because it may have been sent from elsewhere')
    .action(async (given: Options, command: Command) => {
      const { options, terminal, instance } = openSessionToLook(command);
      makeFolders(instance.paths);
      if (given.acceptLedger !== undefined) {
        refuseBlank(given.acceptLedger);
        refusePrintedReason(given.acceptLedger);
        const told = {
          by: accountName(),
          now: new Date(),
          reason: given.acceptLedger,
          hold: given.hold === true,
        };
        const { was, held, quarantine, learnt, unreadable } = acceptLedgerOf(instance, told);
        terminal.talk(
          `The ledger is accepted (it was ${was.send ? 'free to send' : was.code}); ${counted(held, 'document')} held.`,
        );
        if (quarantine) {
          const unread = unreadable.length > 0 ? `, ${counted(unreadable.length, 'file')} cannot be read` : '';
          terminal.talk(
            `It may not be the latest: ${counted(learnt, 'document')} learnt from receipts${unread}. IN QUARANTINE: everything is held. Compare with the service, then: nightpost ledger end-quarantine "REASON"`,
          );
        }
      }
      const checks = await checksOf(instance, given);
      if (options.json) terminal.out(JSON.stringify(checks, null, 2));
      else {
        const shown = options.quiet ? checks.filter(({ result }) => result !== 'ok') : checks;
        if (shown.length > 0) terminal.out(tableOf(shown));
      }
      process.exitCode = checks.some(({ result }) => result === 'error') ? 2 : 0;
    });
}

async function checksOf(instance: Instance, { offline, deep }: Options): Promise<readonly DoctorCheck[]> {
  const { settings, destinations, mappings, warnings } = instance;
  const now = () => new Date();
  const { checks: ledger, busy, lastAt } = await ledgerChecks(instance, { deep: deep === true });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const proxied = destinations.some(({ connection }) => connection.proxy !== undefined);
  return [
    ok('nightpost', PROGRAM_VERSION),
    ...versionChecks(process.versions),
    ...environmentChecks(process.env, proxied),
    ...clockChecks(now(), zone, lastAt),
    instance.unusable
      ? failed(
          'settings and mappings',
          `${settings.environment}: ${format(mappingsWrong(instance.unusable.faults), 'en')}`,
          'until then run and watch end with exit code 2',
        )
      : ok(
          'settings and mappings',
          `${settings.environment}: ${counted(mappings.length, 'mapping')}, ${counted(warnings.length, 'warning')}`,
        ),
    ...profileEnds(settings, mappings, now()).map(({ message, hint }) => warning('rules', message, hint!)),
    ...(await secretChecks(instance)),
    ...diskChecks(instance),
    ...permissionChecks(instance),
    ...checkWritableFolders(instance),
    ...inboxChecks(instance),
    ...(busy ? [] : leftoverChecks(instance)),
    ...ledger,
    ...backupChecks(instance, lastAt, now()),
    ...(offline ? [] : await serviceChecks(instance, now)),
  ];
}

/** What to do stands behind what is wrong. */
function tableOf(checks: readonly DoctorCheck[]): string {
  return table(
    [{ title: '', styled: true }, { title: 'check' }, { title: '' }],
    checks.map(({ what, result, says, hint }) => [sign(result), what, hint === undefined ? says : `${says} - ${hint}`]),
  );
}

/** A decision without a reason is none that anybody could look up later. */
function refuseBlank(reason: string): void {
  if (reason.trim() !== '') return;
  throw new OperatorError('doctor/no-reason', '--accept-ledger needs a reason in words', {
    hint: 'write why this ledger is the right one: --accept-ledger "moved to the new server on 20 November"',
  });
}

function sign(result: DoctorCheck['result']): string {
  if (result === 'ok') return green('ok');
  return result === 'warning' ? yellow('warning') : red('ERROR');
}
