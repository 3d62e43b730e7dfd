/** The disk of the power loss rig keeps what was flushed and nothing else for certain: by the log of a real process. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Disk, type Left } from './disk.ts';
import { randomFrom } from './random.ts';
import { mayTrace, replay, straceInto } from './strace.ts';

const ROOT = '/instance';

/** Of a thousand losses: in how many a file was there, with which contents. */
function losses(disk: Disk, root = ROOT): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Map<string, Set<string>>();
  for (let seed = 0; seed < 1000; seed++) {
    const { files } = disk.afterPowerLoss(randomFrom(seed));
    const names = [...files].map(([path, { bytes }]): [string, string] => [path.slice(root.length + 1), `${bytes}`]);
    const there = new Map(names);
    for (const path of new Set([...seen.keys(), ...there.keys()])) {
      const contents = seen.get(path) ?? new Set(seed === 0 ? [] : ['(gone)']);
      seen.set(path, contents.add(there.get(path) ?? '(gone)'));
    }
  }
  return seen;
}

function disk(...paths: string[]): Disk {
  const files = paths.map((path): [string, { bytes: Buffer }] => [`${ROOT}/${path}`, { bytes: Buffer.from('old') }]);
  return new Disk(ROOT, { files: new Map(files), folders: [`${ROOT}/in`, `${ROOT}/out`] });
}

test('bytes are certain by a flush of the file, its name by a flush of its folder', () => {
  const one = disk();
  const file = one.create(`${ROOT}/in/a`);
  one.write(file, 0, Buffer.from('new'));
  expect(losses(one).get('in/a')).toEqual(new Set(['(gone)', '', 'new']));
  one.flush(file, 1);
  expect(losses(one).get('in/a')).toEqual(new Set(['(gone)', 'new']));
  one.flushFolder(`${ROOT}/in`, one.namings);
  expect(losses(one).get('in/a')).toEqual(new Set(['new']));
  expect(one.unflushed()).toBe(0);
});

test('a rename is there or not, never half; a flush of one of its folders is enough', () => {
  const one = disk('in/a');
  one.rename(`${ROOT}/in/a`, `${ROOT}/out/b`);
  for (let seed = 0; seed < 100; seed++) expect(one.afterPowerLoss(randomFrom(seed)).files.size).toBe(1);
  expect([...losses(one).keys()].toSorted()).toEqual(['in/a', 'out/b']);
  one.flushFolder(`${ROOT}/out`, 1);
  expect([...losses(one).keys()]).toEqual(['out/b']);
});

test('removed files may come back, and data written after a flush may be missing', () => {
  const one = disk('in/a', 'in/b');
  one.remove(`${ROOT}/in/a`);
  const b = one.node(`${ROOT}/in/b`);
  if (b === undefined || b === 'folder') throw new Error('in/b is a file');
  one.write(b, 3, Buffer.from('er'));
  one.write(b, 5, Buffer.from('!'));
  one.flush(b, 1);
  expect(losses(one)).toEqual(
    new Map([
      ['in/a', new Set(['old', '(gone)'])],
      ['in/b', new Set(['older', 'older!'])],
    ]),
  );
});

test('a folder whose own name is lost takes its files along', () => {
  const one = disk();
  one.makeFolder(`${ROOT}/in/new`);
  const file = one.create(`${ROOT}/in/new/a`);
  one.flush(file, 0);
  one.flushFolder(`${ROOT}/in/new`, one.namings);
  expect(losses(one).get('in/new/a')).toEqual(new Set(['(gone)', '']));
  one.flushFolder(`${ROOT}/in`, one.namings);
  expect(losses(one).get('in/new/a')).toEqual(new Set(['']));
});

const SCRIPT = `
const fs = require('node:fs');
process.chdir('/');
const root = process.argv[1];
const a = fs.openSync(root + '/in/a.tmp', 'wx');
fs.writeSync(a, 'first ');
fs.writeSync(a, 'second');
fs.fsyncSync(a);
fs.closeSync(a);
fs.renameSync(root + '/in/a.tmp', root + '/in/a');
fs.writeFileSync(root + '/in/late', 'late');
const b = fs.openSync(root + '/in/b', 'r+');
fs.writeSync(b, 'XX', 1);
fs.fdatasyncSync(b);
fs.ftruncateSync(b, 2);
fs.mkdirSync(root + '/out/new');
fs.unlinkSync(root + '/in/c');
const folder = fs.openSync(root + '/in', 'r');
fs.fsyncSync(folder);
fs.appendFileSync(root + '/in/b', 'more');
`;

const tracing = test.skipIf(!mayTrace());

