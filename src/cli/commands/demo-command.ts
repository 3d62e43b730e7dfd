/**
 * `demo`: one whole night on this machine: both services imitated, sample exports in the inbox, receipts at the end.
 *
 * Its rejected and in-doubt documents are part of the show, so the demo ends with 0 when the night went as scripted.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { format } from '../../i18n/message.ts';
import { makeFolders, readInstance, SETTINGS_FILE } from '../../instance/instance.ts';
import { OperatorError } from '../../model/fault.ts';
import { STATE_NAMES, type State, stateInfo } from '../../model/state.ts';
import { createLedgerOf, openLedgerOf, openWork } from '../../pipeline/open-run.ts';
import { run } from '../../pipeline/run.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox-server.ts';
import { followProgress } from '../output/progress.ts';
import { buildRunReport, printRunReport } from '../output/run-report.ts';
import type { CommandModule } from '../session/command-module.ts';
import { type Session, stopOnSignals, terminalOf } from '../session/command-session.ts';
import { openLog } from '../session/log-file.ts';
import { bold, dim } from '../session/terminal.ts';
import { copyMappings, copyPrivately, writeSandboxSettings } from './init-command.ts';
import { SANDBOX_PORTS } from './sandbox-command.ts';

/** What the files of inbox.example are written to show; a night without one of them did not go as scripted. */
const SCRIPTED: readonly State[] = ['authorized', 'invalid', 'rejected', 'in-doubt', 'contingency'];
const LATENCY_MS = 25;

export const demoCommand: CommandModule = { run: playDemo };

async function playDemo(given: { readonly keep?: string }, command: Command): Promise<void> {
  const { options, terminal } = terminalOf(command);
  const root = given.keep ? resolve(given.keep) : mkdtempSync(join(tmpdir(), 'nightpost-demo-'));
  refuseExisting(root);
  await using sandbox = await startServices(given.keep !== undefined);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeSandboxSettings(root, sandbox);
  copyMappings(root);
  const instance = readInstance(root, { variables: process.env });
  makeFolders(instance.paths);
  copyPrivately('inbox.example', instance.paths.inbox);
  createLedgerOf(instance);
  terminal.out(bold('  Nightpost demo: one night on this machine'));
  terminal.out(`  Services  FR ${sandbox.fr.url}   SV ${sandbox.sv.issueUrl}   (imitated, loopback only)`);
  terminal.out(`  Inbox     ${readdirSync(instance.paths.inbox).sort().join(', ')}`);
  terminal.out('');
  const stopping = stopOnSignals(terminal, instance.settings.rules.language);
  const progress = followProgress(terminal, instance.settings.rules.language);
  await using ledger = await openLedgerOf(instance);
  await using work = await openWork(instance, ledger, {
    stop: stopping.signal,
    tell: progress.tellWith(openLog(instance)),
  });
  const stops = await run(work, { reported: true });
  progress.end();
  stopping.release();
  const session: Session = { options, terminal, instance };
  const report = await buildRunReport(work, stops);
  printRunReport(session, report);
  await ledger.closeReportWindow();
  const counts = await ledger.counts();
  showWhatNext(session, counts);
  const missing = SCRIPTED.filter((state) => !counts[state]);
  if (missing.length > 0) terminal.talk(`The night did not go as scripted: no document is ${missing.join(', ')}.`);
  process.exitCode = stopping.received() ? 130 : missing.length > 0 || stops.length > 0 ? 1 : 0;
}

/** A folder that is kept goes on with "nightpost sandbox", so its services listen where that does, if they can. */
async function startServices(kept: boolean): Promise<Sandbox> {
  const options = { latencyMs: LATENCY_MS, scriptedNumbers: true };
  if (!kept) return await startSandbox(options);
  return await startSandbox({ ...options, port: SANDBOX_PORTS }).catch(async (error: unknown) => {
    if (error instanceof OperatorError && error.code === 'sandbox/port-in-use') return await startSandbox(options);
    throw error;
  });
}

function refuseExisting(root: string): void {
  if (!existsSync(join(root, SETTINGS_FILE))) return;
  throw new OperatorError('init/exists', `${join(root, SETTINGS_FILE)} exists already; nothing was changed`, {
    hint: 'name another folder: the demo makes a new instance each time',
  });
}

function showWhatNext({ terminal, instance }: Session, counts: { readonly [state in State]?: number }): void {
  terminal.out('');
  terminal.out(bold('  What happened'));
  for (const state of STATE_NAMES) {
    if (!counts[state]) continue;
    const { words, says, folder } = stateInfo(state);
    terminal.out(
      `  ${String(counts[state]).padStart(4)}  ${format(words, 'en').padEnd(20)} ${dim(format(says, 'en'))}${folder ? dim(` -> ${folder}/`) : ''}`,
    );
  }
  const at = `nightpost -C ${instance.folder}`;
  terminal.out('');
  terminal.out(bold('  Look around'));
  terminal.out(`  receipts     ls ${instance.folder}/outbox/* ${instance.folder}/error/* ${instance.folder}/pending/*`);
  terminal.out(`  what waits   ${at} errors --group cause`);
  terminal.out(`  one document ${at} show <number>`);
  terminal.out(`  a preview    ${at} preview <file>`);
  terminal.out(dim('  In a clone, write "npm run nightpost --" for "nightpost".'));
}
