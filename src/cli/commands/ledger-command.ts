/** `ledger`: restore, rebuild and repair the ledger, its sequences and its receipts. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import { LEDGER_RECEIPTS } from '../../i18n/messages/cli-maintenance-messages.ts';
import { SESSION } from '../../i18n/messages/cli-session-messages.ts';
import { accountName } from '../../model/account-name.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { StopRequestedError } from '../../pipeline/context/yield-to-others.ts';
import { mendReceipts } from '../../pipeline/maintenance/repair-receipts.ts';
import {
  endQuarantineOf,
  type Learnt,
  rebuildLedgerOf,
  restoreLedgerOf,
  sequencesOf,
  setNextNumberOf,
} from '../../pipeline/maintenance/restore-instance.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session, type Stopping, stopOnSignals } from '../session/command-session.ts';
import { withInstanceLock } from '../session/operator-decision.ts';
import { refusePrintedReason } from '../session/printed-placeholders.ts';
import { SIGNAL_EXITS } from '../session/stop-signals.ts';
import { counted, table } from '../session/terminal.ts';

const SHOWN = 20;

const ACTS = ['restore', 'rebuild', 'end-quarantine', 'sequences', 'next', 'receipts'] as const;

type Given = { readonly within?: readonly string[]; readonly dryRun?: boolean };

export const ledgerCommand: CommandModule = {
  run: maintainLedger,
  values: {
    act: { choices: ACTS },
    within: { read: (value: string, before: readonly string[] = []) => [...before, value] },
  },
};

async function maintainLedger(
  act: (typeof ACTS)[number],
  texts: readonly string[],
  given: Given,
  command: Command,
): Promise<void> {
  const session = openSession(command);
  const by = accountName();
  if (act === 'end-quarantine') return endQuarantine(session, by, texts[0]);
  if (act === 'sequences') return showSequences(session);
  if (act === 'next') return setNext(session, by, texts, given);
  if (act === 'receipts') return await mend(session, texts, given);
  const learnt = await replaceLedger(session, by, act === 'restore' ? backupFile(texts) : undefined);
  if (learnt === 'stopped') return;
  show(session, learnt);
  process.exitCode = learnt.unreadable.length > 0 ? 3 : 0;
}

function backupFile([file]: readonly string[]): string {
  if (file !== undefined) return resolve(file);
  throw new OperatorError('backup/missing', 'ledger restore needs the name of a backup; nothing was changed');
}

/** A backup, or without one what the folders hold, becomes the ledger; a signal ends it with nothing changed. */
async function replaceLedger({ terminal, instance }: Session, by: string, file?: string): Promise<Learnt | 'stopped'> {
  const { language } = instance.settings.rules;
  let stopping: Stopping | undefined;
  const begin = () => {
    stopping = stopOnSignals(terminal, language, SESSION.endingUnchanged());
    return stopping.signal;
  };
  const told = { by, now: new Date(), stopping: begin };
  try {
    return await (file === undefined ? rebuildLedgerOf(instance, told) : restoreLedgerOf(instance, file, told));
  } catch (error) {
    if (!(error instanceof StopRequestedError)) throw error;
    terminal.talk(`  ${format(SESSION.unchanged(), language)}`);
    process.exitCode = SIGNAL_EXITS[must(stopping?.received(), 'a signal')];
    return 'stopped';
  } finally {
    stopping?.release();
  }
}

/** What would be, or was, written again; without names all there is, and summaries too. */
async function mend(session: Session, names: readonly string[], { dryRun = false }: Given): Promise<void> {
  const { options, terminal, instance } = session;
  const selector = names.length > 0 ? { ids: names } : undefined;
  const look = async () => {
    await using ledger = await lookIntoLedgerOf(instance);
    return await mendReceipts({ instance, ledger }, selector);
  };
  const found = dryRun ? await look() : await withInstanceLock(session, (work) => mendReceipts(work, selector, work));
  if (options.json) return terminal.out(JSON.stringify({ dryRun, receipts: found }, null, 2));
  const say = (phrase: Message) => format(phrase, instance.settings.rules.language);
  for (const { path, was } of found) terminal.out(`  ${escapeControls(path)}  ${say(LEDGER_RECEIPTS[was]())}`);
  const told =
    found.length === 0
      ? LEDGER_RECEIPTS.nothing()
      : (dryRun ? LEDGER_RECEIPTS.wouldRestore : LEDGER_RECEIPTS.restored)({ count: found.length });
  terminal.out(`  ${say(told)}`);
}

function setNext(
  session: Session,
  by: string,
  [sequence, number, reason = '']: readonly string[],
  { within }: Given,
): void {
  const next = Number(number);
  if (sequence === undefined || !Number.isSafeInteger(next) || next < 1 || reason.trim() === '') {
    throw new OperatorError(
      'ledger/no-number',
      'ledger next needs a sequence, a number from 1 and a reason; nothing was changed',
      {
        hint: 'for instance: nightpost ledger next guias 58 "the portal shows 57 as the last one" --within S001',
      },
    );
  }
  refusePrintedReason(reason);
  setNextNumberOf(session.instance, definedOnly({ sequence, next, by, reason: reason, scope: within }));
  showSequences(session);
}

function showSequences({ options, terminal, instance }: Session): void {
  const known = sequencesOf(instance);
  if (options.json) terminal.out(JSON.stringify(known, null, 2));
  else if (known.length === 0) terminal.out('  No number of a sequence is known.');
  else {
    const rows = known.map(({ sequence, scope, next }) => [
      sequence,
      scope ? scope.join(', ') : '(any other)',
      String(next),
    ]);
    terminal.out(table([{ title: 'sequence' }, { title: 'within' }, { title: 'next', align: 'right' }], rows));
  }
}

function endQuarantine({ terminal, instance }: Session, by: string, reason = ''): void {
  if (reason.trim() === '') {
    throw new OperatorError('ledger/no-reason', 'ledger end-quarantine needs a reason in words; nothing was changed', {
      hint: 'write how you made sure that nothing was sent which this ledger does not know',
    });
  }
  refusePrintedReason(reason);
  const ended = endQuarantineOf(instance, { by, reason });
  terminal.out(
    ended ? '  The quarantine is over. Held documents stay held until they are released.' : '  There is no quarantine.',
  );
}

function show({ options, terminal, instance }: Session, learnt: Learnt): void {
  if (options.json) {
    terminal.out(JSON.stringify(learnt, null, 2));
    return;
  }
  const { held, inDoubt, kept, unreadable } = learnt;
  if (kept !== undefined) terminal.out(`  The ledger before is kept in ${kept}`);
  terminal.out(`  ${counted(learnt.learnt, 'document')} learnt from receipts, ${held} held, ${inDoubt} in doubt`);
  for (const path of unreadable.slice(0, SHOWN)) terminal.out(`  cannot be read: ${escapeControls(path)}`);
  if (unreadable.length > SHOWN) terminal.out(`  and ${unreadable.length - SHOWN} more`);
  terminal.out('  IN QUARANTINE: everything is held. Compare with the service, then:');
  terminal.out(`  nightpost -C ${instance.folder} errors --state held`);
  terminal.out(`  nightpost -C ${instance.folder} ledger end-quarantine "REASON"`);
}
