/** A stop anywhere while an export with an attachment is taken: the next run leaves inbox and archive as without a stop. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, stopAtWrite, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';
import { PAIR_MAPPING } from './pair-mapping.ts';

const ATTACHMENTS =
  'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:';
const ATTACHING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  ATTACHMENTS,
);
const PAIRED = PAIR_MAPPING.replace('files: "ENT_*.csv"', 'files: "ENT_*.csv", companions: "*.pdf"').replace(
  'totals:',
  ATTACHMENTS,
);
const exportOf = (number: string, pdf: string) =>
  `Num;Date;Client;Lig;Qte;PU;Taux;Pdf\n${number};05/09/2026;Client;1;2;10,50;20;${pdf}\n`;

const places = (scene: Scene) => [...scene.files('inbox'), ...scene.files('processing'), ...scene.files('archive')];

const SOURCES: Readonly<Record<string, { readonly mapping: string; readonly drop: (scene: Scene) => void }>> = {
  'an export': {
    mapping: ATTACHING,
    drop: (scene) => scene.drop('ventes.csv', exportOf('F1', 'annexe.pdf')),
  },
  'a pair': {
    mapping: PAIRED,
    drop: (scene) => {
      scene.drop('ENT_A.csv', 'Num;Client;Pdf\nF1;Alpha;annexe.pdf\n');
      scene.drop('LIG_A.csv', 'Num;Lig;Net\nF1;1;10,00\n');
    },
  },
};

test.each(Object.keys(SOURCES))('%s, stopped at each write', async (name) => {
  const { mapping, drop } = SOURCES[name]!;
  let expected: readonly string[] | undefined;
  for (let at = 0, hasStopped = true; hasStopped; at++) {
    await using scene = await openScene({ mappings: { 'm.yaml': mapping } });
    scene.drop('annexe.pdf', 'PDF of F1');
    drop(scene);
    // The first one is the night without a stop.
    const through = at === 0 ? {} : { through: stopAtWrite(at) };
    hasStopped = await scene.night(through).then(
      () => at === 0,
      () => true,
    );
    if (at > 0) await scene.night();
    expected ??= places(scene);
    expect(places(scene), `stopped at write ${at}`).toEqual(expected);
    // Where the stop cut a submission off, its outcome is for a person.
    const [state, ...more] = Object.entries(tally(await scene.entries()));
    expect(
      [
        ['authorized', 1],
        ['in-doubt', 1],
      ],
      `stopped at write ${at}`,
    ).toContainEqual(state);
    expect(more).toEqual([]);
    expect(scene.sandbox.acceptances().length).toBeLessThanOrEqual(1);
  }
  expect(expected?.filter((path) => path.startsWith('inbox/'))).toEqual([]);
  expect(expected?.filter((path) => path.endsWith('annexe.pdf'))).toHaveLength(1);
});

/** The program ends right after the commit of its export. */
async function stoppedAfterCommit(): Promise<Scene> {
  const scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  await stopAfterCommit(scene);
  return scene;
}

async function stopAfterCommit(scene: Scene): Promise<void> {
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', exportOf('F1', 'annexe.pdf'));
  const onEvent = ({ what }: { readonly what: string }) => {
    if (what === 'file-admitted') throw new Error('stopped');
  };
  await expect(scene.night({ onEvent })).rejects.toThrow('stopped');
  expect(scene.files('inbox')).toEqual(['inbox/annexe.pdf']);
}

test('what a stop left in the inbox does not go out with the next document that names it', async () => {
  await using scene = await stoppedAfterCommit();
  scene.drop('ventes-2.csv', exportOf('F2', 'annexe.pdf'));
  await scene.night();
  expect(scene.files('inbox')).toEqual([]);
  const states = (await scene.entries()).map(({ facts, state, faults }) => [
    facts.identifier,
    state,
    ...faults.map(({ code }) => code),
  ]);
  expect(states.toSorted()).toEqual([
    ['F1', 'authorized'],
    ['F2', 'invalid', 'map/no-companion'],
  ]);
});

