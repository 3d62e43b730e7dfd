/**
 * `ledger`: restores, rebuilds and repairs the ledger, its sequences and its receipts. Output: what was recovered or
 * written. Exit code 3 if a receipt could not be read. After a restore or rebuild, every new document is held
 * (quarantine).
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Message } from '../../i18n/message.ts';
import {
  LEDGER_COMMAND,
  LEDGER_COMMAND_COUNT,
  LEDGER_RECEIPTS,
  SEQUENCE_TABLE,
} from '../../i18n/messages/cli-maintenance-messages.ts';
import { LIVE, SESSION } from '../../i18n/messages/cli-session-messages.ts';
import { ENGINES, type EngineName, moveLedgerOf } from '../../maintenance/move-instance.ts';
import { repairReceipts } from '../../maintenance/repair-receipts.ts';
import {
  endQuarantineOf,
  type RecoveredLedger,
  rebuildLedgerOf,
  restoreLedgerOf,
  sequencesOf,
  setNextNumberOf,
} from '../../maintenance/restore-instance.ts';
import { accountName } from '../../model/account-name.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { StopRequestedError } from '../../pipeline/context/yield-to-others.ts';
import { lookIntoLedgerOf, type OnWait } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { typedWord } from '../../text/shell-word.ts';
import { table } from '../layout/layout.ts';
import { type CommandModule, wholeNumberIn } from '../session/command-module.ts';
import { openSession, type Session, type Stopping, stopOnSignals } from '../session/command-session.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { withLiveLine } from '../session/live-work.ts';
import { afterOtherActs, withInstanceLock } from '../session/operator-decision.ts';
import { refusePrintedReason } from '../session/printed-placeholders.ts';

/** Unreadable paths that are listed; the others are counted. */
const SHOWN = 20;

const ACTS = ['restore', 'rebuild', 'end-quarantine', 'sequences', 'next', 'receipts', 'move'] as const;

type Given = {
  readonly within?: readonly string[];
  readonly dryRun?: boolean;
  readonly to?: EngineName;
  readonly unread?: boolean;
};

export const ledgerCommand: CommandModule = {
  run: maintainLedger,
  values: {
    act: { choices: ACTS },
    to: { choices: ENGINES },
    within: { read: (value: string, before: readonly string[] = []) => [...before, value] },
  },
};

/** `texts` are the words after the act: a backup file, a reason, a sequence with its number, or documents. */
async function maintainLedger(
  act: (typeof ACTS)[number],
  texts: readonly string[],
  given: Given,
  command: Command,
): Promise<void> {
  const session = openSession(command);
  const by = accountName();
  if (act === 'end-quarantine') return await endQuarantine(session, { by, unread: given.unread === true }, texts[0]);
  if (act === 'sequences') return await showSequences(session);
  if (act === 'next') return await setNext(session, by, texts, given);
  if (act === 'receipts') return await showRepairs(session, texts, given);
  if (act === 'move') return await move(session, by, given.to);
  const recovered = await replaceLedger(session, by, act === 'restore' ? backupFile(texts) : undefined);
  if (recovered === 'stopped') return;
  show(session, recovered);
  process.exitCode = exitCodeIf(recovered.unreadable.length > 0, 3);
}

/** Absolute path of the backup; throws `backup/missing` without one. */
function backupFile([file]: readonly string[]): string {
  if (file !== undefined) return resolve(file);
  throw new OperatorError('backup/missing', LEDGER_COMMAND.backupNeeded(), { hint: LEDGER_COMMAND.nameBackup() });
}

/**
 * Makes the ledger from a backup, or without one from the receipts in the folders. A signal ends it before any change,
 * with the exit code of the signal.
 */
async function replaceLedger(session: Session, by: string, file?: string): Promise<RecoveredLedger | 'stopped'> {
  const { terminal, instance, language, say } = session;
  using ending = new DisposableStack();
  let stopping: Stopping | undefined;
  const begin = () => {
    stopping = ending.use(stopOnSignals(terminal, language, SESSION.endingUnchanged()));
    return stopping.signal;
  };
  const decision = { by, now: new Date(), stopping: begin };
  try {
    const [what, replace] =
      file === undefined
        ? ([LIVE.rebuilding(), (onWait: OnWait) => rebuildLedgerOf(instance, { ...decision, onWait })] as const)
        : ([LIVE.restoring(), (onWait: OnWait) => restoreLedgerOf(instance, file, { ...decision, onWait })] as const);
    // The lock is taken before anything else: nothing was read or written while an act has it.
    return await afterOtherActs(session, async (onWait) => await withLiveLine(session, what, () => replace(onWait)));
  } catch (error) {
    if (!(error instanceof StopRequestedError)) throw error;
    terminal.talk(`  ${say(SESSION.unchanged())}`);
    process.exitCode = must(stopping?.exitCode(), 'the signal that stopped it');
    return 'stopped';
  }
}

