/**
 * Ingests half of a pair: the two files together once both are claimed, or refused if the partner does not come
 * (intake/partner-missing, intake/partner-refused). The lines act; the header file waits for them as `loading`. The
 * same pair of bytes again is a duplicate; one half that is known with another partner is not.
 */

import { readdirSync } from 'node:fs';
import { INTAKE } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { admit, refuse } from '../admission/admit-file.ts';
import type { RunContext } from '../context/run-context.ts';
import { isPartner, type PairRole, pairRoleOf, partnerMissing } from '../sources/file-pairs.ts';
import { claimedPartner } from '../sources/pair-partners.ts';
import { classify } from './classify-file.ts';
import { compareExports, repeatedBy } from './same-export.ts';

/** Does nothing if the other half has already ingested this one. */
export async function ingestPairHalf(context: RunContext, file: SourceFile, half: PairRole): Promise<void> {
  const open = await context.ledger.intake.loadingFiles();
  // The other half may have taken this one in already.
  if (!open.some(({ id }) => id === file.id)) return;
  // A replaced ledger reads both again, and may have other files of these names.
  const recorded = file.partner === undefined ? undefined : await context.ledger.queries.sourceFile(file.partner);
  const loading = await loadingPartner(context, recorded ? open.filter(({ id }) => id === recorded.id) : open, half);
  if (half.role === 'headers' && loading) return;
  const partner = loading ?? recorded ?? (await claimedPartner(context, file, half, { newest: 1000 }));
  if (partner?.state === 'refused') return await refuseHalf(context, file, partnerRefused(file, partner));
  // Headers that a run closed before a crash have not had their lines yet.
  const headers = half.role === 'lines' ? partner : undefined;
  if (!headers) return await takeAlone(context, file, half);
  const earlier = await earlierPair(context, headers, file, half);
  if (earlier?.as !== 'same')
    return await admit(context, file, half.mapping, { headers, ...repeatedBy(earlier?.as ?? 'other') });
  for (const [repeated, first] of [
    [headers, earlier.headers],
    [file, earlier.lines],
  ] as const) {
    if (repeated.state !== 'loading') continue;
    await context.ledger.intake.duplicateFile(repeated.id, first.id);
    context.emit({ what: 'file-duplicate', file: repeated.name, first: first.name });
  }
}

/** A correction file may have any name, that of a partner too. */
async function loadingPartner(
  context: RunContext,
  open: readonly SourceFile[],
  half: PairRole,
): Promise<SourceFile | undefined> {
  for (const one of open) {
    if (!isPartner(half, pairRoleOf(context.instance.mappings, one.name))) continue;
    if ((await classify(context, one)).kind === 'pair-half') return one;
  }
  return undefined;
}

/** The partner may still be on its way: not claimed yet. */
async function takeAlone(context: RunContext, file: SourceFile, half: PairRole): Promise<void> {
  const { instance } = context;
  const arrived = readdirSync(instance.paths.inbox).some((name) => isPartner(half, pairRoleOf([half.mapping], name)));
  if (!arrived) await refuseHalf(context, file, partnerMissing(half.mapping, file.name));
}

async function refuseHalf(context: RunContext, file: SourceFile, fault: Fault): Promise<void> {
  const half = must(pairRoleOf(context.instance.mappings, file.name), 'the mapping of a pair');
  const mapping = context.instance.stampOf(half.mapping);
  await refuse(context, file, { faults: [fault], mapping, rows: 0, leftOut: [] });
}

function partnerRefused(file: SourceFile, partner: SourceFile): DataFault {
  return {
    code: 'intake/partner-refused',
    level: 'error',
    ...withMessage(INTAKE.partnerRefused({ partner: partner.name }), INTAKE.correctBoth()),
    origin: { file: file.name, row: 0 },
  };
}

type Earlier = {
  readonly headers: SourceFile;
  readonly lines: SourceFile;
  readonly as: Awaited<ReturnType<typeof compareExports>>;
};

/** The same two files, ingested together in one run under the same mapping. */
async function earlierPair(
  context: RunContext,
  headers: SourceFile,
  lines: SourceFile,
  half: PairRole,
): Promise<Earlier | undefined> {
  const { ledger, instance } = context;
  const before = await ledger.intake.fileBySha256(headers.sha256);
  const after = await ledger.intake.fileBySha256(lines.sha256);
  if (!before || !after || before.id === headers.id || before.run !== after.run) return undefined;
  const [first, second] = [pairRoleOf(instance.mappings, before.name), pairRoleOf(instance.mappings, after.name)];
  const together = first !== undefined && isPartner(first, second);
  const { mapping } = half;
  if (!together || before.state !== 'admitted' || before.mapping?.sha256 !== mapping.sha256) return undefined;
  // The facts are those of the lines, which make the documents.
  return { headers: before, lines: after, as: await compareExports(context, { earlier: after, file: lines, mapping }) };
}
