/** A date that is the day of reading gives a document of the export another year in January: it is not sent again by itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/runs/open-run.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';

const DATED = SALES_MAPPING.replace('date: $Date', `date: '= IF($Client = "", $Date, TODAY())'`);
const at = (iso: string) => ({ ...systemClock, now: () => new Date(iso) });
const NEXT_YEAR = { clock: at('2027-01-02T12:00:00Z') };
const setMapping = (scene: Scene, text: string) => writeFileSync(join(scene.root, 'mappings', 'sales.yaml'), text);

type Case = {
  readonly mapping?: string;
  /** What comes in the next year, in place of the export as it was. */
  readonly again?: string;
  readonly between?: (scene: Scene) => Promise<void>;
  readonly states: readonly string[];
};

const CASES: { readonly [what: string]: Case } = {
  'in a cumulative export': {
    again: sales(['X', 'Y']),
    states: ['X authorized', 'X held', 'Y authorized'],
  },
  'under a mapping that has changed': {
    between: async (scene) => setMapping(scene, `${DATED}\n# A remark.\n`),
    states: ['X authorized', 'X held'],
  },
  'after it was refused': {
    between: async (scene) => {
      setMapping(scene, DATED.replace('ventes*.csv', 'factures*.csv'));
      scene.drop('ventes.csv', sales(['X']));
      await scene.night({ clock: at('2026-12-31T12:00:00Z') });
      setMapping(scene, DATED);
    },
    states: ['X authorized', 'X held'],
  },
  'with another amount: the number has begun again': {
    again: sales(['X']).replace('10,50', '11,50'),
    states: ['X authorized', 'X authorized'],
  },
  'for another receiver: the number has begun again': {
    again: sales(['X']).replaceAll('Client X', 'Client Z'),
    states: ['X authorized', 'X authorized'],
  },
};

test.each(Object.entries(CASES))('the number of the year before %s', async (_, { again, between, states }) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': DATED } });
  scene.drop('ventes.csv', sales(['X']));
  await scene.night({ clock: at('2026-12-30T12:00:00Z') });
  await between?.(scene);
  for (const clock of [NEXT_YEAR.clock, at('2027-01-03T12:00:00Z')]) {
    scene.drop('ventes.csv', again ?? sales(['X']));
    await scene.night({ clock });
  }
  const found = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`);
  expect(found.filter((one) => !/duplicate|conflict/.test(one)).sort()).toEqual(states);
  const held = (await scene.entries()).filter(({ state }) => state === 'held');
  expect(held.map(({ hold }) => hold?.rule)).toEqual(held.map(() => 'number-spelling'));
});

test('a date of the rows is not the day of reading, whatever else the mapping makes of that', async () => {
  const mapping = SALES_MAPPING.replace('receiver:', "notes: [{ content: '= TODAY()' }]\n  receiver:");
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  for (const [n, year] of [2025, 2026].entries()) {
    scene.drop(`ventes-${n}.csv`, sales(['X']).replace(/(\d\d\/\d\d)\/\d{4}/g, `$1/${year}`));
    await scene.night({ clock: at(`${year + 1}-01-02T12:00:00Z`) });
  }
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized', 'authorized']);
});
