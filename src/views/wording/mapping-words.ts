/** How errors of mappings are worded in one line: the faults come in, a message comes out. */
import type { Message } from '../../i18n/message.ts';
import { SESSION } from '../../i18n/messages/cli-session-messages.ts';
import { type Fault, isError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { showMarked } from '../../yaml/yaml-document.ts';

/** The first error with its place, and the number of others. `faults` must contain an error. */
export function mappingsWrong(faults: readonly Fault[]): Message {
  const [first, ...others] = faults.filter(isError);
  const [fault = ''] = showMarked(must(first, 'the fault of a mapping')).split('\n', 1);
  if (others.length === 0) return SESSION.mappingInvalid({ fault });
  return SESSION.mappingsInvalid({ fault, more: String(others.length) });
}
