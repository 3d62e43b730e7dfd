/**
 * Two contents of one document, compared field by field: JSON in, changes out. Amounts keep their digits, because they
 * are compared as texts of the JSON.
 */
import { definedOnly } from '../../model/defined-only.ts';

/** JSON pointer to the value as JSON text; pointers start at the payload, as those of a trace do. */
export type Leaves = ReadonlyMap<string, string>;

/** A field that only one side has is without `before` or `after`. */
export type Change = { readonly at: string; readonly before?: string; readonly after?: string };

type Revive = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The fields of a content: `{ payload, file }` for France, the body itself for El Salvador. */
export function contentLeaves(content: string): Leaves {
  const exact: Revive = (_key, value, { source }) =>
    typeof value === 'number' ? new Digits(source ?? String(value)) : value;
  const body = JSON.parse(content, exact as Parameters<typeof JSON.parse>[1]) as { [key: string]: unknown };
  const leaves = new Map<string, string>();
  const isEnvelope = Object.keys(body).every((key) => key === 'payload' || key === 'file');
  if (!isEnvelope) collect(body, '', leaves);
  else {
    if (body.payload !== undefined) collect(body.payload, '', leaves);
    if (body.file !== undefined) collect(body.file, '/file', leaves);
  }
  return leaves;
}

function collect(value: unknown, at: string, leaves: Map<string, string>): void {
  if (value instanceof Digits) leaves.set(at, value.text);
  else if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    leaves.set(at, JSON.stringify(value));
  else for (const [key, inner] of Object.entries(value)) collect(inner, `${at}/${key}`, leaves);
}

/** Changes in the order of `after`, then the fields that it lacks. */
export function changesOf(before: Leaves, after: Leaves): readonly Change[] {
  const changes: Change[] = [];
  for (const [at, text] of after) {
    const old = before.get(at);
    // The number of a sequence is not known before the document is admitted.
    if (old === text || (old !== undefined && text.includes('\\u0000'))) continue;
    changes.push(definedOnly({ at, after: text, before: old }));
  }
  for (const [at, text] of before) if (!after.has(at)) changes.push({ at, before: text });
  return changes;
}
