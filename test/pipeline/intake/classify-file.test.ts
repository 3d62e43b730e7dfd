/** What a claimed file is: the record in the ledger comes first, then the content, then the name and the columns. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classify } from '../../../src/pipeline/intake/classify-file.ts';
import { openScene, SALES_MAPPING, type Scene } from '../../night.ts';

const SHARED = (id: string, pattern: string, column: string) =>
  SALES_MAPPING.replace('mapping: sales', `mapping: ${id}`)
    .replace('{ files: "ventes*.csv" }', `{ files: "${pattern}", columns: [${column}], shares: true }`)
    .replace('columns: { Date: date, Qte: number, PU: number, Taux: number }', 'columns: { Qte: number, Taux: number }')
    .replace('$Date', '"2026-09-05"')
    .replace('ROUND($Qte * $PU, 2)', '$Qte')
    .replace('$PU', '1');
const PAIR = SALES_MAPPING.replace('mapping: sales', 'mapping: pairs')
  .replace('"ventes*.csv"', '"ENT_*.csv"')
  .replace('  delimiter: ";"', '  delimiter: ";"\n  join: { with: "LIG_*.csv", key: Num }');

const CORRECTION = '_doc;_row;Num\nA1;2;F1\n';
const BOTH = 'Num;Lig;Client;Qte;Taux;Rate\n';

describe('classify', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene({
      mappings: {
        'sales.yaml': SALES_MAPPING,
        'pair.yaml': PAIR,
        'one.yaml': SHARED('one', 'jour*.csv', 'Taux'),
        'two.yaml': SHARED('two', 'jour*.csv', 'Rate'),
      },
    });
  });
  afterAll(async () => await scene[Symbol.asyncDispose]());

  const ROWS: readonly [title: string, name: string, content: string, kind: string, more: object][] = [
    ['one mapping by name', 'ventes-1.csv', 'anything', 'ordinary', { mapping: 'sales' }],
    ['no mapping', 'other.csv', 'anything', 'ordinary', { faults: ['intake/no-mapping'] }],
    ['one mapping by columns', 'jour-1.csv', BOTH.replace(';Rate', ''), 'ordinary', { mapping: 'one' }],
    ['several mappings that share', 'jour-2.csv', BOTH, 'shared', { mappings: ['one', 'two'] }],
    ['headers of a pair', 'ENT_7.csv', 'anything', 'pair-half', { role: 'headers' }],
    ['lines of a pair', 'lig_7.csv', 'anything', 'pair-half', { role: 'lines' }],
    ['a correction', 'corrected.csv', CORRECTION, 'correction', {}],
    ['a correction with the name of an ordinary file', 'ventes-2.csv', CORRECTION, 'correction', {}],
    ['a correction with the name of a half', 'ENT_8.csv', CORRECTION, 'correction', {}],
  ];

  test.each(ROWS)('finds %s, on disk and in memory alike', async (_, name, content, kind, more) => {
    scene.drop(name, content);
    const path = join(scene.root, 'inbox', name);
    const file = { name, path, claimedAt: '2026-09-05T10:00:00Z' };
    for (const bytes of [undefined, readFileSync(path)]) {
      const found = await classify({ instance: scene.instance() }, file, bytes);
      expect({ kind: found.kind, ...shown(found) }).toEqual({ kind, ...more });
    }
  });

  test.each(['ventes-1.csv', 'ENT_7.csv', 'corrected.csv'])('finds a reread in the record alone: %s', async (name) => {
    const file = { name, path: '/not/there', claimedAt: '2026-09-05T10:00:00Z', rereads: 'first' };
    expect(await classify({ instance: scene.instance() }, file)).toEqual({ kind: 'reread' });
  });
});

function shown(found: Awaited<ReturnType<typeof classify>>): object {
  if (found.kind === 'ordinary') {
    return found.mapping ? { mapping: found.mapping.id } : { faults: found.faults.map(({ code }) => code) };
  }
  if (found.kind === 'shared') return { mappings: found.mappings.map(({ id }) => id).sort() };
  return found.kind === 'pair-half' ? { role: found.half.role } : {};
}
