import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mountChecks } from '../../src/doctor/doctor-mount.ts';
import { openScene } from '../night.ts';

describe.runIf(process.platform === 'linux')('shares (on Linux)', async () => {
  const scene = await openScene();
  const { paths, settings } = scene.instance();
  const LOCAL = '28 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw';
  /** A line of /proc/self/mountinfo, as the kernel of Debian 12 writes it. */
  const line = (at: string, kind: string, options: string) =>
    `91 28 0:40 / ${at.replaceAll(' ', '\\040')} rw,nosuid,noexec,noatime shared:51 - ${kind} server:/export rw,${options}`;
  const GOOD = 'vers=4.2,rsize=131072,acregmax=30,acdirmax=30,hard,proto=tcp,timeo=600,retrans=2,lookupcache=pos';
  const found = (lines: readonly string[], inbox: object = {}, shared = true) => {
    const ledger = shared ? { postgres: {} } : undefined;
    const own = { ...settings, ledger, inbox: { ...settings.inbox, settle: 40_000, ...inbox } };
    const checks = mountChecks({ paths, settings: own as typeof settings }, [LOCAL, ...lines].join('\n'));
    return checks.filter(({ result }) => result !== 'ok').map(({ what, says }) => `${what}: ${says.slice(0, 12)}`);
  };
  const at = scene.root;

  test.each<[string, string, string, string[]]>([
    ['hard and 4.2', 'nfs4', GOOD, []],
    ['soft', 'nfs4', GOOD.replace('hard', 'soft'), ['soft: when t']],
    ['softerr', 'nfs4', GOOD.replace('hard', 'softerr'), ['softerr: whe']],
    ['4.0', 'nfs4', GOOD.replace('4.2', '4.0'), ['NFS 4.0: a r']],
    ['3', 'nfs', GOOD.replace('4.2', '3'), ['NFS 3: a ren']],
    ['SMB', 'cifs', 'vers=3.1.1,soft,nounix', ['soft: when t', 'SMB does not']],
  ])('%s', (_, kind, options, expected) => {
    expect(found([line(at, kind, options)])).toEqual(expected.map((says) => `mount ${at}: ${says}`));
  });

  test('an inbox of its own on SMB is for one machine; what is mounted last hides the rest', () => {
    expect(found([line(paths.inbox, 'cifs', 'vers=3.1.1')], {}, false)).toEqual([]);
    expect(found([line(paths.inbox, 'cifs', 'vers=3.1.1')])).toEqual([]);
    expect(found([line(at, 'nfs4', GOOD.replace('hard', 'soft')), line(at, 'nfs4', GOOD)])).toEqual([]);
    expect(found([line(`${at}-other`, 'nfs4', 'vers=3,soft')])).toEqual([]);
  });

  test('a settle time that is shorter than a writer over a share may be silent', () => {
    expect(found([line(at, 'nfs4', GOOD)], { settle: 35_000 })).toEqual(['inbox volume: inbox.settle']);
    expect(found([line(at, 'nfs4', GOOD)], { settle: 35_000, marker: '.done' })).toEqual([]);
    expect(found([], { settle: 1 })).toEqual([]);
  });

  test('the clock of the server is that of a new file, which does not stay', () => {
    const checks = mountChecks({ paths, settings }, line(at, 'nfs4', GOOD));
    expect(checks.map(({ what, result }) => `${result} ${what}`)).toContain('ok clock of NFS');
    expect(readdirSync(paths.inbox)).toEqual([]);
  });

  test('the folder goes', async () => await scene[Symbol.asyncDispose]());
});
