/** What `schedule` prints works: systemd takes it and finds it tight, a shell runs it, Windows can take it apart. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, start } from '../program.ts';

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

/** What the services must keep, whatever this machine has to look at them with: key and value as systemd reads them. */
const HARDENED = [
  'UMask=0077',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'PrivateUsers=yes',
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
  const lines = readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8').split('\n');
  expect(HARDENED.filter((line) => !lines.includes(line))).toEqual([]);
  // A later line of the same key would replace it; filters of system calls add up.
  const keys = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.slice(0, line.indexOf('=')));
  const twice = keys.filter((key, n) => keys.indexOf(key) !== n && key !== 'SystemCallFilter');
  expect(twice).toEqual([]);
});

describe.skipIf(!has('systemd-analyze'))('systemd (skipped without its tools)', () => {
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, says: stdout + stderr };
  };

  test.each([
    ['nightpost.service', []],
    ['nightpost-watch.service', ['--watch']],
  ])('%s is taken, names the folder to the letter, and its exposure is at most 2.5', async (name, options) => {
    const out = join(parent, name.replace('.', '-'));
    mkdirSync(out);
    const { code, err } = await schedule('systemd', '--at', '02:30', '--out', out, ...options);
    expect(err).toBe('');
    expect(code).toBe(0);
    const path = join(out, name);
    expect(analyze('verify', path)).toEqual({
      status: 0,
      says: expect.not.stringMatching(/ignoring|invalid|unknown/i),
    });
    expect(analyze('security', '--offline=yes', '--threshold=25', path).status).toBe(0);
    const text = readFileSync(path, 'utf8');
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
    const deploy = join(import.meta.dirname, '../../deploy');
    for (const name of readdirSync(deploy).filter((one) => one.endsWith('.service'))) {
      expect(analyze('security', '--offline=yes', '--threshold=25', join(deploy, name)).status, name).toBe(0);
    }
    const loose = join(parent, 'loose.service');
    writeFileSync(loose, '[Service]\nExecStart=/bin/true\n');
    expect(analyze('security', '--offline=yes', '--threshold=25', loose).status).toBe(1);
  });
});

test.skipIf(process.platform === 'win32')('the line of the crontab runs this instance (not on Windows)', async () => {
  const { out } = await schedule('cron', '--at', '23:05');
  const line = out.split('\n').find((one) => /^\d/.test(one))!;
  const command = /^5 23 \* \* \* (.+)$/.exec(line)![1]!;
  expect(command).not.toMatch(/(^|[^\\])%/);
  // cron takes the backslash away.
  const status = execFileSync('sh', ['-c', command.replaceAll('\\%', '%').replace(/--quiet run$/, '--json status')]);
  expect(JSON.parse(status.toString())).toMatchObject({ inbox: 0 });
});

test('the task of Windows carries program, arguments and folder', async () => {
  const { out } = await schedule('windows', '--at', '03:00');
  const { Task } = new XMLParser({ parseTagValue: false, trimValues: false }).parse(out) as {
    Task: { Triggers: { CalendarTrigger: { StartBoundary: string } }; Actions: { Exec: { [name: string]: string } } };
  };
  expect(Task.Triggers.CalendarTrigger.StartBoundary).toBe('2026-01-01T03:00:00');
  const { Command, Arguments, WorkingDirectory } = Task.Actions.Exec;
  expect(Command).toBe(process.execPath);
  expect(WorkingDirectory).toBe(folder);
  expect(Arguments).toContain(MAIN);
  expect(Arguments).toMatch(/ -C ".*my in%st \\"ance\\" \$HOME 'q' & <x>" --quiet run$/);
});

test('a time that is none, a scheduler nobody knows', async () => {
  expect(await schedule('cron', '--at', '25:00')).toMatchObject({
    code: 2,
    err: expect.stringContaining('schedule/no-time'),
  });
  expect((await schedule('launchd')).code).toBe(2);
});