/** Writes lost receipts again, with --dry-run only lists them; without names all receipts and summaries. */
async function showRepairs(session: Session, names: readonly string[], { dryRun = false }: Given): Promise<void> {
  const { options, terminal, instance, say } = session;
  const selector = names.length > 0 ? { ids: names } : undefined;
  const look = async () => {
    await using ledger = await lookIntoLedgerOf(instance);
    return await repairReceipts({ instance, ledger }, selector);
  };
  const found = dryRun
    ? await withLiveLine(session, LIVE.comparing(), look)
    : await withInstanceLock(session, (context) => repairReceipts(context, selector, context));
  if (options.json) return terminal.out(JSON.stringify({ dryRun, receipts: found }, null, 2));
  for (const { path, was } of found) terminal.out(`  ${escapeControls(path)}  ${say(LEDGER_RECEIPTS[was]())}`);
  if (found.length === 0) return terminal.out(`  ${say(LEDGER_RECEIPTS.nothing())}`);
  const counted = dryRun ? LEDGER_RECEIPTS.wouldRestore : LEDGER_RECEIPTS.restored;
  terminal.out(`  ${say(counted({ count: found.length }))}`);
}

/** Copies the ledger to the other engine, or goes on with a copy that was stopped. */
async function move(session: Session, by: string, to: EngineName | undefined): Promise<void> {
  const { options, terminal, instance, say } = session;
  const moved = await afterOtherActs(session, (onWait) =>
    withLiveLine(session, LIVE.copying(), () => moveLedgerOf(instance, { by, to, onWait })),
  );
  if (options.json) return terminal.out(JSON.stringify(moved, null, 2));
  const { documents: count, place } = moved;
  terminal.out(`  ${say(LEDGER_COMMAND_COUNT.moved({ count, place }))}`);
  terminal.out(
    `  ${say(to === 'postgres' ? LEDGER_COMMAND_COUNT.movedToServer() : LEDGER_COMMAND_COUNT.movedToFile())}`,
  );
}

/** Sets the next number of a sequence; throws `ledger/no-number` without a sequence, a number from 1 and a reason. */
async function setNext(
  session: Session,
  by: string,
  [sequence, number, reason = '']: readonly string[],
  { within }: Given,
): Promise<void> {
  const next = wholeNumberIn(number ?? '');
  if (sequence === undefined || next === undefined || next < 1 || reason.trim() === '') {
    const hint = LEDGER_COMMAND.numberExample();
    throw new OperatorError('ledger/no-number', LEDGER_COMMAND.numberNeeded(), { hint });
  }
  refusePrintedReason(reason);
  const decision = definedOnly({ sequence, next, by, reason, scope: within });
  await afterOtherActs(session, (onWait) => setNextNumberOf(session.instance, decision, onWait));
  await showSequences(session);
}

async function showSequences({ options, terminal, instance, say }: Session) {
  const known = await sequencesOf(instance);
  if (options.json) return terminal.out(JSON.stringify(known, null, 2));
  if (known.length === 0) return terminal.out(`  ${say(LEDGER_COMMAND.noSequence())}`);
  const rows = known.map(({ sequence, scope, next }) => [
    sequence,
    scope?.join(', ') ?? say(LEDGER_COMMAND.anyOther()),
    String(next),
  ]);
  const { sequence, within, next } = SEQUENCE_TABLE;
  terminal.out(
    table([{ title: say(sequence()) }, { title: say(within()) }, { title: say(next()), align: 'right' }], rows),
  );
}

/**
 * Throws `ledger/no-reason`: documents that were held by the quarantine need an explanation later; `ledger/unread-exports` while
 * exports that were under way are not read again, without `unread`.
 */
async function endQuarantine(
  session: Session,
  decision: { readonly by: string; readonly unread: boolean },
  reason = '',
): Promise<void> {
  const { terminal, instance, say } = session;
  if (reason.trim() === '') {
    const hint = LEDGER_COMMAND.writeReason();
    throw new OperatorError('ledger/no-reason', LEDGER_COMMAND.reasonNeeded(), { hint });
  }
  refusePrintedReason(reason);
  const isEnded = await afterOtherActs(session, (onWait) => endQuarantineOf(instance, { ...decision, reason }, onWait));
  terminal.out(`  ${say(isEnded ? LEDGER_COMMAND.quarantineEnded() : LEDGER_COMMAND.noQuarantine())}`);
}

function show({ options, terminal, instance, say }: Session, recovered: RecoveredLedger) {
  if (options.json) return terminal.out(JSON.stringify(recovered, null, 2));
  const { learnt: count, held, inDoubt, kept, unreadable, unread } = recovered;
  const print = (message: Message) => terminal.out(`  ${say(message)}`);
  if (kept !== undefined) print(LEDGER_COMMAND.kept({ path: kept }));
  print(LEDGER_COMMAND_COUNT.recovered({ count, held, inDoubt }));
  for (const path of unreadable.slice(0, SHOWN)) print(LEDGER_COMMAND.unreadable({ path: escapeControls(path) }));
  if (unreadable.length > SHOWN) print(LEDGER_COMMAND.andMore({ count: unreadable.length - SHOWN }));
  if (unread.length > 0) {
    print(LEDGER_COMMAND.readAgain({ names: unread, count: unread.length }));
    terminal.out(`  nightpost -C ${typedWord(instance.folder)} run`);
  }
  print(LEDGER_COMMAND.quarantine());
  terminal.out(`  nightpost -C ${typedWord(instance.folder)} errors --state held`);
  terminal.out(`  nightpost -C ${typedWord(instance.folder)} ledger end-quarantine "${say(LEDGER_COMMAND.reason())}"`);
}
