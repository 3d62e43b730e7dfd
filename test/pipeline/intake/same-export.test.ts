/** Equal bytes under one mapping are the same documents only if each fact is the same that the mapping asks for. */
import { expect, test } from 'vitest';
import type { Facts } from '../../../src/mapping/runtime/value.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { proofOf } from '../../samples/night.ts';
import { PAIR_MAPPING } from '../sources/pair-mapping.ts';

const DAY_MS = 86_400_000;
const onDay = (n: number) => ({ ...systemClock, now: () => new Date(Date.now() + n * DAY_MS) });
const numbers = async (scene: Scene, state = 'authorized') =>
  (await scene.entries()).flatMap((one) => (one.state === state ? [one.facts.identifier] : [])).sort();
const duplicates = async (scene: Scene) => {
  const files = await scene.look((ledger) => ledger.queries.files({}));
  return files.filter(({ state }) => state === 'duplicate').map(({ name }) => name);
};

const numbered = (formula: string) => SALES_MAPPING.replace('identifier: $Num', `identifier: ${formula}`);
const BY_NAME = numbered('= FILE-STEM()').replace('one-per: [Num]', 'one-per: file');
const CARRYING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  '  lines:\n',
  '  attachments: [{ filename: $Client, mime-type: application/pdf, content: { base64: $Client } }]\n  lines:\n',
);
const carrying = (pdf: string, ...invoices: readonly string[]) =>
  sales(invoices).replace(/Client (\w+)/g, pdf === '' ? '$1.pdf' : pdf);

type Drops = {
  readonly mapping: string;
  /** Drops equal bytes twice, with another fact the second time. */
  readonly other: (scene: Scene) => Promise<void>;
  readonly sent: readonly string[];
};

/** Each fact that a formula can ask for: a new one needs its case. */
const CASES: { readonly [Fact in keyof Required<Facts>]: readonly Drops[] } = {
  file: [
    {
      mapping: BY_NAME,
      other: async (scene) => {
        scene.drop('ventes-PARIS.csv', sales(['X']));
        scene.drop('ventes-LYON.csv', sales(['X']));
        await scene.night();
      },
      sent: ['ventes-LYON', 'ventes-PARIS'],
    },
    {
      // Too large to be read together with others.
      mapping: BY_NAME,
      other: async (scene) => {
        const content = sales(['X']).replaceAll('Client X', 'x'.repeat(40_000));
        scene.drop('ventes-PARIS.csv', content);
        await scene.night();
        scene.drop('ventes-LYON.csv', content);
        await scene.night();
      },
      sent: ['ventes-LYON', 'ventes-PARIS'],
    },
    {
      mapping: numbered('= $Num & "." & FILE-EXTENSION()').replace('ventes*.csv', 'ventes.*'),
      other: async (scene) => {
        scene.drop('ventes.a', sales(['X']));
        scene.drop('ventes.b', sales(['X']));
        await scene.night();
      },
      sent: ['X.a', 'X.b'],
    },
    {
      mapping: PAIR_MAPPING.replace('identifier: $Num', `identifier: '= $Num & "-" & MID(FILE-NAME(), 5, 1)'`),
      other: async (scene) => {
        for (const shop of ['1', '2']) {
          scene.drop(`ENT_${shop}.csv`, 'Num;Client\nF1;Élan\n');
          scene.drop(`LIG_${shop}.csv`, 'Num;Lig;Net\nF1;1;10,00\n');
          await scene.night();
        }
      },
      sent: ['F1-1', 'F1-2'],
    },
  ],
  today: [
    {
      mapping: numbered('= $Num & "-" & TODAY()'),
      other: async (scene) => {
        for (const n of [0, 1]) {
          scene.drop('ventes.csv', sales(['X']));
          await scene.night({ clock: onDay(n) });
        }
      },
      sent: [0, 1].map(
        (n) => `X-${new Date(Date.now() + n * DAY_MS).toLocaleDateString('sv', { timeZone: 'Europe/Paris' })}`,
      ),
    },
  ],
  companion: [
    {
      // F2.pdf was missing, and is there the second time.
      mapping: CARRYING,
      other: async (scene) => {
        scene.drop('F1.pdf', 'one');
        scene.drop('ventes.csv', carrying('', 'F1', 'F2'));
        await scene.night();
        expect(await numbers(scene, 'invalid')).toEqual(['F2']);
        scene.drop('F2.pdf', 'two');
        scene.drop('ventes.csv', carrying('', 'F1', 'F2'));
        await scene.night();
      },
      sent: ['F1', 'F2'],
    },
    {
      // Other shops have invoices of the same bytes, each with its own general conditions.
      mapping: CARRYING.replace('identifier: $Num', 'identifier: = $Num & FILE-STEM()'),
      other: async (scene) => {
        for (const shop of ['1', '2']) {
          scene.drop('annexe.pdf', `conditions of shop ${shop}`);
          scene.drop(`ventes-${shop}.csv`, carrying('annexe.pdf', 'F'));
          await scene.night();
        }
      },
      sent: ['Fventes-1', 'Fventes-2'],
    },
  ],
};

