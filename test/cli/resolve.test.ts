/** What a person records: allowed by the state alone, kept with name, reason and proof, and never a second send by itself. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { must } from '../../src/model/must.ts';
import { openScene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

test('an unknown outcome is recorded with its proof, and the receipt moves to outbox', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-XLOST']));
  await scene.night();
  writeFileSync(join(scene.root, 'portal.png'), 'a picture');
  const evidence = join(scene.root, 'portal.png');
  const ended = await commandIn(
    scene,
    'resolve',
    'F1-XLOST',
    '--as',
    'authorized',
    '--reason',
    'seen in the portal',
    '--evidence',
    evidence,
  );
  expect(ended).toMatchObject({ code: 0, out: '  F1-XLOST: "to verify" -> "authorized"\n' });
  const [entry] = await scene.entries();
  expect(entry).toMatchObject({
    state: 'authorized',
    evidence: {
      as: 'authorized',
      reason: 'seen in the portal',
      file: 'portal.png',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  });
  const receipts = [...scene.files('outbox'), ...scene.files('error')].filter((path) => path.endsWith('.receipt.json'));
  expect(receipts).toEqual([expect.stringMatching(/^outbox\//)]);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

test.each(['en', 'fr', 'es'] as const)(
  'the command that a receipt advises in %s records the outcome',
  async (language) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1-XLOST']));
    await scene.night();
    const evidence = join(scene.root, 'portal.png');
    writeFileSync(evidence, 'a picture');
    const receipt = must(
      scene.files('error').find((path) => path.endsWith('.receipt.json')),
      'a receipt',
    );
    const [advised = ''] = /nightpost resolve .* TEXT[EO]?/.exec(JSON.parse(scene.read(receipt)).next[language]) ?? [];
    const values: { readonly [word: string]: string } = {
      nightpost: '',
      FILE: evidence,
      FICHIER: evidence,
      ARCHIVO: evidence,
    };
    const words = advised
      .split(' ')
      .map((word) => values[word] ?? word.replace(/^N[UÚ]M.*/, 'F1-XLOST').replace(/^TEXT.?/, 'seen'));
    expect(await commandIn(scene, ...words.filter(Boolean))).toMatchObject({ code: 0 });
    expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  },
);

test('errors advises for an invalidated document what closes it', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X11']));
  await scene.night();
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  expect(out).toContain('nightpost acknowledge F1-X11 --reason "..."');
});

test('a failed document is sent a second time after a decision of a person, with a new request-id', async () => {
  await using scene = await openScene();
  scene.sandbox.script([{ match: { service: 'fr' }, answer: { code: 4 }, times: 1 }]);
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  expect(await commandIn(scene, 'retry', 'F1', '--reason', 'ticket 4711 answered')).toMatchObject({
    code: 0,
  });
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry?.state).toBe('authorized');
  const ids = entry!.attempts.filter(({ act }) => act === 'submit').map(({ requestId }) => requestId);
  expect(new Set(ids).size).toBe(2);
});

test('what the state does not allow is not recorded', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-XLOST', 'F3-X8']));
  await scene.night();
  const before = tally(await scene.entries());
  expect(await commandIn(scene, 'resolve', 'F1', '--as', 'rejected', '--reason', 'x')).toMatchObject({
    code: 3,
    out: expect.stringContaining('not recorded'),
  });
  for (const number of ['F1', 'F2-XLOST', 'F3-X8']) {
    const ended = await commandIn(scene, 'resolve', number, '--as', 'in-doubt', '--reason', 'x');
    expect(ended.code).toBe(2);
  }
  expect(tally(await scene.entries())).toEqual(before);
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(3);
});

test.each([
  [['nobody', '--as', 'authorized', '--reason', 'x'], 'select/no-such-document'],
  [['F1', '--as', 'authorized', '--reason', '  '], 'decide/no-reason'],
  [['F1', '--as', 'authorized', '--reason', 'x', '--evidence', '/nonexistent/proof'], 'decide/no-such-evidence'],
  [['F1', '--as', 'sent', '--reason', 'x'], 'Allowed choices'],
])('resolve %j -> 2', async (args, says) => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  const ended = await commandIn(scene, 'resolve', ...args);
  expect(ended.code).toBe(2);
  expect(ended.err).toContain(says);
});

test('a number that two documents have is not guessed', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['F1'], '3'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, conflict: 1 });
  const ended = await commandIn(scene, 'resolve', 'F1', '--as', 'authorized', '--reason', 'seen');
  expect(ended.code).toBe(2);
  expect(ended.err).toContain('select/several-documents');
});

test('an instance that has worked never gets a new ledger', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']));
  await scene.night();
  rmSync(join(scene.root, 'state'), { recursive: true });
  const ended = await commandIn(scene, 'init', '--ledger');
  expect(ended.code).toBe(2);
  expect(ended.err).toContain('ledger/lost');
  expect(await commandIn(scene, 'run')).toMatchObject({ code: 2 });
});

test('a decision about the ledger needs a reason', async () => {
  await using scene = await openScene();
  expect((await commandIn(scene, 'doctor', '--accept-ledger', '  ')).err).toContain('doctor/no-reason');
});

test('what stopped a service is seen after the run, until it answers again', async () => {
  await using scene = await openScene({ services: { fr: { 'client-id': 'somebody-else' } } });
  scene.drop('ventes.csv', sales(['F1']));
  const { stops } = await scene.night();
  expect(stops).toMatchObject([{ cause: 'credentials' }]);
  expect((await commandIn(scene, 'status')).out).toMatch(/fr: stopped .*\(sign-in refused\)/);
});
