/**
 * Whether a file is the same export as an earlier one of the same bytes, so that reading it would find nothing new. The
 * bytes and the mapping are not enough where the mapping asks for a fact: then a file for which it differs is read, and the
 * identities of its documents decide. Reads the ledger and the inbox; their errors pass to the caller.
 */
import { join } from 'node:path';
import { sha256OfFile } from '../../files/sha256-of-file.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import type { Facts } from '../../mapping/runtime/value.ts';
import type { DocumentOutcome } from '../../model/document.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { isMissing } from '../admission/missing-source.ts';
import type { RunContext } from '../context/run-context.ts';

/** Two files of the same bytes. */
type Twins = { readonly earlier: SourceFile; readonly file: SourceFile; readonly mapping: Mapping };

/**
 * `same`: reading it would find nothing new. `repeated`: its documents may be those of the earlier one, although the day or the
 * name differs.
 */
type Comparison = 'same' | 'other' | { readonly repeated: NonNullable<DocumentOutcome['repeats']> };

/** `earlier`: the latest file with the same bytes. */
export async function compareExports(context: RunContext, twins: Twins): Promise<Comparison> {
  const { earlier, file, mapping } = twins;
  // Nothing of a refused file was ever sent: dropped again, its faults are reported again.
  if (earlier.id === file.id || earlier.state !== 'admitted' || earlier.mapping?.sha256 !== mapping.sha256)
    return 'other';
  if (mapping.asks.has('companion') && (await hasNewCompanion(context, earlier))) return 'other';
  const same = await Promise.all([...mapping.asks].map((fact) => IS_SAME[fact](context, twins)));
  if (same.every(Boolean)) return 'same';
  const sameName = !mapping.asks.has('file') || (await IS_SAME.file(context, twins));
  return { repeated: { file: earlier.id, sameName } };
}

/** What the documents of a file that is read repeat. */
export function repeatedBy(compared: Comparison): { readonly repeats: DocumentOutcome['repeats'] } {
  return { repeats: typeof compared === 'object' ? compared.repeated : undefined };
}

const IS_SAME: {
  readonly [Fact in keyof Required<Facts>]: (context: RunContext, twins: Twins) => boolean | Promise<boolean>;
} = {
  today: ({ instance }, { earlier, file, mapping }) => {
    const { service } = must(
      instance.kinds.find(({ name }) => name === mapping.target),
      `the kind ${mapping.target}`,
    );
    const dayOf = ({ claimedAt }: SourceFile) => instance.dayOf(service, new Date(claimedAt));
    return dayOf(earlier) === dayOf(file);
  },
  file: (_, { earlier, file }) => earlier.name === file.name,
  companion: async (context, { earlier }) => {
    const { invalid = 0 } = await context.ledger.queries.counts({ file: earlier.id, states: ['invalid'] });
    return invalid === 0;
  },
};

/** True if the inbox has other bytes under the name of a file that a document of the export carries. */
async function hasNewCompanion({ ledger, instance }: RunContext, { id }: SourceFile): Promise<boolean> {
  for (const { name, sha256 } of await ledger.queries.attachmentsOfReadings(id)) {
    const path = join(instance.paths.inbox, name);
    // One that cannot be read now may be another: the document that asks for it gets the fault.
    if (!isMissing(path) && (await sha256OfFile(path).catch(() => undefined)) !== sha256) return true;
  }
  return false;
}
