/** `status`: is anything waiting, for whom, and may the program send at all. */
import type { Command } from 'commander';
import { inboxCount } from '../instance.ts';
import type { Selector } from '../model/entry.ts';
import { printable } from '../model/printable.ts';
import { STATE_NAMES, stateInfo } from '../model/state.ts';
import { expectedExports, type Ledger, lookIntoLedgerOf, waitingHalves } from '../pipeline.ts';
import { expectedLines } from './expected-lines.ts';
import { chainHeadText } from './night.ts';
import { openSession } from './session.ts';
import { bold, counted, dim, table } from './terminal.ts';

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('how many documents are in which state, what the services do, what the inbox holds')
    .action(async (_options: unknown, command: Command) => {
      const { options, terminal, instance } = openSession(command);
      await using ledger = await lookIntoLedgerOf(instance);
      const counts = await ledger.counts();
      const services = await Promise.all(
        instance.destinations.map(async ({ name, baseUrl, consult }) => ({
          service: name,
          address: baseUrl,
          pause: (await ledger.pauseOf(name)) ?? null,
          consultation: consult ? 'configured' : 'not configured',
        })),
      );
      const inbox = inboxCount(instance);
      const waiting = waitingHalves(instance);
      const expected = await expectedExports({ instance, ledger }, new Date());
      const report = {
        environment: instance.settings.environment,
        guard: ledger.guard,
        quarantine: (await ledger.quarantine()) ?? null,
        inbox,
        waiting,
        expected,
        documents: counts,
        warnings: await warningsOf(ledger),
        services,
        head: await chainHeadText(ledger),
      };
      if (options.json) return terminal.out(JSON.stringify(report, null, 2));
      const rows = STATE_NAMES.filter((state) => counts[state]).map((state) => {
        const { words, actor, folder } = stateInfo(state);
        return [words.en, state, String(counts[state]), actor === 'nobody' ? '' : actor, folder ?? ''];
      });
      terminal.out(
        bold(
          `  ${instance.settings.company ?? instance.folder}   environment ${report.environment}   ${inbox} in the inbox`,
        ),
      );
      if (rows.length > 0) {
        terminal.out(
          table(
            [
              { title: '' },
              { title: 'state' },
              { title: 'documents', align: 'right' },
              { title: 'who acts' },
              { title: 'folder' },
            ],
            rows,
          ),
        );
      } else terminal.out('  No documents yet.');
      for (const line of warningLines(report.warnings)) terminal.out(line);
      for (const { file, for: partner } of waiting)
        terminal.out(printable(`  ${file} waits in the inbox for ${partner}`));
      for (const line of expectedLines(expected)) terminal.out(line);
      for (const { service, pause, consultation } of services) {
        terminal.out(
          dim(
            `  ${service}: ${pause ? `stopped ${pause.at} (${pause.cause}): ${printable(pause.says)}` : 'takes documents'}; consultation ${consultation}`,
          ),
        );
      }
      if (report.head !== null) terminal.out(dim(`  receipts end in ${report.head}`));
      if (report.quarantine) terminal.out(bold(`  ${quarantineLine(report.quarantine)}`));
      if (!ledger.guard.send) terminal.out(bold(`  NOTHING IS SENT (${ledger.guard.code}): ${ledger.guard.reason}`));
    });
}

type Warnings = { readonly documents: number; readonly latest?: { readonly run: string; readonly documents: number } };

/** Documents that passed the checks with warnings: of all runs, and of the latest one. */
async function warningsOf(ledger: Ledger): Promise<Warnings> {
  const count = async (selector: Selector) =>
    Object.values(await ledger.counts({ ...selector, warnings: true })).reduce((sum, one) => sum + one, 0);
  const run = await ledger.latestRun();
  const of = run === undefined ? {} : { latest: { run, documents: await count({ run }) } };
  return { documents: await count({}), ...of };
}

function warningLines({ documents, latest }: Warnings): readonly string[] {
  if (documents === 0 || !latest) return [];
  const where = latest.documents > 0 ? ` --run ${latest.run}` : '';
  const told = `${counted(documents, 'document')} passed the checks with warnings, ${latest.documents} of the latest run`;
  return [`  ${told}: nightpost errors --warnings${where}`];
}

function quarantineLine({ at, why, by }: { readonly at: string; readonly why: string; readonly by: string }): string {
  return `IN QUARANTINE: the ledger was ${why} on ${at} by ${by}; documents are held until: nightpost ledger end-quarantine REASON`;
}
