/**
 * Fills in the files of deploy/ for one instance: its folder, its user, its Node, its time. Facts come in, texts come
 * out, quoted by the rules of each system; nothing is installed. A missing file of the package throws the error of
 * Node.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { millisecondsOf } from '../delivery/service-settings.ts';
import type { Instance } from '../instance/instance.ts';
import { definedOnly } from '../model/defined-only.ts';

/** The schedulers for which the package has files. */
export const SYSTEMS = ['systemd', 'cron', 'windows'] as const;
/** What `nightpost schedule` takes as its argument. */
export type System = (typeof SYSTEMS)[number];

/** Everything that differs between instances. */
export type ScheduleFacts = {
  /** Absolute path of the instance. */
  readonly folder: string;
  /** Program and arguments that start nightpost, without a command. */
  readonly start: readonly string[];
  readonly user: string;
  /** HH:MM. */
  readonly at: string;
  /** systemd only: a service that runs all the time instead of one that a timer starts each night. */
  readonly watch: boolean;
  /** Seconds that an orderly end may take. */
  readonly stopSeconds: number;
};

const DEPLOY = new URL('../../deploy/', import.meta.url);
const MARGIN_S = 30;

/** Seconds that a stop may take: requests under way end first, so it is the longest total timeout and a margin. */
export function stopSeconds({ destinations }: Instance): number {
  const longest = Math.max(0, ...destinations.map(({ connection }) => millisecondsOf(connection['total-timeout'])));
  return Math.ceil(longest / 1000) + MARGIN_S;
}

/** Each file with its name in deploy/, in the order in which a person installs them. */
export function scheduleFiles(
  system: System,
  facts: ScheduleFacts,
): readonly { readonly name: string; readonly text: string }[] {
  const names = {
    systemd: facts.watch ? ['nightpost-watch.service'] : ['nightpost.service', 'nightpost.timer'],
    cron: ['nightpost.cron'],
    windows: ['nightpost-task.xml'],
  }[system];
  const fill = { systemd: systemdUnit, cron: crontab, windows: windowsTask }[system];
  return names.map((name) => ({ name, text: fill(readFileSync(new URL(name, DEPLOY), 'utf8'), facts) }));
}

function systemdUnit(text: string, { folder, start, user, at, watch, stopSeconds }: ScheduleFacts): string {
  const command = [...start, '-C', folder, watch ? 'watch' : 'run'];
  const hidden = (place: RegExp) => [folder, ...start].some((path) => place.test(path));
  const values: { readonly [key: string]: string } = definedOnly({
    Documentation: new URL('../docs/how-to/admin/schedule.md', DEPLOY).href.replaceAll('%', '%%'),
    User: user,
    WorkingDirectory: folder.replaceAll('%', '%%'),
    ExecStart: command.map((word) => unitWord(word).replaceAll('$', () => '$$')).join(' '),
    ReadWritePaths: unitWord(folder),
    TimeoutStopSec: String(stopSeconds),
    OnCalendar: `*-*-* ${at}`,
    // A part of Nightpost in such a folder must stay visible; ReadWritePaths opens the instance for writing.
    ProtectHome: hidden(/^\/(home|root|run\/user)\//) ? 'read-only' : undefined,
    PrivateTmp: hidden(/^(\/var)?\/tmp\//) ? 'no' : undefined,
  });
  return text.replace(/^(\w+)=.*$/gm, (line, key: string) => (key in values ? `${key}=${values[key]}` : line));
}

/** systemd.syntax(7): quotes around what has blanks, C escapes inside, two per cent signs for one. */
function unitWord(word: string): string {
  const safe = word.replaceAll('%', '%%');
  return /^[\w%/.:@+=,-]+$/.test(safe) ? safe : JSON.stringify(safe);
}

/** crontab(5): a per cent sign ends the command unless it is escaped. */
function crontab(text: string, { folder, start, at }: ScheduleFacts): string {
  const [hour, minute] = at.split(':').map(Number);
  const command = [...start, '-C', folder, '--quiet', 'run'].map(shellWord).join(' ');
  return text
    .replace(/01:15/, at)
    .replace(/^15 1 .*$/m, () => `${minute} ${hour} * * * ${command.replaceAll('%', '\\%')}`);
}

function shellWord(word: string): string {
  return /^[\w/.:@+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function windowsTask(text: string, { folder, start, at }: ScheduleFacts): string {
  const [program = '', ...rest] = start;
  const words = [...rest, '-C', folder, '--quiet', 'run'].map(windowsWord).join(' ');
  const values: { readonly [element: string]: string } = {
    StartBoundary: `2026-01-01T${at}:00`,
    Command: program,
    Arguments: words,
    WorkingDirectory: folder,
  };
  return text.replace(/<(\w+)>([^<]*)<\/\w+>/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : `<${name}>${escapeXml(value)}</${name}>`;
  });
}

/** Quotes for the C runtime of Windows, which reads backslashes as escapes only before a quote. */
function windowsWord(word: string): string {
  return /^[\w/.:\\+=,-]+$/.test(word)
    ? word
    : `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

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
