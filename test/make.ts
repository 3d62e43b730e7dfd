/** Builders for tests: drafts, bodies with exact numbers, and the request bodies copied from the contracts. */
import { readFileSync } from 'node:fs';
import { Decimal } from '../src/model/decimal.ts';
import type { Draft, Json, JsonObject } from '../src/model/draft.ts';

export type Wire = 'invoice' | 'credit-note' | 'corrective' | 'report' | 'remission-note';

type Revive = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** JSON text to a body as mappings make it: every number becomes the Decimal of its own digits. */
export function exactJson(text: string): Json {
  const revive: Revive = (_key, value, context) =>
    typeof value === 'number' ? Decimal.parse(context.source ?? '') : value;
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]) as Json;
}

/** The text of `test/wire/<name>.json`: the body that goes to the service, or its payload for the French classes. */
export function wireText(name: Wire): string {
  return readFileSync(new URL(`./wire/${name}.json`, import.meta.url), 'utf8');
}

export function wirePayload(name: Wire): JsonObject {
  return exactJson(wireText(name)) as JsonObject;
}

/** A draft of the kind and class of a wire body; anything of it can be replaced. */
export function wireDraft(name: Wire, changes: Partial<Draft> = {}): Draft {
  const kind = name === 'report' ? 'fr-report' : name === 'remission-note' ? 'sv-remission-note' : 'fr-invoice';
  return { kind, class: name, payload: wirePayload(name), rows: [2, 3], trace: () => new Map(), ...changes };
}
