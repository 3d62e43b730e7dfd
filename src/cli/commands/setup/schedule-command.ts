/**
 * `schedule`: the files with which a scheduler starts this instance every night; printed or, with --out, written, never
 * installed. Throws `schedule/no-time`, `schedule/no-address`, `schedule/no-name`,
 * `schedule/no-watch`, `schedule/no-folder`, and `schedule/exists` rather than replace a file.
 */
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Temporal } from 'temporal-polyfill';
import { SCHEDULE_COMMAND } from '../../../i18n/messages/cli-setup-messages.ts';
import { localeOf } from '../../../instance/locale.ts';
import { accountName } from '../../../model/account-name.ts';
import { OperatorError } from '../../../model/fault.ts';
import { must } from '../../../model/must.ts';
import {
  currentCommand,
  doubtfulPlaces,
  SYSTEMS,
  type System,
  scheduleFiles,
  stopSeconds,
} from '../../../reference/schedule-texts.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSession, type Session } from '../../session/command-session.ts';

type Options = {
  readonly at: string;
  readonly watch?: boolean;
  readonly serve?: boolean;
  readonly user?: string;
  readonly mailTo: string;
  readonly name: string;
  readonly out?: string;
};
type Files = ReturnType<typeof scheduleFiles>;

const DAY_MINUTES = 24 * 60;

export const scheduleCommand: CommandModule = {
  run: printSchedule,
  values: {
    system: { choices: SYSTEMS },
    at: { default: '01:15' },
    'mail-to': { default: 'root' },
    name: { default: 'nightpost' },
  },
};

/** Resolves links in the path of the program: a scheduler has another PATH and folder. */
function printSchedule(system: System, { at, watch, serve, user, mailTo, name, out }: Options, command: Command): void {
  const session = openSession(command);
  const { options, terminal, instance } = session;
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at)) {
    const hint = SCHEDULE_COMMAND.writeTime();
    throw new OperatorError('schedule/no-time', SCHEDULE_COMMAND.notATime({ text: at }), { hint });
  }
  if (!/^[\w.+@-]+$/.test(mailTo)) {
    const hint = SCHEDULE_COMMAND.writeAddress();
    throw new OperatorError('schedule/no-address', SCHEDULE_COMMAND.notAnAddress({ text: mailTo }), { hint });
  }
  if (!/^[A-Za-z][\w-]*$/.test(name)) {
    const hint = SCHEDULE_COMMAND.writeName();
    throw new OperatorError('schedule/no-name', SCHEDULE_COMMAND.notAName({ text: name }), { hint });
  }
  if ((watch || serve) && system === 'cron') {
    throw new OperatorError('schedule/no-watch', SCHEDULE_COMMAND.noWatch(), { hint: SCHEDULE_COMMAND.watchBy() });
  }
  const start = currentCommand(process);
  const script = realpathSync(must(start.at(-1), 'the script of the program'));
  const { textfile } = instance.settings.metrics;
  const files = scheduleFiles(system, {
    name,
    folder: instance.folder,
    start: [...start.slice(0, -1), script],
    user: user ?? accountName(),
    at,
    watch: watch === true,
    serve: serve === true,
    mailTo,
    textfileFolder: textfile === undefined ? undefined : dirname(resolve(instance.folder, textfile)),
    shares: instance.settings.share !== undefined,
    stopSeconds: stopSeconds(instance),
  });
  if (out !== undefined) writeFiles(session, resolve(out), files);
  else terminal.exactly(options.json ? JSON.stringify(files, null, 2) : printed(files));
  warn(session, [must(start[0], 'the path of Node'), script]);
  if (!watch) warnOfHours(session, at);
}

/** A run before the hour of an export never misses it: the next one finds that of the next night. */
function warnOfHours({ instance: { settings }, terminal, say }: Session, at: string): void {
  const { zone } = localeOf(settings);
  // The scheduler has the clock of the machine, `expect` that of the instance.
  const machine = localeOf({ rules: settings.rules }).zone;
  const run = Temporal.Now.plainDateISO(machine)
    .toZonedDateTime({ timeZone: machine, plainTime: at })
    .withTimeZone(zone);
  for (const { name, by } of settings.expect) {
    const sinceMinutes = run.toPlainTime().since(Temporal.PlainTime.from(by)).total('minutes');
    if ((sinceMinutes + DAY_MINUTES) % DAY_MINUTES <= DAY_MINUTES / 2) continue;
    terminal.talk(`  ${say(SCHEDULE_COMMAND.beforeHour({ name, by, at, zone }))}`);
  }
}

/** On standard error, next to files that work today: a night later the program may be gone, or not readable. */
function warn({ terminal, say }: Session, paths: readonly string[]): void {
  for (const { path, why } of doubtfulPlaces(paths)) {
    terminal.talk(`  ${say(why === 'clone' ? SCHEDULE_COMMAND.inClone({ path }) : SCHEDULE_COMMAND.inHome({ path }))}`);
  }
}

/** One file as it is; several with a comment line that names each. */
function printed(files: Files): string {
  if (files.length === 1) return files.map(({ text }) => text.trimEnd()).join('');
  return files
    .map(({ name, text }) => `# ---- ${name}\n${text}`)
    .join('\n')
    .trimEnd();
}

/** With --json the list that is printed without --out, and the path of each file. */
function writeFiles({ options, terminal, say }: Session, folder: string, files: Files): void {
  // Not made here: in a folder with a wrong name the scheduler finds nothing.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const hint = SCHEDULE_COMMAND.makeFolder();
    throw new OperatorError('schedule/no-folder', SCHEDULE_COMMAND.noFolder({ path: folder }), { hint });
  }
  const placed = files.map((file) => ({ ...file, path: join(folder, file.name) }));
  // All before the first is written: a refusal leaves nothing behind.
  const there = placed.find(({ path }) => existsSync(path));
  if (there) {
    const hint = SCHEDULE_COMMAND.removeFirst();
    throw new OperatorError('schedule/exists', SCHEDULE_COMMAND.exists({ path: there.path }), { hint });
  }
  for (const { path, text } of placed) {
    writeFileSync(path, text, { flag: 'wx' });
    if (!options.json) terminal.out(`  ${say(SCHEDULE_COMMAND.written({ path }))}`);
  }
  if (options.json) terminal.data(JSON.stringify(placed, null, 2));
}