tracing('the calls of a real process are read from the log of strace (where strace may trace)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-disk-'));
  const root = join(folder, 'instance');
  for (const name of ['in', 'out']) mkdirSync(join(root, name), { recursive: true });
  const files = ['b', 'c'].map((name) => join(root, 'in', name));
  for (const path of files) writeFileSync(path, 'old');
  const before = files.map((path): [string, { bytes: Buffer }] => [path, { bytes: readFileSync(path) }]);
  const one = new Disk(root, { files: new Map(before), folders: [join(root, 'in'), join(root, 'out')] });
  const log = join(folder, 'log');
  const [strace = '', ...args] = straceInto(log);
  execFileSync(strace, [...args, process.execPath, '-e', SCRIPT, root]);
  replay(readFileSync(log, 'latin1'), root, one);
  rmSync(folder, { recursive: true });

  const found = losses(one, root);
  expect([...found.keys()].toSorted()).toEqual(['in/a', 'in/b', 'in/late']);
  expect(found.get('in/a')).toEqual(new Set(['first second']));
  expect(found.get('in/late')).toEqual(new Set(['', 'late']));
  expect([...found.get('in/b')!].toSorted()).toEqual(['oX', 'oXX', 'oXmore']);
});

const UUID = '01234567-0123-4123-8123-0123456789ab';
const WHOLE = 'the whole export';

type Wrong = (files: ReadonlyMap<string, Left>) => boolean;

const isNowhere: Wrong = (files) => ![...files.values()].some(({ bytes }) => `${bytes}` === WHOLE);

/** In the archive, and once more where the next run puts it back into the inbox: it would be taken a second time. */
const isTwice: Wrong = (files) => {
  const paths = [...files.keys()];
  const isCopy = (path: string) => path.includes('/processing/') && path.includes(`/${UUID}__`);
  const isDropped = (path: string) => path.includes('/inbox/') || path.includes('.taken__');
  return paths.some((path) => path.includes('/archive/')) && paths.some(isDropped) && !paths.some(isCopy);
};

/** What stands there before, what is done, and what may be left of it: the lines of the log at which that is wrong. */
function linesWhere(
  isWrong: Wrong,
  before: ReadonlyMap<string, string>,
  act: (root: string) => string,
): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-disk-'));
  try {
    const root = join(folder, 'instance');
    const folders = [...new Set(['inbox', 'processing', ...[...before.keys()].map(dirname)])].map((name) =>
      join(root, name),
    );
    for (const path of folders) mkdirSync(path, { recursive: true });
    for (const [path, content] of before) writeFileSync(join(root, path), content);
    const files = [...before].map(([path, content]): [string, Left] => [
      join(root, path),
      { bytes: Buffer.from(content) },
    ]);
    const one = new Disk(root, { files: new Map(files), folders });
    const log = join(folder, 'log');
    const [strace = '', ...args] = straceInto(log);
    execFileSync(strace, [...args, process.execPath, '--input-type=module', '-e', act(root)]);
    const wrong: number[] = [];
    let steps = 0;
    const at = (line: number) => {
      if (one.steps === steps) return;
      steps = one.steps;
      for (let seed = 0; seed < 200; seed++) {
        if (isWrong(one.afterPowerLoss(randomFrom(seed)).files)) wrong.push(line);
      }
    };
    replay(readFileSync(log, 'latin1'), root, one, { at, leaving: () => {} });
    expect(steps).toBeGreaterThan(2);
    return [...new Set(wrong)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const nameOf = (file: string) => JSON.stringify(join(import.meta.dirname, '../../src', file));

const DROPPED = new Map([['inbox/ventes.csv', WHOLE]]);

const claiming = (root: string) => `
  import { statSync } from 'node:fs';
  import { claimCandidates } from ${nameOf('inbox/claim-candidates.ts')};
  const { size, mtimeMs } = statSync('${root}/inbox/ventes.csv');
  const found = { folder: '${root}/inbox', name: Buffer.from('ventes.csv'), size, mtimeMs };
  const options = { processing: '${root}/processing', run: '20261121-0130-abcd', uuid: () => '${UUID}', maxBytes: 1000 };
  const [{ what, file }] = await claimCandidates([found], options);
  if (what !== 'claimed') throw new Error(what);`;

tracing('an export that is claimed is whole somewhere at every instant (where strace may trace)', () => {
  expect(linesWhere(isNowhere, DROPPED, claiming)).toEqual([]);
});

const archiving = (root: string) => `${claiming(root)}
  import { archiveSources } from ${nameOf('receipts/archive-source.ts')};
  await archiveSources('${root}', [{ path: file.path, month: '2026-11', sha256: file.sha256, name: file.name }]);`;

tracing(
  'an export that is archived is whole somewhere at every instant, and never taken again (where strace may trace)',
  () => {
    expect(linesWhere(isNowhere, DROPPED, archiving)).toEqual([]);
    expect(linesWhere(isTwice, DROPPED, archiving)).toEqual([]);
  },
);

tracing('an export that goes back into the inbox is whole somewhere at every instant (where strace may trace)', () => {
  const run = 'processing/20261121-0130-abcd';
  const lost = linesWhere(
    isNowhere,
    new Map([
      [`${run}/${UUID}.taken__ventes.csv`, WHOLE],
      // Not complete when the program was stopped.
      [`${run}/${UUID}__ventes.csv`, WHOLE.slice(0, 6)],
    ]),
    (root) => `
      import { recoverClaims } from ${nameOf('inbox/recover-claims.ts')};
      const { putBack } = await recoverClaims('${root}/processing', '${root}/inbox');
      if (putBack.length !== 1) throw new Error('nothing went back');`,
  );
  expect(lost).toEqual([]);
});
