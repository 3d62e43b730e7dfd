/**
 * Checks the channels of notices: their secrets, and whether mail servers accept the sign-in and receivers a connection. Nothing
 * is sent. Findings are warnings, because a night does not depend on them.
 */
import { NOTICE_CHECK } from '../i18n/messages/console/console-notices-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { checkChannels } from '../notices/try-channels.ts';
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
  const trials = await checkChannels(instance);
  return trials.map(({ channel, problem, says = NOTICE_CHECK.reached() }) => {
    const what = NOTICE_CHECK.what({ channel });
    return problem ? warning(what, problem, NOTICE_CHECK.hint({ channel })) : ok(what, says);
  });
}
