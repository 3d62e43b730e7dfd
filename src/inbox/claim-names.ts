/**
 * The names of a claim: three files of one UUID in processing/<run>/, distinguished by a word before the original name.
 *
 *     <uuid>__ventes.csv          the private copy, complete: this is what is processed
 *     <uuid>.taken__ventes.csv    the file as it was dropped, until the copy is proven equal
 *     <uuid>.copying__ventes.csv  a copy that is not complete; worth nothing
 *     <uuid>.marker__ventes.csv.done   its marker file
 *     <uuid>.name__ventes.csv     what it was called, where that is too long for these names; goes with the copy
 *
 * On an inbox of another volume the taken file keeps its place as `.nightpost-<run>-<uuid>__ventes.csv`.
 */
import { basename, dirname, join, sep } from 'node:path';
import { originalName, safeName } from '../text/safe-file-name.ts';
import type { InboxCandidate } from './scan-inbox.ts';

/** Leaves room in 255 bytes for the prefix, the run and the UUID. */
const NAME_BYTES = 150;
const PART = /^([0-9a-f-]{36})(?:\.(taken|copying|marker|name))?__(.+)$/s;

export type ClaimRole = 'copy' | 'taken' | 'copying' | 'marker' | 'name';
export type ClaimNames = {
  readonly source: Buffer;
  readonly copy: string;
  readonly taken: string;
  /** Where the taken file goes when processing/ is on another volume. */
  readonly takenInPlace: string;
  readonly copying: string;
  readonly marker: string;
  /** The file that has the whole name, and its content; undefined where the other names say it. */
  readonly whole: { readonly path: string; readonly content: Buffer } | undefined;
};

const BETWEEN = Buffer.of(0);

export function claimNames(
  candidate: Pick<InboxCandidate, 'folder' | 'name' | 'marker'>,
  folder: string,
  run: string,
  uuid: string,
): ClaimNames {
  const safe = safeName(candidate.name, NAME_BYTES);
  const inFolder = (role: string) => join(folder, `${uuid}${role}__${safe}`);
  const isCut = !originalName(safe).equals(candidate.name);
  return {
    source: joinBytes(candidate.folder, candidate.name),
    copy: inFolder(''),
    taken: inFolder('.taken'),
    takenInPlace: join(candidate.folder, `${inPlacePrefix(run)}${uuid}__${safe}`),
    copying: inFolder('.copying'),
    marker: join(folder, `${uuid}.marker__${safeName(candidate.marker ?? candidate.name, NAME_BYTES)}`),
    whole: isCut
      ? { path: inFolder('.name'), content: Buffer.concat([candidate.name, BETWEEN, candidate.marker ?? BETWEEN]) }
      : undefined,
  };
}

/** The file that has the whole name, where that of this private copy is cut. */
export function wholeNameFile(copy: string): string {
  return join(dirname(copy), basename(copy).replace('__', '.name__'));
}

/** The names of the file and of its marker, as they were. */
export function readWholeNames(content: Buffer): { readonly name: Buffer; readonly marker: Buffer } {
  const at = content.indexOf(BETWEEN);
  return { name: content.subarray(0, at), marker: content.subarray(at + 1) };
}

/** Reads a name in processing/<run>/; undefined for a name of another program. */
export function readClaimName(
  name: string,
): { readonly uuid: string; readonly role: ClaimRole; readonly safe: string } | undefined {
  const [, uuid, role = 'copy', safe] = PART.exec(name) ?? [];
  if (uuid === undefined || safe === undefined) return undefined;
  return { uuid, role: role as ClaimRole, safe };
}

export function inPlacePrefix(run: string): string {
  return `.nightpost-${run}-`;
}

export function joinBytes(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder + sep), name]);
}
