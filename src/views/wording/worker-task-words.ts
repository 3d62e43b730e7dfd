/** The tasks that one program has at a time on a ledger that several share, in words: from the names of its roles. */
import { type Message, verbatimText } from '../../i18n/message.ts';
import { WORKER_TASK } from '../../i18n/messages/pipeline-messages.ts';

const PLAIN = ['receipts', 'expected', 'acts'] as const;
const SEND = 'send ';

/** A role of a later version keeps its name. */
export function taskWords(roles: readonly string[]): readonly Message[] {
  return roles.map((role) => {
    const plain = PLAIN.find((one) => one === role);
    if (plain) return WORKER_TASK[plain]();
    return role.startsWith(SEND) ? WORKER_TASK.send({ service: role.slice(SEND.length) }) : verbatimText(role);
  });
}
