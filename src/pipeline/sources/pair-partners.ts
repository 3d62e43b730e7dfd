/**
 * The other half of an export in two files, and the documents of both: a document is recorded under one of them, as a rule
 * under the lines, so a file alone does not show which documents need it. Records of files come in; reads only.
 */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems } from '../../model/defined-only.ts';
import type { LedgerEntry, Selector, SourceFile } from '../../model/ledger-entry.ts';
import {
  isPartner,
  PARTNER_MISSING,
  type PairNames,
  type PairRole,
  pairKeyOf,
  pairRoleOf,
  partnerKeyOf,
} from './file-pairs.ts';

/**
 * The other file of a pair: the recorded one. Ledgers of before have no record of it; there it is the nearest of the name
 * that was admitted. After a stop between the two, the second one belongs to the next run.
 */
export async function partnerOf(
  ledger: Pick<QueryStore, 'files' | 'sourceFile'>,
  mapping: Mapping,
  file: SourceFile,
): Promise<SourceFile | undefined> {
  if (file.partner !== undefined) return await ledger.sourceFile(file.partner);
  const half = pairRoleOf([mapping], file.name);
  if (!half) return undefined;
  for (const asked of [{ run: file.run }, {}]) {
    const found = (await ledger.files({ ...asked, limit: Number.MAX_SAFE_INTEGER })).filter(
      (one) => isUnrecorded(one) && isPartner(half, pairRoleOf([mapping], one.name)),
    );
    if (found.length > 0) return nearest(file, found);
  }
  return undefined;
}

/** An admitted file that may be half of a pair and has no record of it. */
function isUnrecorded({ state, rereads, partner }: SourceFile): boolean {
  return state === 'admitted' && rereads === undefined && partner === undefined;
}

/** The same for many files, which are looked through once. `mappingOf`: the mapping that read a file. */
export function partnersAmong(
  files: readonly SourceFile[],
  mappingOf: (file: SourceFile) => PairNames | undefined,
): (file: SourceFile) => SourceFile | undefined {
  const roles = new Map<SourceFile, PairRole<PairNames>>();
  const halves = new Map<string, SourceFile[]>();
  for (const file of files) {
    const mapping = isUnrecorded(file) ? mappingOf(file) : undefined;
    const half = mapping && pairRoleOf([mapping], file.name);
    if (!half) continue;
    roles.set(file, half);
    const known = halves.get(pairKeyOf(half));
    if (known) known.push(file);
    else halves.set(pairKeyOf(half), [file]);
  }
  const byId = new Map(files.map((file) => [file.id, file]));
  return (file) => {
    if (file.partner !== undefined) return byId.get(file.partner);
    const half = roles.get(file);
    return half && nearest(file, halves.get(partnerKeyOf(half)) ?? []);
  };
}

/** That of the same run, else of the nearest time: the names of a pair may come again every night. */
function nearest({ run, claimedAt }: SourceFile, candidates: readonly SourceFile[]): SourceFile | undefined {
  const ofRun = candidates.filter((one) => one.run === run);
  const distance = (one: SourceFile) => Math.abs(Date.parse(one.claimedAt) - Date.parse(claimedAt));
  return (ofRun.length > 0 ? ofRun : candidates).toSorted((a, b) => distance(a) - distance(b))[0];
}

type Place<Needs extends keyof QueryStore> = {
  readonly instance: { readonly mappings: readonly Mapping[] };
  readonly ledger: { readonly queries: Pick<QueryStore, Needs> };
};

/**
 * The half that was claimed with this one. In a watch the names come again within one run: what an earlier half has had is not
 * this one's, and neither is a half that was refused alone. `newest`: how many files of the run are looked through.
 */
export async function claimedPartner(
  { ledger }: Pick<Place<'files'>, 'ledger'>,
  file: SourceFile,
  half: PairRole,
  { newest }: { readonly newest: number },
): Promise<SourceFile | undefined> {
  const { mapping } = half;
  const files = await ledger.queries.files({ run: file.run, whole: true, limit: newest });
  const keys = [pairKeyOf(half), partnerKeyOf(half)];
  // All of one half: the next one of the other half is the partner of the newest.
  const open: { readonly one: SourceFile; readonly key: string }[] = [];
  for (const one of files.toReversed()) {
    const role = pairRoleOf([mapping], one.name);
    const key = role && pairKeyOf(role);
    if (key === undefined || !keys.includes(key) || isAlone(one)) continue;
    const other = open.at(-1);
    if (other === undefined || other.key === key) {
      open.push({ one, key });
      continue;
    }
    open.pop();
    if (one.id === file.id) return other.one;
    if (other.one.id === file.id) return one;
  }
  return undefined;
}

/** Refused without its other half, or a correction file, which may have any name. */
function isAlone({ state, mapping, faults }: SourceFile): boolean {
  if (state === 'refused') return faults.some(({ code }) => code === PARTNER_MISSING);
  return state === 'admitted' && mapping === undefined;
}

/** The file itself and the other half of its pair: each name of a pair means both. */
export async function halvesFrom(
  { instance, ledger }: Place<'files' | 'sourceFile'>,
  file: SourceFile,
): Promise<readonly SourceFile[]> {
  const mapping = instance.mappings.find(({ id }) => id === file.mapping?.id);
  return definedItems([file, mapping && (await partnerOf(ledger.queries, mapping, file))]);
}

/** All documents that need the file: its own, those of the other half, and those that were read once more from either. */
export async function* documentsThatNeed(
  place: Place<'files' | 'find' | 'sourceFile'>,
  file: SourceFile,
  filters: Omit<Selector, 'ids' | 'file'> = {},
): AsyncIterable<LedgerEntry> {
  const halves = new Set((await halvesFrom(place, file)).map(({ id }) => id));
  const files = await place.ledger.queries.files({ limit: Number.MAX_SAFE_INTEGER });
  for (const { id } of files.filter((one) => halves.has(one.id) || halves.has(one.rereads ?? ''))) {
    yield* place.ledger.queries.find({ ...filters, file: id });
  }
}
