/**
 * Which archived files the documents of an export carry, where its summary is lost: those whose bytes are in a payload, by
 * their hash. Reads only.
 */
import { join } from 'node:path';
import type { Instance } from '../instance/instance.ts';
import type { Attachment } from '../model/ledger-entry.ts';
import { listNames } from '../receipts/output-folders.ts';
import { originalName } from '../text/safe-file-name.ts';
import { sha256Hex } from '../text/sha256.ts';

const ARCHIVED = /^(?<hash>[0-9a-f]{64}|[0-9a-f]{16})-(?<safe>.+)$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A function from the text of a payload to the files in it; the names of the archive are read once. */
export function createAttachmentFinder({ paths }: Pick<Instance, 'paths'>): (payload: string) => readonly Attachment[] {
  let names: ReadonlyMap<string, readonly string[]> | undefined;
  return (payload) => {
    names ??= archivedNames(paths.archive);
    const found: Attachment[] = [];
    for (const text of textsIn(JSON.parse(payload))) {
      if (text.length % 4 !== 0 || !BASE64.test(text)) continue;
      const sha256 = sha256Hex(Buffer.from(text, 'base64'));
      for (const hash of [sha256, sha256.slice(0, 16)])
        for (const name of names.get(hash) ?? []) found.push({ name, sha256 });
    }
    return found;
  };
}

/** By the hash, or its first half, that is part of the name. */
function archivedNames(archive: string): ReadonlyMap<string, readonly string[]> {
  const byHash = Map.groupBy(archivedFiles(archive), ({ hash }) => hash);
  return new Map([...byHash].map(([hash, files]) => [hash, files.map(({ name }) => name)]));
}

/** The exports and attachments in the archive; `hash` is the whole one, or its first half. */
export function* archivedFiles(archive: string) {
  for (const month of listNames(archive).filter((one) => /^\d{4}-\d{2}$/.test(one))) {
    for (const one of listNames(join(archive, month))) {
      const { hash, safe } = ARCHIVED.exec(one)?.groups ?? {};
      if (hash === undefined || safe === undefined) continue;
      yield { path: join(archive, month, one), month, hash, safe, name: originalName(safe).toString() };
    }
  }
}

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object') for (const one of Object.values(value)) yield* textsIn(one);
}
