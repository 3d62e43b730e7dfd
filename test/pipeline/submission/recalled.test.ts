/** A service reports that it has a document, after a person has recorded the opposite and a correction took its place. */
import { expect, test } from 'vitest';
import { openScene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const NUMBER = 'F1-XLOSTONCE';

test('an outcome that is recorded then is about what was sent; the correction is a conflict, and verify agrees', async () => {
  await using scene = await openScene({ settings: { run: { hold: { over: { EUR: 100 } } } } });
  scene.drop('ventes.csv', sales([NUMBER]));
  await scene.night();
  const [sent] = await scene.entries();
  expect(sent).toMatchObject({ state: 'in-doubt', revision: 1 });
  const { begun, now } = await scene.desk(async ({ ledger, clock }) => {
    const { id, revision, kind, service, class: of, facts } = sent!;
    const mapping = { id: 'sales', version: '1', sha256: '' };
    const due = { id, revision, kind, service, class: of, identifier: facts.identifier, mapping, tries: 0 };
    const at = clock.now().toISOString();
    return { begun: (await ledger.submissions.beginConsult(due, { at, requestId: 'late', run: 'late' }))!, now: at };
  });
  const reason = ['--reason', 'the customer says so'];
  expect((await commandIn(scene, 'resolve', NUMBER, '--as', 'rejected', ...reason)).code).toBe(0);
  scene.drop('ventes-corrected.csv', sales([NUMBER], '20'));
  await scene.night();
  expect((await scene.entries()).map(({ state, revision }) => [state, revision])).toEqual([['held', 2]]);
  await scene.desk(async ({ ledger }) => {
    const document = { identifier: NUMBER };
    const body = JSON.stringify({ result: { status: { code: 2, name: 'Authorized' }, content: { document } } });
    const exchange = { sent: true, status: 200, headers: {}, body } as const;
    const destination = scene.instance().destinations.find(({ name }) => name === 'fr')!;
    const ours = {
      class: begun.due.class,
      identifier: NUMBER,
      requestId: 'late',
      now: new Date(now),
      random: () => 0.5,
    };
    const verdict = destination.judgeConsultation(exchange, { ...ours, tokenRenewed: false, tries: 0 }, 'in-doubt');
    expect(verdict).toMatchObject({ state: 'authorized', answer: { code: 2 } });
    expect(await ledger.submissions.finishConsult(begun, { exchange, ms: 1 }, verdict, now)).toBe('holds');
  });
  await scene.night();
  expect((await commandIn(scene, 'resolve', NUMBER, '--as', 'authorized', ...reason)).code).toBe(0);
  await scene.night();
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 1, conflict: 1 });
  const [recorded, correction] = entries;
  expect(recorded).toMatchObject({ id: sent!.id, contentSha256: sent!.contentSha256, file: { id: sent!.file.id } });
  expect(correction).toMatchObject({
    state: 'conflict',
    first: { id: sent!.id },
    file: { name: 'ventes-corrected.csv' },
  });
  const receipts = scene.files('outbox').filter((path) => path.endsWith('.receipt.json'));
  expect(receipts.map((path) => JSON.parse(scene.read(path)).source)).toMatchObject([{ file: 'ventes.csv' }]);
  const summaries = ['outbox', 'error', 'pending']
    .flatMap((folder) => scene.files(folder))
    .filter((path) => path.endsWith('.summary.json'));
  expect(summaries.map((path) => JSON.parse(scene.read(path)).documents)).toMatchObject([
    { read: 1, outbox: 1, corrected: 0 },
    { read: 1, error: 1, corrected: 0 },
  ]);
  const { code, out, err } = await commandIn(scene, 'verify');
  expect([code, out + err]).toEqual([0, expect.any(String)]);
  expect(scene.sandbox.acceptances()).toHaveLength(1);
  // The corrected export comes again.
  scene.drop('ventes-again.csv', sales([NUMBER], '20'));
  await scene.night();
  expect(scene.sandbox.acceptances()).toHaveLength(1);
});
