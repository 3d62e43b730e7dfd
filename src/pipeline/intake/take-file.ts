/**
 * The left half joined to the ledger: a claimed file is read, composed, checked and admitted whole, or refused whole.
 *
 * Done twice it changes nothing: the same bytes are a duplicate, a file found half-staged after a crash starts over.
 */
import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { READERS } from '../../catalogue.ts';
import type { Message } from '../../i18n/message.ts';
import { INTAKE, NAMED_FILE } from '../../i18n/messages/pipeline-messages.ts';
import { claim } from '../../inbox/claim-files.ts';
import { INBOX_RULES, type InboxRules } from '../../inbox/inbox-rules.ts';
import { type InboxCandidate, type Look, listForRun, listReady, postpone } from '../../inbox/scan-inbox.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { type DataFault, type Fault, OperatorError, withMessage } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { matchesName } from '../../text/glob.ts';
import { admit, refuse } from '../admission/admit-file.ts';
import type { RunContext } from '../context/run-context.ts';
import { copyInto } from '../sources/copy-into-inbox.ts';
import { ownerName } from '../sources/file-owner.ts';
import { findPartner, pairRoleOf } from '../sources/file-pairs.ts';
import { bytesOf, inMemory } from '../sources/open-file-stream.ts';
import { ingestSharedFile } from './take-shared-file.ts';

/** How many files are claimed before the first of them is read: their folder syncs and commits are shared. */
const PAGE = 256;
/** A file that could not be claimed (locked, no permission) is left alone for so long. */
const HELD_MS = 60_000;

/** Claims candidates and records them; those that are still growing, or somebody else's, are left alone. */
export async function* claimFiles(work: RunContext, candidates: readonly InboxCandidate[]): AsyncIterable<SourceFile> {
  for await (const page of claimPages(work, candidates)) yield* page;
}

