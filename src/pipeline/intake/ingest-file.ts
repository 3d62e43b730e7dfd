/**
 * Ingests one claimed file: classified once, then admitted or refused in the way of its kind. Done twice it changes
 * nothing: the same bytes are a duplicate, and a file that a crash left half-staged starts over.
 */
import type { SourceFile } from '../../model/ledger-entry.ts';
import { admit, refuse, refusingMistakes } from '../admission/admit-file.ts';
import { ingestExisting } from '../admission/missing-source.ts';
import type { RunContext } from '../context/run-context.ts';
import { ingestCorrectionFile } from '../reprocessing/apply-correction-file.ts';
import { resumeReprocess } from '../reprocessing/reprocess-documents.ts';
import { classify, type OrdinaryFile } from './classify-file.ts';
import { ingestPairHalf } from './ingest-file-pair.ts';
import { ingestSharedFile } from './ingest-shared-file.ts';
import { compareExports, repeatedBy } from './same-export.ts';

/**
 * Marks the file as being read, so that a death of the program is counted. A file that is not `loading` is left alone.
 */
export async function ingestClaimed(context: RunContext, file: SourceFile): Promise<void> {
  // Another record of a shared file may have closed this one, and its copy may be in the archive since.
  if ((await context.ledger.queries.sourceFile(file.id))?.state !== 'loading') return;
  context.readingMarks.begin([file.id]);
  try {
    await ingestExisting(
      context,
      file,
      async () => void (await refusingMistakes(context, file, () => ingest(context, file))),
    );
  } finally {
    context.readingMarks.end([file.id]);
  }
}

async function ingest(context: RunContext, file: SourceFile): Promise<void> {
  const found = await classify(context, file);
  switch (found.kind) {
    case 'ordinary':
      return await ingestOrdinary(context, file, found);
    case 'pair-half':
      return await ingestPairHalf(context, file, found.half);
    case 'shared':
      return await ingestSharedFile(context, file, found.mappings);
    case 'correction':
      return await ingestCorrectionFile(context, file);
    case 'reread':
      return await resumeReprocess(context, file);
  }
}

async function ingestOrdinary(context: RunContext, file: SourceFile, { mapping, faults }: OrdinaryFile): Promise<void> {
  if (!mapping) return await refuse(context, file, { faults, rows: 0, leftOut: [] });
  const earlier = await context.ledger.intake.fileBySha256(file.sha256);
  const compared = earlier ? await compareExports(context, { earlier, file, mapping }) : 'other';
  if (earlier && compared === 'same') {
    await context.ledger.intake.duplicateFile(file.id, earlier.id);
    context.emit({ what: 'file-duplicate', file: file.name, first: earlier.name });
    return;
  }
  await admit(context, file, mapping, repeatedBy(compared));
}
