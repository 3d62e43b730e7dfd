/**
 * Checks the channels of notices: their secrets, and whether mail servers accept the sign-in and receivers a connection. Nothing
 * is sent. Findings are warnings, because a night does not depend on them.
 */
import { NOTICE_CHECK, NOTICE_STATUS } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { localeOf } from '../instance/locale.ts';
import { OperatorError } from '../model/fault.ts';
import { checkChannels } from '../notices/try-channels.ts';
import { lookIntoLedgerOf } from '../runs/open-run.ts';
import { localTime } from '../text/local-time.ts';
import { readNoticeCounts } from '../views/queries/notice-counts.ts';
import { type DoctorCheck, ok, warning } from './run-doctor.ts';

/** One check for each channel; `offline` reads their secrets alone. */
export async function noticeChecks(instance: Instance, offline: boolean): Promise<readonly DoctorCheck[]> {
  if (offline) {
    const found = await instance.secrets.inspect(instance.settings.notify);
    return found.flatMap(({ name, problem }) => {
      if (!problem) return [];
      return [warning(NOTICE_CHECK.what({ channel: name }), problem.texts.message, NOTICE_CHECK.hint({ channel: '' }))];
    });
  }
  const [trials, off] = [await checkChannels(instance), await switchedOff(instance)];
  return trials.map(({ channel, problem, says = NOTICE_CHECK.reached() }) => {
    const what = NOTICE_CHECK.what({ channel });
    if (problem) return warning(what, problem, NOTICE_CHECK.hint({ channel }));
    const since = off.get(channel);
    if (since === undefined) return ok(what, says);
    return warning(
      what,
      NOTICE_STATUS.offShort({ channel, since: localTime(since, localeOf(instance.settings)) }),
      NOTICE_CHECK.switchOn({ channel }),
    );
  });
}

/** Channels by name, with the time since when; none where the ledger does not open, a finding of its own check. */
async function switchedOff(instance: Instance): Promise<ReadonlyMap<string, string>> {
  if (instance.settings.notify.length === 0) return new Map();
  try {
    await using ledger = await lookIntoLedgerOf(instance);
    const { off } = await readNoticeCounts({ instance, ledger });
    return new Map(off.map(({ channel, since }) => [channel, since]));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return new Map();
  }
}
