/** An act on a selection, as the API takes it: the selection and the act come in, what would be done comes out. */
import { z } from 'zod';
import { EVIDENCE, RESOLVED_AS, SEEN_STATE } from '../../decisions/act.ts';
import { replacement, withFormer } from '../../decisions/plan-fix.ts';
import { type DocumentAct, documentsAsked, type ProposedAct, proposeAct } from '../../decisions/propose-act.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Selector } from '../../model/ledger-entry.ts';
import { systemClock } from '../../runs/open-run.ts';
import { withCause } from '../../views/queries/select-documents.ts';
import type { ScreenContext } from '../server/screen-context.ts';

const text = z.string().min(1);
/** Names (ids, numbers or receipt names) or filters, which together narrow the selection. */
const selector = z.strictObject({
  ids: z.array(text).min(1).optional(),
  state: z.array(SEEN_STATE).min(1).optional(),
  cause: text.optional(),
  mapping: text.optional(),
  run: text.optional(),
  file: text.optional(),
  since: z.iso.datetime().optional(),
});

/** Acts that a selection of documents can have. */
export const SELECTED_ACT = z.discriminatedUnion('act', [
  z.strictObject({ act: z.enum(['retry', 'release', 'set-aside', 'acknowledge']), selector, evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('resolve'), selector, as: z.enum(RESOLVED_AS), evidence: EVIDENCE }),
  z.strictObject({ act: z.literal('reprocess'), selector }),
  /** `cells`: COLUMN=VALUE or COLUMN@ROW=VALUE; `suggested`: also what the faults suggest. */
  z.strictObject({
    act: z.literal('fix'),
    selector,
    cells: z.array(text).default([]),
    suggested: z.boolean().optional(),
  }),
  /** An earlier name of the `fix` of the cells of a column that have the text `from`, or, without `to`, of what the faults suggest. */
  z
    .strictObject({
      act: z.literal('replace-cells'),
      selector,
      column: text,
      from: z.string().optional(),
      to: z.string().optional(),
    })
    .meta({ deprecated: true }),
]);
type SelectedAct = z.infer<typeof SELECTED_ACT>;

/** `foresees`: also what `reprocess` would make of each document; a `fix` always shows it. */
export async function proposeSelected(
  { instance, ledger }: Pick<ScreenContext, 'instance' | 'ledger'>,
  selected: SelectedAct,
  foresees: boolean,
): Promise<ProposedAct> {
  const { state: states, cause, ...narrow } = selected.selector;
  const where = withCause(definedOnly(narrow), definedOnly({ states, cause }));
  const entries = await documentsAsked(ledger.queries, where, selected.act);
  const asked = askedOf(selected, where);
  const at = systemClock.now().toISOString();
  const context = { instance, ledger, clock: systemClock };
  return await proposeAct(context, entries, asked, { foresees: foresees || asked.act === 'fix', at });
}

function askedOf({ selector: _, ...asked }: SelectedAct, where: Selector): DocumentAct {
  if (asked.act === 'replace-cells') return { act: 'fix', request: withFormer(replacement(asked), where) };
  if (asked.act !== 'fix') return asked;
  const { cells, suggested } = asked;
  return { act: 'fix', request: withFormer(definedOnly({ cells, suggested }), where) };
}
