/**
 * Archived mappings: checked, and loaded as they were when they made documents. A damaged or missing one is a break of
 * the proof, not an error.
 */

import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FOUND } from '../i18n/messages/pipeline-messages.ts';
import { type Instance, mappingWorld } from '../instance/instance.ts';
import { hashOfParts, loadMapping, type Mapping } from '../mapping/mapping.ts';
import type { MappingPart } from '../mapping/mapping-world.ts';
import type { MappingStamp } from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { MAPPING_ARCHIVE, partFile, partsFile, partsText } from '../receipts/archive-mapping.ts';
import { type Break, broken, short } from './verify-findings.ts';

/** Checks every version in the archive, used or not. */
export async function verifyMappings({ folder }: Instance): Promise<{ versions: number; breaks: readonly Break[] }> {
  const kept = await readdir(join(folder, MAPPING_ARCHIVE)).catch(() => []);
  // Without its list it is being written, or a stop left it; if an export needs it, that is reported there.
  const isWhole = (name: string) => /^[0-9a-f]{64}$/.test(name) && existsSync(partsFile(folder, name));
  const versions = kept.filter(isWhole).sort();
  const breaks = versions.flatMap((sha256) => {
    const parts = partsOf(folder, sha256);
    return 'code' in parts ? [parts] : [];
  });
  return { versions: versions.length, breaks };
}

/** The mapping of a stamp as it was, or the break why it cannot be loaded. */
export type KeptMappings = (stamp: MappingStamp, kinds?: Instance['kinds']) => Mapping | Break;

/** Each version is read once: a thousand exports of a year have few mappings. */
export function keptMappings(instance: Instance): KeptMappings {
  const known = new Map<string, Mapping | Break>();
  return (stamp, kinds = instance.kinds) => {
    if (kinds !== instance.kinds) return keptMapping({ ...instance, kinds }, stamp);
    const found = known.get(stamp.sha256) ?? keptMapping(instance, stamp);
    known.set(stamp.sha256, found);
    return found;
  };
}

function keptMapping(instance: Instance, stamp: MappingStamp): Mapping | Break {
  const parts = partsOf(instance.folder, stamp.sha256);
  if ('code' in parts) return parts;
  const [first, ...others] = parts;
  const own = must(first, 'the file of the mapping itself');
  const texts = new Map(others.map(({ path, text }) => [path, text]));
  const world = { ...mappingWorld(instance), isKept: true, readText: (path: string) => texts.get(path) };
  const { mapping, faults } = loadMapping(own.text, own.path, world);
  if (mapping) return mapping;
  const path = `${MAPPING_ARCHIVE}/${stamp.sha256}`;
  const why = faults[0]?.message ?? FOUND.unreadable();
  return broken('verify/rows-unreadable', FOUND.mappingUnusable({ why }), { path });
}

/** The files of an archived mapping as they were, or the break why they are not. */
export function keptParts({ folder }: Instance, sha256: string): readonly MappingPart[] | Break {
  return partsOf(folder, sha256);
}

function partsOf(folder: string, sha256: string): readonly MappingPart[] | Break {
  const path = `${MAPPING_ARCHIVE}/${sha256}`;
  let parts: readonly MappingPart[];
  try {
    const list = readFileSync(partsFile(folder, sha256), 'utf8');
    const paths = JSON.parse(list) as readonly string[];
    if (list !== partsText(paths)) {
      const says = FOUND.mappingNotWhole({ hash: short(sha256), why: FOUND.partsChanged() });
      return broken('verify/mapping-changed', says, { path });
    }
    parts = paths.map((one) => ({ path: one, text: readFileSync(partFile(folder, sha256, one), 'utf8') }));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const says = FOUND.mappingNotWhole({ hash: short(sha256), why: (error as Error).message });
    return broken(missing ? 'verify/mapping-missing' : 'verify/mapping-changed', says, { path });
  }
  const found = hashOfParts(parts);
  if (found === sha256) return parts;
  return broken('verify/mapping-changed', FOUND.hashDiffers({ found: short(found), before: short(sha256) }), { path });
}
