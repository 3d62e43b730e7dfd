/**
 * Proposed roles of columns in; those of one block for each party out: all parts of a party come from the same block,
 * such as partner RE of an IDoc or the prefix Bill-to, never a street from one partner and a town from another.
 */
import { findParty } from '../vocabulary/column-dictionary.ts';
import type { GroupingCandidate } from './document-grouping.ts';

type Offered = { readonly concept: string; readonly candidate: GroupingCandidate; readonly score: number };
type Party = 'customer' | 'issuer';

const ADDRESS = /\.(?:street2?|zip|city|country)$/;
/** Partner functions of an IDoc that represent the customer, best first: bill-to, then sold-to. */
const PARTNERS = [/\[PARVW='RE'\]$/, /\[PARVW='AG'\]$/];
/** Names of blocks with an address that is never that of the customer. */
const OTHERS = /deliver|livr|ship|expedi|envio|entrega|payee|represent|factor|ban[kqc]|agent|carrier|transport|orig/i;

/** The offers without those parts of a party that are in another block than the rest of it. */
export function keepOneBlock<O extends Offered>(offers: readonly O[]): readonly O[] {
  return (['customer', 'issuer'] as const).reduce<readonly O[]>(dropOtherBlocks, offers);
}

/** Name and numbers come from the home block; the address may come from a second one where home has none. */
function dropOtherBlocks<O extends Offered>(offers: readonly O[], party: Party): readonly O[] {
  const own = offers.filter(({ concept, score }) => concept.startsWith(`${party}.`) && score > 0);
  const blocks = new Map<string, readonly O[]>();
  for (const offer of own) {
    const block = findPartyBlock(offer.candidate);
    if (block !== undefined) blocks.set(block, [...(blocks.get(block) ?? []), offer]);
  }
  if (blocks.size < 2) return offers;
  const home = bestOf([...blocks], (concept) => !ADDRESS.test(concept), party);
  const atHome = blocks.get(home ?? '') ?? [];
  const isWhole = home === undefined || home.endsWith(']') || atHome.some(({ concept }) => ADDRESS.test(concept));
  const withAddress = [...blocks].filter(([block]) => !block.endsWith(']') && !OTHERS.test(block));
  const address = isWhole ? home : bestOf(withAddress, (concept) => ADDRESS.test(concept), party);
  return offers.filter(({ concept, candidate }) => {
    const block = findPartyBlock(candidate);
    if (block === undefined || !concept.startsWith(`${party}.`)) return true;
    return block === (ADDRESS.test(concept) ? address : home);
  });
}

/** Undefined where the name itself states its party, whatever element it is in. */
function findPartyBlock({ column }: GroupingCandidate): string | undefined {
  return findParty(column.path.at(-1) ?? '') === undefined ? column.block : undefined;
}

/** The block with most of the counted parts; one that is named after the party comes before all others. */
function bestOf(
  blocks: readonly (readonly [string, readonly Offered[]])[],
  counts: (concept: string) => boolean,
  party: Party,
): string | undefined {
  const scored = blocks
    .map(([block, offers]) => {
      const parts = new Set(offers.map(({ concept }) => concept).filter(counts));
      const isNamed = offers.some(({ candidate }) => candidate.match.party === party);
      const rank = PARTNERS.findIndex((form) => form.test(block));
      const isOther = !isNamed && OTHERS.test(block);
      const named = Number(isNamed) * 100 - Number(isOther) * 100;
      return { block, parts, score: named + (rank < 0 ? 0 : 60 - 10 * rank) + parts.size + (hasName(parts) ? 3 : 0) };
    })
    .filter(({ parts }) => parts.size > 0);
  return scored.sort((a, b) => b.score - a.score)[0]?.block;
}

function hasName(parts: ReadonlySet<string>): boolean {
  return [...parts].some((concept) => concept.endsWith('.name'));
}
