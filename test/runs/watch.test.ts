/** Watching: what arrives goes out, what is stopped waits alone, and what fails ends it instead of hanging. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';
import type { PipelineEvent } from '../../src/pipeline/context/run-context.ts';
import { startReceiptWriter } from '../../src/pipeline/publishing/publish-results.ts';
import { readReadiness } from '../../src/views/metrics/readiness.ts';
import { type NightOptions, openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const QUICK = { inbox: { settle: '1ms', scan: '50ms' }, run: { 'give-up-after': '1s' } };

/** A watch in the background: what it told so far, and how to end it. */
function watching(scene: Scene, options: NightOptions = {}) {
  const stop = new AbortController();
  const told: PipelineEvent[] = [];
  const over = scene.night({
    ...options,
    watch: true,
    stop: stop.signal,
    onEvent: (happening) => told.push(happening),
  });
  // Looked at later; until then a failure must not count as unheard.
  over.catch(() => undefined);
  const until = async (what: PipelineEvent['what'], count = 1) => {
    await expect.poll(() => told.filter((one) => one.what === what).length).toBeGreaterThanOrEqual(count);
  };
  const end = async () => {
    stop.abort();
    await over;
  };
  return { told, over, until, end };
}

test('files that arrive one after the other are sent, and all are archived at the end', async () => {
  await using scene = await openScene({ settings: QUICK });
  const { until, end } = watching(scene);
  scene.drop('ventes-1.csv', sales(['F1']));
  await until('document');
  scene.drop('ventes-2.csv', sales(['F2', 'F3-X6']));
  await until('document', 3);
  await end();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, rejected: 1 });
  expect(scene.files('archive')).toHaveLength(2);
  expect(scene.files('error').filter((path) => path.endsWith('.receipt.json'))).toHaveLength(1);
});

test('a service that is stopped: nothing new is sent, and the end does not wait for its pause', async () => {
  await using scene = await openScene({ settings: QUICK, services: { fr: { concurrency: 1 } } });
  scene.drop('ventes-1.csv', sales(['F1-X403', 'F2']));
  const { until, end, told } = watching(scene);
  await until('service-stopped');
  const receipts = () => scene.files('pending').filter((path) => path.endsWith('F2.receipt.json'));
  await expect.poll(receipts).toHaveLength(1);
  scene.drop('ventes-2.csv', sales(['F3']));
  await until('file-admitted', 2);
  await wait(150);
  await end();
  expect(tally(await scene.entries())).toEqual({ refused: 1, ready: 2 });
  expect(told.filter(({ what }) => what === 'service-stopped')).toHaveLength(1);
});

test('a class without a path waits, the others of its service go on', async () => {
  const report = SALES_MAPPING.replace('mapping: sales', 'mapping: report')
    .replace('ventes*', 'report*')
    .replace('target: fr-invoice', 'target: fr-report')
    .replace('class: invoice', 'class: report')
    .replace(
      /output:[\s\S]*$/,
      "output:\n  document: { identifier: $Num }\n  issuer: { identifier: '732829320', identifier-type: siren }\n",
    );
  await using scene = await openScene({
    settings: QUICK,
    mappings: { 'sales.yaml': SALES_MAPPING, 'report.yaml': report },
    services: { fr: { 'report-path': undefined } },
  });
  const { until, end } = watching(scene);
  scene.drop('report.csv', sales(['R1']));
  await until('service-stopped');
  scene.drop('ventes.csv', sales(['F1']));
  await until('document');
  await end();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, ready: 1 });
});

test('a ledger that can no longer be written ends it', async () => {
  await using scene = await openScene({ settings: QUICK });
  let full = false;
  const { over, until } = watching(scene, {
    through: (driver) => ({
      ...driver,
      write: async (work) => {
        if (full) throw new LedgerUnavailable('ledger/disk-full', undefined);
        return await driver.write(work);
      },
    }),
  });
  scene.drop('ventes-1.csv', sales(['F1']));
  await until('document');
  full = true;
  scene.drop('ventes-2.csv', sales(['F2']));
  await expect(over).rejects.toMatchObject({ code: 'ledger/disk-full' });
});

test('receipts that can no longer be written end it, though a service is being left alone', async () => {
  await using scene = await openScene({ settings: QUICK, services: { fr: { concurrency: 1 } } });
  const { over, until } = watching(scene);
  scene.drop('ventes-1.csv', sales(['F1-X403']));
  await until('service-stopped');
  const folder = join(scene.root, 'error');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'no folder any more');
  scene.drop('ventes-2.csv', sales(['F2']).replaceAll('10,50', '10,5O'));
  await expect(over).rejects.toThrow();
  rmSync(folder);
  mkdirSync(folder);
  await scene.night();
  expect(scene.files('error').filter((path) => path.endsWith('F2.receipt.json'))).toHaveLength(1);
});

