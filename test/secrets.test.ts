/** Secrets: where they may lie, who may read them, and that they show up nowhere, even when everything goes wrong. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openSecrets } from '../src/instance/secrets.ts';
import { openScene, type Scene, sales } from './night.ts';
import { start } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightpost-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const posix = test.skipIf(process.platform === 'win32');

describe('where they lie', () => {
  test('in a variable', async () => {
    const { reveal } = openSecrets(folder, { SECRET: 'hunter2\n', EMPTY: '' });
    expect(await reveal({ env: 'SECRET' })).toBe('hunter2');
    await expect(reveal({ env: 'OTHER' })).rejects.toMatchObject({ code: 'secret/variable-not-set' });
    await expect(reveal({ env: 'EMPTY' })).rejects.toMatchObject({ code: 'secret/empty' });
  });

  posix('in a private file, that of the service manager before ours, read at each use (not on Windows)', async () => {
    const credentials = join(folder, 'credentials');
    mkdirSync(credentials);
    writeFileSync(join(folder, 'key'), 'ours\r\n', { mode: 0o600 });
    const { reveal } = openSecrets(folder, { CREDENTIALS_DIRECTORY: credentials });
    expect(await reveal({ file: 'key' })).toBe('ours');
    writeFileSync(join(credentials, 'key'), 'theirs', { mode: 0o400 });
    expect(await reveal({ file: 'key' })).toBe('theirs');
    rmSync(join(credentials, 'key'));
    writeFileSync(join(folder, 'key'), 'rotated');
    expect(await reveal({ file: 'key' })).toBe('rotated');
    chmodSync(join(folder, 'key'), 0o644);
    await expect(reveal({ file: 'key' })).rejects.toMatchObject({ code: 'secret/readable-by-others' });
    await expect(reveal({ file: 'none' })).rejects.toMatchObject({ code: 'secret/no-such-file' });
  });

  posix('not in a pipe, a folder or an endless file, without waiting or a long read (not on Windows)', async () => {
    const { reveal } = openSecrets(folder, {});
    execFileSync('sh', ['-c', 'mkfifo -m 600 "$0"', join(folder, 'pipe')]);
    mkdirSync(join(folder, 'directory'), { mode: 0o700 });
    writeFileSync(join(folder, 'long'), 'x'.repeat(64 * 1024 + 1), { mode: 0o600 });
    await expect(reveal({ file: 'pipe' })).rejects.toMatchObject({ code: 'secret/not-a-file' });
    await expect(reveal({ file: 'directory' })).rejects.toMatchObject({ code: 'secret/not-a-file' });
    await expect(reveal({ file: 'long' })).rejects.toMatchObject({ code: 'secret/too-large' });
    rmSync(join(folder, 'pipe'));
  });

  test.skipIf(process.getuid?.() !== 0)('a file of another account is seen (as root alone)', async () => {
    writeFileSync(join(folder, 'theirs'), 'their secret', { mode: 0o600 });
    chownSync(join(folder, 'theirs'), 61_002, 61_002);
    writeFileSync(join(folder, 'own'), 'our secret', { mode: 0o600 });
    const found = await openSecrets(folder, {}).inspect({ a: { file: 'theirs' }, b: { file: 'own' } });
    expect(found.map(({ foreign }) => foreign)).toEqual([true, false]);
  });

  test('at the end of a command, whose output is never quoted', async () => {
    const { reveal } = openSecrets(folder, {});
    const say = (code: string) => ({ command: [process.execPath, '-e', code] });
    expect(await reveal(say('console.log("hunter2")'))).toBe('hunter2');
    const failure = await reveal(say('console.log("canary"); process.exit(1)')).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'secret/command-failed' });
    expect(`${String(failure)}${JSON.stringify(failure)}`).not.toContain('canary');
  });

  test('all of them are tried before anything begins', async () => {
    const { tryAll } = openSecrets(folder, { A: 'a' });
    await tryAll({ fr: { secret: { env: 'A' }, list: [{ env: 'A' }] } });
    await expect(tryAll({ fr: { deep: { secret: { env: 'B' } } } })).rejects.toMatchObject({
      code: 'secret/variable-not-set',
    });
  });
});

test('every form of a revealed secret is scrubbed', async () => {
  const secret = 'p&ss "wörd"/+=';
  const { reveal, scrub } = openSecrets(folder, { SECRET: secret });
  const forms = [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...['', ' ', ':', '-'].flatMap((between) => {
      const hex = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join(between);
      return [hex, hex.toUpperCase()];
    }),
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
    [...secret].map((char) => `&#${char.codePointAt(0)};`).join(''),
    [...secret].map((char) => `&#x${char.codePointAt(0)!.toString(16).toUpperCase()};`).join(''),
  ];
  expect(scrub(forms[0]!)).toBe(secret);
  await reveal({ env: 'SECRET' });
  for (const form of forms) expect(scrub(`a ${form} b`)).not.toContain(form);
});

test('a secret in an answer is scrubbed whatever of it is escaped, and nothing else is', async () => {
  const secret = 'Kq7+Zr/9x\tv=tPb2';
  const { reveal, scrubAnswer } = openSecrets(folder, { SECRET: secret });
  await reveal({ env: 'SECRET' });
  const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0');
  const plain = (unit: string) => JSON.stringify(unit).slice(1, -1);
  const written = (unit: string, how: number) =>
    [plain(unit), `\\u${hex(unit)}`, `\\u${hex(unit).toUpperCase()}`, unit === '/' ? '\\/' : plain(unit)][how]!;
  const around = fc.string({
    unit: fc.constantFrom('a', 'é', '"', '\\', '/', '\n', '+', 'Kq7', '\u2028'),
    maxLength: 8,
  });
  const ways = fc.array(fc.nat(3), { minLength: secret.length, maxLength: secret.length });
  fc.assert(
    fc.property(around, around, ways, fc.boolean(), (before, after, how, isQuoted) => {
      const escaped = [...secret].map((unit, index) => written(unit, how[index]!)).join('');
      const message = (said: string) => {
        const inside = `${JSON.stringify(before).slice(1, -1)}${said}${JSON.stringify(after).slice(1, -1)}`;
        return isQuoted ? `{"quoted":${JSON.stringify(`{"message":"${inside}"}`)}}` : `{"message":"${inside}"}`;
      };
      expect(scrubAnswer(message(escaped))).toBe(message('[secret]'));
      expect(scrubAnswer(message('Kq7+'))).toBe(message('Kq7+'));
    }),
  );
});

/** What would betray a canary, in any dress. */
function traces(canary: string): readonly string[] {
  return [canary, Buffer.from(canary).toString('base64').replace(/=+$/, ''), encodeURIComponent(canary)];
}

