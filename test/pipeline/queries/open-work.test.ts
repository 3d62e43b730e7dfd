/** Groups of open work from the search index are those that `errors --group` makes of the documents themselves. */
import { expect, test } from 'vitest';
import { openSearchIndex } from '../../../src/ledger/search/search-index.ts';
import { isClosed, type LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { WAITING_STATES } from '../../../src/model/state.ts';
import { GROUPINGS, groupDocuments } from '../../../src/pipeline/queries/causes.ts';
import { openWorkGroups, openWorkPage } from '../../../src/pipeline/queries/open-work.ts';
import { openScene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

test('groups and pages of the index are those of the documents', async () => {
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
    for await (const one of ledger.find({ states: WAITING_STATES })) if (!isClosed(one)) entries.push(one);
    expect(entries.length).toBeGreaterThan(2);
    for (const by of GROUPINGS) {
      const expected = groupDocuments(entries, by).map(({ first: _, documents, files: __, ...group }) => ({
        ...group,
        ids: documents.map(({ id }) => id).sort(),
      }));
      const groups = await openWorkGroups({ index, ledger }, by);
      expect(groups.map(({ first: _, ids, ...group }) => ({ ...group, ids: ids.toSorted() }))).toEqual(expected);
      expect(groups.map(({ first, ids }) => first.id === ids[0])).toEqual(groups.map(() => true));
    }
    const [first] = await openWorkGroups({ index, ledger }, 'cause', { mapping: 'sales' });
    expect(first!.count).toBeGreaterThan(1);
    const page = await openWorkPage({ index, ledger }, {}, { limit: 2 });
    const rest = await openWorkPage({ index, ledger }, {}, { limit: 100, after: page.next! });
    expect([...page.documents, ...rest.documents].map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id));
    expect(rest.next).toBeNull();
  });
});
