/**
 * Fills in the files of deploy/ for one instance: its folder, its user, its Node, its times. Facts come in, texts come
 * out, quoted by the rules of each system; nothing is installed. A missing file of the package throws the error of
 * Node.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { millisecondsOf } from '../delivery/service-settings.ts';
import { PACKAGE_FOLDER } from '../files/package-folder.ts';
import type { Instance } from '../instance/instance.ts';
import { definedOnly } from '../model/defined-only.ts';
import { dictionary } from '../text/dictionary.ts';
import { escapeXml } from '../text/escape-xml.ts';
import { greatestOf } from '../text/long-lists.ts';
import { shellWord } from '../text/shell-word.ts';

/** The schedulers for which the package has files. */
export const SYSTEMS = ['systemd', 'cron', 'windows'] as const;
/** What `nightpost schedule` takes as its argument. */
export type System = (typeof SYSTEMS)[number];

/** Everything that differs between instances. */
export type ScheduleFacts = {
  /** Beginning of the names of units, tasks and files: instances on one machine have one each. */
  readonly name: string;
  /** Absolute path of the instance. */
  readonly folder: string;
  /** Program and arguments that start nightpost, without a command. */
  readonly start: readonly string[];
  readonly user: string;
  /** Time of the run, HH:MM; the other jobs have their distance to it. */
  readonly at: string;
  /** systemd and Windows: a job that runs all day instead of one each night. */
  readonly watch: boolean;
  /** systemd and Windows: also a job that keeps the console open. */
  readonly serve?: boolean;
  /** Address or account that gets the mails of failures. */
  readonly mailTo: string;
  /** A further folder that it writes into: that of the metrics. */
  readonly textfileFolder?: string | undefined;
  /** The setting `share`: new folders of shared ones are setgid. */
  readonly shares?: boolean;
  /** Seconds that an orderly end may take. */
  readonly stopSeconds: number;
};

/** A file with its name in the folder of the scheduler. */
type ScheduleFile = { readonly name: string; readonly text: string };

/** A command and its time. */
type Job = {
  /** Ending of its name, after that of the instance: `-doctor`; the run has none. */
  readonly ending: string;
  readonly title: string;
  readonly words: readonly string[];
  /** Distance to the time of the run. */
  readonly minutes: number;
  /** On Sundays only. */
  readonly weekly?: true;
};

const RUN: Job = { ending: '', title: 'one night', words: ['run'], minutes: 0 };
const WATCH: Job = { ending: '-watch', title: 'all day', words: ['watch'], minutes: 0 };
const SERVE: Job = { ending: '-serve', title: 'console', words: ['serve'], minutes: 0 };
const DOCTOR: Job = {
  ending: '-doctor',
  title: 'checks before the night',
  words: ['--quiet', 'doctor'],
  minutes: -60,
};
const BACKUP: Job = { ending: '-backup', title: 'backup of the ledger', words: ['backup'], minutes: 180 };
const PURGE: Job = {
  ending: '-purge',
  title: 'removal after the retention periods',
  words: ['purge', '--reason', 'retention periods of the settings (keep)'],
  minutes: 360,
  weekly: true,
};

const DEPLOY = new URL('deploy/', PACKAGE_FOLDER);
const MARGIN_S = 30;
const DAY_MINUTES = 24 * 60;
/** Of a run that ends with 5, as in nightpost.service: the last one begins four hours later, before the next night. */
const [RETRIES, RETRY_S] = [8, 1800];

/** Seconds that a stop may take: requests under way end first, so it is the longest total timeout and a margin. */
export function stopSeconds({ destinations }: Instance): number {
  const longest = Math.max(
    0,
    greatestOf(destinations.map(({ connection }) => millisecondsOf(connection['total-timeout']))),
  );
  return Math.ceil(longest / 1000) + MARGIN_S;
}

/** The files of the run, the checks before it, the backup and the purge, in the order in which a person reads them. */
export function scheduleFiles(system: System, facts: ScheduleFacts): readonly ScheduleFile[] {
  return { systemd: systemdFiles, cron: cronFile, windows: windowsTasks }[system](facts);
}

function template(name: string): string {
  return readFileSync(new URL(name, DEPLOY), 'utf8');
}

