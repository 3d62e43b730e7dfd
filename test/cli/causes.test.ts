/** Open documents in groups: each cause with its value, its key as a selector, and a screen that fits. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING } from '../night.ts';
import { commandIn } from '../program.ts';

const MAPPING = SALES_MAPPING.replace(
  'columns: {',
  'columns: { Siren: { text: siren }, CP: { text: 5 digits },',
).replace(
  'receiver: { name: $Client }',
  'receiver: { name: $Client, identifiers: [{ type: siren, value: $Siren }], address: { postal-code: $CP, country: FR } }',
);
const HEAD = 'Num;Date;Client;Lig;Qte;PU;Taux;Siren;CP';

/** A document of one row. */
function row(number: string, { siren = '732829320', code = '75001', client = 'Client' } = {}): string {
  return `${number};05/09/2026;${client};1;2;10,50;20;${siren};${code}`;
}

type Group = { readonly key: string; readonly count: number; readonly kind?: string; readonly customer?: string };

async function groupsOf(scene: Awaited<ReturnType<typeof openScene>>, ...args: string[]) {
  const { out } = await commandIn(scene, '--json', 'errors', '--group', ...args);
  return JSON.parse(out) as { readonly groups: readonly Group[]; readonly files: readonly object[] };
}

async function mixedNight(settings: object = {}) {
  const scene = await openScene({ mappings: { 'sales.yaml': MAPPING }, settings });
  const rows = [
    ...['A1', 'A2', 'A3', 'A4'].map((number) => row(number, { siren: '99920041', client: 'Arceaux' })),
    ...['B1', 'B2'].map((number) => row(number, { siren: '9,99E+08', client: '00123456789' })),
    ...['C1', 'C2', 'C3'].map((number, n) => row(number, { code: `100${n}`, client: number })),
    row('D1', { siren: '12345678', client: 'Seul' }),
  ];
  scene.drop('ventes.csv', `${[HEAD, ...rows].join('\n')}\n`);
  await scene.night();
  return scene;
}

test('a cause is a code, a mapping, a column and a value; rare values of one column are one group', async () => {
  await using scene = await mixedNight();
  const { groups } = await groupsOf(scene, 'cause');
  expect(groups).toMatchObject([
    {
      key: 'map/damaged-text:sales@Siren=99920041',
      kind: 'lost-zeros',
      customer: 'Arceaux',
      count: 4,
      amounts: { EUR: '100.80' },
      responsible: 'finance',
      documents: [{ number: 'A1' }, { number: 'A2' }, { number: 'A3' }],
    },
    { key: 'map/damaged-text/lost-zeros:sales@CP', kind: 'lost-zeros', count: 3 },
    { key: 'map/damaged-text:sales@Siren=9,99E+08', kind: 'exponent', count: 2 },
    { key: 'map/damaged-text:sales@Siren=12345678', count: 1 },
  ]);
});

test('the key of each group selects its documents; the plain code selects all, as before', async () => {
  await using scene = await mixedNight();
  const { groups } = await groupsOf(scene, 'cause');
  const count = async (cause: string) => {
    const { out } = await commandIn(scene, '--json', 'errors', '--cause', cause);
    return (JSON.parse(out) as { documents: unknown[] }).documents.length;
  };
  for (const { key, count: expected } of groups)
    expect({ key, count: await count(key) }).toEqual({ key, count: expected });
  expect(await count('map/damaged-text')).toBe(10);
  expect(await count('map/damaged-text/exponent')).toBe(2);
  expect(await count('map/damaged-text:other@Siren=99920041')).toBe(0);
});

test.each([
  ['column', ['Siren', 'CP'], [7, 3]],
  ['customer', ['Arceaux', '00123456789', 'C1', 'C2', 'C3', 'Seul'], [4, 2, 1, 1, 1, 1]],
  ['file', ['ventes.csv'], [10]],
])('groups by %s', async (by, keys, counts) => {
  await using scene = await mixedNight();
  const { groups } = await groupsOf(scene, by);
  expect(groups.map(({ key }) => key)).toEqual(keys);
  expect(groups.map(({ count }) => count)).toEqual(counts);
});

test('of several attempts to correct a document in a sheet, the newest counts, and each column is one line', async () => {
  await using scene = await mixedNight({ corrections: { damage: 'refuse' } });
  const toFix = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  const damaged = scene.read(toFix).replaceAll(';00123456789;', ';1,23457E+08;');
  for (const name of ['one.csv', 'two.csv', 'three.csv']) {
    scene.drop(name, `${damaged}${'\n'.repeat(name.length - 6)}`);
    await scene.night();
  }
  const { files } = await groupsOf(scene, 'cause');
  expect(files).toMatchObject([
    { code: 'correction/damaged-cell', column: 'Client', count: 1, file: { name: 'three.csv' } },
  ]);
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  expect(out.split('\n').filter((line) => line.includes('correction/damaged-cell'))).toHaveLength(1);
});
