/**
 * What a schema allows at one place: a block, a list, one value, or several of these (`anyOf`).
 *
 * A schema that says nothing allows everything.
 */
import type { Schema } from '../../model/document.ts';

const FREE: Schema = { additionalProperties: true };

function branchesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf ? schema.anyOf.flatMap(branchesOf) : [schema];
}

function isFree(schema: Schema): boolean {
  return schema.type === undefined && schema.properties === undefined && schema.items === undefined;
}

export function objectOf(schema: Schema): Schema | undefined {
  const found = branchesOf(schema).find((one) => one.type === 'object' || one.properties !== undefined || isFree(one));
  return found && isFree(found) ? FREE : found;
}

export function arrayOf(schema: Schema): Schema | undefined {
  return branchesOf(schema).find((one) => one.type === 'array' || one.items !== undefined || isFree(one));
}

export type Leaf = 'string' | 'number' | 'integer' | 'boolean' | 'any';

type LeafBranch = { readonly type: Leaf; readonly format?: string };

export function schemaLeaves(schema: Schema): readonly LeafBranch[] {
  return branchesOf(schema).flatMap((one): readonly LeafBranch[] => {
    if (isFree(one)) return [{ type: 'any' }];
    const { type, format } = one;
    if (type === undefined || type === 'object' || type === 'array') return [];
    return [{ type, ...(format === undefined ? {} : { format }) }];
  });
}
