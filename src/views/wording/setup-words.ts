/** What differs between two programs on one ledger, as a list for a message: version, settings, and mappings by their ids. */
import type { Message } from '../../i18n/message.ts';
import { WORKER_SETUP } from '../../i18n/messages/pipeline-messages.ts';
import type { SetupDifference } from '../../pipeline/context/other-setup.ts';
import { escapeControls } from '../../text/printable.ts';

export function differingWords({ version, settings, mappings }: SetupDifference): readonly Message[] {
  return [
    ...(version ? [WORKER_SETUP.version()] : []),
    ...(settings ? [WORKER_SETUP.settings()] : []),
    ...(mappings.length > 0 ? [WORKER_SETUP.mappings({ mappings: mappings.map(escapeControls) })] : []),
  ];
}