const all = Object.entries(CASES).flatMap(([fact, drops]) => drops.map((one) => [fact, one] as const));

test.each(all)('equal bytes with another %s are read, and each document is sent once', async (_, drops) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': drops.mapping } });
  await drops.other(scene);
  expect(await numbers(scene)).toEqual(drops.sent);
  expect(await duplicates(scene)).toEqual([]);
  expect(scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1)).toEqual([]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test.each([
  ['no fact', SALES_MAPPING, sales(['X'])],
  ['the name', BY_NAME, sales(['X'])],
  ['the day', numbered('= $Num & "-" & TODAY()'), sales(['X'])],
  ['attachments', CARRYING, carrying('annexe.pdf', 'X')],
])('the same file again is a duplicate where a mapping asks for %s', async (_, mapping, content) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  for (const _again of [1, 2]) {
    scene.drop('annexe.pdf', 'conditions');
    scene.drop('ventes.csv', content);
    await scene.night();
  }
  expect(await numbers(scene)).toHaveLength(1);
  expect(await duplicates(scene)).toEqual(['ventes.csv']);
});

const DATED = SALES_MAPPING.replace('date: $Date', 'date: = TODAY()');
const NAMED = SALES_MAPPING.replace('receiver:', "notes: [{ content: '= FILE-NAME()' }]\n  receiver:");
const SMALL = sales(['X']);
const LARGE = SMALL.replaceAll('Client X', 'x'.repeat(40_000));
const at = (iso: string) => ({ ...systemClock, now: () => new Date(iso) });
const DAYS = ['2026-12-30T12:00:00Z', '2026-12-31T12:00:00Z', '2027-01-02T12:00:00Z', '2027-01-03T12:00:00Z'];

test.each([
  ['small', SMALL],
  ['large', LARGE],
])('a %s export that comes again on other days makes no other document, also in the next year', async (_, content) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': DATED } });
  for (const day of DAYS) {
    scene.drop('ventes.csv', content);
    await scene.night({ clock: at(day) });
  }
  expect((await scene.entries()).map(({ state }) => state)).toEqual([
    'authorized',
    'duplicate',
    'conflict',
    'conflict',
  ]);
  expect(scene.sandbox.acceptances().map(({ accepted }) => accepted)).toEqual([1]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('other rows under the number are a conflict on another day, too', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': DATED } });
  for (const [n, content] of [SMALL, SMALL.replaceAll('Client X', 'Client Y')].entries()) {
    scene.drop('ventes.csv', content);
    await scene.night({ clock: onDay(n) });
  }
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized', 'conflict']);
});

test('a rejected document of the rows is corrected by the content of another day', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': DATED } });
  for (const n of [0, 1]) {
    scene.drop('ventes.csv', sales(['X-X6ONCE']));
    await scene.night({ clock: onDay(n) });
  }
  expect((await scene.entries()).map(({ state, revision }) => [state, revision])).toEqual([['authorized', 2]]);
});

