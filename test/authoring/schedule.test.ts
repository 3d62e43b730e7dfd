/** What `schedule` prints works: systemd takes it and finds it tight, a shell runs it, the tasks of Windows are whole. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { doubtfulPlaces, type ScheduleFacts, type System, scheduleFiles } from '../../src/reference/schedule-texts.ts';
import { command, MAIN, start } from '../program.ts';

/** In the folder that PrivateTmp would hide. */
const parent = mkdtempSync(join(process.platform === 'win32' ? tmpdir() : '/tmp', 'nightpost-schedule-'));
/** Everything that one of the three systems reads as more than a letter. */
const folder = join(parent, `my in%st "ance" $HOME 'q' & <x>`);

beforeAll(async () => {
  expect((await start(['init', join(parent, 'plain'), '--sandbox']).ended).code).toBe(0);
  renameSync(join(parent, 'plain'), folder);
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

const schedule = async (...args: string[]) => await start(['-C', folder, 'schedule', ...args]).ended;

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

const deploy = join(import.meta.dirname, '../../deploy');

/** What the services must keep, whatever this machine has to look at them with: key and value as systemd reads them. */
const HARDENED = [
  'UMask=0077',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateIPC=yes',
  'ProtectProc=invisible',
  'ProcSubset=pid',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'NoNewPrivileges=yes',
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'LockPersonality=yes',
  'RemoveIPC=yes',
  'KeyringMode=private',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
  'LimitCORE=0',
];

test.each(['nightpost.service', 'nightpost-watch.service'])('%s keeps its hardening, each line once', (name) => {
  const lines = readFileSync(join(deploy, name), 'utf8').split('\n');
  expect(HARDENED.filter((line) => !lines.includes(line))).toEqual([]);
  // It would map the owners of files to nobody, and the owner is the person who decided.
  expect(lines.filter((line) => line.startsWith('PrivateUsers='))).toEqual([]);
  // A later line of the same key would replace it; filters of system calls add up.
  const keys = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.slice(0, line.indexOf('=')));
  const twice = keys.filter((key, n) => keys.indexOf(key) !== n && key !== 'SystemCallFilter');
  expect(twice).toEqual([]);
});

/**
 * What the unit of the mail has in place of a line of the services, or why it has none. Its sendmail changes its group or
 * account, which systemd 252 forbids to a unit with User= and any line that needs a filter of system calls.
 */
const OF_THE_MAIL: { readonly [line: string]: string } = {
  ...Object.fromEntries(
    [
      ...['PrivateDevices=yes', 'ProtectClock=yes', 'ProtectHostname=yes', 'ProtectKernelLogs=yes'],
      ...['ProtectKernelModules=yes', 'ProtectKernelTunables=yes', 'NoNewPrivileges=yes', 'RestrictSUIDSGID=yes'],
      ...['RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX', 'RestrictNamespaces=yes', 'RestrictRealtime=yes'],
      ...['LockPersonality=yes', 'SystemCallArchitectures=native', 'SystemCallFilter=@system-service'],
      'SystemCallFilter=~@privileged @resources',
    ].map((line) => [line, '']),
  ),
  // systemctl reads the id of the boot in /proc/sys.
  'ProcSubset=pid': '',
  // A mail program may have its settings there.
  'ProtectHome=yes': 'ProtectHome=read-only',
  'CapabilityBoundingSet=':
    'CapabilityBoundingSet=CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_SETGID CAP_SETUID',
};

test('the unit of the mail is as hard as a sendmail bears it: no line more, none less', () => {
  const lines = readFileSync(join(deploy, 'nightpost-failure@.service'), 'utf8').split('\n');
  const wanted = HARDENED.map((line) => OF_THE_MAIL[line] ?? line).filter((line) => line !== '');
  expect([...wanted, 'DevicePolicy=closed'].filter((line) => !lines.includes(line))).toEqual([]);
  const keyOf = (line: string) => line.slice(0, line.indexOf('='));
  const filtered = Object.entries(OF_THE_MAIL).filter(([, instead]) => instead === '');
  const forbidden = new Set(filtered.map(([line]) => keyOf(line)));
  expect(lines.filter((line) => /^\w+=/.test(line) && forbidden.has(keyOf(line)))).toEqual([]);
  // Where the mail programs of Debian and Red Hat write.
  expect(lines).toContain('ReadWritePaths=-/var/spool -/var/mail -/var/log -/run');
});

test('the units of an instance with shared folders let it set their setgid bit', () => {
  const restricted = (shares: boolean) =>
    [...filesFor('systemd', { shares, serve: true }), ...filesFor('systemd', { shares, watch: true })]
      .filter(([name]) => name.endsWith('.service') && !name.includes('failure'))
      .flatMap(([, text]) => text.match(/^RestrictSUIDSGID=.*$/gm) ?? []);
  expect(new Set(restricted(false))).toEqual(new Set(['RestrictSUIDSGID=yes']));
  expect(new Set(restricted(true))).toEqual(new Set(['RestrictSUIDSGID=no']));
  expect(restricted(true)).toHaveLength(restricted(false).length);
});

const shipped = readdirSync(deploy).filter((name) => /\.(?:service|timer)$/.test(name));
const RUN_FILES = [
  ...['nightpost.service', 'nightpost.timer', 'nightpost-doctor.service', 'nightpost-doctor.timer'],
  ...['nightpost-backup.service', 'nightpost-backup.timer', 'nightpost-purge.service', 'nightpost-purge.timer'],
  'nightpost-failure@.service',
];
const WATCH_FILES = ['nightpost-watch.service', ...RUN_FILES.slice(2)];
const SERVE_FILES = RUN_FILES.toSpliced(-1, 0, 'nightpost-serve.service');

const FACTS = { name: 'nightpost', user: 'nightpost', at: '01:15', watch: false, mailTo: 'root', stopSeconds: 150 };

/** The text of each file by its name. */
function filesFor(system: System, facts: Partial<ScheduleFacts> = {}): ReadonlyMap<string, string> {
  const program = { folder, start: [process.execPath, '--disable-proto=throw', MAIN] };
  return new Map(scheduleFiles(system, { ...FACTS, ...program, ...facts }).map(({ name, text }) => [name, text]));
}

/** Keys of each section, for machines without the tools of systemd: a key that is misspelled has no effect there. */
const KNOWN: { readonly [section: string]: readonly string[] } = {
  Unit: [
    'Description',
    'Documentation',
    'After',
    'Wants',
    'OnFailure',
    'Conflicts',
    'StartLimitIntervalSec',
    'StartLimitBurst',
  ],
  Timer: ['OnCalendar', 'Persistent'],
  Install: ['WantedBy'],
  Service: [
    ...HARDENED.map((line) => line.slice(0, line.indexOf('='))),
    ...['Type', 'User', 'WorkingDirectory', 'ExecStart', 'ExecStopPost', 'SuccessExitStatus', 'TimeoutStartSec'],
    ...['TimeoutStopSec', 'ReadWritePaths', 'CacheDirectory', 'CacheDirectoryMode', 'SystemCallErrorNumber'],
    ...[
      'NotifyAccess',
      'WatchdogSec',
      'MemoryMax',
      'TasksMax',
      'Restart',
      'RestartSec',
      'RestartPreventExitStatus',
      'SupplementaryGroups',
      'DevicePolicy',
    ],
    'Environment',
  ],
};

/** Key and value of each line, with its section; comments and blank lines are left out. */
function settingsOf(
  unit: string,
): readonly { readonly section: string; readonly key: string; readonly value: string }[] {
  let section = '';
  return unit.split('\n').flatMap((line) => {
    section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
    if (line === '' || /^[#[]/.test(line)) return [];
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return [{ section, key, value }];
  });
}

test.each([
  ['each night', false, RUN_FILES],
  ['all day', true, WATCH_FILES],
  ['each night, with the console', false, SERVE_FILES],
])('the units of a schedule for %s have known keys alone, and each failure is mailed', (_, watch, names) => {
  const files = filesFor('systemd', { mailTo: 'admin@example.org', watch, serve: names === SERVE_FILES });
  expect([...files.keys()]).toEqual(names);
  for (const [name, text] of files) {
    const settings = settingsOf(text);
    expect(settings.filter(({ section, key }) => !KNOWN[section]?.includes(key))).toEqual([]);
    if (!name.endsWith('.service') || name.includes('@')) continue;
    expect(settings).toContainEqual({ section: 'Unit', key: 'OnFailure', value: 'nightpost-failure@%n.service' });
  }
  expect(files.get('nightpost-failure@.service')).toContain('Environment=MAILTO=admin@example.org\n');
});

test('the checks run an hour before the run, the backup after it, the purge on Sundays', () => {
  const times = (watch: boolean) =>
    [...filesFor('systemd', { at: '00:30', watch })].flatMap(([name, text]) => {
      const command = /^ExecStart=.*"? ((?:run|watch|--quiet doctor|backup|purge)\b.*)$/m.exec(text)?.[1];
      return [...(command ? [command] : []), ...(/^OnCalendar=(.*)$/m.exec(text)?.slice(1) ?? [])].map(
        (what) => `${name.replace(/^nightpost-?/, '')} ${what}`,
      );
    });
  const others = [
    ...['doctor.service --quiet doctor', 'doctor.timer *-*-* 23:30', 'backup.service backup'],
    ...['backup.timer *-*-* 03:30', 'purge.service purge --reason "retention periods of the settings (keep)"'],
    'purge.timer Sun *-*-* 06:30',
  ];
  expect(times(false)).toEqual(['.service run', '.timer *-*-* 00:30', ...others]);
  expect(times(true)).toEqual(['watch.service watch', ...others]);
});

test('the unit of the console serves this instance, starts again, and ends within seconds', () => {
  const values = settingsOf(filesFor('systemd', { serve: true, name: 'erp' }).get('erp-serve.service')!);
  const of = (wanted: string) => values.filter(({ key }) => key === wanted).map(({ value }) => value);
  expect(of('ExecStart')).toEqual([expect.stringMatching(/ -C ".*" serve$/)]);
  expect([of('User'), of('Restart'), of('TimeoutStopSec'), of('OnFailure')]).toEqual([
    ...[['nightpost'], ['on-failure'], ['15'], ['erp-failure@%n.service']],
  ]);
  expect(of('ReadWritePaths')).toHaveLength(1);
  expect([...filesFor('windows', { serve: true }).keys()].at(-1)).toBe('nightpost-serve-task.xml');
});

test('the unit of a watch reports to systemd, and may write the metrics', () => {
  const text = filesFor('systemd', { watch: true, textfileFolder: '/var/lib/node exporter' }).get(
    'nightpost-watch.service',
  )!;
  const values = settingsOf(text).map(({ key, value }) => `${key}=${value}`);
  expect(values).toEqual(expect.arrayContaining(['Type=notify', 'NotifyAccess=all', 'WatchdogSec=600']));
  expect(values.find((line) => line.startsWith('ReadWritePaths='))).toMatch(/ "-\/var\/lib\/node exporter"$/);
});

test('watch holds the lock that purge needs: it ends for the purge and starts when the purge has ended', () => {
  const text = filesFor('systemd', { watch: true }).get('nightpost-purge.service')!;
  const settings = settingsOf(text).map(({ key, value }) => `${key}=${value}`);
  expect(settings).toEqual(
    expect.arrayContaining([
      ...['Conflicts=nightpost-watch.service', 'After=nightpost-watch.service'],
      'ExecStopPost=+/usr/bin/systemctl --no-block start nightpost-watch.service',
    ]),
  );
  expect(filesFor('systemd').get('nightpost-purge.service')).not.toContain('nightpost-watch');
});

test.skipIf(process.platform === 'win32')('a failure is mailed by the sendmail of the machine (not on Windows)', () => {
  const unit = readFileSync(join(deploy, 'nightpost-failure@.service'), 'utf8');
  const [, script = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
  const shell = script.replaceAll('%i', 'nightpost.service').replaceAll('%H', 'host');
  const read = shell
    .replaceAll('%%', '%')
    .replaceAll('$$', () => '$')
    .replaceAll('\\\\', '\\');
  const mail = join(parent, 'mail.txt');
  const bin = join(parent, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'sendmail'), `#!/bin/sh\necho "$@" > '${mail}'; cat >> '${mail}'\n`, { mode: 0o755 });
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, MAILTO: 'admin@example.org' };
  execFileSync('sh', ['-c', read], { env });
  expect(readFileSync(mail, 'utf8')).toBe(
    '-t\nTo: admin@example.org\nSubject: [host] nightpost.service failed\nAuto-Submitted: auto-generated\n\n' +
      'status --no-pager --full --lines=60 nightpost.service\n',
  );
});

test.each<[System, boolean]>([
  ['systemd', false],
  ['systemd', true],
  ['cron', false],
  ['windows', false],
  ['windows', true],
])('a second instance has names of its own for %s (watch: %s)', (system, watch) => {
  const [first, second] = ['nightpost', 'erp-sv'].map((name) => filesFor(system, { name, watch, start: ['/x'] }));
  expect([...second!.keys()]).toEqual([...first!.keys()].map((name) => name.replace('nightpost', 'erp-sv')));
  // Units and tasks name each other, not those of the first instance.
  const named = [...second!.values()].flatMap((text) =>
    text.match(/nightpost[-\w@%]*\.(?:service|timer)|\/TN nightpost/g),
  );
  expect(named.filter((name) => name !== null)).toEqual([]);
});

describe.skipIf(!has('systemd-analyze'))('systemd (skipped without its tools)', () => {
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, says: stdout + stderr };
  };
  const isTight = (path: string, tenths = 25) =>
    analyze('security', '--offline=yes', `--threshold=${tenths}`, path).status === 0;
  /** The other one runs sendmail, which bears less. */
  const runsNightpost = (name: string) => name.endsWith('.service') && !name.includes('@');

  test.each([
    ['nightpost.service', [], RUN_FILES],
    ['nightpost-watch.service', ['--watch'], WATCH_FILES],
  ])('%s and its neighbors are taken, and their exposure is at most 2.5', async (name, options, names) => {
    const out = join(parent, name.replace('.', '-'));
    mkdirSync(out);
    const { code } = await schedule('systemd', '--at', '02:30', '--out', out, ...options);
    expect(code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(names.toSorted());
    expect(analyze('verify', ...names.map((one) => join(out, one)))).toEqual({
      status: 0,
      says: expect.not.stringMatching(/ignoring|invalid|unknown/i),
    });
    expect(names.filter((one) => runsNightpost(one) && !isTight(join(out, one)))).toEqual([]);
    const text = readFileSync(join(out, name), 'utf8');
    expect(text).toContain(`User=${userInfo().username}\n`);
    expect(text).toContain('TimeoutStopSec=150\n');
    expect(text).toContain('PrivateTmp=no\n');
    expect(text).toMatch(/^ExecStart=.* --disable-proto=throw .*in%%st \\"ance\\" \$\$HOME 'q' & <x>" (run|watch)$/m);
    if (options.length === 0)
      expect(readFileSync(join(out, 'nightpost.timer'), 'utf8')).toContain('OnCalendar=*-*-* 02:30\n');
    const again = await schedule('systemd', '--out', out, ...options);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('schedule/exists')]);
  });

  test('the shipped ones are as tight', () => {
    expect(shipped.filter((name) => runsNightpost(name) && !isTight(join(deploy, name)))).toEqual([]);
    expect(isTight(join(deploy, 'nightpost-failure@.service'), 65)).toBe(true);
    const loose = join(parent, 'loose.service');
    writeFileSync(loose, '[Service]\nExecStart=/bin/true\n');
    expect(isTight(loose)).toBe(false);
  });
});

