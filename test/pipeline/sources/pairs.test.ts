import { utimesSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { incompletePairs } from '../../../src/pipeline/sources/file-pairs.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { type Preview, preview } from '../../../src/views/preview/preview-files.ts';
import type { Night, Scene } from '../../night.ts';
import { openScene, SALES_MAPPING, stopAtWrite } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';
import { PAIR_MAPPING } from './pair-mapping.ts';

const HEADERS = 'Num;Client\nF1;Élan\nF2;Noël\n';
const LINES = 'Num;Lig;Net\nF1;1;10,00\nF2;1;20,00\nF1;2;30,00\n';
const open = () => openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });

const codes = (scene: Scene) =>
  scene.look(async (ledger) =>
    (await ledger.queries.files({}))
      .map((one) => [one.name, one.state, one.faults.map(({ code }) => code).join()])
      .sort(),
  );
const waits = ({ told }: Night) =>
  told.flatMap((one) => (one.what === 'file-waits' ? [`${one.file} for ${one.for}`] : []));

async function previews(scene: Scene, name: string): Promise<readonly Preview[]> {
  const all: Preview[] = [];
  for await (const one of preview(scene.instance(), join(scene.root, 'inbox', name), new Date())) all.push(one);
  return all;
}

async function summaries(scene: Scene) {
  const paths = ['outbox', 'pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => path.endsWith('.summary.json'));
  return Object.fromEntries(
    paths.map((path) => [JSON.parse(scene.read(path)).file.name, JSON.parse(scene.read(path))]),
  );
}

describe('a pair of files', () => {
  it('becomes documents of both, and every row of both files is in one place', async () => {
    await using scene = await open();
    scene.drop('ENT_0905.csv', `${HEADERS}F3;nobody\n`);
    scene.drop('LIG_0905.csv', `${LINES}F9;1;5,00\n`);
    await scene.night();
    const entries = await scene.entries();
    expect(
      entries.map(({ facts, state, file, rows }) => [facts.identifier, state, file.name, rows.join()]).sort(),
    ).toEqual([
      ['F1', 'authorized', 'LIG_0905.csv', '2,4'],
      ['F2', 'authorized', 'LIG_0905.csv', '3'],
      ['F3', 'invalid', 'ENT_0905.csv', '4'],
      ['F9', 'invalid', 'LIG_0905.csv', '5'],
    ]);
    const told = await summaries(scene);
    expect(told['LIG_0905.csv'].rows).toMatchObject({
      read: 4,
      outbox: { count: 3 },
      error: { count: 1 },
      unaccounted: { count: 0 },
      twice: { count: 0 },
    });
    expect(told['ENT_0905.csv'].rows).toMatchObject({
      read: 3,
      error: { count: 1, rows: '4' },
      leftOut: [{ rule: 'joined to its lines in LIG_0905.csv', count: 2, rows: '2-3' }],
      unaccounted: { count: 0 },
      twice: { count: 0 },
    });
    expect(scene.files('archive')).toHaveLength(2);
    const bad = entries.find(({ facts }) => facts.identifier === 'F3')!;
    expect(bad.faults[0]).toMatchObject({
      code: 'join/header-without-lines',
      origin: { file: 'ENT_0905.csv', row: 4 },
    });
  });

  it('waits in the inbox while one half is missing, by the part of the name that * matches', async () => {
    await using scene = await open();
    scene.drop('ENT_0905.csv', HEADERS);
    scene.drop('LIG_0906.csv', LINES);
    expect(incompletePairs(scene.instance())).toHaveLength(2);
    const night = await scene.night();
    expect(waits(night).sort()).toEqual(['ENT_0905.csv for LIG_0905.csv', 'LIG_0906.csv for ENT_0906.csv']);
    expect(scene.files('inbox')).toEqual(['inbox/ENT_0905.csv', 'inbox/LIG_0906.csv']);
    expect(await codes(scene)).toEqual([]);
    scene.drop('lig_0905.CSV', LINES);
    expect(incompletePairs(scene.instance())).toEqual([{ file: 'LIG_0906.csv', for: 'ENT_0906.csv' }]);
    await scene.night();
    expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized', 'authorized']);
    expect(scene.files('inbox')).toEqual(['inbox/LIG_0906.csv']);
  });

  it('is refused half when the time to wait is over', async () => {
    await using scene = await open();
    scene.drop('LIG_0905.csv', LINES);
    // The age of the file's content says nothing: it may have been copied with its old time.
    const path = join(scene.root, 'inbox/LIG_0905.csv');
    utimesSync(path, 0, 0);
    expect(waits(await scene.night())).toEqual(['LIG_0905.csv for ENT_0905.csv']);
    const { ctimeMs } = await lstat(path);
    const at = (ms: number) => ({ clock: { ...systemClock, now: () => new Date(ctimeMs + ms) } });
    await scene.night(at(2 * 3_600_000 - 1000));
    expect(await codes(scene)).toEqual([]);
    await scene.night(at(2 * 3_600_000 + 1000));
    expect(await codes(scene)).toEqual([['LIG_0905.csv', 'refused', 'intake/partner-missing']]);
    expect(scene.sandbox.acceptances()).toEqual([]);
  });

  it('is refused whole where one half cannot be read, with the cause on both', async () => {
    await using scene = await open();
    scene.drop('ENT_1.csv', HEADERS);
    scene.drop('LIG_1.csv', LINES.slice(0, -1));
    scene.drop('ENT_2.csv', 'Num;Client\nF1;"x\n');
    scene.drop('LIG_2.csv', LINES);
    await scene.night();
    expect(await codes(scene)).toEqual([
      ['ENT_1.csv', 'refused', 'csv/no-final-line-end'],
      ['ENT_2.csv', 'refused', 'csv/quote-not-closed'],
      ['LIG_1.csv', 'refused', 'csv/no-final-line-end'],
      ['LIG_2.csv', 'refused', 'csv/quote-not-closed'],
    ]);
    expect(await scene.entries()).toEqual([]);
  });

  it('is held whole by a control total in either file', async () => {
    const controls = '\n  controls: [{ where: { column: 1, equals: FIN }, count-of: documents, value: 2 }]';
    await using scene = await openScene({
      mappings: { 'pairs.yaml': PAIR_MAPPING.replace('\n  numbers:', `${controls}\n  numbers:`) },
    });
    scene.drop('ENT_1.csv', `${HEADERS}FIN;3\n`);
    scene.drop('LIG_1.csv', LINES);
    scene.drop('ENT_2.csv', HEADERS.replaceAll('F', 'G'));
    scene.drop('LIG_2.csv', `${LINES.replaceAll('F', 'G')}FIN;2;\n`);
    await scene.night();
    expect(await codes(scene)).toEqual([
      ['ENT_1.csv', 'refused', 'file/control-total-differs'],
      ['ENT_2.csv', 'admitted', ''],
      ['LIG_1.csv', 'refused', 'file/control-total-differs'],
      ['LIG_2.csv', 'admitted', ''],
    ]);
    const [first] = await scene.look((ledger) =>
      ledger.queries.files({}).then((all) => all.filter(({ name }) => name === 'LIG_1.csv')),
    );
    expect(first?.faults[0]?.origin).toMatchObject({ file: 'ENT_1.csv', row: 4 });
  });

  it('is refused with the half that arrived empty', async () => {
    await using scene = await openScene({
      mappings: { 'pairs.yaml': PAIR_MAPPING },
      settings: { inbox: { settle: '1ms' } },
    });
    scene.drop('ENT_$&.csv', HEADERS);
    scene.drop('LIG_$&.csv', '');
    await scene.night();
    expect(await codes(scene)).toEqual([
      ['ENT_$&.csv', 'refused', 'intake/partner-refused'],
      ['LIG_$&.csv', 'refused', 'inbox/empty-file'],
    ]);
  });

  it('is taken after a refused one of its names in the same run, whatever comes between its halves', async () => {
    await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING, 'sales.yaml': SALES_MAPPING } });
    scene.drop('ENT_VENTES.csv', 'Num;Client\nF1;"x\n');
    scene.drop('LIG_VENTES.csv', 'Num;Lig;Net\nF1;1;10,00\n');
    let refused = 0;
    await scene.night({
      onEvent: ({ what }) => {
        if (what !== 'file-refused' || ++refused !== 2) return;
        scene.drop('ENT_VENTES.csv', 'Num;Client\nF2;Élan\n');
        // More files than are claimed at once.
        for (let n = 0; n < 260; n++) scene.drop(`ventes-${n}.csv`, 'Num;Date;Client;Lig;Qte;PU;Taux\n');
        scene.drop('LIG_VENTES.csv', 'Num;Lig;Net\nF2;1;20,00\n');
      },
    });
    const all = (await codes(scene)).filter(([name]) => name?.endsWith('VENTES.csv'));
    expect(all).toEqual([
      ['ENT_VENTES.csv', 'admitted', ''],
      ['ENT_VENTES.csv', 'refused', 'csv/quote-not-closed'],
      ['LIG_VENTES.csv', 'admitted', ''],
      ['LIG_VENTES.csv', 'refused', 'csv/quote-not-closed'],
    ]);
    expect((await scene.entries()).map(({ facts, state }) => [facts.identifier, state])).toEqual([
      ['F2', 'authorized'],
    ]);
  });

  it('is read again with its own other half, not with one of an earlier pair of the run', async () => {
    await using scene = await open();
    const bad = (number: string) => {
      scene.drop('ENT_VENTES.csv', `Num;Client\n${number};"x\n`);
      scene.drop('LIG_VENTES.csv', `Num;Lig;Net\n${number};1;10,00\n`);
    };
    bad('F1');
    let refused = 0;
    await scene.night({ onEvent: ({ what }) => what === 'file-refused' && ++refused === 2 && bad('F2') });
    const again = await commandIn(scene, 'reprocess', 'ENT_VENTES.csv', '--reason', 'once more', '--json');
    expect(again.err).toBe('');
    const of = await scene.look((ledger) => ledger.queries.files({ limit: 2 }));
    expect(of.map(({ state, sha256 }) => [state, sha256])).toEqual(
      (await scene.look((ledger) => ledger.queries.files({ limit: 4 })))
        .slice(2)
        .map(({ sha256 }) => ['refused', sha256]),
    );
    expect(scene.files('inbox')).toEqual([]);
  });

  it('is a duplicate when both come again, and none when one half is new', async () => {
    await using scene = await open();
    scene.drop('ENT_1.csv', HEADERS);
    scene.drop('LIG_1.csv', LINES);
    await scene.night();
    scene.drop('ENT_2.csv', HEADERS);
    scene.drop('LIG_2.csv', LINES);
    await scene.night();
    scene.drop('ENT_3.csv', HEADERS);
    scene.drop('LIG_3.csv', LINES.replace('10,00', '11,00'));
    await scene.night();
    expect((await codes(scene)).map(([name, state]) => `${name} ${state}`)).toEqual([
      'ENT_1.csv admitted',
      'ENT_2.csv duplicate',
      'ENT_3.csv admitted',
      'LIG_1.csv admitted',
      'LIG_2.csv duplicate',
      'LIG_3.csv admitted',
    ]);
    expect(scene.sandbox.acceptances()).toHaveLength(2);
  });

  it('is previewed from either file, with the file of each cell', async () => {
    await using scene = await open();
    scene.drop('ENT_1.csv', HEADERS);
    scene.drop('LIG_1.csv', LINES);
    for (const name of ['ENT_1.csv', 'LIG_1.csv']) {
      const shown = await previews(scene, name);
      expect(shown.map(({ identifier, valid }) => [identifier, valid])).toEqual([
        ['F1', true],
        ['F2', true],
      ]);
      const from = (at: string) => shown[1]!.fields.find((field) => field.at === at)?.from;
      expect(from('/receiver/name')).toEqual([{ file: 'ENT_1.csv', row: 3, column: 'Client' }]);
      expect(from('/lines/0/net-amount')).toEqual([{ file: 'LIG_1.csv', row: 3, column: 'Net' }]);
    }
  });

  it('is reported as half of a pair by the preview', async () => {
    await using scene = await open();
    scene.drop('LIG_1.csv', LINES);
    const shown = previews(scene, 'LIG_1.csv');
    await expect(shown).rejects.toMatchObject({
      code: 'preview/file-refused',
      faults: [{ code: 'intake/partner-missing' }],
    });
  });
});

