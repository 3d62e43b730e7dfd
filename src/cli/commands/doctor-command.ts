/**
 * `doctor`: checks that everything is ready for the next run. Output: one line per check; exit code 2 if one is an
 * error. It sends nothing but requests for a token. `--accept-ledger` ends no-send mode first, with a recorded reason.
 */

import type { Command } from 'commander';
import { checkWholeInstance } from '../../doctor/all-checks.ts';
import { type DoctorCheck, localizeCheck } from '../../doctor/run-doctor.ts';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { DOCTOR_CHECK, DOCTOR_REPORT } from '../../i18n/messages/doctor-messages.ts';
import { makeOwnFolders } from '../../instance/instance.ts';
import { acceptLedgerOf } from '../../maintenance/restore-instance.ts';
import { accountName } from '../../model/account-name.ts';
import { definedItems } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { afterActs } from '../../runs/open-run.ts';
import { table } from '../layout/layout.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionToDiagnose } from '../session/command-session.ts';
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

/** Makes missing folders but the inbox, so that the checks of folders can write into them. */
async function diagnose(given: Options, command: Command): Promise<void> {
  const session = openSessionToDiagnose(command);
  const { options, terminal, instance } = session;
  const { language } = instance.settings.rules;
  const say = (text: Message) => format(text, language);
  makeOwnFolders(instance.paths);
  if (given.acceptLedger !== undefined) {
    const reason = given.acceptLedger;
    refuseBlank(reason);
    refusePrintedReason(reason);
    const { was, held, quarantine, learnt, unreadable } = await afterActs(
      (onWait) =>
        acceptLedgerOf(instance, { by: accountName(), now: new Date(), reason, hold: given.hold === true }, onWait),
      (holder) => terminal.talk(say(holder)),
    );
    terminal.talk(say(DOCTOR_REPORT.accepted({ was: was.send ? DOCTOR_REPORT.freeToSend() : was.code, count: held })));
    if (quarantine) {
      const unread = unreadable.length > 0 ? DOCTOR_REPORT.unread({ count: unreadable.length }) : '';
      terminal.talk(say(DOCTOR_REPORT.mayBeOld({ count: learnt, unread })));
    }
  }
  const checks = await withLiveLine(session, LIVE.checking(), async () => await checkWholeInstance(instance, given));
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
