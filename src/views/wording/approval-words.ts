/** Why an act waits for another person, and for which acts one is asked, in words. Plain data in, messages out. */
import { decimalText, type Message } from '../../i18n/message.ts';
import { APPROVAL_WHY } from '../../i18n/messages/pipeline-messages.ts';
import type { WaitingDocument } from '../../ledger/contract/approval.ts';
import type { ApprovedBy } from '../../model/ledger-entry.ts';

/** The words of a decision, with the second person if there was one. */
export function withApprover(decision: string, { approvedBy }: ApprovedBy, say: (message: Message) => string): string {
  return approvedBy === undefined ? decision : say(APPROVAL_WHY.approvedBy({ decision, by: approvedBy }));
}

/** One line for one document. */
export function whyApproval({ number, why, amount, currency }: WaitingDocument): Message {
  if (why === 'in-doubt') return APPROVAL_WHY.inDoubt({ number });
  return APPROVAL_WHY.amount({ number, amount: decimalText(amount ?? ''), currency: currency ?? '' });
}
