/** Files and folders of receipts that go while they are written: the batch is written once more, by the program that may. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeDurable } from '../../../src/files/write-durable.ts';
import { endingTogether } from '../../../src/pipeline/context/end-together.ts';
import type { RunContext } from '../../../src/pipeline/context/run-context.ts';
import { underRole } from '../../../src/pipeline/publishing/overwritten-receipts.ts';
import { run } from '../../../src/runs/run.ts';
import { temporaryFolder } from '../../ledger/folder.ts';
import { openScene, sales } from '../../night.ts';
import { proofOf } from '../../samples/night.ts';

const gone = () => Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });

test('receipts, summaries and correction files of a folder that a person removes are written once more, each the same', async () => {
  await using scene = await openScene();
  scene.drop('ventes-small.csv', sales(['F1', 'F2'], 'many'));
  scene.drop('ventes-large.csv', sales(Array.from({ length: 60 }, (_, n) => `G${n}`)));
  const failed = new Set<string>();
  await scene.desk(async (work) => {
    // After the files of a batch, before they are recorded: each batch the first time.
    const removing =
      <T extends readonly { readonly id: string }[]>(what: string, record: (batch: T) => Promise<void>) =>
      async (batch: T) => {
        const name = [what, ...batch.map(({ id }) => id)].join(' ');
        if (failed.has(name)) return await record(batch);
        failed.add(name);
        const folders = failed.size === 1 ? ['outbox', 'pending', 'error'] : [];
        for (const folder of folders) rmSync(join(scene.root, folder), { recursive: true, force: true });
        throw gone();
      };
    const { ledger } = work;
    await run({
      ...work,
      ledger: {
        ...ledger,
        receipts: {
          ...ledger.receipts,
          recordReceipts: removing('receipts', ledger.receipts.recordReceipts),
          recordSummaries: removing('summaries', ledger.receipts.recordSummaries),
        },
      },
    });
  });
  const kinds = [...failed].map((name) => name.split(' ')[0]);
  expect(kinds).toContain('receipts');
  expect(kinds.filter((kind) => kind === 'summaries').length).toBeGreaterThan(1);
  expect((await proofOf(scene.instance())).found).toEqual([]);
  expect(scene.files('error').filter((path) => path.endsWith('.to-fix.csv'))).toHaveLength(1);
  expect(scene.files('outbox').filter((path) => path.endsWith('.summary.json'))).toHaveLength(1);
});

/** A worker that has its role until `lose` is called. */
function workerOf() {
  const lost = new AbortController();
  const given: object[] = [];
  const roles = {
    lost: lost.signal,
    holds: () => !lost.signal.aborted,
    giveUpWrites: async (batch: object) => void given.push(batch),
  };
  const work = { ledger: { roles }, stop: new AbortController().signal } as unknown as RunContext;
  const lose = () => lost.abort(Object.assign(new Error('lost'), { code: 'ledger/lease-lost' }));
  return { work, lose, given };
}

const BATCH = { entries: ['a'], files: [] };

test('a folder that stays away ends it; without the role nothing is written again', async () => {
  const { work, lose, given } = workerOf();
  let writes = 0;
  const write = async () => {
    writes++;
    await writeDurable(join(temporaryFolder(), 'away', 'a'), 'text');
  };
  await expect(underRole(work, BATCH, write)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(writes).toBe(2);
  lose();
  await expect(underRole(work, BATCH, write)).rejects.toMatchObject({ code: 'ledger/lease-lost' });
  expect(writes).toBe(3);
  expect(given).toEqual([BATCH]);
});

test('a file that the worker which took over removed ends this one as a lost lease, and another error as itself', () => {
  const end = (error: unknown, hasLost: boolean) => {
    const { work, lose } = workerOf();
    // The lease ended without a look at it since.
    const holds = () => {
      if (hasLost) lose();
      return !hasLost;
    };
    const { failed, throwFailure } = endingTogether({
      ...work,
      ledger: { ...work.ledger, roles: { ...work.ledger.roles!, holds } },
    });
    failed(error);
    return throwFailure;
  };
  expect(end(gone(), true)).toThrow(expect.objectContaining({ code: 'ledger/lease-lost' }));
  expect(end(gone(), false)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(end(new Error('ours'), true)).toThrow('ours');
});