test('the files that are written are listed with --json', async () => {
  const out = join(parent, 'listed');
  mkdirSync(out);
  const listed = JSON.parse((await schedule('systemd', '--out', out, '--json')).out) as readonly {
    readonly path: string;
    readonly text: string;
  }[];
  expect(listed.map(({ path }) => path).sort()).toEqual(
    readdirSync(out)
      .map((name) => join(out, name))
      .sort(),
  );
  for (const { path, text } of listed) expect(readFileSync(path, 'utf8')).toBe(text);
});

test('where one of the files is there, none is written', async () => {
  const out = join(parent, 'half');
  mkdirSync(out);
  writeFileSync(join(out, 'nightpost.timer'), '');
  const { code, err } = await schedule('systemd', '--out', out);
  expect([code, err]).toEqual([2, expect.stringContaining('schedule/exists')]);
  expect(readdirSync(out)).toEqual(['nightpost.timer']);
});

test.skipIf(process.platform === 'win32')(
  'the lines of the crontab run this instance: a log of everything, a mail of a failure (not on Windows)',
  async () => {
    const { out } = await schedule('cron', '--at', '23:05', '--mail-to', 'admin@example.org');
    const lines = out.split('\n');
    expect(lines).toContain('MAILTO=admin@example.org');
    const times = lines.filter((one) => /^\d/.test(one)).map((one) => one.split(' umask')[0]!);
    expect(times).toEqual(['5 23 * * *', '5 22 * * *', '5 2 * * *', '5 5 * * 0']);
    const line = lines.find((one) => one.startsWith('5 23'))!;
    const command = line.replace('5 23 * * * ', '');
    expect(command).not.toMatch(/(^|[^\\])%/);
    // cron takes the backslash away.
    const run = () => execFileSync('sh', ['-c', command.replaceAll('\\%', '%')], { encoding: 'utf8' });
    expect(run()).toBe('');
    const log = join(folder, 'logs/schedule.log');
    const first = readFileSync(log, 'utf8');
    expect(first).not.toBe('');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'mappings/broken.yaml'), 'id: [');
    expect(run()).toContain('mapping/invalid');
    expect(readFileSync(log, 'utf8').startsWith(first)).toBe(true);
    rmSync(join(folder, 'mappings/broken.yaml'));
  },
);

