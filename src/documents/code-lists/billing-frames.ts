/**
 * Billing frames (BT-23, "cadre de facturation"): goods (B), services (S) or both (M), and what of the invoice is paid
 * already or who deposits it. The list of BR-FR-08.
 */
const KNOWN: ReadonlySet<string> = new Set([
  ...['B1', 'S1', 'M1', 'B2', 'S2', 'M2', 'S3', 'B4', 'S4', 'M4', 'S5', 'S6', 'B7', 'S7'],
  ...['B8', 'S8', 'M8', 'B9', 'S9', 'M9'],
]);

/** Paid before the invoice (BR-FR-CO-07, BR-FR-CO-09). */
const PAID: readonly string[] = ['B2', 'S2', 'M2'];

/** Final, after an advance (BR-FR-CO-08). */
const AFTER_ADVANCE: readonly string[] = ['B4', 'S4', 'M4'];

/**
 * Of several sellers (8) or of both parties (9): each line names its own, for which the contract has no field
 * (BR-FR-MV-01).
 */
const SEVERAL_SELLERS: readonly string[] = ['B8', 'S8', 'M8', 'B9', 'S9', 'M9'];

/** What a document of one seller may have. */
export const FRAMES: readonly string[] = [...KNOWN].filter((code) => !SEVERAL_SELLERS.includes(code));

/** Whether the text is any frame of the list. */
export function isFrame(text: string): boolean {
  return KNOWN.has(text);
}

/** Whether the amount was paid before the invoice. */
export function isPaidFrame(code: string): boolean {
  return PAID.includes(code);
}

/** Whether the invoice is final, after an advance. */
export function isAfterAdvance(code: string): boolean {
  return AFTER_ADVANCE.includes(code);
}

/** Such a frame needs a seller per line, for which the contract has no field. */
export function isOfSeveralSellers(code: string): boolean {
  return SEVERAL_SELLERS.includes(code);
}
