/**
 * A disk that may lose power: the file operations of a process go in, in the order in which they ended; what may lie on
 * the disk afterwards comes out.
 *
 * Certain is only what was flushed: the bytes of a file by fsync of the file, its name by fsync of its folder. Of the
 * rest each write may be there, missing or cut at a sector, and so may each change of a name: on some file systems those
 * of one folder only in their order, on others any of them. A rename is one change of two folders: it is there or it is
 * not, and a flush of either folder makes it certain.
 */
import type { Random } from './random.ts';

const SECTOR = 512;
/** How likely it is that something which was not flushed is there all the same; often nothing is. */
const CHANCES = [0, 0, 0.25, 0.5, 0.9];

type Write = { readonly at: number; readonly bytes: Buffer };
type Change = Write | { readonly size: number };

export type DiskFile = {
  /** As the process sees it, bytes. */
  size: number;
  flushed: Buffer;
  readonly pending: Change[];
  mtimeMs?: number;
};
export type DiskNode = DiskFile | 'folder';

/** `from` goes, `to` comes, both with their node. */
type Naming = {
  readonly index: number;
  readonly folders: readonly string[];
  readonly node: DiskNode;
  readonly from?: string;
  readonly to?: string;
};

export type Left = { readonly bytes: Buffer; readonly mtimeMs?: number };
/** Absolute paths; a folder stands before what is in it. */
export type Tree = { readonly files: ReadonlyMap<string, Left>; readonly folders: readonly string[] };

export class Disk {
  readonly #root: string;
  readonly #first: ReadonlyMap<string, DiskNode>;
  readonly #now: Map<string, DiskNode>;
  readonly #namings: Naming[] = [];
  /** Folder -> how many changes of names there had been when it was last flushed. */
  readonly #flushed = new Map<string, number>();
  #steps = 0;

  /** All of the tree is at rest: bytes and names. */
  constructor(root: string, { files, folders }: Tree) {
    this.#root = root;
    const nodes = [...files].map(([path, { bytes, mtimeMs }]): [string, DiskNode] => [path, newFile(bytes, mtimeMs)]);
    this.#first = new Map<string, DiskNode>([...nodes, ...[root, ...folders].map((path) => [path, 'folder'] as const)]);
    this.#now = new Map(this.#first);
  }

  node(path: string): DiskNode | undefined {
    return this.#now.get(path);
  }

  create(path: string): DiskFile {
    const node = newFile(Buffer.alloc(0));
    this.#name(node, { to: path });
    return node;
  }

  makeFolder(path: string): void {
    this.#name('folder', { to: path });
  }

  rename(from: string, to: string): void {
    this.#name(this.#now.get(from), { from, to });
  }

  link(from: string, to: string): void {
    this.#name(this.#now.get(from), { to });
  }

  remove(path: string): void {
    this.#name(this.#now.get(path), { from: path });
  }

  write(file: DiskFile, at: number, bytes: Buffer): void {
    this.#steps++;
    file.pending.push({ at, bytes });
    file.size = Math.max(file.size, at + bytes.length);
  }

  truncate(file: DiskFile, size: number): void {
    this.#steps++;
    file.pending.push({ size });
    file.size = size;
  }

  /** The first `count` changes of those that are pending are on the disk. */
  flush(file: DiskFile, count: number): void {
    this.#steps++;
    file.flushed = applied(file.flushed, file.pending.splice(0, count));
  }

  /** The changes of its names among the first `count` of all are on the disk. */
  flushFolder(path: string, count: number): void {
    this.#steps++;
    this.#flushed.set(path, Math.max(count, this.#flushed.get(path) ?? 0));
  }

  /** Writes, changes of names and flushes so far. */
  get steps(): number {
    return this.#steps;
  }

  get namings(): number {
    return this.#namings.length;
  }

