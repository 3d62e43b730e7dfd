/**
 * The unit codes of the lines in, a proposed billing frame (EN 16931: BT-23) with its reason out. No export states the
 * frame, so that the draft always asks about it.
 */
import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';

/** Units of time (UN/ECE Rec 20): a quantity in them is a service. */
const OF_TIME: ReadonlySet<string> = new Set(['HUR', 'DAY', 'WEE', 'MON', 'ANN', 'MIN', 'E49', 'LH', 'LD']);

/** B1 goods, S1 services, M1 both. */
export type BillingFrame = { readonly code: 'B1' | 'S1' | 'M1'; readonly reason: Message };

/** `units`: codes of UN/ECE Rec 20, undefined for an unknown one. Without units, goods. */
export function proposeFrame(units: readonly (string | undefined)[]): BillingFrame {
  const services = units.filter((unit) => unit !== undefined && OF_TIME.has(unit)).length;
  if (services > 0 && services === units.length) return { code: 'S1', reason: AMOUNT_EVIDENCE.unitsOfTime() };
  if (services > 0) return { code: 'M1', reason: AMOUNT_EVIDENCE.unitsMixed() };
  return { code: 'B1', reason: units.length > 0 ? AMOUNT_EVIDENCE.unitsOther() : AMOUNT_EVIDENCE.unitsUnknown() };
}