/** HH:MM of a job; a job before midnight belongs to the day before, which makes no difference for a daily one. */
function timeOf({ minutes }: Job, at: string): string {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const total = (hour * 60 + minute + minutes + DAY_MINUTES) % DAY_MINUTES;
  return [Math.floor(total / 60), total % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Replaces the values of keys; a line of the template whose key is not in `values` stays. */
function fillKeys(text: string, values: { readonly [key: string]: string }): string {
  return text.replace(/^(\w+)=.*$/gm, (line, key: string) => (key in values ? `${key}=${values[key]}` : line));
}

// ---- systemd ----

function systemdFiles(facts: ScheduleFacts): readonly ScheduleFile[] {
  const { name, user, mailTo, watch, serve } = facts;
  const timed = [...(watch ? [] : [RUN]), DOCTOR, BACKUP, PURGE];
  const failure = fillKeys(template('nightpost-failure@.service'), {
    User: user,
    Environment: unitWord(`MAILTO=${mailTo}`),
  });
  return [
    ...(watch ? [{ name: `${name}-watch.service`, text: unit(WATCH, facts) }] : []),
    ...timed.flatMap((job) => [
      { name: `${name}${job.ending}.service`, text: unit(job, facts) },
      { name: `${name}${job.ending}.timer`, text: timer(job, facts) },
    ]),
    ...(serve ? [{ name: `${name}-serve.service`, text: unit(SERVE, facts) }] : []),
    { name: `${name}-failure@.service`, text: failure },
  ];
}

function timer(job: Job, { name, at }: ScheduleFacts): string {
  const text = template('nightpost.timer').replace('# Every night', () => `# For ${name}${job.ending}.service`);
  return fillKeys(text, {
    Description: `Nightpost, time of: ${job.title}`,
    OnCalendar: `${job.weekly ? 'Sun ' : ''}*-*-* ${timeOf(job, at)}`,
  });
}

/** Jobs all day have a template of their own. */
const TEMPLATES = dictionary<string>({
  [WATCH.ending]: 'nightpost-watch.service',
  [SERVE.ending]: 'nightpost-serve.service',
});

function unit(job: Job, facts: ScheduleFacts): string {
  const { name, folder, start, user, watch, textfileFolder, stopSeconds } = facts;
  const hidden = (place: RegExp) => [folder, ...start].some((path) => place.test(path));
  const values: { readonly [key: string]: string } = definedOnly({
    Description: `Nightpost, ${job.title}`,
    Documentation: new URL(`../docs/how-to/admin/${job === SERVE ? 'serve' : 'schedule'}.md`, DEPLOY).href.replaceAll(
      '%',
      '%%',
    ),
    OnFailure: `${name}-failure@%n.service`,
    User: user,
    WorkingDirectory: folder.replaceAll('%', '%%'),
    ExecStart: [...start, '-C', folder, ...job.words]
      .map((word) => unitWord(word).replaceAll('$', () => '$$'))
      .join(' '),
    // The minus: a folder that is missing does not keep the unit from starting.
    ReadWritePaths: [folder, ...(textfileFolder === undefined ? [] : [`-${textfileFolder}`])].map(unitWord).join(' '),
    // The console ends within seconds, whatever a service does.
    TimeoutStopSec: job === SERVE ? undefined : String(stopSeconds),
    // A part of Nightpost in such a folder must stay visible; ReadWritePaths opens the instance for writing.
    ProtectHome: hidden(HOME) ? 'read-only' : undefined,
    PrivateTmp: hidden(/^(\/var)?\/tmp\//) ? 'no' : undefined,
    // With it, systemd refuses the setgid bit of the folders that a group shares.
    RestrictSUIDSGID: facts.shares ? 'no' : undefined,
  });
  const text = fillKeys(template(TEMPLATES.get(job.ending) ?? 'nightpost.service'), values);
  if (job === SERVE) return text.replace(/^#.*\n/, () => `# The console of ${name}, for the browser.\n`);
  if (job === RUN) return text.replace('nightpost.timer', () => `${name}.timer`);
  if (job === WATCH) return text.replace('nightpost.service', () => `${name}.service`);
  const other = text
    .replace(/^# One night: nightpost\.timer/, () => `# ${name}${job.ending}.timer`)
    .replace(/^# 3: [^\n]*\nSuccessExitStatus=.*\n(?:#[^\n]*\n|Restart\w*=.*\n)*/m, '')
    .replace(/^StartLimit.*\n/gm, '');
  return job === PURGE && watch ? withoutWatch(other, `${name}-watch.service`) : other;
}

/** Purge needs the lock that `watch` holds: systemd ends the one, and starts it when the other has ended, however. */
function withoutWatch(text: string, service: string): string {
  return text
    .replace(/^OnFailure=/m, `Conflicts=${service}\nAfter=${service}\nOnFailure=`)
    .replace(/^ExecStart=.*$/m, (line) => `${line}\nExecStopPost=+/usr/bin/systemctl --no-block start ${service}`);
}

/** systemd.syntax(7): quotes around what has blanks, C escapes inside, two per cent signs for one. */
function unitWord(word: string): string {
  const safe = word.replaceAll('%', '%%');
  return /^[\w%/.:@+=,-]+$/.test(safe) ? safe : JSON.stringify(safe);
}

// ---- cron ----

/** The first lines of the template, then one comment and one line for each job. */
function cronFile(facts: ScheduleFacts): readonly ScheduleFile[] {
  const [head = ''] = template('nightpost.cron').split('# The run of the night');
  const lines = [RUN, DOCTOR, BACKUP, PURGE].map((job) => cronLine(job, facts));
  return [{ name: `${facts.name}.cron`, text: `${fillKeys(head, { MAILTO: facts.mailTo })}${lines.join('\n')}\n` }];
}

/** As often as the unit of systemd: what is away for longer is a failure. Ends with the exit code of the last try. */
function againWhileAway(run: string): string {
  return `n=0; while ${run}; c=$?; [ $c -eq 5 ] && [ $n -lt ${RETRIES} ]; do n=$((n+1)); sleep ${RETRY_S}; done; [ $c -eq 0 ]`;
}

/** crontab(5): a per cent sign ends the command unless it is escaped. */
function cronLine(job: Job, { folder, start, at }: ScheduleFacts): string {
  const [hour, minute] = timeOf(job, at).split(':').map(Number);
  const log = shellWord(join(folder, 'logs', 'schedule.log'));
  const command = [...start, '-C', folder, ...job.words].map(shellWord).join(' ');
  const logged = `${command} >>${log} 2>&1`;
  const work = job === RUN ? againWhileAway(logged) : logged;
  const line = `umask 077; ulimit -c 0; ${work} || tail -n 60 ${log}`.replaceAll('%', '\\%');
  return `# ${job.title}\n${minute} ${hour} * * ${job.weekly ? '0' : '*'} ${line}`;
}

// ---- Windows ----

/** With `watch` no task purges: Windows cannot ask a program to end in order, and purge needs the lock. */
function windowsTasks(facts: ScheduleFacts): readonly ScheduleFile[] {
  const jobs = facts.watch ? [WATCH, DOCTOR, BACKUP] : [RUN, DOCTOR, BACKUP, PURGE];
  return [...jobs, ...(facts.serve ? [SERVE] : [])].map((job) => ({
    name: `${facts.name}${job.ending}-task.xml`,
    text: windowsTask(job, facts),
  }));
}

const EVERY_DAY = /<ScheduleByDay>[\s\S]*<\/ScheduleByDay>/;
const SUNDAYS =
  '<ScheduleByWeek>\n        <WeeksInterval>1</WeeksInterval>\n        <DaysOfWeek>\n          <Sunday />\n        </DaysOfWeek>\n      </ScheduleByWeek>';
const CALENDAR = /<CalendarTrigger>[\s\S]*<\/CalendarTrigger>/;
const AT_START = '<BootTrigger>\n      <Enabled>true</Enabled>\n    </BootTrigger>';
/** 255 is the most that the published schema of tasks takes (restartType: unsignedByte). */
const RESTART =
  '<RestartOnFailure>\n      <Interval>PT1M</Interval>\n      <Count>255</Count>\n    </RestartOnFailure>\n    <ExecutionTimeLimit>';

/** `cmd /s` takes everything between the first and the last quote as it is, so the quotes of paths need no escape. */
function windowsTask(job: Job, { name: instance, folder, start, at }: ScheduleFacts): string {
  const command = [...start, '-C', folder, ...job.words].map(windowsWord).join(' ');
  const values: { readonly [element: string]: string } = {
    Description: `Nightpost, ${job.title}`,
    StartBoundary: `2026-01-01T${timeOf(job, at)}:00`,
    Arguments: `/d /v:off /s /c "${command} >> ${windowsWord(join(folder, 'logs', 'schedule.log'))} 2>&1"`,
    WorkingDirectory: folder,
  };
  const task = `${instance}${job.ending}`;
  const text = template('nightpost-task.xml')
    .replace('/TN Nightpost /XML nightpost-task.xml', `/TN ${task} /XML ${task}-task.xml`)
    .replace(/<(\w+)>([^<]*)<\/\w+>/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : `<${name}>${escapeXml(value)}</${name}>`;
    });
  if (job === WATCH || job === SERVE) return text.replace(CALENDAR, AT_START).replace('<ExecutionTimeLimit>', RESTART);
  return job.weekly ? text.replace(EVERY_DAY, SUNDAYS) : text;
}

/** Quotes for the C runtime of Windows, which reads backslashes as escapes only before a quote. */
function windowsWord(word: string): string {
  return /^[\w/.:\\+=,-]+$/.test(word)
    ? word
    : `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}

// ---- the program ----

/** Program and arguments that start the running Nightpost again, with its options of Node. */
export function currentCommand({
  execPath,
  execArgv,
  argv,
}: {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  readonly argv: readonly string[];
}): readonly string[] {
  const main = argv[1] ?? fileURLToPath(new URL('../cli/main.js', import.meta.url));
  return [execPath, ...execArgv, main];
}

const HOME = /^\/(home|root|run\/user)\//;

/** A path of the program that a night should not depend on, and why. */
type DoubtfulPlace = { readonly path: string; readonly why: 'clone' | 'home' };

/**
 * Node and program (absolute paths) in a clone, which a pull or `npm ci` changes under the schedule, or in the home
 * folder of a person, which another account cannot enter.
 */
export function doubtfulPlaces(paths: readonly string[], clone = CLONE): readonly DoubtfulPlace[] {
  return paths.flatMap((path): DoubtfulPlace[] => {
    if (clone !== undefined && path.startsWith(clone)) return [{ path, why: 'clone' }];
    return HOME.test(path) ? [{ path, why: 'home' }] : [];
  });
}

/** The folder of the package where it is the work tree of a clone; of the sources, a published package has only the files of the console. */
const CLONE = existsSync(new URL('src/reference/', PACKAGE_FOLDER)) ? fileURLToPath(PACKAGE_FOLDER) : undefined;
