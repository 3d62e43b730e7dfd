/**
 * Writes the morning report of a run. Neither an exit code nor a document depends on it: what keeps it from being written
 * comes back as a message.
 */
import type { Message } from '../../i18n/message.ts';
import { NIGHT_REPORT } from '../../i18n/messages/report/report-page-messages.ts';
import { localeOf } from '../../instance/locale.ts';
import { OperatorError } from '../../model/fault.ts';
import { reportPage } from '../../pages/report-page.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { writeReport } from '../../runs/write-report.ts';
import type { NightReport } from '../../views/reporting/report-shape.ts';

/** Undefined once the report is durable; in no-send mode the ledger takes no report, and none is written. */
export async function publishNightReport(context: RunContext, report: NightReport): Promise<Message | undefined> {
  const { instance, ledger } = context;
  if (!ledger.guard.send) return undefined;
  try {
    await writeReport(context, report, reportPage(report, localeOf(instance.settings)));
    return undefined;
  } catch (error) {
    const { code = 'internal-error' } = error as { readonly code?: string };
    const { language } = instance.settings.rules;
    const reason = error instanceof OperatorError ? error.localized(language).message : (error as Error).message;
    return NIGHT_REPORT.notWritten({ reason: `${code}: ${reason}` });
  }
}
