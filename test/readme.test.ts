/** The mapping of the README, as a person copies it: its documents pass the checks of the present rules, and are authorized. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, tally } from './night.ts';

const EXPORT = `Numero;Date;Echeance;Client;SIREN;Rue;CP;Ville;Ligne;Libelle;Qte;Prix;Taux
R1;23/11/2026;23/12/2026;Boulangerie du Quai;552100554;3 quai Sud;13001;Marseille;1;Farine T55;2;12,50;20
`;

test('the mapping of the README makes a document that a service takes', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const mapping = /^ {3}```yaml\n([\s\S]*?)^ {3}```$/m.exec(readme)![1]!.replace(/^ {3}/gm, '');
  await using scene = await openScene({ mappings: { 'ventes.yaml': mapping }, settings: { rules: {} } });
  scene.drop('ventes_1.csv', EXPORT);
  await scene.night();
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 1 });
});
