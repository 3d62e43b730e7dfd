/**
 * A person decides that an expected export does not come for one of its hours. The history of the ledger has it; a file
 * that comes later is imported like any other.
 */
import { Temporal } from 'temporal-polyfill';
import type { Message } from '../i18n/message.ts';
import { WAIVE } from '../i18n/messages/cli-decisions-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { localeOf } from '../instance/locale.ts';
import { OperatorError } from '../model/fault.ts';
import { EXPORT_WAIVED, EXPORT_WAIVER_UNDONE } from '../model/ledger-entry.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { expectedExports, isOn } from '../pipeline/intake/expected-exports.ts';
import type { ReprocessDecision } from '../pipeline/reprocessing/reprocess-documents.ts';
import { isoDayIn, localTime } from '../text/local-time.ts';

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

/**
 * The hour as the ledger records it. Throws `waive/unknown-export`, and `waive/not-due` for an hour that the export does not
 * have, that nothing reports any more, or for which it arrived. An hour that is waived already is no error: the same request
 * may come again.
 */
export async function hourToWaive(
  context: RunContext,
  asked: { readonly export: string; readonly due: string },
): Promise<DueExport> {
  const { instance, ledger, clock } = context;
  const name = asked.export;
  const due = new Date(asked.due).toISOString();
  const locale = localeOf(instance.settings);
  const rule = instance.settings.expect.find((one) => one.name === name);
  if (!rule) throw unknownExport(context, name);
  const day = isoDayIn(due, locale.zone) ?? due;
  const refuse = (message: Message) => new OperatorError('waive/not-due', message, { hint: WAIVE.nextDays() });
  if (dueOnDay(rule, day, locale.zone) !== due) throw refuse(WAIVE.noDay({ name, day: localTime(due, locale) }));
  const latest = (await expectedExports({ instance, ledger }, clock.now())).find((one) => one.name === name);
  const at = { name, due: localTime(due, locale) };
  if (latest && due < latest.due) throw refuse(WAIVE.past({ ...at, latest: localTime(latest.due, locale) }));
  if (latest?.due === due && latest.state === 'arrived') throw refuse(WAIVE.arrived(at));
  if (latest?.due === due && latest.state === 'not-due') throw refuse(WAIVE.notDue(at));
  return { name, due };
}

/** Recorded twice, it changes nothing. */
export async function waiveExport(context: RunContext, of: DueExport, decision: ReprocessDecision): Promise<void> {
  await record(context, EXPORT_WAIVED, of, decision);
}

/** Expects it again. */
export async function expectAgain(context: RunContext, of: DueExport, decision: ReprocessDecision): Promise<void> {
  await record(context, EXPORT_WAIVER_UNDONE, of, decision);
}

async function record(
  { ledger }: RunContext,
  what: string,
  of: DueExport,
  { at, by, reason }: ReprocessDecision,
): Promise<void> {
  await ledger.corrections.recordEvent({ what, at, person: by, detail: { reason, name: of.name, due: of.due } });
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
