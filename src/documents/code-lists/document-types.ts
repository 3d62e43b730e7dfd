/**
 * Types of documents (UNTDID 1001) that French platforms accept (BR-FR-04), by the class they are sent under. The
 * contract maps the class to the type itself; these are for documents that carry a code of their own.
 */
import { dictionary } from '../../text/dictionary.ts';

const TYPES = dictionary<readonly string[]>({
  invoice: ['380', '386', '389', '393', '500', '501'],
  'credit-note': ['261', '262', '381', '396', '502', '503'],
  corrective: ['384', '471', '472', '473'],
});

/** Of advances: their due date may be before their date (BR-FR-CO-07). */
const ADVANCES: readonly string[] = ['386', '500', '503'];

/** Issued by the buyer in the name of the seller (BR-FR-21, BR-FR-22). */
const SELF_BILLED: readonly string[] = ['389', '501', '500', '471', '473', '261', '502'];

/** A rebate over a whole period: it names a contract instead of an invoice (BR-FR-CO-03, BR-FR-CO-05). */
export const OVERALL_REBATE = '262';

/** BR-FR-04: what is not among these may not be issued at all. */
export const TYPE_CODES: readonly string[] = [...TYPES.values()].flat();

const CLASS_OF: ReadonlyMap<string, string> = new Map(
  [...TYPES].flatMap(([documentClass, codes]) => codes.map((code) => [code, documentClass] as const)),
);

/** The type codes of a class; empty for an unknown class. */
export function typesOf(documentClass: string): readonly string[] {
  return TYPES.get(documentClass) ?? [];
}

/** The class of a type code; undefined for what may not be issued. */
export function classOfType(code: string): string | undefined {
  return CLASS_OF.get(code);
}

/** A word of the contract for a class, which some write as the type. */
export function isClassWord(text: string): boolean {
  return TYPES.has(text);
}

/** False for a document without a type code. */
export function isAdvance(type: string | undefined): boolean {
  return type !== undefined && ADVANCES.includes(type);
}

/** False for a document without a type code. */
export function isSelfBilled(type: string | undefined): boolean {
  return type !== undefined && SELF_BILLED.includes(type);
}
