/** Units for two machines and the service of Windows: systemd takes them, and they fit the units and the program that they belong to. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { scheduleFiles } from '../../src/reference/schedule-texts.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(join(REPOSITORY, 'deploy', name), 'utf8');

test('the mount waits for its server, and shows files of the other machine before the inbox takes them', () => {
  const mount = read('systemd/srv-nightpost.mount');
  const options = /^Options=(.*)$/m.exec(mount)![1]!.split(',');
  expect(options).toEqual(
    expect.arrayContaining(['vers=4.2', 'hard', 'lookupcache=positive', 'nodev', 'nosuid', 'noexec']),
  );
  expect(options.filter((option) => /^(?:soft|softerr|async|nolock|local_lock=.*)$/.test(option))).toEqual([]);
  const where = /^Where=(.*)$/m.exec(mount)![1]!;
  expect(read('systemd/two-machines.conf')).toContain(`\nRequiresMountsFor=${where}\n`);
  for (const unit of ['nightpost-watch.service', 'nightpost-serve.service'])
    expect(read(unit)).toContain(`\nReadWritePaths=${where}\n`);
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd takes the units with what two machines add (skipped without its tools)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightpost-units-'));
    try {
      const units = ['nightpost-watch.service', 'nightpost-serve.service'].map((name) => {
        const unit = join(folder, name);
        writeFileSync(
          unit,
          read(name)
            .replace('/usr/bin/nightpost', '/bin/true')
            .replace(/^User=.*\n/m, ''),
        );
        mkdirSync(`${unit}.d`);
        copyFileSync(join(REPOSITORY, 'deploy/systemd/two-machines.conf'), join(`${unit}.d`, 'two-machines.conf'));
        return unit;
      });
      for (const name of ['systemd/srv-nightpost.mount', 'nightpost-failure@.service'])
        copyFileSync(join(REPOSITORY, 'deploy', name), join(folder, name.replace('systemd/', '')));
      const verify = () => {
        const { status, stdout, stderr } = spawnSync(
          'systemd-analyze',
          ['verify', ...units, join(folder, 'srv-nightpost.mount')],
          { encoding: 'utf8' },
        );
        return { status, says: (stdout + stderr).split('\n').filter((line) => line.includes(folder)) };
      };
      expect(verify()).toEqual({ status: 0, says: [] });
      writeFileSync(join(`${units[0]}.d`, 'wrong.conf'), '[Unit]\nRequiresMountFor=/srv/nightpost\n');
      expect(verify().says).toEqual([expect.stringContaining('RequiresMountFor')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** The published schema of tasks (MS-TSCH 2.5): elements by their parent, for those that Nightpost uses. */
const TASK: { readonly [element: string]: readonly string[] } = {
  Task: ['RegistrationInfo', 'Triggers', 'Principals', 'Settings', 'Actions'],
  RegistrationInfo: ['Description'],
  Triggers: ['CalendarTrigger', 'BootTrigger'],
  CalendarTrigger: ['StartBoundary', 'Enabled', 'ScheduleByDay', 'ScheduleByWeek'],
  BootTrigger: ['Enabled'],
  ScheduleByDay: ['DaysInterval'],
  ScheduleByWeek: ['WeeksInterval', 'DaysOfWeek'],
  DaysOfWeek: ['Sunday'],
  Principals: ['Principal'],
  Principal: ['LogonType', 'RunLevel'],
  Settings: [
    ...['MultipleInstancesPolicy', 'DisallowStartIfOnBatteries', 'StopIfGoingOnBatteries', 'StartWhenAvailable'],
    ...['RunOnlyIfNetworkAvailable', 'RestartOnFailure', 'ExecutionTimeLimit'],
  ],
  RestartOnFailure: ['Interval', 'Count'],
  Actions: ['Exec'],
  Exec: ['Command', 'Arguments', 'WorkingDirectory'],
};

function* unknownIn(name: string, value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [child, inner] of Object.entries(value)) {
    if (!TASK[name]?.includes(child)) yield `${name}/${child}`;
    yield* unknownIn(child, inner);
  }
}

test('each task of Windows has elements of the published schema alone, within its bounds', () => {
  const facts = { name: 'nightpost', user: 'nightpost', at: '01:15', mailTo: 'root', stopSeconds: 150, serve: true };
  const program = { folder: '/srv/nightpost', start: ['node', 'main.js'] };
  const tasks = [true, false].flatMap((watch) => scheduleFiles('windows', { ...facts, ...program, watch }));
  expect(tasks).toHaveLength(9);
  for (const { name, text } of tasks) {
    expect(XMLValidator.validate(text), name).toBe(true);
    const parser = new XMLParser({ ignoreAttributes: true, ignoreDeclaration: true });
    const { Task } = parser.parse(text) as { Task: { Settings: { RestartOnFailure?: { Count: number } } } };
    expect([...unknownIn('Task', Task)], name).toEqual([]);
    expect(Task.Settings.RestartOnFailure?.Count ?? 1).toBeLessThanOrEqual(255);
  }
  expect([...unknownIn('Task', { Settings: { Enable: true } })]).toEqual(['Settings/Enable']);
});

/** The elements of the documentation of WinSW (docs/xml-config-file.md) that it uses. */
const WINSW = [
  ...[
    'id',
    'name',
    'description',
    'executable',
    'arguments',
    'workingdirectory',
    'startmode',
    'depend',
    'serviceaccount',
  ],
  ...['stoptimeout', 'onfailure', 'resetfailure', 'logpath', 'log'],
];

test('the service of Windows starts the program with its options, as an account of its own, and keeps no password', () => {
  const text = read('nightpost-service.xml');
  expect(XMLValidator.validate(text)).toBe(true);
  const { service } = new XMLParser({ ignoreAttributes: false }).parse(text) as {
    service: { [element: string]: unknown };
  };
  expect(Object.keys(service)).toEqual(WINSW);
  const [start = ''] = readFileSync(join(REPOSITORY, 'src/cli/main.ts'), 'utf8').split('\n');
  const options = start.split(' ').filter((word) => word.startsWith('--'));
  expect(service.arguments).toBe(
    `${options.join(' ')} "C:\\nightpost-program\\node_modules\\nightpost\\dist\\cli\\main.js" -C "C:\\nightpost" watch`,
  );
  expect(service.serviceaccount).toEqual({ username: '.\\nightpost', prompt: 'console', allowservicelogon: true });
  expect(service).toMatchObject({
    stoptimeout: '150 sec',
    onfailure: { '@_action': 'restart' },
    log: { '@_mode': 'roll-by-size' },
  });
});
