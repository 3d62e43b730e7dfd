/** `reprocess` prints the warnings of many documents once each, with a count; with --full those of each document. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const WARNS = `${SALES_MAPPING}checks:
  - { that: = $Qte > 9, else: warning, say: A small quantity }
  - { that: = $PU > 99, else: warning, say: A low price }
`;
const REFUSES = WARNS.replace('checks:', 'checks:\n  - { that: = $Qte > 999, else: error, say: Not tonight }');

test('each warning is one line with a count, also of documents that become valid', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': REFUSES } });
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']));
  await scene.night();
  writeFileSync(join(scene.root, 'mappings', 'sales.yaml'), WARNS.replace('version: 1', 'version: 2'));
  const linesOf = async (...options: string[]) => {
    const { out } = await commandIn(scene, 'reprocess', '--state', 'invalid', ...options);
    return out.split('\n').filter((line) => line.includes('A small quantity') || line.includes('A low price'));
  };
  const grouped = await linesOf('--dry-run');
  expect(grouped).toHaveLength(2);
  const each = await linesOf('--dry-run', '--full');
  expect(each.length).toBeGreaterThan(grouped.length);
  for (const says of ['A small quantity', 'A low price']) {
    const count = each.filter((line) => line.includes(says)).length;
    expect(grouped.find((line) => line.includes(says))).toMatch(new RegExp(`\\(and ${count - 1} more like it\\)$`));
  }
  expect(await linesOf('--yes', '--reason', 'new checks')).toEqual(grouped);
});
