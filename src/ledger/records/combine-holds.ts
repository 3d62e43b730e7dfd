/** One hold of several reasons: a document has the rule of one, and the sentences of all. */
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { Hold } from '../../model/document.ts';
import { holdOf, holdReason } from '../../model/recorded-words.ts';
import { mayBeOut } from '../../model/state.ts';
import type { LedgerContext } from '../contract/ledger-context.ts';

/** Two reasons in one. `other` is the earlier one; its rule stays where the document may have been sent. */
export function combineHolds({ language }: Pick<LedgerContext, 'language'>, own: Hold, other?: Hold): Hold {
  if (!other) return own;
  const both = [own.rows, other.rows].flatMap((rows) => (Array.isArray(rows) ? rows : []));
  const rows = (own.rows ?? other.rows) && { rows: [...new Set<string>(both)] };
  if (other.says.includes(own.says)) return { ...other, ...rows };
  const reasons = LEDGER_HOLD.and({ one: holdReason(own), other: holdReason(other) });
  return { ...holdOf(mayBeOut(other.rule) ? other.rule : own.rule, reasons, language), ...rows };
}
