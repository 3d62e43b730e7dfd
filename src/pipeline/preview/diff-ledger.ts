/**
 * What a file would give today, held against what the ledger recorded for the same documents: same service, class,
 * issuer and number. Nothing is sent or recorded.
 */
import type { Instance } from '../../instance/instance.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Draft } from '../../model/draft.ts';
import type { Fault } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';
import type { Previewed } from '../conversion/convert-file.ts';
import { type Change, changesOf, contentLeaves } from './diff-content.ts';
import { type Field, previewFields, readDrafts } from './preview-files.ts';

/**
 * now-refused: it was made then and would be refused today; now-valid: the other way round. still-refused: neither then
 * nor now.
 */
type Verdict = 'same' | 'changed' | 'new' | 'now-refused' | 'now-valid' | 'still-refused';

export type TracedChange = Change & Pick<Field, 'from' | 'rule'>;

export type LedgerDifference = {
  readonly what: Verdict;
  readonly identifier: string;
  readonly class: string;
  readonly rows: readonly number[];
  readonly recorded?: { readonly id: string; readonly state: State; readonly mapping?: string };
  readonly changes: readonly TracedChange[];
  readonly faults: readonly Fault[];
};

/** Only documents whose number is `wanted`, where one is given; stops reading once it is found. */
export async function* diffWithLedger(
  instance: Instance,
  ledger: QueryStore,
  path: string,
  now: Date,
  wanted?: string,
): AsyncIterable<LedgerDifference> {
  for await (const { one } of readDrafts(instance, path, now)) {
    const told = 'document' in one.outcome ? one.outcome.document : one.outcome;
    if (wanted !== undefined && told.facts.identifier !== wanted) continue;
    yield await differenceOf(ledger, one);
    if (wanted !== undefined) return;
  }
}

async function differenceOf(ledger: QueryStore, { outcome, draft }: Previewed): Promise<LedgerDifference> {
  const document = 'document' in outcome ? outcome.document : undefined;
  const told = 'document' in outcome ? outcome.document : outcome;
  const entry = await recordedOf(ledger, told);
  const before = entry && (await ledger.contentOf(entry.id));
  const changes =
    document && before !== undefined
      ? changesOf(contentLeaves(before), contentLeaves(document.content.toString()))
      : [];
  return definedOnly({
    what: verdictOf(document !== undefined, entry !== undefined, before !== undefined, changes.length),
    identifier: told.facts.identifier,
    class: told.class,
    rows: told.rows,
    recorded: entry ? recorded(entry) : undefined,
    changes: draft ? traced(changes, draft) : [],
    faults: 'document' in outcome ? [] : outcome.faults,
  });
}

function verdictOf(valid: boolean, known: boolean, made: boolean, changes: number): Verdict {
  if (!valid) return made ? 'now-refused' : known ? 'still-refused' : 'new';
  if (!known) return 'new';
  return made ? (changes > 0 ? 'changed' : 'same') : 'now-valid';
}

function recorded({ id, state, file }: LedgerEntry): NonNullable<LedgerDifference['recorded']> {
  const { mapping } = file;
  return definedOnly({ id, state, mapping: mapping ? `${mapping.id} ${mapping.version}` : undefined });
}

/** Each change with the cells and the line of today's mapping; the trace is made only where something changed. */
export function traced(changes: readonly Change[], draft: Draft): readonly TracedChange[] {
  if (changes.length === 0) return [];
  const fields = new Map(previewFields(draft).map((field) => [field.at, field]));
  return changes.map((change) => {
    const { from = [], rule } = fields.get(change.at) ?? {};
    return definedOnly({ ...change, from, rule });
  });
}

type Told = {
  readonly service: string;
  readonly class: string;
  readonly facts: { readonly identifier: string; readonly issuer?: string };
};

async function recordedOf(ledger: QueryStore, told: Told): Promise<LedgerEntry | undefined> {
  const { identifier, issuer } = told.facts;
  if (identifier === '') return undefined;
  let latest: LedgerEntry | undefined;
  for await (const entry of ledger.find({ ids: [identifier], service: told.service })) {
    if (entry.class !== told.class || entry.facts.identifier !== identifier) continue;
    // A duplicate has no content of its own: the entry that was there first has.
    if (entry.state === 'duplicate' || (entry.facts.issuer ?? issuer) !== (issuer ?? entry.facts.issuer)) continue;
    if (latest === undefined || entry.since > latest.since) latest = entry;
  }
  return latest;
}
