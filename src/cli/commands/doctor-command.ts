/**
 * `doctor`: checks that everything is ready for the next run. Output: one line per check; exit code 2 if one is an
 * error. It sends nothing but requests for a token. `--accept-ledger` ends no-send mode first, with a recorded reason.
 */

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
import { shareChecks } from '../../doctor/doctor-share.ts';
import { type DoctorCheck, failed, localizeCheck, ok, warning } from '../../doctor/run-doctor.ts';
import { format, type Language, type Message, verbatimText } from '../../i18n/message.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { DOCTOR_CHECK, DOCTOR_REPORT } from '../../i18n/messages/doctor-messages.ts';
import { type Instance, makeFolders } from '../../instance/instance.ts';
import { accountName } from '../../model/account-name.ts';
import { definedItems } from '../../model/defined-only.ts';
import { MESSAGE, OperatorError } from '../../model/fault.ts';
import { PROGRAM_VERSION } from '../../model/program.ts';
import { acceptLedgerOf } from '../../pipeline/maintenance/restore-instance.ts';
import { afterActs } from '../../pipeline/open-run.ts';
import { table } from '../layout/layout.ts';
import type { CommandModule } from '../session/command-module.ts';
import { mappingsWrong, openSessionToLook } from '../session/command-session.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { withLiveLine } from '../session/live-work.ts';
import { refusePrintedReason } from '../session/printed-placeholders.ts';
import { green, red, yellow } from '../session/terminal.ts';

type Options = {
  readonly offline?: boolean;
  readonly deep?: boolean;
  readonly acceptLedger?: string;
  readonly hold?: boolean;
};

export const doctorCommand: CommandModule = { run: diagnose };

/** Makes missing folders, so that the checks of folders can write into them. */
async function diagnose(given: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance } = session;
  const { language } = instance.settings.rules;
  const say = (text: Message) => format(text, language);
  makeFolders(instance.paths);
  if (given.acceptLedger !== undefined) {
    const reason = given.acceptLedger;
    refuseBlank(reason);
    refusePrintedReason(reason);
    const { was, held, quarantine, learnt, unreadable } = await afterActs(
      () => acceptLedgerOf(instance, { by: accountName(), now: new Date(), reason, hold: given.hold === true }),
      (holder) => terminal.talk(say(holder)),
    );
    terminal.talk(say(DOCTOR_REPORT.accepted({ was: was.send ? DOCTOR_REPORT.freeToSend() : was.code, count: held })));
    if (quarantine) {
      const unread = unreadable.length > 0 ? DOCTOR_REPORT.unread({ count: unreadable.length }) : '';
      terminal.talk(say(DOCTOR_REPORT.mayBeOld({ count: learnt, unread })));
    }
  }
  const checks = await withLiveLine(session, LIVE.checking(), async () => await checksOf(instance, given));
  // The name of the thing is a key for programs, in English.
  const spoken = checks.map((check) => ({ ...localizeCheck(check, language), what: check.what }));
  if (options.json) terminal.out(JSON.stringify(spoken, null, 2));
  else {
    const shown = checks.filter(({ result }) => !options.quiet || result !== 'ok');
    if (shown.length > 0)
      terminal.out(
        tableOf(
          shown.map((check) => localizeCheck(check, language)),
          language,
        ),
      );
  }
  process.exitCode = exitCodeIf(
    checks.some(({ result }) => result === 'error'),
    2,
  );
}

/** All checks in the order of the report. `offline` leaves out the services; `deep` reads every page of the ledger. */
async function checksOf(instance: Instance, { offline, deep }: Options): Promise<readonly DoctorCheck[]> {
  const { settings, destinations, mappings } = instance;
  const now = () => new Date();
  const { checks: ledger, busy, lastAt } = await ledgerChecks(instance, { deep: deep === true });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const proxied = destinations.some(({ connection }) => connection.proxy !== undefined);
  const leftovers = busy ? [] : leftoverChecks(instance);
  const services = offline ? [] : await serviceChecks(instance, now);
  return [
    ok(DOCTOR_CHECK.nightpost(), verbatimText(PROGRAM_VERSION)),
    ...versionChecks(process.versions),
    ...environmentChecks(process.env, proxied),
    ...clockChecks(now(), zone, lastAt),
    settingsCheck(instance),
    ...profileEnds(settings, mappings, now()).map((fault) => {
      const { message, hint = verbatimText(fault.hint ?? '') } = fault[MESSAGE] ?? {
        message: verbatimText(fault.message),
      };
      return warning(DOCTOR_CHECK.rules(), message, hint);
    }),
    ...(await secretChecks(instance)),
    ...diskChecks(instance),
    ...permissionChecks(instance),
    ...shareChecks(instance),
    ...checkWritableFolders(instance),
    ...inboxChecks(instance),
    ...leftovers,
    ...ledger,
    ...backupChecks(instance, lastAt, now()),
    ...services,
  ];
}

function settingsCheck({ settings, mappings, warnings, unusable }: Instance): DoctorCheck {
  const { environment } = settings;
  if (unusable) {
    const wrong = mappingsWrong(unusable.faults);
    const hint = DOCTOR_REPORT.settingsWrongHint();
    return failed(DOCTOR_CHECK.settings(), DOCTOR_REPORT.settingsWrong({ environment, wrong }), hint);
  }
  const counts = { mappings: mappings.length, warnings: warnings.length };
  return ok(DOCTOR_CHECK.settings(), DOCTOR_REPORT.settingsOk({ environment, ...counts }));
}

/** One row per check: result, name, finding and its hint. */
function tableOf(checks: readonly DoctorCheck[], language: Language): string {
  return table(
    [{ title: '', styled: true }, { title: format(DOCTOR_CHECK.title(), language) }, { title: '' }],
    checks.map(({ what, result, says, hint }) => [
      sign(result, language),
      what,
      definedItems([says, hint]).join(' - '),
    ]),
  );
}

/** Throws `doctor/no-reason`: the recorded reason is the only explanation of this decision later. */
function refuseBlank(reason: string): void {
  if (reason.trim() !== '') return;
  throw new OperatorError('doctor/no-reason', DOCTOR_REPORT.noReason(), {
    hint: DOCTOR_REPORT.noReasonHint(),
  });
}

const COLORS = { ok: green, warning: yellow, error: red };

/** The result as a colored word. */
function sign(result: DoctorCheck['result'], language: Language): string {
  return COLORS[result](format(DOCTOR_CHECK[result](), language));
}