test('an act that waits for the writer of receipts waits no longer once that cannot write', async () => {
  await using scene = await openScene({ settings: QUICK });
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const failures: unknown[] = [];
  const acted: string[] = [];
  await scene.desk(async (work) => {
    const receiptsDue = () => {
      asked.resolve();
      return gate.promise;
    };
    const ledger = { ...work.ledger, receipts: { ...work.ledger.receipts, receiptsDue } };
    const writer = startReceiptWriter({ ...work, ledger }, (error) => void failures.push(error));
    writer.wake();
    await asked.promise;
    const act = writer.between(async () => void acted.push('report'));
    gate.reject(new Error('no disk'));
    await act;
    await expect(writer.end()).rejects.toThrow('no disk');
  });
  expect([acted, failures]).toEqual([[], [new Error('no disk')]]);
});

test('an inbox that is away for a moment ends no watch: it reports that once, and takes what lies there afterwards', async () => {
  await using scene = await openScene({ settings: QUICK });
  const { told, until, end } = watching(scene);
  const [inbox, elsewhere] = [join(scene.root, 'inbox'), join(scene.root, 'elsewhere')];
  scene.drop('ventes-1.csv', sales(['F1']));
  await until('document');
  for (const number of ['F2', 'F3']) {
    renameSync(inbox, elsewhere);
    await wait(400);
    writeFileSync(join(elsewhere, `ventes-${number}.csv`), sales([number]));
    renameSync(elsewhere, inbox);
    await until('document', number === 'F2' ? 2 : 3);
  }
  await end();
  const codes = told.flatMap((one) => (one.what === 'inbox-refused' ? [one.fault.code] : []));
  expect(codes).toEqual(['inbox/folder-not-readable', 'inbox/folder-not-readable']);
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test.each([
  ['as it starts', true],
  ['later', false],
])('a file in place of the inbox, %s, ends no watch either', async (_, atStart) => {
  await using scene = await openScene({ settings: QUICK });
  const inbox = join(scene.root, 'inbox');
  const block = () => {
    rmSync(inbox, { recursive: true });
    writeFileSync(inbox, 'no folder');
  };
  if (atStart) block();
  const { told, until, end } = watching(scene);
  if (!atStart) {
    scene.drop('ventes-1.csv', sales(['F1']));
    await until('document');
    block();
  }
  await until('inbox-refused');
  rmSync(inbox);
  mkdirSync(inbox);
  scene.drop('ventes-2.csv', sales(['F2']));
  await until('document', atStart ? 1 : 2);
  await end();
  expect(told).toContainEqual(
    expect.objectContaining({ fault: expect.objectContaining({ code: 'inbox/folder-not-readable' }) }),
  );
});

test.each([
  ['run', 5],
  ['doctor --offline', 2],
  ['status', 0],
])('%s makes no empty inbox in place of one that is away, and ends with %d', async (words, code) => {
  await using scene = await openScene({ settings: QUICK });
  rmSync(join(scene.root, 'inbox'), { recursive: true });
  expect(await commandIn(scene, ...words.split(' '))).toMatchObject({ code });
  expect(existsSync(join(scene.root, 'inbox'))).toBe(false);
  const look = async (ledger: Ledger) => await readReadiness((see) => see({ instance: scene.instance(), ledger }));
  expect((await scene.look(look)).reasons).toEqual(['inbox-away']);
});

test('a mapping edited during a watch is reported once with its faults, and the watch keeps the former one', async () => {
  await using scene = await openScene({ settings: QUICK });
  const { told, until, end } = watching(scene);
  const path = join(scene.root, 'mappings/sales.yaml');
  scene.drop('ventes-1.csv', sales(['F1']));
  await until('document');
  writeFileSync(path, SALES_MAPPING.replace('target: fr-invoice', 'target: fr-invoce'));
  await until('mappings-changed');
  scene.drop('ventes-2.csv', sales(['F2']));
  await until('document', 2);
  writeFileSync(path, SALES_MAPPING);
  await until('mappings-changed', 2);
  await end();
  expect(told.filter(({ what }) => what === 'mappings-changed')).toMatchObject([
    { files: ['mappings/sales.yaml'], faults: [{ code: 'map/no-such-target', mark: { line: 4, column: 9 } }] },
    { files: [], faults: [] },
  ]);
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('a watch whose mappings cannot be read for a while reports it once, and goes on with the former ones', async () => {
  await using scene = await openScene({ settings: QUICK });
  const { told, until, end } = watching(scene);
  const folder = join(scene.root, 'mappings');
  scene.drop('ventes-1.csv', sales(['F1']));
  await until('document');
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  await until('mappings-changed');
  scene.drop('ventes-2.csv', sales(['F2']));
  await until('document', 2);
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  await until('mappings-changed', 2);
  await end();
  expect(told.filter(({ what }) => what === 'mappings-changed')).toMatchObject([
    { files: ['mappings'], faults: [{ code: 'mapping/unreadable' }] },
    { files: [], faults: [] },
  ]);
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});