test.each([
  ['small', SMALL],
  ['large', LARGE],
])('a copy of a %s export under another name, which only its content has, is a duplicate', async (_, content) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': NAMED } });
  for (const name of ['ventes.csv', 'ventes-copy.csv', 'ventes-copy-2.csv']) {
    scene.drop(name, content);
    await scene.night();
  }
  expect((await scene.entries()).map(({ state }) => state).sort()).toEqual(['authorized', 'duplicate', 'duplicate']);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a pair and a file of several mappings make no other document on another day', async () => {
  const sharing = DATED.replace('"ventes*.csv" }', '"ventes*.csv", columns: [Num], shares: true }');
  const other = sharing.replace('mapping: sales', 'mapping: other').replace('$Num, date', `'= "O" & $Num', date`);
  const pairs = PAIR_MAPPING.replace(/date: [^,}]+/, 'date: = TODAY()');
  await using scene = await openScene({ mappings: { 'a.yaml': sharing, 'b.yaml': other, 'c.yaml': pairs } });
  for (const n of [0, 1]) {
    scene.drop('ventes.csv', SMALL);
    scene.drop('ENT_1.csv', 'Num;Client\nF1;Élan\n');
    scene.drop('LIG_1.csv', 'Num;Lig;Net\nF1;1;10,00\n');
    await scene.night({ clock: onDay(n) });
  }
  const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`).sort();
  expect(states).toEqual(['F1', 'OX', 'X'].flatMap((one) => [`${one} authorized`, `${one} duplicate`]));
});

test('a year that the name of the file gives is another number', async () => {
  const yearly = SALES_MAPPING.replace('date: $Date', `date: '= DATE(NUMBER(RIGHT(FILE-STEM(), 4)), 1, 5)'`);
  await using scene = await openScene({ mappings: { 'sales.yaml': yearly } });
  scene.drop('ventes-2025.csv', SMALL);
  scene.drop('ventes-2026.csv', SMALL);
  await scene.night();
  expect(await numbers(scene)).toEqual(['X', 'X']);
});

test('another name changes nothing where the mapping does not ask for it', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['X']));
  scene.drop('ventes-2.csv', sales(['X']));
  await scene.night();
  expect(await duplicates(scene)).toHaveLength(1);
});

test('under another name, without its attachments, an export is a duplicate where the mapping does not ask for the name', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': CARRYING } });
  scene.drop('annexe.pdf', 'conditions');
  scene.drop('ventes-1.csv', carrying('annexe.pdf', 'X'));
  await scene.night();
  scene.drop('ventes-2.csv', carrying('annexe.pdf', 'X'));
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized']);
  expect(await duplicates(scene)).toEqual(['ventes-2.csv']);
});

test('under another name, with the attachment that was missing, the other documents are the same', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': CARRYING } });
  for (const [n, pdf] of ['F1', 'F2'].entries()) {
    scene.drop(`${pdf}.pdf`, `PDF of ${pdf}`);
    scene.drop(`ventes-${n}.csv`, carrying('', 'F1', 'F2'));
    await scene.night();
  }
  expect((await scene.entries()).map(({ state }) => state).sort()).toEqual(['authorized', 'authorized', 'duplicate']);
  expect(scene.sandbox.acceptances().map(({ accepted }) => accepted)).toEqual([1, 1]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('another attachment under the name makes another document of the number, which waits for a person', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': CARRYING } });
  for (const content of ['conditions', 'other conditions']) {
    scene.drop('annexe.pdf', content);
    scene.drop('ventes.csv', carrying('annexe.pdf', 'X'));
    await scene.night();
  }
  expect(await duplicates(scene)).toEqual([]);
  expect((await scene.entries()).map(({ state }) => state).sort()).toEqual(['authorized', 'conflict']);
});

test('a mapping that two exports share compares the names for each mapping', async () => {
  const sharing = (text: string) => text.replace('"ventes*.csv" }', '"ventes*.csv", columns: [Num], shares: true }');
  const named = sharing(BY_NAME).replace('mapping: sales', 'mapping: named');
  await using scene = await openScene({ mappings: { 'sales.yaml': sharing(SALES_MAPPING), 'named.yaml': named } });
  for (const shop of ['PARIS', 'LYON']) {
    scene.drop(`ventes-${shop}.csv`, sales(['X']));
    await scene.night();
  }
  expect(await numbers(scene)).toEqual(['X', 'ventes-LYON', 'ventes-PARIS']);
});
