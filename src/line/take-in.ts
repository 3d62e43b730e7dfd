/**
 * The left half joined to the ledger: a claimed file is read, composed, checked and admitted whole, or refused whole.
 *
 * Done twice it changes nothing: the same bytes are a duplicate, a file found half-staged after a crash starts over.
 */
import { randomUUID } from 'node:crypto';
import { constants, createReadStream, readFileSync } from 'node:fs';
import { copyFile, lstat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { KINDS, READERS } from '../catalogue.ts';
import { claim } from '../inbox/claim.ts';
import { INBOX_RULES, type InboxRules } from '../inbox/rules.ts';
import { type Candidate, type Look, listForRun, listReady, postpone } from '../inbox/scan.ts';
import { LedgerUnavailable } from '../ledger/driver.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { SourceFile } from '../model/entry.ts';
import { type Fault, SetupError } from '../model/fault.ts';
import { matchesName } from '../model/name-pattern.ts';
import type { LeftOut } from '../model/row.ts';
import { Unreadable } from '../reading/reader.ts';
import { archiveCompanions, CompanionGrowing, companionsOf, openCompanions } from './companions.ts';
import { convert, KeysCameBack } from './convert.ts';
import type { Work } from './work.ts';

const CHUNK_BYTES = 64 * 1024;

/** How many files are claimed before the first of them is read: their folder syncs and commits are shared. */
const PAGE = 256;
/** A file that could not be claimed (locked, no permission) is left alone for so long. */
const HELD_MS = 60_000;

/** Claims candidates and records them; those that are still growing, or somebody else's, are left alone. */
export async function* claimFiles(work: Work, candidates: readonly Candidate[]): AsyncIterable<SourceFile> {
  const { instance, run, day, clock, ledger, inboxMemory } = work;
  for (let from = 0; from < candidates.length; from += PAGE) {
    const page = candidates.slice(from, from + PAGE);
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
      const { faults, run: _, ...claimed } = one.file;
      work.tell({ what: 'file-claimed', file: claimed.name, bytes: claimed.size });
      const file = await ledger.openFile({ ...claimed, claimedAt: clock.now().toISOString(), day, run });
      if (faults.length === 0) return file;
      await refuse(work, file, { faults, rows: 0, leftOut: [] });
      return undefined;
    });
    for (const file of await Promise.all(opened)) if (file) yield file;
    if (work.stop.aborted) return;
  }
}

