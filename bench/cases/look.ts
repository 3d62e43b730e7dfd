/**
 * Looks into a large ledger: a document by each of its values, pages of the list, the counts of `status`; and next to
 * each other the same answer of a bare prepared SELECT. The ledger is written by SQL, as after a year of nights: taking
 * in and sending so many documents would take hours and is measured elsewhere.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { initLedger, openLedger } from '../../src/ledger/open-ledger.ts';
import { removeSearchIndex } from '../../src/search/search-database.ts';
import { openSearchIndex } from '../../src/search/search-index.ts';
import { groupWork } from '../../src/views/queries/causes.ts';
import { findDocuments, listDocuments } from '../../src/views/queries/find-documents.ts';
import { nightTotals } from '../../src/views/reporting/night-totals.ts';
import { newFolder } from '../folders.ts';
import { median } from '../median.ts';
import { type Case, timed } from '../result.ts';
import {
  amountOf,
  customerOf,
  fileName,
  idOf,
  lastRunOf,
  numberOf,
  trackingOf,
  writeDocuments,
} from './large-ledger.ts';

const PER_FILE = 1000;
const PAGE = 50;
const TIMES = { whole: 41, quick: 3 };

export const look: Case = async ({ size, isQuick }) => {
  const folder = newFolder('case');
  mkdirSync(folder, { recursive: true });
  const place = {
    folder,
    binding: { services: { fr: 'https://fr.example.invalid' }, environment: 'test' },
    now: () => new Date(),
  };
  await initLedger(place);
  writeDocuments(join(folder, 'state', 'ledger.sqlite'), size);
  const more: { [figure: string]: number } = {};
  const seconds = async (name: string, act: () => Promise<unknown>) => {
    const start = performance.now();
    await act();
    more[name] = (performance.now() - start) / 1000;
  };
  removeSearchIndex({ folder });
  await seconds('fill', async () => (await openSearchIndex({ folder }))[Symbol.dispose]());
  more['index MiB'] = statSync(join(folder, 'state', 'index.sqlite')).size / 2 ** 20;
  await seconds('open index', async () => (await openSearchIndex({ folder }))[Symbol.dispose]());
  await seconds(
    'open ledger',
    async () => await (await openLedger({ ...place, readOnly: true }))[Symbol.asyncDispose](),
  );
  await using ledger = await openLedger({ ...place, readOnly: true });
  using index = await openSearchIndex({ folder });
  using bare = new DatabaseSync(join(folder, 'state', 'ledger.sqlite'), { readOnly: true });
  const searchPlace = { index, ledger };
  const n = Math.floor(size / 2);
  const id = idOf(n);
  const find =
    (text: string, isThere = true) =>
    async () => {
      const { documents } = await findDocuments(searchPlace, text, 20);
      if (documents.length > 0 !== isThere) throw new Error(`${documents.length} documents found for ${text}`);
    };
  const list =
    (after: string | undefined, filter = {}) =>
    async () => {
      const { documents } = await listDocuments(searchPlace, filter, { limit: PAGE, after });
      if (documents.length === 0) throw new Error('an empty page');
    };
  const select = (sql: string, ...values: (string | number)[]) => {
    const statement = bare.prepare(sql);
    return async () => void statement.all(...values);
  };
  const cases: { readonly [name: string]: () => Promise<void> } = {
    'bare number': select('SELECT id, state, answer FROM entry WHERE identifier = ?', numberOf(n)),
    'bare page': select(`SELECT id, state, answer FROM entry WHERE id < ? ORDER BY id DESC LIMIT ${PAGE}`, id),
    'bare open': select(`SELECT id, state FROM entry WHERE state IN ('invalid', 'rejected')`),
    'bare warnings':
      select(`SELECT e.state, COUNT(*) FROM revision r JOIN entry e ON e.id = r.entry AND e.revision = r.revision
      WHERE r.faults LIKE '%"level":"warning"%' GROUP BY e.state`),
    'bare counts': select('SELECT state, COUNT(*) FROM entry GROUP BY state'),
    number: find(numberOf(n)),
    part: find(numberOf(n).slice(-6)),
    customer: find(`societe ${customerOf(n)}`),
    'begun customer': find('societe mun'),
    tracking: find(trackingOf(n)),
    'begun tracking': find(trackingOf(n).slice(0, 10)),
    file: find(fileName(Math.floor(n / PER_FILE))),
    amount: find(amountOf(n).replace('.', ',')),
    nothing: find('nothing has this', false),
    'page 1': list(undefined),
    'page 2000': list(idOf(Math.max(size - 2000 * PAGE, PAGE + 1))),
    'page of a state': list(undefined, { states: ['invalid', 'rejected'] }),
    'page of a customer': list(undefined, { customer: `Société ${customerOf(n)}` }),
    'open groups': async () => {
      const groups = groupWork(await index.work({}), 'cause');
      await ledger.queries.entriesById(groups.flatMap(({ ids }) => ids.slice(0, 1)));
    },
    counts: async () => void (await ledger.queries.counts()),
    warnings: async () => void (await ledger.queries.counts({ warnings: true })),
    'run counts': async () => void (await ledger.queries.counts({ run: lastRunOf(size) })),
    'run sums': async () => void (await nightTotals(ledger.reports, lastRunOf(size))),
  };
  return await timed(
    async () => {
      for (const [name, act] of Object.entries(cases)) {
        const times: number[] = [];
        for (let time = 0; time < (isQuick ? TIMES.quick : TIMES.whole); time++) {
          const start = performance.now();
          await act();
          times.push(performance.now() - start);
        }
        more[name] = median(times);
      }
      return size;
    },
    () => more,
  );
};
