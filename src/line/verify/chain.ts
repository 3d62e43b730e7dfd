/** The chain of receipts and summaries, replayed from its first link: what it proves stands in docs/audit.md. */
import type { Ledger } from '../../ledger/ledger.ts';
import { type Head, headOf, headText, linkHash } from '../../model/link.ts';
import { type Break, broken, short } from './breaks.ts';

export type ChainFound = { readonly links: number; readonly head?: Head; readonly breaks: readonly Break[] };

/** More of one kind say no more. */
const MAX_TOLD = 100;

export async function verifyChain(ledger: Ledger, kept?: Head): Promise<ChainFound> {
  const breaks: Break[] = [];
  let last: Head | undefined;
  let links = 0;
  let keptHash: string | undefined;
  for await (const link of ledger.links()) {
    links++;
    const n = (last?.n ?? 0) + 1;
    if (link.n !== n) {
      breaks.push(broken('verify/chain-broken', `link ${n} is not there, the next one is ${link.n}`));
    } else if (link.previous !== last?.hash) {
      const [named, is] = [link.previous, last?.hash].map((hash) => (hash === undefined ? 'none' : short(hash)));
      breaks.push(
        broken('verify/chain-broken', `link ${n} names ${named} as the hash of the link before it, which is ${is}`),
      );
    }
    if (link.n === kept?.n) keptHash = linkHash(link);
    last = headOf(link);
    if (breaks.length >= MAX_TOLD) break;
  }
  if (kept && keptHash !== kept.hash) {
    const found = keptHash === undefined ? `the chain ends at ${last?.n ?? 0}` : `link ${kept.n} is ${short(keptHash)}`;
    breaks.push(broken('verify/head-differs', `${headText(kept)} was kept, and ${found}`));
  }
  for (const { n, what, id } of await ledger.strayLinks()) {
    breaks.push(broken('verify/link-unknown', `link ${n} is of a ${what} that ${id} does not know`));
  }
  return { links, ...(last ? { head: last } : {}), breaks };
}