function everyFile(scene: Scene): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(scene.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}

test('a canary stays unseen: files, ledger, logs, streams and arguments, of good nights and of bad ones', async () => {
  await using scene = await openScene({ settings: { run: { 'give-up-after': '1s' } } });
  const { fr, sv } = scene.sandbox;
  const good = {
    NIGHTPOST_SANDBOX_FR_SECRET: fr.clientSecret,
    NIGHTPOST_SANDBOX_SV_CREDENTIALS: `${sv.user}:${sv.password}`,
  };
  const wrong = { NIGHTPOST_SANDBOX_FR_SECRET: 'canary+f/r&7Z', NIGHTPOST_SANDBOX_SV_CREDENTIALS: 'canary:s/v&7Z' };
  const debug = { NODE_DEBUG: 'undici,http,net,tls', DEBUG: '*' };
  let seen = '';
  const night = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const { child, ended } = start(['-C', scene.root, ...args], { env: { ...env } });
    seen += process.platform === 'linux' ? readFileSync(`/proc/${child.pid}/cmdline`, 'latin1') : '';
    const { code, out, err } = await ended;
    seen += out + err;
    return code;
  };
  scene.drop('ventes.csv', sales(['F1', 'F2-X401', 'F3-XLOST']));
  expect(await night(good, 'run')).toBeOneOf([3, 4]);
  // The identity provider repeats what it was sent, as some do in their messages.
  const repeated = {
    http: 400,
    body: JSON.stringify({ error: 'bad', error_description: 'canary+f/r&7Z canary:s/v&7Z' }),
  };
  scene.sandbox.script([{ match: { act: 'token' }, answer: repeated }]);
  scene.drop('ventes-2.csv', sales(['F4']));
  expect(await night({ ...wrong, ...debug }, 'run')).toBe(4);
  expect(await night(wrong, '--json', 'doctor')).toBe(2);
  expect(await night(wrong, 'check', '--effective')).toBe(0);
  expect(await night(wrong, '--json', 'status')).toBe(0);
  expect(await night(wrong, 'secret', 'list')).toBe(0);
  expect(await night(wrong, '--json', 'secret', 'list')).toBe(0);
  const canaries = [...Object.values(good), ...Object.values(wrong), fr.clientSecret, sv.password].flatMap(traces);
  const found = [...everyFile(scene), { path: 'streams and arguments', text: seen }].flatMap(({ path, text }) =>
    canaries.filter((canary) => text.includes(canary)).map((canary) => `${path}: ${canary}`),
  );
  expect(found).toEqual([]);
  expect(seen).not.toMatch(/Bearer [\w.-]{8}/);
  expect(everyFile(scene).filter(({ text }) => /Bearer [\w.-]{8}/.test(text))).toEqual([]);
});
