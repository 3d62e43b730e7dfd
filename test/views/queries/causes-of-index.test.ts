/** Groups of open work from the search index are those that `errors --group` makes of the documents themselves. */
import { expect, test } from 'vitest';
import { isClosed, type LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { WAITING_STATES } from '../../../src/model/state.ts';
import { openSearchIndex } from '../../../src/search/search-index.ts';
import { GROUPINGS, groupDocuments, groupWork } from '../../../src/views/queries/causes.ts';
import { openScene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

test('groups of the index are those of the documents', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  scene.drop('ventes-day.csv', sales(['D1', 'D2', 'D3', 'D4']).replaceAll('05/09', '05/13'));
  scene.drop('ventes-price.csv', sales(['P1', 'P2']).replaceAll('12,60', '12;60').replaceAll('10,50', '1O,50'));
  await scene.night();
  const [aside] = (await scene.entries()).filter(({ state }) => state === 'invalid');
  expect((await commandIn(scene, 'set-aside', aside!.id, '--reason', 'test')).code).toBe(0);
  using index = await openSearchIndex({ folder: scene.root });
  await scene.look(async (ledger) => {
    const entries: LedgerEntry[] = [];
    for await (const one of ledger.queries.find({ states: WAITING_STATES })) if (!isClosed(one)) entries.push(one);
    expect(entries.length).toBeGreaterThan(2);
    for (const by of GROUPINGS) {
      const expected = groupDocuments(entries, by).map(({ first: _, documents, files: __, ...group }) => ({
        ...group,
        ids: documents.map(({ id }) => id).sort(),
      }));
      const groups = groupWork(await index.work({}), by);
      expect(groups.map(({ ids, ...group }) => ({ ...group, ids: ids.toSorted() }))).toEqual(expected);
    }
    const [first] = groupWork(await index.work({ mapping: 'sales' }), 'cause');
    expect(first?.count).toBeGreaterThan(1);
  });
});
