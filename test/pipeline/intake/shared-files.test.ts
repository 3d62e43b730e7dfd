import { describe, expect, it } from 'vitest';
import { preview } from '../../../src/views/preview/preview-files.ts';
import { openScene, type Scene, stopAtWrite } from '../../night.ts';
import { proofOf } from '../../samples/night.ts';
import { DAY, DAY_EXPORT, INVOICES } from './shared-mappings.ts';

const open = () => openScene({ mappings: { 'invoices.yaml': INVOICES, 'day.yaml': DAY } });

const files = (scene: Scene) =>
  scene.look(async (ledger) =>
    (await ledger.queries.files({})).map(({ name, state, mapping }) => `${name} ${mapping?.id} ${state}`).sort(),
  );

describe('a file that two mappings share', () => {
  it('becomes the documents of both, and each row is in one place per mapping', async () => {
    await using scene = await open();
    scene.drop('jour05.csv', DAY_EXPORT);
    await scene.night();
    expect(await files(scene)).toEqual(['jour05.csv by-day admitted', 'jour05.csv invoices admitted']);
    expect((await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`).sort()).toEqual([
      'F1 authorized',
      'F2 authorized',
      'JOUR-05 authorized',
    ]);
    const summaries = scene.files('outbox').filter((path) => path.endsWith('.summary.json'));
    const told = Object.fromEntries(
      summaries.map((path) => JSON.parse(scene.read(path))).map((one) => [one.mapping.id, one.rows]),
    );
    expect(told.invoices).toMatchObject({
      read: 3,
      outbox: { count: 3 },
      unaccounted: { count: 0 },
      twice: { count: 0 },
    });
    expect(told['by-day']).toMatchObject({
      read: 3,
      outbox: { count: 2, rows: '2, 4' },
      leftOut: [{ rule: 'keep: $Taux > 0', count: 1, rows: '3' }],
      unaccounted: { count: 0 },
      twice: { count: 0 },
    });
    expect(scene.files('archive')).toHaveLength(1);
    expect((await proofOf(scene.instance())).found).toEqual([]);
  });

  it('is a duplicate as a whole when it comes again', async () => {
    await using scene = await open();
    scene.drop('jour05.csv', DAY_EXPORT);
    await scene.night();
    scene.drop('jour05b.csv', DAY_EXPORT);
    await scene.night();
    expect((await files(scene)).filter((one) => one.startsWith('jour05b'))).toEqual([
      'jour05b.csv undefined duplicate',
    ]);
    expect(scene.sandbox.acceptances()).toHaveLength(3);
  });

  it('shows the documents of both in the preview', async () => {
    await using scene = await open();
    scene.drop('jour05.csv', DAY_EXPORT);
    const shown: string[] = [];
    for await (const one of preview(scene.instance(), `${scene.root}/inbox/jour05.csv`, new Date()))
      shown.push(one.mapping);
    expect(shown.sort()).toEqual(['by-day 1', 'invoices 1', 'invoices 1']);
  });

  it('is refused where one of the mappings does not share', async () => {
    await using scene = await openScene({
      mappings: { 'invoices.yaml': INVOICES, 'day.yaml': DAY.replace('shares: true', 'shares: false') },
    });
    scene.drop('jour05.csv', DAY_EXPORT);
    await scene.night();
    expect(await files(scene)).toEqual(['jour05.csv undefined refused']);
  });

  it('keeps its copy for the mapping that comes after a request to end', async () => {
    await using scene = await open();
    scene.drop('jour05.csv', DAY_EXPORT);
    const ending = new AbortController();
    const onEvent = ({ what }: { readonly what: string }) => what === 'file-admitted' && ending.abort();
    await scene.night({ stop: ending.signal, onEvent });
    expect(await files(scene)).toEqual(['jour05.csv by-day admitted', 'jour05.csv undefined loading']);
    expect(scene.files('archive')).toEqual([]);
    await scene.night();
    expect(await files(scene)).toEqual(['jour05.csv by-day admitted', 'jour05.csv invoices admitted']);
    expect(scene.files('archive')).toHaveLength(1);
  });

  it('goes on after a stop at any write with the mappings that are left', async () => {
    // All of the taking in, and the first of the sending.
    for (let at = 1; at <= 8; at++) {
      await using scene = await open();
      scene.drop('jour05.csv', DAY_EXPORT);
      const cut = await scene.night({ through: stopAtWrite(at) }).then(
        () => false,
        () => true,
      );
      if (cut) await scene.night();
      expect(await files(scene), `cut at ${at}`).toEqual([
        'jour05.csv by-day admitted',
        'jour05.csv invoices admitted',
      ]);
      expect(scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1)).toEqual([]);
      expect(await scene.entries()).toHaveLength(3);
    }
  });
});