/** One look at the inbox; a one-shot run gives young files one settle time to come to rest. */
export async function lookIntoInbox(work: Work, mode: 'run' | 'watch'): Promise<Look> {
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
export async function candidatesFor(work: Work, paths: readonly string[]): Promise<readonly Candidate[]> {
  const { inbox } = work.instance.paths;
  const candidates: Candidate[] = [];
  for (const path of paths) {
    const name = basename(path);
    const place = join(inbox, name);
    if (resolve(path) !== resolve(place)) await copyInto(path, place);
    const { size, mtimeMs } = await lstat(place).catch((cause: unknown) => {
      throw new SetupError('inbox/no-such-file', `there is no file ${path}`, { cause, hint: 'nothing was taken' });
    });
    candidates.push({ folder: inbox, name: Buffer.from(name), size, mtimeMs });
  }
  return candidates;
}

async function copyInto(path: string, place: string): Promise<void> {
  try {
    await copyFile(path, place, constants.COPYFILE_EXCL);
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new SetupError(
      exists ? 'inbox/name-taken' : 'inbox/cannot-copy',
      exists ? `the inbox already holds a file named ${basename(path)}` : `${path} cannot be copied into the inbox`,
      { cause, hint: exists ? 'let a run take it first, or rename one of them' : 'check the path and its permissions' },
    );
  }
}

export async function takeIn(work: Work, file: SourceFile): Promise<void> {
  const chosen = await choose(work, file);
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
function isSame(earlier: SourceFile, file: SourceFile, mapping: Mapping | undefined): boolean {
  const byName = mapping?.source.format === 'file';
  return earlier.mapping?.sha256 === mapping?.sha256 && (!byName || earlier.name === file.name);
}

type Again = { readonly cameBack?: readonly string[]; readonly waited?: number };

async function admit(work: Work, file: SourceFile, mapping: Mapping, again: Again = {}): Promise<void> {
  const { ledger, instance } = work;
  const { cameBack, waited = 0 } = again;
  const companions = companionsOf(work, waited);
  const stamp = instance.stampOf(mapping);
  const leftOut: LeftOut[] = [];
  const found = { rows: 0, documents: 0, encoding: undefined as string | undefined };
  try {
    for await (const step of convert({
      ...inputFor(work, file, mapping, companions),
      ...(cameBack ? { cameBack } : {}),
    })) {
      if (step.outcomes.length > 0) await ledger.stage(file.id, step.outcomes);
      leftOut.push(...step.leftOut);
      found.rows += step.rows;
      found.documents += step.outcomes.length;
      found.encoding ??= step.encoding;
      // The private copy stays in processing/: the next run starts the file over.
      if (work.stop.aborted) return await ledger.restartFile(file.id);
    }
  } catch (error) {
    if (error instanceof KeysCameBack) {
      await ledger.restartFile(file.id);
      return await admit(work, file, mapping, { ...again, cameBack: error.keys });
    }
    if (error instanceof CompanionGrowing) {
      await ledger.restartFile(file.id);
      await work.clock.sleep(instance.settings.inbox.settle, work.stop);
      if (work.stop.aborted) return;
      return await admit(work, file, mapping, { ...again, waited: waited + 1 });
    }
    const faults = error instanceof Unreadable ? error.faults : mistake(error, file);
    return await refuse(work, file, { faults, mapping: stamp, rows: found.rows, leftOut });
  }
  const encoding = found.encoding === undefined ? {} : { encoding: found.encoding };
  const faults = found.documents === 0 ? [withoutDocuments(file, found.rows, leftOut.length)] : [];
  await ledger.admit(file.id, { mapping: stamp, ...encoding, rows: found.rows, leftOut, faults });
  work.tell({ what: 'file-admitted', file: file.name, documents: found.documents, rows: found.rows, faults });
  await archiveCompanions(work, file, companions);
}

/** An export that is empty by accident looks like a quiet day: somebody has to see it. */
function withoutDocuments({ name }: SourceFile, rows: number, leftOut: number): Fault {
  return {
    code: 'intake/no-documents',
    level: 'warning',
    message:
      rows === 0
        ? 'the file has no data rows, so no document was made of it'
        : `no document was made of this file: ${leftOut === rows ? `all ${rows}` : leftOut} of its rows are left out by rules of the mapping`,
    hint:
      rows === 0 ? 'nothing to do on a day without sales; else export it again' : 'check leave-out and documents: keep',
    origin: { file: name, row: 0 },
  };
}

/** One file that the program stumbles over must not keep all others from going out, night after night. */
function mistake(error: unknown, { name }: SourceFile): readonly Fault[] {
  const ours = error instanceof Error && !(error instanceof SetupError) && !(error instanceof LedgerUnavailable);
  if (!ours || 'errno' in error) throw error;
  return [
    {
      code: 'intake/internal-error',
      level: 'error',
      message: `the program made a mistake while it read this file (${error.name}: ${error.message})`,
      origin: { file: name, row: 0 },
      hint: 'nothing of the file was sent; report the mistake with the file, then drop the file again with a newer version',
    },
  ];
}

/** Also used to preview: nothing here writes. */
export function inputFor(
  work: Pick<Work, 'instance'>,
  file: Pick<SourceFile, 'name' | 'path' | 'claimedAt'>,
  mapping: Mapping,
  companions = openCompanions(dirname(file.path), { now: () => 0 }),
) {
  const kind = KINDS.find(({ name }) => name === mapping.target)!;
  const reader = READERS.find(({ format }) => format === mapping.source.format)!;
  return {
    bytes: createReadStream(file.path, { highWaterMark: CHUNK_BYTES }),
    file: file.name,
    mapping,
    reader,
    kind,
    facts: {
      today: work.instance.dayOf(kind.service, new Date(file.claimedAt)),
      file: { name: file.name, base64: () => readFileSync(file.path).toString('base64') },
      companion: companions.read,
    },
    companions,
  };
}

async function refuse(
  work: Work,
  file: SourceFile,
  refusal: Parameters<Work['ledger']['refuseFile']>[1],
): Promise<void> {
  await work.ledger.refuseFile(file.id, refusal);
  work.tell({ what: 'file-refused', file: file.name, faults: refusal.faults });
}

/** The mapping that accepts the file by name, and by its columns where several do. */
export async function choose(
  work: Pick<Work, 'instance'>,
  file: Pick<SourceFile, 'name' | 'path' | 'claimedAt'>,
): Promise<{ readonly mapping: Mapping } | { readonly faults: readonly Fault[] }> {
  const named = work.instance.mappings.filter((mapping) => acceptsName(mapping, file.name));
  if (named.length === 1) return { mapping: named[0]! };
  const fitting: Mapping[] = [];
  for (const mapping of named) if (await fits(work, file, mapping)) fitting.push(mapping);
  if (fitting.length === 1) return { mapping: fitting[0]! };
  const several = fitting.length > 1 ? fitting : named;
  const fault: Fault =
    several.length > 1
      ? {
          code: fitting.length > 1 ? 'intake/several-mappings' : 'intake/no-mapping-fits',
          level: 'error',
          message:
            fitting.length > 1
              ? `several mappings accept this file: ${several.map(({ id }) => id).join(', ')}`
              : `mappings accept this name, but none of them its columns: ${several.map(({ id }) => id).join(', ')}`,
          origin: { file: file.name, row: 0 },
          hint: 'make the accepts blocks of these mappings (files, columns) tell the files apart, then drop the file again',
        }
      : {
          code: 'intake/no-mapping',
          level: 'error',
          message: 'no mapping accepts a file of this name',
          origin: { file: file.name, row: 0 },
          hint: `accepted names: ${acceptedNames(work)}; rename the file or add the name to accepts.files of a mapping, then drop it again`,
        };
  return { faults: [fault] };
}

function acceptsName({ accepts }: Mapping, name: string): boolean {
  return accepts.files.some((pattern) => matchesName(pattern, name));
}

function acceptedNames({ instance }: Pick<Work, 'instance'>): string {
  const names = instance.mappings.flatMap((mapping) => mapping.accepts.files);
  return names.length > 0 ? names.join(', ') : 'none, there is no mapping';
}

async function fits(
  work: Pick<Work, 'instance'>,
  file: Pick<SourceFile, 'name' | 'path' | 'claimedAt'>,
  mapping: Mapping,
): Promise<boolean> {
  const { reader, bytes } = inputFor(work, file, mapping);
  try {
    for await (const { table } of reader.read(bytes, { file: file.name, source: mapping.source.options })) {
      return mapping.accepts.columns.every((column) => table.columns.includes(column));
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  } finally {
    bytes.destroy();
  }
  return false;
}
