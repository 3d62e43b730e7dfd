/** `secret`: what it writes, what it refuses, and that a value is nowhere but in its file. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { command, MAIN } from '../program.ts';
import { HAS_TERMINAL, onTerminal } from '../terminal.ts';

const CANARY = 'canary+f/r&7Z';
const posix = test.skipIf(process.platform === 'win32');

async function instance(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-secret-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  expect((await command(['init', root])).code).toBe(0);
  return root;
}

/** The program with `typed` on its standard input. */
async function given(typed: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--disable-proto=throw', MAIN, ...args]);
  const chunks: Record<'out' | 'err', string> = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (chunks.out += String(chunk)));
  child.stderr.on('data', (chunk) => (chunks.err += String(chunk)));
  child.stdin.on('error', () => undefined).end(typed);
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, ...chunks };
}

/** Every file of the instance that contains the canary. */
function filesWith(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'latin1').includes(CANARY));
}

test('a secret from standard input is in its file alone, without the line end, and replaces the one before', async () => {
  const root = await instance();
  const file = join(root, 'secrets/fr-client-secret');
  writeFileSync(file, 'the one before', { mode: 0o600 });
  const { code, out, err } = await given(`${CANARY}\n`, '-C', root, '--json', 'secret', 'set', 'fr-client-secret');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    file: 'secrets/fr-client-secret',
    path: file,
    settings: ['services.fr.client-secret'],
    trimmed: true,
  });
  expect(err).toContain('line end');
  expect(out + err).not.toContain(CANARY);
  expect(readFileSync(file, 'utf8')).toBe(CANARY);
  expect(filesWith(root)).toEqual([file]);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(root, 'secrets'))).toEqual(['fr-client-secret']);
  const listed = await command(['-C', root, '--json', 'secret', 'list']);
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.out)).toEqual({
    secrets: [
      { setting: 'services.fr.client-secret', reference: { file: 'secrets/fr-client-secret' }, readable: true },
    ],
  });
  expect((await command(['-C', root, 'secret', 'list'])).out).not.toContain(CANARY);
});

test.each([
  ['nothing', '', 'fr-client-secret', 'secret/empty'],
  ['blanks and a line end', ' \n', 'fr-client-secret', 'secret/empty'],
  ['two lines', `${CANARY}\nsecond line`, 'fr-client-secret', 'secret/unusable'],
  ['a zero byte', `${CANARY}\u0000`, 'fr-client-secret', 'secret/unusable'],
  ['a name that no setting has', CANARY, '../fr-client-secret', 'secret/not-in-settings'],
  ['a whole file', CANARY.repeat(6000), 'fr-client-secret', 'secret/too-large'],
])('%s in place of a secret: refused, and nothing is written', async (_, typed, name, code) => {
  const root = await instance();
  const ended = await given(typed, '-C', root, 'secret', 'set', name);
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(code) });
  expect(ended.out + ended.err).not.toContain(CANARY);
  expect(readdirSync(join(root, 'secrets'))).toEqual([]);
});

test('without a name, the files of the settings are listed', async () => {
  const root = await instance();
  const { code, err } = await command(['-C', root, 'secret', 'set']);
  expect([code, err]).toEqual([2, expect.stringContaining('secrets/fr-client-secret')]);
});

posix('a folder that every user may read or write gets no secret (not on Windows)', async () => {
  const root = await instance();
  for (const mode of [0o755, 0o702, 0o704]) {
    chmodSync(join(root, 'secrets'), mode);
    const ended = await given(CANARY, '-C', root, 'secret', 'set', 'fr-client-secret');
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('secret/folder-open') });
  }
  expect(filesWith(root)).toEqual([]);
});

posix('a link is followed, and its target keeps its folder (not on Windows)', async () => {
  const root = await instance();
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  writeFileSync(join(elsewhere, 'real'), 'the one before', { mode: 0o600 });
  symlinkSync('../elsewhere/real', join(root, 'secrets/fr-client-secret'));
  expect(await given(CANARY, '-C', root, 'secret', 'set', 'fr-client-secret')).toMatchObject({ code: 0 });
  expect(filesWith(root)).toEqual([join(elsewhere, 'real')]);
});

test.skipIf(process.geteuid?.() !== 0)(
  'what root writes belongs to the owner of the folder (as root alone)',
  async () => {
    const root = await instance();
    chownSync(join(root, 'secrets'), 1234, 1235);
    expect(await given(CANARY, '-C', root, 'secret', 'set', 'fr-client-secret')).toMatchObject({ code: 0 });
    expect(statSync(join(root, 'secrets/fr-client-secret'))).toMatchObject({ uid: 1234, gid: 1235, mode: 0o100600 });
  },
);

const SET = ['secret', 'set', 'fr-client-secret'];

test.skipIf(!HAS_TERMINAL)(
  'on a terminal the secret is asked for, and never shown (skipped without script)',
  async () => {
    const root = await instance();
    const question = 'services.fr.client-secret (not shown):';
    const typed = `wrong\u0015${CANARY}x\u007f\r`;
    const { code, screen } = await onTerminal(['-C', root, ...SET], [{ sees: question, types: typed }]);
    expect(code).toBe(0);
    expect(screen).not.toContain('canary');
    expect(screen).not.toContain('wrong');
    expect(filesWith(root)).toEqual([join(root, 'secrets/fr-client-secret')]);
  },
);

test.skipIf(!HAS_TERMINAL)(
  'Ctrl+C at the question writes nothing and ends with 130 (skipped without script)',
  async () => {
    const root = await instance();
    const { code } = await onTerminal(['-C', root, ...SET], [{ sees: 'not shown', types: `${CANARY}\u0003` }]);
    expect(code).toBe(130);
    expect(existsSync(join(root, 'secrets/fr-client-secret'))).toBe(false);
  },
);
