/** What a start loads, what the help lists, and where compiled code is kept. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/command-line.ts';
import { cacheFolder } from '../../src/cli/session/compile-cache-folder.ts';
import { loadedBy } from '../loaded-by.ts';
import { SOURCE } from '../program.ts';

test('the list of commands is the same whether commands are loaded or not', async () => {
  const loaded = await createProgram();
  const listed = await createProgram([]);
  expect(listed.helpInformation()).toBe(loaded.helpInformation());
});

test('a command that is named is loaded whole, among others that are not', async () => {
  const program = await createProgram(['help', 'release']);
  const command = (name: string) => program.commands.find((one) => one.name() === name)!;
  expect(command('release').options.map(({ long }) => long)).toContain('--reason');
  expect(command('run').options.map(({ long }) => long)).toEqual([]);
});

test('version, help and an unknown command load the commands of no stage', async () => {
  for (const words of [['--version'], ['--help'], ['nothing-of-ours']]) {
    const loaded = await loadedBy(SOURCE, words);
    expect(
      loaded.filter((url) =>
        /\/src\/(?!cli\/|text\/printable\.ts|model\/program\.ts|files\/(?:package-folder|read-bounded)\.ts)|\/zod\/|\/undici\//.test(
          url,
        ),
      ),
    ).toEqual([]);
  }
});

describe('the folder for compiled code', () => {
  let home: string;
  beforeEach(() => {
    // Not below the folder for temporary files, where everyone may write.
    home = mkdtempSync(
      join(realpathSync(process.getuid?.() === 0 ? '/root' : (process.env.HOME ?? tmpdir())), '.start-'),
    );
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const made = () => join(home, '.cache', 'nightpost');

  test('is private, below the home of the user', () => {
    expect(cacheFolder({ HOME: home })).toBe(made());
    expect(statSync(made()).mode & 0o777).toBe(0o700);
  });

  test('is that of the service manager first, then that of XDG', () => {
    const [service, xdg] = [join(home, 'service'), join(home, 'xdg')];
    expect(cacheFolder({ HOME: home, XDG_CACHE_HOME: xdg, CACHE_DIRECTORY: `${service}:/other` })).toBe(
      join(service, 'nightpost'),
    );
    expect(cacheFolder({ HOME: home, XDG_CACHE_HOME: xdg, CACHE_DIRECTORY: '' })).toBe(join(xdg, 'nightpost'));
  });

  test('is not taken where others may read or write in it', () => {
    for (const mode of [0o750, 0o702, 0o777]) {
      mkdirSync(made(), { recursive: true, mode: 0o700 });
      chmodSync(made(), mode);
      expect(cacheFolder({ HOME: home })).toBeUndefined();
    }
  });

  test('is not taken where others may put something in its place, at any level', () => {
    mkdirSync(made(), { recursive: true, mode: 0o700 });
    for (const folder of [join(home, '.cache'), home]) {
      for (const mode of [0o770, 0o707, 0o1777]) {
        chmodSync(folder, mode);
        expect(cacheFolder({ HOME: home })).toBeUndefined();
      }
      chmodSync(folder, 0o700);
      expect(cacheFolder({ HOME: home })).toBe(made());
    }
  });

  test('is no link', () => {
    mkdirSync(join(home, 'elsewhere'), { mode: 0o700 });
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    symlinkSync(join(home, 'elsewhere'), made());
    expect(cacheFolder({ HOME: home })).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)('belongs to this user, and so does what is above it (as root alone)', () => {
    mkdirSync(made(), { recursive: true, mode: 0o700 });
    for (const folder of [made(), home]) {
      chownSync(folder, 12345, 12345);
      expect(cacheFolder({ HOME: home })).toBeUndefined();
      chownSync(folder, 0, 0);
    }
    expect(cacheFolder({ HOME: home })).toBe(made());
  });

  test('is none without a home, or where the home is no absolute path or cannot be written', () => {
    expect(cacheFolder({})).toBeUndefined();
    expect(cacheFolder({ HOME: 'relative' })).toBeUndefined();
    expect(cacheFolder({ HOME: '/dev/null' })).toBeUndefined();
  });
});