test('halves that wait hide no export behind them, however many they are', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING, 'sales.yaml': SALES_MAPPING } });
  // A look ends at 10,000 files that are ready, in the order of the folder.
  for (let n = 0; n < 12_000; n++) {
    scene.drop(`ENT_${n}.csv`, HEADERS);
    if (n % 300 === 0) scene.drop(`ventes-${n}.csv`, 'Num;Date;Client;Lig;Qte;PU;Taux\n');
  }
  await scene.night();
  expect((await codes(scene)).length).toBe(40);
  expect(scene.files('inbox').filter((path) => path.includes('ventes'))).toEqual([]);
  expect(scene.files('inbox').length).toBe(12_000);
}, 60_000);

describe('a header file of 130,000 rows', () => {
  const leavesOut = PAIR_MAPPING.replace('  join:', '  leave-out: [{ column: Num, equals: alt }]\n  join:');

  it('is sent with its lines, and each row that is left out is in its account', async () => {
    await using scene = await openScene({ mappings: { 'pairs.yaml': leavesOut } });
    const old = Array.from({ length: 130_000 }, (_, n) => `alt;Client ${n}\n`);
    scene.drop('ENT_1.csv', `Num;Client\n${old.join('')}F1;Élan\n`);
    scene.drop('LIG_1.csv', 'Num;Lig;Net\nF1;1;10,00\n');
    const { told } = await scene.night();
    expect(told.flatMap((one) => (one.what === 'file-refused' ? one.faults : []))).toEqual([]);
    expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized']);
    const [headers] = (await scene.look(async (ledger) => await ledger.queries.files({}))).filter(
      ({ name }) => name === 'ENT_1.csv',
    );
    expect(headers).toMatchObject({ state: 'admitted', rows: 130_001 });
    expect(headers!.leftOut.length).toBe(130_001);
  });
});

describe('a stop at any write', () => {
  it('loses no row, sends nothing twice and leaves both halves in one place', async () => {
    // All of the taking in, and the first of the sending.
    for (let at = 1; at <= 8; at++) {
      await using scene = await open();
      scene.drop('ENT_1.csv', `${HEADERS}F3;nobody\n`);
      scene.drop('LIG_1.csv', LINES);
      const cut = await scene.night({ through: stopAtWrite(at) }).then(
        () => false,
        () => true,
      );
      if (cut) await scene.night();
      expect(
        (await codes(scene)).map(([name, state]) => `${name} ${state}`),
        `cut at ${at}`,
      ).toEqual(['ENT_1.csv admitted', 'LIG_1.csv admitted']);
      expect(scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1)).toEqual([]);
      expect((await scene.entries()).map(({ facts }) => facts.identifier).sort()).toEqual(['F1', 'F2', 'F3']);
      expect((await proofOf(scene.instance())).found, `cut at ${at}`).toEqual([]);
    }
  });
});
