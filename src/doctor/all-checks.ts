/**
 * All checks of `doctor` for one instance, in the order of the report: the command and the console run them. They send
 * nothing but requests for a token, and sign in to mail servers. Throws OperatorError `config/folder-unusable`.
 */

import { verbatimText } from '../i18n/message.ts';
import { DOCTOR_CHECK, DOCTOR_REPORT } from '../i18n/messages/doctor-messages.ts';
import { inboxAway, isInboxAway } from '../inbox/inbox-away.ts';
import { openParts } from '../instance/foreign-writers.ts';
import type { Instance } from '../instance/instance.ts';
import { profileEnds } from '../instance/profile-expiry.ts';
import { MESSAGE } from '../model/fault.ts';
import { PROGRAM_BUILD } from '../model/program.ts';
import { mappingsWrong } from '../views/wording/mapping-words.ts';
import { answerChecks } from './doctor-answers.ts';
import { consoleChecks } from './doctor-console.ts';
import {
  backupChecks,
  checkWritableFolders,
  diskChecks,
  inboxChecks,
  leftoverChecks,
  permissionChecks,
  secretChecks,
} from './doctor-folders.ts';
import { ledgerChecks } from './doctor-ledger.ts';
import { clockChecks, environmentChecks, versionChecks } from './doctor-machine.ts';
import { metricsChecks } from './doctor-metrics.ts';
import { mountChecks } from './doctor-mount.ts';
import { noticeChecks } from './doctor-notices.ts';
import { serviceChecks } from './doctor-services.ts';
import { inTheWayChecks, shareChecks } from './doctor-share.ts';
import { type DoctorCheck, failed, ok, warning } from './run-doctor.ts';

/** `offline` leaves out the services; `deep` reads every page of the ledger. */
export type CheckDepth = { readonly offline?: boolean; readonly deep?: boolean };

export async function checkWholeInstance(
  instance: Instance,
  { offline, deep }: CheckDepth,
): Promise<readonly DoctorCheck[]> {
  const { settings, destinations, mappings } = instance;
  // Nothing else is looked at: a secret could run a command of another account.
  if (openParts(instance.folder, instance.config).length > 0)
    return [settingsCheck(instance), ...permissionChecks(instance)];
  const now = () => new Date();
  const { checks: ledger, busy, isRead, lastAt } = await ledgerChecks(instance, { deep: deep === true });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const proxied = destinations.some(({ connection }) => connection.proxy !== undefined);
  const leftovers = busy ? [] : await leftoverChecks(instance);
  const services = offline ? [] : await serviceChecks(instance, now);
  return [
    ok(DOCTOR_CHECK.nightpost(), verbatimText(PROGRAM_BUILD)),
    ...versionChecks(process.versions),
    ...environmentChecks(process.env, { proxied, settings }),
    ...clockChecks(now(), zone, lastAt),
    settingsCheck(instance),
    ...profileEnds(settings, mappings, now()).map((fault) => {
      const { message, hint = verbatimText(fault.hint ?? '') } = fault[MESSAGE] ?? {
        message: verbatimText(fault.message),
      };
      return warning(DOCTOR_CHECK.rules(), message, hint);
    }),
    ...(await secretChecks(instance)),
    ...(isInboxAway(instance.paths.inbox) ? [inboxAwayCheck(instance)] : folderChecks(instance)),
    ...(await answerChecks(instance)),
    ...metricsChecks(instance),
    ...leftovers,
    ...ledger,
    ...(isRead ? backupChecks(instance, lastAt, now()) : []),
    ...(await consoleChecks(instance, now())),
    ...services,
    ...(await noticeChecks(instance, offline === true)),
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

function folderChecks(instance: Instance): readonly DoctorCheck[] {
  return [
    ...diskChecks(instance),
    ...mountChecks(instance),
    ...permissionChecks(instance),
    ...shareChecks(instance),
    ...checkWritableFolders(instance),
    ...inTheWayChecks(instance),
    ...inboxChecks(instance),
  ];
}

function inboxAwayCheck({ paths }: Instance): DoctorCheck {
  const { message, hint = verbatimText('') } = inboxAway(paths.inbox).texts;
  return failed(DOCTOR_CHECK.inbox(), message, hint);
}
