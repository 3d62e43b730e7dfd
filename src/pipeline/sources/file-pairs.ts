/**
 * Files that come in pairs, headers in one and their lines in the other: which name is which half, and which file
 * waits. A half alone stays in the inbox; when `join: wait` is over, it is taken and refused (intake/partner-missing),
 * so that the wait is not silent. Its arrival is the ctime of the file, because a copy keeps the other times of its
 * original.
 */

import { readdirSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INTAKE } from '../../i18n/messages/pipeline-messages.ts';
import type { InboxMemory } from '../../inbox/at-rest.ts';
import type { InboxCandidate } from '../../inbox/scan-inbox.ts';
import { inboxFileNames } from '../../instance/inbox-files.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedItems } from '../../model/defined-only.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { isCorrectionFile } from '../../readers/correction-file/recognize-correction-file.ts';
import { matchesName } from '../../text/glob.ts';
import { nameText } from '../../text/safe-file-name.ts';
import { mayDo } from '../context/may-do.ts';
import type { RunContext } from '../context/run-context.ts';

/** The part of a mapping that decides which names are halves. */
export type PairNames = {
  readonly id: string;
  readonly accepts: { readonly files: readonly string[] };
  readonly join?: { readonly with: string };
};

/** A name as half of a pair. */
export type PairRole<M extends PairNames = Mapping> = {
  readonly role: 'headers' | 'lines';
  /** The text of * in its name, in lower case. */
  readonly part: string;
  /** The name that its partner would have, as people write it. */
  readonly partner: string;
  readonly mapping: M;
};

/** Undefined for a file that is not half of a pair. */
export function pairRoleOf<M extends PairNames>(mappings: readonly M[], name: string): PairRole<M> | undefined {
  for (const mapping of mappings) {
    if (!mapping.join) continue;
    const lines = mapping.join.with;
    const header = mapping.accepts.files.find((pattern) => matchesName(pattern, name));
    if (header !== undefined) {
      const part = partOf(header, name);
      return { role: 'headers', part, partner: lines.replace('*', () => part), mapping };
    }
    if (!matchesName(lines, name)) continue;
    const part = partOf(lines, name);
    const [headers = ''] = mapping.accepts.files;
    return { role: 'lines', part, partner: headers.replace('*', () => part), mapping };
  }
  return undefined;
}

/** True if both names are the two halves of one pair. */
export function isPartner(half: PairRole<PairNames>, other: PairRole<PairNames> | undefined): boolean {
  return other !== undefined && other.mapping === half.mapping && other.role !== half.role && other.part === half.part;
}

/** The same for the same half of the same pair. */
export function pairKeyOf({ mapping, role, part }: PairRole<PairNames>): string {
  return `${mapping.id}/${role}/${part}`;
}

const PARTNER_ROLE = { lines: 'headers', headers: 'lines' } as const;

/** The key of the other half. */
export function partnerKeyOf(half: PairRole<PairNames>): string {
  return pairKeyOf({ ...half, role: PARTNER_ROLE[half.role] });
}

/** The text of the only * of the pattern, if the name matches it, in any Unicode form. */
function partOf(pattern: string, name: string): string {
  const [wanted, given] = [pattern.normalize('NFC'), name.normalize('NFC')];
  const star = wanted.indexOf('*');
  return given.slice(star, given.length - (wanted.length - star - 1)).toLowerCase();
}

/** Both files, by the name under which they were dropped. */
export type Pair = { readonly headers: PairedFile; readonly lines: PairedFile };
type PairedFile = { readonly name: string; readonly path: string };

/** Both files of a pair, in the folder of one of them; undefined if the other one is not there. */
export function findPartner(mapping: Mapping, file: PairedFile): Pair | undefined {
  const half = pairRoleOf([mapping], file.name);
  if (!half) return undefined;
  const folder = dirname(file.path);
  const name = readdirSync(folder).find((other) => isPartner(half, pairRoleOf([mapping], other)));
  if (name === undefined) return undefined;
  const partner = { name, path: join(folder, name) };
  const { name: own, path } = file;
  const given = { name: own, path };
  return half.role === 'headers' ? { headers: given, lines: partner } : { headers: partner, lines: given };
}

