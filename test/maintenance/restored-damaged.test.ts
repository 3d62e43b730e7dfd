/** Receipts and summaries that a disk or a person has damaged end no restore: they are listed, and everything else is learned. */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

type Json = { readonly [key: string]: unknown };

/** What is damaged of the summary of the first export. */
const SUMMARIES: { readonly [what: string]: (summary: Json) => Json } = {
  'no table': ({ table: _, ...rest }) => rest,
  'an empty line in the table': (summary) => ({ ...summary, table: [null] }),
  'a file without a name': (summary) => ({ ...summary, file: { ...(summary.file as Json), name: undefined } }),
  'a time that is none': (summary) => ({ ...summary, file: { ...(summary.file as Json), claimedAt: 'x' } }),
  'more rows than a file can have': (summary) => ({
    ...summary,
    rows: { ...(summary.rows as Json), leftOut: [{ rule: 'totals', rows: '1-999999999999' }] },
  }),
};
const RECEIPTS: { readonly [what: string]: (receipt: Json) => Json } = {
  'a time that is none': (receipt) => ({ ...receipt, since: 'x' }),
  'more rows than a file can have': (receipt) => ({
    ...receipt,
    source: { ...(receipt.source as Json), allRows: '1-999999999999' },
  }),
};

test.each([
  ...Object.entries(SUMMARIES).map(([what, damage]) => ['a summary', '.summary.json', what, damage] as const),
  ...Object.entries(RECEIPTS).map(([what, damage]) => ['a receipt', 'A1.receipt.json', what, damage] as const),
])('%s (%s) with %s is listed', async (_, ending, __, damage) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1', 'A2']));
  await scene.night();
  const path = scene.files('outbox').find((one) => one.endsWith(ending))!;
  writeFileSync(join(scene.root, path), JSON.stringify(damage(JSON.parse(scene.read(path)))));
  rmSync(join(scene.root, 'state'), { recursive: true });
  const rebuilt = await commandIn(scene, 'ledger', 'rebuild');
  expect(rebuilt).toMatchObject({ code: 3, err: '' });
  expect(rebuilt.out).toContain(`cannot be read: ${path}`);
  // What no ledger can learn does not keep this one from its work.
  expect((await commandIn(scene, 'run')).err).toBe('');
  expect((await scene.entries()).map(({ facts }) => facts.identifier)).toEqual(expect.arrayContaining(['A1', 'A2']));
  expect(scene.sandbox.requests().fr.submit).toBe(2);
});

test.each(['rebuild', 'restore'])(
  'a document whose receipt is lost is held, and not sent a second time: %s',
  async (how) => {
    await using scene = await openScene();
    const copy = join(scene.root, 'copy.sqlite');
    await commandIn(scene, 'backup', copy);
    scene.drop('ventes.csv', sales(['A1', 'A2', 'A3-X6']));
    await scene.night();
    await commandIn(scene, 'fix', 'A3-X6', 'Qte=7', '--reason', 'the quantity of the order');
    await scene.night();
    for (const number of ['A1', 'A3-X6']) {
      const path = [...scene.files('outbox'), ...scene.files('error')].find((one) =>
        one.endsWith(`${number}.receipt.json`),
      )!;
      rmSync(join(scene.root, path));
    }
    if (how === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
    const restored = await commandIn(scene, 'ledger', how, ...(how === 'rebuild' ? [] : [copy]));
    expect(restored.code).toBe(0);
    const end = ['ledger', 'end-quarantine', 'compared'];
    expect((await commandIn(scene, ...end)).err).toContain('ledger/unread-exports');
    await scene.night();
    expect((await commandIn(scene, ...end)).code).toBe(0);
    scene.drop('ventes-again.csv', sales(['A1', 'A2', 'A3-X6']).replaceAll('\n', '\r\n'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(4);
    const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`);
    expect(states).toEqual(expect.arrayContaining(['A1 held', 'A2 authorized', 'A3-X6 held']));
  },
);

test('a purged document whose export is gone too is not forgotten: the quarantine goes on until a person decides', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['A1', 'A2', 'A3-X6']));
  await scene.night();
  await commandIn(scene, 'purge', '--subject', 'Client A1', '--reason', 'asked for it');
  await scene.night();
  rmSync(join(scene.root, 'state'), { recursive: true });
  const [path] = scene.files('archive').filter((one) => one.endsWith('ventes.csv'));
  const bytes = scene.read(path!);
  rmSync(join(scene.root, path!));
  const rebuilt = await commandIn(scene, 'ledger', 'rebuild');
  expect(rebuilt.out).toContain('(ventes.csv)');
  const unread = { code: 2, err: expect.stringContaining('ledger/unread-exports') };
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject(unread);
  // The archive has it again, and its document is still unknown.
  scene.drop('ventes.csv', bytes);
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject(unread);
  scene.drop('ventes-old.csv', bytes.replaceAll('\n', '\r\n'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(3);
  expect(tally(await scene.entries())).toMatchObject({ held: 1 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared', '--unread')).toMatchObject({ code: 0 });
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(3);
});

test.each(['rebuild', 'restore'])(
  'an export whose receipts and summary are all lost is read again: %s',
  async (how) => {
    await using scene = await openScene({ settings: { keep: { receipts: '30 d' } } });
    const copy = join(scene.root, 'copy.sqlite');
    await commandIn(scene, 'backup', copy);
    scene.drop('ventes-old.csv', sales(['B1']));
    scene.drop('ventes.csv', sales(['A1', 'A2']));
    await scene.night();
    for (const path of [...scene.files('outbox'), ...scene.files('pending')]) rmSync(join(scene.root, path));
    // A purge has removed what is older.
    const old = scene.files('archive').find((path) => path.endsWith('ventes-old.csv'))!;
    mkdirSync(join(scene.root, 'archive/2020-03'));
    renameSync(join(scene.root, old), join(scene.root, 'archive/2020-03', basename(old)));
    // An ERP may export a file with an old time.
    const path = scene.files('archive').find((one) => one.endsWith('-ventes.csv'))!;
    utimesSync(join(scene.root, path), 0, 0);
    if (how === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
    const restored = await commandIn(scene, 'ledger', how, ...(how === 'rebuild' ? [] : [copy]));
    expect(restored.code).toBe(0);
    expect(restored.out).toContain('(ventes.csv)');
    const end = ['ledger', 'end-quarantine', 'compared'];
    expect((await commandIn(scene, ...end)).err).toContain('ledger/unread-exports');
    await scene.night();
    expect((await commandIn(scene, ...end)).code).toBe(0);
    scene.drop('ventes-again.csv', sales(['A1', 'A2']).replaceAll('\n', '\r\n'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(3);
    expect(tally(await scene.entries())).toEqual({ held: 2, duplicate: 2 });
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  },
);
