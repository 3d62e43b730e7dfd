/**
 * The billing frame of the invoices of a draft (BT-23): no export names it, so the units propose it and the consultant is
 * always asked. What comes in is the codes of the units as the file has them, and what they mean.
 */
import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';

/** Units of time (UN/ECE Rec 20): what is counted in them is a service. */
const OF_TIME: ReadonlySet<string> = new Set(['HUR', 'DAY', 'WEE', 'MON', 'ANN', 'MIN', 'E49', 'LH', 'LD']);

export type BillingFrame = { readonly code: 'B1' | 'S1' | 'M1'; readonly reason: Message };

/** `units`: codes of UN/ECE Rec 20, undefined for one that is not known. */
export function proposeFrame(units: readonly (string | undefined)[]): BillingFrame {
  const services = units.filter((unit) => unit !== undefined && OF_TIME.has(unit)).length;
  if (services > 0 && services === units.length) return { code: 'S1', reason: AMOUNT_EVIDENCE.unitsOfTime() };
  if (services > 0) return { code: 'M1', reason: AMOUNT_EVIDENCE.unitsMixed() };
  return { code: 'B1', reason: units.length > 0 ? AMOUNT_EVIDENCE.unitsOther() : AMOUNT_EVIDENCE.unitsUnknown() };
}
