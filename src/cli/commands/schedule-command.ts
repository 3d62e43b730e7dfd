/** `schedule`: what a scheduler needs to start this instance every night; printed or written, never installed. */
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { accountName } from '../../model/account-name.ts';
import { OperatorError } from '../../model/fault.ts';
import { currentCommand, SYSTEMS, type System, scheduleFiles, stopSeconds } from '../../reference/schedule-texts.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';

type Options = { readonly at: string; readonly watch?: boolean; readonly user?: string; readonly out?: string };

export const scheduleCommand: CommandModule = {
  run: printSchedule,
  values: { system: { choices: SYSTEMS }, at: { default: '01:15' } },
};

function printSchedule(system: System, given: Options, command: Command): void {
  const { options, terminal, instance } = openSession(command);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(given.at)) {
    throw new OperatorError('schedule/no-time', `"${given.at}" is no time of the day`, {
      hint: 'write it as 01:15',
    });
  }
  const [node, ...rest] = currentCommand(process);
  const files = scheduleFiles(system, {
    folder: instance.folder,
    start: [node!, ...rest.slice(0, -1), realpathSync(rest.at(-1)!)],
    user: given.user ?? accountName(),
    at: given.at,
    watch: given.watch === true,
    stopSeconds: stopSeconds(instance),
  });
  if (given.out === undefined) {
    if (options.json) terminal.exactly(JSON.stringify(files, null, 2));
    else
      terminal.exactly(
        files
          .map(({ name, text }) => (files.length > 1 ? `# ---- ${name}\n${text}` : text))
          .join('\n')
          .trimEnd(),
      );
    return;
  }
  for (const { name, text } of files) {
    const path = join(resolve(given.out), name);
    if (existsSync(path)) {
      throw new OperatorError('schedule/exists', `${path} exists already`, {
        hint: 'remove it first, or print without --out',
      });
    }
    writeFileSync(path, text, { flag: 'wx' });
    terminal.out(`  Written: ${path}`);
  }
}