/** How often the program of the line of a night begins, where it ends with these exit codes one after the other, and what cron mails. */
function nightOf(codes: readonly number[]): readonly [times: number, waits: number, mail: string] {
  const place = mkdtempSync(join(parent, 'night-'));
  mkdirSync(join(place, 'logs'));
  const script = (name: string, text: string) => {
    writeFileSync(join(place, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return join(place, name);
  };
  const counted = `n=$(cat ${place}/times 2>/dev/null || echo 0); echo $((n+1)) >${place}/times; echo "try $n"`;
  const program = script('program', `${counted}\nset -- ${codes.join(' ')}\nshift $n\nexit $1`);
  script('sleep', `echo "$1" >>${place}/waits`);
  const text = filesFor('cron', { folder: place, start: [program] }).get('nightpost.cron')!;
  const command = text
    .split('\n')
    .find((line) => line.endsWith('.log') && line.includes(' run '))!
    .replace(/^\S+ \S+ \* \* \* /, '');
  const env = { ...process.env, PATH: `${place}:${process.env.PATH}` };
  const { stdout } = spawnSync('sh', ['-c', command.replaceAll('\\%', '%')], { encoding: 'utf8', env });
  const waits = existsSync(join(place, 'waits'))
    ? readFileSync(join(place, 'waits'), 'utf8').split('1800\n').length - 1
    : 0;
  return [Number(readFileSync(join(place, 'times'), 'utf8')), waits, stdout.split('\n').at(-2) ?? ''];
}

test.skipIf(process.platform === 'win32').each([
  ['it ends well', [0], [1, 0, '']],
  ['documents need people', [3, 0], [1, 0, 'try 0']],
  ['the service is away twice', [5, 5, 0], [3, 2, '']],
  ['the service is away, and then the credentials are refused', [5, 4, 0], [2, 1, 'try 1']],
  ['the service stays away', Array.from({ length: 12 }, () => 5), [9, 8, 'try 8']],
])('the night of the crontab runs again after 5 alone, every half hour: %s', (_, codes, expected) => {
  expect(nightOf(codes)).toEqual(expected);
});

test('the unit of the night runs again after 5 alone, every half hour and eight times, and no other unit does', () => {
  const units = [...filesFor('systemd', { start: ['/x'] })].filter(([name]) => name.endsWith('.service'));
  const restarts = units.map(([name, text]) => [name, text.match(/^(?:Restart|StartLimit)\w*=.*$/gm) ?? []]);
  expect(Object.fromEntries(restarts.filter(([, lines]) => lines!.length > 0))).toEqual({
    'nightpost.service': [
      ...['StartLimitIntervalSec=6h', 'StartLimitBurst=9', 'Restart=on-failure', 'RestartSec=30min'],
      'RestartPreventExitStatus=1 2 4 6 7 129 130',
    ],
  });
});

describe('Windows', () => {
  type Exec = { readonly [name: string]: string };
  type Task = { readonly Triggers: { readonly [name: string]: object }; readonly Actions: { readonly Exec: Exec } };
  const parsed = (text: string) =>
    (new XMLParser({ parseTagValue: false, trimValues: false }).parse(text) as { Task: Task }).Task;

  test('each task appends the output of a command in this folder to the log', () => {
    const tasks = filesFor('windows', { at: '03:00' });
    const ends = [...tasks].map(([name, text]) => {
      const { Command, Arguments = '', WorkingDirectory } = parsed(text).Actions.Exec;
      expect([Command, WorkingDirectory]).toEqual(['cmd.exe', folder]);
      const [, line = ''] = /^\/d \/v:off \/s \/c "(.*)"$/.exec(Arguments) ?? [];
      expect(line.startsWith(process.execPath)).toBe(true);
      expect(line).toContain(MAIN);
      const where = `my in%st \\"ance\\" $HOME 'q' & <x>`;
      expect(line).toMatch(/ -C ".*" \S.* >> ".*schedule\.log" 2>&1$/);
      expect(line.split(where)).toHaveLength(3);
      return [name, /<x>" ([^>]*) >>/.exec(line)?.[1]];
    });
    expect(ends).toEqual([
      ['nightpost-task.xml', 'run'],
      ['nightpost-doctor-task.xml', '--quiet doctor'],
      ['nightpost-backup-task.xml', 'backup'],
      ['nightpost-purge-task.xml', 'purge --reason "retention periods of the settings (keep)"'],
    ]);
    expect(parsed(tasks.get('nightpost-task.xml')!).Triggers).toMatchObject({
      CalendarTrigger: { StartBoundary: '2026-01-01T03:00:00', ScheduleByDay: { DaysInterval: '1' } },
    });
    expect(parsed(tasks.get('nightpost-purge-task.xml')!).Triggers).toMatchObject({
      CalendarTrigger: { StartBoundary: '2026-01-01T09:00:00', ScheduleByWeek: { DaysOfWeek: { Sunday: '' } } },
    });
  });

  test('watch starts with the machine and again after a failure', () => {
    const tasks = filesFor('windows', { watch: true });
    expect([...tasks.keys()]).toEqual([
      'nightpost-watch-task.xml',
      'nightpost-doctor-task.xml',
      'nightpost-backup-task.xml',
    ]);
    const task = parsed(tasks.get('nightpost-watch-task.xml')!);
    expect(Object.keys(task.Triggers)).toContain('BootTrigger');
    expect(task).toMatchObject({ Settings: { RestartOnFailure: { Interval: 'PT1M' } } });
  });
});

test('a program in a clone or in a home folder is warned of, and the files are printed all the same', async () => {
  const { code, out, err } = await schedule('cron');
  expect(code).toBe(0);
  expect(out).toContain('MAILTO=root');
  expect(err).toContain(MAIN);
  const places = ['/opt/clone/src/cli/main.ts', '/home/marie/.nvm/bin/node', '/usr/lib/node_modules/nightpost/x.js'];
  expect(doubtfulPlaces(places, '/opt/clone/')).toEqual([
    { path: places[0], why: 'clone' },
    { path: places[1], why: 'home' },
  ]);
  expect(doubtfulPlaces(['/usr/bin/node'], undefined)).toEqual([]);
});

test('an invalid time and an unknown scheduler are refused', async () => {
  expect(await schedule('cron', '--at', '25:00')).toMatchObject({
    code: 2,
    err: expect.stringContaining('schedule/no-time'),
  });
  expect((await schedule('launchd')).code).toBe(2);
});

test('a folder that is missing or a file is refused by its own name, and none is made', async () => {
  writeFileSync(join(parent, 'plain-file'), '');
  for (const out of [join(parent, 'missing'), join(parent, 'plain-file')]) {
    const { code, err } = await command(['-C', folder, 'schedule', 'cron', '--out', out]);
    expect([code, err]).toEqual([2, expect.stringContaining('schedule/no-folder')]);
  }
  expect(readdirSync(parent)).not.toContain('missing');
});

test('cron refuses --watch', async () => {
  const { code, out, err } = await command(['-C', folder, 'schedule', 'cron', '--watch']);
  expect([code, out, err]).toEqual([2, '', expect.stringContaining('schedule/no-watch')]);
});

test.each(['a b', 'x\nOnFailure='])('the address %j is refused', async (address) => {
  const { code, err } = await schedule('systemd', '--mail-to', address);
  expect([code, err]).toEqual([2, expect.stringContaining('schedule/no-address')]);
});

test.each(['', '../x', 'a b', '@'])('the name %j is refused', async (name) => {
  const { code, err } = await command(['-C', folder, 'schedule', 'systemd', '--name', name]);
  expect([code, err]).toEqual([2, expect.stringContaining('schedule/no-name')]);
});