/**
 * Candidates that can be taken now, a header file before its lines; for each other half, `file-waits` is emitted once.
 * Pairs are for one worker: if two took a half each, neither would have its partner.
 */
export async function excludeIncompletePairs(
  context: RunContext,
  candidates: readonly InboxCandidate[],
): Promise<readonly InboxCandidate[]> {
  const { mappings } = context.instance;
  if (!mappings.some((mapping) => mapping.join)) return candidates;
  const halves = new Map<InboxCandidate, PairRole | undefined>();
  for (const one of candidates) {
    const half = pairRoleOf(mappings, nameText(one.name));
    halves.set(one, half && !(await isCorrection(one)) ? half : undefined);
  }
  const claimed = (await context.ledger.intake.loadingFiles()).map(({ name }) => pairRoleOf(mappings, name));
  const there = new Set(definedItems([...halves.values(), ...claimed]).map(pairKeyOf));
  const ready: InboxCandidate[] = [];
  for (const [candidate, half] of halves) {
    if (half && !mayDo(context, 'expected')) continue;
    const isAlone = half && !there.has(partnerKeyOf(half));
    if (!isAlone || (await isOverdue(context, candidate, half))) ready.push(candidate);
  }
  const rank = (one: InboxCandidate) => Number(halves.get(one)?.role === 'lines');
  return ready.sort((a, b) => rank(a) - rank(b));
}

/** A correction file may have any name, and has no partner. */
async function isCorrection({ folder, name }: InboxCandidate): Promise<boolean> {
  return await isCorrectionFile(Buffer.concat([Buffer.from(`${folder}/`), name]), nameText(name)).catch(() => false);
}

/** Halves in the inbox without their partner. */
export function incompletePairs({
  mappings,
  paths,
}: Pick<Instance, 'paths'> & { readonly mappings: readonly PairNames[] }): readonly {
  readonly file: string;
  readonly for: string;
}[] {
  if (!mappings.some((mapping) => mapping.join)) return [];
  const halves = [...inboxFileNames({ paths })].flatMap((name) => {
    const half = pairRoleOf(mappings, name);
    return half ? [{ name, half }] : [];
  });
  const there = new Set(halves.map(({ half }) => pairKeyOf(half)));
  return halves
    .filter(({ half }) => !there.has(partnerKeyOf(half)))
    .map(({ name, half }) => ({ file: name, for: half.partner }));
}

/** Names that were reported as waiting, by the memory of the run. */
const announced = new WeakMap<InboxMemory, Set<string>>();

async function isOverdue(
  { clock, emit, inboxMemory }: RunContext,
  { folder, name }: InboxCandidate,
  half: PairRole,
): Promise<boolean> {
  const stats = await lstat(Buffer.concat([Buffer.from(`${folder}/`), name])).catch(() => undefined);
  if (!stats) return true;
  const untilMs = stats.ctimeMs + (half.mapping.join?.waitMs ?? 0);
  if (clock.now().getTime() >= untilMs) return true;
  const file = nameText(name);
  const before = announced.get(inboxMemory) ?? new Set();
  announced.set(inboxMemory, before);
  const key = `${file} ${stats.ctimeMs}`;
  if (!before.has(key)) emit({ what: 'file-waits', file, for: half.partner, untilMs });
  before.add(key);
  return false;
}

export const PARTNER_MISSING = 'intake/partner-missing';

/** With the name that the partner would have. */
export function partnerMissing(mapping: Mapping, name: string): DataFault {
  const partner = pairRoleOf([mapping], name)?.partner ?? mapping.join?.with ?? '';
  return {
    code: PARTNER_MISSING,
    level: 'error',
    ...withMessage(INTAKE.partnerMissing({ partner }), INTAKE.exportBoth()),
    origin: { file: name, row: 0 },
  };
}
