/** What two exports name, what is replaced while it is read, and what came a second time: nothing is missed or lost. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type NightOptions, openScene, SALES_MAPPING, type Scene, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const ATTACHING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
);
const exportOf = (number: string, pdf = 'annexe.pdf') =>
  `Num;Date;Client;Lig;Qte;PU;Taux;Pdf\n${number};05/09/2026;Client;1;2;10,50;20;${pdf}\n`;
const WHY = ['--reason', 'from the ERP', '--by', 'anna'];
const open = (mapping = ATTACHING) => openScene({ mappings: { 'sales.yaml': mapping } });
const archived = (scene: Scene) => scene.files('archive').filter((path) => path.endsWith('-annexe.pdf'));
const warnings = (told: Awaited<ReturnType<Scene['night']>>['told']) =>
  told.flatMap((one) => (one.what === 'inbox-refused' ? [one.fault.code] : []));

test('an attachment that two exports of one night name goes out with both', async () => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'conditions');
  for (const n of ['1', '2', '3']) scene.drop(`ventes-${n}.csv`, exportOf(`F${n}`));
  const { told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
  expect(warnings(told)).toEqual([]);
  expect(scene.files('inbox')).toEqual([]);
  expect(archived(scene)).toHaveLength(1);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

const STOPS: Readonly<Record<string, (stop: AbortController) => void>> = {
  'a stop': (stop) => stop.abort(),
  'a crash': () => {
    throw new Error('power cut');
  },
};

test.each(Object.keys(STOPS))('exports that were taken together share it after %s between them', async (way) => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'conditions');
  for (const n of ['1', '2', '3']) scene.drop(`ventes-${n}.csv`, exportOf(`F${n}`));
  const stop = new AbortController();
  const onEvent: NightOptions['onEvent'] = ({ what }) => {
    if (what === 'file-admitted') STOPS[way]!(stop);
  };
  await scene.night({ stop: stop.signal, onEvent }).catch(() => {});
  expect(tally(await scene.entries())).toEqual({ ready: 1 });
  // It does not go out with the export of another night that names it.
  scene.drop('ventes-9.csv', exportOf('F9'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3, invalid: 1 });
  expect(scene.files('inbox')).toEqual([]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('an export that comes again does not take the attachment from a new one of the night', async () => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'conditions');
  scene.drop('ventes-1.csv', exportOf('F1'));
  await scene.night();
  scene.drop('annexe.pdf', 'conditions');
  scene.drop('ventes-1.csv', exportOf('F1'));
  scene.drop('ventes-2.csv', exportOf('F2'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
  expect(scene.files('inbox')).toEqual([]);
});

test('the next export does not get what the one before has taken', async () => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'conditions');
  scene.drop('ventes-1.csv', exportOf('F1'));
  const { told } = await scene.night({
    onEvent: (one) => {
      if (one.what === 'file-admitted' && one.file === 'ventes-1.csv') scene.drop('ventes-2.csv', exportOf('F2'));
    },
  });
  expect(told.filter(({ what }) => what === 'file-admitted')).toHaveLength(2);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
});

test('two exports of one night, each with its own file of the name', async () => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'of F1');
  scene.drop('ventes-1.csv', exportOf('F1'));
  scene.drop('ventes-2.csv', exportOf('F2'));
  let admitted = 0;
  const { told } = await scene.night({
    onEvent: ({ what }) => {
      if (what === 'file-admitted' && ++admitted === 1) scene.drop('annexe.pdf', 'of F2');
    },
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
  expect(
    archived(scene)
      .map((path) => scene.read(path))
      .toSorted(),
  ).toEqual(['of F1', 'of F2']);
  // The file that was replaced is in the archive, and the one in its place went with its own document.
  expect(warnings(told)).toEqual([]);
  expect(scene.files('inbox')).toEqual([]);
});

const REPLACED: Readonly<Record<string, (scene: Scene) => void>> = {
  'is replaced': (scene) => scene.drop('annexe.pdf', 'of another'),
  'is gone': (scene) => rmSync(join(scene.root, 'inbox/annexe.pdf')),
};

test.each(Object.keys(REPLACED))('what %s after the commit is archived as it was sent', async (way) => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'of F1');
  scene.drop('ventes.csv', exportOf('F1-X6'));
  await scene.night({
    onEvent: ({ what }) => {
      if (what === 'file-admitted') REPLACED[way]!(scene);
    },
  });
  expect(tally(await scene.entries())).toEqual({ rejected: 1 });
  expect(archived(scene).map((path) => scene.read(path))).toEqual(['of F1']);
  expect(await commandIn(scene, 'fix', 'F1-X6', 'Num=F1', ...WHY)).toMatchObject({ err: '', code: 0 });
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
});

/** Does something once, within the transaction that stages the first document. */
const whenStaged = (act: () => void): NonNullable<NightOptions['through']> => {
  let isDone = false;
  return (driver) => ({
    ...driver,
    write: (work) =>
      driver.write((sql) =>
        work({
          ...sql,
          run: (text, ...values) => {
            if (!isDone && text.startsWith('INSERT INTO staged')) {
              isDone = true;
              act();
            }
            return sql.run(text, ...values);
          },
        }),
      ),
  });
};

test('an export is read again if its attachment is replaced before the commit', async () => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'page 1');
  scene.drop('ventes.csv', exportOf('F1'));
  await scene.night({ through: whenStaged(() => scene.drop('annexe.pdf', 'page 1 page 2')) });
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(archived(scene).map((path) => scene.read(path))).toEqual(['page 1 page 2']);
  expect(scene.files('inbox')).toEqual([]);
  expect(scene.files('processing')).toEqual([]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('an export is read again if its attachment cannot be opened any more before the commit', async () => {
  await using scene = await open();
  scene.drop('annexe.pdf', 'page 1');
  scene.drop('ventes.csv', exportOf('F1'));
  const path = join(scene.root, 'inbox/annexe.pdf');
  const server = createServer();
  const replace = () => {
    rmSync(path);
    server.listen(path);
  };
  await scene.night({ through: whenStaged(replace) });
  server.close();
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
  expect(archived(scene)).toEqual([]);
});

test('a correction is read again if the attachment that it brings is replaced before the commit', async () => {
  await using scene = await open();
  scene.drop('ventes.csv', exportOf('F1'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
  scene.drop('annexe.pdf', 'page 1');
  const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  scene.drop('back.csv', scene.read(sheet).replace('Client;1', 'Alpha;1'));
  await scene.night({ through: whenStaged(() => scene.drop('annexe.pdf', 'page 1 page 2')) });
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect(archived(scene).map((path) => scene.read(path))).toEqual(['page 1 page 2']);
  expect(scene.files('inbox')).toEqual([]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a file of several mappings that comes again takes its attachment out of the inbox', async () => {
  const sharing = ATTACHING.replace('companions: "*.pdf" }', 'companions: "*.pdf", columns: [Num], shares: true }');
  const other = sharing.replace('mapping: sales', 'mapping: other').replace('$Num, date', `'= "O" & $Num', date`);
  await using scene = await openScene({ mappings: { 'sales.yaml': sharing, 'other.yaml': other } });
  for (const _ of [1, 2]) {
    scene.drop('annexe.pdf', 'conditions');
    scene.drop('ventes.csv', exportOf('F1'));
    await scene.night();
  }
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
  expect(scene.files('inbox')).toEqual([]);
});
