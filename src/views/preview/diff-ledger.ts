/**
 * The documents that a file would give now, compared with those that the ledger recorded: same service, class, issuer
 * and number. Nothing is sent or recorded. Throws the OperatorErrors of a preview.
 */

import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { detailsOf, documentOf } from '../../model/document.ts';
import type { Draft } from '../../model/draft.ts';
import type { Fault } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';
import type { Previewed } from '../../pipeline/conversion/convert-file.ts';
import { type Change, changesOf, contentLeaves } from './diff-content.ts';
import { type Field, previewFields, readDrafts } from './preview-files.ts';

/** now-refused: valid then, refused now; now-valid: the reverse. still-refused: refused both times. */
type Verdict = 'same' | 'changed' | 'new' | 'now-refused' | 'now-valid' | 'still-refused';

/** A change with the cells and the mapping line of its new value. */
export type TracedChange = Change & Pick<Field, 'from' | 'rule'>;

/** One document of the file next to its record, if the ledger has one. */
export type LedgerDifference = {
  readonly what: Verdict;
  readonly identifier: string;
  readonly class: string;
  readonly rows: readonly number[];
  readonly recorded?: { readonly id: string; readonly state: State; readonly mapping?: string };
  readonly changes: readonly TracedChange[];
  readonly faults: readonly Fault[];
};

/** All documents, or only those with the number `wanted`; then reading stops at the first. */
export async function* diffWithLedger(
  { instance, ledger }: { readonly instance: Instance; readonly ledger: Pick<Ledger, 'queries'> },
  path: string,
  now: Date,
  wanted?: string,
): AsyncIterable<LedgerDifference> {
  for await (const { one } of readDrafts(instance, path, now)) {
    const { facts } = detailsOf(one.outcome);
    if (wanted !== undefined && facts.identifier !== wanted) continue;
    yield await differenceOf(ledger.queries, one);
    if (wanted !== undefined) return;
  }
}

async function differenceOf(ledger: QueryStore, { outcome, draft }: Previewed): Promise<LedgerDifference> {
  const document = documentOf(outcome);
  const details = detailsOf(outcome);
  const entry = await recordedOf(ledger, details);
  const before = entry && (await ledger.contentOf(entry.id));
  const changes =
    document && before !== undefined
      ? changesOf(contentLeaves(before), contentLeaves(document.content.toString()))
      : [];
  return definedOnly({
    what: verdictOf(document !== undefined, entry !== undefined, before !== undefined, changes.length),
    identifier: details.facts.identifier,
    class: details.class,
    rows: details.rows,
    recorded: entry && recorded(entry),
    changes: draft ? traced(changes, draft) : [],
    faults: 'document' in outcome ? [] : outcome.faults,
  });
}

function verdictOf(valid: boolean, known: boolean, made: boolean, changes: number): Verdict {
  if (!known) return 'new';
  if (!valid) return made ? 'now-refused' : 'still-refused';
  if (!made) return 'now-valid';
  return changes > 0 ? 'changed' : 'same';
}

function recorded({ id, state, file }: LedgerEntry): NonNullable<LedgerDifference['recorded']> {
  const { mapping } = file;
  return definedOnly({ id, state, mapping: mapping && `${mapping.id} ${mapping.version}` });
}

/** Each change with the cells and the line of the current mapping; the trace is made only if there is a change. */
export function traced(changes: readonly Change[], draft: Draft): readonly TracedChange[] {
  if (changes.length === 0) return [];
  const fields = new Map(previewFields(draft, 'en').map((field) => [field.at, field]));
  return changes.map((change) => {
    const { from = [], rule } = fields.get(change.at) ?? {};
    return definedOnly({ ...change, from, rule });
  });
}

async function recordedOf(
  ledger: QueryStore,
  { service, class: documentClass, facts }: ReturnType<typeof detailsOf>,
): Promise<LedgerEntry | undefined> {
  const { identifier, issuer } = facts;
  if (identifier === '') return undefined;
  let latest: LedgerEntry | undefined;
  for await (const entry of ledger.find({ ids: [identifier], service })) {
    if (entry.class !== documentClass || entry.facts.identifier !== identifier) continue;
    // A duplicate has no content of its own: the entry that was there first has.
    if (entry.state === 'duplicate' || (entry.facts.issuer ?? issuer) !== (issuer ?? entry.facts.issuer)) continue;
    if (latest === undefined || entry.since > latest.since) latest = entry;
  }
  return latest;
}
