/**
 * `report [RUN]`: the morning report of the last run, of one run, or of days, as it was written. Reads only; a report whose
 * files differ from the ledger is refused (`report/changed`).
 */
import type { Command } from 'commander';
import { NIGHT_REPORT } from '../../../i18n/messages/report/report-page-messages.ts';
import type { RecordedReport } from '../../../ledger/contract/report-store.ts';
import { OperatorError } from '../../../model/fault.ts';
import { reportPage } from '../../../pages/report-page.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import { pageOfReport, purgedWords, readReport } from '../../../views/reporting/read-report.ts';
import { addedBalances, sentIn } from '../../../views/reporting/report-balance.ts';
import type { NightReport } from '../../../views/reporting/report-shape.ts';
import { amountTexts } from '../../../views/wording/amount-texts.ts';
import { type Column, table } from '../../layout/layout.ts';
import { reportLines } from '../../output/print-run-report.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSessionToLook, type Session } from '../../session/command-session.ts';
import { readDay } from '../../session/document-selection.ts';
import { bold } from '../../session/terminal.ts';

export const reportCommand: CommandModule = {
  run: showReport,
  values: { day: { read: readDay }, since: { read: readDay } },
};

type Options = { readonly day?: string; readonly since?: string; readonly html?: boolean };

async function showReport(run: string | undefined, { day, since, html }: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { instance, terminal, locale } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const isList = day !== undefined || since !== undefined;
  const recorded = isList
    ? (await ledger.reports.list({ ...(day !== undefined && { day }) }))
        .filter((one) => one.day >= (since ?? ''))
        .toReversed()
    : await ledger.reports.list({ ...(run !== undefined && { run }), limit: 1 });
  if (recorded.length === 0) throw noReport(run, isList);
  // Of several days the others still add up.
  const there = isList ? recorded.filter(({ purged }) => !purged) : recorded;
  const reports = (there.length > 0 ? there : recorded).map((one) => readReport(instance, one));
  const [first] = reports;
  if (isList && html && reports.length > 1) {
    throw new OperatorError(
      'report/several',
      NIGHT_REPORT.onePage({ count: String(reports.length), run: first?.run ?? '' }),
    );
  }
  if (html && first) await terminal.data(reportPage(first, locale));
  else if (isList)
    await listReports(
      session,
      reports,
      recorded.filter(({ purged }) => purged),
    );
  else if (first) await printOne(session, first, recorded[0]?.id ?? '');
}

async function printOne(session: Session, first: NightReport, id: string): Promise<void> {
  const { instance, terminal, options } = session;
  if (options.json) return await terminal.data(JSON.stringify(first, null, 2));
  terminal.out(bold(escapeControls(`  ${first.verdict.sentence[session.language]}`)));
  for (const line of reportLines(session, first)) terminal.out(line);
  const page = pageOfReport(instance, { id });
  terminal.out(`  ${session.say(NIGHT_REPORT.files({ page }))}`);
}

/** The object of --json for several: the reports, the oldest first, what they add up to, and those that a purge removed. */
async function listReports(
  session: Session,
  reports: readonly NightReport[],
  gone: readonly RecordedReport[],
): Promise<void> {
  const { instance, terminal, options, say, language, time } = session;
  const balance = addedBalances(reports.map((one) => one.balance));
  const sent = sentIn(reports);
  if (options.json) {
    return await terminal.data(JSON.stringify({ reports, balance, sent, purged: gone.map(asGone) }, null, 2));
  }
  const rows = reports.map((one) => [
    time(one.endedAt),
    one.run,
    escapeControls(one.verdict.sentence[language]),
    String(one.balance.documents.read),
    amountTexts(sentIn([one]), language).join(', '),
  ]);
  rows.push(['', '', '', String(balance.documents.read), amountTexts(sent, language).join(', ')]);
  const columns: readonly Column[] = [
    { title: say(NIGHT_REPORT.at()), fit: 'whole' },
    { title: say(NIGHT_REPORT.ofRun()), fit: 'whole' },
    { title: say(NIGHT_REPORT.verdict()), fit: 'wrap' },
    { title: say(NIGHT_REPORT.documents()), align: 'right', fit: 'whole' },
    { title: say(NIGHT_REPORT.sent()), align: 'right', fit: 'wrap' },
  ];
  terminal.out(table(columns, rows, terminal.width));
  for (const one of gone) terminal.out(`  ${escapeControls(say(purgedWords(one, instance.settings)))}`);
}

function asGone({ id, run, day, purged }: RecordedReport): object {
  return { id, run, day, ...purged };
}

function noReport(run: string | undefined, isList: boolean): OperatorError {
  if (run !== undefined) return new OperatorError('report/none', NIGHT_REPORT.noneOf({ name: run }));
  return new OperatorError('report/none', isList ? NIGHT_REPORT.noneSince() : NIGHT_REPORT.none());
}
