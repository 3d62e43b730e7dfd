/** Lines about expected exports that are missing, refused or duplicate, with times on the clock of this machine. */

import { format, type Language } from '../../i18n/message.ts';
import { EXPECTED_EXPORT } from '../../i18n/messages/cli-report-messages.ts';
import type { Expected } from '../../pipeline/intake/expected-exports.ts';
import { escapeControls } from '../../text/printable.ts';

/** One line for each expectation that is not met, indented by two spaces. Arrived exports have none. */
export function expectedLines(expected: readonly Expected[], language: Language): readonly string[] {
  return expected.flatMap(({ name, files, due, since, state, file }) => {
    if (state === 'arrived') return [];
    const when = EXPECTED_EXPORT.when({ since: localTime(since), due: localTime(due) });
    const says =
      state === 'missing'
        ? EXPECTED_EXPORT.missing({ name, files, when })
        : EXPECTED_EXPORT[state]({ name, file: escapeControls(file ?? files), when });
    return [`  ${format(says, language)}`];
  });
}

/** 2026-11-21 02:00, on the clock of this machine. */
export function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE').slice(0, 16);
}