test('nor with a correction that names it', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('ventes-0.csv', exportOf('F0', 'gone.pdf'));
  await scene.night();
  await stopAfterCommit(scene);
  const done = await commandIn(scene, 'fix', 'F0', 'Pdf=annexe.pdf', '--reason', 'typo', '--by', 'anna');
  expect(done.out).toContain('map/no-companion');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
});

test('another file that has come into its place since stays, with a warning, and the next document gets it', async () => {
  await using scene = await stoppedAfterCommit();
  scene.drop('annexe.pdf', 'PDF of F2');
  const { told } = await scene.night();
  expect(told.flatMap((one) => (one.what === 'inbox-refused' ? [one.fault.code] : []))).toEqual([
    'intake/companion-stays',
  ]);
  expect(scene.read('inbox/annexe.pdf')).toBe('PDF of F2');
  scene.drop('ventes-2.csv', exportOf('F2', 'annexe.pdf'));
  const again = await scene.night();
  expect(again.told.filter(({ what }) => what === 'inbox-refused')).toEqual([]);
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

const OVERWRITTEN: Readonly<Record<string, (scene: Scene) => void>> = {
  'written over': (scene) => scene.drop('annexe.pdf', 'PDF of F2'),
  removed: (scene) => rmSync(join(scene.root, 'inbox/annexe.pdf')),
};

test.each(Object.keys(OVERWRITTEN))('what is %s after the stop is in the archive as it was sent', async (how) => {
  await using scene = await stoppedAfterCommit();
  OVERWRITTEN[how]!(scene);
  expect((await proofOf(scene.instance())).found.map(({ code }) => code)).toEqual([]);
  await scene.night();
  const kept = scene.files('archive').filter((path) => path.endsWith('annexe.pdf'));
  expect(kept.map((path) => scene.read(path))).toEqual(['PDF of F1']);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a correction that was stopped after its commit moves what it took from the inbox', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('ventes.csv', exportOf('F1', 'annexe.pdf'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1 });
  scene.drop('annexe.pdf', 'PDF of F1');
  const sheet = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  scene.drop('back.csv', scene.read(sheet).replace('Client;1', 'Alpha;1'));
  const onEvent = ({ what }: { readonly what: string }) => {
    if (what === 'file-admitted') throw Object.assign(new Error('stopped'), { errno: -5 });
  };
  await expect(scene.night({ onEvent })).rejects.toThrow('stopped');
  expect(scene.files('inbox')).toEqual(['inbox/annexe.pdf']);
  await scene.night();
  expect(scene.files('inbox')).toEqual([]);
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a stop between the archive and the inbox: the file leaves the inbox, and is archived once', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'PDF of F1');
  scene.drop('ventes.csv', exportOf('F1', 'annexe.pdf'));
  await scene.night();
  const after = places(scene);
  const ledger = new DatabaseSync(`${scene.root}/state/ledger.sqlite`);
  ledger.exec('UPDATE attachment SET due = 1');
  ledger.close();
  scene.drop('annexe.pdf', 'PDF of F1');
  await scene.night();
  expect(places(scene)).toEqual(after);
  expect(await scene.look((books) => books.intake.attachmentsToMove())).toEqual([]);
});

test('an export that comes a second time takes its attachment out of the inbox', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  for (const _ of [1, 2]) {
    scene.drop('annexe.pdf', 'PDF of F1');
    scene.drop('ventes.csv', exportOf('F1', 'annexe.pdf'));
    await scene.night();
  }
  expect(scene.files('inbox')).toEqual([]);
  expect(scene.files('archive').filter((path) => path.endsWith('annexe.pdf'))).toHaveLength(1);
  expect((await scene.look((books) => books.queries.files({}))).map(({ state }) => state).toSorted()).toEqual([
    'admitted',
    'duplicate',
  ]);
});
