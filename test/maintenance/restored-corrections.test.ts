/** A ledger that is restored or rebuilt knows what people have corrected: it proves the contents, and later corrections come on top. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

test.each(['a backup of before', 'a backup from between', 'rebuild'])(
  'corrected documents are proven, and their corrections stay: %s',
  async (from) => {
    await using scene = await openScene();
    const copy = join(scene.root, 'copy.sqlite');
    const isRebuilt = from === 'rebuild';
    if (from.endsWith('before')) await commandIn(scene, 'backup', copy);
    scene.drop('ventes.csv', sales(['L1', 'L2-X6', 'L3-X6']));
    await scene.night();
    if (from.endsWith('between')) await commandIn(scene, 'backup', copy);
    for (const [number, quantity] of [
      ['L2-X6', '7'],
      ['L3-X6', '8'],
      ['L2-X6', '9'],
    ] as const) {
      await commandIn(scene, 'fix', number, `Qte=${quantity}`, '--reason', 'a try');
      await scene.night();
    }
    expect((await commandIn(scene, 'verify')).code).toBe(0);
    if (isRebuilt) rmSync(join(scene.root, 'state'), { recursive: true });
    const back = isRebuilt ? ['rebuild'] : ['restore', copy];
    expect((await commandIn(scene, 'ledger', ...back)).code).toBe(0);
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
    expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
    await scene.night();
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
    const fix = await commandIn(scene, 'fix', 'L2-X6', 'PU=11,50', '--reason', 'another');
    expect(fix.out).toContain('is now "held"');
    await commandIn(scene, 'release', 'L2-X6', '--reason', 'looked at it');
    await scene.night();
    const corrected = (await scene.entries()).find(({ facts }) => facts.identifier === 'L2-X6');
    // Nine at 11.50 in each of two lines.
    expect(corrected?.facts.amount).toBe('248.40');
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
  },
);

const ATTACHING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
);

test.each(['lost', 'of before the night'])(
  'a correction carries the attachment of its export: ledger %s',
  async (ledger) => {
    await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
    const copy = join(scene.root, 'copy.sqlite');
    await commandIn(scene, 'backup', copy);
    scene.drop('annexe.pdf', 'conditions of September');
    scene.drop('ventes.csv', 'Num;Date;Client;Lig;Qte;PU;Taux;Pdf\nF1-X6;05/09/2026;Client;1;2;10,50;20;annexe.pdf\n');
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ rejected: 1 });
    if (ledger === 'lost') rmSync(join(scene.root, 'state'), { recursive: true });
    const back = ledger === 'lost' ? ['rebuild'] : ['restore', copy];
    expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({ code: 0 });
    expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
    scene.drop('annexe.pdf', 'conditions of October');
    expect(await commandIn(scene, 'fix', 'F1-X6', 'Qte=3', '--reason', 'typo', '--by', 'anna')).toMatchObject({
      code: 0,
    });
    const [entry] = await scene.entries();
    const content = await scene.look(async (open) => await open.queries.contentOf(entry!.id));
    expect(content).toContain(Buffer.from('conditions of September').toString('base64'));
    expect(scene.files('inbox')).toEqual(['inbox/annexe.pdf']);
  },
);

test('an export that is read again for a lost receipt carries the attachment that it had', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': ATTACHING } });
  scene.drop('annexe.pdf', 'conditions of September');
  const row = (number: string) => `${number};05/09/2026;Client;1;2;10,50;20;annexe.pdf\n`;
  scene.drop('ventes.csv', `Num;Date;Client;Lig;Qte;PU;Taux;Pdf\n${row('F1-X6')}${row('F2-X6')}`);
  await scene.night();
  rmSync(join(scene.root, 'state'), { recursive: true });
  for (const path of scene.files('error').filter((one) => one.includes('F2-X6'))) rmSync(join(scene.root, path));
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  scene.drop('annexe.pdf', 'conditions of October');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ rejected: 1, held: 1 });
  const held = (await scene.entries()).find(({ state }) => state === 'held');
  const content = await scene.look(async (open) => await open.queries.contentOf(held!.id));
  expect(content).toContain(Buffer.from('conditions of September').toString('base64'));
  expect(scene.files('inbox')).toEqual(['inbox/annexe.pdf']);
});

test('what another ledger made without a correction stays proven after the restore of a backup that has it', async () => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.drop('ventes.csv', sales(['L1', 'L2-X6']));
  await scene.night();
  await commandIn(scene, 'fix', 'L2-X6', 'Qte=7', '--reason', 'a try');
  await scene.night();
  await commandIn(scene, 'backup', copy);
  const written = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  for (const path of written.filter((one) => /L2-X6|summary/.test(one))) rmSync(join(scene.root, path));
  rmSync(join(scene.root, 'state'), { recursive: true });
  for (const back of [['rebuild'], ['restore', copy]]) {
    expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({ code: 0 });
    await scene.night();
    await scene.night();
    expect((await commandIn(scene, 'verify')).out).toContain('no inconsistencies');
  }
  const shown = ['pending', 'error']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => /L2-X6.*receipt/.test(path))
    .map((path) => JSON.parse(scene.read(path)))
    .map(({ corrections, document }) => [document.finalAmount, corrections.length]);
  expect(shown.toSorted()).toEqual([
    ['176.40', 2],
    ['50.40', 0],
  ]);
});
