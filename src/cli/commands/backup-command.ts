/**
 * `backup`: copies the ledger while it may be in use. Output: the path of the copy; `--json` also lists removed copies.
 * In the default folder backups/ it keeps the latest `--keep` of its own copies.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { copyPeople } from '../../console/people/people-database.ts';
import { format } from '../../i18n/message.ts';
import { LEDGER_COMMAND } from '../../i18n/messages/cli-maintenance-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { refuseRootElsewhere } from '../../instance/foreign-writers.ts';
import { backupOf } from '../../maintenance/restore-instance.ts';
import { type CommandModule, readWholeNumber } from '../session/command-module.ts';
import { openSessionToLook } from '../session/command-session.ts';
import { withLiveLine } from '../session/live-work.ts';
import { dim } from '../session/terminal.ts';

/** ledger-20261121T013000Z.sqlite */
const OWN_NAME = /^ledger-\d{8}T\d{6}Z\.sqlite$/;

export const backupCommand: CommandModule = {
  run: copyLedger,
  values: { keep: { read: readWholeNumber(1), default: 14 } },
};

/**
 * Without a file name: backups/ledger-<time in UTC>.sqlite. Old copies are removed only after the new one is complete.
 */
async function copyLedger(
  file: string | undefined,
  { keep }: { readonly keep: number },
  command: Command,
): Promise<void> {
  const session = openSessionToLook(command);
  const { options, terminal, instance } = session;
  const folder = join(instance.folder, 'backups');
  if (file === undefined) {
    refuseRootElsewhere(instance);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  const name = `ledger-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.sqlite`;
  const target = file === undefined ? join(folder, name) : resolve(file);
  const copy = copyPeople(instance.folder);
  const people = copy ? [{ path: 'state/people.sqlite', content: copy }] : [];
  await withLiveLine(session, LIVE.copying(), async () => await backupOf(instance, target, people));
  const removed = file === undefined ? removeOld(folder, name, keep) : [];
  if (options.json) terminal.out(JSON.stringify({ file: target, removed }, null, 2));
  else if (!options.quiet) {
    terminal.out(`  ${target}`);
    terminal.out(dim(`  ${format(LEDGER_COMMAND.carryFolders(), instance.settings.rules.language)}`));
  }
}

/**
 * Removes only files with a name that this command gives, never the one just made; names sort by time. One of a later time was made
 * before it, under a clock that was ahead: it goes first.
 */
function removeOld(folder: string, made: string, keep: number): readonly string[] {
  const others = readdirSync(folder).filter((name) => OWN_NAME.test(name) && name !== made);
  const byAge = [...others.filter((name) => name > made).sort(), ...others.filter((name) => name < made).sort()];
  const old = byAge.slice(0, Math.max(0, byAge.length + 1 - keep));
  for (const name of old) rmSync(join(folder, name));
  return old;
}
