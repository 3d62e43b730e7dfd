/** Small files taken in together: closed in one commit, and each as if it had come alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import type { SourceFile } from '../../../src/model/ledger-entry.ts';
import type { PipelineEvent, RunContext } from '../../../src/pipeline/context/run-context.ts';
import { candidatesFor, claimPages } from '../../../src/pipeline/intake/claim-inbox-files.ts';
import { ingestClaimed } from '../../../src/pipeline/intake/ingest-file.ts';
import { ingestSmallFiles } from '../../../src/pipeline/intake/ingest-small-files.ts';
import { openScene, SALES_MAPPING, type Scene, type SceneOptions, sales, tally } from '../../night.ts';
import { runs } from '../../seed.ts';

const FILES = 60;

/** One invoice each: some are wrong, have the number or the bytes of the one before, cannot be read, or no one wants them. */
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
    else if (n % 20 === 15) drop(`${name}.txt`, 'no one wants it');
    else if (n % 20 === 17) drop(`${name}.csv`, sales(Array.from({ length: 60 }, (_, of) => `F${n}-${of}`)));
    else drop(`${name}.csv`, sales([`F${n}`]));
  }
  return names;
}

async function filesOf(ledger: Ledger): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const file of ledger.queries.allFiles()) files.push(file);
  return files;
}

type TakeIn = (work: RunContext, files: readonly SourceFile[]) => Promise<void>;

const oneByOne: TakeIn = async (work, files) => {
  for (const file of files) await ingestClaimed(work, file);
};

async function takenBy(takeIn: TakeIn, drop = dropMany, options: SceneOptions = {}) {
  await using scene = await openScene(options);
  const names = drop(scene);
  const told: PipelineEvent[] = [];
  let writes = 0;
  await scene.desk(
    async (given) => {
      const work: RunContext = { ...given, emit: (happening) => void told.push(happening) };
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
    documents: entries.map(({ name, state, hold, file, rows, faults }) => [
      // The id keeps two of one number apart.
      name.replace(/~.*/, ''),
      hold?.rule ?? state,
      file.name,
      rows,
      codes(faults),
    ]),
    states: tally(entries),
    told: told.map((one) => [one.what, 'file' in one ? one.file : '']),
  };
}

test('small files together become what they become one by one, with a few commits', async () => {
  const { writes, ...together } = await takenBy(ingestSmallFiles);
  const { writes: more, ...alone } = await takenBy(oneByOne);
  expect(together).toEqual(alone);
  expect(together.files.map(([, state]) => state)).toEqual(
    expect.arrayContaining(['admitted', 'refused', 'duplicate']),
  );
  expect(Object.keys(together.states)).toEqual(expect.arrayContaining(['ready', 'invalid', 'conflict']));
  expect(more).toBeGreaterThan(2 * FILES);
  expect(writes).toBeLessThan(FILES / 2);
});

const ISSUERS = ['732829320', '552100554', '404833048'];

/** One line for each document: issuer, number, quantity. */
type Small = readonly { readonly issuer: string; readonly number: string; readonly quantity: string }[];

/** Files of several issuers: the first one of a first night goes out, the others wait for a person. */
async function statesBy(takeIn: TakeIn, files: readonly Small[], hold: object) {
  const drop = (scene: Scene) =>
    files.map((documents, n) => {
      const lines = documents.map(
        ({ issuer, number, quantity }) => `${issuer};${number};05/09/2026;Client;1;${quantity};10,50;20`,
      );
      const name = `ventes-${String(n).padStart(3, '0')}.csv`;
      // No two files have the same bytes.
      scene.drop(name, `${['Soc;Num;Date;Client;Lig;Qte;PU;Taux', ...lines].join('\n')}\n${'\n'.repeat(n)}`);
      return name;
    });
  const mapping = SALES_MAPPING.replace("value: '732829320'", 'value: $Soc').replace('[Num]', '[Soc, Num]');
  const { documents } = await takenBy(takeIn, drop, {
    mappings: { 'sales.yaml': mapping },
    settings: { run: { 'give-up-after': '5s', hold } },
  });
  return documents.map(([name, state, file]) => [file, name, state]);
}

test('of two new issuers in a first night the second is held, also where their files are closed together', async () => {
  const files = ISSUERS.map((issuer, n) => [{ issuer, number: `F${n}`, quantity: '2' }]);
  const states = await statesBy(ingestSmallFiles, files, {});
  expect(states.map(([, , state]) => state)).toEqual(['ready', 'new-issuer', 'new-issuer']);
  expect(await statesBy(oneByOne, files, {})).toEqual(states);
});

const document = fc.record({
  issuer: fc.constantFrom(...ISSUERS),
  number: fc.constantFrom('F1', 'F2', 'F3', 'f1'),
  quantity: fc.constantFrom('2', '2', '3', '9', 'x'),
});
const manyFiles = fc.array(fc.array(document, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 12 });
const rules = fc.record({ 'new-issuer': fc.boolean(), over: fc.constantFrom({}, { EUR: 100 }) });

test('any list of small files becomes together what it becomes one by one, with each rule that holds', async () => {
  const seen = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(manyFiles, rules, async (files, hold) => {
      const together = await statesBy(ingestSmallFiles, files, hold);
      expect(together).toEqual(await statesBy(oneByOne, files, hold));
      for (const [, , state] of together) seen.add(state);
    }),
    { numRuns: runs(12) },
  );
  expect([...seen]).toEqual(expect.arrayContaining(['ready', 'new-issuer', 'amount-over', 'conflict', 'invalid']));
});

test('asked to end between two groups: what is not closed stays as it was claimed, and the next run takes it', async () => {
  await using scene = await openScene();
  const names = dropMany(scene);
  const stop = new AbortController();
  const { told } = await scene.night({
    stop: stop.signal,
    onEvent: ({ what }) => {
      if (what === 'file-admitted') stop.abort();
    },
  });
  const closed = told.filter(({ what }) => ['file-admitted', 'file-refused', 'file-duplicate'].includes(what)).length;
  expect(closed).toBeLessThan(names.length);
  const loading = await scene.look((ledger) => ledger.intake.loadingFiles());
  expect(loading.length).toBe(names.length - closed);
  await scene.night();
  const files = await scene.look(filesOf);
  expect(files.filter(({ state }) => state === 'loading')).toEqual([]);
  expect(files).toHaveLength(names.length);
});
