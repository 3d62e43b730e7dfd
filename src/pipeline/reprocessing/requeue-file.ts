/**
 * A refused file goes from the archive back into the inbox under its own name: no document was made of it, so it is
 * ingested as if it were dropped again, with the current mapping. Of a pair, both files go. Never replaces a file.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createEmpty } from '../../files/create-empty.ts';
import { sha256OfOurs } from '../../files/sha256-of-file.ts';
import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { copyInto } from '../sources/copy-into-inbox.ts';
import { pairRoleOf } from '../sources/file-pairs.ts';
import { claimedPartner } from '../sources/pair-partners.ts';
import { changed } from './reconvert-source.ts';

/** Resolves to the paths in the inbox. Throws if the archived copy is gone or the name is taken. */
export async function copyToInbox(context: RunContext, file: SourceFile): Promise<readonly string[]> {
  const { instance } = context;
  const { marker } = instance.settings.inbox;
  const half = pairRoleOf(instance.mappings, file.name);
  const partner = half && (await claimedPartner(context, file, half, { newest: Number.MAX_SAFE_INTEGER }));
  const files = definedItems([file, partner?.state === 'refused' ? partner : undefined]);
  const faults = (await Promise.all(files.map(changed))).filter((fault) => fault !== undefined);
  if (faults.length > 0) {
    throw new OperatorError('reprocess/cannot-take-again', REPROCESS.cannotTake({ file: file.name }), { faults });
  }
  const paths: string[] = [];
  for (const { name, path, sha256 } of files) {
    const place = join(instance.paths.inbox, basename(name));
    // The same bytes are there already: dropped by the ERP, or by a request that was cut off.
    const isThere = existsSync(place) && (await sha256OfOurs(place)) === sha256;
    if (!isThere) await copyInto(path, place, marker);
    else if (marker !== undefined) await createEmpty(place + marker);
    paths.push(place);
  }
  return paths;
}
