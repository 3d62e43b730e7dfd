/** Single bits of the ledger that have changed on the disk: no document goes out a second time, and none with other content. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const ledger = (scene: Scene) => join(scene.root, 'state/ledger.sqlite');

/** Where a text stands in a file. */
function placesOf(text: string, bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

function flip(scene: Scene, places: readonly number[]): void {
  const bytes = readFileSync(ledger(scene));
  for (const at of places) bytes[at]! ^= 1;
  writeFileSync(ledger(scene), bytes);
}

const submitted = (scene: Scene) => scene.sandbox.requests().fr.submit;

/** One document went out; its export comes again under other bytes. */
async function sentOnce() {
  const scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1234567']));
  await scene.night();
  expect(submitted(scene)).toBe(1);
  using db = new DatabaseSync(ledger(scene), { readOnly: true });
  const keys = db
    .prepare('SELECT key FROM identity')
    .all()
    .map(({ key }) => String(key));
  return { scene, key: keys.find((one) => one.includes('F1234567'))! };
}

test('nothing is sent when one bit of an identity is flipped anywhere, and the way back is named', async () => {
  const { scene, key } = await sentOnce();
  await using _scene = scene;
  const whole = readFileSync(ledger(scene));
  const places = placesOf(key, whole).map((at) => at + key.indexOf('F1234567') + 3);
  expect(places.length).toBeGreaterThanOrEqual(3);
  const folders = ['inbox', 'outbox', 'pending', 'error', 'archive'];
  const before = new Set(folders.flatMap((folder) => scene.files(folder)));
  let noticed = 0;
  for (const some of [places, ...places.map((at) => [at])]) {
    flip(scene, some);
    scene.drop('ventes-2.csv', `${sales(['F1234567'])}${'\n'.repeat(noticed + 1)}`);
    const { code, err } = await commandIn(scene, 'run');
    if (code === 2) {
      expect(err).toMatch(/ledger\/damaged[\s\S]*nightpost ledger restore/);
      noticed++;
      expect((await commandIn(scene, 'doctor', '--offline', '--deep')).code).toBe(2);
    }
    expect(submitted(scene)).toBe(1);
    writeFileSync(ledger(scene), whole);
    // What the run has seen is more than the ledger that is put back for the next try.
    for (const path of folders.flatMap((folder) => scene.files(folder))) {
      if (!before.has(path)) rmSync(join(scene.root, path), { force: true });
    }
    const witness = `"generation":"${'0'.repeat(16)}"`;
    for (const path of ['state/installation.json', 'archive/.ledger-witness.json']) {
      const text = scene.read(path).replace(/"generation":"\d+"/, witness);
      writeFileSync(join(scene.root, path), text);
    }
  }
  // The row, its index, and both at once; other places hold no identity that is looked up.
  expect(noticed).toBeGreaterThanOrEqual(3);
});

test('a queued document whose content has a flipped bit is not sent', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  const bytes = readFileSync(ledger(scene));
  flip(
    scene,
    placesOf('"10.5', bytes)
      .map((at) => at + 1)
      .concat(placesOf(':10.5', bytes).map((at) => at + 1)),
  );
  expect(readFileSync(ledger(scene)).equals(bytes)).toBe(false);
  expect(await commandIn(scene, 'run')).toMatchObject({ code: 2, err: expect.stringContaining('ledger/damaged') });
  expect(submitted(scene)).toBe(0);
});

test('a queued document whose identity is missing is not sent', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  {
    using db = new DatabaseSync(ledger(scene));
    db.exec('DELETE FROM identity');
  }
  expect(await commandIn(scene, 'run')).toMatchObject({ code: 2, err: expect.stringContaining('ledger/damaged') });
  expect(submitted(scene)).toBe(0);
});

test('the next document is not sent when its identity changes after the ledger was opened', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['F1'], '3'));
  const change = () => {
    using db = new DatabaseSync(ledger(scene));
    // It is found as before, and leads to another document that may be corrected.
    const set = `UPDATE identity SET entry = (SELECT id FROM entry WHERE identifier = 'F2') WHERE key LIKE '%|F1|%'`;
    expect(db.prepare(set).run().changes).toBe(1);
    db.exec(`UPDATE entry SET state = 'rejected' WHERE identifier = 'F2'`);
  };
  const night = scene.night({ onEvent: ({ what }) => what === 'file-claimed' && change() });
  await expect(night).rejects.toMatchObject({ code: 'ledger/damaged' });
  expect(submitted(scene)).toBe(2);
});