/** The same, some hundred at a time: while they are worked on the next ones are claimed. */
export async function* claimPages(
  work: RunContext,
  candidates: readonly InboxCandidate[],
): AsyncIterable<readonly SourceFile[]> {
  const ahead = !work.instance.mappings.some((mapping) => mapping.join);
  let next: Promise<readonly SourceFile[]> | undefined;
  try {
    for (let from = 0; from < candidates.length && !work.stop.aborted; from += PAGE) {
      const page = await (next ?? claimPage(work, candidates.slice(from, from + PAGE)));
      const rest = candidates.slice(from + PAGE, from + 2 * PAGE);
      // Not those of a pair: of a half on its way nobody could tell where it is.
      next = ahead && rest.length > 0 ? claimPage(work, rest) : undefined;
      // Heard in its turn.
      next?.catch(() => undefined);
      yield page;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

async function claimPage(work: RunContext, page: readonly InboxCandidate[]): Promise<readonly SourceFile[]> {
  const { instance, run, day, clock, ledger, inboxMemory } = work;
  const claims = await claim(page, {
    processing: instance.paths.processing,
    run,
    uuid: randomUUID,
    maxBytes: instance.limits.maxBytes,
  });
  const opened = claims.map(async (one) => {
    if (one.what === 'held') {
      const nowMs = clock.now().getTime();
      const isNew = postpone(inboxMemory, one.candidate, one.fault.code, nowMs, nowMs + HELD_MS);
      if (isNew) work.tell({ what: 'inbox-refused', file: one.candidate.name.toString(), fault: one.fault });
    }
    if (one.what !== 'claimed') return undefined;
    const { faults, run: _, uid, ...claimed } = one.file;
    work.tell({ what: 'file-claimed', file: claimed.name, bytes: claimed.size });
    const file = await ledger.openFile({
      ...claimed,
      claimedAt: clock.now().toISOString(),
      owner: ownerName(uid),
      day,
      run,
    });
    if (faults.length === 0) return file;
    await refuse(work, file, { faults, rows: 0, leftOut: [] });
    return undefined;
  });
  return (await Promise.all(opened)).filter((file) => file !== undefined);
}

/** One look at the inbox; a one-shot run gives young files one settle time to come to rest. */
export async function scanForRun(work: RunContext, mode: 'run' | 'watch'): Promise<Look> {
  const { instance, clock, inboxMemory, stop } = work;
  const { inbox } = instance.settings;
  const rules: InboxRules = {
    ...INBOX_RULES,
    settleMs: inbox.settle,
    ignore: [...inbox.ignore, ...instance.mappings.flatMap(({ accepts }) => accepts.companions)],
    maxBytes: instance.limits.maxBytes,
    ...(inbox.marker === undefined ? {} : { marker: inbox.marker }),
  };
  const timing = { now: () => clock.now().getTime(), sleep: (ms: number) => clock.sleep(ms, stop) };
  const look =
    mode === 'run'
      ? await listForRun(instance.paths.inbox, rules, timing, inboxMemory)
      : await listReady(instance.paths.inbox, rules, timing.now(), inboxMemory);
  for (const fault of look.refused) work.tell({ what: 'inbox-refused', file: fault.origin?.file ?? '', fault });
  return look;
}

/** Files named by a person are taken at once; one that lies elsewhere is copied into the inbox first. */
export async function candidatesFor(work: RunContext, paths: readonly string[]): Promise<readonly InboxCandidate[]> {
  const { inbox } = work.instance.paths;
  const candidates: InboxCandidate[] = [];
  for (const path of paths) {
    const name = basename(path);
    const place = join(inbox, name);
    if (resolve(path) !== resolve(place)) await copyInto(path, place);
    const { size, mtimeMs } = await lstat(place).catch((cause: unknown) => {
      throw new OperatorError('inbox/no-such-file', NAMED_FILE.notThere({ path }), {
        cause,
        hint: NAMED_FILE.nothingTaken(),
      });
    });
    candidates.push({ folder: inbox, name: Buffer.from(name), size, mtimeMs });
  }
  return candidates;
}

export async function ingestFile(work: RunContext, file: SourceFile): Promise<void> {
  const chosen = await selectMapping(work, file);
  if ('mapping' in chosen && chosen.also.length > 0) {
    return await ingestSharedFile(work, file, [chosen.mapping, ...chosen.also]);
  }
  const earlier = await work.ledger.fileBySha256(file.sha256);
  const mapping = 'mapping' in chosen ? chosen.mapping : undefined;
  if (earlier && earlier.id !== file.id && isSame(earlier, file, mapping)) {
    await work.ledger.duplicateFile(file.id, earlier.id);
    work.tell({ what: 'file-duplicate', file: file.name, first: earlier.name });
    return;
  }
  if (!mapping)
    return await refuse(work, file, { faults: 'faults' in chosen ? chosen.faults : [], rows: 0, leftOut: [] });
  await admit(work, file, mapping);
}

/** The same bytes under the same mapping. A file that is sent as it is takes its number from its name: that counts too. */
export function isSame(earlier: SourceFile, file: SourceFile, mapping: Mapping | undefined): boolean {
  const byName = mapping?.source.format === 'file';
  // Of a refused file nothing was ever sent: dropped again, it is told again what is wrong with it.
  return (
    earlier.state === 'admitted' &&
    earlier.mapping?.sha256 === mapping?.sha256 &&
    (!byName || earlier.name === file.name)
  );
}

/** `also`: the others that take the same file, where all of them share it. */
type Chosen = { readonly mapping: Mapping; readonly also: readonly Mapping[] };

/** The mapping that accepts the file by name, and by its columns where several do. `content`: all of it, where it is at hand. */
export async function selectMapping(
  work: Pick<RunContext, 'instance'>,
  file: Pick<SourceFile, 'name' | 'path' | 'claimedAt'>,
  content?: Buffer,
): Promise<Chosen | { readonly faults: readonly Fault[] }> {
  const named = work.instance.mappings.filter((mapping) => acceptsName(mapping, file.name));
  if (named.length === 1) return { mapping: named[0]!, also: [] };
  const fitting: Mapping[] = [];
  const unreadable: UnreadableFileError[] = [];
  for (const mapping of named) {
    const found = await fits(file, mapping, content);
    if (found === true) fitting.push(mapping);
    else if (found) unreadable.push(found);
  }
  const [first, ...also] = fitting;
  if (first && (also.length === 0 || fitting.every(({ accepts }) => accepts.shares))) return { mapping: first, also };
  const damage = unreadable.length === named.length ? damageTold(unreadable) : undefined;
  if (damage) return { faults: damage };
  const several = fitting.length > 1 ? fitting : named;
  const fault: DataFault =
    several.length > 1
      ? {
          code: fitting.length > 1 ? 'intake/several-mappings' : 'intake/no-mapping-fits',
          level: 'error',
          ...withMessage(
            (fitting.length > 1 ? INTAKE.several : INTAKE.noneFits)({ mappings: several.map(({ id }) => id) }),
            INTAKE.tellApart(),
          ),
          origin: { file: file.name, row: 0 },
        }
      : {
          code: 'intake/no-mapping',
          level: 'error',
          ...withMessage(INTAKE.noMapping(), INTAKE.acceptedNames({ names: acceptedNames(work) })),
          origin: { file: file.name, row: 0 },
        };
  return { faults: [fault] };
}

/**
 * What is wrong with a file that none of its mappings can read, where they agree on it: then it is the file, and no
 * mapping has to change. A mapping that expects another root element has not looked any further.
 */
function damageTold(unreadable: readonly UnreadableFileError[]): readonly Fault[] | undefined {
  const [first, ...others] = unreadable
    .map(({ faults }) => faults)
    .filter(([fault]) => fault?.code !== 'xml/wrong-root');
  return first && others.every(([fault]) => fault?.code === first[0]?.code) ? first : undefined;
}

function acceptsName(mapping: Mapping, name: string): boolean {
  return (
    mapping.accepts.files.some((pattern) => matchesName(pattern, name)) || pairRoleOf([mapping], name) !== undefined
  );
}

function acceptedNames({ instance }: Pick<RunContext, 'instance'>): Message | readonly string[] {
  const names = instance.mappings.flatMap(({ accepts, join: pair }) => [
    ...accepts.files,
    ...(pair ? [pair.with] : []),
  ]);
  return names.length > 0 ? [...new Set(names)] : INTAKE.noneThere();
}

/** Told by the columns of the header file, where the lines stand in another; or why it cannot be read. */
async function fits(
  file: Pick<SourceFile, 'name' | 'path'>,
  mapping: Mapping,
  content: Buffer | undefined,
): Promise<boolean | UnreadableFileError> {
  const head = (mapping.join && findPartner(mapping, file)?.headers) ?? file;
  const reader = READERS.find(({ format }) => format === mapping.source.format)!;
  try {
    const bytes = content && head === file ? inMemory(content) : bytesOf(head.path);
    for await (const { table } of reader.read(bytes, {
      file: head.name,
      source: mapping.source.options,
    })) {
      return mapping.accepts.columns.every((column) => table.columns.includes(column));
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return error;
  }
  return false;
}
