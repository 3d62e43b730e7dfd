/**
 * `demo`: one whole night on this machine: both services imitated, sample exports in the inbox, receipts at the end.
 * Rejected and in-doubt documents are part of the script, so the demo ends with 0 if the night ran as scripted.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Message } from '../../../i18n/message.ts';
import { DEMO_COMMAND, INIT_COMMAND } from '../../../i18n/messages/cli-setup-messages.ts';
import {
  type Instance,
  makeFolders,
  readInstance,
  readInstanceForViewing,
  SETTINGS_FILE,
} from '../../../instance/instance.ts';
import { OperatorError } from '../../../model/fault.ts';
import { STATE_NAMES, type State, stateInfo } from '../../../model/state.ts';
import type { ServiceHalt } from '../../../pipeline/context/run-context.ts';
import { createLedgerOf, openLedgerOf, openRun, refuseFolderOfNew } from '../../../runs/open-run.ts';
import { run } from '../../../runs/run.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox-server.ts';
import { appendAll, greatestOf } from '../../../text/long-lists.ts';
import { typedWord } from '../../../text/shell-word.ts';
import { buildNightReport, totalsOf } from '../../../views/reporting/night-report.ts';
import { printRunReport } from '../../output/print-run-report.ts';
import { followProgress } from '../../output/progress.ts';
import { publishNightReport } from '../../output/publish-night-report.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { inLanguage, openOutput, type Session, stopOnSignals } from '../../session/command-session.ts';
import { openLog } from '../../session/log-file.ts';
import { personLanguage } from '../../session/person-language.ts';
import { recordedRun } from '../../session/recorded-run.ts';
import { bold, dim } from '../../session/terminal.ts';
import { serveUntilSignal } from '../console/serve-command.ts';
import { copyMappings, copyPrivately, writeSandboxSettings } from './init-command.ts';
import { SANDBOX_PORTS } from './sandbox-command.ts';

/** States that inbox.example produces: a night without one of them did not run as scripted. */
const SCRIPTED: readonly State[] = ['authorized', 'invalid', 'rejected', 'in-doubt', 'contingency'];
const LATENCY_MS = 25;

export const demoCommand: CommandModule = { run: playDemo };

/** Exit code 0 if each scripted state occurs and no service stops, 1 if not, 130 after a signal. */
async function playDemo(given: { readonly keep?: string; readonly serve?: boolean }, command: Command): Promise<void> {
  const output = openOutput(command);
  refuseFolderOfNew(given.keep ? resolve(given.keep) : tmpdir());
  const root = given.keep ? resolve(given.keep) : mkdtempSync(join(tmpdir(), 'nightpost-demo-'));
  refuseExisting(root);
  await using sandbox = await startServices(given.keep !== undefined);
  const instance = await makeInstance(root, sandbox);
  const session: Session = { ...inLanguage(output, personLanguage(root)), instance };
  showStart(session, sandbox);
  await playNight(session);
  // The services go on as long as the console: what people decide there is sent by the next run.
  if (given.serve) await serveNight(session);
}

/** The lock is free afterwards: acts in the console need it. */
async function playNight(session: Session): Promise<void> {
  const { terminal, language, say, instance } = session;
  using stopping = stopOnSignals(terminal, language);
  const progress = followProgress(terminal, session.locale);
  const log = openLog(instance);
  await using ledger = await openLedgerOf(instance);
  await using context = await openRun(instance, ledger, {
    stop: stopping.signal,
    onEvent: progress.listenerWith(log),
  });
  const counts: { [state in State]?: number } = {};
  const stops: ServiceHalt[] = [];
  const isStopped = () => stopping.received() !== undefined;
  process.exitCode = await recordedRun(context, { kind: 'run', log, isStopped }, async () => {
    appendAll(stops, await run(context, { reported: true }));
    progress.end();
    stopping.release();
    const isStopped = stopping.received() !== undefined;
    const report = await buildNightReport(context, {
      kind: 'run',
      stops,
      isStopped,
      exitOf: () => (isStopped ? 130 : 0),
    });
    await publishNightReport(context, report);
    printRunReport(session, report);
    await ledger.maintenance.closeReportWindow();
    Object.assign(counts, await ledger.queries.counts());
    return { exit: stopping.received() ? 130 : 0, totals: totalsOf(report) };
  });
  showWhatNext(session, counts);
  const missing = SCRIPTED.filter((state) => !counts[state]);
  if (missing.length > 0) terminal.talk(say(DEMO_COMMAND.notAsScripted({ states: missing })));
  const isAsScripted = missing.length === 0 && stops.length === 0;
  if (!stopping.received()) process.exitCode = Number(!isAsScripted);
}

