/**
 * `status`: whether anything waits, for whom, and whether the program may send. Reads only and stays fast in large
 * folders; the exit code is 0 whatever it finds. Mappings with errors are reported and do not prevent the output.
 */
import type { Command } from 'commander';
import type { Message } from '../../i18n/message.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { ACTOR, STATUS, STATUS_COUNT, STATUS_TABLE } from '../../i18n/messages/cli-views-messages.ts';
import { QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import { countInboxFiles } from '../../instance/instance.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { isSetAside, isSourceMissing, type Selector } from '../../model/ledger-entry.ts';
import { SET_ASIDE_INFO, STATE_NAMES, stateInfo } from '../../model/state.ts';
import { expectedExports } from '../../pipeline/intake/expected-exports.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { incompletePairs } from '../../pipeline/sources/file-pairs.ts';
import { escapeControls } from '../../text/printable.ts';
import { isUnfilled } from '../../yaml/unfilled-settings.ts';
import { expectedLines } from '../output/expected-export-lines.ts';
import { chainHeadText } from '../output/run-report.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSessionForStatus } from '../session/command-session.ts';
import { refusedFiles } from '../session/refused-files.ts';
import { bold, type Column, dim, table } from '../session/terminal.ts';

export const statusCommand: CommandModule = { run: showStatus };

async function showStatus(_options: unknown, command: Command): Promise<void> {
  const session = openSessionForStatus(command);
  await using ledger = await lookIntoLedgerOf(session.instance);
  const status = await readStatus(session, ledger);
  if (session.options.json) session.terminal.out(JSON.stringify(status, null, 2));
  else for (const line of statusLines(session, status)) session.terminal.out(line);
}

type StatusSession = ReturnType<typeof openSessionForStatus>;
type Status = Awaited<ReturnType<typeof readStatus>>;
type ServiceStatus = Status['services'][number];

/** The object of --json: counts of documents by state, services, expected exports, and the end of the chain. */
async function readStatus({ instance }: StatusSession, ledger: Awaited<ReturnType<typeof lookIntoLedgerOf>>) {
  const documents = await ledger.counts();
  const services = await Promise.all(
    instance.destinations.map(async ({ name, baseUrl, consult }) => ({
      service: name,
      address: baseUrl,
      pause: (await ledger.pauseOf(name)) ?? null,
      answered: await ledger.hasSeen({ of: 'answer', service: name }),
      consultation: consult ? ('configured' as const) : ('not configured' as const),
    })),
  );
  const expected = await expectedExports({ instance, ledger }, new Date());
  const files = await refusedFiles(ledger);
  return {
    environment: instance.settings.environment,
    guard: ledger.guard,
    mappingFaults: instance.unusable?.faults ?? [],
    quarantine: (await ledger.quarantine()) ?? null,
    witnessFolder: instance.settings.ledger['witness-folder'] ?? null,
    inbox: countInboxFiles(instance),
    waiting: incompletePairs(instance),
    expected,
    documents,
    filesRefused: files.filter((file) => !isSourceMissing(file)).length,
    sourcesMissing: files.filter(isSourceMissing).length,
    setAside: await countSetAside(ledger),
    warnings: await warningsOf(ledger),
    services,
    head: await chainHeadText(ledger),
  };
}

/** The table first, then what needs attention, the services, and why nothing is sent. */
function statusLines(session: StatusSession, status: Status): readonly string[] {
  const { instance, language, say } = session;
  const environment = `${say(STATUS.environment())} ${status.environment}`;
  const inbox = say(STATUS.inInbox({ count: status.inbox }));
  return [
    bold(`  ${instance.settings.company ?? instance.folder}   ${environment}   ${inbox}`),
    stateTable(session, status),
    ...attentionMessages(status).map((message) => escapeControls(`  ${say(message)}`)),
    ...expectedLines(status.expected, language),
    ...footMessages(status).map((message) => dim(`  ${say(message)}`)),
    ...haltMessages(status).map((message) => bold(`  ${say(message)}`)),
  ];
}

/** States with documents only; documents set aside have a row of their own instead of `invalid`. */
function stateTable({ say }: StatusSession, { documents, setAside }: Status): string {
  const counts = { ...documents, invalid: (documents.invalid ?? 0) - setAside };
  const rows = STATE_NAMES.filter((state) => counts[state]).map((state) => {
    const { words, actor, folder } = stateInfo(state);
    return [say(words), state, String(counts[state]), actor === 'nobody' ? '' : say(ACTOR[actor]()), folder ?? ''];
  });
  if (setAside > 0) rows.push([say(SET_ASIDE_INFO.words), 'invalid', String(setAside), '', 'error']);
  if (rows.length === 0) return `  ${say(STATUS.noDocuments())}`;
  const { state, documents: count, whoActs, folder } = STATUS_TABLE;
  const columns: readonly Column[] = [
    { title: '' },
    { title: say(state()) },
    { title: say(count()), align: 'right' },
    { title: say(whoActs()) },
    { title: say(folder()) },
  ];
  return table(columns, rows);
}

/** Refused and missing files, warnings, exports that wait for their partner. */
function attentionMessages({ filesRefused, sourcesMissing, warnings, waiting }: Status): readonly Message[] {
  const messages: Message[] = [];
  if (filesRefused > 0) messages.push(STATUS_COUNT.filesRefused({ count: filesRefused }));
  if (sourcesMissing > 0) messages.push(STATUS_COUNT.sourcesMissing({ count: sourcesMissing }));
  messages.push(...warningMessages(warnings));
  for (const { file, for: partner } of waiting) messages.push(STATUS.waits({ file, partner }));
  return messages;
}

const CONSULTATION = { configured: STATUS.configured, 'not configured': STATUS.notConfigured };

/** The services, the end of the chain, a missing witness. */
function footMessages({ services, head, witnessFolder }: Status): readonly Message[] {
  const messages: Message[] = services.map(({ service, consultation: configured, ...known }) => {
    return STATUS.service({ service, state: serviceState(known), consultation: CONSULTATION[configured]() });
  });
  if (head !== null) messages.push(STATUS.receiptsEnd({ head }));
  if (witnessFolder === null) messages.push(STATUS.noWitness());
  return messages;
}

/** A service is active once it has answered a document: before, no one knows whether it would. */
function serviceState({ address, pause, answered }: Pick<ServiceStatus, 'address' | 'pause' | 'answered'>): Message {
  if (isUnfilled(address)) return STATUS.notFilledIn();
  if (pause) return STATUS.stopped({ ...pause, says: escapeControls(pause.says) });
  return answered ? STATUS.active() : STATUS.notReached();
}

/** Why nothing, or nothing new, is sent. */
function haltMessages({ quarantine, guard }: Status): readonly Message[] {
  const messages: Message[] = [];
  if (quarantine) {
    const { at, why, by } = quarantine;
    messages.push(STATUS.quarantine({ why: QUARANTINE_CAUSE[why](), at, by }));
  }
  if (!guard.send) messages.push(STATUS.nothingSent(guard));
  return messages;
}

/** Documents in the state `invalid` that a person has set aside. */
async function countSetAside(ledger: QueryStore): Promise<number> {
  let count = 0;
  for await (const entry of ledger.find({ states: ['invalid'] })) if (isSetAside(entry)) count++;
  return count;
}

type Warnings = { readonly documents: number; readonly latest?: { readonly run: string; readonly documents: number } };

/** Documents that passed the checks with warnings: of all runs, and of the latest one. */
async function warningsOf(ledger: QueryStore): Promise<Warnings> {
  const count = async (selector: Selector) =>
    Object.values(await ledger.counts({ ...selector, warnings: true })).reduce((sum, one) => sum + one, 0);
  const run = await ledger.latestRun();
  const documents = await count({});
  if (run === undefined) return { documents };
  return { documents, latest: { run, documents: await count({ run }) } };
}

function warningMessages({ documents, latest }: Warnings): readonly Message[] {
  if (documents === 0 || !latest) return [];
  const where = latest.documents > 0 ? ` --run ${latest.run}` : '';
  const command = `nightpost errors --warnings${where}`;
  return [
    STATUS.warnings({ documents: COUNT.passedWithWarnings({ count: documents }), latest: latest.documents, command }),
  ];
}
