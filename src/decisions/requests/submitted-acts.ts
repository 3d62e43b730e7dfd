/** Questions about the requests of people: what became of one, and which reasons a person gave last. Reads only. */
import { ledgerSiteOf, type SiteOwner } from '../../instance/ledger-site-of.ts';
import type { PersonKeys, WaitingDocument } from '../../ledger/contract/approval.ts';
import type { KnownRequest } from '../../ledger/contract/request-queue.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { PersonAct } from '../act.ts';
import { type ActAnswer, readAnswer } from '../act-result.ts';
import { actOf } from './answer-request.ts';
import { keysOf } from './judge-approval.ts';

/** A request by its id; times are ISO 8601. Without an answer it waits for the holder of the lock, or is being carried out. */
export type AskedAct = {
  readonly id: string;
  readonly person: string;
  readonly reason: string;
  readonly at: string;
  readonly done?: string;
  readonly answer?: ActAnswer;
  /** It waits for another person. */
  readonly approval?: ActForApproval;
};

/** An act that waits for another person until `expires`; `about` are the documents for which one is needed. */
export type ActForApproval = {
  readonly id: string;
  readonly act: PersonAct;
  readonly person: string;
  readonly keys: PersonKeys;
  readonly reason: string;
  readonly at: string;
  readonly expires: string;
  readonly about: readonly WaitingDocument[];
};

/** Undefined if it does not wait for another person now. */
export function actForApproval(known: KnownRequest | undefined, now: Date): ActForApproval | undefined {
  if (!known || known.done !== undefined || known.verdict !== undefined || known.expires === undefined)
    return undefined;
  const { id, person, reason, at, expires, about = '[]' } = known;
  const act = actOf(known);
  if (!act || expires <= now.toISOString()) return undefined;
  return { id, act, person, keys: keysOf(known), reason, at, expires, about: JSON.parse(about) };
}

/** The oldest first. */
export async function actsForApproval(instance: SiteOwner, now: Date): Promise<readonly ActForApproval[]> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'holds');
  const waiting = (await queue?.waitingForPeople(now.toISOString())) ?? [];
  return waiting.flatMap((one) => actForApproval(one, now) ?? []);
}

/** Undefined for an id that no one asked under, and for answers that are older than 30 days. */
export async function findAskedAct(instance: SiteOwner, id: string): Promise<AskedAct | undefined> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'holds');
  const found = await queue?.find(id);
  if (!found) return undefined;
  const { person, reason, at, done, answer } = found;
  const approval = actForApproval(found, new Date());
  const read = answer === undefined ? undefined : readAnswer(answer);
  return definedOnly({ id, person, reason, at, done, answer: read, approval });
}

/** Reasons that are offered again. */
const REASONS = 5;

/** Each once, the latest first. */
export async function lastReasons(instance: SiteOwner, person: string): Promise<readonly string[]> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'holds');
  return (await queue?.reasonsOf(person, REASONS)) ?? [];
}
