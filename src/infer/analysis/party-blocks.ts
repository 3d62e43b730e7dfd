/**
 * Proposed roles of columns in; those of one block for each party out: all parts of a party come from the same block,
 * such as partner RE of an IDoc or the prefix Bill-to, never a street from one partner and a town from another.
 */
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { findParty } from '../vocabulary/column-dictionary.ts';
import type { GroupingCandidate } from './document-grouping.ts';

type Offered = { readonly concept: string; readonly candidate: GroupingCandidate; readonly score: number };
type Party = 'customer' | 'issuer';

const ADDRESS = /\.(?:street2?|zip|city|country)$/;
/** Partner functions of an IDoc that represent the customer, best first: bill-to, then sold-to. */
const PARTNERS = [/\[PARVW='RE'\]$/, /\[PARVW='AG'\]$/];
/** Names of blocks with an address that is never that of the customer. */
const OTHERS = /deliver|livr|ship|expedi|envio|entrega|payee|represent|factor|ban[kqc]|agent|carrier|transport|orig/i;

/** Names of addresses to which an invoice goes. */
const BILLING = /factur|bill|invoic|fiscal|siege|head.?office/i;
/** Codes of addresses in an attribute: type="LIV". */
const CODES = { other: /'(?:LIV|LI|DEL|SHIP|SH|ST|DP|EXP|ENT|WE)'/i, billing: /'(?:FAC|FA|BIL|BILL|INV|BT|RE)'/i };

/**
 * The offers without those parts of a party that are in another block than the rest of it, or in another address than that of the
 * invoice. Where nothing shows which of several addresses that is, none is taken, and the draft asks.
 */
export function keepOneBlock<O extends Offered>(
  offers: readonly O[],
  candidates: readonly GroupingCandidate[],
  notes: DraftNotes,
): readonly O[] {
  const flat = dropNumbered(offers, candidates, notes);
  return (['customer', 'issuer'] as const).reduce<readonly O[]>(
    (left, party) => keepOneAddress(dropOtherBlocks(left, party), party, notes),
    flat,
  );
}

const TOWN = /(?:ville|city|town|ciudad|cp|code.?postal|zip(?:.?code)?|postal.?code)[\s_.-]*([1-9])$/i;

/** Columns of several towns, "Ville1" and "Ville2", are of several addresses: "Adresse2" is no second line of "Adresse1". */
function dropNumbered<O extends Offered>(
  offers: readonly O[],
  candidates: readonly GroupingCandidate[],
  notes: DraftNotes,
): readonly O[] {
  const towns = candidates.map(({ column }) => column.name).filter((name) => TOWN.test(name));
  if (new Set(towns.map((name) => name.at(-1))).size < 2) return offers;
  const isOfOne = ({ concept, candidate }: O) => ADDRESS.test(concept) && /[1-9]$/.test(candidate.column.name);
  const left = offers.filter((offer) => !isOfOne(offer));
  if (left.length < offers.length)
    notes.addQuestion(85, 'output.receiver.address', DRAFT_QUESTION.noBillingAddress({ places: towns }));
  return left;
}

/** Addresses are several if two elements, neither of them in the other, offer the same part of one; one for deliveries is none. */
function keepOneAddress<O extends Offered>(offers: readonly O[], party: Party, notes: DraftNotes): readonly O[] {
  const parts = offers.filter(
    ({ concept, candidate: { column }, score }) =>
      score > 0 && concept.startsWith(`${party}.`) && ADDRESS.test(concept) && column.holder !== undefined,
  );
  const holders = [...new Set(parts.map(({ candidate }) => candidate.column.holder ?? ''))];
  const conceptsIn = (holder: string) =>
    new Set(parts.filter(({ candidate }) => candidate.column.holder === holder).map(({ concept }) => concept));
  const isInside = (one: string, other: string) => one === other || one.startsWith(`${other}/`);
  const differ = (one: string, other: string) =>
    !isInside(one, other) && !isInside(other, one) && [...conceptsIn(one)].some((part) => conceptsIn(other).has(part));
  const isOther = (holder: string) => OTHERS.test(holder) || CODES.other.test(holder);
  const several = holders.filter((one) => holders.some((other) => differ(one, other)));
  const rivals = several.length > 0 ? several : holders.filter(isOther);
  if (rivals.length === 0) return offers;
  const own = rivals.filter((one) => !isOther(one));
  const billing = own.filter((one) => BILLING.test(one) || CODES.billing.test(one));
  const left = billing.length > 0 ? billing : own;
  const [chosen] = left.length === 1 ? left : [];
  if (chosen === undefined) {
    const at = party === 'issuer' ? 'output.issuer.address' : 'output.receiver.address';
    notes.addQuestion(85, at, DRAFT_QUESTION.noBillingAddress({ places: rivals }));
  }
  const dropped = new Set(rivals.filter((one) => chosen === undefined || !isInside(one, chosen)));
  return offers.filter((offer) => !(parts.includes(offer) && dropped.has(offer.candidate.column.holder ?? '')));
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
