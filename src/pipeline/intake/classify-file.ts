/**
 * The type of a claimed file, decided once: ingest-file.ts acts on it in one `switch`, and small files are classified
 * here too. In this order: the record in the ledger, then the content, then name and columns. A correction file may
 * have any name, also that of half a pair. A file that vanishes throws the system's error.
 */
import type { Mapping } from '../../mapping/mapping.ts';
import type { Fault } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { isCorrectionContent, isCorrectionFile } from '../../readers/correction-file/recognize-correction-file.ts';
import type { RunContext } from '../context/run-context.ts';
import { type PairRole, pairRoleOf } from '../sources/file-pairs.ts';
import { selectMapping } from './select-mapping.ts';

/** One file under one mapping, as almost all are; without a mapping, `faults` are the reasons to refuse it. */
export type OrdinaryFile =
  | { readonly kind: 'ordinary'; readonly mapping: Mapping; readonly faults?: undefined }
  | { readonly kind: 'ordinary'; readonly mapping?: undefined; readonly faults: readonly Fault[] };

/** Each kind is ingested in its own way. */
export type ClassifiedFile =
  | OrdinaryFile
  /** The headers or the lines of a pair: admitted together with its partner. */
  | { readonly kind: 'pair-half'; readonly half: PairRole }
  /** Read under each of these mappings. */
  | { readonly kind: 'shared'; readonly mappings: readonly Mapping[] }
  /** Cells that a person has corrected. */
  | { readonly kind: 'correction' }
  /** Documents of an archived file that are read again, cut off by a stop. */
  | { readonly kind: 'reread' };

/** `content`: the whole file, if it is in memory. */
export async function classify(
  work: Pick<RunContext, 'instance'>,
  file: Pick<SourceFile, 'name' | 'path' | 'claimedAt' | 'rereads'>,
  content?: Buffer,
): Promise<ClassifiedFile> {
  if (file.rereads !== undefined) return { kind: 'reread' };
  const isCorrection = content
    ? await isCorrectionContent(content, file.name)
    : await isCorrectionFile(file.path, file.name);
  if (isCorrection) return { kind: 'correction' };
  const half = pairRoleOf(work.instance.mappings, file.name);
  if (half) return { kind: 'pair-half', half };
  const chosen = await selectMapping(work, file, content);
  if ('faults' in chosen) return { kind: 'ordinary', faults: chosen.faults };
  const { mapping, also } = chosen;
  return also.length === 0 ? { kind: 'ordinary', mapping } : { kind: 'shared', mappings: [mapping, ...also] };
}
