/**
 * The billing frame of the invoices of a draft (BT-23): no export names it, so the units propose it and the consultant is
 * always asked. What comes in is the codes of the units as the file has them, and what they mean.
 */

/** Units of time (UN/ECE Rec 20): what is counted in them is a service. */
const OF_TIME: ReadonlySet<string> = new Set(['HUR', 'DAY', 'WEE', 'MON', 'ANN', 'MIN', 'E49', 'LH', 'LD']);

export type BillingFrame = { readonly code: 'B1' | 'S1' | 'M1'; readonly because: string };

/** `units`: codes of UN/ECE Rec 20, undefined for one that is not known. */
export function proposedFrame(units: readonly (string | undefined)[]): BillingFrame {
  const services = units.filter((unit) => unit !== undefined && OF_TIME.has(unit)).length;
  if (services > 0 && services === units.length) return { code: 'S1', because: 'all units are of time' };
  if (services > 0) return { code: 'M1', because: 'units of time and others' };
  return { code: 'B1', because: units.length > 0 ? 'no unit is of time' : 'nothing in the file says it' };
}

export function frameQuestion({ code, because }: BillingFrame): string {
  return `The billing frame (BT-23) is compulsory, and no column holds it: ${code} is proposed (${because}). Put B1 where goods are invoiced, S1 for services, M1 for both; mappings/tables/billing-frames.yaml has those for what is paid already or follows an advance.`;
}