/** On the usual port, or, next to another console, on one that is free. */
async function serveNight(session: Session): Promise<void> {
  const { folder } = session.instance;
  const serveOn = async (flags: { readonly [setting: string]: unknown }) => {
    const read = () => readInstanceForViewing(folder, { variables: process.env, flags });
    await serveUntilSignal({ ...session, instance: read() }, read);
  };
  await serveOn({}).catch(async (error: unknown) => {
    if (!(error instanceof OperatorError && error.code === 'serve/port-taken')) throw error;
    await serveOn({ 'serve.port': 0 });
  });
}

/** With the shipped mappings and sample exports, and settings for the services. */
async function makeInstance(root: string, sandbox: Sandbox): Promise<Instance> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeSandboxSettings(root, sandbox, { language: personLanguage(root) });
  copyMappings(root);
  const instance = readInstance(root, { variables: process.env });
  makeFolders(instance.paths);
  copyPrivately('inbox.example', instance.paths.inbox);
  await createLedgerOf(instance);
  return instance;
}

/** One line per pair, with all texts in one column. */
function labeled(lines: readonly (readonly [label: string, text: string])[]): readonly string[] {
  const width = greatestOf(lines.map(([label]) => label.length)) + 2;
  return lines.map(([label, text]) => `  ${label.padEnd(width)}${text}`);
}

function showStart({ terminal, instance, say }: Session, sandbox: Sandbox): void {
  const services = `FR ${sandbox.fr.url}   SV ${sandbox.sv.issueUrl}   ${say(DEMO_COMMAND.imitated())}`;
  const lines = labeled([
    [say(DEMO_COMMAND.services()), services],
    [say(DEMO_COMMAND.inbox()), readdirSync(instance.paths.inbox).sort().join(', ')],
  ]);
  for (const line of [bold(`  ${say(DEMO_COMMAND.title())}`), ...lines, '']) terminal.out(line);
}

/** A folder that is kept continues with "nightpost sandbox", so its services use the same ports, if they are free. */
async function startServices(kept: boolean): Promise<Sandbox> {
  const options = { latencyMs: LATENCY_MS, scriptedNumbers: true };
  if (!kept) return await startSandbox(options);
  return await startSandbox({ ...options, port: SANDBOX_PORTS }).catch(async (error: unknown) => {
    if (error instanceof OperatorError && error.code === 'sandbox/port-in-use') return await startSandbox(options);
    throw error;
  });
}

/** Throws `init/exists`: the demo never writes into an instance. */
function refuseExisting(root: string): void {
  const path = join(root, SETTINGS_FILE);
  if (!existsSync(path)) return;
  throw new OperatorError('init/exists', INIT_COMMAND.exists({ path }), { hint: DEMO_COMMAND.nameAnother() });
}

function showWhatNext({ terminal, instance, say }: Session, counts: { readonly [state in State]?: number }): void {
  const states = STATE_NAMES.filter((state) => counts[state]).map((state) => {
    const { words, says, folder } = stateInfo(state);
    const place = folder ? ` -> ${folder}/` : '';
    return `  ${String(counts[state]).padStart(4)}  ${say(words).padEnd(20)} ${dim(`${say(says)}${place}`)}`;
  });
  const folder = typedWord(instance.folder);
  const command = `nightpost -C ${folder}`;
  const { receipts, errors, oneDocument, preview, inBrowser } = DEMO_COMMAND;
  const commands = labeled([
    [say(receipts()), `ls ${folder}/outbox/* ${folder}/error/* ${folder}/pending/*`],
    [say(errors()), `${command} errors --group cause`],
    [say(oneDocument()), `${command} show ${say(DEMO_COMMAND.number())}`],
    [say(preview()), `${command} preview ${say(DEMO_COMMAND.file())}`],
    [say(inBrowser()), `${command} serve`],
  ]);
  const title = (message: Message) => bold(`  ${say(message)}`);
  const clone = dim(`  ${say(DEMO_COMMAND.inClone())}`);
  const lines = [
    '',
    title(DEMO_COMMAND.happened()),
    ...states,
    '',
    title(DEMO_COMMAND.lookAround()),
    ...commands,
    clone,
  ];
  for (const line of lines) terminal.out(line);
}
