/**
 * Files that lie beside an export and travel inside its documents: read when a document asks for them, moved to the
 * archive when the export is admitted.
 *
 * The bytes are copied into the content of the document before anything is moved. A file that a refused document names
 * stays in the inbox, for the corrected export that will ask for it again.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { noCompanion } from '../../mapping/companion.ts';
import type { RunProblem } from '../../mapping/value.ts';
import type { Attachment, SourceFile } from '../../model/entry.ts';
import { type Fault, says } from '../../model/fault.ts';
import { safeName } from '../../model/safe-name.ts';
import type { Phrase } from '../../model/words.ts';
import { archiveSources, type ToArchive } from '../../receipts/archive.ts';
import { COMPANION } from '../sentences.ts';
import type { Work } from '../work.ts';

const MAX_BYTES = 20 * 1024 * 1024;
/** As much as documents that are composed in one go may carry. */
const HEAVY_BYTES = 64 * 1024 * 1024;

export type Companions = {
  /** Base64, or why it cannot be had. */
  readonly read: (name: string) => string | RunProblem;
  readonly decided: (admitted: boolean) => void;
  /** True once for each time that much was read. */
  readonly isHeavy: () => boolean;
  /** What admitted documents carry. */
  readonly taken: () => readonly Attachment[];
  /** Moves the files of admitted documents away; resolves to the names of those that had to stay. */
  readonly archive: (root: string, month: string) => Promise<readonly string[]>;
};

/** Somebody may still be writing the file: the export is to be read once more in a moment. */
export class CompanionGrowing extends Error {
  constructor(name: string) {
    super(`${name} is too young to be read`);
  }
}

/** Without `stats` it is in the archive already. */
type Seen = { readonly stats?: Stats; readonly sha256: string };

export type Beside = {
  /** How long a file must have been left alone; undefined in a preview, which takes it as it is. */
  readonly settleMs?: number;
  /** Throws CompanionGrowing for a younger file, instead of refusing the document. */
  readonly patient?: boolean;
  /** The archive, for a document that is made once more: what it carries was moved there with the first one. */
  readonly archive?: string;
  readonly now: () => number;
};

export function openCompanions(folder: string, { settleMs, patient, archive, now }: Beside): Companions {
  const asked = new Map<string, Seen>();
  const admitted = new Map<string, Seen>();
  let bytes = 0;
  return {
    read: (name) => {
      const found = readBeside(join(folder, name), name);
      if ('code' in found && found.code === NO_COMPANION && archive !== undefined) {
        const there = fromArchive(archive, name);
        if ('code' in there) return there;
        asked.set(name, { sha256: sha256Of(there.content) });
        return there.content.toString('base64');
      }
      if ('code' in found) return found;
      const age = now() - found.stats.mtimeMs;
      if (found.grew || (settleMs !== undefined && age >= 0 && age < settleMs)) {
        if (patient) throw new CompanionGrowing(name);
        return growing(name);
      }
      bytes += found.content.length;
      asked.set(name, { stats: found.stats, sha256: sha256Of(found.content) });
      return found.content.toString('base64');
    },
    decided: (isAdmitted) => {
      if (isAdmitted) for (const [name, seen] of asked) admitted.set(name, seen);
      asked.clear();
    },
    isHeavy: () => {
      const heavy = bytes > HEAVY_BYTES;
      if (heavy) bytes = 0;
      return heavy;
    },
    taken: () => [...admitted].map(([name, { sha256 }]) => ({ name, sha256 })),
    archive: async (root, month) => {
      const stayed: string[] = [];
      const batch: ToArchive[] = [];
      for (const [name, { stats, sha256 }] of admitted) {
        if (!stats) continue;
        const path = join(folder, name);
        if (await isSame(path, stats)) batch.push({ path, month, sha256, name });
        else stayed.push(name);
      }
      await archiveSources(root, batch);
      return stayed;
    },
  };
}

const NO_COMPANION = noCompanion('').code;

/** The hash of the bytes stands before the name. Of several files of one name nobody can tell which one is meant. */
function fromArchive(archive: string, name: string): Content | RunProblem {
  const wanted = `-${safeName(name, 150)}`;
  const paths = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const hash = basename(path).slice(0, -wanted.length);
    return path.endsWith(wanted) && /^(?:[0-9a-f]{16}|[0-9a-f]{64})$/.test(hash);
  });
  const [path, second] = paths;
  if (path === undefined) return noCompanion(name);
  if (second !== undefined) return unreadable(name, `the archive holds ${paths.length} files of this name`);
  return readBeside(join(archive, path), name);
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

type Content = { readonly content: Buffer; readonly stats: Stats; readonly grew: boolean };

/** How often a file is given the settle time to come to rest before the document that asks for it is refused. */
const WAITS = 3;

export function companionsOf({ instance, clock }: Work, waited: number): Companions {
  return openCompanions(instance.paths.inbox, {
    settleMs: instance.settings.inbox.settle,
    patient: waited < WAITS,
    now: () => clock.now().getTime(),
  });
}

/** Their bytes are in the ledger already: one that cannot be moved stays in the inbox, where it is seen. */
export async function archiveCompanions(work: Work, file: SourceFile, companions: Companions): Promise<void> {
  for (const name of await companions.archive(work.instance.folder, file.day.slice(0, 7))) {
    const fault: Fault = {
      code: 'intake/companion-stays',
      level: 'warning',
      origin: { file: name, row: 0 },
      ...says(COMPANION.stays({ name, file: file.name }), COMPANION.remove()),
    };
    work.tell({ what: 'inbox-refused', file: name, fault });
  }
}

function readBeside(path: string, name: string): Content | RunProblem {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? noCompanion(name) : unreadable(name, code ?? COMPANION.unknownTrouble());
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return unreadable(name, COMPANION.noPlainFile());
    if (stats.size > MAX_BYTES) return tooLarge(name, stats.size);
    if (stats.size === 0) return unreadable(name, COMPANION.empty());
    const content = readFileSync(file);
    const after = fstatSync(file);
    return { content, stats, grew: content.length !== stats.size || after.mtimeMs !== stats.mtimeMs };
  } finally {
    closeSync(file);
  }
}

function tooLarge(name: string, size: number): RunProblem {
  return {
    code: 'map/companion-too-large',
    ...says(
      COMPANION.tooLarge({ name, size: Math.ceil(size / 1024 / 1024), most: MAX_BYTES / 1024 / 1024 }),
      COMPANION.makeSmaller(),
    ),
    given: name,
  };
}

function growing(name: string): RunProblem {
  return {
    code: 'map/companion-growing',
    ...says(COMPANION.growing({ name }), COMPANION.waitForIt()),
    given: name,
  };
}

function unreadable(name: string, why: string | Phrase): RunProblem {
  return {
    code: 'map/companion-unreadable',
    ...says(COMPANION.unreadable({ name, why }), COMPANION.putReadable()),
    given: name,
  };
}

/** What lies there now is what was read: a file that was put there since is another one. */
async function isSame(path: string, { dev, ino, size, mtimeMs }: Stats): Promise<boolean> {
  const now = await lstat(path).catch(() => undefined);
  return now?.isFile() === true && now.dev === dev && now.ino === ino && now.size === size && now.mtimeMs === mtimeMs;
}
