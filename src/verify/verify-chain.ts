/**
 * The chain of receipts and summaries, replayed from its first link (docs/explanation/audit.md explains the proof).
 * Reads only; differences are breaks.
 */

import type { Message } from '../i18n/message.ts';
import { FOUND } from '../i18n/messages/pipeline-messages.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { type Head, headOf, headText, linkHash } from '../model/chain-link.ts';
import { definedOnly } from '../model/defined-only.ts';
import { yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { type Break, broken, short, shortOrNone } from './verify-findings.ts';

/** The number of links, the last one, and the breaks. */
export type ChainFound = { readonly links: number; readonly head?: Head; readonly breaks: readonly Break[] };

/** The most breaks of one kind that are reported: more of them add nothing. */
const MAX_REPORTED = 100;

/** A link that what it names does not know. */
const STRAY = {
  summary: FOUND.straySummary,
  report: FOUND.strayReport,
  receipt: FOUND.strayReceipt,
  answers: FOUND.strayAnswers,
  event: FOUND.strayReceipt,
} as const;

/** Each link contains the hash of the one before; the end that was `kept` elsewhere has to be one of them. */
export async function verifyChain(
  { ledger, stop }: { readonly ledger: Pick<Ledger, 'receipts'>; readonly stop?: AbortSignal },
  kept?: Head,
): Promise<ChainFound> {
  const breaks: Break[] = [];
  let last: Head | undefined;
  let links = 0;
  let keptHash: string | undefined;
  for await (const link of yieldingBetween(ledger.receipts.links(), stop, 256)) {
    links++;
    const n = (last?.n ?? 0) + 1;
    if (link.n !== n) {
      breaks.push(broken('verify/chain-broken', FOUND.linkGone({ n, next: link.n })));
    } else if (link.previous !== last?.hash) {
      const [named, is] = [shortOrNone(link.previous), shortOrNone(last?.hash)];
      breaks.push(broken('verify/chain-broken', FOUND.linkNames({ n, named, is })));
    }
    if (link.n === kept?.n) keptHash = linkHash(link);
    last = headOf(link);
    if (breaks.length >= MAX_REPORTED) break;
  }
  if (kept && keptHash !== kept.hash) {
    const found = describeLink({ n: kept.n, hash: keptHash, last });
    breaks.push(broken('verify/head-differs', FOUND.headKept({ kept: headText(kept), found })));
  }
  for (const { n, what, id } of await ledger.receipts.orphanedLinks()) {
    const says = STRAY[what];
    breaks.push(broken('verify/link-unknown', says({ n, id })));
  }
  return definedOnly({ links, head: last, breaks });
}

/** The link that has the number now, or the end of a chain that does not reach it. */
function describeLink({ n, hash, last }: { n: number; hash: string | undefined; last: Head | undefined }): Message {
  if (hash !== undefined) return FOUND.linkIs({ n, hash: short(hash) });
  return FOUND.chainEnds({ n: last?.n ?? 0 });
}
