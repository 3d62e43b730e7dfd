/**
 * Samples that people upload to the studio: private files in state/studio/, removed after a day. Bytes and a name come
 * in, a key comes out. Throws OperatorError `infer/not-an-export` for what is no export.
 */

import { readdirSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { inOnePiece } from '../files/in-one-piece.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import { STUDIO_REFUSED } from '../i18n/messages/console/console-studio-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { safeName } from '../text/safe-file-name.ts';
import { sha256Hex } from '../text/sha256.ts';

/** Bytes of a sample. */
export const MOST_SAMPLE_BYTES = 8 * 1024 * 1024;

const ENDINGS = ['.csv', '.txt', '.tsv', '.dat', '.asc', '.prn', '.xml', '.xlsx'];
const DAY_MS = 24 * 3_600_000;
const MOST_SAMPLES = 50;

/** `key` finds it again: 16 digits of its hash, and its name. */
export type UploadedSample = { readonly key: string; readonly name: string; readonly path: string };

export async function keepSample(root: string, name: string, bytes: Uint8Array): Promise<UploadedSample> {
  const own = name.replace(/^.*[/\\]/s, '');
  if (!ENDINGS.includes(extname(own).toLowerCase())) throw refused(STUDIO_REFUSED.sampleType({ file: own }));
  if (bytes.length === 0) throw refused(STUDIO_REFUSED.sampleEmpty({ file: own }));
  if (bytes.length > MOST_SAMPLE_BYTES) throw refused(STUDIO_REFUSED.sampleSize({ file: own, most: 8 }));
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (isZip !== (extname(own).toLowerCase() === '.xlsx')) throw refused(STUDIO_REFUSED.sampleContent({ file: own }));
  const folder = samplesFolder(root);
  await ensureFolder(folder);
  removeOld(folder);
  const key = `${sha256Hex(bytes).slice(0, 16)}-${safeName(own, 120)}`;
  const path = join(folder, key);
  await writeDurable(path, inOnePiece(bytes));
  return { key, name: safeName(own, 120), path };
}

/** Undefined if it was removed, or is no key of ours. */
export function findSample(root: string, key: string): UploadedSample | undefined {
  const [, name = ''] = /^[0-9a-f]{16}-([^/\\\0]+)$/.exec(key) ?? [];
  const path = join(samplesFolder(root), key);
  if (name === '' || !statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return { key, name, path };
}

function samplesFolder(root: string): string {
  return join(root, 'state', 'studio');
}

function removeOld(folder: string): void {
  const kept = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  const sorted = kept.sort((a, b) => b.at - a.at);
  for (const [n, { name, at }] of sorted.entries()) {
    if (n >= MOST_SAMPLES - 1 || Date.now() - at > DAY_MS) rmSync(join(folder, name), { force: true });
  }
}

function refused(message: ReturnType<typeof STUDIO_REFUSED.sampleType>): OperatorError {
  return new OperatorError('infer/not-an-export', message, { hint: STUDIO_REFUSED.sampleHint() });
}
