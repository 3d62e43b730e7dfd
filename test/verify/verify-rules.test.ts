/** Settings may change the rules after a night: what was sent is proven all the same, and what was changed is found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { lookIntoLedgerOf, systemClock } from '../../src/runs/open-run.ts';
import { type Break, verify } from '../../src/verify/verify-instance.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { proofOf } from '../samples/night.ts';

async function breaksOf(scene: Scene): Promise<readonly string[]> {
  const instance = scene.instance();
  await using ledger = await lookIntoLedgerOf(instance);
  const found: Break[] = [];
  await verify({ instance, ledger, clock: systemClock }, { onBreak: (one) => found.push(one) });
  return found.map(({ code }) => code);
}

function under(scene: Scene, rules: string): void {
  const path = join(scene.root, 'nightpost.yaml');
  writeFileSync(path, `${readFileSync(path, 'utf8').replace(/^rules:.*\n(?: .*\n)*/m, '')}rules: ${rules}\n`);
}

test.each([
  ['sent under the contracts alone', { fr: 'wire' }, { authorized: 2 }],
  ['refused by rules', { fr: 'fr-2026' }, { invalid: 2 }],
])('%s', async (_, rules, counts) => {
  await using scene = await openScene({ settings: { rules } });
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  await scene.night();
  expect(await scene.look((ledger) => ledger.queries.counts({}))).toMatchObject(counts);
  expect(await breaksOf(scene)).toEqual([]);
  for (const later of [
    '{ fr: fr-2026, language: fr }',
    '{ fr: wire }',
    '{ fr: fr-2026, severity: { FR-LIN-1b: { level: off, reason: agreed } } }',
  ]) {
    under(scene, later);
    expect(await breaksOf(scene), later).toEqual([]);
  }
  const db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  db.exec(
    `UPDATE revision SET digest = 'f' || substr(digest, 2), content = replace(content, 'Client F1', 'Client X1')`,
  );
  db.close();
  expect(await breaksOf(scene)).not.toEqual([]);
});

test('what another version refused for another cause is no difference', async () => {
  await using scene = await openScene({ settings: { rules: { fr: 'fr-2026', sv: 'wire' } } });
  scene.drop('ventes-1.csv', sales(['F1']));
  scene.drop('ventes-2.csv', sales(['F2']).replace('Client F2;1;2', 'Client F2;1;x'));
  await scene.night();
  expect(await scene.look((ledger) => ledger.queries.counts({}))).toMatchObject({ invalid: 2 });
  const change = (statement: string) => {
    using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
    db.exec(statement);
  };
  change(`UPDATE revision SET digest = 'f' || substr(digest, 2)`);
  expect((await breaksOf(scene)).filter((code) => code === 'verify/content-differs')).not.toEqual([]);
  change(`UPDATE source_file SET mapping = replace(mapping, '"program":"', '"program":"0.0.9, not ')`);
  expect((await breaksOf(scene)).filter((code) => code === 'verify/content-differs')).toEqual([]);
});

/** The way in which a document that is sent now would be refused now: by its page, or by a check of the document. */
const REFUSED_NOW: { readonly [how: string]: (mapping: string) => string } = {
  'its page': (mapping) => mapping.replace('delimiter: ";"', 'delimiter: ";"\n  encoding: windows-1252'),
  'a check': (mapping) => mapping.replace('currency: EUR', 'currency: euros'),
};

test.each(Object.keys(REFUSED_NOW))(
  'what another version admitted and this one refuses for %s is no difference',
  async (how) => {
    const mapping = SALES_MAPPING.replace('delimiter: ";"', 'delimiter: ";"\n  encoding: cp850');
    const other = REFUSED_NOW[how]!(SALES_MAPPING).replace('sales', 'other').replace('ventes*', 'autres*');
    await using scene = await openScene({ mappings: { 'sales.yaml': mapping, 'other.yaml': other } });
    // "é" in code page 850.
    scene.drop('ventes-1.csv', Buffer.from(sales(['F1']).replaceAll('Client F1', 'Soci\x82t\x82'), 'latin1'));
    scene.drop('autres-2.csv', sales(['F2']));
    await scene.night();
    const change = (statement: string) => {
      using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
      db.exec(statement);
    };
    const stamp = "(SELECT mapping FROM source_file WHERE name = 'autres-2.csv')";
    change(`UPDATE source_file SET mapping = ${stamp} WHERE name = 'ventes-1.csv'`);
    const codes = async () => (await breaksOf(scene)).filter((code) => /unreadable|content-differs/.test(code));
    expect(await codes()).toHaveLength(1);
    change(`UPDATE source_file SET mapping = replace(mapping, '"program":"', '"program":"0.0.9, not ')`);
    expect(await codes()).toEqual([]);
    const { otherChecks } = await proofOf(scene.instance());
    expect(otherChecks).toBe(1);
  },
);