  /** How many writes and changes of names a power loss now could undo. */
  unflushed(): number {
    const files = new Set([...this.#now.values()].filter((node) => node !== 'folder'));
    const names = this.#namings.filter((naming) => !this.#isFlushed(naming));
    return names.length + [...files].reduce((sum, { pending }) => sum + pending.length, 0);
  }

  /** What is found when the power is back. */
  afterPowerLoss(random: Random): Tree {
    const names = new Map(this.#first);
    for (const { node, from, to } of this.#kept(random)) {
      if (from !== undefined && names.get(from) === node) names.delete(from);
      if (to !== undefined) names.set(to, node);
    }
    const chance = random.one(CHANCES);
    const contents = new Map<DiskFile, Left>();
    const files = new Map<string, Left>();
    const folders: string[] = [];
    // A name below a folder whose own name was lost is lost with it.
    const reached = new Set([this.#root]);
    for (const [path, node] of [...names].toSorted(([a], [b]) => a.length - b.length)) {
      if (!reached.has(folderOf(path))) continue;
      if (node === 'folder') {
        reached.add(path);
        folders.push(path);
        continue;
      }
      const left = contents.get(node) ?? contentOf(node, chance, random);
      contents.set(node, left);
      files.set(path, left);
    }
    return { files, folders };
  }

  #kept(random: Random): readonly Naming[] {
    const chance = random.one(CHANCES);
    if (random.isOneIn(2)) return this.#namings.filter((one) => this.#isFlushed(one) || random.next() < chance);
    // In order: what is certain makes certain what came before it in its folders.
    const certain = new Map(this.#flushed);
    for (const naming of this.#namings.toReversed()) {
      if (!naming.folders.some((folder) => naming.index < (certain.get(folder) ?? 0))) continue;
      for (const folder of naming.folders) certain.set(folder, Math.max(naming.index + 1, certain.get(folder) ?? 0));
    }
    const cut = new Set<string>();
    return this.#namings.filter(({ index, folders }) => {
      if (folders.some((folder) => index < (certain.get(folder) ?? 0))) return true;
      const isKept = !folders.some((folder) => cut.has(folder)) && random.next() < chance;
      if (!isKept) for (const folder of folders) cut.add(folder);
      return isKept;
    });
  }

  #isFlushed({ index, folders }: Naming): boolean {
    return folders.some((folder) => index < (this.#flushed.get(folder) ?? 0));
  }

  #name(node: DiskNode | undefined, change: { readonly from?: string; readonly to?: string }): void {
    if (node === undefined) return;
    this.#steps++;
    const { from, to } = change;
    const folders = [from, to].filter((path) => path !== undefined).map(folderOf);
    this.#namings.push({ ...change, node, index: this.#namings.length, folders });
    if (from !== undefined) this.#now.delete(from);
    if (to !== undefined) this.#now.set(to, node);
  }
}

function newFile(bytes: Buffer, mtimeMs?: number): DiskFile {
  return { size: bytes.length, flushed: bytes, pending: [], ...(mtimeMs === undefined ? {} : { mtimeMs }) };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function contentOf({ flushed, pending, mtimeMs }: DiskFile, chance: number, random: Random): Left {
  const kept = pending
    .filter(() => random.next() < chance)
    .map((change) => ('bytes' in change && random.isOneIn(4) ? torn(change, random) : change));
  return { bytes: applied(flushed, kept), ...(mtimeMs === undefined ? {} : { mtimeMs }) };
}

/** Sectors are written whole, and the first ones first. */
function torn({ at, bytes }: Write, random: Random): Write {
  const first = Math.floor(at / SECTOR);
  const sectors = Math.ceil((at + bytes.length) / SECTOR) - first;
  const end = (first + random.below(sectors + 1)) * SECTOR;
  return { at, bytes: bytes.subarray(0, Math.max(0, end - at)) };
}

/** Where a later write was kept and an earlier one was not, zeros are between. */
function applied(bytes: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return bytes;
  const ends = changes.map((change) => ('size' in change ? change.size : change.at + change.bytes.length));
  const result = Buffer.alloc(Math.max(bytes.length, ...ends));
  bytes.copy(result);
  let size = bytes.length;
  for (const change of changes) {
    if ('size' in change) {
      if (change.size < size) result.fill(0, change.size, size);
      size = change.size;
    } else if (change.bytes.length > 0) {
      change.bytes.copy(result, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    }
  }
  return result.subarray(0, size);
}
