/** Small files taken in together: closed in one commit, and each as if it had come alone. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { candidatesFor, claimPages } from '../../src/line/taking-in/take-in.ts';
import { takeInClaimed } from '../../src/line/taking-in/take-in-pair.ts';
import { takeInTogether } from '../../src/line/taking-in/take-in-together.ts';
import type { Happening, Work } from '../../src/line/work.ts';
import type { SourceFile } from '../../src/model/entry.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';

if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm';

const FILES = 60;

/** One invoice each: some are wrong, have the number or the bytes of the one before, cannot be read, or nobody wants them. */
function dropMany(scene: Scene): readonly string[] {
  const names: string[] = [];
  const drop = (name: string, content: string) => {
    names.push(name);
    scene.drop(name, content);
  };
  for (let n = 0; n < FILES; n++) {
    const name = `ventes-${String(n).padStart(3, '0')}`;
    if (n % 20 === 8) drop(`${name}.csv`, sales([`F${n - 1}`], '3'));
    else if (n % 20 === 9) drop(`${name}.csv`, sales([`F${n}`]).replace(';1;2;', ';1;x;'));
    else if (n % 20 === 11) drop(`${name}.csv`, sales([`F${n - 1}`]));
    else if (n % 20 === 13) drop(`${name}.csv`, 'Num;Date\n"never closed');
    else if (n % 20 === 15) drop(`${name}.txt`, 'nobody wants it');
    else if (n % 20 === 17) drop(`${name}.csv`, sales(Array.from({ length: 60 }, (_, of) => `F${n}-${of}`)));
    else drop(`${name}.csv`, sales([`F${n}`]));
  }
  return names;
}

async function filesOf(ledger: Ledger): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const file of ledger.everyFile()) files.push(file);
  return files;
}

type TakeIn = (work: Work, files: readonly SourceFile[]) => Promise<void>;

const oneByOne: TakeIn = async (work, files) => {
  for (const file of files) await takeInClaimed(work, file);
};

async function takenBy(takeIn: TakeIn) {
  await using scene = await openScene();
  const names = dropMany(scene);
  const told: Happening[] = [];
  let writes = 0;
  await scene.desk(
    async (given) => {
      const work: Work = { ...given, tell: (happening) => void told.push(happening) };
      const paths = names.map((name) => `${scene.root}/inbox/${name}`);
      for await (const page of claimPages(work, await candidatesFor(work, paths))) {
        writes = 0;
        await takeIn(work, page);
      }
    },
    (driver) => ({
      ...driver,
      write: async (work) => {
        writes++;
        return await driver.write(work);
      },
    }),
  );
  const files = await scene.look(filesOf);
  const entries = await scene.entries();
  const codes = (faults: readonly { readonly code: string }[]) => faults.map(({ code }) => code);
  return {
    writes,
    files: files.map(({ name, state, rows, first, faults }) => [name, state, rows, first?.name, codes(faults)]),
    documents: entries.map(({ name, state, file, rows, faults }) => [
      // The id keeps two of one number apart.
      name.replace(/~.*/, ''),
      state,
      file.name,
      rows,
      codes(faults),
    ]),
    states: tally(entries),
    told: told.map((one) => [one.what, 'file' in one ? one.file : '']),
  };
}

test('small files together become what they become one by one, with a few commits', async () => {
  const { writes, ...together } = await takenBy(takeInTogether);
  const { writes: more, ...alone } = await takenBy(oneByOne);
  expect(together).toEqual(alone);
  expect(together.files.map(([, state]) => state)).toEqual(
    expect.arrayContaining(['admitted', 'refused', 'duplicate']),
  );
  expect(Object.keys(together.states)).toEqual(expect.arrayContaining(['ready', 'invalid', 'conflict']));
  expect(more).toBeGreaterThan(2 * FILES);
  expect(writes).toBeLessThan(FILES / 2);
});

test('asked to end between two groups: what is not closed stays as it was claimed, and the next run takes it', async () => {
  await using scene = await openScene();
  const names = dropMany(scene);
  const stop = new AbortController();
  const { told } = await scene.night({
    stop: stop.signal,
    tell: ({ what }) => {
      if (what === 'file-admitted') stop.abort();
    },
  });
  const closed = told.filter(({ what }) => ['file-admitted', 'file-refused', 'file-duplicate'].includes(what)).length;
  expect(closed).toBeLessThan(names.length);
  const loading = await scene.look((ledger) => ledger.loadingFiles());
  expect(loading.length).toBe(names.length - closed);
  await scene.night();
  const files = await scene.look(filesOf);
  expect(files.filter(({ state }) => state === 'loading')).toEqual([]);
  expect(files).toHaveLength(names.length);
});
