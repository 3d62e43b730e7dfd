/**
 * Private copies that vanish from processing/ or are replaced there, by a virus scanner, a person or a restored backup:
 * the file is recorded as missing or refused (intake/source-missing), and every other file continues.
 */

import { lstatSync } from 'node:fs';
import type { Message } from '../../i18n/message.ts';
import { INTAKE } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { SOURCE_MISSING, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { RunContext } from '../context/run-context.ts';
import { refuse } from './admit-file.ts';

const GONE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'];

/** True if the path is not a plain file: nothing, a folder or a link. Other errors of the system are thrown. */
export function isMissing(path: string): boolean {
  try {
    return !lstatSync(path).isFile();
  } catch (error) {
    if (!GONE.includes((error as NodeJS.ErrnoException).code)) throw error;
    return true;
  }
}

/** For a file that is no longer `loading`: recorded and emitted once; its documents stay as they are. */
export async function recordMissing(context: RunContext, file: SourceFile): Promise<void> {
  const fault = missing(file, INTAKE.documentsStay());
  await context.ledger.intake.recordMissing(file.id, fault, context.clock.now().toISOString());
  if (!isKnownMissing(file)) context.emit({ what: 'source-missing', file: file.name, fault });
}

/**
 * Ingests a file. If a private copy that it needs is gone, the files with lost copies are refused (this one, or its
 * partner), and this one is ingested again without it.
 */
export async function ingestExisting(
  context: RunContext,
  file: SourceFile,
  ingest: (context: RunContext, file: SourceFile) => Promise<void>,
): Promise<void> {
  try {
    return await ingest(context, file);
  } catch (error) {
    if (!GONE.includes((error as NodeJS.ErrnoException).code)) throw error;
    const loading = (await context.ledger.intake.openFiles()).filter(
      ({ state, rereads }) => state === 'loading' && rereads === undefined,
    );
    const lost = loading.filter(({ path }) => isMissing(path));
    if (lost.length === 0) {
      // Refused together with its other half a moment ago.
      if (isKnownMissing(must(await context.ledger.queries.sourceFile(file.id), 'the file itself'))) return;
      throw error;
    }
    for (const one of lost)
      await refuse(context, one, { faults: [missing(one, INTAKE.notRead())], rows: 0, leftOut: [] });
    if (loading.some(({ id }) => id === file.id) && !lost.some(({ id }) => id === file.id)) {
      await ingestExisting(context, file, ingest);
    }
  }
}

function isKnownMissing({ faults }: SourceFile): boolean {
  return faults.some(({ code }) => code === SOURCE_MISSING);
}

/** The fault of a file whose bytes are gone. */
export function missing({ name }: Pick<SourceFile, 'name'>, hint: Message): DataFault {
  return {
    code: SOURCE_MISSING,
    level: 'error',
    ...withMessage(INTAKE.sourceMissing(), hint),
    origin: { file: name, row: 0 },
  };
}
