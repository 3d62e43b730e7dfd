/** `notices`: the notices of the outbox, the latest first, with what became of each. Reads only; exit code 3 if one failed. */
import type { Command } from 'commander';
import { NOTICES_LIST } from '../../../i18n/messages/console/console-notices-messages.ts';
import type { NoticeRecord } from '../../../ledger/contract/notice-store.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { subjectOfNotice } from '../../../views/queries/notice-counts.ts';
import { type Column, table } from '../../layout/layout.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openSessionToLook, type Session } from '../../session/command-session.ts';

const DEFAULT_LAST = 20;

export const noticesCommand: CommandModule = {
  run: listNotices,
  values: { last: { read: readWholeNumber(1), default: DEFAULT_LAST } },
};

type Options = { readonly failed?: boolean; readonly last: number };

async function listNotices({ failed = false, last }: Options, command: Command): Promise<void> {
  const session = openSessionToLook(command);
  const { instance, options, terminal, say, time } = session;
  await using ledger = await lookIntoLedgerOf(instance);
  const notices = await ledger.notices.list(last, failed ? ['failed'] : undefined);
  if (options.json) return terminal.out(JSON.stringify(notices.map(shownOf), null, 2));
  if (notices.length === 0) return terminal.out(`  ${say(NOTICES_LIST.none())}`);
  const columns: readonly Column[] = [
    { title: say(NOTICES_LIST.at()), fit: 'whole' },
    { title: say(NOTICES_LIST.channel()), fit: 'whole' },
    { title: say(NOTICES_LIST.state()), fit: 'wrap' },
    { title: say(NOTICES_LIST.tries()), align: 'right', fit: 'whole' },
    { title: say(NOTICES_LIST.subject()), fit: 'wrap' },
  ];
  const rows = notices.map((notice) => [
    time(notice.at),
    notice.channel,
    stateOf(session, notice),
    String(notice.tries),
    subjectOfNotice(notice) ?? say(NOTICES_LIST.purged()),
  ]);
  terminal.out(table(columns, rows, terminal.width));
}

function stateOf({ say, time }: Session, { state, dueAt, problem }: NoticeRecord): string {
  const words = state === 'waiting' ? NOTICES_LIST.waiting({ at: time(dueAt) }) : NOTICES_LIST[state]();
  return problem === undefined ? say(words) : `${say(words)}: ${problem}`;
}

/** As `--json` has it. The content stays in the ledger: it may have what the channel alone is to see. */
function shownOf(notice: NoticeRecord) {
  const { id, channel, kind, run = null, at, state, tries, dueAt, endedAt = null, problem = null } = notice;
  const next = state === 'waiting' ? new Date(dueAt).toISOString() : null;
  return { id, channel, kind, run, at, state, tries, next, endedAt, problem, subject: subjectOfNotice(notice) ?? null };
}
