/**
 * A person decides that an expected export does not come for one of its hours. The history of the ledger has it; a file
 * that comes later is imported like any other.
 */
import { Temporal } from 'temporal-polyfill';
import { WAIVE } from '../../i18n/messages/cli-decisions-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { OperatorError } from '../../model/fault.ts';
import { EXPORT_WAIVED, EXPORT_WAIVER_UNDONE } from '../../model/ledger-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { isOn } from '../intake/expected-exports.ts';
import type { ReprocessDecision } from '../reprocessing/reprocess-documents.ts';

/** One hour of an expected export: its name in the settings, and when it is due (ISO 8601, UTC). */
export type DueExport = { readonly name: string; readonly due: string };

/** `waive/unknown-export`: the settings expect no export of this name. */
export function unknownExport(
  { instance }: { readonly instance: Pick<Instance, 'settings'> },
  name: string,
): OperatorError {
  const names = instance.settings.expect.map((one) => one.name);
  if (names.length === 0) return new OperatorError('waive/unknown-export', WAIVE.none(), { hint: WAIVE.howToExpect() });
  return new OperatorError('waive/unknown-export', WAIVE.unknown({ name }), { hint: WAIVE.names({ names }) });
}

/** Recorded twice, it changes nothing. */
export async function waiveExport(work: RunContext, of: DueExport, decision: ReprocessDecision): Promise<void> {
  await record(work, EXPORT_WAIVED, of, decision);
}

/** Expects it again. */
export async function expectAgain(work: RunContext, of: DueExport, decision: ReprocessDecision): Promise<void> {
  await record(work, EXPORT_WAIVER_UNDONE, of, decision);
}

async function record(
  { ledger }: RunContext,
  what: string,
  of: DueExport,
  { at, by, reason }: ReprocessDecision,
): Promise<void> {
  await ledger.recordEvent({ what, at, person: by, detail: { reason, name: of.name, due: of.due } });
}

/** The hour of that day (YYYY-MM-DD, on the calendar of the zone) as ISO 8601 in UTC; undefined if the export is not due on it. */
export function dueOnDay(
  { by, on }: Pick<Instance['settings']['expect'][number], 'by' | 'on'>,
  day: string,
  zone: string,
): string | undefined {
  const date = Temporal.PlainDate.from(day);
  if (!isOn(on, date)) return undefined;
  const hour = date.toZonedDateTime({ timeZone: zone, plainTime: by });
  return new Date(hour.epochMilliseconds).toISOString();
}
