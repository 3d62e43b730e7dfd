/** Copies into the inbox: whole or not there, also when the program is killed during the copy, and never over another file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { copyInto } from '../../../src/pipeline/sources/copy-into-inbox.ts';
import { removeLeftoverTempFiles } from '../../../src/receipts/remove-temporary-files.ts';

const MODULE = join(import.meta.dirname, '../../../src/pipeline/sources/copy-into-inbox.ts');
const BYTES = 256 * 1024 ** 2;

function folders() {
  const root = mkdtempSync(join(tmpdir(), 'nightpost-copy-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'inbox'));
  return { root, inbox: join(root, 'inbox'), place: join(root, 'inbox/ventes.csv'), export: join(root, 'ventes.csv') };
}

test('killed during the copy: nothing has the name of the export, and the next copy is whole', async () => {
  const at = folders();
  writeFileSync(at.export, 'Numero;Date\n');
  truncateSync(at.export, BYTES);
  const code = `import { copyInto } from ${JSON.stringify(MODULE)}; await copyInto(...process.argv.slice(1));`;
  const killed = async () => {
    for (const name of readdirSync(at.inbox)) rmSync(join(at.inbox, name));
    const args = ['--input-type=module', '-e', code, at.export, at.place];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const gone = once(child, 'exit');
    while (readdirSync(at.inbox).length === 0 && child.exitCode === null) await turn();
    child.kill('SIGKILL');
    await gone;
    return readdirSync(at.inbox);
  };
  let left = await killed();
  // On a busy machine a copy may be whole before it is killed.
  for (let n = 0; n < 20 && left.includes('ventes.csv'); n++) left = await killed();
  expect(left).toEqual([expect.stringMatching(/^\./)]);
  expect(statSync(join(at.inbox, left[0]!)).size).toBeLessThanOrEqual(BYTES);
  expect(await removeLeftoverTempFiles(at.root, Date.now() + 1)).toEqual([join(at.inbox, left[0]!)]);
  writeFileSync(join(at.inbox, left[0]!), 'of another stop');
  await copyInto(at.export, at.place);
  expect(readdirSync(at.inbox)).toEqual(['ventes.csv']);
  expect(statSync(at.place).size).toBe(BYTES);
});

test('another file of that name stays, and nothing else is left', async () => {
  const at = folders();
  writeFileSync(at.export, 'mine', { mode: 0o400 });
  writeFileSync(at.place, 'theirs');
  const taken = join(at.inbox, 'ventes-1.csv');
  writeFileSync(taken, 'theirs as well');
  await expect(copyInto(at.export, taken)).rejects.toThrow(
    expect.objectContaining({ code: 'inbox/name-taken', message: expect.stringContaining('ventes-1.csv') }),
  );
  rmSync(taken);
  await expect(copyInto(at.export, at.place)).rejects.toThrow(expect.objectContaining({ code: 'inbox/name-taken' }));
  expect(readdirSync(at.inbox)).toEqual(['ventes.csv']);
  expect(readFileSync(at.place, 'utf8')).toBe('theirs');
  await copyInto(at.export, join(at.inbox, 'other.csv'));
  expect(statSync(join(at.inbox, 'other.csv')).mode & 0o777).toBe(0o600);
  await expect(copyInto(join(tmpdir(), 'none.csv'), at.place)).rejects.toThrow(
    expect.objectContaining({ code: 'inbox/no-such-file' }),
  );
});
