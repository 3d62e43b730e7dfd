/**
 * What a schema allows at one place: a block, a list, one value, or several of these (`anyOf`).
 *
 * A schema that says nothing allows everything.
 */
import { definedOnly } from '../../model/defined-only.ts';
import type { Schema } from '../../model/document.ts';

const FREE: Schema = { additionalProperties: true };

function branchesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ? schema.anyOf.flatMap(branchesOf) : [schema];
}

function isFree(schema: Schema): boolean {
  return schema.type === undefined && schema.properties === undefined && schema.items === undefined;
}

/** The block that the schema allows, with any field where the schema is free; undefined where it allows no block. */
export function objectOf(schema: Schema): Schema | undefined {
  const found = branchesOf(schema).find((one) => one.type === 'object' || one.properties !== undefined || isFree(one));
  return found && isFree(found) ? FREE : found;
}

/** The list that the schema allows; undefined where it allows none. */
export function arrayOf(schema: Schema): Schema | undefined {
  return branchesOf(schema).find((one) => one.type === 'array' || one.items !== undefined || isFree(one));
}

/** The types of one value; 'any' where the schema names no type. */
export type Leaf = 'string' | 'number' | 'integer' | 'boolean' | 'any';

type LeafBranch = { readonly type: Leaf; readonly format?: string };

/** The types of one value that the schema allows; none where only blocks and lists fit. */
export function schemaLeaves(schema: Schema): readonly LeafBranch[] {
  return branchesOf(schema).flatMap((one): readonly LeafBranch[] => {
    if (isFree(one)) return [{ type: 'any' }];
    const { type, format } = one;
    if (type === undefined || type === 'object' || type === 'array') return [];
    return [definedOnly({ type, format })];
  });
}
