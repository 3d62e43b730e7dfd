/** `status`: is anything waiting, for whom, and may the program send at all. */
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { ACTOR, STATUS, STATUS_COUNT, STATUS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import { countInboxFiles } from '../../instance/instance.ts';
import type { Quarantine } from '../../ledger/contract/intake-store.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { isDismissed, isSourceMissing, type Selector } from '../../model/ledger-entry.ts';
import { DISMISSED, STATE_NAMES, stateInfo } from '../../model/state.ts';
import { expectedExports } from '../../pipeline/intake/expected-exports.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { incompletePairs } from '../../pipeline/sources/file-pairs.ts';
import { escapeControls } from '../../text/printable.ts';
import { expectedLines } from '../output/expected-export-lines.ts';
import { chainHeadText } from '../output/run-report.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionForStatus } from '../session/command-session.ts';
import { refusedFiles } from '../session/refused-files.ts';
import { bold, dim, table } from '../session/terminal.ts';

export const statusCommand: CommandModule = { run: showStatus };

async function showStatus(_options: unknown, command: Command): Promise<void> {
  const { options, terminal, instance } = openSessionForStatus(command);
  await using ledger = await lookIntoLedgerOf(instance);
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => format(phrase, language);
  const counts = await ledger.counts();
  const services = await Promise.all(
    instance.destinations.map(async ({ name, baseUrl, consult }) => ({
      service: name,
      address: baseUrl,
      pause: (await ledger.pauseOf(name)) ?? null,
      consultation: consult ? 'configured' : 'not configured',
    })),
  );
  const inbox = countInboxFiles(instance);
  const waiting = incompletePairs(instance);
  const expected = await expectedExports({ instance, ledger }, new Date());
  const files = await refusedFiles(ledger);
  const report = {
    environment: instance.settings.environment,
    guard: ledger.guard,
    mappingFaults: instance.unusable?.faults ?? [],
    quarantine: (await ledger.quarantine()) ?? null,
    witnessFolder: instance.settings.ledger['witness-folder'] ?? null,
    inbox,
    waiting,
    expected,
    documents: counts,
    filesRefused: files.filter((file) => !isSourceMissing(file)).length,
    sourcesMissing: files.filter(isSourceMissing).length,
    setAside: await setAsideIn(ledger),
    warnings: await warningsOf(ledger),
    services,
    head: await chainHeadText(ledger),
  };
  if (options.json) return terminal.out(JSON.stringify(report, null, 2));
  const setAside = report.setAside;
  const shown = { ...counts, invalid: (counts.invalid ?? 0) - setAside };
  const rows = STATE_NAMES.filter((state) => shown[state]).map((state) => {
    const { words, actor, folder } = stateInfo(state);
    return [say(words), state, String(shown[state]), actor === 'nobody' ? '' : say(ACTOR[actor]()), folder ?? ''];
  });
  if (setAside > 0) rows.push([say(DISMISSED.words), 'invalid', String(setAside), '', 'error']);
  terminal.out(
    bold(
      `  ${instance.settings.company ?? instance.folder}   ${say(STATUS.environment())} ${report.environment}   ${say(STATUS.inInbox({ count: inbox }))}`,
    ),
  );
  if (rows.length > 0) {
    terminal.out(
      table(
        [
          { title: '' },
          { title: say(STATUS_TABLE.state()) },
          { title: say(STATUS_TABLE.documents()), align: 'right' },
          { title: say(STATUS_TABLE.whoActs()) },
          { title: say(STATUS_TABLE.folder()) },
        ],
        rows,
      ),
    );
  } else terminal.out(`  ${say(STATUS.noDocuments())}`);
  if (report.filesRefused > 0) terminal.out(`  ${say(STATUS_COUNT.filesRefused({ count: report.filesRefused }))}`);
  if (report.sourcesMissing > 0)
    terminal.out(`  ${say(STATUS_COUNT.sourcesMissing({ count: report.sourcesMissing }))}`);
  for (const line of warningLines(report.warnings)) terminal.out(`  ${say(line)}`);
  for (const { file, for: partner } of waiting)
    terminal.out(escapeControls(`  ${say(STATUS.waits({ file, partner }))}`));
  for (const line of expectedLines(expected, language)) terminal.out(line);
  for (const { service, pause, consultation } of services) {
    const state = pause ? STATUS.stopped({ ...pause, says: escapeControls(pause.says) }) : STATUS.active();
    const asked = consultation === 'configured' ? STATUS.configured() : STATUS.notConfigured();
    terminal.out(dim(`  ${say(STATUS.service({ service, state, consultation: asked }))}`));
  }
  if (report.head !== null) terminal.out(dim(`  ${say(STATUS.receiptsEnd({ head: report.head }))}`));
  if (report.witnessFolder === null) terminal.out(dim(`  ${say(STATUS.noWitness())}`));
  if (report.quarantine) terminal.out(bold(`  ${say(quarantineLine(report.quarantine))}`));
  if (!ledger.guard.send) terminal.out(bold(`  ${say(STATUS.nothingSent(ledger.guard))}`));
}

/** Of the invalid ones those that wait for nobody. */
async function setAsideIn(ledger: QueryStore): Promise<number> {
  let count = 0;
  for await (const entry of ledger.find({ states: ['invalid'] })) if (isDismissed(entry)) count++;
  return count;
}

type Warnings = { readonly documents: number; readonly latest?: { readonly run: string; readonly documents: number } };

/** Documents that passed the checks with warnings: of all runs, and of the latest one. */
async function warningsOf(ledger: QueryStore): Promise<Warnings> {
  const count = async (selector: Selector) =>
    Object.values(await ledger.counts({ ...selector, warnings: true })).reduce((sum, one) => sum + one, 0);
  const run = await ledger.latestRun();
  const of = run === undefined ? {} : { latest: { run, documents: await count({ run }) } };
  return { documents: await count({}), ...of };
}

function warningLines({ documents, latest }: Warnings): readonly Message[] {
  if (documents === 0 || !latest) return [];
  const where = latest.documents > 0 ? ` --run ${latest.run}` : '';
  const command = `nightpost errors --warnings${where}`;
  return [
    STATUS.warnings({ documents: COUNT.passedWithWarnings({ count: documents }), latest: latest.documents, command }),
  ];
}

function quarantineLine({ at, why, by }: Quarantine): Message {
  return STATUS.quarantine({ why: QUARANTINE_CAUSE[why](), at, by });
}
