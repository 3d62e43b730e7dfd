/** The morning report of a run that a signal ends, of a killed one, and after a purge of a counterparty by the command. */
import { expect, test } from 'vitest';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

/** A run of one request at a time, of far more documents than it sends; the signal comes after one more request. */
async function cutBy(scene: Scene, signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT') {
  const before = scene.sandbox.requests().fr.submit;
  const { child, ended } = startIn(scene, 'run');
  await expect.poll(() => scene.sandbox.requests().fr.submit, { timeout: 60_000 }).toBeGreaterThan(before);
  child.kill(signal);
  return (await ended).code;
}

const newest = async (scene: Scene) => JSON.parse((await commandIn(scene, 'report', '--json')).out) as NightReport;

test.skipIf(process.platform === 'win32')(
  'a killed run is in the report of the next; a stopped one has its own with its exit code (not on Windows)',
  async () => {
    await using scene = await openScene({ sandbox: { latencyMs: 250 }, services: { fr: { concurrency: 1 } } });
    scene.drop('ventes-1.csv', sales(Array.from({ length: 40 }, (_, n) => `F${n}`)));
    expect(await cutBy(scene, 'SIGKILL')).toBe('SIGKILL');
    expect((await commandIn(scene, 'report')).code).toBe(2);
    const [killed] = await scene.look((ledger) => ledger.runs.list(1));

    expect(await cutBy(scene, 'SIGTERM')).toBe(143);
    const stopped = await newest(scene);
    expect(stopped).toMatchObject({ exit: 143, outcome: 'stopped', previous: null, files: [{ file: 'ventes-1.csv' }] });
    expect([stopped.untoldSince, stopped.since]).toEqual([killed?.startedAt, killed?.startedAt]);
    // The request of the killed run may have arrived or not: it is in doubt, or was answered by a consultation.
    expect(stopped.balance.documents).toMatchObject({ read: 40, difference: 0 });
    expect(stopped.balance.documents.waiting).toBeGreaterThan(0);
    expect(stopped.verdict.sentence.en).toContain('stopped');
    expect(await cutBy(scene, 'SIGINT')).toBe(130);
    expect(await newest(scene)).toMatchObject({ exit: 130, outcome: 'stopped', previous: { id: expect.any(String) } });
    expect((await commandIn(scene, 'verify')).code).toBe(0);
  },
);

test('purge --subject removes a report with the name, keeps the others, and report says who did it', async () => {
  await using scene = await openScene();
  const name = 'Zoroastre Quetzal';
  scene.drop('ventes-1.csv', sales(['F1']));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const other = await newest(scene);
  scene.drop(`ventes-${name}.csv`, sales(['F2']).replaceAll('Client F2', name));
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const { run } = await newest(scene);
  const withName = () =>
    scene.files('reports').filter((path) => /report\.(html|json)$/.test(path) && scene.read(path).includes(name));
  expect(withName().length).toBe(2);
  const purged = await commandIn(scene, 'purge', '--subject', name, '--reason', 'request of a person', '--by', 'anna');
  expect(purged).toMatchObject({ code: 0, err: '' });
  expect(withName()).toEqual([]);
  const gone = await commandIn(scene, 'report', run);
  expect(gone).toMatchObject({ code: 2, err: expect.stringContaining('report/purged') });
  expect(gone.err).toContain('anna');
  expect(JSON.parse((await commandIn(scene, 'report', other.run, '--json')).out)).toMatchObject({ run: other.run });
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});
