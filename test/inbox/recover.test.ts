import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ClaimStep, claimCandidates } from '../../src/inbox/claim-candidates.ts';
import { recoverClaims } from '../../src/inbox/recover-claims.ts';
import { candidate, claimOptions, drop, filesBelow, folderElsewhere, makeFolders } from './make.ts';

const STEPS: readonly ClaimStep[] = [
  'opened',
  'reserved',
  'marker',
  'taken',
  'copied',
  'named',
  'synced',
  'removed',
  'done',
];

/** The file's content and where it is, wherever that is: in the inbox or as a copy. */
async function whereabouts(inbox: string, copies: readonly { path: string }[]): Promise<string[]> {
  const back = (await filesBelow(inbox)).filter((name) => !name.endsWith('.done')).map((name) => join(inbox, name));
  const paths = [...back, ...copies.map(({ path }) => path)];
  return Promise.all(paths.map((path) => readFile(path, 'utf8')));
}

async function crash(inbox: string, processing: string, moment: ClaimStep, marker: boolean): Promise<void> {
  await drop(inbox, 'ventes.csv', 'a;b\n1;2\n');
  if (marker) await drop(inbox, 'ventes.csv.done', 'ok');
  const one = await candidate(inbox, 'ventes.csv', marker ? 'ventes.csv.done' : undefined);
  const at = (step: ClaimStep) => {
    if (step === moment) throw new Error('power cut');
  };
  await expect(claimCandidates([one], claimOptions(processing, { at }))).rejects.toThrow('power cut');
}

describe.each([false, true])('a stop at every step of a claim (marker: %s)', (marker) => {
  test.each(STEPS)('after "%s" nothing is lost or doubled', async (moment) => {
    const { inbox, processing } = await makeFolders();
    await crash(inbox, processing, moment, marker);
    const { copies, putBack } = await recoverClaims(processing, inbox);
    expect(await whereabouts(inbox, copies)).toEqual(['a;b\n1;2\n']);
    const isCopy = ['named', 'synced', 'removed', 'done'].includes(moment);
    expect(copies.map(({ name, size, run }) => [name, size, run])).toEqual(isCopy ? [['ventes.csv', 8, 'run-1']] : []);
    expect(putBack).toEqual(moment === 'taken' || moment === 'copied' ? ['ventes.csv'] : []);
    expect((await filesBelow(processing)).length).toBe(isCopy ? 1 : 0);
    expect((await filesBelow(inbox)).includes('ventes.csv.done')).toBe(marker && !isCopy);

    const again = await recoverClaims(processing, inbox);
    expect(again).toEqual({ copies, putBack: [] });
  });
});

describe.each(['', '.done', '.csv.ok', '-ok'])(
  'a name that is too long for a claim, with the marker "%s"',
  (suffix) => {
    const NAME = `ventes-${'x'.repeat(200)}-0042.csv`;

    test.each(STEPS)('is the same after a stop at "%s"', async (moment) => {
      const { inbox, processing } = await makeFolders();
      await drop(inbox, NAME, 'a;b\n');
      if (suffix !== '') await drop(inbox, NAME + suffix, 'ok');
      const one = await candidate(inbox, NAME, suffix === '' ? undefined : NAME + suffix);
      const at = (step: ClaimStep) => {
        if (step === moment) throw new Error('power cut');
      };
      await expect(claimCandidates([one], claimOptions(processing, { at }))).rejects.toThrow('power cut');
      const { copies } = await recoverClaims(processing, inbox);
      const back = await filesBelow(inbox);
      const names = copies.map(({ name }) => name);
      expect(copies.length > 0 ? names : back).toEqual(
        [NAME, ...(suffix === '' || copies.length > 0 ? [] : [NAME + suffix])].sort(),
      );
      // What is left beside a copy goes with it.
      for (const { path } of copies) await rm(path);
      await recoverClaims(processing, inbox);
      expect(await filesBelow(processing)).toEqual([]);
    });
  },
);

test.each(['.csv.ok', '-ok'])('the marker %s follows its file to another name', async (suffix) => {
  const { inbox, processing } = await makeFolders();
  await drop(inbox, 'ventes.csv', 'first');
  await drop(inbox, `ventes.csv${suffix}`, 'ok');
  const one = await candidate(inbox, 'ventes.csv', `ventes.csv${suffix}`);
  const at = (step: ClaimStep) => {
    if (step === 'taken') throw new Error('power cut');
  };
  await expect(claimCandidates([one], claimOptions(processing, { at }))).rejects.toThrow('power cut');
  await drop(inbox, 'ventes.csv', 'second');
  await recoverClaims(processing, inbox);
  const [again = '', marker] = await filesBelow(inbox);
  expect(again).toMatch(/^ventes\.again-.{8}\.csv$/);
  expect(marker).toBe(again + suffix);
});

test('a copy that is not the dropped file as it is now is thrown away', async () => {
  const { inbox, processing } = await makeFolders();
  await crash(inbox, processing, 'named', false);
  const taken = (await filesBelow(processing)).find((name) => name.includes('.taken__'))!;
  await drop(processing, taken, 'a;b\n1;2\n3;4\n');
  const { copies, putBack } = await recoverClaims(processing, inbox);
  expect([copies, putBack]).toEqual([[], ['ventes.csv']]);
  expect(await readFile(join(inbox, 'ventes.csv'), 'utf8')).toBe('a;b\n1;2\n3;4\n');
});

test('the current run is left alone, foreign files too', async () => {
  const { inbox, processing } = await makeFolders();
  await crash(inbox, processing, 'copied', false);
  expect(await recoverClaims(processing, inbox, { isInUse: (run) => run === 'run-1' })).toEqual({
    copies: [],
    putBack: [],
  });
  await drop(join(processing, 'run-1'), 'notes.txt', 'mine');
  await recoverClaims(processing, inbox);
  expect(await filesBelow(processing)).toEqual([join('run-1', 'notes.txt')]);
});

test('a copy that an earlier look has found is not read again', async () => {
  const { inbox, processing } = await makeFolders();
  await crash(inbox, processing, 'done', false);
  const [copy] = (await recoverClaims(processing, inbox)).copies;
  const isKnown = (path: string) => path === copy?.path;
  expect(await recoverClaims(processing, inbox, { isKnown })).toEqual({ copies: [], putBack: [] });
});

test('what comes back under a name in use replaces nothing', async () => {
  const { inbox, processing } = await makeFolders();
  await crash(inbox, processing, 'taken', true);
  await drop(inbox, 'ventes.csv', 'second');
  await recoverClaims(processing, inbox);
  const names = await filesBelow(inbox);
  expect(names).toEqual([
    expect.stringMatching(/^ventes\.again-.{8}\.csv$/),
    expect.stringMatching(/^ventes\.again-.{8}\.csv\.done$/),
    'ventes.csv',
  ]);
});

test('an inbox on another volume: the file claimed in place comes back', async (context) => {
  const { processing } = await makeFolders();
  const other = await folderElsewhere(processing);
  if (!other) return context.skip('needs a second volume at /dev/shm or /var/tmp');
  await crash(other, processing, 'taken', false);
  expect((await filesBelow(other))[0]).toMatch(/^\.nightpost-run-1-/);
  expect(await recoverClaims(processing, other)).toEqual({ copies: [], putBack: ['ventes.csv'] });
  expect(await filesBelow(other)).toEqual(['ventes.csv']);
});

test('no processing folder, nothing to do', async () => {
  const { inbox, root } = await makeFolders();
  expect(await recoverClaims(join(root, 'none'), inbox)).toEqual({ copies: [], putBack: [] });
});
