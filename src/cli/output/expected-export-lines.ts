/** Lines about expected exports that are missing, refused or duplicate, with times on the clock of the instance. */

import { format } from '../../i18n/message.ts';
import { WAIVE } from '../../i18n/messages/cli-decisions-messages.ts';
import { EXPECTED_EXPORT } from '../../i18n/messages/cli-report-messages.ts';
import type { Expected } from '../../pipeline/intake/expected-exports.ts';
import { type Locale, localTime } from '../../text/local-time.ts';
import { escapeControls } from '../../text/printable.ts';

/** One line for each expectation that is not met, indented by two spaces. Arrived exports have none. */
export function expectedLines(expected: readonly Expected[], locale: Locale): readonly string[] {
  return expected.flatMap(({ name, files, due, since, state, file, by, reason }) => {
    if (state === 'arrived' || state === 'not-due') return [];
    if (state === 'waived') {
      const waived = { name, due: localTime(due, locale), by: by ?? '', reason: escapeControls(reason ?? '') };
      return [`  ${format(WAIVE.line(waived), locale.language)}`];
    }
    const when = EXPECTED_EXPORT.when({ since: localTime(since, locale), due: localTime(due, locale) });
    const says =
      state === 'missing'
        ? EXPECTED_EXPORT.missing({ name, files, when })
        : EXPECTED_EXPORT[state]({ name, file: escapeControls(file ?? files), when });
    return [`  ${format(says, locale.language)}`];
  });
}
