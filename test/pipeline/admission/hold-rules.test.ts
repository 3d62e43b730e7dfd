/** Hold rules: what waits for a person at admission, what the person's decision does, and what is not held again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { State } from '../../../src/model/state.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const settings = (hold: object) => ({ settings: { run: { 'give-up-after': '5s', hold } } });

async function resolve(scene: Scene, number: string, as: State): Promise<void> {
  await scene.look(async (ledger) => {
    for await (const { id } of ledger.queries.find({ ids: [number] })) {
      const evidence = { as, by: 'anna', at: new Date().toISOString(), reason: 'looked at it' };
      expect(await ledger.submissions.resolve(id, evidence)).toBe(true);
    }
  });
}

function remap(scene: Scene, from: string, to: string): void {
  expect(SALES_MAPPING).toContain(from);
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), SALES_MAPPING.replace(from, to));
}

test('all documents are sent without hold rules, and in a first night with the usual ones', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  remap(scene, 'version: 1', 'version: 2');
  scene.drop('ventes-2.csv', sales(['F3']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test('an amount over the limit of its currency is held, exactly, with the reason wherever people look', async () => {
  await using scene = await openScene(settings({ over: { EUR: '50.40', USD: 1 } }));
  // Two lines of 2 x 10.50 and 20 % tax are 50.40; of 3 x 10.50, 75.60.
  scene.drop('ventes.csv', sales(['F1']));
  scene.drop('ventes-big.csv', sales(['F2'], '3'));
  const ended = await commandIn(scene, 'run');
  expect(ended.code).toBe(3);
  const says = 'its amount of 75.60 EUR exceeds the limit of 50.40 EUR';
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 1, held: 1 });
  expect(entries.find(({ state }) => state === 'held')?.hold).toEqual({ rule: 'amount-over', says });
  const [receipt] = scene.files('pending').filter((path) => path.endsWith('F2.receipt.json'));
  expect(JSON.parse(scene.read(receipt!))).toMatchObject({ state: 'held', hold: { rule: 'amount-over', says } });
  expect((await commandIn(scene, 'show', 'F2')).out).toContain(says);
  expect((await commandIn(scene, 'errors', '--cause', 'amount-over')).out).toContain('F2');
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test('a released document is sent once with the next run; the reason stays only in the history', async () => {
  await using scene = await openScene(settings({ over: { EUR: 1 } }));
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(0);
  await resolve(scene, 'F1', 'ready');
  await scene.night();
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry).toMatchObject({ state: 'authorized', evidence: { by: 'anna' } });
  expect(entry?.hold).toBeUndefined();
  expect(scene.sandbox.acceptances()).toHaveLength(1);
});

test('what was released, rejected and comes back with another content is held again', async () => {
  await using scene = await openScene(settings({ over: { EUR: 1 } }));
  scene.sandbox.script([{ match: { service: 'fr' }, answer: { code: 6 }, times: 1 }]);
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  await resolve(scene, 'F1', 'ready');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ rejected: 1 });
  scene.drop('ventes-2.csv', sales(['F1'], '3'));
  await scene.night();
  expect(await scene.entries()).toMatchObject([{ revision: 2, state: 'held' }]);
});

test('a held document is put right by another export under its number; the same one again is a duplicate', async () => {
  await using scene = await openScene(settings({ over: { EUR: '60' } }));
  scene.drop('ventes.csv', sales(['F1'], '30'));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['F1'], '30').replaceAll('\n', '\r\n'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ held: 1, duplicate: 1 });
  scene.drop('ventes-3.csv', sales(['F1'], '2'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, duplicate: 1 });
});

test('a rejected hold is invalid and may be corrected', async () => {
  await using scene = await openScene(settings({ over: { EUR: '60' } }));
  scene.drop('ventes.csv', sales(['F1'], '30'));
  await scene.night();
  await resolve(scene, 'F1', 'invalid');
  await scene.night();
  expect(await scene.entries()).toMatchObject([{ state: 'invalid' }]);
  expect(scene.sandbox.requests().fr.submit).toBe(0);
});

test('files of a new mapping version are held until a person has released a document of it', async () => {
  await using scene = await openScene(settings({ 'new-mapping': true }));
  scene.drop('ventes-1.csv', sales(['F1']));
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ held: 2 });
  expect((await scene.entries())[0]?.hold).toEqual({
    rule: 'new-mapping',
    says: 'no one has released a document of the mapping sales (version 1) as it is now: its file or one of its tables is new or has changed',
  });
  await resolve(scene, 'F1', 'ready');
  scene.drop('ventes-3.csv', sales(['F3']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, held: 1 });
  remap(scene, 'name: $Client', 'name: = UPPER($Client)');
  scene.drop('ventes-4.csv', sales(['F4']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, held: 2 });
});

test('a receiver is known once a document for it was authorized, not while one is held', async () => {
  await using scene = await openScene(settings({ 'unknown-receiver': true }));
  const to = (number: string, name: string) => sales([number]).replaceAll(`Client ${number}`, name);
  scene.drop('ventes-1.csv', to('F1', 'Dupont'));
  scene.drop('ventes-2.csv', to('F2', 'Dupont'));
  await scene.night();
  expect((await scene.entries()).map(({ hold }) => hold?.rule)).toEqual(['unknown-receiver', 'unknown-receiver']);
  await resolve(scene, 'F1', 'ready');
  await scene.night();
  scene.drop('ventes-3.csv', to('F3', 'DUPONT '));
  scene.drop('ventes-4.csv', to('F4', 'Durand'));
  await scene.night();
  const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`);
  expect(states.sort()).toEqual(['F1 authorized', 'F2 held', 'F3 authorized', 'F4 held']);
});

test('a mapping that issues for an issuer which nothing was ever sent for is held, also without any setting', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  remap(scene, "value: '732829320'", "value: '404833048'");
  scene.drop('ventes-2.csv', sales(['F2']));
  await scene.night();
  expect((await scene.entries()).find(({ state }) => state === 'held')?.hold).toEqual({
    rule: 'new-issuer',
    says: 'no document was ever sent for the issuer Exemple SARL (404833048)',
  });
  expect(scene.sandbox.acceptances()).toHaveLength(1);
  await resolve(scene, 'F2', 'ready');
  scene.drop('ventes-3.csv', sales(['F3']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test('two rules that hold one document are reported at once', async () => {
  await using scene = await openScene(settings({ over: { EUR: 1 }, 'unknown-receiver': true }));
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry?.hold).toEqual({
    rule: 'amount-over',
    says: 'its amount of 50.40 EUR exceeds the limit of 1.00 EUR; no document was ever authorized for the receiver Client F1 (client f1)',
  });
});

test('what was released is not held again by its rule when it is read again unchanged; changed, it is', async () => {
  const run = { 'give-up-after': '5s', 'same-cause': 1, hold: { over: { EUR: 1 } } };
  await using scene = await openScene({ settings: { run } });
  scene.sandbox.script([{ match: { service: 'fr' }, answer: { code: 6, message: 'no' }, times: 1 }]);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await scene.night();
  await resolve(scene, 'F1', 'ready');
  await resolve(scene, 'F2', 'ready');
  await scene.night();
  const held = (await scene.entries()).find(({ state }) => state === 'held')!;
  expect(held.hold?.rule).toBe('same-cause');
  const number = held.facts.identifier;
  expect((await commandIn(scene, 'reprocess', number, '--reason', 'mended')).code).toBe(0);
  await scene.night();
  const now = async (name: string) => (await scene.entries()).find(({ facts }) => facts.identifier === name);
  expect(await now(number)).toMatchObject({ state: 'authorized', revision: 2 });
  const other = number === 'F1' ? 'F2' : 'F1';
  expect((await commandIn(scene, 'fix', other, 'Client=Durand', '--reason', 'name')).code).toBe(3);
  expect(await now(other)).toMatchObject({ state: 'held', hold: { rule: 'amount-over' } });
});
